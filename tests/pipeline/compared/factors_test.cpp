// SPDX-License-Identifier: Apache-2.0
#include "pipeline/compared/factors.h"

#include <gtest/gtest.h>

#include "pipeline/asking.h"
#include "pipeline/assembly.h"
#include "pipeline/run.h"

namespace helio::pipeline {
namespace {

constexpr BitRate kInjection{64e9};

struct Told {
  Result result;
  Explained why;
  double of(const std::string& what) const {
    for (const Factor& factor : why.factors)
      if (factor.what.find(what) != std::string::npos) return factor.times;
    return 1;
  }
};

// An all-reduce of 8 MB over 8 nodes.
Told told(const std::string& fabric, const std::string& algorithm, const Texts& settings) {
  Texts all = settings;
  all["nodes"] = "8";
  all["rate"] = "64 Gb/s";
  Experiment experiment;
  experiment.fabric = {fabric, "--fabric", settings_of(all, "fabric.")};
  Collective collective;
  collective.bytes = {Bytes{8e6}, "--bytes"};
  collective.algorithm = {algorithm, "--algorithm", {}};
  const ChosenFabric chosen(experiment.fabric);
  Told answer{run(chosen, experiment, collective), {}};
  answer.why = explained(chosen.capabilities(), schedule::request_on_all(schedule::Kind::kAllReduce, Bytes{8e6}, 8),
                         kInjection, answer.result);
  return answer;
}

void expect_product(const Told& answer) {
  double product = answer.why.ideal_s;
  for (const Factor& factor : answer.why.factors) product *= factor.times;
  EXPECT_NEAR(product, answer.result.time_s, 1e-9 * answer.result.time_s);
}

// Unhelped, a rank must send 2 · 7/8 · 8 MB at 64 Gb/s: 1.75 ms. With sums in the switch 8 MB: 1 ms, 1/1.75 of it.
TEST(Factors, SumsInTheNetwork) {
  const Told answer = told("switch", "in-fabric", {{"reducers", "1"}, {"latency", "0 s"}});
  EXPECT_NEAR(answer.why.ideal_s, 1.75e-3, 1e-12);
  EXPECT_NEAR(answer.of("sums"), 1 / 1.75, 1e-12);
  EXPECT_EQ(answer.of("delays"), 1);
  expect_product(answer);
}

// And as codes of 8 bits for 32: a quarter.
TEST(Factors, Codes) {
  const Told answer = told("optinc", "in-fabric", {});
  EXPECT_NEAR(answer.of("sums"), 1 / 1.75, 1e-12);
  EXPECT_NEAR(answer.of("codes of 8 bits"), 0.25, 1e-12);
  expect_product(answer);
}

// A latency of 175 us through the switch's two links is a tenth of 1.75 ms; twice that and a step more is the schedule's.
TEST(Factors, DelaysAndTheSchedule) {
  const Told answer = told("switch", "direct", {{"latency", "87.5 us"}});
  EXPECT_EQ(answer.of("sums"), 1);
  EXPECT_NEAR(answer.of("delays"), 1.1, 1e-9);
  EXPECT_NEAR(answer.of("schedule"), 1.2 / 1.1, 1e-9);
  expect_product(answer);
  EXPECT_EQ(in_words(answer.why.factors),
            "1.1x slower by delays of links, steps and setting up; 1.09x slower by what its schedule takes beyond the "
            "bound");
}

// Four links of a node are four times what all are compared at, and the ring algorithm uses one of them; whatever it is, it multiplies up.
TEST(Factors, TheirProductIsTheTimeOnEveryFabric) {
  for (const char* fabric :
       {"ring", "torus", "mesh", "full-mesh", "fat-tree", "cluster", "wdm-ring", "sip-ring", "oddl"})
    expect_product(told(fabric, "ring", {}));
}

TEST(Factors, NothingToTell) {
  EXPECT_EQ(in_words({}), "as fast as bytes can leave its nodes");
  EXPECT_EQ(in_words({{"delays", 1.005}}), "as fast as bytes can leave its nodes");
}

}  // namespace
}  // namespace helio::pipeline
