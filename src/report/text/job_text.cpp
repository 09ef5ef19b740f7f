// SPDX-License-Identifier: Apache-2.0
#include "report/text/job_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "base/visible.h"
#include "pipeline/counted.h"
#include "report/text/text.h"

namespace helio::report {
namespace {

using pipeline::IterationResult;

constexpr std::size_t kExposedCells = 40;  // of everything
constexpr std::size_t kShareCells = 16;    // of bars beside other numbers

// A row with bars is as wide as it is.
std::string row(Look look, std::string_view name, std::string_view value) {
  look.columns = 0;
  return line_of(look, name, value);
}
std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// "1024 x a100-80 on cluster"
std::string where(const IterationResult& job) {
  const std::string fabric =
      job.nodes == job.npus ? job.fabric : fmt::format("{} of {}", job.fabric, pipeline::counted(job.nodes, "node"));
  return fmt::format("{} x {} on {}", job.npus, job.npu, fabric);
}

std::string exposed(const IterationResult& job, const Look& look) {
  std::string text, name = "exposed";
  for (int a = 0; a < placement::kActivities; ++a) {
    const double seconds = job.exposed_s[static_cast<std::size_t>(a)];
    if (seconds <= 0 || job.time_s <= 0) continue;
    const double share = seconds / job.time_s;
    const Ink ink = a == 0 ? Ink::kBar : Ink::kOther;  // computing, and what is waited for
    text += row(
        look, name,
        fmt::format("{:<9}  {:>9}  {:>7}  {}", placement::name_of(static_cast<placement::Activity>(a)),
                    format(Time::seconds(seconds)), percent(share), paint(look, ink, bar(look, share, kExposedCells))));
    name.clear();
  }
  return text;
}

// "between      wdm-ring     1 x 64   dp 1.38 s, pp 0.8 ms        traffic 3.2 TB   busiest 41.2 %   64 wavelengths"
std::string levels(const IterationResult& job, const Look& look) {
  std::size_t width = 0;
  for (const pipeline::LevelResult& level : job.levels) width = std::max(width, level.name.size());
  std::string text, name = "levels";
  for (const pipeline::LevelResult& level : job.levels) {
    std::string waited;
    for (int a = 0; a < placement::kActivities; ++a)
      if (const double seconds = level.exposed_s[static_cast<std::size_t>(a)]; seconds > 0)
        waited += fmt::format("{}{} {}", waited.empty() ? "" : ", ",
                              placement::name_of(static_cast<placement::Activity>(a)), format(Time::seconds(seconds)));
    std::string words =
        fmt::format("{:<{}}  {} x {} of {}; exposed {}; traffic {}", level.name, width, level.instances, level.fabric,
                    pipeline::counted(level.units, "unit"), waited.empty() ? "nothing" : waited, format(level.traffic));
    if (!level.busiest.empty())
      words += fmt::format("; busiest {}, {}, mean {}", level.busiest, percent(level.most), percent(level.mean));
    if (level.wavelengths_used > 0)
      words += fmt::format("; {}", pipeline::counted(level.wavelengths_used, "wavelength"));
    if (level.loss_db) words += fmt::format("; loss {:.4g} dB", *level.loss_db);
    words += fmt::format("; {} an iteration", format(level.energy));
    text += line_of(look, name, words);
    name.clear();
  }
  return text;
}

// What a search found, and what came of it.
std::string searched(const IterationResult& job, const Look& look) {
  std::string text, name = "auto";
  for (const pipeline::ClassChoice& choice : job.choices) {
    std::string words = fmt::format("{} {} of {} ({} x {} ranks): {}, {}", placement::name_of(choice.activity),
                                    schedule::name_of(choice.kind), format(choice.bytes), choice.groups, choice.ranks,
                                    choice.algorithm, format(Time::seconds(choice.time_s)));
    if (choice.algorithm == choice.usual)
      words += ", the usual";
    else if (!choice.usual_time_s)
      words += fmt::format("; {} is refused", choice.usual);
    else
      words += fmt::format("; {} takes {:.3g} times as long", choice.usual, *choice.usual_time_s / choice.time_s);
    text += line_of(look, name, words);
    name.clear();
  }
  return job.search.empty() ? text : text + line_of(look, name, job.search);
}

std::string links(const IterationResult& job, const Look& look) {
  std::size_t width = 0;
  for (const pipeline::LinkClass& link : job.links) width = std::max(width, link.name.size());
  std::string text, name = "links";
  for (const pipeline::LinkClass& link : job.links) {
    const std::string drawn =
        look.terminal ? fmt::format("  {}", paint(look, Ink::kBar, bar(look, link.most, kShareCells))) : "";
    text += row(look, name,
                fmt::format("{:<{}}  {:>7} {:<5}   mean {:>7}   busiest {:>7}{}", link.name, width, link.links,
                            link.links == 1 ? "link" : "links", percent(link.mean), percent(link.most), drawn));
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
std::string facts(const IterationResult& job, const Look& look) {
  std::size_t width = 0;
  for (const Fact& fact : job.facts) width = std::max(width, fact.name.size());
  std::string text, name = "facts";
  if (job.wavelengths_used > 0) text += line_of(look, "wavelengths", fmt::format("{}", job.wavelengths_used));
  for (const Fact& fact : job.facts) {
    text += row(look, name, fmt::format("{:<{}}  {}", fact.name, width, wrapped(look, in_words(fact), 15 + width + 2)));
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

std::string to_text(const IterationResult& job, const Look& look) {
  const auto line = [&](std::string_view name, std::string_view value) { return line_of(look, name, value); };
  std::string text =
      paint(look, Ink::kTitle, fmt::format("{}: {} on {}", shown(job.name), shown(job.model), where(job))) + "\n";
  const std::string mean = job.iterations > 1 ? fmt::format(", the mean of {}", job.iterations) : "";
  const double ratio = job.bound_s > 0 ? job.time_s / job.bound_s : 1;
  text += line("time", fmt::format("{} an iteration{}   {:.3f} x the lower bound", format(job.time), mean, ratio));
  text += line("bound", fmt::format("{}   {}", format(Time::seconds(job.bound_s)), job.bound));
  text += exposed(job, look);
  text += line("throughput", throughput(job));
  text += line("utilisation", fmt::format("{} of the NPUs' peak (MFU); they compute {} of the time",
                                          percent(job.model_utilisation), percent(job.npu_utilisation)));
  text += line("memory", memory(job.memory));
  text += line("traffic", fmt::format("{} over all links in the whole run", format(job.traffic)));
  text += links(job, look);
  text += levels(job, look);
  text += line("algorithms", algorithms(job));
  text += searched(job, look);
  text += facts(job, look);
  for (const pipeline::Attempt& attempt : job.attempts)
    text += line("remedy", fmt::format("{}: {} ({})", attempt.remedy, attempt.outcome, attempt.reason));
  text += line("energy", fmt::format("{} an iteration: {} of the NPUs, {} of the network ({} to {})",
                                     format(job.energy()), format(job.npu_energy), format(job.network_energy.total()),
                                     format(job.network_energy.low), format(job.network_energy.high)));
  text += line("why", job.critical_path);
  text += line("label", job.label);
  std::string name = "assumed";
  for (const std::string& assumption : job.assumptions) {
    text += line(name, assumption);
    name.clear();
  }
  return text;
}

std::string to_text(const std::vector<IterationResult>& jobs, const Look& look) {
  std::string text;
  std::size_t width = 0;
  double longest = 0;
  for (const IterationResult& job : jobs) {
    if (!text.empty()) text += '\n';
    text += to_text(job, look);
    width = std::max(width, width_of(shown(job.name)));
    longest = std::max(longest, job.time_s);
  }
  if (jobs.size() < 2) return text;
  const std::string title = fmt::format("total: {}, side by side; traffic and links are of all of them",
                                        pipeline::counted(jobs.size(), "job"));
  text += fmt::format("\n{}\n", paint(look, Ink::kTitle, title));
  for (const IterationResult& job : jobs) {
    const double share = longest > 0 ? job.time_s / longest : 0;
    const std::string drawn =
        look.terminal ? fmt::format("  {}", paint(look, Ink::kBar, bar(look, share, kShareCells))) : "";
    const std::string name = shown(job.name);
    text += fmt::format("  {}{}  {:>9} an iteration   {} samples/s{}\n", name, std::string(width - width_of(name), ' '),
                        format(job.time), count(job.samples_per_s), drawn);
  }
  return text;
}

}  // namespace helio::report
