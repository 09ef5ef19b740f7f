// SPDX-License-Identifier: Apache-2.0
#include "report/job_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "report/text.h"

namespace helio::report {
namespace {

using pipeline::IterationResult;

constexpr double kBarWidth = 40;  // of everything

std::string line(std::string_view name, std::string_view value) { return fmt::format("  {:<12} {}\n", name, value); }
std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// "1024 x a100-80 on cluster"
std::string where(const IterationResult& job) {
  const std::string fabric = job.nodes == job.npus ? job.fabric : fmt::format("{} of {} nodes", job.fabric, job.nodes);
  return fmt::format("{} x {} on {}", job.npus, job.npu, fabric);
}

std::string exposed(const IterationResult& job) {
  std::string text, name = "exposed";
  for (int a = 0; a < placement::kActivities; ++a) {
    const double seconds = job.exposed_s[static_cast<std::size_t>(a)];
    if (seconds <= 0 || job.time_s <= 0) continue;
    const double share = seconds / job.time_s;
    const auto width = static_cast<std::size_t>(std::lround(std::min(share, 1.0) * kBarWidth));
    text += line(name, fmt::format("{:<9}  {:>9}  {:>7}  {}", placement::name_of(static_cast<placement::Activity>(a)),
                                   format(Time::seconds(seconds)), percent(share), std::string(width, '#')));
    name.clear();
  }
  return text;
}

std::string links(const IterationResult& job) {
  std::size_t width = 0;
  for (const pipeline::LinkClass& link : job.links) width = std::max(width, link.name.size());
  std::string text, name = "links";
  for (const pipeline::LinkClass& link : job.links) {
    text += line(name, fmt::format("{:<{}}  {:>7} links   mean {:>7}   busiest {:>7}", link.name, width, link.links,
                                   percent(link.mean), percent(link.most)));
    name.clear();
  }
  return text;
}

std::string memory(const placement::Memory& memory) {
  return fmt::format("{} on each NPU of stage {}: parameters {}, gradients {}, optimiser {}, activations {}",
                     format(memory.total), memory.stage, format(memory.parameters), format(memory.gradients),
                     format(memory.optimiser), format(memory.activations));
}

std::string algorithms(const IterationResult& job) {
  std::string text;
  for (const auto& [activity, name] : job.algorithms)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", activity, name);
  return text.empty() ? "none: nothing is exchanged" : text;
}

// What the fabric told, by its own names, which are of any length.
std::string facts(const IterationResult& job) {
  std::size_t width = 0;
  for (const Fact& fact : job.facts) width = std::max(width, fact.name.size());
  std::string text, name = "facts";
  if (job.wavelengths_used > 0) text += line("wavelengths", fmt::format("{}", job.wavelengths_used));
  for (const Fact& fact : job.facts) {
    text += line(name, fmt::format("{:<{}}  {}", fact.name, width, in_words(fact)));
    name.clear();
  }
  return text;
}

// A count with four significant digits and no unit prefix where it is small: "33.7", "69.1 k".
std::string count(double value) {
  constexpr const char* kPrefixes[] = {"", " k", " M", " G", " T"};
  std::size_t prefix = 0;
  while (value >= 1000 && prefix + 1 < std::size(kPrefixes)) value /= 1000, ++prefix;
  return fmt::format("{:.4g}{}", value, kPrefixes[prefix]);
}

// Tokens only where a sample is made of them.
std::string throughput(const IterationResult& job) {
  std::string text = count(job.samples_per_s) + " samples/s";
  if (job.tokens_per_s > job.samples_per_s) text += fmt::format(", {} tokens/s", count(job.tokens_per_s));
  return text;
}

}  // namespace

std::string to_text(const IterationResult& job) {
  std::string text = fmt::format("{}: {} on {}\n", job.name, job.model, where(job));
  const std::string mean = job.iterations > 1 ? fmt::format(", the mean of {}", job.iterations) : "";
  const double ratio = job.bound_s > 0 ? job.time_s / job.bound_s : 1;
  text += line("time", fmt::format("{} an iteration{}   {:.3f} x the lower bound", format(job.time), mean, ratio));
  text += line("bound", fmt::format("{}   {}", format(Time::seconds(job.bound_s)), job.bound));
  text += exposed(job);
  text += line("throughput", throughput(job));
  text += line("utilisation", fmt::format("{} of the NPUs' peak (MFU); they compute {} of the time",
                                          percent(job.model_utilisation), percent(job.npu_utilisation)));
  text += line("memory", memory(job.memory));
  text += line("traffic", fmt::format("{} over all links in the whole run", format(job.traffic)));
  text += links(job);
  text += line("algorithms", algorithms(job));
  text += facts(job);
  if (job.energy) text += line("energy", fmt::format("{} of the NPUs, an iteration", format(*job.energy)));
  text += line("why", job.critical_path);
  text += line("label", job.label);
  std::string name = "assumed";
  for (const std::string& assumption : job.assumptions) {
    text += line(name, assumption);
    name.clear();
  }
  return text;
}

std::string to_text(const std::vector<IterationResult>& jobs) {
  std::string text;
  std::size_t width = 0;
  for (const IterationResult& job : jobs) {
    if (!text.empty()) text += '\n';
    text += to_text(job);
    width = std::max(width, job.name.size());
  }
  if (jobs.size() < 2) return text;
  text += fmt::format("\ntotal: {} jobs, side by side; traffic and links are of all of them\n", jobs.size());
  for (const IterationResult& job : jobs)
    text += fmt::format("  {:<{}}  {:>9} an iteration   {} samples/s\n", job.name, width, format(job.time),
                        count(job.samples_per_s));
  return text;
}

}  // namespace helio::report
