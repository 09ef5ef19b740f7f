// SPDX-License-Identifier: Apache-2.0
#include "plan/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "base/error.h"
#include "plan/auto.h"

namespace helio::plan {
namespace {

using pipeline::Collective;
using pipeline::Experiment;

constexpr double kFewest = 8, kEach = 0.15,
                 kAll = 0.4;  // nodes; seconds of one run that is not the last, of all of them

struct Step {
  double nodes, seconds, bytes;
};

// Those that may have another number of nodes and stay the same otherwise.
double nodes_of(const Experiment& experiment, const Collective& collective) {
  const Settings& settings = experiment.fabric.settings;
  const auto nodes = settings.find("nodes");
  const bool shaped = settings.contains("dimensions") || settings.contains("radix") || settings.contains("k") ||
                      settings.contains("file") || settings.contains("groups");
  if (nodes == settings.end() || shaped || !collective.groups.value.empty() || collective.strategy.value) return 0;
  return std::strtod(nodes->second.text.c_str(), nullptr);
}

// By the last two of `steps`, as a power of the nodes; what is proportional at least.
double power(const std::vector<Step>& steps, double Step::*what) {
  const Step &before = steps[steps.size() - 2], &last = steps.back();
  return std::clamp(std::log(last.*what / before.*what) / std::log(last.nodes / before.nodes), 1.0, 5.0);
}

}  // namespace

void tell_growth(BudgetSpent& spent, const Experiment& asked, const Collective& collective,
                 const pipeline::RunOptions& options) {
  const double nodes = nodes_of(asked, collective);
  if (nodes < 4 * kFewest) return;
  Experiment experiment = asked;
  Collective smaller = collective;
  smaller.verify = false;
  smaller.root.value = 0;
  pipeline::RunOptions quiet = options;
  quiet.trace = quiet.picture = false;
  quiet.progress = {};

  std::vector<Step> steps;
  double all = 0, fewer = nodes;
  while (fewer / 2 >= kFewest) fewer /= 2;
  for (; fewer < nodes && all < kAll; fewer *= 2) {
    const double whole = std::floor(fewer), start = processor_seconds();
    experiment.fabric.settings["nodes"].text = fmt::format("{:.0f}", whole);
    try {
      const Budget budget({.seconds = 4 * kEach});
      const pipeline::Result result = answer(experiment, smaller, quiet);
      if (was_cut(result)) break;
      steps.push_back({whole, std::max(1e-6, processor_seconds() - start), std::max(1.0, result.memory.value)});
    } catch (const Error&) {  // this many are refused
    } catch (const BudgetSpent&) {
      break;
    } catch (const std::bad_alloc&) {
      break;
    }
    const double took = processor_seconds() - start;
    all += took;
    if (took > kEach) break;
  }
  if (steps.size() < 2) return;

  // Up to the nodes that were asked for, and down to those that would fit
  const Step& last = steps.back();
  const double time = power(steps, &Step::seconds), memory = power(steps, &Step::bytes);
  spent.needed.seconds = last.seconds * std::pow(nodes / last.nodes, time);
  spent.needed.bytes = last.bytes * std::pow(nodes / last.nodes, memory);
  double fit = nodes / 2;
  if (spent.limits.seconds > 0)
    fit = std::min(fit, last.nodes * std::pow(spent.limits.seconds / last.seconds, 1 / time));
  if (spent.limits.bytes > 0) fit = std::min(fit, last.nodes * std::pow(spent.limits.bytes / last.bytes, 1 / memory));
  const double unit = std::pow(10.0, std::floor(std::log10(fit)));
  spent.fits = fmt::format("about {:.0f} nodes", std::max(last.nodes, std::floor(fit / unit) * unit));
}

}  // namespace helio::plan
