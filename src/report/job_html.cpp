// SPDX-License-Identifier: Apache-2.0
#include "report/job_html.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/units.h"
#include "report/html_parts.h"
#include "report/text.h"

namespace helio::report {
namespace {

using pipeline::IterationResult;

// One for each class of activity, told apart in light and dark and by the colour-blind (Okabe and Ito, 2008).
constexpr std::array<std::string_view, placement::kActivities> kColours = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                                           "#56b4e9", "#d55e00", "#8a8a8a"};
constexpr double kWidth = 1000, kHeight = 28;  // of a bar, in the picture's own units

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// One part of a stacked bar.
struct Part {
  std::string name, amount;
  double share = 0;
  int colour = 0;
};

// The parts side by side, and a table that names them.
std::string stacked(std::string_view what, const std::vector<Part>& parts) {
  std::string bar = fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" width=\"100%\" height=\"{1}\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"{2}\">\n",
      kWidth, kHeight, escaped(what));
  std::string legend = table_head({{what}, {"", true}, {"share", true}});
  double at = 0;
  for (const Part& part : parts) {
    bar += fmt::format(
        "<rect class=\"part{}\" x=\"{:.3f}\" y=\"0\" width=\"{:.3f}\" height=\"{}\"><title>{}</title></rect>\n",
        part.colour, at * kWidth, part.share * kWidth, kHeight,
        escaped(fmt::format("{}: {}, {}", part.name, part.amount, percent(part.share))));
    at += part.share;
    legend += fmt::format("<tr><td><span class=\"part{}\"></span> {}</td>", part.colour, escaped(part.name)) +
              number_cell(part.amount) + number_cell(percent(part.share)) + "</tr>\n";
  }
  return bar + "</svg>\n" + legend + std::string(kTableEnd);
}

std::string exposed(const IterationResult& job) {
  std::vector<Part> parts;
  for (int a = 0; a < placement::kActivities; ++a)
    if (const double seconds = job.exposed_s[static_cast<std::size_t>(a)]; seconds > 0 && job.time_s > 0)
      parts.push_back({std::string(placement::name_of(static_cast<placement::Activity>(a))),
                       format(Time::seconds(seconds)), seconds / job.time_s, a});
  return parts.empty() ? "" : "<h3>Exposed time</h3>\n" + stacked("an iteration's critical path", parts);
}

std::string memory(const placement::Memory& memory) {
  const std::array<std::pair<const char*, Bytes>, 4> split = {{{"parameters", memory.parameters},
                                                               {"gradients", memory.gradients},
                                                               {"optimiser", memory.optimiser},
                                                               {"activations", memory.activations}}};
  std::vector<Part> parts;
  for (std::size_t i = 0; i < split.size(); ++i)
    if (split[i].second > Bytes{0})
      parts.push_back({split[i].first, format(split[i].second), split[i].second / memory.total, static_cast<int>(i)});
  if (parts.empty()) return "";
  return fmt::format("<h3>Memory of an NPU: {} in stage {}</h3>\n", format(memory.total), memory.stage) +
         stacked("memory", parts);
}

std::string links(const IterationResult& job) {
  if (job.links.empty()) return "";
  std::string html = "<h3>Links, with the traffic of all jobs</h3>\n" +
                     table_head({{"class"}, {"links", true}, {"mean", true}, {"busiest", true}});
  for (const pipeline::LinkClass& link : job.links)
    html += "<tr>" + cell(link.name) + number_cell(fmt::format("{}", link.links)) + number_cell(percent(link.mean)) +
            number_cell(percent(link.most)) + "</tr>\n";
  return html + std::string(kTableEnd);
}

std::string summary(const IterationResult& job) {
  std::string html = "<div><table>\n";
  const auto row = [&](std::string_view name, const std::string& value) {
    html += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", name, escaped(value));
  };
  row("model", job.model);
  row("NPUs", fmt::format("{} x {} on {} of {} nodes", job.npus, job.npu, job.fabric, job.nodes));
  row("time of an iteration", format(job.time));
  row("lower bound", fmt::format("{}, {}", format(Time::seconds(job.bound_s)), job.bound));
  row("throughput", fmt::format("{:.4g} samples/s, {:.4g} tokens/s", job.samples_per_s, job.tokens_per_s));
  row("utilisation", fmt::format("{} of the NPUs' peak; they compute {} of the time", percent(job.model_utilisation),
                                 percent(job.npu_utilisation)));
  row("traffic", format(job.traffic) + " over all links in the whole run, by all jobs");
  for (const auto& [activity, name] : job.algorithms) row(activity + " traffic", name);
  for (const Fact& fact : job.facts) row("fabric: " + fact.name, in_words(fact));
  if (job.energy) row("energy of an iteration", format(*job.energy) + ", of the NPUs");
  row("why", job.critical_path);
  row("label", job.label);
  row("assumptions", fmt::format("{}", fmt::join(job.assumptions, "; ")));
  return html + std::string(kTableEnd);
}

}  // namespace

std::string bar_style() {
  std::string css;
  for (std::size_t i = 0; i < kColours.size(); ++i)
    css += fmt::format(".part{0} {{ fill: {1}; background: {1}; }}\n", i, kColours[i]);
  return css +
         "span[class^=part] { display: inline-block; width: .8em; height: .8em; }\nh3 { font-size: 1rem; }\n"
         "svg { border-radius: 4px; }\n";
}

std::string section_of(const IterationResult& job) {
  return fmt::format("<h2>Job: {}</h2>\n", escaped(job.name)) + summary(job) + exposed(job) + memory(job.memory) +
         links(job);
}

}  // namespace helio::report
