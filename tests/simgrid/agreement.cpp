// SPDX-License-Identifier: Apache-2.0
#include "simgrid/agreement.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "flow/program_file.h"
#include "simulate/simulate.h"

namespace helio::second_opinion {
namespace {

constexpr double kRelative = 1e-6, kPicosecond = 1e-12;

std::string read_all(int pipe) {
  std::string text;
  char buffer[65536];
  for (ssize_t got; (got = read(pipe, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

void write_all(int pipe, const void* data, std::size_t size) {
  const char* from = static_cast<const char*>(data);
  for (ssize_t done; size > 0 && (done = write(pipe, from, size)) > 0; from += done)
    size -= static_cast<std::size_t>(done);
}

// "!" and a reason, or the numbers of an Answer.
[[noreturn]] void answer_into(int pipe, const flow::Program& program) {
  try {
    const Answer answer = replay(flow::parse_program(flow::to_text(program), "a random program"));
    std::vector<double> numbers = {answer.time_s, static_cast<double>(answer.transfers)};
    numbers.insert(numbers.end(), answer.operations_s.begin(), answer.operations_s.end());
    write_all(pipe, "=", 1);
    write_all(pipe, numbers.data(), numbers.size() * sizeof(double));
  } catch (const std::exception& error) {
    const std::string reason = std::string("!") + error.what();
    write_all(pipe, reason.data(), reason.size());
  }
  _exit(0);
}

// The last end of each entry operation.
std::vector<double> ends_of(const simulate::Timeline& timeline, const flow::Program& program) {
  std::vector<Time> ends(program.templates[program.entry.value].operations.size(), Time());
  for (const simulate::Span& span : timeline.spans)
    if (span.depth == 0)
      ends[span.operation] =
          std::max(ends[span.operation], span.end + static_cast<std::int64_t>(span.rounds - 1) * span.period);
  std::vector<double> seconds;
  for (const Time end : ends) seconds.push_back(end.to_seconds());
  return seconds;
}

}  // namespace

Answer ask(const flow::Program& program) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);  // what is buffered is written once, here
  const pid_t child = fork();
  if (child == 0) answer_into(ends[1], program);
  close(ends[1]);
  const std::string text = child > 0 ? read_all(ends[0]) : "!no process";
  close(ends[0]);
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  if (text.empty() || text[0] != '=')
    throw std::runtime_error(text.empty() ? "it ended without a word" : text.substr(1));
  std::vector<double> numbers((text.size() - 1) / sizeof(double));
  std::memcpy(numbers.data(), text.data() + 1, numbers.size() * sizeof(double));
  Answer answer;
  answer.time_s = numbers[0];
  answer.transfers = static_cast<std::uint64_t>(numbers[1]);
  answer.operations_s.assign(numbers.begin() + 2, numbers.end());
  return answer;
}

Agreement compare(const flow::Program& program) {
  const simulate::Timeline timeline = simulate::simulate(program, {.record = true});
  const Answer answer = ask(program);
  Agreement agreement{timeline.end.to_seconds(), answer.time_s, 0, answer.operations_s.size(), answer.transfers, ""};

  // The end, and the end of every entry operation
  const double least = kPicosecond * static_cast<double>(std::max<std::uint64_t>(answer.transfers, 1));
  const auto hold = [&](double ours, double theirs, std::string_view what) {
    const double difference = std::abs(ours - theirs), size = std::max(ours, theirs);
    if (size > 0) agreement.worst = std::max(agreement.worst, difference / size);
    if (difference > std::max(kRelative * size, least) && agreement.disagreement.empty())
      agreement.disagreement = fmt::format("{}: helio {:.17g} s, SimGrid {:.17g} s", what, ours, theirs);
  };
  hold(agreement.helio_s, agreement.simgrid_s, "the end");
  const std::vector<double> ours = ends_of(timeline, program);
  for (std::size_t i = 0; i < ours.size(); ++i) hold(ours[i], answer.operations_s[i], fmt::format("operation {}", i));
  return agreement;
}

}  // namespace helio::second_opinion
