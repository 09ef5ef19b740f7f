// SPDX-License-Identifier: Apache-2.0
#include "plan/fewer_gateways.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "base/random.h"
#include "pipeline/asking.h"
#include "plan/auto.h"
#include "schedule/request.h"

namespace helio::plan {
namespace {

using pipeline::asking;
using pipeline::Experiment;
using pipeline::Result;

Experiment question(const std::string& levels, const std::string& kind = "all-reduce",
                    const std::string& bytes = "1 MB") {
  return asking({{"name", "composite"}, {"levels", levels}},
                {{"kind", kind}, {"bytes", bytes}, {"algorithm", std::string(kAuto)}});
}

std::vector<std::string> used_in(const std::vector<Experiment>& experiments) {
  std::vector<std::string> used;
  for (const Experiment& experiment : experiments) {
    const std::string& text = experiment.fabric.settings.at("levels").text;
    const std::size_t at = text.find("gateways=") + 9;
    used.push_back(text.substr(at, text.find(',', at) - at));
  }
  return used;
}

// Of two every choice, of more every second of them, and again; of all there is nothing to leave out.
TEST(FewerGateways, SomeMayBeLeftOut) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(used_in(with_fewer_gateways(question("switch:nodes=8/ring:nodes=3,gateways=2+5"))), (Words{"5+", "2+"}));
  EXPECT_EQ(used_in(with_fewer_gateways(question("switch:nodes=8/ring:nodes=3,gateways=4"))), (Words{"0+4", "0+"}));
  EXPECT_TRUE(with_fewer_gateways(question("switch:nodes=8/ring:nodes=3")).empty());
}

// What they are called stays, so that results of both can be compared.
TEST(FewerGateways, LevelsKeepTheirNamesAndSettings) {
  const auto fewer = with_fewer_gateways(
      question("switch:nodes=4,rate=100 Gb/s/switch:nodes=3,gateways=0+1,gateway_rate=40 Gb/s,gateway_choice=hash"));
  ASSERT_EQ(fewer.size(), 2u);
  EXPECT_EQ(fewer[0].fabric.settings.at("levels").text,
            "switch:name=switch 0,nodes=4,rate=100 Gb/s/"
            "switch:name=switch 1,nodes=3,gateway_choice=hash,gateway_rate=40 Gb/s,gateways=1+");
}

// Random machines with some gateways, and with one more or twice as many: never slower, unless nothing is left to gain (1.005 of the bound, where
// the search ends).
TEST(FewerGateways, MoreGatewaysAreNeverSlower) {
  Random random(22);
  int compared = 0;
  for (int i = 0; i < 16; ++i) {
    auto m = static_cast<std::uint32_t>(2 + random.below(6));
    const auto u = 2 + random.below(4);
    const auto rate = [&] { return fmt::format("{} Gb/s", 10 * (1 + random.below(40))); };
    std::string low, high;
    switch (random.below(5)) {
      case 0: low = fmt::format("switch:nodes={},rate={}", m, rate()); break;
      case 1: low = fmt::format("ring:nodes={},rate={}", m, rate()); break;
      case 2: m = 4, low = fmt::format("torus:dimensions=2x2,rate={}", rate()); break;
      case 3: m = 6, low = fmt::format("mesh:dimensions=2x3,rate={}", rate()); break;
      default: m = 4, low = "fred:radix=2x2,variant=D";
    }
    switch (random.below(5)) {
      case 0: high = fmt::format("switch:nodes={},rate={}", u, rate()); break;
      case 1: high = fmt::format("ring:nodes={},rate={}", u, rate()); break;
      case 2: high = fmt::format("wdm-ring:nodes={},wavelengths={},rate={}", u, 1 + random.below(8), rate()); break;
      case 3: high = fmt::format("oddl:nodes={}", u); break;
      default: high = fmt::format("optinc:nodes={},rate={}", u, rate());
    }
    if (random.below(2) == 0) high += fmt::format(",gateway_rate={} Gb/s", 5 * (1 + random.below(50)));

    // One more of up to three, or all; else twice as many
    std::set<std::uint32_t> few{static_cast<std::uint32_t>(random.below(m))}, many;
    if (random.below(2) == 0) few.insert(static_cast<std::uint32_t>(random.below(m)));
    many = few;
    while (many.size() == few.size() && few.size() < m) many.insert(static_cast<std::uint32_t>(random.below(m)));
    if (const std::uint32_t k = m / 4; k > 0 && random.below(2) == 0) {
      few.clear(), many.clear();
      for (std::uint32_t j = 0; j < 2 * k; ++j) few.insert(j * m / (2 * k));
      for (std::uint32_t j = 0; j < 4 * k; ++j) many.insert(j * m / (4 * k));
    }
    const std::string kind(schedule::name_of(schedule::kAllKinds[random.below(6)]));
    const std::string bytes = fmt::format("{} B", 1000 * (1 + random.below(10'000)));
    const auto with = [&](const std::set<std::uint32_t>& gateways) {
      const std::string levels =
          fmt::format("{}/{},gateways={}{}", low, high, fmt::join(gateways, "+"), gateways.size() == 1 ? "+" : "");
      return answer(question(levels, kind, bytes)).front();
    };
    SCOPED_TRACE(fmt::format("{} {} of {} on {}/{}: {} and {}", i, kind, bytes, low, high, few, many));
    try {
      const Result less = with(few), more = with(many);
      EXPECT_LE(more.time_s, std::max(less.time_s * (1 + 1e-9), 1.005 * more.bound_s));
      ++compared;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible) << error.message();
    }
  }
  EXPECT_GE(compared, 11);
}

}  // namespace
}  // namespace helio::plan
