// SPDX-License-Identifier: Apache-2.0
#include "simulate/sharing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace helio::simulate {
namespace {

// A network of links with capacities in bytes per second.
struct Network {
  explicit Network(std::vector<double> capacities) {
    for (double capacity : capacities) resources.add_links(1, BitRate{8 * capacity}, [](std::uint32_t) { return "link"; });
    sharing.emplace(resources);
  }
  Sharing::FlowIndex add(std::vector<flow::LinkUse> links, double bytes = 1, double cap = Sharing::kNoCap, std::uint8_t priority = 0) {
    return sharing->add(links, bytes, cap, priority, count++, 0, Time());
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
  const auto a = net.add({on(0), on(1)}, 1, Sharing::kNoCap, 0), b = net.add({on(0)}, 1, Sharing::kNoCap, 1),
             c = net.add({on(0)}, 1, Sharing::kNoCap, 2);
  EXPECT_DOUBLE_EQ(net.rate(a), 3);
  EXPECT_DOUBLE_EQ(net.rate(b), 7);
  EXPECT_DOUBLE_EQ(net.rate(c), 0);
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
  Sharing::FlowIndex index;
};

// Max-min fairness by its definition: no link is overloaded, and every flow is at its cap or crosses a link that flows at
// least as urgent fill and on which no flow of its class is faster.
void expect_fair(const Network& net, const std::vector<double>& capacities, const std::vector<Known>& flows) {
  std::vector<double> used(capacities.size(), 0);
  for (const Known& f : flows)
    for (const flow::LinkUse& use : f.links) used[use.link.value] += net.sharing->rate(f.index) * use.weight;
  for (std::size_t l = 0; l < capacities.size(); ++l) RC_ASSERT(used[l] <= capacities[l] * (1 + 1e-9));
  for (const Known& f : flows) {
    const double rate = net.sharing->rate(f.index);
    RC_ASSERT(rate <= f.cap * (1 + 1e-9));
    if (rate >= f.cap * (1 - 1e-9)) continue;
    const bool justified = std::any_of(f.links.begin(), f.links.end(), [&](const flow::LinkUse& use) {
      double urgent_or_equal = 0, fastest = 0;
      for (const Known& g : flows)
        for (const flow::LinkUse& other : g.links)
          if (other.link == use.link && g.priority <= f.priority) {
            urgent_or_equal += net.sharing->rate(g.index) * other.weight;
            if (g.priority == f.priority) fastest = std::max(fastest, net.sharing->rate(g.index));
          }
      return urgent_or_equal >= capacities[use.link.value] * (1 - 1e-9) && fastest <= rate * (1 + 1e-9) + 1e-9;
    });
    RC_ASSERT(justified);
  }
}

// Flows come and go, one or several between two solutions; after each the allocation is max-min fair.
RC_GTEST_PROP(Sharing, IsMaxMinFairAfterEveryChange, (std::uint64_t seed)) {
  Random random(seed);
  std::vector<double> capacities;
  for (std::uint64_t i = 0, n = 1 + random.below(8); i < n; ++i) capacities.push_back(1 + static_cast<double>(random.below(100)));
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
      Known f;
      for (std::uint32_t l = 0; l < capacities.size(); ++l)
        if (random.below(4) == 0) f.links.push_back(on(l, random.below(4) == 0 ? 2.0f : 1.0f));
      if (f.links.empty()) f.links.push_back(on(0));
      f.cap = random.below(4) == 0 ? 1 + static_cast<double>(random.below(20)) : Sharing::kNoCap;
      f.priority = static_cast<std::uint8_t>(random.below(3));
      f.index = net.add(f.links, 1, f.cap, f.priority);
      flows.push_back(f);
    }
    if (net.sharing->dirty()) net.sharing->solve(Time());
    expect_fair(net, capacities, flows);
  }
}

}  // namespace
}  // namespace helio::simulate
