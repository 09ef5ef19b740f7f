// SPDX-License-Identifier: Apache-2.0
#include "flow/program_file.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "flow/arbiter.h"

namespace helio::flow {
namespace {

// Something of everything, with numbers that decimal text would round.
Program everything() {
  Program program;
  program.resources.add_links(2, BitRate{1e11 / 3},
                              [](std::uint32_t i) { return i == 0 ? "0 → 1" : " back\\slash, new\nline "; });
  program.resources.add_links(1, BitRate{4e11}, [](std::uint32_t) { return ""; });
  program.resources.add_channels(1, BitRate{}, {Time::picoseconds(1907.35), false, true},
                                 [](std::uint32_t) { return "λ 3"; });
  program.resources.add_channels(1, BitRate{1e9}, {Time(), true, false}, [](std::uint32_t) { return "# no comment"; });
  program.routes.add(std::vector<LinkUse>{{ResourceId{0}, 1}, {ResourceId{2}, 0.1f}},
                     std::vector<ResourceId>{ResourceId{3}, ResourceId{4}}, Time::nanoseconds(500));
  program.routes.add({}, {}, Time());
  Operation transfer;
  transfer.kind = OperationKind::kTransfer;
  transfer.route = RouteId{0};
  transfer.bytes = 1e8 / 3;
  transfer.duration = Time::zeptoseconds(7);
  transfer.priority = 255;
  transfer.share = 0.1f;
  transfer.step = transfer.always_setup = true;
  transfer.alternatives = 2;
  transfer.agent = 4;
  transfer.claim = 5;
  transfer.circuit = ~Circuit{0};
  transfer.repeat = 9;
  transfer.tag = 11;
  Operation compute;
  compute.kind = OperationKind::kCompute;
  compute.route = RouteId{1};
  compute.repeat = 8;
  Operation call;
  call.kind = OperationKind::kCall;
  call.callee = TemplateId{1};
  call.rounds = ~std::uint64_t{0};
  program.add({"first, then call", {transfer, compute, call, Operation{}}, {{0, 1, -2, 3, 8}, {2, 3}}});
  program.add({"", {}, {}, true});
  program.entry = TemplateId{0};
  return program;
}

TEST(ProgramFile, WhatIsWrittenIsReadBack) {
  const Program before = everything();
  const std::string text = to_text(before);
  const Program after = parse_program(text, "text");
  EXPECT_EQ(to_text(after), text);

  // The same resources and routes
  ASSERT_EQ(after.resources.size(), before.resources.size());
  for (std::uint32_t i = 0; i < before.resources.size(); ++i) {
    const ResourceId id{i};
    EXPECT_EQ(after.resources.name(id), before.resources.name(id));
    EXPECT_EQ(after.resources.rate(id).value, before.resources.rate(id).value);
    EXPECT_EQ(after.resources.is_channel(id), before.resources.is_channel(id));
    EXPECT_EQ(after.resources.rules(id).setup, before.resources.rules(id).setup);
    EXPECT_EQ(after.resources.rules(id).preemptive, before.resources.rules(id).preemptive);
    EXPECT_EQ(after.resources.is_link(id), before.resources.is_link(id));
  }
  ASSERT_EQ(after.routes.size(), before.routes.size());
  const auto links = after.routes.links(RouteId{0});
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[1].link, ResourceId{2});
  EXPECT_EQ(links[1].weight, 0.1f);
  EXPECT_EQ(after.routes.channels(RouteId{0}).size(), 2u);
  EXPECT_EQ(after.routes.latency(RouteId{0}), Time::nanoseconds(500));

