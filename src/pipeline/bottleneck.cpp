// SPDX-License-Identifier: Apache-2.0
#include "pipeline/bottleneck.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace helio::pipeline {
namespace {

struct Part {
  const char* name;
  Time time;
  const char* help;
};

// A schedule this near to the bound leaves nothing to gain by another one.
constexpr double kAsGoodAsTheBound = 1.01;

// A busiest resource that rests more than this much of the time could be used better.
constexpr double kRests = 0.1;

}  // namespace

std::string bottleneck_in_words(const simulate::Timeline& timeline, const flow::Program& program, double bound_ratio) {
  if (timeline.end.is_zero()) return "nothing moves";

  // The critical path, largest part first
  const simulate::Split& path = timeline.critical;
  std::vector<Part> parts = {
      {"transmission", path.transmission,
       "a higher rate, or an algorithm that sends fewer bytes over the busiest link"},
      {"latency", path.latency, "an algorithm with fewer steps, shorter ways, or larger messages"},
      {"step overhead", path.overhead, "an algorithm with fewer steps, or a smaller step_overhead"},
      {"setup", path.setup, "faster switching of circuits, or a schedule that changes fewer of them"},
      {"compute", path.compute, "faster compute, or more overlap with communication"},
      {"waiting", path.waiting, "more channels, or a schedule that asks for fewer at once"},
  };
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.time > b.time; });
  const auto percent = [&](Time time) { return 100 * time.to_seconds() / timeline.end.to_seconds(); };
  std::string words = fmt::format("{} is {:.3g} % of the critical path", parts[0].name, percent(parts[0].time));
  if (!parts[1].time.is_zero()) words += fmt::format(", {} {:.3g} %", parts[1].name, percent(parts[1].time));

  // The busiest resource
  double utilisation = 1;
  const auto busiest = std::max_element(timeline.busy_seconds.begin(), timeline.busy_seconds.end());
  if (busiest != timeline.busy_seconds.end() && *busiest > 0) {
    const flow::ResourceId id{static_cast<std::uint32_t>(busiest - timeline.busy_seconds.begin())};
    utilisation = *busiest / timeline.end.to_seconds();
    words += fmt::format("; busiest is {}, used {:.3g} % of the time", program.resources.name(id), 100 * utilisation);
  }

  // What would help
  std::string help = parts[0].help;
  if (parts[0].time == path.transmission) {
    if (bound_ratio < kAsGoodAsTheBound)
      help = "only a higher rate or fewer bytes, since the time meets the lower bound";
    else if (utilisation < 1 - kRests)
      help = "a higher rate, or a schedule that keeps the links busy all the time";
  }
  return words + "; what helps: " + help;
}

}  // namespace helio::pipeline
