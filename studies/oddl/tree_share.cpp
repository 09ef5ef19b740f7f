// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/tree_share.h"

#include <fmt/format.h>

#include "studies/oddl/assumption.h"
#include "studies/oddl/chapters.h"
#include "studies/oddl/cost.h"

namespace helio::studies::oddl_study {
namespace {

constexpr int kRack = 8;  // hosts of an edge switch, k/2

// Every node and the one at `distance`.
std::string pairs(int distance) {
  std::string text;
  for (int node = 0; node < kNodes; ++node)
    if ((node & distance) == 0) text += fmt::format("{}{},{}", text.empty() ? "" : ";", node, node + distance);
  return text;
}

// Rank r sits on the host whose number has the bits of r in reverse, so that ranks half the tree apart are neighbours.
std::string reversed() {
  std::string text;
  for (int rank = 0; rank < kNodes; ++rank) {
    int host = 0;
    for (int bit = 1; bit < kNodes; bit *= 2) host = 2 * host + ((rank & bit) != 0);
    text += fmt::format("{}{}", rank == 0 ? "" : ",", host);
  }
  return text;
}

}  // namespace

double mean_over_seeds(const std::function<double(int seed)>& quantity) {
  double sum = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) sum += quantity(seed);
  return sum / kSeeds;
}

double ring_share(Runs& runs, const char* rank_order) {
  return mean_over_seeds([&](int seed) {
    Question question = on_tree(0, seed);
    question.settings["rank_order"] = rank_order;
    return ring_cost(kGradient, kNodes, kRate, 0) / runs(question).seconds;
  });
}

double exchange_share(Runs& runs, int distance) {
  return mean_over_seeds([&](int seed) {
    Question question = on_tree(0, distance < kRack ? 1 : seed);  // no dice in a rack
    question.algorithm = "halving-doubling";
    question.keys["groups"] = pairs(distance);
    return halving_cost(kGradient, 2, kRate, 0) / runs(question).seconds;
  });
}

Question tree_halving(double step, bool near, int seed) {
  Question question = on_tree(step, seed);
  question.algorithm = "halving-doubling";
  if (near) question.keys["groups"] = reversed();
  return question;
}

std::array<double, 10> tree_halving_rates(Runs& runs, bool near) {
  std::array<double, 10> rates{};
  for (int k = 0; k < 10; ++k)
    rates[static_cast<std::size_t>(k)] = kRate * exchange_share(runs, 1 << (near ? k : 9 - k));
  return rates;
}

Rows tree_shares(Runs& runs) {
  const Assumptions tree{
      of_our_own(fmt::format("k = 16, 1:1, a hash picks the way of each flow; mean of the slowest of 1024 flows over "
                             "{} seeds; the spec's own 20 trials threw other dice",
                             kSeeds))};
  const char* source = "papers/oddl.md 3.2, 20 trials of a prototype";
  Rows rows;
  rows.push_back(
      derived_row("ECMP tree, ring in host order: share of line rate", 1, ring_share(runs, "host"), tree, source));
  rows.push_back(derived_row("ECMP tree, ring, racks shuffled: share of line rate", 0.45, ring_share(runs, "racks"),
                             tree, source));
  rows.push_back(derived_row("ECMP tree, ring of random ranks: share of line rate", 0.175, ring_share(runs, "random"),
                             tree, source));
  for (int distance = 1; distance < kNodes; distance *= 2)
    rows.push_back(derived_row(fmt::format("ECMP tree, halving/doubling at distance {}: share of line rate", distance),
                               distance < kRack ? 1 : 0.195, exchange_share(runs, distance), tree,
                               distance < kRack ? source : "papers/oddl.md 3.2: 0.18 to 0.21, here its middle"));
  return rows;
}

}  // namespace helio::studies::oddl_study
