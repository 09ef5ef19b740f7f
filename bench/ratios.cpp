// SPDX-License-Identifier: Apache-2.0
#include "ratios.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "pieces.h"
#include "pipeline/second_opinion.h"
#include "simulate/simulate.h"

namespace helio::bench {
namespace {

constexpr auto kDataflow = schedule::Order::kDataflow;
constexpr auto kOrbit = schedule::VerifyMethod::kOneSlotPerOrbit;
constexpr auto kFingerprints = schedule::VerifyMethod::kFingerprints;

// A piece of a question inside this process.
Side timed(std::string name, Piece piece, Question question) {
  return {std::move(name), [piece, question = std::move(question)] { return Workbench(question).seconds(piece); }};
}

Side simulating(std::string name, Question question) {
  return timed(std::move(name), Piece::kSimulate, std::move(question));
}
Side proving(std::string name, Question question) {
  return timed(std::move(name), Piece::kVerify, std::move(question));
}

#ifdef HELIO_SIMGRID_BINARY
// The same flow program in helio-simgrid: processor time of SimGrid's simulation proper, without start, reading and building.
// Throws std::runtime_error when the two do not agree on the answer.
Side by_simgrid(Question question) {
  return {"SimGrid", [question = std::move(question)] {
            const Workbench bench(question);
            const pipeline::SecondOpinion opinion =
                pipeline::ask_simgrid(bench.program(), HELIO_SIMGRID_BINARY, "bench");
            const double ours = simulate::simulate(bench.program()).end.to_seconds();
            if (std::abs(ours - opinion.time_s) > 1e-6 * ours)
              throw std::runtime_error(fmt::format("{} on {} of {}: helio says {} s, SimGrid {} s", question.algorithm,
                                                   question.fabric, question.nodes, ours, opinion.time_s));
            return opinion.processor_s;
          }};
}

// Nothing repeats: every rank goes on by itself, over ways that meet at random.
const Question kWithoutSymmetry = {.fabric = "fat-tree",
                                   .algorithm = "ring",
                                   .nodes = 1024,
                                   .order = kDataflow,
                                   .bytes = 1e6,
                                   .settings = {{"k", {"16", "bench"}}, {"rank_order", {"random", "bench"}}}};
#endif

}  // namespace

const std::vector<Ratio>& ratios() {
  static const std::vector<Ratio> all = {
      // name, slow, fast, at least
      {"engine, ring 256, step", simulating("every round", {"ring", "ring", 256, {}, false}),
       simulating("jumping", {"ring", "ring", 256})},
      {"engine, ring 256, dataflow", simulating("every round", {"ring", "ring", 256, kDataflow, false}),
       simulating("jumping", {"ring", "ring", 256, kDataflow})},
      {"order, ring 256", simulating("dataflow", {"ring", "ring", 256, kDataflow}),
       simulating("step", {"ring", "ring", 256})},
      {"proof, ring 512", proving("fingerprints", {"ring", "ring", 512, {}, true, kFingerprints}),
       proving("one slot per orbit", {"ring", "ring", 512, {}, true, kOrbit})},
#ifdef HELIO_SIMGRID_BINARY
      {"SimGrid, ring 1024", by_simgrid({"ring", "ring", 1024}), simulating("helio", {"ring", "ring", 1024}), 100},
      {"SimGrid, fat-tree k=16", by_simgrid(kWithoutSymmetry), simulating("helio", kWithoutSymmetry), 5},
#endif
  };
  return all;
}

std::vector<RatioOutcome> measure_ratios(const std::function<void(const RatioOutcome&)>& each) {
  std::vector<RatioOutcome> outcomes;
  for (const Ratio& ratio : ratios()) {
    const double slow = ratio.slow.seconds();
    outcomes.push_back({ratio, slow, ratio.fast.seconds()});
    each(outcomes.back());
  }
  return outcomes;
}

}  // namespace helio::bench
