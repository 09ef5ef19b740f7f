// SPDX-License-Identifier: Apache-2.0
// Proof (g): an in-fabric reduce whose arithmetic comes from outside. The light that meets in OptINC is averaged and rounded to
// B bits on its way (papers/optinc.md §2); here B = 2 and G = floor(T/N + 1/2) of the sum T of N codes in 0..3.
//
//       0 ── 2 bits ──╲         ╱──▶ G
//       1 ── 2 bits ───⟩ average⟨──▶ G        the schedule is in-fabric all-reduce; what "reduce" means there is a Combiner
//       2 ── 2 bits ───⟩  2 bits ⟨──▶ G
//       3 ── 2 bits ──╱         ╲──▶ G
#include <gtest/gtest.h>

#include "fabric/routed.h"
#include "generality/proving.h"
#include "schedule/algorithm.h"

namespace helio::generality {
namespace {

using schedule::Kind;
using schedule::Schedule;

class TwoBitAverage : public emulate::Combiner<std::int64_t> {
 public:
  void combine(std::span<const std::span<const std::int64_t>> inputs, std::span<std::int64_t> out) const override {
    const auto n = static_cast<std::int64_t>(inputs.size());
    for (std::size_t e = 0; e < out.size(); ++e) {
      std::int64_t sum = 0;
      for (const auto& input : inputs) sum += input[e];
      out[e] = (2 * sum + n) / (2 * n);
    }
  }
};

// Light that meets: one line per node and direction, one optical operator. A gradient of fp32 travels as 2-bit codes.
class Averager : public fabric::RoutedFabric {
 public:
  explicit Averager(std::uint32_t nodes, BitRate rate) : nodes_(nodes) {
    capabilities_.fabric = "averager";
    capabilities_.nodes = nodes;
    capabilities_.link_rate = capabilities_.injection = capabilities_.ejection = rate;
    capabilities_.reduces = capabilities_.multicasts = true;
    lines_ = resources_.add_links(2 * nodes_, capabilities_.link_rate,
                                  [](std::uint32_t i) { return "line " + std::to_string(i); });
    light_ = resources_.add_channels(1, BitRate{0}, {}, [](std::uint32_t) { return "light"; });
  }

 protected:
  void route(NodeId from, NodeId to, const fabric::Carriage&, fabric::Way& way) const override {
    way.cross({lines_.value + from.value});
    way.cross({lines_.value + nodes_ + to.value});
  }
  void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const fabric::Carriage&,
                 fabric::Way& way) const override {
    for (const NodeId node : from) way.cross({lines_.value + node.value});
    for (const NodeId node : to) way.cross({lines_.value + nodes_ + node.value});
    way.hold(light_);
    way.bytes_factor = 2.0 / 32;
  }

 private:
  std::uint32_t nodes_;
  flow::ResourceId lines_, light_;
};

Schedule all_at_once(const schedule::Capabilities& capabilities) {
  return schedule::build("in-fabric", schedule::request_on_all(Kind::kAllReduce, Bytes{64}, 4), capabilities);
}

// The same collective by pairs: {0,1} and {2,3}, then {0,2} and {1,3}.
Schedule in_pairs() {
  Schedule s{.algorithm = "pairs", .kind = Kind::kAllReduce, .ranks = 4};
  s.sets = {{0, 1}, {2, 3}, {0, 2}, {1, 3}};
  s.phases = {{.name = "near", .moves = {{.source = ~0, .destination = ~0}, {.source = ~1, .destination = ~1}}},
              {.name = "far", .moves = {{.source = ~2, .destination = ~2}, {.source = ~3, .destination = ~3}}}};
  return s;
}

using Codes = std::vector<std::vector<std::int64_t>>;

//  element      0   1   2   3   4
//  sum T        0   1   2   6  12        T/4 + 1/2 = 0.5, 0.75, 1, 2, 3.5: G = 0, 0, 1, 2, 3
Codes inputs() { return {{0, 1, 1, 3, 3}, {0, 0, 1, 3, 3}, {0, 0, 0, 0, 3}, {0, 0, 0, 0, 3}}; }

TEST(Averaging, TheFabricDecidesWhatReduceMeans) {
  Averager fabric(4, BitRate{8});
  const Schedule s = all_at_once(fabric.capabilities());
  expect_verified(s);  // whose inputs meet is proven as ever; what becomes of them is the combiner's word

  Codes averaged = inputs();
  emulate::execute(s, averaged, TwoBitAverage());
  for (const auto& codes : averaged) EXPECT_EQ(codes, (std::vector<std::int64_t>{0, 0, 1, 2, 3}));

  Codes summed = inputs();
  emulate::execute(s, summed);
  for (const auto& codes : summed) EXPECT_EQ(codes, (std::vector<std::int64_t>{0, 1, 2, 6, 12}));
}

TEST(Averaging, RoundingTwiceIsSeen) {
  // The combiner is given exactly the sets of the schedule, so that rounding in two levels differs from rounding once:
  //   element 1   {1,0} -> floor(0.5 + 0.5) = 1, {0,0} -> 0;  {1,0} -> 1     not 0
  //   element 2   {1,1} -> 1,                    {0,0} -> 0;  {1,0} -> 1
  //   element 3   {3,3} -> 3,                    {0,0} -> 0;  {3,0} -> floor(1.5 + 0.5) = 2
  expect_verified(in_pairs());
  Codes averaged = inputs();
  emulate::execute(in_pairs(), averaged, TwoBitAverage());
  for (const auto& codes : averaged) EXPECT_EQ(codes, (std::vector<std::int64_t>{0, 1, 1, 2, 3}));
  expect_all_reduced_on_integers(in_pairs());  // while sums do not mind
}

TEST(Averaging, TheWireCarriesTwoBitsOfThirtyTwo) {
  // 64 B of fp32 are 4 B of codes; at 1 B/s, up and down at once, 4 s.
  Averager fabric(4, BitRate{8});
  const simulate::Timeline t = timed(
      carried(fabric, all_at_once(fabric.capabilities()), schedule::request_on_all(Kind::kAllReduce, Bytes{64}, 4)));
  expect_time(t.end, 4);
  EXPECT_EQ(t.steps, 1u);

  // In pairs there is one light for two sets of each phase, so they take turns: 4 times 4 s. Nobody refused, and the conflict
  // is in the program for all to see.
  Averager other(4, BitRate{8});
  const flow::Program pairs = carried(other, in_pairs(), schedule::request_on_all(Kind::kAllReduce, Bytes{64}, 4));
  EXPECT_TRUE(flow::find_conflict(pairs, pairs.entry).found);
  expect_time(timed(pairs).end, 16);
}

}  // namespace
}  // namespace helio::generality
