// SPDX-License-Identifier: Apache-2.0
#include "placement/strategy.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::placement {
namespace {

Strategy read(const std::map<std::string, std::string>& values, std::uint64_t nodes) {
  Settings settings;
  for (const auto& [name, text] : values) settings[name] = {text, "file:" + name};
  return strategy_from(Parameters("job", strategy_parameters(), settings), nodes);
}

// The message must stand at the place that is to blame.
void expect_refused(const std::map<std::string, std::string>& values, std::uint64_t nodes, const std::string& blamed) {
  try {
    read(values, nodes);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), "file:" + blamed) << error.message();
    EXPECT_FALSE(error.message().empty());
  }
}

TEST(Strategy, ReplicasAreWhatIsLeft) {
  const Strategy s = read({{"tp", "8"}, {"pp", "4"}, {"global_batch", "96"}, {"micro_batch", "2"}}, 128);
  EXPECT_EQ(s.dp, 4);
  EXPECT_EQ(s.micro_batches, 12u);  // 96 / 2 / 4
  EXPECT_EQ(s.gradient_precision, s.precision);
}

TEST(Strategy, WhatDoesNotMultiplyIsRefused) {
  expect_refused({{"tp", "3"}}, 8, "tp");
  expect_refused({{"tp", "2"}, {"dp", "3"}}, 8, "dp");
  expect_refused({{"dp", "4"}, {"ep", "3"}}, 4, "ep");
  expect_refused({{"dp", "4"}, {"global_batch", "6"}}, 4, "global_batch");
  expect_refused({{"dp", "4"}, {"global_batch", "8"}, {"micro_batches", "3"}}, 4, "global_batch");
}

TEST(Strategy, WhatContradictsItselfIsRefused) {
  expect_refused({{"chunks", "2"}}, 1, "chunks");
  expect_refused({{"pp", "2"}, {"schedule", "interleaved"}, {"micro_batches", "3"}}, 2, "schedule");
  expect_refused({{"execution", "streaming"}}, 1, "execution");
  expect_refused({{"execution", "streaming"}, {"io_rate", "1 Tb/s"}, {"schedule", "interleaved"}, {"chunks", "2"}}, 2,
                 "chunks");
  expect_refused({{"execution", "streaming"}, {"io_rate", "1 Tb/s"}, {"schedule", "gpipe"}}, 1, "schedule");
  expect_refused({{"multicast_sends", "true"}, {"sequence_parallel", "true"}}, 1, "multicast_sends");
  expect_refused({{"execution", "streaming"}, {"io_rate", "1 Tb/s"}, {"zero", "1"}}, 2, "zero");
  expect_refused({{"sample_bytes", "1 kB"}}, 1, "sample_bytes");
  expect_refused({{"rank_order", "tp,dp"}}, 1, "rank_order");
  expect_refused({{"rank_order", "tp,dp,xp"}}, 1, "rank_order");
  expect_refused({{"npus", "2"}, {"first_node", "3"}}, 4, "first_node");
}

TEST(Strategy, NodesMayBeNamed) {
  EXPECT_EQ(read({{"npus", "4"}, {"ranks", "6,1-3"}}, 8).ranks, (std::vector<std::uint32_t>{6, 1, 2, 3}));
  expect_refused({{"npus", "2"}, {"ranks", "1,1"}}, 8, "ranks");
  expect_refused({{"npus", "2"}, {"ranks", "1,8"}}, 8, "ranks");
  expect_refused({{"npus", "2"}, {"ranks", "1"}}, 8, "ranks");
  expect_refused({{"npus", "2"}, {"ranks", "1,x"}}, 8, "ranks");
  expect_refused({{"npus", "2"}, {"ranks", "3-1"}}, 8, "ranks");
}

TEST(Strategy, SlowNodesAreNamed) {
  const Strategy s = read({{"speed", "0=0.5,2-3=0.8"}}, 4);
  EXPECT_EQ(s.speed.size(), 3u);
  EXPECT_EQ(s.speed.at(3), 0.8);
  for (const char* text : {"0", "0=0", "0=2", "9=0.5", "0=x", "=0.5"}) expect_refused({{"speed", text}}, 4, "speed");
}

}  // namespace
}  // namespace helio::placement
