// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/testbed_exchange.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace helio::train {
namespace {

ExchangeSpec spec_of(std::map<std::string, std::string> settings) {
  ExchangeSpec spec;
  spec.name = "testbed";
  spec.settings = std::move(settings);
  spec.settings.try_emplace("fabric.rate", "1 Gb/s");
  return spec;
}

// The same additions in the same order as the algorithm's own exchange, bit by bit, whatever the switch, call after call.
TEST(TestbedExchange, AveragesAsTheScheduleDoes) {
  for (const char* algorithm : {"ring", "halving-doubling"})
    for (const char* by : {"light", "ideal"}) {
      SCOPED_TRACE(std::string(algorithm) + " " + by);
      const int servers = 3;
      const std::int64_t length = 10'001;
      const auto bytes = make_exchange(spec_of({{"algorithm", algorithm}, {"switch", by}}), servers, length, at::kCPU);
      ExchangeSpec plain;
      plain.name = algorithm;
      const auto schedule = make_exchange(plain, servers, length, at::kCPU);
      for (int call = 0; call < 2; ++call) {
        at::Tensor gradients = at::randn({servers, length}), same = gradients.clone();
        at::Tensor average = at::empty({length}), expected = at::empty({length});
        bytes->average(gradients, average);
        schedule->average(same, expected);
        EXPECT_TRUE(at::equal(average, expected));
      }
      EXPECT_GT(bytes->measured(at::Tensor())["exchange_s"].get<double>(), 0);
    }
}

TEST(TestbedExchange, RefusesOtherSettings) {
  const auto refusal = [](const ExchangeSpec& spec, int servers) -> std::string {
    try {
      make_exchange(spec, servers, 100, at::kCPU);
    } catch (const Error& error) {
      return error.message();
    }
    return "made";
  };
  EXPECT_EQ(refusal(spec_of({{"fabric.nodes", "4"}}), 4), "the nodes of a testbed are the servers");
  EXPECT_NE(refusal(spec_of({{"swich", "ideal"}}), 4).find("swich"), std::string::npos);
  EXPECT_NE(refusal(spec_of({{"switch", "dark"}}), 4).find("dark"), std::string::npos);
  EXPECT_EQ(refusal(spec_of({}), 17), "a testbed has 2 to 16 nodes, and not 17");
}

}  // namespace
}  // namespace helio::train
