// SPDX-License-Identifier: Apache-2.0
#include <ask/experiment.h>
#include <fmt/format.h>

int main() {
  helio::ask::CollectiveQuestion question{.kind = "all-reduce", .fabric = "ring", .bytes = "8 B"};
  question.nodes = "4", question.algorithm = "ring";
  question.set = {{"fabric.rate", "1 B/s"}, {"fabric.latency", "1 s"}};
  const auto answer = helio::ask::collective(question);
  fmt::print("{} s by {}\n", answer.results[0].time_s, answer.results[0].algorithm);
}
