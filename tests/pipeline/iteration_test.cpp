// SPDX-License-Identifier: Apache-2.0
#include "pipeline/iteration.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "pipeline/config_file.h"

namespace helio::pipeline {
namespace {

std::vector<IterationResult> run_text(const std::string& text, bool jump = true, bool trace = false) {
  RunOptions options;
  options.jump = jump;
  options.trace = trace;
  return run_jobs(interpret(parse_draft(text, "test.toml")), options);
}

// A switch so fast that nothing but computing takes time; sends cost nothing to start.
const std::string kFreeNetwork = R"(
[fabric]
name = "switch"
latency = "0 s"
rate = "900 Pb/s"
)";

std::string gpt(const std::string& keys, int layers = 8) {
  return "[[job]]\nmodel = \"gpt\"\n" + keys + "\n[job.model_parameters]\nlayers = " + std::to_string(layers) +
         "\nhidden = 256\nheads = 8\nsequence = 64\nvocabulary = 1024\n[job.compute]\ntransfer_launch = \"0 s\"\n";
}

// Stages of unequal work, so the general bound: the fill before a stage, its own work, and the drain after it. With free sends
// 1F1B and GPipe both take max over stages of that, which for two stages f0, b0, f1, b1 and M micro-batches is bounded below by
// M (f1 + b1) + f0 + b0 and M (f0 + b0) + f1 + b1. Here: both schedules give the same time, above both.
TEST(Iteration, GpipeAndOneForwardOneBackwardTakeEquallyLong) {
  const std::string keys = "tp = 1\npp = 4\nmicro_batches = 6\nclip = false\nschedule = ";
  const std::string fabric = "[fabric]\nname = \"switch\"\nnodes = 4\nlatency = \"0 s\"\nrate = \"900 Pb/s\"\n";
  const auto a = run_text(fabric + gpt(keys + "\"gpipe\""))[0], b = run_text(fabric + gpt(keys + "\"1f1b\""))[0];
  EXPECT_NEAR(a.time_s, b.time_s, 1e-3 * a.time_s);
  EXPECT_GT(a.time_s, a.bound_s);
}

// One NPU: nothing but computing, so the time is the bound and the exposed time is all computing.
TEST(Iteration, OneNpuOnlyComputes) {
  const auto r = run_text(kFreeNetwork + "nodes = 1\n" + gpt("micro_batches = 3"))[0];
  EXPECT_NEAR(r.time_s, r.bound_s, 1e-12);
  EXPECT_NEAR(r.exposed_s[0], r.time_s, 1e-12);
  EXPECT_NEAR(r.npu_utilisation, 1, 1e-9);
  EXPECT_EQ(r.samples_per_s * r.time_s, 3);
}

// Interleaving two chunks over two stages shortens the fill: never slower when sends are free.
TEST(Iteration, InterleavingShortensTheBubble) {
  const std::string fabric = "[fabric]\nname = \"switch\"\nnodes = 2\nlatency = \"0 s\"\nrate = \"900 Pb/s\"\n";
  const std::string keys = "pp = 2\nmicro_batches = 4\n";
  const double plain = run_text(fabric + gpt(keys))[0].time_s;
  const double turns = run_text(fabric + gpt(keys + "schedule = \"interleaved\"\nchunks = 2\n"))[0].time_s;
  EXPECT_LT(turns, plain);
}

// Replicas that hide their reductions behind backward are never slower than those that wait.
TEST(Iteration, OverlapHidesReductions) {
  const std::string fabric = "[fabric]\nname = \"cluster\"\nnodes = 16\n";
  const std::string keys = "micro_batches = 1\nbucket = \"1 MB\"\noverlap = ";
  const auto hidden = run_text(fabric + gpt(keys + "true"))[0], after = run_text(fabric + gpt(keys + "false"))[0];
  EXPECT_LT(hidden.exposed_s[3], after.exposed_s[3]);
}

// Ten iterations are ten times one.
TEST(Iteration, IterationsRepeat) {
  const std::string fabric = "[fabric]\nname = \"cluster\"\nnodes = 16\n";
  const std::string keys = "tp = 2\npp = 2\nmicro_batches = 4\n";
  const double once = run_text(fabric + gpt(keys))[0].time_s;
  EXPECT_NEAR(run_text(fabric + gpt(keys + "iterations = 10\n"))[0].time_s, once, 1e-9 * once);
}

// Experts that nobody else holds have nothing to reduce: the optimiser must still wait for their backward.
TEST(Iteration, TheOptimiserWaitsForBackwardWithoutReductions) {
  const auto r =
      run_text("[fabric]\nname = \"cluster\"\nnodes = 16\n[[job]]\nmodel = \"dlrm\"\nmicro_batch = 2048\nep = 16\n")[0];
  EXPECT_GE(r.time_s, r.bound_s);
  EXPECT_LE(r.npu_utilisation, 1);
}

TEST(Iteration, TracesAreBounded) {
  const auto r = run_text("[fabric]\nname = \"cluster\"\nnodes = 16\n" + gpt("tp = 2\npp = 2\nmicro_batches = 4\n"),
                          true, true)[0];
  EXPECT_FALSE(r.trace.empty());
  EXPECT_FALSE(r.trace_cut);
  for (const TraceEvent& bar : r.trace) EXPECT_LT(bar.row, r.trace_rows.size());
  RunOptions few;
  few.trace = true;
  few.trace_limit = 10;
  const auto cut = run_jobs(
      interpret(parse_draft("[fabric]\nname = \"cluster\"\nnodes = 16\n" + gpt("tp = 2\nmicro_batches = 4\n"), "t")),
      few)[0];
  EXPECT_LE(cut.trace.size(), 10u);
  EXPECT_TRUE(cut.trace_cut);
}

// The replicas of all stages reduce at the same time, each stage by requests of its own. On FRED's chiplets their groups must be given
// different uplinks: dp of 2-5-2 routes in every plane, so it takes as long as on the flat switch. And what does not route together
// (papers/fred.md 2.3: dp of 1-2-3 with two middle switches) is refused, although each stage's groups would route alone.
TEST(Iteration, GroupsOfAllStagesAreSettledTogether) {
  const auto text = [](const std::string& fabric, const std::string& keys) {
    return "[fabric]\nname = \"fred\"\n" + fabric +
           gpt(keys + "rank_order = \"tp,pp,dp\"\noverlap = false\nclip = false\nmicro_batches = 1\n");
  };
  const std::string wafer = "tp = 2\npp = 2\ndp = 5\n";
  const auto dp = static_cast<std::size_t>(placement::Activity::kDp);
  const double flat = run_text(text("", wafer))[0].exposed_s[dp];
  EXPECT_GT(flat, 0);
  EXPECT_NEAR(run_text(text("structure = \"chiplets\"\n", wafer))[0].exposed_s[dp], flat, 1e-6 * flat);
  try {
    run_text(text("middle = 2\n", "tp = 1\npp = 3\ndp = 2\nnpus = 6\n"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("share an edge element"), std::string::npos) << error.message();
  }
}

TEST(Iteration, JobsNeedNodesOfTheirOwn) {
  const std::string fabric = "[fabric]\nname = \"cluster\"\nnodes = 16\n";
  try {
    run_text(fabric + gpt("npus = 8\nname = \"a\"") + gpt("npus = 8\nfirst_node = 4\nname = \"b\""));
    FAIL() << "ran";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE(error.message().find("serves both 'a' and 'b'"), std::string::npos);
  }
}

// Random strategies on a cluster: what the engine skips changes nothing, the exposed times add up, the time is not below what
// the busiest NPU computes, and a faster network does not cost time.
RC_GTEST_PROP(Iteration, IsWhole, ()) {
  const int tp = 1 << *rc::gen::inRange(0, 3), pp = 1 << *rc::gen::inRange(0, 3), dp = 1 << *rc::gen::inRange(0, 3);
  const int nodes = tp * pp * dp;
  const std::string order = *rc::gen::element<std::string>("gpipe", "1f1b", "interleaved");
  std::string keys = "tp = " + std::to_string(tp) + "\npp = " + std::to_string(pp) + "\ndp = " + std::to_string(dp) +
                     "\nschedule = \"" + order + "\"\nmicro_batches = " + std::to_string(pp * *rc::gen::inRange(1, 4)) +
                     "\nzero = " + std::to_string(*rc::gen::inRange(0, 4)) +
                     "\noverlap = " + (*rc::gen::arbitrary<bool>() ? "true" : "false") +
                     "\nblocking_sends = " + (*rc::gen::arbitrary<bool>() ? "true" : "false") + "\nbucket = \"1 MB\"" +
                     "\nsequence_parallel = " + (*rc::gen::arbitrary<bool>() ? "true" : "false") + "\nrecompute = \"" +
                     *rc::gen::element<std::string>("none", "selective", "full") + "\"\n";
  if (order == "interleaved" && pp <= 4) keys += "chunks = 2\n";
  if (*rc::gen::arbitrary<bool>()) keys += "priorities = [\"tp\", \"pp\", \"dp\"]\n";
  const bool tree = *rc::gen::arbitrary<bool>();
  const std::string fabric =
      "[fabric]\nname = \"cluster\"\nprotocol = \"none\"\nnodes = " + std::to_string(std::max(8, nodes)) +
      (tree ? "\nnetwork = \"fat-tree\"\noversubscription = 2\n" : "\n");
  keys += "npus = " + std::to_string(nodes) + "\n";
  const auto fast = run_text(fabric + gpt(keys))[0], slow = run_text(fabric + gpt(keys), false)[0];
  RC_ASSERT(std::abs(fast.time_s - slow.time_s) <= 1e-9 * slow.time_s);
  RC_ASSERT(fast.time_s >= fast.bound_s * (1 - 1e-12));
  const double sum = std::accumulate(fast.exposed_s.begin(), fast.exposed_s.end(), 0.0);
  RC_ASSERT(std::abs(sum - fast.time_s) <= 1e-9 * fast.time_s);
}

const std::string kOddl64 = "[fabric]\nname = \"oddl\"\nnodes = 64\n";

std::string text_of(const Facts& facts, const std::string& name) {
  for (const Fact& fact : facts)
    if (fact.name == name) return std::get<std::string>(fact.value);
  return "missing";
}
double number_of(const Facts& facts, const std::string& name) {
  for (const Fact& fact : facts)
    if (fact.name == name) return std::get<double>(fact.value);
  return -1;
}

// 64 nodes in two groups of 32. Tensor pairs (2i, 2i + 1) stay in their group: 32 destinations, so 32 channels. Halving and doubling
// over every second node reaches distances 2 to 32, so that either group sends to all 64 nodes: the job needs 64. Set-up of a lone
// flow: 617.4 ns of control and 220 ns dark (papers/oddl.md 2.3).
TEST(Iteration, CarriesWhatTheFabricTellsOfAllCollectives) {
  const auto run_with = [](const std::string& keys) {
    return run_text(kOddl64 + gpt(keys) + "[job.algorithm]\ndp = \"halving-doubling\"\n")[0];
  };
  const IterationResult r = run_with("tp = 2\ndp = 32\nmicro_batches = 1\n");
  EXPECT_EQ(number_of(r.facts, "channels"), 64);
  EXPECT_EQ(number_of(r.facts, "planes"), 1);
  EXPECT_NEAR(number_of(r.facts, "setup_s"), 837.4e-9, 1e-15);
  EXPECT_EQ(number_of(r.facts, "wss_s"), 0.05);
  EXPECT_EQ(text_of(r.facts, "isolation"), "masked; physical");  // pairs fill no group, all replicas together do
  EXPECT_GT(number_of(r.facts, "control_messages"), 0);
  EXPECT_EQ(number_of(r.facts, "control_messages_lost"), 0);
  EXPECT_GE(r.wavelengths_used, 32u);
  EXPECT_EQ(r.label, "ours");
  EXPECT_NE(r.assumptions.back().find("only the abstract"), std::string::npos);
  EXPECT_NE(r.critical_path.find("; exchanges were "), std::string::npos) << r.critical_path;

  // All of both groups; and half of the second group belongs to somebody else
  EXPECT_EQ(text_of(run_with("dp = 64\nmicro_batches = 1\n").facts, "isolation"), "physical");
  EXPECT_EQ(text_of(run_with("npus = 48\ndp = 48\nmicro_batches = 1\n").facts, "isolation"), "masked");
}

// A switch has nothing to tell.
TEST(Iteration, NoFactsWhereThereAreNone) {
  const IterationResult r = run_text(kFreeNetwork + "nodes = 4\n" + gpt("tp = 2\nmicro_batches = 1\n"))[0];
  EXPECT_TRUE(r.facts.empty());
  EXPECT_EQ(r.wavelengths_used, 0u);
  EXPECT_EQ(r.label, "ours");  // computing was fitted, the network was not: the weaker decides
}

// 256 nodes in groups of 32: halving and doubling reaches the own group and those 1, 2 and 4 groups away, 128 nodes; a plane has 96
// channels. The fabric's own advice is kept.
TEST(Iteration, ARefusedJobHearsWhatWouldWork) {
  try {
    run_text("[fabric]\nname = \"oddl\"\nnodes = 256\nplanes = 1\n" + gpt("dp = 256\nmicro_batches = 1\n") +
             "[job.algorithm]\ndp = \"halving-doubling\"\n");
    ADD_FAILURE() << "carried";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("needs 128 channels a group"), std::string::npos) << error.message();
    EXPECT_NE(error.advice().find("two-level"), std::string::npos) << error.advice();
    EXPECT_NE(error.advice().find("under [job.algorithm]"), std::string::npos) << error.advice();
  }
}

}  // namespace
}  // namespace helio::pipeline
