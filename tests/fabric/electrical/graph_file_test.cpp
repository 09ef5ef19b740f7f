// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/graph_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"

namespace helio::fabric {
namespace {

// "place: message" of the error that the text raises.
std::string error_of(const std::string& text, ErrorKind kind = ErrorKind::kInput) {
  try {
    parse_graph(text, "g.txt");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_FALSE(error.advice().empty());
    return error.place() + ": " + error.message();
  }
  return "";
}

TEST(GraphFile, SaysWhatItSays) {
  const Graph g = parse_graph(
      "# a small one\n"
      "node a b\n"
      "\n"
      "switch s   # in the middle\n"
      "\tnode c\r\n"
      "link a s 400 Gb/s 500 ns x2\n"
      "link s b 100Gb/s\n"
      "link b c 1 Tb/s 0 oneway\n"
      "link c b 50GB/s oneway x3\n",
      "g.txt");
  ASSERT_EQ(g.vertices.size(), 4u);
  EXPECT_EQ(g.vertices[2].name, "s");
  EXPECT_TRUE(g.vertices[2].is_switch);
  EXPECT_EQ(g.ranks, (std::vector<std::uint32_t>{0, 1, 3}));  // a, b, c
  ASSERT_EQ(g.arcs.size(), 6u);                               // two both ways, two one way
  EXPECT_EQ(g.arcs[0].count, 2u);
  EXPECT_EQ(g.arcs[1].from, 2u);
  EXPECT_EQ(g.arcs[1].to, 0u);
  EXPECT_EQ(g.arcs[1].latency, Time::seconds(500e-9));
  EXPECT_FALSE(g.arcs[2].latency);
  EXPECT_EQ(g.arcs[4].rate.value, 1e12);
  EXPECT_EQ(g.arcs[4].latency, Time());
  EXPECT_EQ(g.arcs[5].rate.value, 400e9);
  EXPECT_EQ(g.arcs[5].count, 3u);
}

// Vectors of 1 MB find the whole rate, of 4 MB and more a quarter; 2 MB lie half way in logarithms: a half.
TEST(GraphFile, LongVectorsMayBeSlower) {
  const Graph g = parse_graph("node a b\nlink a b 8Gb/s 1 us 1MB:8Gb/s 4MB:2Gb/s\n", "g.txt");
  EXPECT_EQ(g.arcs[1].latency, Time::seconds(1e-6));
  ASSERT_EQ(g.slowings.size(), 2u);
  EXPECT_EQ(g.slowings[1].arc, 1u);
  for (const auto& [megabytes, slower] : {std::pair(0.5, 1.0), {1.0, 1.0}, {2.0, 2.0}, {4.0, 4.0}, {64.0, 4.0}})
    EXPECT_DOUBLE_EQ(g.slowing(g.slowings[1], Bytes{megabytes * 1e6}), slower) << megabytes;
}

TEST(GraphFile, MistakesAreFoundWhereTheyAre) {
  const std::string two = "node a b\n";
  EXPECT_EQ(error_of(two + "link a c 1Gb/s\n"), "g.txt:2:8: there is no node or switch 'c' above");
  EXPECT_EQ(error_of(two + "switch s a\n"), "g.txt:2:10: 'a' was named before, on line 1");
  EXPECT_EQ(error_of(two + "link a b 1Gb/s\nlink b a 2Gb/s\n"),
            "g.txt:3:1: there is a link from 'b' to 'a' already, on line 2");
  EXPECT_EQ(error_of(two + "link a b 1Gb/s\nlink a b 2Gb/s oneway\n"),
            "g.txt:3:1: there is a link from 'a' to 'b' already, on line 2");
  EXPECT_EQ(error_of(two + "link a b 1Gb/s 1MB:2Gb/s\n"), "g.txt:2:16: '1MB:2Gb/s' is not within the rate of the link");
  EXPECT_EQ(error_of(two + "link a b 1Gb/s 4MB:1Gb/s 1MB:1Gb/s\n"),
            "g.txt:2:26: '1MB:1Gb/s': sizes of vectors rise from word to word");
  EXPECT_EQ(error_of(two + "link a b 0Gb/s\n"), "g.txt:2:10: a link cannot have the rate '0Gb/s'");
  EXPECT_EQ(error_of(two + "link a b 0\n"), "g.txt:2:10: a link cannot have the rate '0'");
  EXPECT_EQ(error_of(two + "link a b -3 Gb/s\n").substr(0, 10), "g.txt:2:10");
  EXPECT_EQ(error_of(two + "link a b 3 Gb\n").substr(0, 10), "g.txt:2:10");
  EXPECT_EQ(error_of(two + "link a b 3\n").substr(0, 10), "g.txt:2:10");
  EXPECT_EQ(error_of(two + "link a b 3Gb/s -1us\n").substr(0, 10), "g.txt:2:16");
  EXPECT_EQ(error_of(two + "link a b 3Gb/s 1\n").substr(0, 10), "g.txt:2:16");
  EXPECT_EQ(error_of(two + "link a b 3Gb/s 1us x0\n"), "g.txt:2:20: 'x0' is no number of parallel links");
  EXPECT_EQ(error_of(two + "link a b 3Gb/s x2 x2\n"), "g.txt:2:19: 'x2' does not belong to a link");
  EXPECT_EQ(error_of(two + "link a b 3Gb/s both\n"), "g.txt:2:16: 'both' does not belong to a link");
  EXPECT_EQ(error_of(two + "link a a 1Gb/s\n"), "g.txt:2:8: 'a' is linked to itself");
  EXPECT_EQ(error_of(two + "link a b\n"), "g.txt:2:9: a link needs two ends and a rate");
  EXPECT_EQ(error_of(two + "lnik a b 1Gb/s\n"), "g.txt:2:1: unknown line 'lnik'");
  EXPECT_EQ(error_of("node\n"), "g.txt:1:5: 'node' without a name");
}

TEST(GraphFile, WhatIsNoWholeGraphIsRefused) {
  EXPECT_EQ(error_of(""), "g.txt:1:1: the graph file is empty");
  EXPECT_EQ(error_of("# nothing\n\n"), "g.txt:2:1: the graph has no node");
  EXPECT_EQ(error_of("switch s\n"), "g.txt:1:1: the graph has no node");
  EXPECT_EQ(error_of("node a b\nlink a b 1Gb"), "g.txt:2:13: the file ends in the middle of a line and may be cut off");
  EXPECT_EQ(error_of("node a\nnode b " + std::string(70'000, ' ') + "\n"),
            "g.txt:2:65537: the line is longer than 65536 bytes");
  EXPECT_EQ(error_of("node " + std::string(300, 'n') + "\n"), "g.txt:1:6: the word is longer than 255 bytes");
  EXPECT_EQ(error_of(std::string("node a\0b\n", 9)), "g.txt:1:7: the line holds a byte that is no text");
  EXPECT_EQ(parse_graph("node alone\n", "g.txt").ranks.size(), 1u);
}

// It can be read, but nobody can be served.
TEST(GraphFile, EveryRankMustReachEveryOther) {
  EXPECT_EQ(error_of("node a b c\nlink a b 1Gb/s\n", ErrorKind::kInfeasible),
            "g.txt:1:10: node 'c' cannot be reached from node 'a'");
  EXPECT_EQ(error_of("node a b\nlink b a 1Gb/s oneway\n", ErrorKind::kInfeasible),
            "g.txt:1:8: node 'b' cannot be reached from node 'a'");
  EXPECT_EQ(error_of("node a b\nlink a b 1Gb/s oneway\n", ErrorKind::kInfeasible),
            "g.txt:1:8: node 'a' cannot be reached from node 'b'");
  // One way round is enough, and a switch may hang loose.
  EXPECT_EQ(error_of("node a b c\nswitch s\nlink a b 1b/s oneway\nlink b c 1b/s oneway\nlink c a 1b/s oneway\n"), "");
}

TEST(GraphFile, AFileThatIsNotThereIsReportedWhereItWasNamed) {
  for (const char* path : {"/no/such/file.txt", "/"}) try {
      read_graph(path, "--set fabric.file");
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.place(), "--set fabric.file");
      EXPECT_NE(error.message().find(path), std::string::npos);
    }
}

// Whatever the bytes: a graph or an Error, nothing else.
RC_GTEST_PROP(GraphFile, AnythingIsReadOrRefused, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "node ", "switch ", "link ", "a", "b", "c", " ", "\n", "\n", "1Gb/s", "2 Gb/s ", " 5us", " x2", " oneway", "#",
      "\t", "\r", "0", "-1", "e9", std::string(1, '\0'), "\xff"));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  try {
    const Graph g = parse_graph(text, "any");
    RC_ASSERT(!g.ranks.empty());
    for (const Graph::Arc& arc : g.arcs) {
      RC_ASSERT(arc.from < g.vertices.size() && arc.to < g.vertices.size() && arc.from != arc.to);
      RC_ASSERT(arc.rate.value > 0);
    }
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::kInput);
    RC_ASSERT(error.place().starts_with("any:"));
  }
}

}  // namespace
}  // namespace helio::fabric
