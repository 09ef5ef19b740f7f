// SPDX-License-Identifier: Apache-2.0
#include "simulate/last_end.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/budget.h"
#include "simulate/event_queue.h"
#include "simulate/sharing.h"

namespace helio::simulate {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

// Bounds that are as near, relatively, are one.
constexpr double kSame = 1e-11;

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
    return (1 + kSame) * std::min(first, *middle);
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

// Flows on links, from their starts to their ends.
class Course {
 public:
  Course(const flow::Program& program, const flow::Template& body)
      : program_(program), body_(body), sharing_(program.resources), runners_(body.operations.size()) {
    for (std::uint32_t i = 0; i < body.operations.size(); ++i)
      starts_.push_back({body.operations[i].duration + program.routes.latency(body.operations[i].route), i});
    std::ranges::stable_sort(starts_, {}, &Start::time);
  }

  bool done() const { return started_ == starts_.size() && running_ == 0; }
  // Of those that started before.
  std::size_t running() const { return running_; }
  // At how many times some start.
  std::size_t waves() const {
    std::size_t waves = 1;
    for (std::size_t i = 1; i < starts_.size(); ++i) waves += starts_[i].time != starts_[i - 1].time;
    return waves;
  }
  // All have started, or do so now.
  bool all_here() const { return started_ == starts_.size(); }

  // Goes to the next time, and lets end who ends and start who starts. False: nothing happens any more.
  bool advance() {
    const bool start = started_ < starts_.size() && (queue_.empty() || starts_[started_].time <= queue_.next_time());
    if (!start && queue_.empty()) return false;
    now_ = start ? starts_[started_].time : queue_.next_time();
    if (!queue_.empty() && queue_.next_time() == now_) {
      queue_.take(batch_);
      Budget::spend(static_cast<std::int64_t>(8 * batch_.size()));
      events_ += batch_.size();
      for (const Event& event : batch_)
        if (event.version == runners_[event.operation].version) end(event.operation);
    }
    for (; started_ < starts_.size() && starts_[started_].time == now_; ++started_) {
      const std::uint32_t operation = starts_[started_].operation;
      ++running_;
      if (body_.operations[operation].bytes <= 0 || program_.routes.links(body_.operations[operation].route).empty())
        end(operation);
      else
        fresh_.push_back(operation);
    }
    return true;
  }

  // Shares the links anew among those that are here.
  void share() {
    if (!queue_.empty() && queue_.next_time() == now_) return;
    if (fresh_.size() > 1024) {
      sharing_.reserve(fresh_.size());
      queue_.reserve(fresh_.size());
    }
    for (std::uint32_t operation : fresh_) {
      const flow::Operation& op = body_.operations[operation];
      runners_[operation].flow = sharing_.add(program_.routes.links(op.route), op.bytes, Sharing::kNoCap,
                                              {op.priority, op.share}, operation, 0, now_);
    }
    fresh_.clear();
    for (const Sharing::Change& change : sharing_.solve(now_)) {
      const std::uint32_t version = ++runners_[change.owner].version;
      if (change.due && change.done != Time::max())
        queue_.post(change.done, {Event::Kind::kOperation, 0, change.owner, version});
    }
  }

  void standings(std::vector<Standing>& all) const {
    all.clear();
    for (std::uint32_t i = 0; i < runners_.size(); ++i)
      if (runners_[i].flow != kNone) all.push_back({i, sharing_.remaining(runners_[i].flow, now_)});
    for (std::uint32_t i : fresh_) all.push_back({i, body_.operations[i].bytes});
  }

  Time now() const { return now_; }
  const LastEnd& last() const { return last_; }
  std::uint64_t events() const { return events_; }
  std::uint64_t work() const { return sharing_.work(); }

 private:
  struct Start {
    Time time;
    std::uint32_t operation;
  };
  struct Runner {
    std::uint32_t flow = kNone, version = 0;
  };

  void end(std::uint32_t operation) {
    Runner& runner = runners_[operation];
    if (runner.flow != kNone) sharing_.remove(runner.flow);
    runner.flow = kNone;
    ++runner.version;
    --running_;
    if (now_ > last_.end || body_.operations[operation].step > body_.operations[last_.operation].step)
      last_ = {now_, operation};
  }

  const flow::Program& program_;
  const flow::Template& body_;
  Sharing sharing_;
  EventQueue queue_;
  std::vector<Event> batch_;
  std::vector<Runner> runners_;  // by operation
  std::vector<Start> starts_;    // in order
  std::vector<std::uint32_t> fresh_;
  Time now_;
  LastEnd last_{Time::zeptoseconds(-1)};
  std::size_t started_ = 0, running_ = 0;
  std::uint64_t events_ = 0;
};

bool of_this_kind(const flow::Program& program, const flow::Template& body) {
  if (!body.edges.empty() || body.operations.empty()) return false;
  return std::ranges::all_of(body.operations, [&](const flow::Operation& op) {
    return op.kind == flow::OperationKind::kTransfer && op.route.valid() && op.repeat == 1 && op.alternatives == 1 &&
           !op.controlled && op.priority == body.operations.front().priority &&
           program.routes.channels(op.route).empty();
  });
}

}  // namespace

std::optional<LastEnd> last_end(const flow::Program& program, flow::TemplateId id, const Options& options, bool tried) {
  const flow::Template& body = program.templates[id.value];
  if (!of_this_kind(program, body)) return std::nullopt;
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
      course.standings(flows);
      if (std::optional<LastEnd> last = bounds.meet(flows, course.now())) {
        last->events = course.events();
        return last;
      }
      if (tried) return std::nullopt;
    }
    course.share();
  }
  LastEnd last = course.last();
  last.events = course.events();
  return last;
}

}  // namespace helio::simulate
