// SPDX-License-Identifier: Apache-2.0
#include "fabric/wdm/rotor.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "fabric/timed.h"
#include "fabric/wdm/rotor_control.h"

namespace helio::fabric {
namespace {

using schedule::Kind;
using schedule::request_on_all;

Time s(double seconds) { return Time::seconds(seconds); }

double on_rotor(std::initializer_list<std::pair<const char*, const char*>> more, const char* algorithm, Kind kind,
                double bytes, int nodes) {
  Settings all = settings({{"rate", "8 b/s"}, {"slot", "10 s"}, {"retune", "2 s"}});
  for (const auto& [name, value] : more) all[name] = {value, "test"};
  all["nodes"] = {std::to_string(nodes), "test"};
  return seconds(time_on("rotor", all, algorithm, request_on_all(kind, Bytes{bytes}, nodes)));
}

// Four nodes, slots of 10 s of which 2 are dark: a cycle of 30 s. From 0 to 2 light is open from 12 to 20, 42 to 50, …
TEST(RotorCalendar, CountsLight) {
  const RotorCalendar calendar{4, 1, s(10), s(2)};
  EXPECT_EQ(calendar.cycle(), s(30));
  const std::uint32_t slot = calendar.slot_of(0, 2);
  EXPECT_EQ(slot, 1u);
  EXPECT_EQ(calendar.slot_of(3, 1), 1u);
  EXPECT_EQ(calendar.lit_by(slot, s(11)), s(0));
  EXPECT_EQ(calendar.lit_by(slot, s(15)), s(3));
  EXPECT_EQ(calendar.lit_by(slot, s(25)), s(8));
  EXPECT_EQ(calendar.lit_by(slot, s(45)), s(11));
  EXPECT_EQ(calendar.when_lit(slot, s(3)), s(15));
  EXPECT_EQ(calendar.when_lit(slot, s(8)), s(20));
  EXPECT_EQ(calendar.when_lit(slot, s(9)), s(43));
  EXPECT_EQ(calendar.when_lit(slot, s(16)), s(50));
}

// Beside a walk from slot to slot, whatever the calendar.
TEST(RotorCalendar, IsWhatWalkingFromSlotToSlotGives) {
  Random random(7);
  for (int i = 0; i < 500; ++i) {
    const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random.below(n)); };
    const RotorCalendar calendar{static_cast<std::uint32_t>(2 + below(9)), static_cast<std::uint32_t>(1 + below(4)),
                                 Time::zeptoseconds(10 + below(10)), Time::zeptoseconds(below(10))};
    const auto slot = static_cast<std::uint32_t>(below(calendar.slots()));
    const std::int64_t ready = below(500), wanted = 1 + below(60);
    std::int64_t lit = 0, left = wanted, end = 0;
    for (std::int64_t t = 0; left > 0; ++t) {  // [t, t + 1)
      const std::int64_t within = t % static_cast<std::int64_t>(calendar.cycle().count()) -
                                  static_cast<std::int64_t>((calendar.slot * slot).count());
      const bool open = within >= static_cast<std::int64_t>(calendar.retune.count()) &&
                        within < static_cast<std::int64_t>(calendar.slot.count());
      if (open && t < ready) ++lit;
      if (open && t >= ready) --left;
      end = t + 1;
    }
    ASSERT_EQ(calendar.lit_by(slot, Time::zeptoseconds(ready)).count(), lit) << i;
    ASSERT_EQ(calendar.when_lit(slot, Time::zeptoseconds(lit + wanted)).count(), end) << i;
  }
}

// Everybody to everybody, 4 nodes at 1 B/s: 4 B a pair are in the last slot from 22 to 26; of 10 B 8 are there by 30, and 2 from 52 to 54.
// With three uplinks there is one slot, for all: 2 to 6.
TEST(Rotor, APairHasItsSlots) {
  EXPECT_NEAR(on_rotor({}, "direct", Kind::kAllToAll, 16, 4), 26, 1e-9);
  EXPECT_NEAR(on_rotor({}, "direct", Kind::kAllToAll, 40, 4), 54, 1e-9);
  EXPECT_NEAR(on_rotor({{"uplinks", "3"}}, "direct", Kind::kAllToAll, 16, 4), 6, 1e-9);
  // Propagation, and the cost of a step before anything leaves: in slot 1, ready at 47, 3 B by 50 and the fourth by 73, there at 74
  EXPECT_NEAR(on_rotor({{"latency", "1 s"}, {"step_overhead", "47 s"}}, "direct", Kind::kAllToAll, 16, 4), 74, 1e-9);
}

// Two nodes have every slot. A ring of two rounds of 4 B: 2 to 6, and on without a pause to 10; of 8 B: 2 to 10, 12 to 20.
TEST(Rotor, RoundsGoOnWhereTheLightIs) {
  EXPECT_NEAR(on_rotor({}, "ring", Kind::kAllReduce, 8, 2), 10, 1e-9);
  EXPECT_NEAR(on_rotor({}, "ring", Kind::kAllReduce, 16, 2), 20, 1e-9);
}

// 12 B out of each node at half of 0.8 B/s are 30 s; a cycle of 30 s for what is handed on last.
TEST(Rotor, TwoHopsHaveHalfTheLight) {
  EXPECT_NEAR(on_rotor({{"routing", "two-hop"}}, "direct", Kind::kAllToAll, 16, 4), 60, 1e-6);
  // Neighbours only: 3 + 3 rounds of 4 B, 10 s and 30 s each, where direct would have one slot of three
  EXPECT_NEAR(on_rotor({{"routing", "two-hop"}}, "ring", Kind::kAllReduce, 16, 4), 6 * 40, 1e-6);
  // Direct, slot 0: each round of 4 B fills half of what is open of a slot: 2 to 6 and 6 to 10, 32 to 40, 62 to 70
  EXPECT_NEAR(on_rotor({}, "ring", Kind::kAllReduce, 16, 4), 70, 1e-9);
}

TEST(Rotor, RefusesASlotThatIsAllDark) {
  EXPECT_THROW(make("rotor", settings({{"nodes", "4"}, {"slot", "2 us"}, {"retune", "2 us"}})), Error);
}

}  // namespace
}  // namespace helio::fabric
