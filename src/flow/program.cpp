// SPDX-License-Identifier: Apache-2.0
#include "flow/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace helio::flow {

RouteId RouteTable::add(std::span<const LinkUse> links, std::span<const ResourceId> channels, Time latency) {
  links_.insert(links_.end(), links.begin(), links.end());
  channels_.insert(channels_.end(), channels.begin(), channels.end());
  link_begin_.push_back(links_.size());
  channel_begin_.push_back(channels_.size());
  latency_.push_back(latency);
  return RouteId{size() - 1};
}

void RouteTable::reserve(std::size_t routes, std::size_t uses) {
  links_.reserve(links_.size() + uses);
  link_begin_.reserve(link_begin_.size() + routes);
  channel_begin_.reserve(channel_begin_.size() + routes);
  latency_.reserve(latency_.size() + routes);
}

namespace {

std::string place_of(const Program& program, std::size_t where, std::uint32_t operation) {
  return fmt::format("template {} '{}', operation {}", where, program.templates[where].name, operation);
}

void check_operation(const Program& program, std::size_t where, std::uint32_t index) {
  const Operation& operation = program.templates[where].operations[index];
  const auto fail = [&](std::string what) {
    throw Error(ErrorKind::kInput, std::move(what), place_of(program, where, index));
  };
  if (operation.route.valid() &&
      (operation.alternatives == 0 || operation.route.value + operation.alternatives > program.routes.size()))
    fail(fmt::format("route {} is not in the route table", operation.route.value));
  if (operation.repeat == 0) fail("an operation with no instances");
  if (!(operation.bytes >= 0) || operation.bytes > 1e30)
    fail(fmt::format("{} bytes cannot be transferred", operation.bytes));
  if (!(operation.share >= kSmallestShare) || operation.share > kLargestShare)
    fail(fmt::format("a share of {}: it has to be between {} and {}", operation.share, kSmallestShare, kLargestShare));
  if (operation.duration < Time()) fail("a negative duration");
  if (operation.controlled && operation.controller >= program.controls.size())
    fail(program.controls.empty() ? "a controlled operation, but the program has no controller"
                                  : fmt::format("the program has no controller {}", operation.controller));
  if (operation.controlled && operation.agent >= program.controls[operation.controller].controller->agents())
    fail(fmt::format("the controller has no agent {}", operation.agent));
  if (operation.kind != OperationKind::kCall) return;
  if (operation.callee.value >= program.templates.size())
    fail(fmt::format("there is no template {}", operation.callee.value));
  if (!operation.route.valid()) return;
  for (ResourceId channel : program.routes.channels(operation.route))
    if (program.resources.rules(channel).preemptive)
      fail(fmt::format("a call cannot hold the pre-emptive {}", program.resources.name(channel)));
}

// Kahn's algorithm over the edges between operations that run once; what cannot be ordered is a circle.
void check_order(const Program& program, std::size_t where) {
  const Template& body = program.templates[where];
  std::vector<std::uint32_t> unmet(body.operations.size(), 0);
  std::vector<std::vector<std::uint32_t>> after(body.edges.empty() ? 0 : body.operations.size());
  for (const Edge& edge : body.edges) {
    if (edge.from >= body.operations.size() || edge.to >= body.operations.size())
      throw Error(ErrorKind::kInput, fmt::format("an edge from {} to {} leaves the template", edge.from, edge.to),
                  fmt::format("template {} '{}'", where, body.name));
    const Operation &from = body.operations[edge.from], &to = body.operations[edge.to];
    const std::int64_t low = static_cast<std::int64_t>(edge.first) + edge.offset;
    const std::int64_t high = static_cast<std::int64_t>(edge.last) - 1 + edge.offset;
    if (edge.first >= edge.last || edge.last > to.repeat || low < 0 || high >= static_cast<std::int64_t>(from.repeat))
      throw Error(ErrorKind::kInput,
                  fmt::format("an edge waits for instance {}..{} of operation {}, which has {}", low, high, edge.from,
                              from.repeat),
                  place_of(program, where, edge.to));
    if (from.repeat > 1 || to.repeat > 1) continue;
    ++unmet[edge.to];
    after[edge.from].push_back(edge.to);
  }
  if (after.empty()) return;
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < unmet.size(); ++i)
    if (unmet[i] == 0) free.push_back(i);
  std::size_t ordered = 0;
  while (!free.empty()) {
    const std::uint32_t operation = free.back();
    free.pop_back();
    ++ordered;
    for (std::uint32_t next : after[operation])
      if (--unmet[next] == 0) free.push_back(next);
  }
  if (ordered == unmet.size()) return;

  // Walk backwards inside the unordered rest until an operation repeats: that is the circle.
  std::vector<std::uint32_t> before(unmet.size(), 0);
  for (std::uint32_t from = 0; from < after.size(); ++from)
    if (unmet[from] > 0)
      for (std::uint32_t to : after[from])
        if (unmet[to] > 0) before[to] = from;
  std::uint32_t at = 0;
  while (unmet[at] == 0) ++at;
  std::vector<bool> seen(unmet.size(), false);
  while (!seen[at]) seen[at] = true, at = before[at];
  std::string circle = std::to_string(at);
  for (std::uint32_t i = before[at]; i != at; i = before[i]) circle += fmt::format(" waits for {}", i);
  throw Error(ErrorKind::kInput, fmt::format("operations wait for each other in a circle: {} waits for {}", circle, at),
              fmt::format("template {} '{}'", where, body.name), "Remove one of these dependencies.");
}

