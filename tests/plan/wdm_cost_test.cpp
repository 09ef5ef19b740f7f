// SPDX-License-Identifier: Apache-2.0
// Closed forms against the engine, on random rings.
#include "plan/wdm_cost.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/error.h"
#include "pipeline/run.h"

namespace helio::plan {
namespace {

pipeline::Experiment ring_of(const WdmMachine& m) {
  pipeline::Experiment experiment;
  experiment.fabric.name = "wdm-ring";
  const auto set = [&](const char* name, std::string text) {
    experiment.fabric.settings[name] = {std::move(text), "test"};
  };
  set("nodes", fmt::format("{}", m.nodes));
  set("wavelengths", fmt::format("{}", m.wavelengths));
  set("rate", fmt::format("{} b/s", m.rate * 8));
  set("retune", fmt::format("{} s", m.retune));
  set("step_overhead", fmt::format("{} s", m.overhead));
  set("latency", fmt::format("{} s", m.latency));
  set("drive", fmt::format("{}", m.drive));
  set("retune_rule", m.every_step ? "every-step" : "changed");
  return experiment;
}

pipeline::Result run(const Candidate& candidate, const WdmMachine& m, double bytes) {
  pipeline::Collective collective;
  collective.name = "all-reduce";
  collective.bytes = {Bytes{bytes}, "test"};
  collective.algorithm = {candidate.algorithm, "test", candidate.settings};
  return pipeline::run(ring_of(m), collective);
}

RC_GTEST_PROP(WdmCost, ClosedFormsAreWhatTheEngineSays, ()) {
  WdmMachine m;
  m.nodes = *rc::gen::inRange<std::uint64_t>(2, 70);
  m.wavelengths = *rc::gen::element<std::uint64_t>(1, 2, 3, 8, 16);
  m.rate = 5e9;
  m.retune = *rc::gen::element(0.0, 25e-6);
  m.overhead = *rc::gen::element(0.0, 1e-6, 1e-5);
  m.every_step = *rc::gen::arbitrary<bool>();
  m.latency = *rc::gen::element(0.0, 0.0, 1e-7);
  m.drive = *rc::gen::element<std::uint64_t>(2 * m.wavelengths, 2 * m.wavelengths, m.wavelengths, 3);
  const double bytes = *rc::gen::element(1e3, 1e6, 1e8);
  std::vector<Candidate> all;
  for (auto* family : {&circulant_candidates, &wrht_candidates, &plain_candidates})
    for (Candidate& candidate : (*family)(m, bytes)) all.push_back(std::move(candidate));
  RC_ASSERT(!all.empty());
  for (int i = 0; i < 6; ++i) {
    const Candidate& candidate = all[*rc::gen::inRange<std::size_t>(0, all.size())];
    const pipeline::Result result = run(candidate, m, bytes);
    const bool agrees = candidate.exact ? result.steps == candidate.steps &&
                                              std::abs(result.time_s - candidate.seconds) <= 1e-9 * result.time_s
                                        : candidate.seconds <= result.time_s * (1 + 1e-9);
    if (!agrees)
      RC_FAIL(fmt::format("{} on {} nodes, {} wavelengths{}: {} s in {} steps, closed form {} s in {}",
                          candidate.words(), m.nodes, m.wavelengths, m.every_step ? ", every step" : "", result.time_s,
                          result.steps, candidate.seconds, candidate.steps));
  }
}

// 1024 = 2^10, w = 64: chains of radices are compositions of 10 whose parts before the last add up to at most 6: for a sum j of
// those there are 2^(j-1) compositions (1 for j = 0): 1 + 1 + 2 + 4 + 8 + 16 + 32 = 64.
TEST(WdmCost, ChainsAreCompositions) {
  WdmMachine m{.nodes = 1024,
               .wavelengths = 64,
               .rate = 5e9,
               .retune = 25e-6,
               .overhead = 0,
               .latency = 0,
               .every_step = false,
               .drive = 128};
  EXPECT_EQ(circulant_candidates(m, 1e8).size(), 64u);
}

}  // namespace
}  // namespace helio::plan
