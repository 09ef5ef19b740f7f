// SPDX-License-Identifier: Apache-2.0
#include "fabric/lowering.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/error.h"
#include "fabric/timed.h"

namespace helio::fabric {
namespace {

using schedule::Kind;

struct Answer {
  double seconds;
  std::uint64_t steps;
  std::vector<double> traffic;
  std::size_t operations;
};

// What a schedule takes; none where it is refused.
std::optional<Answer> answer(const Fabric& fabric, const schedule::Schedule& schedule,
                             const schedule::CollectiveRequest& request, bool condense) {
  flow::Program program;
  const auto carrier = fabric.install(program);
  const LowerResult result = carrier->lower(schedule, request, {.condense = condense});
  if (!std::holds_alternative<Lowered>(result)) return std::nullopt;
  program.entry = std::get<Lowered>(result).entry;
  flow::check(program);
  const simulate::Timeline timeline = simulate::simulate(program, {.jump = condense});
  std::size_t operations = 0;
  for (const flow::Template& body : program.templates) operations += body.operations.size();
  return Answer{timeline.end.to_seconds(), timeline.steps, flow::traffic(program), operations};
}

void expect_same(const Answer& condensed, const Answer& plain, const std::string& what) {
  EXPECT_NEAR(condensed.seconds, plain.seconds, 1e-9 * plain.seconds) << what;
  EXPECT_EQ(condensed.steps, plain.steps) << what;
  EXPECT_LE(condensed.operations, plain.operations) << what;
  ASSERT_EQ(condensed.traffic.size(), plain.traffic.size());
  for (std::size_t i = 0; i < plain.traffic.size(); ++i)
    ASSERT_NEAR(condensed.traffic[i], plain.traffic[i], 1e-9 * plain.traffic[i]) << what << ", resource " << i;
}

TEST(Lowering, CondensedRoundsTakeAsLong) {
  for (const auto& [name, nodes] :
       std::vector<std::pair<std::string, std::vector<const char*>>>{{"ring", {"2", "9", "16"}},
                                                                     {"switch", {"8", "13"}},
                                                                     {"full-mesh", {"7"}},
                                                                     {"mesh", {"12", "16"}},
                                                                     {"torus", {"12", "16"}},
                                                                     {"fat-tree", {"16"}},
                                                                     {"cluster", {"32"}}})
    for (const char* count : nodes) {
      const auto fabric = make(name, settings({{"nodes", count}}));
      for (const auto& entry : schedule::algorithms().entries())
        for (const Kind kind : entry.factory.kinds) {
          const auto request = schedule::request_on_all(kind, Bytes{1e6}, std::atoi(count));
          schedule::Schedule schedule;
          try {
            schedule = schedule::build(entry.description.name, request, fabric->capabilities(), {});
          } catch (const Error&) {
            continue;  // not on this fabric
          }
          const auto plain = answer(*fabric, schedule, request, false);
          if (!plain) continue;
          expect_same(*answer(*fabric, schedule, request, true), *plain,
                      entry.description.name + " " + std::string(name_of(kind)) + " on " + name + " of " + count);
        }
    }
}

TEST(Lowering, APipelineIsOneTransferARound) {
  // 99 moves of 30 pieces: 30 + 98 rounds, the set of each another one until it is full; every set is neighbours that do not meet.
  const auto fabric = make("ring", settings({{"nodes", "100"}}));
  const auto request = schedule::request_on_all(Kind::kBroadcast, Bytes{1e6}, 100);
  const schedule::Schedule schedule =
      schedule::build("ring", request, fabric->capabilities(), settings({{"chunks", "30"}}));
  const auto condensed = answer(*fabric, schedule, request, true);
  const auto plain = answer(*fabric, schedule, request, false);
  expect_same(*condensed, *plain, "chain");
  EXPECT_EQ(plain->operations, 128u + 99 * 30);  // calls, and a transfer for each piece of each move
  EXPECT_EQ(condensed->operations, 128u + 128);
}

// Moves of any kind, over ways that meet in any way.
RC_GTEST_PROP(Lowering, RandomRoundsCondensedTakeAsLong, ()) {
  const auto nodes = *rc::gen::inRange<schedule::Position>(2, 24);
  const auto name = *rc::gen::element<std::string>("ring", "mesh", "torus", "switch");
  const auto fabric = make(name, settings({{"nodes", std::to_string(nodes).c_str()}}));
  schedule::Schedule schedule{.algorithm = "random", .kind = Kind::kReduce, .ranks = nodes};
  schedule.chunks = 8;
  schedule::Phase phase{.name = "random", .repeat = *rc::gen::inRange(1u, 4u)};
  const auto count = *rc::gen::inRange<std::size_t>(1, 60);
  for (std::size_t i = 0; i < count; ++i) {
    const auto source = *rc::gen::inRange<schedule::Position>(0, nodes);
    schedule::Move move{.source = source,
                        .destination = (source + *rc::gen::inRange<schedule::Position>(1, nodes)) % nodes,
                        .count = *rc::gen::inRange(1u, 4u),
                        .action = schedule::Action::kReduce};
    move.first_round = *rc::gen::inRange(0u, phase.repeat);
    for (auto copies = *rc::gen::inRange(1, 4); copies > 0; --copies) phase.moves.push_back(move);
  }
  schedule.phases = {phase};
  schedule::check(schedule);
  const auto request = schedule::request_on_all(Kind::kReduce, Bytes{8e6}, nodes);
  const auto condensed = answer(*fabric, schedule, request, true), plain = answer(*fabric, schedule, request, false);
  RC_ASSERT(condensed && plain);
  RC_ASSERT(std::abs(condensed->seconds - plain->seconds) <= 1e-9 * plain->seconds);
  RC_ASSERT(condensed->steps == plain->steps);
  for (std::size_t i = 0; i < plain->traffic.size(); ++i)
    RC_ASSERT(std::abs(condensed->traffic[i] - plain->traffic[i]) <= 1e-9 * plain->traffic[i]);
}

}  // namespace
}  // namespace helio::fabric
