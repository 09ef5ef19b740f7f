// SPDX-License-Identifier: Apache-2.0
// What holds for every algorithm, kind and fabric that admit each other, whatever the sizes: the schedule is proven, no time
// is below its bound, bytes are neither lost nor invented, more rate never costs time, and on a symmetric fabric it does not
// matter who is who.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "fabric/fabric.h"
#include "pipeline/asking.h"
#include "schedule/algorithm.h"

namespace helio::pipeline {
namespace {

struct Trio {
  std::string fabric, algorithm;
  schedule::Kind kind;
};

// Every trio that is admitted, found by asking; a fabric with in-fabric operators is given one.
std::vector<Trio> admitted() {
  std::vector<Trio> trios;
  for (const auto& fabric : fabric::fabrics().entries())
    for (const auto& algorithm : schedule::algorithms().entries())
      for (const schedule::Kind kind : algorithm.factory.kinds)
        trios.push_back({fabric.description.name, algorithm.description.name, kind});
  return trios;
}

struct Sizes {
  int nodes = 2, root = 0;
  double bytes = 1, gigabits = 1, nanoseconds = 0, overhead = 0;
};

Sizes any_sizes() {
  Sizes s;
  s.nodes = *rc::gen::inRange(2, 20);
  s.root = *rc::gen::inRange(0, s.nodes);
  s.bytes = *rc::gen::inRange(1, 50'000'000);
  s.gigabits = *rc::gen::inRange(1, 1000);
  s.nanoseconds = *rc::gen::inRange(0, 5000);
  s.overhead = *rc::gen::element(0, 0, 300, 2000);
  return s;
}

Texts fabric_of(const Trio& trio, const Sizes& s) {
  Texts fabric = {{"name", trio.fabric},
                  {"nodes", fmt::format("{}", s.nodes)},
                  {"rate", fmt::format("{} Gb/s", s.gigabits)},
                  {"latency", fmt::format("{} ns", s.nanoseconds)},
                  {"step_overhead", fmt::format("{} ns", s.overhead)}};
  if (trio.fabric == "switch" && trio.algorithm == "in-fabric") fabric["reducers"] = "1";
  return fabric;
}

Texts keys_of(const Trio& trio, const Sizes& s, const char* sync) {
  return {{"kind", std::string(schedule::name_of(trio.kind))},
          {"bytes", fmt::format("{} B", s.bytes)},
          {"algorithm", trio.algorithm},
          {"root", fmt::format("{}", s.root)},
          {"sync", sync},
          {"verify", "true"}};
}

// Runs `holds` on every admitted trio with its own random sizes. What is not admitted says so and is skipped.
template <class Holds>
void for_every_trio(Holds holds) {
  int ran = 0;
  for (const Trio& trio : admitted()) {
    const Sizes s = any_sizes();
    try {
      holds(trio, s);
      ++ran;
    } catch (const Error& error) {
      RC_ASSERT(error.kind() == ErrorKind::kInfeasible);
      RC_ASSERT(trio.algorithm == "in-fabric");
    }
  }
  RC_ASSERT(
      ran >=
      3 * 21 +
          5);  // ring 5, bidirectional-ring 5, halving-doubling 5, direct 6 kinds on three fabrics; in-fabric 5 on one
}

// Bytes that all ranks send together, counted on the schedule.
double sent_together(const Trio& trio, const Sizes& s) {
  const auto request = schedule::request_on_all(trio.kind, Bytes{s.bytes}, s.nodes, s.root);
  const auto fabric = fabric::make(trio.fabric, settings_of(
                                                    [&] {
                                                      Texts t = fabric_of(trio, s);
                                                      t.erase("name");
                                                      return t;
                                                    }(),
                                                    ""));
  const schedule::Schedule schedule = schedule::build(trio.algorithm, request, fabric->capabilities());
  double slots = 0;
  for (const auto& phase : schedule.phases)
    for (const auto& move : phase.moves) {
      const auto active = schedule::window(move, phase);
      slots += static_cast<double>(move.count) * (active.last - active.first);
    }
  return slots * schedule.slot_bytes(Bytes{s.bytes}).value;
}

RC_GTEST_PROP(Properties, ProvenAndNotBelowTheBound, ()) {
  const char* sync = *rc::gen::element("step", "dataflow");
  for_every_trio([&](const Trio& trio, const Sizes& s) {
    const Result r = answer(fabric_of(trio, s), keys_of(trio, s, sync));
    if (!r.verified || r.time_s < r.bound_s)
      RC_FAIL(fmt::format("{} {} on {} n={} {}: verified {}, {} s, bound {} s", trio.algorithm,
                          schedule::name_of(trio.kind), trio.fabric, s.nodes, sync, r.verified, r.time_s, r.bound_s));
    RC_ASSERT(r.critical.total() == r.time);
    RC_ASSERT(r.steps >= 1u);
  });
}

// One link lies between two nodes of a full mesh and two in a switch: the links carry once or twice what is sent. On a ring
// it is at least once.
RC_GTEST_PROP(Properties, BytesAreConserved, ()) {
  for_every_trio([](const Trio& trio, const Sizes& s) {
    const Result r = answer(fabric_of(trio, s), keys_of(trio, s, "step"));
    RC_ASSERT(r.traffic.value >= r.injected.value * (1 - 1e-12));
    if (trio.algorithm == "in-fabric") return;
    const double sent = sent_together(trio, s);
    RC_ASSERT(r.traffic.value >= sent * (1 - 1e-12));
    if (trio.fabric == "full-mesh") RC_ASSERT(std::abs(r.traffic.value - sent) <= 1e-9 * sent);
    if (trio.fabric == "switch") RC_ASSERT(std::abs(r.traffic.value - 2 * sent) <= 1e-9 * sent);
  });
}

RC_GTEST_PROP(Properties, MoreRateNeverCostsTime, ()) {
  const double factor = *rc::gen::inRange(101, 1000) / 100.0;
  for_every_trio([&](const Trio& trio, const Sizes& s) {
    const auto parameters = trio.algorithm.ends_with("ring") &&
                                    (trio.kind == schedule::Kind::kBroadcast || trio.kind == schedule::Kind::kReduce)
                                ? Texts{{"chunks", "8"}}
                                : Texts{};  // the best number of pieces depends on the rate
    Sizes faster = s;
    faster.gigabits *= factor;
    const double slow = answer(fabric_of(trio, s), keys_of(trio, s, "step"), parameters).time_s;
    const double fast = answer(fabric_of(trio, faster), keys_of(trio, faster, "step"), parameters).time_s;
    if (fast > slow * (1 + 1e-12))
      RC_FAIL(fmt::format("{} {} on {} n={}: {} s at rate x {}, was {} s", trio.algorithm, schedule::name_of(trio.kind),
                          trio.fabric, s.nodes, fast, factor, slow));
  });
}

RC_GTEST_PROP(Properties, OnSymmetricFabricsItDoesNotMatterWhoIsWho, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  for_every_trio([&](const Trio& trio, const Sizes& s) {
    if (trio.fabric == "ring") return;
    std::vector<int> nodes(static_cast<std::size_t>(s.nodes));
    std::iota(nodes.begin(), nodes.end(), 0);
    std::rotate(nodes.begin(), nodes.begin() + seed % s.nodes, nodes.end());
    for (std::size_t i = 1; i < nodes.size(); ++i) std::swap(nodes[i], nodes[(seed >> (i % 16)) % (i + 1)]);
    Texts permuted = keys_of(trio, s, "step");
    permuted["groups"] = fmt::format("{}", fmt::join(nodes, ","));
    const Result a = answer(fabric_of(trio, s), keys_of(trio, s, "step")), b = answer(fabric_of(trio, s), permuted);
    RC_ASSERT(a.time == b.time);
    RC_ASSERT(a.steps == b.steps);
    RC_ASSERT(a.bound_s == b.bound_s);
    RC_ASSERT(a.injected == b.injected);
    RC_ASSERT(std::abs(a.traffic.value - b.traffic.value) <= 1e-9 * a.traffic.value);
  });
}

}  // namespace
}  // namespace helio::pipeline