// Callees before callers. Throws when a template calls itself, however indirectly, or calls reach too deep: whoever walks them may recurse.
class CallOrder {
 public:
  explicit CallOrder(const Program& program) : program_(program), height_(program.templates.size(), kUnknown) {
    for (std::uint32_t i = 0; i < program.templates.size(); ++i) visit(i, 1);
  }
  const std::vector<std::uint32_t>& callees_first() const { return order_; }

 private:
  static constexpr std::uint32_t kUnknown = 0, kOpen = ~0u;  // heights count from 1

  void visit(std::uint32_t where, std::uint32_t depth) {
    if (height_[where] == kOpen)
      throw Error(ErrorKind::kInput, fmt::format("template '{}' calls itself", program_.templates[where].name));
    if (height_[where] == kUnknown) {
      if (depth > kDeepestCalls) throw too_deep(where);
      height_[where] = kOpen;
      std::uint32_t below = 0;
      for (const Operation& operation : program_.templates[where].operations) {
        if (operation.kind != OperationKind::kCall) continue;
        visit(operation.callee.value, depth + 1);
        below = std::max(below, height_[operation.callee.value]);
      }
      height_[where] = below + 1;
      order_.push_back(where);
    }
    if (height_[where] > kDeepestCalls) throw too_deep(where);
  }

  Error too_deep(std::uint32_t where) const {
    return Error(ErrorKind::kInput, fmt::format("templates call each other more than {} deep", kDeepestCalls),
                 fmt::format("template {} '{}'", where, program_.templates[where].name),
                 "Write a chain of calls as one template.");
  }

  const Program& program_;
  std::vector<std::uint32_t> height_;  // the longest chain of calls that begins here
  std::vector<std::uint32_t> order_;
};

}  // namespace

namespace {

// Routes name what exists, links as links and channels as channels, each channel once.
void check_routes(const Program& program) {
  std::vector<std::uint32_t> seen(program.resources.size(), 0);
  for (std::uint32_t r = 0; r < program.routes.size(); ++r) {
    const auto fail = [&](std::string what) {
      throw Error(ErrorKind::kInput, std::move(what), fmt::format("route {}", r));
    };
    for (const LinkUse& use : program.routes.links(RouteId{r})) {
      if (use.link.value >= program.resources.size() || program.resources.is_channel(use.link))
        fail(fmt::format("{} is not a link", use.link.value));
      if (!(use.weight > 0)) fail(fmt::format("a link used with weight {}", use.weight));
    }
    for (ResourceId id : program.routes.channels(RouteId{r})) {
      if (id.value >= program.resources.size() || !program.resources.is_channel(id))
        fail(fmt::format("{} is not a channel", id.value));
      if (seen[id.value] == r + 1) fail(fmt::format("channel {} is listed twice", id.value));
      seen[id.value] = r + 1;
    }
  }
}

}  // namespace

void check(const Program& program) {
  check_routes(program);
  if (program.entry.value >= program.templates.size())
    throw Error(ErrorKind::kInput, "the program has no entry template");
  for (std::size_t where = 0; where < program.templates.size(); ++where) {
    for (std::uint32_t i = 0; i < program.templates[where].operations.size(); ++i) check_operation(program, where, i);
    check_order(program, where);
  }
  CallOrder{program};
}

namespace {

// Every transfer with a route, and how often it runs. Those of condensed templates are not there one by one.
template <class Visit>
void for_each_transfer(const Program& program, Visit visit) {
  std::vector<double> runs(program.templates.size(), 0);
  runs[program.entry.value] = 1;
  const CallOrder calls(program);
  const std::vector<std::uint32_t>& order = calls.callees_first();
  for (auto where = order.rbegin(); where != order.rend(); ++where) {
    if (runs[*where] == 0 || program.templates[*where].condensed) continue;
    for (const Operation& operation : program.templates[*where].operations) {
      const double times = runs[*where] * operation.repeat;
      if (operation.kind == OperationKind::kCall)
        runs[operation.callee.value] += times * static_cast<double>(operation.rounds);
      if (operation.kind == OperationKind::kTransfer && operation.route.valid()) visit(operation, times);
    }
  }
}

}  // namespace

std::vector<double> traffic(const Program& program) {
  std::vector<double> bytes = program.condensed;
  bytes.resize(program.resources.size(), 0);
  for_each_transfer(program, [&](const Operation& operation, double times) {
    for (const LinkUse& use : program.routes.links(operation.route))
      bytes[use.link.value] += times * operation.bytes * use.weight;
    for (ResourceId channel : program.routes.channels(operation.route)) bytes[channel.value] += times * operation.bytes;
  });
  return bytes;
}

std::vector<double> launched(const Program& program, std::span<const Stretches> of) {
  std::vector<double> bytes(of.size(), 0);
  if (of.empty()) return bytes;
  for_each_transfer(program, [&](const Operation& operation, double times) {
    std::size_t last = of.size();
    std::uint32_t stretch = 0;
    for (const ResourceId channel : program.routes.channels(operation.route)) {
      const auto after =
          std::ranges::upper_bound(of, channel.value, {}, [](const Stretches& s) { return s.first.value; });
      if (after == of.begin()) continue;
      const Stretches& here = *(after - 1);
      const std::uint32_t index = channel.value - here.first.value;
      if (index >= here.count) continue;
      const auto block = static_cast<std::size_t>(after - 1 - of.begin());
      if (last == of.size()) last = block, stretch = index / here.each;
      if (block == last && index / here.each == stretch) bytes[block] += times * operation.bytes;
    }
  });
  return bytes;
}

}  // namespace helio::flow
