// SPDX-License-Identifier: Apache-2.0
#include "simulate/sharing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace helio::simulate {
namespace {

// A network of links with capacities in bytes per second.
struct Network {
  explicit Network(std::vector<double> capacities) {
    for (double capacity : capacities)
      resources.add_links(1, BitRate{8 * capacity}, [](std::uint32_t) { return "link"; });
    sharing.emplace(resources);
  }
  Sharing::FlowIndex add(std::vector<flow::LinkUse> links, double bytes = 1, double cap = Sharing::kNoCap,
                         Sharing::Claim claim = {}, Time now = {}) {
    return sharing->add(links, bytes, cap, claim, count++, 0, now);
  }
  double rate(Sharing::FlowIndex flow) {
    if (sharing->dirty()) sharing->solve(Time());
    return sharing->rate(flow);
  }
  flow::ResourceTable resources;
  std::optional<Sharing> sharing;
  std::uint32_t count = 0;
};

flow::LinkUse on(std::uint32_t link, float weight = 1) { return {flow::ResourceId{link}, weight}; }

TEST(Sharing, TheTextbookLine) {
  // Links of 1 and 2. A crosses both, B the first, C the second (Bertsekas & Gallager 6.5.2): the first link gives A and B
  // 0.5 each; the second has 1.5 left for C.
  Network net({1, 2});
  const auto a = net.add({on(0), on(1)}), b = net.add({on(0)}), c = net.add({on(1)});
  EXPECT_DOUBLE_EQ(net.rate(a), 0.5);
  EXPECT_DOUBLE_EQ(net.rate(b), 0.5);
  EXPECT_DOUBLE_EQ(net.rate(c), 1.5);
}

TEST(Sharing, ACapFreesTheRestForTheOthers) {
  // 9 shared by three, one capped at 1: the others get 4 each.
  Network net({9});
  const auto a = net.add({on(0)}, 1, 1), b = net.add({on(0)}), c = net.add({on(0)});
  EXPECT_DOUBLE_EQ(net.rate(a), 1);
  EXPECT_DOUBLE_EQ(net.rate(b), 4);
  EXPECT_DOUBLE_EQ(net.rate(c), 4);
}

TEST(Sharing, WeightsCountInTheLinkNotInTheShare) {
  // Capacity 6; A takes two units per unit of rate, B one: both run at 6 / 3 = 2.
  Network net({6});
  const auto a = net.add({on(0, 2)}), b = net.add({on(0)});
  EXPECT_DOUBLE_EQ(net.rate(a), 2);
  EXPECT_DOUBLE_EQ(net.rate(b), 2);
}

TEST(Sharing, StrictPriorityLeavesOnlyTheRest) {
  // Urgent A is limited to 3 elsewhere; of 10 B gets 7; C, less urgent still, gets nothing.
  Network net({10, 3});
  const auto a = net.add({on(0), on(1)}, 1, Sharing::kNoCap, {0}), b = net.add({on(0)}, 1, Sharing::kNoCap, {1}),
             c = net.add({on(0)}, 1, Sharing::kNoCap, {2});
  EXPECT_DOUBLE_EQ(net.rate(a), 3);
  EXPECT_DOUBLE_EQ(net.rate(b), 7);
  EXPECT_DOUBLE_EQ(net.rate(c), 0);
}

TEST(Sharing, SharesDivideALink) {
  // 12 among shares 3, 2, 1: level 12 / 6 = 2.
  Network net({12});
  const auto a = net.add({on(0)}, 1, Sharing::kNoCap, {0, 3}), b = net.add({on(0)}, 1, Sharing::kNoCap, {0, 2}),
             c = net.add({on(0)});
  EXPECT_DOUBLE_EQ(net.rate(a), 6);
  EXPECT_DOUBLE_EQ(net.rate(b), 4);
  EXPECT_DOUBLE_EQ(net.rate(c), 2);
}

TEST(Sharing, ACapIsMetAtItsOwnLevel) {
  // The same with the first capped at 3, level 1: the others divide 9 at level 3. The smaller cap is not the first to be met:
  // the third, capped at 2.5, would be there at level 2.5; then the second has 12 - 3 - 2.5 = 6.5.
  Network net({12});
  const auto a = net.add({on(0)}, 1, 3, {0, 3}), b = net.add({on(0)}, 1, Sharing::kNoCap, {0, 2}), c = net.add({on(0)});
  EXPECT_DOUBLE_EQ(net.rate(a), 3);
  EXPECT_DOUBLE_EQ(net.rate(b), 6);
  EXPECT_DOUBLE_EQ(net.rate(c), 3);
  net.sharing->remove(c);
  const auto d = net.add({on(0)}, 1, 2.5);
  EXPECT_DOUBLE_EQ(net.rate(d), 2.5);
  EXPECT_DOUBLE_EQ(net.rate(a), 3);
  EXPECT_DOUBLE_EQ(net.rate(b), 6.5);
}

TEST(Sharing, SharesAndWeightsMultiplyOnALink) {
  // Capacity 10; A has share 2 and weight 2, B share 1 and weight 1: level 10 / (4 + 1) = 2, so A runs at 4 and takes 8.
  Network net({10});
  const auto a = net.add({on(0, 2)}, 1, Sharing::kNoCap, {0, 2}), b = net.add({on(0)});
  EXPECT_DOUBLE_EQ(net.rate(a), 4);
  EXPECT_DOUBLE_EQ(net.rate(b), 2);
}

TEST(Sharing, SharesOnALineOfLinks) {
  // Links of 1 and 2; A crosses both with share 3, B the first, C the second with share 1. Levels 1/4 and 2/4: the first link
  // freezes A at 0.75 and B at 0.25; the second has 1.25 left for C.
  Network net({1, 2});
  const auto a = net.add({on(0), on(1)}, 1, Sharing::kNoCap, {0, 3}), b = net.add({on(0)}), c = net.add({on(1)});
  EXPECT_DOUBLE_EQ(net.rate(a), 0.75);
  EXPECT_DOUBLE_EQ(net.rate(b), 0.25);
  EXPECT_DOUBLE_EQ(net.rate(c), 1.25);
}

TEST(Sharing, SharesDoNotReachIntoAnotherClass) {
  // A share of 1000 in class 1 gets nothing while class 0 wants everything.
  Network net({10});
  const auto a = net.add({on(0)}), b = net.add({on(0)}, 1, Sharing::kNoCap, {1, 1000});
  EXPECT_DOUBLE_EQ(net.rate(a), 10);
  EXPECT_DOUBLE_EQ(net.rate(b), 0);
}

TEST(Sharing, ASmallShareBesideAThousandLargeOnes) {
  // 1000 flows of share 1000 fill a link of 1 with a flow of share 0.001 on it: that one gets 0.001 / (1e6 + 0.001).
  Network net({1});
  const auto small = net.add({on(0)}, 1, Sharing::kNoCap, {0, flow::kSmallestShare});
  for (int i = 0; i < 1000; ++i) net.add({on(0)}, 1, Sharing::kNoCap, {0, flow::kLargestShare});
  const double share = flow::kSmallestShare;
  EXPECT_NEAR(net.rate(small) * (1e6 + share) / share, 1, 1e-9);
}

TEST(Sharing, RemovingOneHelpsTheOthersAndTellsWhatWasLeft) {
  Network net({10});
  const auto a = net.add({on(0)}, 100), b = net.add({on(0)}, 100);
  EXPECT_DOUBLE_EQ(net.rate(a), 5);
  EXPECT_DOUBLE_EQ(net.sharing->remove(a, Time::seconds(4)), 80);  // 4 s at 5 B/s
  const auto& changes = net.sharing->solve(Time::seconds(4));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].done, Time::seconds(4 + 8));  // 80 B left at 10 B/s
  EXPECT_DOUBLE_EQ(net.sharing->rate(b), 10);
}

