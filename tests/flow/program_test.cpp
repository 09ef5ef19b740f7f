// SPDX-License-Identifier: Apache-2.0
#include "flow/program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"

namespace helio::flow {
namespace {

Operation transfer(RouteId route, double bytes) {
  Operation op;
  op.kind = OperationKind::kTransfer;
  op.route = route;
  op.bytes = bytes;
  return op;
}
Operation call(TemplateId callee, std::uint64_t rounds) {
  Operation op;
  op.kind = OperationKind::kCall;
  op.callee = callee;
  op.rounds = rounds;
  return op;
}

std::string message_of(const Program& program) {
  try {
    check(program);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.message();
  }
  return "";
}

TEST(Program, ACircleIsNamed) {
  Program program;
  program.entry =
      program.add({"circle", {Operation{}, Operation{}, Operation{}, Operation{}}, {{0, 1}, {1, 2}, {2, 3}, {3, 1}}});
  // 1, 2 and 3 wait for each other; 0 does not.
  const std::string message = message_of(program);
  EXPECT_NE(message.find("circle"), std::string::npos) << message;
  for (const char* member : {"1", "2", "3"}) EXPECT_NE(message.find(member), std::string::npos) << message;
  EXPECT_EQ(message.find("0"), std::string::npos) << message;
}

TEST(Program, RecursionIsRefused) {
  Program program;
  program.add({"a", {call(TemplateId{1}, 1)}, {}});
  program.add({"b", {call(TemplateId{0}, 1)}, {}});
  program.entry = TemplateId{0};
  EXPECT_NE(message_of(program).find("calls itself"), std::string::npos);
}

TEST(Program, IndicesOutOfRangeAreRefused) {
  Program no_entry;
  EXPECT_NE(message_of(no_entry), "");
  Program bad_route;
  bad_route.entry = bad_route.add({"t", {transfer(RouteId{3}, 1)}, {}});
  EXPECT_NE(message_of(bad_route).find("route"), std::string::npos);
  Program bad_edge;
  bad_edge.entry = bad_edge.add({"t", {Operation{}}, {{0, 7}}});
  EXPECT_NE(message_of(bad_edge).find("edge"), std::string::npos);
  Program bad_callee;
  bad_callee.entry = bad_callee.add({"t", {call(TemplateId{9}, 1)}, {}});
  EXPECT_NE(message_of(bad_callee).find("template"), std::string::npos);
  Program bad_instance;  // instance 1 of an operation that runs once
  bad_instance.entry = bad_instance.add({"t", {Operation{}, Operation{}}, {{0, 1, 1, 0, 1}}});
  EXPECT_NE(message_of(bad_instance).find("instance"), std::string::npos);
}

TEST(Program, SharesHaveBounds) {
  for (const float share : {0.f, -1.f, 0.0005f, 1001.f, std::numeric_limits<float>::quiet_NaN()}) {
    Program program;
    Operation op;
    op.share = share;
    program.entry = program.add({"t", {op}, {}});
    EXPECT_NE(message_of(program).find("share"), std::string::npos) << share;
  }
  for (const float share : {kSmallestShare, 1.f, kLargestShare}) {
    Program program;
    Operation op;
    op.share = share;
    program.entry = program.add({"t", {op}, {}});
    EXPECT_EQ(message_of(program), "") << share;
  }
}

TEST(Program, RoutesNameWhatExistsAndFits) {
  const auto refused = [](std::vector<LinkUse> links, std::vector<ResourceId> channels) {
    Program program;
    program.resources.add_links(1, BitRate{8}, nullptr);         // 0
    program.resources.add_channels(1, BitRate{8}, {}, nullptr);  // 1
    program.routes.add(links, channels, Time());
    program.entry = program.add({"t", {}, {}});
    return message_of(program);
  };
  EXPECT_EQ(refused({{ResourceId{0}, 1}}, {ResourceId{1}}), "");
  EXPECT_NE(refused({{ResourceId{7}, 1}}, {}), "");
  EXPECT_NE(refused({{ResourceId{1}, 1}}, {}), "");
  EXPECT_NE(refused({{ResourceId{0}, 0}}, {}), "");
  EXPECT_NE(refused({}, {ResourceId{0}}), "");
  EXPECT_NE(refused({}, {ResourceId{1}, ResourceId{1}}), "");
}

TEST(Program, NonsenseAmountsAreRefused) {
  for (const double bytes : {-1.0, std::nan(""), 1e31}) {
    Program program;
    program.entry = program.add({"t", {transfer(RouteId{}, bytes)}, {}});
    EXPECT_NE(message_of(program), "") << bytes;
  }
  Program negative;
  Operation op;
  op.duration = Time::seconds(-1);
  negative.entry = negative.add({"t", {op}, {}});
  EXPECT_NE(message_of(negative), "");
}

TEST(Program, AControlledOperationNeedsAController) {
  Program program;
  Operation op;
  op.controlled = true;
  program.entry = program.add({"t", {op}, {}});
  EXPECT_NE(message_of(program).find("controller"), std::string::npos);
}

TEST(Program, TrafficCountsEveryRepetition) {
  Program program;
  const ResourceId link = program.resources.add_links(2, BitRate{8}, nullptr);
  const ResourceId channel = program.resources.add_channels(1, BitRate{8}, {}, nullptr);
  const LinkUse uses[] = {{link, 1}, {ResourceId{link.value + 1}, 2}};
  const RouteId route = program.routes.add(uses, {&channel, 1}, Time());
  Operation op = transfer(route, 5);
  op.repeat = 3;
  const TemplateId inner = program.add({"inner", {op}, {}});
  const TemplateId outer = program.add({"outer", {call(inner, 4), call(inner, 1)}, {}});
  program.entry = program.add({"entry", {call(outer, 2)}, {}});
  // 5 B * 3 instances * (4 + 1) rounds * 2 = 150 B; twice that on the link of weight 2.
  const std::vector<double> bytes = traffic(program);
  EXPECT_DOUBLE_EQ(bytes[link.value], 150);
  EXPECT_DOUBLE_EQ(bytes[link.value + 1], 300);
  EXPECT_DOUBLE_EQ(bytes[channel.value], 150);
}

}  // namespace
}  // namespace helio::flow
