// SPDX-License-Identifier: Apache-2.0
#include "simulate/last_end.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/budget.h"
#include "simulate/course.h"

namespace helio::simulate {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

// Bounds that are as near, relatively, are one.
constexpr double kSame = 1e-11;

// Flows whose ends are as near are let go together: less, so that many such steps do not keep the bounds apart.
constexpr double kTogether = 1e-13;

// How often, on average, a flow may be looked at until the bounds have met.
constexpr std::size_t kLooks = 16;

// At more times than these flows must not start where it is only tried: until the last has started all run as they share their links.
constexpr std::size_t kFewWaves = 4;

// It is tried again when so much of the flows is left.
constexpr double kLeft = 0.75;

struct Standing {
  std::uint32_t operation;
  double left;           // bytes
  double end = 0;        // in seconds, or earlier
  double level = 0;      // that it has at least
  std::uint32_t by = 0;  // this link
};

// The last end of these flows from now on, if the bounds meet.
class Bounds {
 public:
  Bounds(const flow::Program& program, const flow::Template& body)
      : program_(program), body_(body), links_(program.resources.size()) {
    for (const flow::Operation& op : body.operations)
      for (const flow::LinkUse& use : program.routes.links(op.route)) {
        double& capacity = links_[use.link.value].capacity;
        if (capacity > 0) continue;
        capacity = program.resources.rate(use.link).value / 8;
        crossed_.push_back(use.link.value);
      }
  }

  std::optional<LastEnd> meet(std::vector<Standing>& flows, Time now) {
    for (std::uint32_t link : crossed_) links_[link].work = 0;
    for (const Standing& flow : flows)
      for (const flow::LinkUse& use : uses(flow)) links_[use.link.value].work += use.weight * flow.left;
    double least = 0;
    for (std::uint32_t link : crossed_) least = std::max(least, links_[link].work / links_[link].capacity);

    last_ = kNone;
    const double most = (1 + kSame) * least;
    double seconds = 0;
    for (std::size_t looks = kLooks * flows.size(); !flows.empty() && looks >= flows.size();) {
      looks -= flows.size();
      if (level_flows(flows, seconds) <= most) {
        for (const Standing& flow : flows)
          if (!note(flow, least)) return std::nullopt;
        return LastEnd{now + Time::seconds(least), last_};
      }
      const double next = next_time(flows, most);
      if (next > most) return std::nullopt;
      for (Standing& flow : flows) {
        if (flow.end > next)
          flow.left -= share(flow) * flow.level * (next - seconds);
        else if (!note(flow, least))
          return std::nullopt;
      }
      std::erase_if(flows, [&](const Standing& flow) { return flow.end <= next; });
      seconds = next;
    }
    return std::nullopt;
  }

 private:
  struct Link {
    double capacity = 0;
    double work = 0;    // bytes left on it
    double weight = 0;  // of those that are left times their shares
    double level = 0;
    bool late = false;  // somebody who ends past the bound has his level from it
  };
  std::span<const flow::LinkUse> uses(const Standing& flow) const {
    return program_.routes.links(body_.operations[flow.operation].route);
  }
  double share(const Standing& flow) const { return body_.operations[flow.operation].share; }

  // The levels that all have at least, and the last end that follows.
  double level_flows(std::vector<Standing>& flows, double seconds) {
    for (std::uint32_t link : crossed_) links_[link].weight = 0;
    for (const Standing& flow : flows)
      for (const flow::LinkUse& use : uses(flow)) links_[use.link.value].weight += double{use.weight} * share(flow);
    for (std::uint32_t link : crossed_) links_[link].level = links_[link].capacity / links_[link].weight;
    double last = 0;
    for (Standing& flow : flows) {
      Budget::spend(static_cast<std::int64_t>(uses(flow).size()));
      flow.by = uses(flow).front().link.value;
      for (const flow::LinkUse& use : uses(flow))
        if (links_[use.link.value].level < links_[flow.by].level) flow.by = use.link.value;
      flow.level = links_[flow.by].level;
      flow.end = seconds + flow.left / (share(flow) * flow.level);
      last = std::max(last, flow.end);
    }
    return last;
  }

  // When half of the flows are gone, or the first that crosses a link on which somebody is late.
  double next_time(const std::vector<Standing>& flows, double most) {
    for (std::uint32_t link : crossed_) links_[link].late = false;
    for (const Standing& flow : flows)
      if (flow.end > most) links_[flow.by].late = true;
    ends_.clear();
    double first = flows.front().end;
    for (const Standing& flow : flows) first = std::max(first, flow.end);
    for (const Standing& flow : flows) {
      ends_.push_back(flow.end);
      if (std::ranges::any_of(uses(flow), [&](const flow::LinkUse& use) { return links_[use.link.value].late; }))
        first = std::min(first, flow.end);
    }
    const auto middle = ends_.begin() + static_cast<std::ptrdiff_t>(ends_.size() / 2);
    std::nth_element(ends_.begin(), middle, ends_.end());
    return (1 + kTogether) * std::min(first, *middle);
  }

  // Who may have ended last; false where it matters who it was.
  bool note(const Standing& flow, double least) {
    if (flow.end < (1 - kSame) * least) return true;
    if (last_ == kNone) last_ = flow.operation;
    const flow::Operation& one = body_.operations[last_];
    const flow::Operation& other = body_.operations[flow.operation];
    last_ = std::min(last_, flow.operation);
    return one.step == other.step && one.duration == other.duration &&
           program_.routes.latency(one.route) == program_.routes.latency(other.route);
  }

  const flow::Program& program_;
  const flow::Template& body_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> crossed_;  // of them, by anybody
  std::vector<double> ends_;
  std::uint32_t last_ = kNone;
};

}  // namespace

std::optional<LastEnd> last_end(const flow::Program& program, flow::TemplateId id, const Options& options, bool tried) {
  const flow::Template& body = program.templates[id.value];
  if (!Course::runs(program, body)) return std::nullopt;
  Course course(program, body);
  if (tried && course.waves() > kFewWaves) return std::nullopt;
  Bounds bounds(program, body);
  std::vector<Standing> flows;
  std::size_t few = body.operations.size();  // when it is tried again
  while (!course.done()) {
    if (!course.advance()) return std::nullopt;  // somebody stands still: the engine tells who
    options.check(course.events(), course.work());
    if (course.all_here() && course.running() <= few && course.running() > 1) {
      few = static_cast<std::size_t>(kLeft * static_cast<double>(course.running()));
      flows.clear();
      course.see_standing([&](std::uint32_t operation, double left) { flows.push_back({operation, left}); });
      if (std::optional<LastEnd> last = bounds.meet(flows, course.now())) {
        last->events = course.events();
        return last;
      }
      if (tried) return std::nullopt;
    }
    course.share();
  }
  return LastEnd{course.last().time, course.last().operation, course.events()};
}

}  // namespace helio::simulate
