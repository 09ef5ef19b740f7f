// SPDX-License-Identifier: Apache-2.0
// Lightpaths are channels of 1 byte a second that take 10 s to tune; every transfer moves 1 byte.
#include "fabric/wdm/retune.h"

#include <gtest/gtest.h>

#include "simulate/simulate.h"

namespace helio::fabric {
namespace {

using flow::Operation;
using flow::OperationKind;
using flow::TemplateId;

class Steps {
 public:
  Steps() {
    channels_ = program.resources.add_channels(8, BitRate{8}, {Time::seconds(10), false, true},
                                               [](std::uint32_t) { return "light"; });
  }
  // A step that uses these lightpaths, each on a channel of its own.
  TemplateId step(std::initializer_list<std::uint32_t> paths) {
    flow::Template body{"step", {}, {}};
    for (const std::uint32_t path : paths) {
      const flow::ResourceId channel{channels_.value + path};
      Operation op;
      op.kind = OperationKind::kTransfer;
      op.route = program.routes.add({}, {&channel, 1}, Time());
      op.circuit = path + 1;
      op.bytes = 1;
      op.step = true;
      body.operations.push_back(op);
    }
    return program.add(std::move(body));
  }
  // A round that runs steps in turn.
  TemplateId round(std::initializer_list<TemplateId> steps) {
    return program.add(chain({steps.begin(), steps.end()}, 1));
  }
  // Each of them `rounds` times, one after the other.
  TemplateId collective(std::vector<TemplateId> steps, std::uint64_t rounds = 1) {
    return program.add(chain(steps, rounds));
  }

  double seconds(TemplateId entry) {
    program.entry = entry;
    flow::check(program);
    const double with = simulate::simulate(program).end.to_seconds();
    EXPECT_EQ(with, simulate::simulate(program, {.jump = false}).end.to_seconds());
    return with;
  }

  flow::Program program;

 private:
  static flow::Template chain(const std::vector<TemplateId>& callees, std::uint64_t rounds) {
    flow::Template body{"chain", {}, {}};
    for (std::uint32_t i = 0; i < callees.size(); ++i) {
      Operation call;
      call.kind = OperationKind::kCall;
      call.callee = callees[i];
      call.rounds = rounds;
      body.operations.push_back(call);
      if (i > 0) body.edges.push_back({i - 1, i});
    }
    return body;
  }
  flow::ResourceId channels_;
};

// A, B, A: the channels still remember A, so by their memory alone it is lit free of charge: 2 x 10 + 3 s. The step before the
// last did not have A, so by the rule it pays: 3 x 10 + 3 s.
TEST(Retune, ALightpathThatComesBackPaysAgain) {
  Steps s;
  const TemplateId a = s.step({0}), b = s.step({1});
  const TemplateId entry = s.collective({a, b, a});
  EXPECT_EQ(s.seconds(entry), 23);
  light_changed(s.program, entry, false);
  EXPECT_EQ(s.seconds(entry), 33);
}

// What stays lit does not pay, however many rounds; a step that keeps one of two lightpaths is dark for the other.
TEST(Retune, WhatStaysLitIsFree) {
  Steps s;
  const TemplateId entry = s.collective({s.step({0, 1}), s.step({0, 1}), s.step({0, 2})}, 4);
  light_changed(s.program, entry, false);
  EXPECT_EQ(s.seconds(entry), 12 + 10 + 10);
}

// Two sub-rounds in turn, three rounds: each pushes the other out, so all six steps pay.
TEST(Retune, SubRoundsPushEachOtherOut) {
  Steps s;
  const TemplateId entry = s.collective({s.round({s.step({0}), s.step({1})})}, 3);
  light_changed(s.program, entry, false);
  EXPECT_EQ(s.seconds(entry), 6 * 11);
}

// The same collective twice in a row: the second finds its light on and pays nothing.
TEST(Retune, TheNextCollectiveFindsTheLightOn) {
  Steps s;
  const TemplateId once = s.collective({s.step({0, 1})}, 3);
  light_changed(s.program, once, false);
  EXPECT_EQ(s.seconds(s.collective({once, once})), 2 * 3 + 10);
}

// Tuning ahead: A runs 20 rounds of 1 s; B rests meanwhile and is tuned after A's first round, so only A's 10 s are left. Where one
// of two new lightpaths is in use until then nothing is gained, and nothing lost.
TEST(Retune, TuningAheadHidesOrLeavesAlone) {
  Steps s;
  const TemplateId a = s.step({0}), b = s.step({1});
  const TemplateId hidden = s.collective({a, b}, 20);
  light_changed(s.program, hidden, true);
  EXPECT_EQ(s.seconds(hidden), 10 + 20 + 20);

  Steps t;
  const TemplateId first = t.step({0, 2});
  TemplateId second = t.step({1, 2});
  t.program.templates[second.value].operations[1].circuit = 99;  // channel 2, set to something else
  const TemplateId left = t.collective({first, second}, 20);
  light_changed(t.program, left, true);
  EXPECT_EQ(t.seconds(left), 10 + 20 + 10 + 20);
}

}  // namespace
}  // namespace helio::fabric
