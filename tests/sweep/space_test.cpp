// SPDX-License-Identifier: Apache-2.0
#include "sweep/space.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"

namespace helio::sweep {
namespace {

std::string line(const Space& space, std::uint64_t point) {
  std::string text;
  for (const std::string& word : space.words_of(space.values(point))) text += (text.empty() ? "" : "|") + word;
  return text;
}

void expect_wrong(const std::string& text, const std::string& place, const std::string& words) {
  try {
    parse_space(text, "s.toml");
    ADD_FAILURE() << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput) << text;
    EXPECT_EQ(error.place(), place) << text;
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

// Two keys of [vary] and two that walk together: 2 · 3 · 2 points, the last axis the fastest.
TEST(Space, PointsAreComputedFromTheirNumber) {
  const Space space = parse_space(R"(
command = "helio collective {kind} --bytes '1 MB'"
[vary]
kind = ["all-reduce", "reduce"]
max_hops = {from = 1, to = 5, step = 2}
[[together]]
fabric.rate = ["1 Gb/s", "2 Gb/s"]
fabric.latency = ["1 us", "2 us"]
)",
                                  "s.toml");
  EXPECT_EQ(space.points(), 12u);
  EXPECT_EQ(line(space, 0),
            "collective|all-reduce|--bytes|1 MB|--max-hops|1|--set|fabric.latency=1 us|--set|fabric.rate=1 Gb/s");
  EXPECT_EQ(line(space, 1),
            "collective|all-reduce|--bytes|1 MB|--max-hops|1|--set|fabric.latency=2 us|--set|fabric.rate=2 Gb/s");
  EXPECT_EQ(line(space, 11),
            "collective|reduce|--bytes|1 MB|--max-hops|5|--set|fabric.latency=2 us|--set|fabric.rate=2 Gb/s");
  std::set<std::string> all;
  for (std::uint64_t i = 0; i < space.points(); ++i) all.insert(line(space, i));
  EXPECT_EQ(all.size(), 12u);
}

TEST(Space, RangesAndDivisors) {
  const Space space = parse_space(R"(
command = "collective all-reduce --nodes 12"
[vary]
a = {from = 1, to = 100, times = 3}
b = "divisors"
c = "divisors of 8"
d = {from = 1, to = 2, step = 0.5, unit = "MB"}
)",
                                  "s.toml");
  ASSERT_EQ(space.axes.size(), 4u);
  EXPECT_EQ(space.axes[3].values[1], std::vector<std::string>{"1.5 MB"});
  EXPECT_EQ(space.axes[0].values.size(), 5u);  // 1, 3, 9, 27, 81
  EXPECT_EQ(space.axes[0].values.back(), std::vector<std::string>{"81"});
  EXPECT_EQ(space.axes[1].values.size(), 6u);  // 1, 2, 3, 4, 6, 12
  EXPECT_EQ(space.axes[2].values.size(), 4u);  // 1, 2, 4, 8
}

// 10^18 combinations: a hundred of them, all different, the same for the same seed.
TEST(Space, SamplesAreSeeded) {
  const auto draw = [](int seed) {
    std::string text = "command = \"collective reduce\"\nsample = 100\nseed = " + std::to_string(seed) + "\n[vary]\n";
    for (const char* key : {"a", "b", "c", "d", "e", "f"})
      text += std::string(key) + " = {from = 1, to = 1000, step = 1}\n";
    return parse_space(text, "s.toml");
  };
  const Space one = draw(1);
  EXPECT_EQ(one.points(), 100u);
  EXPECT_EQ(std::set<std::uint64_t>(one.drawn.begin(), one.drawn.end()).size(), 100u);
  EXPECT_EQ(one.drawn, draw(1).drawn);
  EXPECT_NE(one.drawn, draw(2).drawn);
  EXPECT_GT(one.drawn.back(), 5e17);  // all 100 in the lower half: 2^-100
}

TEST(Space, SaysWhatIsWrong) {
  const std::string head = "command = \"collective reduce\"\n";
  expect_wrong("[vary]\na = [1]\n", "s.toml", "without a command");
  expect_wrong(head, "s.toml", "nothing varies");
  expect_wrong(head + "[vary]\na = 1\n", "s.toml:3:5", "no list");
  expect_wrong(head + "[vary]\na = [1, 1]\n", "s.toml:3:5", "twice");
  expect_wrong(head + "[vary]\na = []\n", "s.toml:3:5", "empty");
  expect_wrong(head + "[vary]\na = [1]\n[[together]]\na = [2]\n", "s.toml:5:1", "varies twice");
  expect_wrong(head + "[[together]]\na = [1]\nb = [1, 2]\n", "s.toml:4:1", "2 values");
  expect_wrong(head + "[vary]\na = {from = 3, to = 1, step = 1}\n", "s.toml:3:5", "no range");
  expect_wrong(head + "[vary]\na = \"divisors\"\n", "s.toml:3:5", "of what");
  expect_wrong(head + "[vary]\na = \"divisors of 9223372036854775807\"\n", "s.toml:3:5", "more than 1000000000000");
  expect_wrong(head + "sampel = 3\n[vary]\na = [1]\n", "s.toml:2:1", "sampel");
  expect_wrong(head + "sample = 3\n[vary]\na = [1]\n", "s.toml:2:10", "sample of 3 among 1");
  expect_wrong("command = \"collective 'reduce\"\n[vary]\na = [1]\n", "s.toml:1:11", "quote");
  std::string large = head + "[vary]\n";
  for (const char* key : {"a", "b", "c", "d"}) large += std::string(key) + " = {from = 1, to = 1000, step = 1}\n";
  expect_wrong(large, "s.toml", "1e+12 points");
}

}  // namespace
}  // namespace helio::sweep
