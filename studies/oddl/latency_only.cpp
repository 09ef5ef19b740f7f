// SPDX-License-Identifier: Apache-2.0
// H2: nobody loses bandwidth. ODDL goes by halving/doubling, the others by rings, and only the cost of a step tells them apart
// (papers/oddl.md 6). How large would it have to be?
#include <fmt/format.h>

#include "studies/oddl/chapters.h"
#include "studies/oddl/cost.h"
#include "studies/oddl/presets.h"

namespace helio::studies::oddl_study {
namespace {

struct Case {
  const char* name;
  Bucketing bucketing;
  double compute;          // seconds
  double tree_us, sip_us;  // of the spec
  const char* judgement;
};

constexpr const char* kDoubtful =
    "doubtful: the steps are of a plausible size, but a ring without switches would need more latency than the tree";
constexpr const char* kTooSlow = "rejected: steps far too slow";
constexpr Case kCases[] = {{"per layer, compute 0 ms", Bucketing::kPerLayer, 0, 1.45, 1.68, kDoubtful},
                           {"per layer, compute 100 ms", Bucketing::kPerLayer, 0.1, 2.99, 3.49, kDoubtful},
                           {"fused, compute 0 ms", Bucketing::kFused, 0, 27, 32, kTooSlow},
                           {"fused, compute 100 ms", Bucketing::kFused, 0.1, 56, 66, kTooSlow}};

}  // namespace

Rows latency_only(Runs& runs) {
  const std::vector<double> ratios = {kOverTree, kOverSip};
  Rows published, solved;
  for (const Case& set : kCases) {
    const Assumptions assumptions{
        solved_from(
            ratios,
            "all networks at 100 Gb/s without losses, no overlap; ODDL by halving/doubling, the others by rings"),
        solved_from(ratios, "step costs of tree and SiP-Ring solved from the two ratios; ODDL's is 1 us"),
        noted(fmt::format("judgement: {}", set.judgement))};
    const auto time = [&](Question question) {
      return iteration(set.compute, set.bucketing, false, [&](double bytes) {
        question.bytes = bytes;
        return runs(question).seconds;
      });
    };

    // A ring costs its bytes, and 2(N-1) steps for each bucket
    const double oddl = time(on_oddl("halving-doubling", 1e-6));
    const double steps = 2.0 * (kNodes - 1) * static_cast<double>(buckets(set.bucketing).size());
    const auto step_for = [&](double ratio) {
      return (ratio * oddl - set.compute - ring_cost(kGradient, kNodes, kRate, 0)) / steps;
    };
    const double tree = step_for(kOverTree), sip = step_for(kOverSip);
    const auto name = [&](const char* quantity) { return fmt::format("H2: {}, {}", quantity, set.name); };
    solved.push_back(following(ratios, derived_row(name("step on the tree solved for (us)"), set.tree_us, 1e6 * tree,
                                                   assumptions, "papers/oddl.md 6")));
    solved.push_back(following(ratios, derived_row(name("step on SiP-Ring solved for (us)"), set.sip_us, 1e6 * sip,
                                                   assumptions, "papers/oddl.md 6")));

    // And back through the product: SiP-Ring without losses sends both ways round
    Question both_ways = on_sip_ring(0, sip);
    both_ways.algorithm = "bidirectional-ring";
    published.push_back(
        published_row(name("ODDL over fat-tree"), kOverTree, time(on_switch(kRate, tree)) / oddl, assumptions));
    published.push_back(published_row(name("ODDL over SiP-Ring"), kOverSip, time(both_ways) / oddl, assumptions));
  }
  published.insert(published.end(), solved.begin(), solved.end());
  return published;
}

}  // namespace helio::studies::oddl_study
