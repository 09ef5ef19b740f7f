// SPDX-License-Identifier: Apache-2.0
#include "pieces.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include "base/error.h"
#include "fabric/carrier.h"
#include "fabric/fabric.h"
#include "schedule/algorithm.h"
#include "simulate/simulate.h"
#include "stopwatch.h"

namespace helio::bench {
namespace {

schedule::CollectiveRequest request_of(const Question& question) {
  return schedule::request_on_all(question.kind, Bytes{question.bytes},
                                  static_cast<schedule::Position>(question.nodes));
}

std::unique_ptr<fabric::Fabric> fabric_of(const Question& question) {
  Settings settings = question.settings;
  settings["nodes"] = {std::to_string(question.nodes), "bench"};
  return fabric::make(question.fabric, settings, "bench");
}

}  // namespace

std::string_view name_of(Piece piece) {
  switch (piece) {
    case Piece::kBuild: return "build";
    case Piece::kVerify: return "verify";
    case Piece::kLower: return "lower";
    case Piece::kSimulate: return "simulate";
  }
  return "";
}

Workbench::Workbench(Question question) : question_(std::move(question)), schedule_(built()), program_(lowered()) {}

double Workbench::seconds(Piece piece) const {
  switch (piece) {
    case Piece::kBuild: return least_seconds([&] { return built(); });
    case Piece::kVerify:
      return least_seconds([&] {
        schedule::Verification proof = schedule::verify(schedule_, {.method = question_.method});
        if (!proof.verified)
          throw std::logic_error(
              fmt::format("{} on {} nodes: {}", question_.algorithm, question_.nodes, proof.failure));
        return proof;
      });
    case Piece::kLower: return least_seconds([&] { return lowered(); });
    case Piece::kSimulate: return least_seconds([&] { return simulate::simulate(program_, {.jump = question_.jump}); });
  }
  return 0;
}

schedule::Schedule Workbench::built() const {
  return schedule::build(question_.algorithm, request_of(question_), fabric_of(question_)->capabilities());
}

flow::Program Workbench::lowered() const {
  const std::unique_ptr<fabric::Fabric> fabric = fabric_of(question_);
  flow::Program program;
  const std::unique_ptr<fabric::Carrier> carrier = fabric->install(program);
  const fabric::LowerResult result =
      carrier->lower(schedule_, request_of(question_), {.order = question_.order, .condense = question_.condense});
  if (const fabric::Refusal* refusal = std::get_if<fabric::Refusal>(&result))
    throw Error(ErrorKind::kInfeasible, refusal->reason, "bench", refusal->advice);
  program.entry = std::get<fabric::Lowered>(result).entry;
  flow::check(program);
  return program;
}

}  // namespace helio::bench
