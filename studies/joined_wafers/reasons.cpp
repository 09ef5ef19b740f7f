// SPDX-License-Identifier: Apache-2.0
// What the numbers say, in words that are made of them, and where the time of an iteration goes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/figures/levels_figure.h"
#include "report/figures/stacked.h"
#include "studies/joined_wafers/chapters.h"

namespace helio::studies::one_system_study {
namespace {

double exposed(const pipeline::IterationResult& job, placement::Activity activity) {
  return job.exposed_s[static_cast<std::size_t>(activity)];
}

// Machines by time, the fastest first.
std::vector<System> ranked(Runs& runs, const Model& model, double injection) {
  std::vector<System> all(systems().begin(), systems().end());
  std::ranges::stable_sort(all, {}, [&](const System& system) { return runs.seconds({system, &model, injection}); });
  return all;
}

std::string at(Runs& runs, const Model& model, double injection) {
  const std::vector<System> order = ranked(runs, model, injection);
  std::vector<std::string> told;
  for (const System& system : order)
    told.push_back(fmt::format("{} {:.4g} s", name_of(system), runs.seconds({system, &model, injection})));
  const Question best{order.front(), &model, injection};
  const pipeline::IterationResult& job = runs(best);
  return fmt::format(
      "{} at {:g} Tb/s a wafer: {}. The first is {:.3g} times its bound ({}); {:.1f} % of it is exposed exchange of "
      "gradients, {:.1f} % of tensor parallelism, {:.1f} % streaming.",
      model.title, injection / 1e12, fmt::join(told, ", "), runs.seconds(best) / runs.bound(best).seconds(),
      runs.bound(best).binds(), 100 * exposed(job, placement::Activity::kDp) / job.time_s,
      100 * exposed(job, placement::Activity::kTp) / job.time_s,
      100 * exposed(job, placement::Activity::kStreaming) / job.time_s);
}

}  // namespace

std::vector<std::string> reasons(Runs& runs) {
  std::vector<std::string> words;
  for (const Model* model : kModels)
    for (const double injection : {1.28e12, kInjection}) words.push_back(at(runs, *model, injection));
  words.push_back(
      "Where the network between wafers binds, what counts is how many bytes a wafer must hand over: 2 (n-1)/n of its "
      "gradients for fat-tree, wdm-planned and ODDL, which all reach that and so are equal; once, as codes of half the "
      "bits, for OptINC; whole vectors in every step of a tree for WRHT, which was made for small ones. Where it does "
      "not, NPUs compute, and what is left is the wafer's own: tensor parallelism, which FRED-D adds in its switches "
      "and the mesh passes from neighbour to neighbour.");
  return words;
}

std::vector<report::Figure> pictures(Runs& runs) {
  std::vector<report::Figure> figures;
  for (const Model* model : kModels)
    for (const double injection : {1.28e12, kInjection}) {
      report::Stacked stacked{
          .name = fmt::format("one-system-exposed-{}-{}", model->name, injection == kInjection ? "5" : "1"),
          .title =
              fmt::format("{} at {:g} Tb/s a wafer: what an iteration is spent on", model->title, injection / 1e12),
          .words = "The critical path, class by class; WRHT is left out, which would dwarf the others.",
          .value_label = "time (s)",
          .bars = {},
          .parts = {}};
      for (int a = 0; a < placement::kActivities; ++a)
        stacked.parts.push_back({std::string(placement::name_of(static_cast<placement::Activity>(a))), {}});
      for (const System& system : systems()) {
        if (system.between == Between::kWrht) continue;
        stacked.bars.push_back(name_of(system));
        const pipeline::IterationResult& job = runs({system, model, injection});
        for (std::size_t a = 0; a < stacked.parts.size(); ++a) stacked.parts[a].values.push_back(job.exposed_s[a]);
      }
      figures.push_back(figure_of(stacked));
    }
  // Two machines as they run
  for (const Between between : {Between::kPlanned, Between::kOptinc}) {
    const System system{Inside::kFredD, between};
    const pipeline::IterationResult job = runs.pictured({system, &kTransformer1T, 1.28e12});
    report::Figure& figure = figures.emplace_back(report::levels_figure(job.composite.value(), job.level_uses));
    figure.name = fmt::format("one-system-levels-{}", between == Between::kPlanned ? "planned" : "optinc");
    figure.title = fmt::format("{} at 1.28 Tb/s a wafer: {}, level by level", kTransformer1T.title, name_of(system));
  }
  return figures;
}

}  // namespace helio::studies::one_system_study
