// SPDX-License-Identifier: Apache-2.0
// What holds for every algorithm, kind and fabric that admit each other, whatever the sizes: the schedule is proven, no time
// is below its bound, bytes are neither lost nor invented, more rate never costs time, and on a symmetric fabric it does not
// matter who is who.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.h"
#include "fabric/example.h"
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
  Texts
      shape;  // what the fabric is made of: a number of nodes, or what its own example says; and choices among its ways
  int nodes = 2, root = 0;
  double bytes = 1, gigabits = 1, nanoseconds = 0, overhead = 0;
};

Sizes any_sizes() {
  Sizes s;
  s.nodes = *rc::gen::inRange(2, 20);
  s.bytes = *rc::gen::inRange(1, 50'000'000);
  s.gigabits = *rc::gen::inRange(1, 1000);
  s.nanoseconds = *rc::gen::inRange(0, 5000);
  s.overhead = *rc::gen::element(0, 0, 300, 2000);
  return s;
}

// A fabric that a number of nodes alone does not describe is taken as in its own example.
void give_shape(const Trio& trio, Sizes& s) {
  const Description& description = fabric::fabrics().at(trio.fabric).description;
  s.shape = {{"nodes", fmt::format("{}", s.nodes)}};
  try {
    s.nodes = static_cast<int>(fabric::make(trio.fabric, settings_of(s.shape, ""))->capabilities().nodes);
  } catch (const Error&) {
    const Settings example = fabric::example_settings(description);
    s.shape.clear();
    for (const auto& [name, setting] : example) s.shape[name] = setting.text;
    s.nodes = static_cast<int>(fabric::make(trio.fabric, example)->capabilities().nodes);
  }
  for (const Parameter& parameter : description.parameters)
    if (parameter.type == ParameterType::kChoice) s.shape[parameter.name] = *rc::gen::elementOf(parameter.choices);
  // Choices that exclude each other are left at their defaults
  try {
    fabric::make(trio.fabric, settings_of(s.shape, ""));
  } catch (const Error&) {
    for (const Parameter& parameter : description.parameters)
      if (parameter.type == ParameterType::kChoice) s.shape.erase(parameter.name);
  }
  s.root = *rc::gen::inRange(0, s.nodes);
}

Texts fabric_of(const Trio& trio, const Sizes& s) {
  Texts fabric = s.shape;
  const Texts measures = {{"rate", fmt::format("{} Gb/s", s.gigabits)},
                          {"network_rate", fmt::format("{} Gb/s", s.gigabits)},
                          {"latency", fmt::format("{} ns", s.nanoseconds)},
                          {"step_overhead", fmt::format("{} ns", s.overhead)}};
  for (const Parameter& parameter : fabric::fabrics().at(trio.fabric).description.parameters)
    if (const auto measure = measures.find(parameter.name); measure != measures.end()) fabric.insert(*measure);
  fabric["name"] = trio.fabric;
  if (trio.fabric == "switch" && trio.algorithm == "in-fabric") fabric["reducers"] = "1";
  if (trio.fabric == "oddl") {  // no receiver reads light of any rate in any format, and no time depends on it
    fabric["light"] = "generous";
    fabric.erase("format");
  }
  return fabric;
}

std::unique_ptr<fabric::Fabric> make_fabric(const Trio& trio, const Sizes& s) {
  Texts texts = fabric_of(trio, s);
  texts.erase("name");
  return fabric::make(trio.fabric, settings_of(texts, ""));
}

Texts keys_of(const Trio& trio, const Sizes& s, const char* sync) {
  Texts keys = {{"kind", std::string(schedule::name_of(trio.kind))},
                {"bytes", fmt::format("{} B", s.bytes)},
                {"algorithm", trio.algorithm},
                {"sync", sync},
                {"verify", "true"}};
  if (schedule::has_root(trio.kind)) keys["root"] = fmt::format("{}", s.root);
  return keys;
}

