// SPDX-License-Identifier: Apache-2.0
#include "fabric/optinc/optinc.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "fabric/carrier.h"
#include "flow/program.h"
#include "schedule/algorithm.h"
#include "simulate/simulate.h"

namespace helio::fabric {
namespace {

Settings settings(std::initializer_list<std::pair<const char*, const char*>> pairs) {
  Settings all;
  for (const auto& [name, value] : pairs) all[name] = {value, std::string("--set fabric.") + name};
  return all;
}

const Fact* fact(const Lowered& lowered, std::string_view name) {
  for (const Fact& f : lowered.facts)
    if (f.name == name) return &f;
  return nullptr;
}
double number(const Lowered& lowered, std::string_view name) { return std::get<double>(fact(lowered, name)->value); }

struct Ran {
  double seconds = 0;
  Lowered lowered;
  Refusal refusal;
  bool refused = false;
};

Ran run(const Settings& how, const char* algorithm, schedule::CollectiveRequest request) {
  const auto fabric = make("optinc", how);
  const schedule::Schedule schedule = schedule::build(algorithm, request, fabric->capabilities());
  flow::Program program;
  const auto carrier = fabric->install(program);
  LowerResult result = carrier->lower(schedule, request, {});
  Ran ran;
  if (auto* refusal = std::get_if<Refusal>(&result)) {
    ran.refused = true;
    ran.refusal = *refusal;
    return ran;
  }
  ran.lowered = std::get<Lowered>(std::move(result));
  program.entry = ran.lowered.entry;
  ran.seconds = simulate::simulate(program, {}).end.to_seconds();
  return ran;
}

schedule::CollectiveRequest everyone(schedule::Position nodes, double bytes,
                                     schedule::Kind kind = schedule::Kind::kAllReduce) {
  return schedule::request_on_all(kind, {bytes}, nodes);
}

// papers/optinc.md 2.7: ResNet-50, 25.6 M parameters of 8 bits over 6.4 Tb/s: 32 us. 102.4 MB of float32.
TEST(Optinc, TakesTheTimeOfTheCodes) {
  const Ran ran =
      run(settings({{"nodes", "4"}, {"latency", "0 s"}, {"mzi_length", "0"}}), "in-fabric", everyone(4, 102.4e6));
  EXPECT_NEAR(ran.seconds, 32e-6, 1e-12);
}

// The same 25.6 M parameters as 16-bit gradients are half the bytes and the same codes.
TEST(Optinc, CodesKeepTheirBitsWhateverTheGradientsHave) {
  schedule::CollectiveRequest request = everyone(4, 51.2e6);
  request.element_bytes = 2;
  const Ran ran = run(settings({{"nodes", "4"}, {"latency", "0 s"}, {"mzi_length", "0"}}), "in-fabric", request);
  EXPECT_NEAR(ran.seconds, 32e-6, 1e-12);
}

// One instance: 53.125 GBd x 8 bits = 425 Gb/s a server; 16 of them carry 6.4 Tb/s (papers/optinc.md 2.1).
TEST(Optinc, InstancesCarryTheLineRate) {
  const Ran all = run(settings({{"nodes", "4"}}), "in-fabric", everyone(4, 1e6));
  EXPECT_EQ(number(all.lowered, "onn_instances"), 16);
  const Ran one = run(settings({{"nodes", "4"}, {"latency", "0 s"}, {"mzi_length", "0"}, {"instances", "1"}}),
                      "in-fabric", everyone(4, 4e6));
  EXPECT_NEAR(one.seconds, 8e6 / 425e9, 1e-12);  // a million codes
  // 5 x 425 = 2125 Gb/s, so that 2126 take a sixth; any rate takes one
  EXPECT_EQ(number(run(settings({{"nodes", "4"}, {"rate", "2125 Gb/s"}}), "in-fabric", everyone(4, 1e6)).lowered,
                   "onn_instances"),
            5);
  EXPECT_EQ(number(run(settings({{"nodes", "4"}, {"rate", "2126 Gb/s"}}), "in-fabric", everyone(4, 1e6)).lowered,
                   "onn_instances"),
            6);
  EXPECT_EQ(
      number(run(settings({{"nodes", "4"}, {"rate", "1 b/s"}}), "in-fabric", everyone(4, 1)).lowered, "onn_instances"),
      1);
}

// Two links a level, up and down; the network's own time is that of its depth: depth x 0.2 mm x 4.2 / c.
TEST(Optinc, LatencyIsThatOfLinksAndNetworks) {
  const Ran one = run(settings({{"nodes", "4"}, {"latency", "1 us"}}), "in-fabric", everyone(4, 4));
  const double flight = number(one.lowered, "onn_depth") * 0.2e-3 * 4.2 / 299792458;
  EXPECT_NEAR(number(one.lowered, "onn_latency_s"), flight, 1e-15);
  EXPECT_NEAR(one.seconds, 2e-6 + flight + 8 / 6.4e12, 2e-15);
  const Ran two = run(settings({{"nodes", "16"}, {"latency", "1 us"}, {"mzi_length", "0"}, {"ports", "4x4"}}),
                      "in-fabric", everyone(16, 4));
  EXPECT_NEAR(two.seconds, 4e-6 + 8 / 6.4e12, 2e-15);
  const Ran slow =
      run(settings({{"nodes", "4"}, {"latency", "1 us"}, {"mzi_length", "0"}, {"activation_delay", "1 us"}}),
          "in-fabric", everyone(4, 4));
  // Widths 4-39-48-39-30-12-4 (photonics/onn_thermometer_test.cpp): five layers of limiters of 1 us
  EXPECT_NEAR(slow.seconds, 7e-6 + 8 / 6.4e12, 2e-15);
}

// Servers under each of a cascade's switches: as few levels of at most 16 ports as it takes. 4 servers of one fraction symbol each.
TEST(Optinc, CascadesAreChosenBySize) {
  EXPECT_EQ(std::get<std::string>(
                fact(run(settings({{"nodes", "16"}}), "in-fabric", everyone(16, 4)).lowered, "ports")->value),
            "16");
  const Ran more = run(settings({{"nodes", "17"}, {"network", "constructed"}}), "in-fabric", everyone(17, 4));
  EXPECT_EQ(std::get<std::string>(fact(more.lowered, "ports")->value), "5x5");
  // Networks for chips divide by shifts: the next power of two
  const Ran chips = run(settings({{"nodes", "17"}}), "in-fabric", everyone(17, 4));
  EXPECT_EQ(std::get<std::string>(fact(chips.lowered, "ports")->value), "8x8");
  const Ran four = run(settings({{"nodes", "16"}, {"ports", "4x4"}}), "in-fabric", everyone(16, 4));
  EXPECT_EQ(number(four.lowered, "fraction_symbols"), 1);  // papers/optinc.md 2.6
  const Ran eight = run(settings({{"nodes", "64"}, {"ports", "8x8"}}), "in-fabric", everyone(64, 4));
  EXPECT_EQ(number(eight.lowered, "fraction_symbols"), 2);  // three bits
}

// Reduce and reduce-scatter add up what all have; a broadcast and a ring do not.
TEST(Optinc, RefusesWhatIsNotAnAverageOfAll) {
  EXPECT_FALSE(run(settings({{"nodes", "4"}}), "in-fabric", everyone(4, 1e6, schedule::Kind::kReduce)).refused);
  EXPECT_FALSE(run(settings({{"nodes", "4"}}), "in-fabric", everyone(4, 1e6, schedule::Kind::kReduceScatter)).refused);
  EXPECT_THROW(run(settings({{"nodes", "4"}}), "in-fabric", everyone(4, 1e6, schedule::Kind::kBroadcast)), Error);
  EXPECT_THROW(run(settings({{"nodes", "4"}}), "ring", everyone(4, 1e6)), Error);
}

// Groups under switches of their own run side by side; two under one switch do not.
TEST(Optinc, GroupsNeedSwitchesOfTheirOwn) {
  schedule::CollectiveRequest apart = everyone(4, 4e6);
  apart.groups = {{{0}, {1}, {2}, {3}}, {{4}, {5}, {6}, {7}}};
  const Settings how = settings({{"nodes", "16"}, {"ports", "4x4"}, {"latency", "0 s"}, {"mzi_length", "0"}});
  const Ran beside = run(how, "in-fabric", apart);
  ASSERT_FALSE(beside.refused);
  EXPECT_NEAR(beside.seconds, 8e6 / 6.4e12, 1e-13);  // one level only
  apart.groups = {{{0}, {1}, {2}, {4}}, {{3}, {5}, {6}, {7}}};
  const Ran crowded = run(how, "in-fabric", apart);
  ASSERT_TRUE(crowded.refused);
  EXPECT_EQ(crowded.refusal.groups, std::vector<std::uint32_t>{1});
}

TEST(Optinc, BadValues) {
  const auto kind_of = [](const Settings& how) {
    try {
      make("optinc", how);
    } catch (const Error& error) {
      return static_cast<int>(error.kind());
    }
    return 0;
  };
  EXPECT_EQ(kind_of(settings({{"nodes", "0"}})), 3);
  EXPECT_EQ(kind_of(settings({{"nodes", "4"}, {"bits", "0"}})), 3);
  EXPECT_EQ(kind_of(settings({{"nodes", "4"}, {"bits", "7"}})), 3);  // symbols of two bits
  EXPECT_EQ(kind_of(settings({{"nodes", "17"}, {"ports", "4x4"}})), 3);
  EXPECT_EQ(kind_of(settings({{"nodes", "4"}, {"ports", "1x4"}})), 3);
  EXPECT_EQ(kind_of(settings({{"nodes", "4"}, {"fraction", "1"}})), 3);  // one level hands nothing on
  EXPECT_EQ(kind_of(settings({{"nodes", "8"}, {"bits", "16"}, {"network", "paper"}})),
            4);  // four symbols in and out only
}

}  // namespace
}  // namespace helio::fabric