  // The same operations, field by field
  const Operation &was = before.templates[0].operations[0], &is = after.templates[0].operations[0];
  EXPECT_EQ(is.kind, was.kind);
  EXPECT_EQ(is.route, was.route);
  EXPECT_EQ(is.bytes, was.bytes);
  EXPECT_EQ(is.duration, was.duration);
  EXPECT_EQ(is.priority, was.priority);
  EXPECT_EQ(is.share, was.share);
  EXPECT_EQ(is.step, was.step);
  EXPECT_EQ(is.always_setup, was.always_setup);
  EXPECT_EQ(is.alternatives, was.alternatives);
  EXPECT_EQ(is.agent, was.agent);
  EXPECT_EQ(is.claim, was.claim);
  EXPECT_EQ(is.circuit, was.circuit);
  EXPECT_EQ(is.repeat, was.repeat);
  EXPECT_EQ(is.tag, was.tag);
  EXPECT_EQ(after.templates[0].name, before.templates[0].name);
  EXPECT_EQ(after.templates[0].operations[2].rounds, ~std::uint64_t{0});
  EXPECT_EQ(after.templates[0].edges[0].offset, -2);
  EXPECT_EQ(after.entry, before.entry);
}

TEST(ProgramFile, ControllersHaveNoText) {
  Program program = everything();
  program.controls.push_back({std::make_shared<ArbiterController>(1)});
  EXPECT_THROW(to_text(program), Error);
}

TEST(ProgramFile, DecimalNumbersCommentsAndReturnsAreRead) {
  const Program program = parse_program(
      "# made by hand\r\nheliograph-flow 1\r\n\r\nlink 4e11 a b\r\nroute 0 0*2\ntemplate t\n  delay\nentry 0\n",
      "hand");
  EXPECT_EQ(program.resources.rate(ResourceId{0}).value, 4e11);
  EXPECT_EQ(program.resources.name(ResourceId{0}), "a b");
  EXPECT_EQ(program.routes.links(RouteId{0})[0].weight, 2);
}

struct Wrong {
  const char *text, *message, *place;
};

TEST(ProgramFile, MistakesHaveAPlace) {
  const Wrong wrongs[] = {
      {"", "the file is empty", "f:1"},
      {"helio\n", "this is not a flow program", "f:1"},
      {"heliograph-flow 2\n", "version '2' of the format is not known", "f:1"},
      {"heliograph-flow 1\n", "the file ends without an entry", "f:1"},
      {"heliograph-flow 1\nentry 0\n", "there is no template 0", "f:2"},
      {"heliograph-flow 1\nlink 0 a\n", "a link needs a rate above 0", "f:2"},
      {"heliograph-flow 1\nlink nan a\n", "'nan' is not a rate", "f:2"},
      {"heliograph-flow 1\nlink 0x a\n", "'0x' is not a rate", "f:2"},
      {"heliograph-flow 1\nlink --1 a\n", "'--1' is not a rate", "f:2"},
      {"heliograph-flow 1\nlink\n", "a rate is missing", "f:2"},
      {"heliograph-flow 1\nlink 1 a\\b\n", "a backslash in a name is followed by \\, n or r", "f:2"},
      {"heliograph-flow 1\nchannel 1 0 fast c\n", "'fast' says nothing about a channel", "f:2"},
      {"heliograph-flow 1\nroute 0 0\n", "there is no resource 0 before this line", "f:2"},
      {"heliograph-flow 1\nlink 1 a\nroute 0 / 0\n", "resource 0 is a link", "f:3"},
      {"heliograph-flow 1\nlink 1 a\nroute 0 0*-1\n", "a weight is a single-precision number above 0, not '-1'", "f:3"},
      {"heliograph-flow 1\nroute 1.5\n", "'1.5' is not a latency in zeptoseconds", "f:2"},
      {"heliograph-flow 1\nroute 99999999999999999999999999999999999999999999999999\n",
       "'99999999999999999999999999999999999999999999999999' is longer than 1e16 seconds", "f:2"},
      {"heliograph-flow 1\ndelay\n", "an operation outside of a template", "f:2"},
      {"heliograph-flow 1\ntemplate t\ntransfer route=4294967295\n", "there is no route 4294967295 before this line",
       "f:3"},
      {"heliograph-flow 1\ntemplate t\ntransfer bytes\n", "'bytes' is not of the form field=value", "f:3"},
      {"heliograph-flow 1\ntemplate t\ntransfer weight=1\n", "operations have no field 'weight'", "f:3"},
      {"heliograph-flow 1\ntemplate t\ndelay tag=1 tag=2\n", "'tag' is given twice", "f:3"},
      {"heliograph-flow 1\ntemplate t\ndelay priority=256\n", "'256' is not a priority", "f:3"},
      {"heliograph-flow 1\ntemplate t\ndelay share=0\n",
       "a share is a single-precision number between 0.001 and 1000, not '0'", "f:3"},
      {"heliograph-flow 1\ntemplate t\ndelay share=1024\n",
       "a share is a single-precision number between 0.001 and 1000, not '1024'", "f:3"},
      {"heliograph-flow 1\ntemplate t\ndelay share=0.1\n",  // between two of them
       "a share is a single-precision number between 0.001 and 1000, not '0.1'", "f:3"},
      {"heliograph-flow 1\ntemplate t\ndelay share=-x\n", "'-x' is not a share", "f:3"},
      {"heliograph-flow 1\ntemplate t\ncall\n", "a call needs a callee", "f:3"},
      {"heliograph-flow 1\ntemplate t\ncall callee=1\nentry 0\n", "there is no template 1", "f:3"},
      {"heliograph-flow 1\ntemplate t\nedge 0 1 0 0\n", "an instance is missing", "f:3"},
      {"heliograph-flow 1\ntemplate t\nedge 0 1 0 0 1\nentry 0\n", "an edge from 0 to 1 leaves the template",
       "f, template 0 't'"},
      {"heliograph-flow 1\ntemplate t\ncall callee=0\nentry 0\n", "template 't' calls itself", "f"},
      {"heliograph-flow 1\ntemplate t\nentry 0 0\n", "'0' is too much here", "f:3"},
      {"heliograph-flow 1\ntemplate t\nentry 0\nentry 0\n", "the entry is already given in line 3", "f:4"},
      {"heliograph-flow 1\ntemplat t\n", "unknown line 'templat'", "f:2"},
      {"heliograph-flow 1\ntemplate t\nentry 0", "the file ends in the middle of a line and may be cut off", "f:3"},
  };
  for (const Wrong& wrong : wrongs) {
    try {
      parse_program(wrong.text, "f");
      ADD_FAILURE() << "read: " << wrong.text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.message(), wrong.message) << wrong.text;
      EXPECT_EQ(error.place(), wrong.place) << wrong.text;
    }
  }
}

