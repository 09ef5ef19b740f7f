// SPDX-License-Identifier: Apache-2.0
#include "pipeline/bottleneck.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "pipeline/counted.h"

namespace helio::pipeline {
namespace {

using Level = schedule::Capabilities::Part;

// A part of the critical path, and what makes it shorter: in general, and when the time meets the lower bound, so that no
// other schedule can.
struct Part {
  const char* name;
  Time simulate::Split::*time;
  const char* help;
  const char* help_at_bound;
};

constexpr Part kParts[] = {
    {"transmission", &simulate::Split::transmission,
     "a higher rate, or an algorithm that sends fewer bytes over the busiest link",
     "only a higher rate or fewer bytes"},
    {"latency", &simulate::Split::latency, "an algorithm with fewer steps, shorter ways, or larger messages",
     "only a smaller latency"},
    {"step overhead", &simulate::Split::overhead, "an algorithm with fewer steps, or a smaller step_overhead",
     "only a smaller step_overhead"},
    {"setup", &simulate::Split::setup, "faster switching of circuits, or a schedule that changes fewer of them",
     "only faster switching of circuits"},
    {"compute or a planned wait", &simulate::Split::compute,
     "faster compute, more overlap with communication, or fewer WSS changes",
     "only faster compute or fewer WSS changes"},
    {"waiting", &simulate::Split::waiting, "more channels, or a schedule that asks for fewer at once",
     "only more channels"},
    {"control", &simulate::Split::control,
     "a faster controller, asking it earlier, or a schedule with fewer flows in a row", "only a faster controller"},
};

constexpr const Part& kTransmission = kParts[0];

std::vector<const Part*> largest_first(const simulate::Split& path) {
  std::vector<const Part*> parts;
  for (const Part& part : kParts) parts.push_back(&part);
  std::ranges::stable_sort(parts, [&](const Part* a, const Part* b) { return path.*a->time > path.*b->time; });
  return parts;
}

// A schedule this near to the bound leaves nothing to gain by another one.
constexpr double kAsGoodAsTheBound = 1.01;

// A busiest resource that rests more than this much of the time could be used better.
constexpr double kRests = 0.1;

// Resources whose times differ by less are equally busy.
constexpr double kEqual = 1e-9;

struct Busiest {
  flow::ResourceId id;
  double seconds = 0;
  std::size_t equals = 0;  // others that are as busy
};

// Among channels where time was lost in waiting for them or in setting them up; else among all resources.
std::optional<Busiest> busiest(const simulate::Timeline& timeline, const flow::Program& program, bool channels_only) {
  const auto bundle = [&](std::uint32_t i) { return program.resources.rules(flow::ResourceId{i}).bundle; };
  std::optional<Busiest> most;
  for (std::uint32_t i = 0; i < timeline.busy_seconds.size(); ++i) {
    const double seconds = timeline.busy_seconds[i];
    if (seconds <= 0 || (channels_only && !program.resources.is_channel(flow::ResourceId{i}))) continue;
    if (!most || seconds > most->seconds * (1 + kEqual))
      most = {flow::ResourceId{i}, seconds, bundle(i) - 1};
    else if (seconds >= most->seconds * (1 - kEqual))
      most->equals += bundle(i);
  }
  return most;
}

// The level whose resources are called like this: "between: gateway 0 of wafer 3, out", "wafer 3: link 0 to switch". None: no level's.
const Level* level_called(std::span<const Level> levels, std::string_view resource) {
  const Level* found = nullptr;
  for (const Level& level : levels) {
    if (level.unit == 0 || !resource.starts_with(level.name)) continue;
    std::string_view rest = resource.substr(level.name.size());
    if (rest.starts_with(' ')) rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of("0123456789", 1)));
    if (rest.starts_with(": ") && (!found || level.name.size() > found->name.size())) found = &level;
  }
  return found;
}

}  // namespace

