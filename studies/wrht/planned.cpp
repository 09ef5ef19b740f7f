// SPDX-License-Identifier: Apache-2.0
// How many times faster wdm-planned is than WRHT on the same ring: as published (m = 129, one wavelength per transfer), and at the
// group, stripe and shortcut that suit it best (papers/wrht.md 6.6, 7.1). Once in the generous reading of the light, where the spec's
// schedules close, and once as the fastest that closes physically, where WRHT's 516 hops do not.
#include <fmt/format.h>

#include <algorithm>

#include "photonics/link_budget.h"
#include "plan/wdm_cost.h"
#include "studies/wrht/assumption.h"
#include "studies/wrht/chapters.h"

namespace helio::studies::wrht_study {
namespace {

plan::Candidate fastest(const std::vector<plan::Candidate>& candidates) {
  return std::ranges::min(candidates, {}, &plan::Candidate::seconds);
}

Question run_of(const plan::Candidate& wrht, Question question) {
  question.group = std::stoi(wrht.settings.at("group").text);
  question.stripe = std::stoi(wrht.settings.at("stripe").text);
  question.shortcut = wrht.settings.at("shortcut").text == "true";
  return question;
}

}  // namespace

Rows planned(Runs& runs) {
  constexpr double kOverheads[] = {0, 1e-6, 10e-6};
  struct Line {
    const Model& model;
    double times_faster[3];  // than WRHT as published, at each overhead; whole numbers there
  };
  const Line lines[] = {{kGooglenet, {149, 54, 24}},
                        {kResnet, {178, 81, 47}},
                        {kAlexnet, {186, 91, 67}},
                        {kVgg, {190, 120, 82}},
                        {kBeit, {191, 151, 90}}};
  const photonics::LinkBudget physical;
  const auto reach = static_cast<std::uint64_t>(photonics::sure_hops(physical, kWavelengths));
  const Assumptions base{
      from_memory("64 wavelengths each way, 40 Gb/s each, N = 1024", "papers/wrht.md 3"),
      of_our_own("changed rule: 25 us before a step with new lightpaths; so much overhead in every step; no "
                 "published counterpart")};
  const Assumption lenient = of_our_own("light = generous: its 64 hops would close");
  Rows as_published, at_its_best, that_closes;
  for (const Line& line : lines)
    for (std::size_t i = 0; i < std::size(kOverheads); ++i) {
      const double d = line.model.bytes, overhead = kOverheads[i];
      const std::string where = fmt::format("{:.4g} MB, {:.0f} us a step", d / 1e6, 1e6 * overhead);
      const Question wrht{.bytes = d, .every_step = false, .step_overhead = overhead};
      Question plan = wrht;
      plan.algorithm = "wdm-planned";
      const double ours = runs(plan).seconds;
      as_published.push_back(
          derived_row(fmt::format("wdm-planned against WRHT (m=129, stripe 1), times faster, {}", where),
                      line.times_faster[i], runs(wrht).seconds / ours, base + Assumptions{shortcut(), lenient},
                      "papers/wrht.md 6.6, derived: ratios, printed to 1, of times printed to 1 us"));

      const plan::WdmMachine machine{.nodes = wrht.nodes,
                                     .wavelengths = kWavelengths,
                                     .rate = wrht.rate,
                                     .retune = kRetune,
                                     .overhead = overhead,
                                     .drive = 2 * kWavelengths};
      const plan::Candidate best = fastest(plan::wrht_candidates(machine, d));
      at_its_best.push_back(derived_row(
          fmt::format("wdm-planned against WRHT at its own best group and stripe, times faster, {}", where),
          best.seconds / fastest(plan::circulant_candidates(machine, d)).seconds,
          runs(run_of(best, wrht)).seconds / ours,
          base + Assumptions{lenient, of_our_own(fmt::format("the fastest WRHT over group, stripe and shortcut: {}",
                                                             best.words()))},
          "closed form: the least of steps (d/(sB)+a+sigma) over the least chain of papers/wrht.md 6.6"));
      // Physically, of the chains whose last stride closes
      std::vector<plan::Candidate> chains = plan::circulant_candidates(machine, d);
      std::erase_if(chains, [&](const plan::Candidate& chain) { return chain.hops > reach; });
      Question closing = plan;
      closing.light = "physical";
      that_closes.push_back(derived_row(
          fmt::format("wdm-planned that closes physically against WRHT (m=129, stripe 1), times faster, {}", where),
          (3 * (d / wrht.rate + kRetune + overhead)) / fastest(chains).seconds,
          runs(wrht).seconds / runs(closing).seconds,
          base +
              Assumptions{shortcut(), of_our_own(fmt::format("light = physical: {} hops close; WRHT's 516 do not, and "
                                                             "are timed all the same",
                                                             reach))},
          "closed form: 3(d/B+a+sigma) over the least chain of papers/wrht.md 6.6 whose last stride closes"));
    }
  as_published.insert(as_published.end(), at_its_best.begin(), at_its_best.end());
  as_published.insert(as_published.end(), that_closes.begin(), that_closes.end());
  return as_published;
}

}  // namespace helio::studies::wrht_study