TEST(Sharing, OnlyTheTouchedPartIsSolvedAgain) {
  Network net({10, 10});
  const auto a = net.add({on(0)});
  net.rate(a);
  net.add({on(1)});
  EXPECT_EQ(net.sharing->solve(Time()).size(), 1u);  // the new flow only
}

struct Known {
  std::vector<flow::LinkUse> links;
  double cap;
  std::uint8_t priority;
  float share;
  Sharing::FlowIndex index;
};

// Weighted max-min fairness by its definition: no link is overloaded, and every flow is at its cap or crosses a link that
// flows at least as urgent fill and on which no flow of its class has more for its share: it cannot grow unless one shrinks
// that has as little or less.
void expect_fair(const Network& net, const std::vector<double>& capacities, const std::vector<Known>& flows) {
  std::vector<double> used(capacities.size(), 0);
  for (const Known& f : flows)
    for (const flow::LinkUse& use : f.links) used[use.link.value] += net.sharing->rate(f.index) * use.weight;
  for (std::size_t l = 0; l < capacities.size(); ++l) RC_ASSERT(used[l] <= capacities[l] * (1 + 1e-9));
  for (const Known& f : flows) {
    const double rate = net.sharing->rate(f.index);
    RC_ASSERT(rate <= f.cap * (1 + 1e-9));
    if (rate >= f.cap * (1 - 1e-9)) continue;
    const double level = rate / f.share;
    const bool justified = std::any_of(f.links.begin(), f.links.end(), [&](const flow::LinkUse& use) {
      double urgent_or_equal = 0, highest = 0;
      for (const Known& g : flows)
        for (const flow::LinkUse& other : g.links)
          if (other.link == use.link && g.priority <= f.priority) {
            urgent_or_equal += net.sharing->rate(g.index) * other.weight;
            if (g.priority == f.priority) highest = std::max(highest, net.sharing->rate(g.index) / g.share);
          }
      return urgent_or_equal >= capacities[use.link.value] * (1 - 1e-9) && highest <= level * (1 + 1e-9) + 1e-9;
    });
    RC_ASSERT(justified);
  }
}

std::vector<double> draw_capacities(Random& random) {
  std::vector<double> capacities;
  for (std::uint64_t i = 0, n = 1 + random.below(8); i < n; ++i)
    capacities.push_back(1 + static_cast<double>(random.below(100)));
  return capacities;
}

