// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_claims.h"

#include <gtest/gtest.h>

#include "fabric/oddl/oddl_control.h"

namespace helio::fabric {
namespace {

flow::Operation transfer(std::uint32_t agent, double bytes) {
  flow::Operation op;
  op.kind = flow::OperationKind::kTransfer;
  op.controlled = true;
  op.agent = agent;
  op.bytes = bytes;
  op.claim = OddlClaim{7}.pack();
  return op;
}

flow::Operation call(flow::TemplateId callee, std::uint64_t rounds) {
  flow::Operation op;
  op.kind = flow::OperationKind::kCall;
  op.callee = callee;
  op.rounds = rounds;
  return op;
}

// Template 0 runs three times, 1 once, 2 twice in a row by two calls.
flow::Program three_steps() {
  flow::Program program;
  for (int i = 0; i < 3; ++i) program.add({"step", {transfer(0, 10), transfer(1, 20)}, {}});
  program.add({"all", {call({0}, 3), call({1}, 1), call({2}, 1), call({2}, 1)}, {}});
  return program;
}

OddlClaim claim(const flow::Program& program, std::size_t t, std::size_t op) {
  return OddlClaim::unpack(program.templates[t].operations[op].claim);
}

TEST(OddlClaims, CircuitsOfSeveralRoundsStay) {
  flow::Program program = three_steps();
  keep_circuits(program, 0);
  EXPECT_TRUE(claim(program, 0, 0).keep);
  EXPECT_FALSE(claim(program, 1, 0).keep);
  EXPECT_TRUE(claim(program, 2, 1).keep);
  EXPECT_EQ(claim(program, 0, 0).receiver, 7u);
}

// (10 + 20) bytes times 3, 1 and 2 rounds.
TEST(OddlClaims, AStepIsACoflowOfAllItsRounds) {
  flow::Program program = three_steps();
  std::vector<double> bytes = {5};  // of an earlier collective
  ASSERT_TRUE(name_coflows(program, 0, {}, bytes));
  EXPECT_EQ(bytes, (std::vector<double>{5, 90, 30, 60}));
  EXPECT_EQ(claim(program, 0, 1).coflow, 2u);
  EXPECT_EQ(claim(program, 2, 0).coflow, 4u);
  bytes.assign(OddlClaim::kCoflows - 1, 1);
  EXPECT_FALSE(name_coflows(program, 0, {}, bytes));
}

// Transceiver 0 begins with two thirds of a share, once in each template; transceiver 1 has its own.
TEST(OddlClaims, TheFirstFlowOfOneTransceiverLags) {
  flow::Program program;
  program.add({"flows", {transfer(0, 1), transfer(0, 1), transfer(1, 1)}, {}});
  stagger(program, 0, 2);
  const auto& operations = program.templates[0].operations;
  EXPECT_FLOAT_EQ(operations[0].share, 2.0f / 3);
  EXPECT_FLOAT_EQ(operations[1].share, 1);
  EXPECT_FLOAT_EQ(operations[2].share, 1);
}

}  // namespace
}  // namespace helio::fabric
