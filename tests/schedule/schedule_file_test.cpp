// SPDX-License-Identifier: Apache-2.0
#include "schedule/schedule_file.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "schedule/algorithm.h"

namespace helio::schedule {
namespace {

// What both have in each round, and what they claim.
void expect_same(const Schedule& a, const Schedule& b) {
  EXPECT_EQ(a.algorithm, b.algorithm);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.ranks, b.ranks);
  EXPECT_EQ(a.root, b.root);
  EXPECT_EQ(a.chunks, b.chunks);
  EXPECT_EQ(a.scratch, b.scratch);
  EXPECT_EQ(a.result, b.result);
  EXPECT_EQ(a.order, b.order);
  EXPECT_EQ(a.symmetry, b.symmetry);
  EXPECT_EQ(a.pieces, b.pieces);
  EXPECT_EQ(a.sets, b.sets);
  EXPECT_EQ(a.adds_commute, b.adds_commute);
  ASSERT_EQ(a.ways.size(), b.ways.size());
  for (std::size_t i = 0; i < a.ways.size(); ++i) {
    EXPECT_EQ(a.ways[i].key(), b.ways[i].key());
    EXPECT_EQ(a.ways[i].links, b.ways[i].links);
  }
  ASSERT_EQ(a.phases.size(), b.phases.size());
  for (std::size_t p = 0; p < a.phases.size(); ++p) {
    const Phase &one = a.phases[p], &other = b.phases[p];
    EXPECT_EQ(one.name, other.name);
    EXPECT_EQ(one.repeat, other.repeat);
    EXPECT_EQ(one.moves.symmetry(), other.moves.symmetry());
    ASSERT_EQ(one.moves.size(), other.moves.size());
    EXPECT_EQ(one.moves.listed().size(), other.moves.listed().size());
    for (std::size_t i = 0; i < one.moves.size(); ++i) {
      const Move m = one.moves[i], n = other.moves[i];
      EXPECT_TRUE(m.source == n.source && m.destination == n.destination && m.source_slot == n.source_slot &&
                  m.destination_slot == n.destination_slot && m.count == n.count && m.stride == n.stride &&
                  m.first_round == n.first_round && m.last_round == n.last_round && m.queue == n.queue &&
                  m.lane == n.lane && m.way == n.way && m.action == n.action && m.source_buffer == n.source_buffer &&
                  m.destination_buffer == n.destination_buffer)
          << one.name << " move " << i;
    }
  }
}

Capabilities everything(std::uint64_t nodes) {
  Capabilities can{.fabric = "any", .nodes = nodes, .reduces = true, .multicasts = true};
  can.link_rate = can.injection = can.ejection = BitRate{1e9};
  can.wavelengths = 8;
  return can;
}

// Two nodes and a switch: links 0 and 1 lead from 0 over it to 1, links 2 and 3 back.
Network two_over_a_switch() {
  const auto arc = [](std::uint32_t from, std::uint32_t to, std::uint32_t link) {
    return Network::Arc{from, to, BitRate{1e9}, Time::seconds(1e-6), link};
  };
  return {.nodes = 2, .vertices = 3, .arcs = {arc(0, 2, 0), arc(2, 1, 1), arc(1, 2, 2), arc(2, 0, 3)}};
}

// A way of two links has the latency of both; links that do not follow each other, end elsewhere or are not there are refused, and so is
// every way where nobody knows the links.
TEST(ScheduleFile, WaysAreThoseOfTheNetwork) {
  Capabilities shown = everything(2);
  shown.network = two_over_a_switch;
  const auto settled = [](const std::vector<std::uint32_t>& links, const Capabilities& capabilities) {
    std::vector<PlannedWay> ways{{.from = NodeId{0}, .to = NodeId{1}, .number = 1, .links = links}};
    settle_ways(ways, capabilities, "a.json");
    return ways.front().latency;
  };
  EXPECT_EQ(settled({0, 1}, shown), Time::seconds(2e-6));
  for (const std::vector<std::uint32_t>& links : {std::vector<std::uint32_t>{0, 2}, {1}, {0}, {}, {0, 7}}) {
    try {
      settled(links, shown);
      ADD_FAILURE() << links.size();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.place(), "a.json");
    }
  }
  EXPECT_THROW(settled({0, 1}, everything(2)), Error);
}