// A third of all shares are 1, others are small whole numbers or anything between the bounds.
float draw_share(Random& random) {
  switch (random.below(3)) {
    case 0: return 1;
    case 1: return static_cast<float>(1 + random.below(4));
    default: return static_cast<float>(std::pow(10, -2.9 + 5.8 * random.uniform()));
  }
}

Known draw_flow(Random& random, std::size_t links) {
  Known f;
  for (std::uint32_t l = 0; l < links; ++l)
    if (random.below(4) == 0) f.links.push_back(on(l, random.below(4) == 0 ? 2.0f : 1.0f));
  if (f.links.empty()) f.links.push_back(on(0));
  f.cap = random.below(4) == 0 ? 1 + static_cast<double>(random.below(20)) : Sharing::kNoCap;
  f.priority = static_cast<std::uint8_t>(random.below(3));
  f.share = draw_share(random);
  return f;
}

// Flows come and go, one or several between two solutions; after each the allocation is max-min fair.
RC_GTEST_PROP(Sharing, IsMaxMinFairAfterEveryChange, (std::uint64_t seed)) {
  Random random(seed);
  const std::vector<double> capacities = draw_capacities(random);
  Network net(capacities);
  std::vector<Known> flows;
  for (int step = 0; step < 40; ++step) {
    for (std::uint64_t k = 0, changes = 1 + random.below(3); k < changes; ++k) {
      if (!flows.empty() && random.below(5) < 2) {
        const std::size_t gone = random.below(flows.size());
        net.sharing->remove(flows[gone].index);
        flows.erase(flows.begin() + static_cast<std::ptrdiff_t>(gone));
        continue;
      }
      Known f = draw_flow(random, capacities.size());
      f.index = net.add(f.links, 1, f.cap, {f.priority, f.share});
      flows.push_back(f);
    }
    if (net.sharing->dirty()) net.sharing->solve(Time());
    expect_fair(net, capacities, flows);
  }
}

// Only how shares compare matters: 1, 0.25 and 64 for all (powers of two, so that nothing rounds) give the same digits.
RC_GTEST_PROP(Sharing, EqualSharesChangeNothing, (std::uint64_t seed)) {
  Random random(seed);
  const std::vector<double> capacities = draw_capacities(random);
  Network plain(capacities), quarter(capacities), large(capacities);
  std::vector<Sharing::FlowIndex> flows;
  for (int step = 0; step < 30; ++step) {
    if (!flows.empty() && random.below(5) < 2) {
      for (Network* net : {&plain, &quarter, &large}) net->sharing->remove(flows.back());
      flows.pop_back();
    } else {
      const Known f = draw_flow(random, capacities.size());
      flows.push_back(plain.add(f.links, 1, f.cap, {f.priority}));
      RC_ASSERT(quarter.add(f.links, 1, f.cap, {f.priority, 0.25f}) == flows.back());
      RC_ASSERT(large.add(f.links, 1, f.cap, {f.priority, 64}) == flows.back());
    }
    for (Network* net : {&plain, &quarter, &large})
      if (net->sharing->dirty()) net->sharing->solve(Time());
    for (const Sharing::FlowIndex flow : flows) {
      RC_ASSERT(quarter.sharing->rate(flow) == plain.sharing->rate(flow));
      RC_ASSERT(large.sharing->rate(flow) == plain.sharing->rate(flow));
    }
  }
}

// What flows while the rates change is, for every flow, what it had to carry.
RC_GTEST_PROP(Sharing, BytesAreConserved, (std::uint64_t seed)) {
  Random random(seed);
  const std::vector<double> capacities = draw_capacities(random);
  Network net(capacities);
  const std::size_t count = 2 + random.below(12);
  std::vector<Sharing::FlowIndex> flows;
  std::vector<double> bytes, moved(count, 0);
  std::vector<Time> done(count, Time::max());
  for (std::size_t i = 0; i < count; ++i) {
    const Known f = draw_flow(random, capacities.size());
    bytes.push_back(1 + static_cast<double>(random.below(50)));
    flows.push_back(net.add(f.links, bytes.back(), f.cap, {f.priority, f.share}));
  }
  Time now;
  for (std::size_t left = count; left > 0; --left) {
    for (const Sharing::Change& change : net.sharing->solve(now)) done[change.owner] = change.done;
    const auto next = static_cast<std::size_t>(std::min_element(done.begin(), done.end()) - done.begin());
    RC_ASSERT(done[next] < Time::max());
    const double seconds = (done[next] - now).to_seconds();
    for (std::size_t i = 0; i < count; ++i)
      if (bytes[i] > 0) moved[i] += net.sharing->rate(flows[i]) * seconds;
    RC_ASSERT(std::abs(moved[next] - bytes[next]) <= 1e-9 * bytes[next]);
    now = done[next];
    net.sharing->remove(flows[next]);
    done[next] = Time::max();
    bytes[next] = 0;
  }
}

}  // namespace
}  // namespace helio::simulate
