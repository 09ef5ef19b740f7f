// SPDX-License-Identifier: Apache-2.0
// Schedules fitted to random networks, carried by the engine: proven, and near the cut that no schedule can beat.
//
// 100 networks of 3 to 24 nodes here; HELIO_CONFIGURATIONS asks for more. At 1 GB latencies and the way of the first piece are little
// beside what the cut demands.
// Published schedules of other synthesizers are 0 to 8 % above it (TACOS, ForestColl, TE-CCL).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <vector>

#include "base/file.h"
#include "pipeline/asking.h"
#include "schedule/fitted/networks.h"

namespace helio::pipeline {
namespace {

// As a graph file. What leads the same way is one link.
std::string words_of(const schedule::Network& network) {
  const auto name = [&](std::uint32_t v) {
    return v < network.nodes ? fmt::format("n{}", v) : fmt::format("s{}", v - network.nodes);
  };
  std::string text;
  for (std::uint32_t v = 0; v < network.vertices; ++v)
    text += fmt::format("{} {}\n", v < network.nodes ? "node" : "switch", name(v));
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> rates;
  for (const schedule::Network::Arc& arc : network.arcs) rates[{arc.from, arc.to}] += arc.rate.value / 1e9;
  for (const auto& [ends, rate] : rates)
    text += fmt::format("link {} {} {}Gb/s 0.5us oneway\n", name(ends.first), name(ends.second), rate);
  return text;
}

// Calls ask(seed, the network's fabric) for each.
template <class Ask>
void for_each_network(const std::vector<std::uint64_t>& seeds, const Ask& ask) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("helio_fitted_{}.txt", getpid())).string();
  for (const std::uint64_t seed : seeds) {
    write_file(path, words_of(schedule::random_network(seed, 24, 6)), "test");
    ask(seed, Texts{{"name", "graph"}, {"file", path}});
  }
  std::filesystem::remove(path);
}

template <class Ask>
void for_each_network(const Ask& ask) {
  const char* asked = std::getenv("HELIO_CONFIGURATIONS");
  std::vector<std::uint64_t> seeds(asked != nullptr ? std::strtoull(asked, nullptr, 10) : 100);
  std::iota(seeds.begin(), seeds.end(), 0);
  for_each_network(seeds, ask);
}

void expect_near_the_bound(const Texts& fabric, const std::string& kind, std::uint64_t seed) {
  const Result result =
      answer(fabric, {{"kind", kind}, {"bytes", "1 GB"}, {"algorithm", "fitted"}, {"verify", "true"}});
  EXPECT_TRUE(result.verified) << "seed " << seed;
  EXPECT_GE(result.bound_ratio, 1 - 1e-9) << "seed " << seed;
  EXPECT_LE(result.bound_ratio, 1.05) << "seed " << seed;
}

TEST(FittedNetworks, TimeIsNearTheTightestCut) {
  for_each_network([](std::uint64_t seed, const Texts& fabric) {
    expect_near_the_bound(fabric, seed % 2 == 0 ? "all-gather" : "reduce-scatter", seed);
  });
}

// Of 2,000 those on which the longest way first alone left a link of the cut waiting for 7 to 18 % of the time.
TEST(FittedNetworks, LinksOfTheCutDoNotWaitWhereLongWaysGoFirst) {
  for_each_network({240, 597, 691, 1202, 1723, 1752, 1769}, [](std::uint64_t seed, const Texts& fabric) {
    expect_near_the_bound(fabric, "all-gather", seed);
    expect_near_the_bound(fabric, "reduce-scatter", seed);
  });
}

TEST(FittedNetworks, ExchangesAreNearWhatPricesProve) {
  for_each_network([](std::uint64_t seed, const Texts& fabric) { expect_near_the_bound(fabric, "all-to-all", seed); });
}

TEST(FittedNetworks, ShortExchangesAreNoSlowerThanStraightOnes) {
  // 1 KB in all: who goes by the fewest links is the fastest, and those of `direct` have the fewest
  for_each_network([](std::uint64_t seed, const Texts& fabric) {
    if (seed % 5 != 0) return;
    const auto time = [&](const std::string& algorithm) {
      return answer(fabric, {{"kind", "all-to-all"}, {"bytes", "1 kB"}, {"algorithm", algorithm}}).time_s;
    };
    EXPECT_LE(time("fitted"), 1.01 * time("direct")) << "seed " << seed;
  });
}

// Of fabrics by name, at 1 GB: bytes are those of the tightest cut, and what is above it are rounds, latencies and parts that are whole.
TEST(FittedNetworks, FabricsAreFilled) {
  struct Asked {
    Texts fabric;
    double most;
  };
  const auto grid = [](const char* name, const char* dimensions) {
    return Texts{{"name", name}, {"dimensions", dimensions}};
  };
  const Texts cluster = {{"name", "cluster"}, {"nodes", "16"}, {"protocol", "none"}};
  for (const auto& [fabric, most] : std::vector<Asked>{{{{"name", "ring"}, {"nodes", "12"}}, 1.01},
                                                       {grid("torus", "3x4x5"), 1.01},
                                                       {grid("torus", "4x2x3"), 1.01},
                                                       {grid("torus", "31x33"), 1.02},
                                                       {grid("mesh", "5x5"), 1.03},
                                                       {grid("mesh", "7x12"), 1.03},
                                                       {{{"name", "switch"}, {"nodes", "9"}}, 1.01},
                                                       {{{"name", "full-mesh"}, {"nodes", "9"}}, 1.01},
                                                       {{{"name", "fat-tree"}, {"nodes", "16"}}, 1.01},
                                                       {cluster, 1.03}})
    for (const char* kind : {"all-gather", "reduce-scatter"}) {
      const Result result =
          answer(fabric, {{"kind", kind}, {"bytes", "1 GB"}, {"algorithm", "fitted"}, {"verify", "true"}});
      EXPECT_TRUE(result.verified) << fabric.at("name");
      EXPECT_GE(result.bound_ratio, 1) << fabric.at("name");
      EXPECT_LE(result.bound_ratio, most) << fabric.at("name") << " " << kind;
    }
}

}  // namespace
}  // namespace helio::pipeline