// Every algorithm and kind, on as many ranks as are easy, hard and few; those that refuse are nothing to write.
TEST(ScheduleFile, EveryScheduleComesBackAsItWent) {
  int written = 0;
  for (const AlgorithmEntry& entry : algorithms().entries())
    for (const Kind kind : entry.factory.kinds)
      for (const Position n : {2, 6, 16}) {
        Schedule made;
        try {
          made = build(entry.description.name, request_on_all(kind, Bytes{1e6}, n, n - 1),
                       everything(static_cast<std::uint64_t>(n)));
        } catch (const Error&) {
          continue;
        }
        SCOPED_TRACE(entry.description.name + " " + std::string(name_of(kind)) + " " + std::to_string(n));
        expect_same(made, schedule_from_text(schedule_text(made, "helio \"quoted\""), "s.json"));
        ++written;
      }
  EXPECT_GT(written, 100);
}

// A million rounds are a number in the file: 4 ranks, three rounds repeated would be 3; here one phase of 2^20 rounds that stores what is
// there already is a few hundred bytes.
TEST(ScheduleFile, RepetitionIsNotWrittenOut) {
  Schedule ring = build("ring", request_on_all(Kind::kAllReduce, Bytes{1e6}, 1024), everything(1024));
  Schedule small = build("ring", request_on_all(Kind::kAllReduce, Bytes{1e6}, 16), everything(16));
  // 2 phases of 1,024 moves, 1,023 rounds each: as long per move as that of 16
  EXPECT_LT(schedule_text(ring).size(), 64 * 2 * schedule_text(small).size());
}

std::string refused(const std::string& text, ErrorKind kind = ErrorKind::kInput) {
  try {
    schedule_from_text(text, "s.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << text;
  return "";
}
void expect_told(const std::string& message, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
}

constexpr const char* kHead =
    R"({"format": "heliograph-schedule", "version": 1, "algorithm": "mine", "kind": "all-reduce", "ranks": 2, "chunks": 1, )";

// 0 sends to 1, and nothing comes back: rank 0 lacks x(1,0). Sent twice, rank 1 has x(0,0) two times.
TEST(ScheduleFile, WhatIsMissingOrDoubledIsSaid) {
  const std::string there = R"({"from": 0, "to": 1, "do": "reduce"})", back = R"({"from": 1, "to": 0, "do": "reduce"})";
  const auto with = [](const std::string& moves) { return kHead + (R"("phases": [{"moves": [)" + moves + "]}]}"); };
  EXPECT_NO_THROW(schedule_from_text(with(there + "," + back), "s.json"));
  expect_told(refused(with(there)),
              {"s.json", "this is no all-reduce", "slot 0 of rank 0", "x(1,0) 0 times instead of 1"});
  expect_told(refused(with(there + "," + there + "," + back)),
              {"slot 0 of rank 1", "x(0,0) 2 times instead of 1", "last written"});
}

TEST(ScheduleFile, SaysWhatIsWrong) {
  const auto file = [](const std::string& rest) { return kHead + rest; };
  expect_told(refused("{"), {"s.json:1:"});
  expect_told(refused(R"({"format": "other"})"), {"format", "heliograph-schedule"});
  expect_told(refused(R"({"format": "heliograph-schedule", "version": 2})"), {"version 1"});
  expect_told(refused(file(R"("phases": [], "colour": 1})")), {"colour"});
  expect_told(refused(file(R"("phases": [{"moves": [{"from": 0, "to": 2, "do": "store"}]}]})")),
              {"destination 2 of 2"});
  expect_told(refused(file(R"("phases": [{"moves": [{"from": 0, "to": {"set": 0}, "do": "store"}]}]})")),
              {"set 0 of 0"});
  expect_told(refused(file(R"("phases": [{"moves": [{"from": 0, "to": 1, "do": "adds"}]}]})")), {"adds", "reduce"});
  expect_told(refused(file(R"("phases": [{"repeat": 0, "moves": []}]})")), {"phases[0].repeat"});
  expect_told(refused(file(R"("phases": [{"translates": "xor", "moves": [{"from": 0, "to": 1, "do": "store"}]}]})")),
              {"2 ranks", "1 slots"});
  expect_told(refused(file(R"("phases": [{"runs": [], "moves": []}]})")), {"no run"});
  expect_told(
      refused(
          file(R"("phases": [{"runs": [4294967295], "moves": [{"from": 0, "to": 1, "to_slot": 1, "do": "store"}]}]})")),
      {"past the last slot"});
  // Rotation shifts ends, so that a set has no translates; and xor needs powers of two
  const std::string three =
      R"({"format": "heliograph-schedule", "version": 1, "algorithm": "m", "kind": "all-reduce", "ranks": 3, "chunks": 3, "phases": [{"translates": ")";
  expect_told(refused(three + R"(xor", "moves": [{"from": 0, "to": 1, "do": "store"}]}]})"), {"no power of two"});
  expect_told(refused(three + R"(rotation", "moves": [{"from": {"set": 0}, "to": 1, "do": "store"}]}]})"),
              {"no translates"});
}

}  // namespace
}  // namespace helio::schedule