// Runs `holds` on every admitted trio with its own random sizes. What is not admitted says so and is skipped.
template <class Holds>
void for_every_trio(Holds holds) {
  int ran = 0;
  std::set<std::string> averaging;  // fabrics that carry sums of all, and nothing else
  for (const Trio& trio : admitted()) {
    // A search of its own: now and then
    if (trio.algorithm == "fitted" && *rc::gen::inRange(0, 10) != 0) continue;
    Sizes s = any_sizes();
    give_shape(trio, s);
    if (make_fabric(trio, s)->capabilities().averaging) averaging.insert(trio.fabric);
    try {
      holds(trio, s);
      ++ran;
    } catch (const Error& error) {
      RC_ASSERT(error.kind() == ErrorKind::kInfeasible);
      const bool light = trio.algorithm == "wrht" || trio.algorithm == "optree" || trio.algorithm == "circulant";
      if (trio.algorithm != "in-fabric" && trio.algorithm != "dimension-ordered" &&
          !(light && trio.fabric != "wdm-ring") && !(trio.algorithm == "by-level" && trio.fabric != "composite") &&
          !(trio.algorithm == "fitted" && trio.fabric != "graph") && !averaging.contains(trio.fabric))
        RC_FAIL(fmt::format("{} {} on {} n={}: {}", trio.algorithm, schedule::name_of(trio.kind), trio.fabric, s.nodes,
                            error.message()));
    }
  }
  // ring 5, bidirectional-ring 5, halving-doubling 5, direct 6 kinds on every fabric that carries messages; in-fabric 5 on one, and
  // the 3 sums on those that average
  const auto averagers = static_cast<int>(averaging.size());
  RC_ASSERT(averagers == 1);
  RC_ASSERT(ran >= 21 * (static_cast<int>(fabric::fabrics().entries().size()) - averagers) + 5 + 3 * averagers);
}

// Bytes that all ranks send together, counted on the schedule.
double sent_together(const Trio& trio, const Sizes& s) {
  const auto request = schedule::request_on_all(trio.kind, Bytes{s.bytes}, s.nodes, s.root);
  const auto fabric = make_fabric(trio, s);
  const schedule::Schedule schedule = schedule::build(trio.algorithm, request, fabric->capabilities());
  double slots = 0;
  for (const auto& phase : schedule.phases)
    for (const auto& move : phase.moves) {
      const auto active = schedule::window(move, phase);
      slots += static_cast<double>(move.count) * (active.last - active.first);
    }
  return slots * schedule.slot_bytes(Bytes{s.bytes}).value;
}

// Nor below what its own schedule and its lowered program take at least: it is never beaten by itself.
RC_GTEST_PROP(Properties, ProvenAndNotBelowTheBound, ()) {
  const char* sync = *rc::gen::element("step", "dataflow");
  for_every_trio([&](const Trio& trio, const Sizes& s) {
    Experiment experiment = asking(fabric_of(trio, s), keys_of(trio, s, sync));
    const Result r = run(experiment).front();
    if (!r.verified || r.time_s < r.bound_s)
      RC_FAIL(fmt::format("{} {} on {} n={} {}: verified {}, {} s, bound {} s", trio.algorithm,
                          schedule::name_of(trio.kind), trio.fabric, s.nodes, sync, r.verified, r.time_s, r.bound_s));
    RC_ASSERT(r.critical.total() == r.time);
    RC_ASSERT(r.steps >= 1u);
    experiment.collectives.front().verify = false;
    try {
      RC_ASSERT(run(experiment, {.beat = r.time}).front().time == r.time);
      const Prospect least = prospect(ChosenFabric(experiment.fabric), experiment, experiment.collectives.front());
      RC_ASSERT(least.least_s <= r.time_s * (1 + 1e-9) + 1e-12);
    } catch (const Beaten& beaten) {
      RC_FAIL(fmt::format("{} {} on {} n={} {}: {} s, and at least {} s", trio.algorithm, schedule::name_of(trio.kind),
                          trio.fabric, s.nodes, sync, r.time_s, beaten.least_s));
    }
  });
}

