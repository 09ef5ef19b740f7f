// SPDX-License-Identifier: Apache-2.0
#include "fabric/wdm/retune.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace helio::fabric {
namespace {

using flow::Operation;
using flow::OperationKind;
using flow::Program;
using flow::Template;
using flow::TemplateId;

constexpr std::uint32_t kNone = 0xffffffffu;

Operation call_of(TemplateId callee, std::uint64_t rounds, std::uint32_t tag) {
  Operation call;
  call.kind = OperationKind::kCall;
  call.callee = callee;
  call.rounds = rounds;
  call.tag = tag;
  return call;
}

// One group's chain of steps, written anew.
class Chain {
 public:
  Chain(Program& program, Template& body, std::uint32_t tag, bool ahead)
      : program_(program), body_(body), tag_(tag), ahead_(ahead) {}

  void append(TemplateId callee, std::uint64_t rounds) {
    const std::vector<TemplateId> steps = steps_of(callee);

    // The first round, by what was lit before it
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::vector<bool> dark = dark_in(steps[i]);
      if (ahead_ && last_ != kNone)
        add_step(tuned_ahead(steps[i], dark), 1);
      else
        add_step(marked(steps[i], dark), 1);
      remember(steps[i]);
    }
    if (rounds == 1) return;

    // The others, by what the round itself leaves lit: all of it, unless sub-rounds push each other out
    if (steps.size() == 1) return add_step(steps[0], rounds - 1);
    Template round{program_.templates[callee.value].name, {}, {}};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      round.operations.push_back(call_of(marked(steps[i], dark_in(steps[i])), 1, 0));
      if (i > 0) round.edges.push_back({static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(i)});
      remember(steps[i]);
    }
    add_step(program_.add(std::move(round)), rounds - 1);
  }

 private:
  // A template of transfers is one step; one of calls is a round in sub-rounds.
  std::vector<TemplateId> steps_of(TemplateId callee) const {
    std::vector<TemplateId> steps;
    for (const Operation& op : program_.templates[callee.value].operations)
      if (op.kind == OperationKind::kCall) steps.push_back(op.callee);
    if (steps.empty()) steps.push_back(callee);
    return steps;
  }

  // Before the first step the channels' own memory decides: what the collective before left lit costs nothing.
  std::vector<bool> dark_in(TemplateId step) const {
    std::vector<bool> dark;
    if (!previous_.valid()) return std::vector<bool>(program_.templates[step.value].operations.size(), false);
    for (const Operation& op : program_.templates[step.value].operations) dark.push_back(!lit_.contains(op.circuit));
    return dark;
  }

  void remember(TemplateId step) {
    previous_ = step;
    lit_.clear();
    for (const Operation& op : program_.templates[step.value].operations) lit_.insert(op.circuit);
  }

  // The step with those marked that pay.
  TemplateId marked(TemplateId step, const std::vector<bool>& dark) {
    if (std::find(dark.begin(), dark.end(), true) == dark.end()) return step;
    Template copy = program_.templates[step.value];
    for (std::size_t i = 0; i < dark.size(); ++i) copy.operations[i].always_setup = dark[i];
    return program_.add(std::move(copy));
  }

  // Tunes beside the step before what can be, and returns the step with only the others marked.
  TemplateId tuned_ahead(TemplateId step, std::vector<bool> dark) {
    std::unordered_set<std::uint32_t> used;
    for (const Operation& op : program_.templates[previous_.value].operations)
      for (const flow::ResourceId channel : program_.routes.channels(op.route)) used.insert(channel.value);
    Template tuning{"tuning ahead", {}, {}};
    const std::vector<Operation> operations = program_.templates[step.value].operations;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (!dark[i]) continue;
      // Unless all of them rest the step is dark for as long anyway, and tuning the others would come on top
      const auto channels = program_.routes.channels(operations[i].route);
      if (std::any_of(channels.begin(), channels.end(), [&](flow::ResourceId c) { return used.contains(c.value); }))
        return marked(step, dark);
      Operation tune;
      tune.kind = OperationKind::kCompute;
      tune.priority = operations[i].priority;
      tune.route = operations[i].route;
      tune.circuit = operations[i].circuit;
      tune.always_setup = true;
      tuning.operations.push_back(tune);
    }
    dark.assign(dark.size(), false);
    if (!tuning.operations.empty()) {
      const auto index = static_cast<std::uint32_t>(body_.operations.size());
      body_.operations.push_back(call_of(program_.add(std::move(tuning)), 1, tag_));
      if (before_last_ != kNone) body_.edges.push_back({before_last_, index});
      tuning_ = index;
    }
    return marked(step, dark);
  }

  void add_step(TemplateId step, std::uint64_t rounds) {
    const auto index = static_cast<std::uint32_t>(body_.operations.size());
    body_.operations.push_back(call_of(step, rounds, tag_));
    if (last_ != kNone) body_.edges.push_back({last_, index});
    if (tuning_ != kNone) body_.edges.push_back({tuning_, index});
    tuning_ = kNone;
    before_last_ = last_;
    last_ = index;
  }

  Program& program_;
  Template& body_;
  std::uint32_t tag_;
  bool ahead_;
  std::unordered_set<flow::Circuit> lit_;
  TemplateId previous_;
  std::uint32_t last_ = kNone, before_last_ = kNone, tuning_ = kNone;
};

}  // namespace

void light_changed(Program& program, TemplateId entry, bool ahead) {
  const std::vector<Operation> calls = program.templates[entry.value].operations;
  Template anew{program.templates[entry.value].name, {}, {}};
  std::map<std::uint32_t, Chain> chains;
  for (const Operation& call : calls)
    chains.try_emplace(call.tag, program, anew, call.tag, ahead).first->second.append(call.callee, call.rounds);
  program.templates[entry.value] = std::move(anew);
}

}  // namespace helio::fabric