std::string bottleneck_in_words(const simulate::Timeline& timeline, const flow::Program& program, double bound_ratio,
                                std::span<const Level> levels) {
  if (timeline.end.is_zero()) return "nothing moves";

  // The critical path, largest part first
  const simulate::Split& path = timeline.critical;
  const std::vector<const Part*> parts = largest_first(path);
  const Part& first = *parts[0];
  const Part& second = *parts[1];
  const auto percent = [&](const Part& part) {
    return 100 * (path.*part.time).to_seconds() / timeline.end.to_seconds();
  };
  std::string words = fmt::format("{} is {:.3g} % of the critical path", first.name, percent(first));

  // What is paid in every step has the step for its resource
  const bool by_step = first.time == &simulate::Split::latency || first.time == &simulate::Split::overhead;
  if (by_step && timeline.steps > 0)
    words += fmt::format(" ({} of {} on average)", counted(timeline.steps, "step"),
                         format(Time::seconds((path.*first.time).to_seconds() / static_cast<double>(timeline.steps))));
  if (!(path.*second.time).is_zero()) words += fmt::format(", {} {:.3g} %", second.name, percent(second));

  // The busiest resource
  const bool lost_at_channels = first.time == &simulate::Split::waiting || first.time == &simulate::Split::setup;
  std::optional<Busiest> most = busiest(timeline, program, lost_at_channels);
  if (!most) most = busiest(timeline, program, false);
  double utilisation = 1;
  if (most) {
    utilisation = most->seconds / timeline.end.to_seconds();
    if (const Level* level = level_called(levels, program.resources.name(most->id)))
      words = fmt::format("level '{}' holds things up: {}", level->name, words);
    words += fmt::format("; busiest is {}{}, used {:.3g} % of the time", program.resources.name(most->id),
                         most->equals > 0 ? fmt::format(" (like {} more)", most->equals) : "", 100 * utilisation);
  }

  // What would help, and at most how much: what remains of the part when it is halved is still there
  std::string help = first.help;
  const bool at_bound = bound_ratio < kAsGoodAsTheBound;
  const bool at_one_channel = first.time == &simulate::Split::waiting && most && utilisation > 1 - kRests;
  if (at_one_channel)  // what is waited for works all the time
    help = fmt::format("{}a higher rate of {}, or less through it", at_bound ? "only " : "",
                       program.resources.name(most->id));
  else if (at_bound)
    help = first.help_at_bound;
  else if (&first == &kTransmission && most && !program.resources.is_link(most->id) &&
           !program.resources.is_channel(most->id))
    help = "faster memory at the nodes, or an algorithm that adds at more of them";
  else if (&first == &kTransmission && most && !program.resources.is_link(most->id))
    help = fmt::format("more of what {} is one of, or a schedule that needs it for less time",
                       program.resources.name(most->id));
  else if (&first == &kTransmission && utilisation < 1 - kRests)
    help = "a higher rate, or a schedule that keeps the links busy all the time";
  if (at_bound) help += ", since the time meets the lower bound";
  return fmt::format("{}; what helps: {} ({} halved would save up to {:.3g} %)", words, help, first.name,
                     percent(first) / 2);
}

std::string exchanges_in_words(const simulate::Split& path) {
  const double total = (path.total() - path.compute).to_seconds();
  std::string words;
  if (total <= 0) return words;
  for (const Part* part : largest_first(path)) {
    const double seconds = (path.*part->time).to_seconds();
    if (part->time == &simulate::Split::compute || seconds <= 0) continue;
    words += fmt::format("{}{} {:.3g} %", words.empty() ? "" : ", ", part->name, 100 * seconds / total);
  }
  return words;
}

Bytes traffic_over_links(const flow::Program& program) { return traffic_over_links(program, flow::traffic(program)); }

Bytes traffic_over_links(const flow::Program& program, const std::vector<double>& carried) {
  double sum = 0;
  for (std::uint32_t i = 0; i < carried.size(); ++i)
    if (program.resources.is_link(flow::ResourceId{i}))
      sum += carried[i] * program.resources.rules(flow::ResourceId{i}).bundle;
  return {sum};
}

}  // namespace helio::pipeline
