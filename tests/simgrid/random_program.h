// SPDX-License-Identifier: Apache-2.0
// Random flow programs of the kind that SimGrid can express: the same program for the same seed, on every machine.
//
// They have shared links of a few rates, routes that meet, latencies, overheads, delays, dependencies, repeated operations
// whose instances wait for each other's, calls with rounds inside calls, weights of 1 to 3, and priority classes and shares
// that never meet on a link. Half of the numbers come from short lists, so that much happens at the same time; the others are arbitrary.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/random.h"
#include "flow/program.h"

namespace helio::second_opinion {

class ProgramLottery {
 public:
  explicit ProgramLottery(std::uint64_t seed) : random_(seed) {}

  flow::Program draw() {
    draw_resources();
    const std::uint64_t leaves = 1 + random_.below(3);
    for (std::uint64_t i = 0; i < leaves; ++i) draw_template(0);
    const std::uint64_t callers = random_.below(3);
    for (std::uint64_t i = 0; i < callers; ++i) draw_template(40);
    program_.entry = draw_template(program_.templates.empty() ? 0 : 50);
    flow::check(program_);
    return std::move(program_);
  }

 private:
  bool chance(std::uint64_t percent) { return random_.below(100) < percent; }
  double one_of(std::initializer_list<double> list) { return list.begin()[random_.below(list.size())]; }
  double between(double low, double high) { return low * std::pow(high / low, random_.uniform()); }

  Time draw_time() {
    if (chance(40)) return {};
    return chance(50) ? Time::microseconds(one_of({0.5, 1, 1, 2, 10})) : Time::seconds(between(1e-9, 1e-4));
  }

  // Links in groups of one priority class and one share, and routes inside the groups.
  void draw_resources() {
    const std::uint64_t groups = chance(60) ? 1 : 1 + random_.below(3);
    for (std::uint64_t group = 0; group < groups; ++group) {
      std::vector<flow::ResourceId> links(1 + random_.below(8));
      for (flow::ResourceId& link : links) {
        const BitRate rate{chance(50) ? one_of({1e11, 1e11, 2e11, 4e11}) : between(1e9, 1e12)};
        link = program_.resources.add_links(
            1, rate, [group](std::uint32_t) { return "link of group " + std::to_string(group); });
      }
      const auto priority = static_cast<std::uint8_t>(random_.below(4));
      const auto share = static_cast<float>(one_of({1, 1, 0.5, 3, 0.7}));
      const std::uint64_t routes = 1 + random_.below(10);
      for (std::uint64_t i = 0; i < routes; ++i) {
        random_.shuffle(links);
        std::vector<flow::LinkUse> uses;
        const std::uint64_t length = chance(3) ? 0 : 1 + random_.below(std::min<std::uint64_t>(links.size(), 4));
        for (std::uint64_t k = 0; k < length; ++k)
          uses.push_back({links[k], chance(90) ? 1.f : static_cast<float>(2 + random_.below(2))});
        program_.routes.add(uses, {}, draw_time());
        priority_of_route_.push_back(priority);
        share_of_route_.push_back(share);
      }
    }
  }

  flow::Operation draw_operation(std::uint64_t percent_calls, bool repeats) {
    flow::Operation op;
    if (chance(percent_calls)) {
      op.kind = flow::OperationKind::kCall;
      op.callee.value = static_cast<std::uint32_t>(random_.below(program_.templates.size()));
      op.rounds = chance(5) ? 0 : 1 + random_.below(6);
      if (repeats && chance(30)) op.repeat = static_cast<std::uint32_t>(1 + random_.below(3));
      return op;
    }
    op.repeat = static_cast<std::uint32_t>(repeats ? 1 + random_.below(20) : 1);
    op.duration = draw_time();
    if (chance(15)) {
      op.kind = chance(70) ? flow::OperationKind::kDelay : flow::OperationKind::kCompute;
      return op;
    }
    op.kind = flow::OperationKind::kTransfer;
    op.step = true;
    if (chance(2)) return op;  // without a route
    op.route.value = static_cast<std::uint32_t>(random_.below(program_.routes.size()));
    op.priority = priority_of_route_[op.route.value];
    op.share = share_of_route_[op.route.value];
    op.bytes = chance(3) ? 0 : chance(50) ? one_of({1e6, 1e6, 97656.25, 4e6}) : between(1, 1e8);
    return op;
  }

  flow::TemplateId draw_template(std::uint64_t percent_calls) {
    flow::Template body;
    body.name = "template " + std::to_string(program_.templates.size());
    const bool repeats = chance(40);
    const std::uint64_t count = percent_calls == 0 ? 1 + random_.below(12) : 1 + random_.below(6);
    for (std::uint64_t i = 0; i < count; ++i) body.operations.push_back(draw_operation(percent_calls, repeats));
    draw_edges(body);
    return program_.add(std::move(body));
  }

  // Either all edges lead to later operations, or all lead to later instances or to later operations of the same one: in
  // neither case can there be a circle.
  void draw_edges(flow::Template& body) {
    const std::uint64_t count = body.operations.size();
    const bool forwards = chance(50);
    const std::uint64_t edges = random_.below(2 * count);
    for (std::uint64_t i = 0; i < edges; ++i) {
      auto from = static_cast<std::uint32_t>(random_.below(count)),
           to = static_cast<std::uint32_t>(random_.below(count));
      if (from > to && (forwards || chance(50))) std::swap(from, to);
      const std::int64_t has = body.operations[from].repeat, wants = body.operations[to].repeat;
      std::int64_t offset = static_cast<std::int64_t>(random_.below(5)) - 2;
      if (from >= to)
        offset = -1 - static_cast<std::int64_t>(random_.below(2));
      else if (!forwards)
        offset = std::min<std::int64_t>(offset, 0);
      if (from == to && forwards) continue;

      // Instances that both have: 0 <= instance + offset < has, 0 <= instance < wants
      const std::int64_t low = std::max<std::int64_t>(0, -offset), high = std::min(wants, has - offset);
      if (low >= high) continue;
      const auto span = static_cast<std::uint64_t>(high - low);
      const std::int64_t first = low + (chance(60) ? 0 : static_cast<std::int64_t>(random_.below(span)));
      const std::int64_t last =
          chance(60) ? high
                     : first + 1 + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(high - first)));
      body.edges.push_back({from, to, static_cast<std::int32_t>(offset), static_cast<std::uint32_t>(first),
                            static_cast<std::uint32_t>(last)});
    }
  }

  Random random_;
  flow::Program program_;
  std::vector<std::uint8_t> priority_of_route_;
  std::vector<float> share_of_route_;
};

inline flow::Program random_program(std::uint64_t seed) { return ProgramLottery(seed).draw(); }

}  // namespace helio::second_opinion