// Template i calls i + 1: whoever walks 100,000 calls within each other by recursion has no stack for them. Backwards, where each callee
// is known before its caller is looked at, the chain is as long.
TEST(ProgramFile, CallsReachSoDeepAndNoDeeper) {
  const auto chain = [](std::uint32_t length, bool backwards) {
    std::string text = "heliograph-flow 1\n";
    for (std::uint32_t i = 0; i < length; ++i) {
      text += "template t\n";
      const bool ends = backwards ? i == 0 : i + 1 == length;
      text += ends ? "delay\n" : "call callee=" + std::to_string(backwards ? i - 1 : i + 1) + "\n";
    }
    return text + "entry " + std::to_string(backwards ? length - 1 : 0) + "\n";
  };
  for (const bool backwards : {false, true}) {
    EXPECT_EQ(parse_program(chain(kDeepestCalls, backwards), "f").templates.size(), kDeepestCalls);
    for (const std::uint32_t length : {kDeepestCalls + 1, 100'000u}) try {
        parse_program(chain(length, backwards), "f");
        ADD_FAILURE() << "read a chain of " << length;
      } catch (const Error& error) {
        EXPECT_EQ(error.message(), "templates call each other more than 1000 deep");
      }
  }
}

}  // namespace
}  // namespace helio::flow
