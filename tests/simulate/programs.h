// SPDX-License-Identifier: Apache-2.0
// Small flow programs for the tests of the engine: a fluent way to write them down.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "flow/program.h"
#include "simulate/simulate.h"

namespace helio::simulate {

class ProgramWriter {
 public:
  flow::Program program;

  // Bytes per second, so that expected times are easy to see.
  flow::ResourceId link(double bytes_per_second) {
    return program.resources.add_links(1, BitRate{8 * bytes_per_second}, [](std::uint32_t) { return "link"; });
  }
  flow::ResourceId channel(double bytes_per_second, Time setup = {}, bool preemptive = false) {
    return program.resources.add_channels(1, BitRate{8 * bytes_per_second}, {setup, preemptive},
                                          [](std::uint32_t) { return "channel"; });
  }
  flow::RouteId route(std::vector<flow::ResourceId> links, std::vector<flow::ResourceId> channels = {},
                      Time latency = {}) {
    std::vector<flow::LinkUse> uses;
    for (flow::ResourceId link : links) uses.push_back({link, 1});
    return program.routes.add(uses, channels, latency);
  }
  static flow::Operation transfer(flow::RouteId route, double bytes, std::uint8_t priority = 0, Time overhead = {}) {
    flow::Operation op;
    op.kind = flow::OperationKind::kTransfer;
    op.route = route;
    op.bytes = bytes;
    op.priority = priority;
    op.duration = overhead;
    op.step = true;
    return op;
  }
  static flow::Operation compute(flow::RouteId route, Time duration, std::uint8_t priority = 0) {
    flow::Operation op;
    op.kind = flow::OperationKind::kCompute;
    op.route = route;
    op.duration = duration;
    op.priority = priority;
    return op;
  }
  static flow::Operation delay(Time duration) {
    flow::Operation op;
    op.duration = duration;
    return op;
  }
  static flow::Operation call(flow::TemplateId callee, std::uint64_t rounds) {
    flow::Operation op;
    op.kind = flow::OperationKind::kCall;
    op.callee = callee;
    op.rounds = rounds;
    return op;
  }
  flow::TemplateId body(std::string name, std::vector<flow::Operation> operations, std::vector<flow::Edge> edges = {}) {
    return program.add({std::move(name), std::move(operations), std::move(edges)});
  }
  Timeline run(flow::TemplateId entry, bool jump = true, bool record = true) {
    program.entry = entry;
    flow::check(program);
    Options options;
    options.jump = jump;
    options.record = record;
    return simulate(program, options);
  }
};

// The end of the n-th recorded run of an operation.
inline Time end_of(const Timeline& timeline, flow::TemplateId where, std::uint32_t operation, int nth = 0) {
  for (const Span& span : timeline.spans)
    if (span.where == where && span.operation == operation && nth-- == 0) return span.end;
  return Time::max();
}

inline Time s(double seconds) { return Time::seconds(seconds); }

}  // namespace helio::simulate
