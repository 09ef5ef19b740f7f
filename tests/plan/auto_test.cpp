// SPDX-License-Identifier: Apache-2.0
#include "plan/auto.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/budget.h"
#include "base/error.h"
#include "pipeline/asking.h"
#include "schedule/algorithm.h"

namespace helio::plan {
namespace {

using pipeline::Alternative;
using pipeline::asking;
using pipeline::Result;
using pipeline::Texts;

const Texts kSwitch = {{"name", "switch"}, {"nodes", "8"}};

Texts with(Texts texts, const std::string& key, const std::string& text) {
  texts[key] = text;
  return texts;
}

Texts collective(const char* kind, const char* bytes = "1 MB") { return {{"kind", kind}, {"bytes", bytes}}; }

Result auto_answer(const Texts& fabric, const Texts& keys, const pipeline::RunOptions& options = {}) {
  return answer(asking(fabric, keys), options).front();
}

// Those that are tried on fabrics that have no levels.
std::set<std::string> with_kind(schedule::Kind kind) {
  std::set<std::string> names;
  for (const auto& entry : schedule::algorithms().entries())
    if (std::ranges::count(entry.factory.kinds, kind)) names.insert(entry.description.name);
  names.erase("by-level");
  return names;
}

const Alternative& named(const Result& result, const std::string& algorithm) {
  const auto found = std::ranges::find(result.alternatives, algorithm, &Alternative::algorithm);
  if (found == result.alternatives.end()) throw std::logic_error("no alternative " + algorithm);
  return *found;
}

// Through a switch with ports of 50 GB/s and 2 x 0.5 us, 1 MB among 8: direct sends 7/8 MB twice, 2 x (17.5 + 1) us = 37 us;
// halving-doubling as much in six steps, 35 + 6 us; ring in fourteen, 35 + 14 us.
TEST(Auto, TheFastestWinsAndTheOthersAreInTheTable) {
  const Result r = auto_answer(kSwitch, collective("all-reduce"));
  EXPECT_EQ(r.asked_algorithm, "auto");
  EXPECT_EQ(r.algorithm, "direct");
  EXPECT_DOUBLE_EQ(r.time_s, 37e-6);
  EXPECT_FALSE(r.verified);
  EXPECT_EQ(named(r, "halving-doubling").verdict, "slower");
  EXPECT_DOUBLE_EQ(named(r, "halving-doubling").time->to_seconds(), 41e-6);
  EXPECT_EQ(named(r, "halving-doubling").steps, 6u);
  EXPECT_EQ(named(r, "halving-doubling").reason, "takes 10.8 % longer");  // 41/37
  EXPECT_DOUBLE_EQ(named(r, "ring").time->to_seconds(), 49e-6);

  // A switch without reducers
  EXPECT_EQ(named(r, "in-fabric").verdict, "infeasible");
  EXPECT_FALSE(named(r, "in-fabric").time.has_value());
  EXPECT_NE(named(r, "in-fabric").reason.find("reduces"), std::string::npos);
}

TEST(Auto, ANamedAlgorithmIsNotSearchedFor) {
  const Result r = auto_answer(kSwitch, with(collective("all-reduce"), "algorithm", "ring"));
  EXPECT_EQ(r.algorithm, "ring");
  EXPECT_EQ(r.asked_algorithm, "");
  EXPECT_TRUE(r.alternatives.empty());
}

TEST(Auto, MoreIsAskedOfTheWinnerOnly) {
  const Result r = auto_answer(kSwitch, with(collective("all-reduce"), "verify", "true"), {.trace = true});
  EXPECT_TRUE(r.verified);
  EXPECT_FALSE(r.trace.empty());
  EXPECT_EQ(r.algorithm, "direct");
  EXPECT_FALSE(r.alternatives.empty());
}

TEST(Auto, AKindWithOneAlgorithmHasNoAlternatives) {
  for (const schedule::Kind kind : schedule::kAllKinds) {
    if (with_kind(kind).size() != 1) continue;
    const Result r = auto_answer(kSwitch, {{"kind", std::string(schedule::name_of(kind))}, {"bytes", "1 MB"}});
    EXPECT_EQ(r.algorithm, *with_kind(kind).begin());
    EXPECT_EQ(r.asked_algorithm, "auto");
    EXPECT_TRUE(r.alternatives.empty());
  }
}

// Nothing moves, so all are as fast and the names decide.
TEST(Auto, OneRankIsDoneAtOnce) {
  for (const schedule::Kind kind : schedule::kAllKinds) {
    const Result r =
        auto_answer(with(kSwitch, "nodes", "1"), {{"kind", std::string(schedule::name_of(kind))}, {"bytes", "1 MB"}});
    EXPECT_TRUE(r.time.is_zero());
    EXPECT_EQ(r.algorithm, *with_kind(kind).begin());
    for (const Alternative& other : r.alternatives) EXPECT_EQ(other.verdict, "equal") << other.algorithm;
  }
}

// With latency 0 ring and bidirectional-ring through one port take the same time; a tie goes to fewer steps, then to the name.
TEST(Auto, TiesAreBroken) {
  const Result r = auto_answer(kSwitch, collective("all-reduce"));
  std::vector<std::tuple<Time, std::uint64_t, std::string>> ran = {{r.time, r.steps, r.algorithm}};
  for (const Alternative& other : r.alternatives)
    if (other.time) ran.emplace_back(*other.time, other.steps, other.algorithm);
  EXPECT_TRUE(std::ranges::is_sorted(ran));
  const auto did_not_run = [](const Alternative& other) { return !other.time; };
  EXPECT_TRUE(std::ranges::is_partitioned(r.alternatives, std::not_fn(did_not_run)));
}

// Direct makes 2 x 8 x 7 = 112 moves.
TEST(Auto, WhatTakesTooMuchWorkIsSkippedAndSaid) {
  pipeline::RunOptions options;
  options.limits.moves = 100;
  Result r = auto_answer(kSwitch, collective("all-reduce"), options);
  EXPECT_NE(r.algorithm, "direct");
  EXPECT_EQ(named(r, "direct").verdict, "skipped");
  EXPECT_NE(named(r, "direct").reason.find("112 moves, more than 100"), std::string::npos) << named(r, "direct").reason;

  // Each move crosses two links: 112 of direct in one phase, 16 of ring, whose two phases share their ways
  options.limits = {.crossings = 20};
  r = auto_answer(kSwitch, collective("all-reduce"), options);
  EXPECT_EQ(named(r, "direct").verdict, "skipped");
  EXPECT_TRUE(r.algorithm == "ring" || named(r, "ring").time.has_value());

  // Nothing fits
  options.limits = {.nodes = 7};
  try {
    auto_answer(kSwitch, collective("all-reduce"), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("8 nodes are more than 7"), std::string::npos) << error.message();
  }
}

TEST(Auto, NobodyCanIsAnErrorWithEveryReason) {
  try {
    auto_answer(with(kSwitch, "nodes", "5000"), collective("all-to-all"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("moves"), std::string::npos) << error.message();
  }
}

TEST(Auto, ParametersOfNoAlgorithmAreRefused) {
  pipeline::Experiment experiment = asking(kSwitch, collective("broadcast"), {{"chunks", "4"}});
  const auto kind_at = [&](const char* place) {
    experiment.collectives.front().algorithm.settings["chunks"].place = place;
    try {
      answer(experiment);
    } catch (const Error& error) {
      EXPECT_EQ(error.place(), place);
      EXPECT_NE(error.message().find("'chunks'"), std::string::npos);
      return error.kind();
    }
    return ErrorKind::kInfeasible;
  };
  EXPECT_EQ(kind_at("--set algorithm.chunks"), ErrorKind::kUsage);
  EXPECT_EQ(kind_at("file.toml:7:1"), ErrorKind::kInput);
}

TEST(Auto, AWrongValueIsWrongForAll) {
  EXPECT_THROW(auto_answer(with(kSwitch, "rate", "fast"), collective("all-reduce")), Error);
  try {
    auto_answer(kSwitch, with(collective("broadcast"), "root", "8"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), "collective.root");
  }
}

// On a torus of 20x20 everyone to everyone makes 2 x 400 x 399 moves. Each of its two steps puts on a link, on average, d/400 bytes of
// 400 x 399 moves over 10 x 400/399 links each, among 1,600 links: 2.5 d. Dimension by dimension a rank sends less than 2 d over four
// links at once. So it is at least 5/0.6 times slower, and no engine is needed to know. Trees of one root for all take 40 rounds, as far
// as it is, where dimension by dimension it is 76.
TEST(Auto, WhatCannotWinIsNotRun) {
  const Texts torus = {{"name", "torus"}, {"nodes", "400"}, {"dimensions", "20x20"}};
  const Result r = auto_answer(torus, collective("all-reduce", "100 MB"));
  EXPECT_EQ(r.algorithm, "fitted");
  EXPECT_EQ(r.steps, 40u);
  EXPECT_EQ(named(r, "direct").verdict, "beaten");
  EXPECT_FALSE(named(r, "direct").time.has_value());
  const std::string& reason = named(r, "direct").reason;
  ASSERT_TRUE(reason.starts_with("takes at least ")) << reason;
  EXPECT_GT(std::stod(reason.substr(15)), 5 / 0.6);
  EXPECT_TRUE(named(r, "ring").time.has_value());  // what takes little is run in any case
  EXPECT_FALSE(was_cut(r));
}

// Whatever the budget: the answer is one of those that were tried, who was left out is said, and nobody is forgotten.
TEST(Auto, TheBestSoFarWhereTheBudgetEnds) {
  const Texts torus = {{"name", "torus"}, {"nodes", "256"}, {"dimensions", "16x16"}};
  const Result whole = auto_answer(torus, collective("broadcast", "10 MB"));
  EXPECT_FALSE(was_cut(whole));
  bool answered = false;
  for (double seconds = 1e-4; !answered || seconds < 0.1; seconds *= 2) {
    ASSERT_LT(seconds, 1000);
    try {
      const Budget budget({.seconds = seconds});
      const Result r = auto_answer(torus, collective("broadcast", "10 MB"));
      answered = true;
      EXPECT_GE(r.time, whole.time);
      EXPECT_EQ(r.alternatives.size(), whole.alternatives.size());
      const auto cut = [](const Alternative& other) { return other.verdict == "cut"; };
      EXPECT_TRUE(was_cut(r) || std::ranges::none_of(r.alternatives, cut));
      if (!was_cut(r)) {
        EXPECT_EQ(r.time, whole.time);
      }
    } catch (const BudgetSpent& spent) {
      EXPECT_EQ(spent.limits.seconds, seconds);
    }
  }
  const Budget none({.seconds = 1e-12});
  EXPECT_THROW(auto_answer(torus, collective("broadcast", "10 MB")), BudgetSpent);
}

// 8 nodes, 64 wavelengths: rings and trees have one wavelength each, the plan all of them.
TEST(Auto, PlansLight) {
  const Texts ring = {{"name", "wdm-ring"}, {"nodes", "8"}};
  const Result r = auto_answer(ring, with(collective("all-reduce", "100 MB"), "verify", "true"));
  EXPECT_EQ(r.algorithm, "wdm-planned");
  EXPECT_EQ(r.asked_algorithm, "auto");
  EXPECT_TRUE(r.verified);
  EXPECT_EQ(r.time, auto_answer(ring, with(collective("all-reduce", "100 MB"), "algorithm", "wdm-planned")).time);
  EXPECT_EQ(named(r, "ring").verdict, "slower");
  EXPECT_EQ(r.alternatives.size(), with_kind(schedule::Kind::kAllReduce).size() - 1);  // light is not fitted
  EXPECT_NE(auto_answer(ring, collective("reduce-scatter")).algorithm, "wdm-planned");
}

// The remedy would run ring in the place of in-fabric; ring answers for itself.
TEST(Auto, ARemedyDoesNotWinUnderAnotherName) {
  const Result r = auto_answer(kSwitch, with(collective("all-reduce"), "remedy", "endpoint"));
  EXPECT_EQ(r.algorithm, "direct");
  EXPECT_EQ(named(r, "in-fabric").verdict, "infeasible");
}

std::string parameter(const Result& result, const std::string& owner, const std::string& name) {
  for (const pipeline::Configuration& configuration : result.configuration)
    for (const auto& [key, value] : configuration.values)
      if (configuration.owner == owner && key == name) return value;
  return "";
}

// The wafer of papers/fred.md 2.5: 5x4, 750 GB/s, 1 GB.
Texts wafer(const char* step_overhead = "0 s") {
  return {{"name", "mesh"},     {"nodes", "20"},    {"dimensions", "5x4"},
          {"rate", "750 GB/s"}, {"latency", "0 s"}, {"step_overhead", step_overhead}};
}
Result on_wafer(const Texts& parameters) {
  return pipeline::answer(wafer(), {{"kind", "all-reduce"}, {"bytes", "1 GB"}, {"algorithm", "dimension-ordered"}},
                          parameters);
}

// papers/fred.md 6.1: two equal shares in opposite orders load a row link with 2 (4/5)(1/2 + 1/8) = 1 GB, 1.3333 ms; a split of
// 11:13, rows first (dimension 0, extent 5), loads rows and columns with 0.95 GB, 1.2667 ms; the other way round rows with
// 1.05 GB. Finely pipelined that is the time, but for 13 rounds more than 16,384, fewer than 0.1 %.
TEST(InPieces, TheTimeIsTheLoadOfTheBusiestLink) {
  EXPECT_NEAR(on_wafer({{"pieces", "16384"}}).time_s, 1.0 / 750, 1e-3 / 750);
  EXPECT_NEAR(on_wafer({{"pieces", "16384"}, {"split", "11:13"}}).time_s, 0.95 / 750, 1e-3 * 0.95 / 750);
  EXPECT_NEAR(on_wafer({{"pieces", "16384"}, {"split", "13:11"}}).time_s, 1.05 / 750, 1e-3 * 1.05 / 750);

  // The whole at once. Blocks on a link of GB/10 (rows) and GB/8 (columns) in the first stages, GB/40 in the second ones. Shares
  // change after 4 rounds (rows first) and 3: 3 rounds of max(1/10, 1/8), one of 1/10 + 1/40 on rows alone, 3 of max(1/40,
  // 1/40): 3/8 + 1/8 + 3/40 = 0.575, twice.
  EXPECT_NEAR(on_wafer({}).time_s, 2 * 0.575 / 750, 1e-12);
}

// Fred-A (papers/fred.md 2.6, 6.1) as a tree of links: 5 groups of 4 at 3 TB/s, 1.5 TB/s up from each. The ring across moves
// 2 (4/5) GB over each uplink: 1.0667 ms. One after the other the stages take 2 (3/4) GB / 3 TB/s inside groups besides.
TEST(InPieces, AHierarchicalRingOnATreeOfTwoLevels) {
  const std::string path = testing::TempDir() + "/two_levels.graph";
  {
    std::ofstream file(path);
    file << "switch top l0 l1 l2 l3 l4\n";
    for (int i = 0; i < 20; ++i) file << fmt::format("node n{0}\nlink n{0} l{1} 3TB/s\n", i, i / 4);
    for (int i = 0; i < 5; ++i) file << fmt::format("link l{} top 1.5TB/s\n", i);
  }
  const auto time = [&](const char* pieces) {
    return pipeline::answer({{"name", "graph"}, {"file", path}, {"latency", "0 s"}},
                            {{"kind", "all-reduce"}, {"bytes", "1 GB"}, {"algorithm", "hierarchical-ring"}},
                            {{"group", "4"}, {"pieces", pieces}})
        .time_s;
  };
  EXPECT_NEAR(time("1"), 1.6 / 1500 + 1.5 / 3000, 1e-12);
  EXPECT_NEAR(time("16384"), 1.6 / 1500, 1e-3 * 1.6 / 1500);
}

// papers/fred.md 2.2: reduce-scatter and all-gather in the switch cost 2D, and (B+1)/B D where B buckets overlap; fused D.
TEST(InFabricApart, BucketsOverlapOnFullDuplexPorts) {
  const Texts fabric = {{"name", "switch"}, {"nodes", "8"}, {"rate", "50 GB/s"}, {"latency", "0 s"}, {"reducers", "2"}};
  const Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 GB"}, {"algorithm", "in-fabric"}};
  EXPECT_NEAR(pipeline::answer(fabric, keys).time_s, 0.02, 1e-12);
  for (const int buckets : {1, 2, 4, 16})
    EXPECT_NEAR(pipeline::answer(fabric, keys, {{"fused", "false"}, {"buckets", fmt::format("{}", buckets)}}).time_s,
                0.02 * (buckets + 1) / buckets, 1e-11);

  // Sums and copies at once are two operators
  EXPECT_THROW(pipeline::answer(with(fabric, "reducers", "1"), keys, {{"fused", "false"}, {"buckets", "2"}}), Error);
  EXPECT_NO_THROW(pipeline::answer(with(fabric, "reducers", "1"), keys, {{"fused", "false"}}));
}

// The times above for K pieces of dimension-ordered on the wafer, with the overhead a of each step: whole 14 a + 1.5333 ms, 16
// pieces 29 a + less than 1.5333, 16,384 pieces 16,397 a + 1.3334. Free steps: as many pieces as there are to try; 5 us: few;
// 50 us: 15 steps more are 0.75 ms, more than all that could be saved. In dataflow order nobody is cut so.
TEST(Auto, PiecesWhereTheyPay) {
  const auto best = [](const char* overhead, const char* sync = "step") {
    return auto_answer(wafer(overhead),
                       {{"kind", "all-reduce"}, {"bytes", "1 GB"}, {"sync", sync}, {"verify", "true"}});
  };
  const Result free = best("0 s");
  EXPECT_EQ(free.algorithm, "dimension-ordered");
  EXPECT_EQ(parameter(free, "algorithm", "pieces"), "16384");
  EXPECT_NEAR(free.time_s, 1.0 / 750, 1e-3 / 750);
  EXPECT_EQ(free.verify_method, "one-piece-of-many+explicit-sets");
  EXPECT_EQ(parameter(best("5 us"), "algorithm", "pieces"), "16");
  EXPECT_EQ(parameter(best("50 us"), "algorithm", "pieces"), "1");
  const Result flowing = best("0 s", "dataflow");
  EXPECT_EQ(flowing.algorithm, "fitted");
  EXPECT_FALSE(named(flowing, "dimension-ordered").reason.ends_with(" pieces"));

  // The others say in how many pieces they ran
  EXPECT_TRUE(named(free, "two-level").reason.ends_with(" pieces")) << named(free, "two-level").reason;
  EXPECT_EQ(named(free, "ring").reason.find("pieces"), std::string::npos);
}

// With 40 bytes among 20 ranks a piece of a rank is a byte at most in two pieces: none are tried.
TEST(Auto, APieceIsAtLeastAByte) {
  const Result r = auto_answer(wafer(), {{"kind", "all-reduce"}, {"bytes", "40 B"}});
  EXPECT_EQ(r.algorithm, "fitted");
  EXPECT_TRUE(named(r, "dimension-ordered").time.has_value());
  EXPECT_FALSE(named(r, "dimension-ordered").reason.ends_with(" pieces"));
}

// Whatever is asked: nobody run by hand is faster, everyone with the kind is accounted for once, and asking twice gives the
// same answer. Who ran in pieces was faster so. Nothing is fitted next to the bound, nor run to the end when it is slower.
RC_GTEST_PROP(Auto, IsNeverSlowerThanAnyoneByHand, ()) {
  const schedule::Kind kind =
      *rc::gen::elementOf(std::vector(std::begin(schedule::kAllKinds), std::end(schedule::kAllKinds)));
  const Texts fabric = {{"name", *rc::gen::element<std::string>("ring", "switch", "full-mesh")},
                        {"nodes", fmt::format("{}", *rc::gen::inRange(1, 14))},
                        {"rate", fmt::format("{} Gb/s", *rc::gen::inRange(1, 1000))},
                        {"latency", fmt::format("{} ns", *rc::gen::inRange(0, 5000))},
                        {"step_overhead", fmt::format("{} ns", *rc::gen::element(0, 300, 5000))}};
  Texts keys = {{"kind", std::string(schedule::name_of(kind))},
                {"bytes", fmt::format("{} B", *rc::gen::inRange(1, 10'000'000))},
                {"sync", *rc::gen::element<std::string>("step", "dataflow")}};
  const Result best = auto_answer(fabric, keys);
  const Result again = auto_answer(fabric, keys);
  RC_ASSERT(again.algorithm == best.algorithm);
  RC_ASSERT(again.time == best.time);

  std::multiset<std::string> accounted = {best.algorithm};
  for (const Alternative& other : best.alternatives) accounted.insert(other.algorithm);
  std::set<std::string> all = with_kind(kind);
  if (fabric.at("nodes") == "1") all.erase("fitted");  // no links
  RC_ASSERT(accounted == std::multiset<std::string>(all.begin(), all.end()));

  for (const std::string& algorithm : all) {
    keys["algorithm"] = algorithm;
    try {
      const Result by_hand = answer(asking(fabric, keys)).front();
      if (algorithm == "fitted" && algorithm != best.algorithm) {
        const std::string& verdict = named(best, algorithm).verdict;
        RC_ASSERT((verdict == "skipped" ? best.bound_ratio < kNearForFitted : by_hand.time >= best.time));
        if (verdict == "skipped" || verdict == "beaten") continue;
      }
      RC_ASSERT(by_hand.time >= best.time);
      if (algorithm == best.algorithm) {
        const std::string pieces = parameter(best, "algorithm", "pieces");
        if (pieces == "1" || pieces.empty())
          RC_ASSERT(by_hand.time == best.time);
        else
          RC_ASSERT(answer(asking(fabric, keys, {{"pieces", pieces}})).front().time == best.time);
      } else if (named(best, algorithm).reason.ends_with(" pieces")) {
        RC_ASSERT(named(best, algorithm).time < by_hand.time);
      } else {
        RC_ASSERT(named(best, algorithm).time == by_hand.time);
      }
    } catch (const Error& error) {
      RC_ASSERT(error.kind() == ErrorKind::kInfeasible);
      RC_ASSERT(named(best, algorithm).verdict == "infeasible");
      RC_ASSERT(named(best, algorithm).reason == error.message());
    }
  }
}

}  // namespace
}  // namespace helio::plan
