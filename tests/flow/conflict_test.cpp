// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "flow/program.h"

namespace helio::flow {
namespace {

// Operations on channels 0..3 as listed, with the given edges.
struct Case {
  Program program;
  Case() { program.resources.add_channels(4, BitRate{8}, {}, nullptr); }
  Operation on(std::vector<std::uint32_t> channels) {
    std::vector<ResourceId> ids;
    for (std::uint32_t c : channels) ids.push_back(ResourceId{c});
    Operation op;
    op.kind = OperationKind::kTransfer;
    op.route = program.routes.add({}, ids, Time());
    return op;
  }
};

TEST(Conflict, TwoUnorderedHoldersOfOneChannel) {
  Case c;
  const TemplateId t = c.program.add({"t", {c.on({0}), c.on({1, 2}), c.on({2, 3})}, {}});
  const ConflictReport report = find_conflict(c.program, t);
  ASSERT_TRUE(report.found);
  EXPECT_EQ(report.conflict.first, 1u);
  EXPECT_EQ(report.conflict.second, 2u);
  EXPECT_EQ(report.conflict.channel.value, 2u);
}

TEST(Conflict, OrderedHoldersMayShare) {
  Case c;
  // 0 before 2 before 1, by edges; every pair on channel 0 is ordered although the indices are not.
  const TemplateId t = c.program.add({"t", {c.on({0}), c.on({0}), c.on({0})}, {{0, 2}, {2, 1}}});
  EXPECT_FALSE(find_conflict(c.program, t).found);
}

TEST(Conflict, ACallCountsForWhatItCalls) {
  Case c;
  const TemplateId inner = c.program.add({"inner", {c.on({3})}, {}});
  Operation call;
  call.kind = OperationKind::kCall;
  call.callee = inner;
  const TemplateId beside = c.program.add({"beside", {call, c.on({3})}, {}});
  EXPECT_TRUE(find_conflict(c.program, beside).found);
  const TemplateId after = c.program.add({"after", {call, c.on({3})}, {{0, 1}}});
  EXPECT_FALSE(find_conflict(c.program, after).found);
}

TEST(Conflict, IsFoundInsideACall) {
  Case c;
  const TemplateId inner = c.program.add({"inner", {c.on({1}), c.on({1})}, {}});
  Operation call;
  call.kind = OperationKind::kCall;
  call.callee = inner;
  const TemplateId outer = c.program.add({"outer", {call}, {}});
  const ConflictReport report = find_conflict(c.program, outer);
  ASSERT_TRUE(report.found);
  EXPECT_EQ(report.conflict.where.value, inner.value);
}

}  // namespace
}  // namespace helio::flow
