// SPDX-License-Identifier: Apache-2.0
#include "second_opinion/expressible.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "flow/arbiter.h"
#include "flow/program_file.h"

namespace helio::second_opinion {
namespace {

// Two links, a channel and routes over them; `operations` are those of the entry.
std::string refusal_of(const std::string& operations) {
  const flow::Program program = flow::parse_program(
      "heliograph-flow 1\nlink 8e9 left\nlink 8e9 right\nchannel 8e9 5 plain port\n"
      "route 0 0\nroute 0 1\nroute 0 0 / 2\nroute 0 0*0.5\nroute 0 0*3\nroute 0 0*65\nroute 0 0*0.25\n"
      "template t\n" +
          operations + "entry 0\n",
      "test");
  try {
    refuse_what_simgrid_cannot_express(program);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    return error.message();
  }
  return "";
}

TEST(Expressible, LinksDelaysAndWholeWeightsAre) {
  EXPECT_EQ(refusal_of("transfer route=0 bytes=1\ntransfer route=4 bytes=1\ndelay duration=3\ncompute duration=3\n"),
            "");
}

TEST(Expressible, ClassesThatDoNotMeetAre) {
  EXPECT_EQ(refusal_of("transfer route=0 bytes=1 priority=0\ntransfer route=1 bytes=1 priority=7\n"), "");
  EXPECT_EQ(refusal_of("transfer route=0 bytes=1\ntransfer route=4 bytes=1 priority=1\n"),
            "SimGrid cannot express strict priority: classes 0 and 1 share link 'left'");
}

TEST(Expressible, SharesThatDoNotMeetAre) {
  EXPECT_EQ(refusal_of("transfer route=0 bytes=1 share=2\ntransfer route=1 bytes=1 share=0.5\n"), "");
  EXPECT_EQ(refusal_of("transfer route=0 bytes=1\ntransfer route=4 bytes=1 share=2\n"),
            "SimGrid cannot express shares: 1 and 2 meet on link 'left'");
}

TEST(Expressible, ChannelsAreNot) {
  EXPECT_EQ(refusal_of("transfer route=2 bytes=1\n"),
            "SimGrid cannot express channel 'port', which serves one operation at a time");
  EXPECT_NE(refusal_of("compute route=2 duration=1\n"), "");
}

TEST(Expressible, OtherWeightsAreNot) {
  EXPECT_EQ(refusal_of("transfer route=3 bytes=1\n"), "");  // a half is
  EXPECT_EQ(refusal_of("transfer route=6 bytes=1\n"),
            "SimGrid cannot express weight 0.25 on link 'left': it has to be a multiple of 0.5 up to 64");
  EXPECT_NE(refusal_of("transfer route=5 bytes=1\n"), "");
}

TEST(Expressible, ControllersAreNot) {
  flow::Program program = flow::parse_program("heliograph-flow 1\ntemplate t\nentry 0\n", "test");
  program.controls.push_back({std::make_shared<flow::ArbiterController>(1)});
  EXPECT_THROW(refuse_what_simgrid_cannot_express(program), Error);
}

}  // namespace
}  // namespace helio::second_opinion
