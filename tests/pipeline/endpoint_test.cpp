// SPDX-License-Identifier: Apache-2.0
// Times with adding, from closed forms. A V100's memory moves 900 GB/s: at three accesses a byte it adds A = 300 GB/s.
#include "pipeline/endpoint.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "pipeline/asking.h"
#include "pipeline/config_file.h"
#include "pipeline/iteration.h"

namespace helio::pipeline {
namespace {

double fact(const Result& result, std::string_view name) {
  for (const Fact& each : result.facts)
    if (each.name == name) return std::get<double>(each.value);
  return -1;
}

Texts all_reduce(const std::string& bytes, const std::string& algorithm, const std::string& npu = "v100") {
  Texts keys{{"kind", "all-reduce"}, {"bytes", bytes}, {"algorithm", algorithm}};
  if (!npu.empty()) keys["npu"] = npu;
  return keys;
}

// 8 ranks, 8 MB, links of B = 500 GB/s, 0.5 us. Seven rounds add 1 MB at min(A, B) = 300 GB/s, seven store it at 500:
//     7 (1e6 / 300e9 + 0.5e-6) + 7 (1e6 / 500e9 + 0.5e-6) = 26.8333 us + 17.5 us
// Without adding it is 14 x 2.5 us. Of 8 vectors 7 are added at 8 ranks: 7 MB at 300 GB/s is 23.3333 us, and a hop before the first byte.
TEST(Endpoint, AddsWhatComesRoundARing) {
  const Texts ring{{"name", "ring"}, {"nodes", "8"}, {"rate", "4 Tb/s"}, {"latency", "500 ns"}};
  const Result result = answer(ring, all_reduce("8 MB", "ring"));
  EXPECT_NEAR(result.time_s, 44.33333333e-6, 1e-13);
  EXPECT_NEAR(result.bound_s, 23.83333333e-6, 1e-13);
  EXPECT_NEAR(fact(result, "adding_s"), 9.33333333e-6, 1e-13);
  EXPECT_NE(result.bottleneck.find("; adding at the nodes is 21.1 % of the time"), std::string::npos)
      << result.bottleneck;
  EXPECT_EQ(result.traffic.value, 14 * 8e6);  // memory is no network
  EXPECT_NE(result.assumptions.front().find("3 accesses a byte to the memory of v100"), std::string::npos)
      << result.assumptions.front();
  for (const char* sync : {"step", "dataflow"}) {
    Texts keys = all_reduce("8 MB", "ring");
    keys["sync"] = sync;
    EXPECT_NEAR(answer(ring, keys, {}, {.jump = false}).time_s, 44.33333333e-6, 1e-13) << sync;
  }
}

// Four streams come to a node of a 4x4 torus in every round of reduce-scatter, and share its memory: min(B, A / 4) = 75 GB/s each, B =
// 100 GB/s. Of 64 MB a stream carries 4 MB in three rounds and 1 MB in three; all-gather the same at B:
//     3 (4e6 + 1e6) (1 / 75e9 + 1 / 100e9) + 12 x 0.5e-6 = 350 us + 6 us
TEST(Endpoint, StreamsThatAreAddedShareTheMemory) {
  const Texts torus{{"name", "torus"}, {"dimensions", "4x4"}, {"rate", "800 Gb/s"}, {"latency", "500 ns"}};
  EXPECT_NEAR(answer(torus, all_reduce("64 MB", "dimension-ordered")).time_s, 356e-6, 1e-12);
  EXPECT_NEAR(answer(torus, all_reduce("64 MB", "dimension-ordered", "")).time_s, 306e-6, 1e-12);
}

// Seven links of 100 GB/s bring 3 MB each to the root, which adds 300 GB/s of the 700: 70 us and a hop. Copies cost nothing.
TEST(Endpoint, ARootAddsAllThatItHears) {
  const Texts mesh{{"name", "full-mesh"}, {"nodes", "8"}, {"rate", "800 Gb/s"}, {"latency", "500 ns"}};
  const Result result = answer(mesh, {{"kind", "reduce"}, {"bytes", "3 MB"}, {"algorithm", "direct"}, {"npu", "v100"}});
  EXPECT_NEAR(result.time_s, 70.5e-6, 1e-12);
  EXPECT_NE(result.bottleneck.find("busiest is memory of node 0"), std::string::npos) << result.bottleneck;
  EXPECT_NE(result.bottleneck.find("faster memory"), std::string::npos) << result.bottleneck;
  for (const char* kind : {"broadcast", "all-gather", "all-to-all"}) {
    const Texts keys{{"kind", kind}, {"bytes", "8 MB"}, {"algorithm", "direct"}};
    Texts named = keys;
    named["npu"] = "v100";
    EXPECT_EQ(answer(mesh, named).time, answer(mesh, keys).time) << kind;
  }
}

// Light comes on channels: 4 wavelengths of 100 GB/s from both neighbours would be 800 GB/s at a node of `wdm-ring`; one stream of a
// wavelength is 100 GB/s and not held up, eight of them are.
TEST(Endpoint, LightWaitsForMemoryToo) {
  const Texts ring{{"name", "wdm-ring"}, {"nodes", "8"}, {"wavelengths", "8"}, {"rate", "800 Gb/s"}, {"retune", "0 s"}};
  const Result alone = answer(ring, all_reduce("8 MB", "ring")),
               wide = answer(ring, all_reduce("8 MB", "ring"), {{"stripe", "8"}});
  EXPECT_NEAR(alone.time_s, 14 * 1e6 / 100e9, 1e-12);
  EXPECT_NEAR(wide.time_s, 7 * (1e6 / 300e9 + 1e6 / 800e9), 1e-12);
}

// Sums that the fabric makes are stored.
TEST(Endpoint, WhatTheFabricAddsIsNotAddedAgain) {
  const Texts fred{{"name", "fred"}};
  EXPECT_EQ(answer(fred, all_reduce("1 GB", "in-fabric")).time, answer(fred, all_reduce("1 GB", "in-fabric", "")).time);
}

// Two switches of 2 nodes under a ring of 2; by-level adds below and above. Adding that takes twice as many accesses takes longer.
TEST(Endpoint, NodesOfACompositeAddOnEveryLevel) {
  const Texts two{{"name", "composite"},
                  {"levels", "switch:nodes=2,rate=8 Tb/s,latency=0 s/ring:nodes=2,rate=8 Tb/s,latency=0 s"}};
  Texts slow = two;
  slow["endpoint_accesses"] = "6";
  const double free = answer(two, all_reduce("8 MB", "by-level", "")).time_s,
               at_3 = answer(two, all_reduce("8 MB", "by-level")).time_s,
               at_6 = answer(slow, all_reduce("8 MB", "by-level")).time_s;
  EXPECT_LT(free, at_3);
  EXPECT_LT(at_3, at_6);
}

TEST(Endpoint, IsFreeWhereItIsSaidToBe) {
  Texts ring{{"name", "ring"}, {"nodes", "8"}, {"rate", "4 Tb/s"}, {"latency", "500 ns"}};
  const Time free = answer(ring, all_reduce("8 MB", "ring", "")).time;
  ring["endpoint"] = "free";
  const Result result = answer(ring, all_reduce("8 MB", "ring"));
  EXPECT_EQ(result.time, free);
  EXPECT_EQ(result.assumptions.front(), "adding at an endpoint takes no time");
}

// The efficiency of its NVLink was fitted on all-reduces, whose adding is in it.
TEST(Endpoint, IsInTheConstantsOfACluster) {
  const Texts cluster{{"name", "cluster"}, {"nodes", "8"}, {"npu", "h100"}};
  Texts slow = cluster;
  slow["endpoint_accesses"] = "1000";
  EXPECT_EQ(answer(slow, all_reduce("1 GB", "ring")).time, answer(cluster, all_reduce("1 GB", "ring", "")).time);
}

TEST(Endpoint, RefusesWhatChangesNothing) {
  const auto place = [](const Texts& fabric, const Texts& keys) -> std::string {
    try {
      answer(fabric, keys);
    } catch (const Error& error) {
      return error.place();
    }
    return "";
  };
  const Texts accesses{{"name", "ring"}, {"nodes", "8"}, {"endpoint_accesses", "2"}};
  EXPECT_EQ(place(accesses, all_reduce("8 MB", "ring", "")), "fabric.endpoint_accesses");
  Texts free = accesses;
  free["endpoint"] = "free";
  EXPECT_EQ(place(free, all_reduce("8 MB", "ring")), "fabric.endpoint_accesses");
  EXPECT_EQ(place({{"name", "ring"}, {"nodes", "8"}}, all_reduce("8 MB", "ring", "h1000")), "collective.npu");
}

// Jobs name their NPUs: what is reduced on a network that is faster than their memory is held up by it.
TEST(Endpoint, OfAJobIsItsNpu) {
  const auto run_on = [](const std::string& more) {
    return run_jobs(
               interpret(parse_draft(
                   "[fabric]\nname = \"ring\"\nnodes = 4\nrate = \"80 Tb/s\"\nlatency = \"0 s\"\n" + more +
                       "[[job]]\nmodel = \"vgg16\"\nnpu = \"v100\"\nprecision = \"fp16\"\ndp = 4\noverlap = false\n",
                   "test.toml")))
        .front();
  };
  const IterationResult adds = run_on(""), free = run_on("endpoint = \"free\"\n");
  EXPECT_GT(adds.time_s, free.time_s);
  const auto told = [](const IterationResult& result) {
    return std::ranges::count(result.links, "memory of node", &LinkClass::name);
  };
  EXPECT_EQ(told(adds), 1);
  EXPECT_EQ(told(free), 0);
  EXPECT_EQ(adds.traffic, free.traffic);
}

}  // namespace
}  // namespace helio::pipeline
