// SPDX-License-Identifier: Apache-2.0
// What all seven proofs of generality do with their case: carry it, prove it, run it on numbers, time it twice.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "emulate/execute.h"
#include "fabric/carrier.h"
#include "fabric/fabric.h"
#include "flow/program.h"
#include "schedule/schedule.h"
#include "schedule/verify.h"
#include "simulate/simulate.h"

namespace helio::generality {

// A time that was derived by hand, in seconds. Times are integers of zeptoseconds; only the doubles beside them round.
inline void expect_time(Time time, double seconds) { EXPECT_NEAR(time.to_seconds(), seconds, 1e-12 * seconds); }

// Checks and runs a program, once leaping over rounds that repeat and once not; both must agree on everything that is not
// a count of work.
inline simulate::Timeline timed(const flow::Program& program) {
  flow::check(program);
  simulate::Options options;
  options.record = true;
  simulate::Timeline leaping = simulate::simulate(program, options);
  options.jump = false;
  const simulate::Timeline walking = simulate::simulate(program, options);
  EXPECT_EQ(walking.rounds_jumped, 0u);
  EXPECT_EQ(leaping.end, walking.end);
  EXPECT_EQ(leaping.steps, walking.steps);
  EXPECT_EQ(leaping.critical.total(), leaping.end);
  EXPECT_EQ(leaping.critical.setup, walking.critical.setup);
  EXPECT_EQ(leaping.critical.transmission, walking.critical.transmission);
  EXPECT_EQ(leaping.critical.waiting, walking.critical.waiting);
  EXPECT_EQ(leaping.busy_seconds, walking.busy_seconds);
  EXPECT_EQ(leaping.control_messages, walking.control_messages);
  EXPECT_EQ(leaping.messages_lost, walking.messages_lost);
  return leaping;
}

// The program that runs one schedule on one fabric.
inline flow::Program carried(const fabric::Fabric& fabric, const schedule::Schedule& schedule,
                             const schedule::CollectiveRequest& request, fabric::LowerOptions options = {},
                             fabric::Lowered* lowered = nullptr) {
  schedule::check(schedule);
  schedule::check(request);
  flow::Program program;
  const std::unique_ptr<fabric::Carrier> carrier = fabric.install(program);
  const fabric::LowerResult result = carrier->lower(schedule, request, options);
  if (const auto* refusal = std::get_if<fabric::Refusal>(&result)) {
    ADD_FAILURE() << refusal->reason;
    program.entry = program.add({"nothing", {}, {}});
    return program;
  }
  program.entry = std::get<fabric::Lowered>(result).entry;
  if (lowered) *lowered = std::get<fabric::Lowered>(result);
  flow::check(program);
  return program;
}

inline void expect_verified(const schedule::Schedule& schedule) {
  schedule::check(schedule);
  const schedule::Verification proof = schedule::verify(schedule);
  EXPECT_TRUE(proof.verified) << proof.failure;
  EXPECT_EQ(proof.method, "explicit-sets");
}

// Vectors in which every element of every rank differs, in powers that no wrong sum can imitate.
inline std::vector<std::vector<std::int64_t>> integers(int ranks, int elements) {
  std::vector<std::vector<std::int64_t>> vectors(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r)
    for (int e = 0; e < elements; ++e)
      vectors[static_cast<std::size_t>(r)].push_back((std::int64_t{1} << (2 * r)) * 1000 + e);
  return vectors;
}

// Every rank must end with the sum of all, element by element. An element count that no slot count divides.
inline void expect_all_reduced_on_integers(const schedule::Schedule& schedule) {
  const int elements = 7;
  auto vectors = integers(schedule.ranks, elements);
  std::vector<std::int64_t> sum(elements, 0);
  for (const auto& vector : vectors)
    for (std::size_t e = 0; e < vector.size(); ++e) sum[e] += vector[e];
  emulate::execute(schedule, vectors);
  for (const auto& vector : vectors) EXPECT_EQ(vector, sum);
}

inline std::vector<NodeId> nodes(std::uint32_t first, std::uint32_t count) {
  std::vector<NodeId> list;
  for (std::uint32_t i = 0; i < count; ++i) list.push_back(NodeId{first + i});
  return list;
}

// Settings as a command line would give them.
inline Settings settings(std::initializer_list<std::pair<const char*, const char*>> texts) {
  Settings result;
  for (const auto& [name, text] : texts) result[name] = {text, name};
  return result;
}

}  // namespace helio::generality
