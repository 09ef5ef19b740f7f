// SPDX-License-Identifier: Apache-2.0
#include "ratios.h"

#include <algorithm>

#include "pieces.h"

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