// One link lies between two nodes of a full mesh and two in a switch: the links carry once or twice what is sent. On a ring
// and the others it is at least once.
RC_GTEST_PROP(Properties, BytesAreConserved, ()) {
  for_every_trio([](const Trio& trio, const Sizes& s) {
    const Result r = answer(fabric_of(trio, s), keys_of(trio, s, "step"));
    const double packed = make_fabric(trio, s)->capabilities().least_wire_factor;  // below 1 where ports compress
    RC_ASSERT(r.traffic.value >= r.injected.value * packed * (1 - 1e-6));
    if (trio.algorithm == "in-fabric") return;
    const double sent = sent_together(trio, s) * packed;
    RC_ASSERT(r.traffic.value >= sent * (1 - 1e-6));  // a link's share of a move is a single-precision number
    if (trio.fabric == "full-mesh") RC_ASSERT(std::abs(r.traffic.value - sent) <= 1e-9 * sent);
    if (trio.fabric == "switch") RC_ASSERT(std::abs(r.traffic.value - 2 * sent) <= 1e-9 * sent);
  });
}

// Where several flows want one receiver, who asked first and whose number is smaller decide: a faster flow may ask at a worse time,
// as in any list scheduling, and it does matter who is who.
bool arbitrated(const Trio& trio) {
  return trio.fabric == "oddl" && trio.algorithm != "ring" && trio.algorithm != "halving-doubling";
}

RC_GTEST_PROP(Properties, MoreRateNeverCostsTime, ()) {
  const double factor = *rc::gen::inRange(101, 1000) / 100.0;
  for_every_trio([&](const Trio& trio, const Sizes& s) {
    if (arbitrated(trio) || trio.algorithm == "fitted") return;  // a search for trees, pieces and an order by rates
    // The best number of pieces depends on the rate, and so does the protocol that is best for a message if it is alone
    const bool in_pieces =
        trio.algorithm == "double-binary-tree" || (trio.algorithm.ends_with("ring") && schedule::has_root(trio.kind));
    const auto parameters = in_pieces ? Texts{{"chunks", "8"}} : Texts{};
    Sizes slower = s;
    if (const auto protocol = slower.shape.find("protocol");
        protocol != slower.shape.end() && protocol->second == "auto")
      protocol->second = "simple";
    Sizes faster = slower;
    faster.gigabits *= factor;
    const double slow = answer(fabric_of(trio, slower), keys_of(trio, slower, "step"), parameters).time_s;
    const double fast = answer(fabric_of(trio, faster), keys_of(trio, faster, "step"), parameters).time_s;
    if (fast > slow * (1 + 1e-12))
      RC_FAIL(fmt::format("{} {} on {} n={}: {} s at rate x {}, was {} s", trio.algorithm, schedule::name_of(trio.kind),
                          trio.fabric, s.nodes, fast, factor, slow));
  });
}

RC_GTEST_PROP(Properties, OnSymmetricFabricsItDoesNotMatterWhoIsWho, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  for_every_trio([&](const Trio& trio, const Sizes& s) {
    if (!make_fabric(trio, s)->capabilities().cuts.empty() || arbitrated(trio)) return;  // who is where matters
    if (trio.fabric == "rotor") return;  // a calendar joins nodes in the order of their numbers
    std::vector<int> nodes(static_cast<std::size_t>(s.nodes));
    std::iota(nodes.begin(), nodes.end(), 0);
    std::rotate(nodes.begin(), nodes.begin() + seed % s.nodes, nodes.end());
    for (std::size_t i = 1; i < nodes.size(); ++i) std::swap(nodes[i], nodes[(seed >> (i % 16)) % (i + 1)]);
    Texts permuted = keys_of(trio, s, "step");
    permuted["groups"] = fmt::format("{}", fmt::join(nodes, ","));
    const Result a = answer(fabric_of(trio, s), keys_of(trio, s, "step")), b = answer(fabric_of(trio, s), permuted);
    RC_ASSERT(a.bound_s == b.bound_s);
    if (trio.algorithm == "fitted")
      return;  // a search: of trees that cost the same it takes those of the lower numbers
    RC_ASSERT(a.time == b.time);
    RC_ASSERT(a.steps == b.steps);
    RC_ASSERT(a.injected == b.injected);
    RC_ASSERT(std::abs(a.traffic.value - b.traffic.value) <= 1e-9 * a.traffic.value);
  });
}

}  // namespace
}  // namespace helio::pipeline
