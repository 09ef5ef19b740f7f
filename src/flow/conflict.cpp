// SPDX-License-Identifier: Apache-2.0
// The conflict check: who may hold a channel at the same time as somebody else.
#include <algorithm>

#include "flow/program.h"

namespace helio::flow {
namespace {

// Every channel that an operation, or anything it calls, takes.
void collect_channels(const Program& program, const Operation& operation, std::vector<std::uint32_t>& channels) {
  if (operation.controlled) return;
  if (operation.route.valid())
    for (ResourceId channel : program.routes.channels(operation.route)) channels.push_back(channel.value);
  if (operation.kind == OperationKind::kCall)
    for (const Operation& inner : program.templates[operation.callee.value].operations)
      collect_channels(program, inner, channels);
}

// Whether one of two operations of a template comes after the other, along edges that hold for all instances.
class Precedence {
 public:
  explicit Precedence(const Template& body) : after_(body.operations.size()) {
    for (const Edge& edge : body.edges)
      if (edge.offset == 0 && edge.first == 0 && edge.last == body.operations[edge.to].repeat)
        after_[edge.from].push_back(edge.to);
  }
  bool ordered(std::uint32_t a, std::uint32_t b) const { return reaches(a, b) || reaches(b, a); }
  bool reaches(std::uint32_t from, std::uint32_t to) const {
    for (std::uint32_t next : after_[from])
      if (next == to) return true;
    std::vector<bool> seen(after_.size(), false);
    std::vector<std::uint32_t> open{from};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (at == to) return true;
      for (std::uint32_t next : after_[at])
        if (!seen[next]) seen[next] = true, open.push_back(next);
    }
    return false;
  }

 private:
  std::vector<std::vector<std::uint32_t>> after_;
};

// Operations that nothing orders, none of them a call: no channel may occur twice.
ConflictReport among_unordered(const Program& program, TemplateId where) {
  const Template& body = program.templates[where.value];
  std::vector<std::uint32_t> user(program.resources.size(), 0);  // operation + 1
  for (std::uint32_t i = 0; i < body.operations.size(); ++i) {
    if (body.operations[i].controlled || !body.operations[i].route.valid()) continue;
    for (ResourceId channel : program.routes.channels(body.operations[i].route)) {
      std::uint32_t& before = user[channel.value];
      if (before != 0 && before != i + 1) return {true, {where, before - 1, i, channel}};
      before = i + 1;
    }
  }
  return {};
}

// Whether every operation waits for the one before it.
bool is_chain(const Template& body) {
  std::vector<bool> after(body.operations.size(), false);
  for (const Edge& edge : body.edges)
    if (edge.to == edge.from + 1 && edge.offset == 0 && edge.first == 0 && edge.last == body.operations[edge.to].repeat)
      after[edge.to] = true;
  return std::all_of(after.begin() + (after.empty() ? 0 : 1), after.end(), [](bool ordered) { return ordered; });
}

}  // namespace

ConflictReport find_conflict(const Program& program, TemplateId where) {
  const Template& body = program.templates[where.value];
  const bool calls = std::any_of(body.operations.begin(), body.operations.end(),
                                 [](const Operation& operation) { return operation.kind == OperationKind::kCall; });
  if (!calls && body.edges.empty() && body.operations.size() > 1) return among_unordered(program, where);

  // Who takes which channel, sorted by channel.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;
  std::vector<std::uint32_t> channels;
  const bool chained = is_chain(body);
  for (std::uint32_t i = 0; i < body.operations.size() && !chained; ++i) {
    if (body.operations[i].controlled) continue;
    channels.clear();
    collect_channels(program, body.operations[i], channels);
    std::sort(channels.begin(), channels.end());
    channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
    for (std::uint32_t channel : channels) uses.push_back({channel, i});
  }
  std::sort(uses.begin(), uses.end());

  // Two users of one channel conflict unless one waits for the other. Most often they form a chain in index order, and
  // then neighbours suffice; else every pair is asked.
  const Precedence precedence(body);
  for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
    bool chain = true;
    for (end = begin + 1; end < uses.size() && uses[end].first == uses[begin].first; ++end)
      chain = chain && precedence.reaches(uses[end - 1].second, uses[end].second);
    if (chain) continue;
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = i + 1; k < end; ++k)
        if (!precedence.ordered(uses[i].second, uses[k].second))
          return {true, {where, uses[i].second, uses[k].second, ResourceId{uses[i].first}}};
  }

  // Inside what is called.
  std::vector<std::uint32_t> callees;
  for (const Operation& operation : body.operations)
    if (operation.kind == OperationKind::kCall) callees.push_back(operation.callee.value);
  std::sort(callees.begin(), callees.end());
  callees.erase(std::unique(callees.begin(), callees.end()), callees.end());
  for (std::uint32_t callee : callees)
    if (ConflictReport report = find_conflict(program, TemplateId{callee}); report.found) return report;
  return {};
}

}  // namespace helio::flow
