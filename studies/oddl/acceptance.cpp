// SPDX-License-Identifier: Apache-2.0
// What the model must give by itself (papers/oddl.md 4.3, 6, 7): workload, collectives, slices, set-up, link budget.
#include <fmt/format.h>

#include <cmath>

#include "fabric/oddl/oddl_slice.h"
#include "photonics/amplified_path.h"
#include "studies/oddl/assumption.h"
#include "studies/oddl/chapters.h"
#include "studies/oddl/cost.h"
#include "studies/oddl/iteration.h"

namespace helio::studies::oddl_study {
namespace {

constexpr double kStep = 1e-6;

Assumptions ours(const char* text) { return {of_our_own(text)}; }

double in_dbm(Power power) { return 10 * std::log10(power.value / 1e-3); }

}  // namespace

Rows workload_rows() {
  const workload::Workload& model = vgg19();
  const double parameters = static_cast<double>(model.parameters()), macs = model.forward_flops() / 2;
  const Assumptions zoo = ours("`vgg19` of the product's zoo, FP32");
  const char* source = "papers/oddl.md 4.3";
  double largest = 0;
  for (const workload::Layer& layer : model.layers) largest = std::max(largest, static_cast<double>(layer.parameters));
  return {derived_row("VGG19: parameters", 143667240, parameters, zoo, source),
          derived_row("VGG19: gradient (MB)", 574.67, 4e-6 * parameters, zoo, source),
          derived_row("VGG19: multiply-adds of forward (G per image)", 19.63, 1e-9 * macs, zoo, source),
          derived_row("VGG19: first dense layer (% of parameters)", 71.5, 100 * largest / parameters, zoo, source)};
}

Rows collectives(Runs& runs) {
  const char* source = "papers/oddl.md 6";
  const double setup = SetUp{}.seconds();
  const Assumptions simulated =
      ours("simulated on `oddl`: 1024 nodes, 100 Gb/s, 1 us a step, every parameter at its default");
  const Assumptions formula = ours("formula of papers/oddl.md 2.5");
  Rows rows;
  const auto add = [&](const char* quantity, double expected, double seconds, const Assumptions& assumptions) {
    rows.push_back(derived_row(fmt::format("all-reduce of VGG19, {} (ms)", quantity), expected, 1e3 * seconds,
                               assumptions, source));
  };
  const auto run = [&](const char* algorithm, double step) { return runs(on_oddl(algorithm, step)).seconds; };

  add("bound by bytes alone", 91.86, runs(on_switch(kRate, 0)).bound,
      ours("the product's lower bound on an ideal switch with free steps"));
  add("ring", 93.90, run("ring", kStep), simulated);
  add("ring, formula", 93.90, ring_cost(kGradient, kNodes, kRate, kStep, setup), formula);
  add("halving/doubling", 91.89, run("halving-doubling", kStep), simulated);
  add("halving/doubling, formula", 91.89, halving_cost(kGradient, kNodes, kRate, kStep, setup), formula);
  Question planned = on_oddl("halving-doubling", kStep);
  planned.settings["policy"] = "planned";
  add("halving/doubling, nobody asks", 91.88, runs(planned).seconds,
      ours("simulated on `oddl`: 1024 nodes, 100 Gb/s, 1 us a step, policy planned: no flow waits for a request, as if "
           "all "
           "requests were hidden by lookahead"));
  add("2-D", 91.94, run("two-level", kStep), simulated);
  add("2-D, formula", 91.94, two_level_cost(kGradient, kNodes, 32, kRate, kStep, setup), formula);

  // Without step cost and set-up all of them are at the bound, in the simulator
  for (const char* algorithm : {"ring", "halving-doubling", "two-level"}) {
    Question bare = on_oddl(algorithm, 0);
    for (const char* free : {"tune", "lock", "guard"}) bare.settings[free] = "0 s";
    bare.settings["policy"] = "planned";
    add(fmt::format("{}, no step cost and no set-up", algorithm).c_str(), 91.86, runs(bare).seconds,
        ours("simulated on `oddl` with tune, lock and guard 0 s, policy planned"));
  }
  return rows;
}

Rows slices(Runs& runs) {
  const char* source = "papers/oddl.md 2.2";
  const Assumptions simulated = ours("as the fabric `oddl` of 32 groups of 32 nodes and 96 channels lights it");
  Rows rows;
  const auto add = [&](const char* collective, double channels, double planes, double our_channels, double our_planes,
                       const Assumptions& assumptions) {
    rows.push_back(
        derived_row(fmt::format("slice of {}: channels", collective), channels, our_channels, assumptions, source));
    rows.push_back(
        derived_row(fmt::format("slice of {}: planes", collective), planes, our_planes, assumptions, source));
  };
  const auto run = [&](const char* name, const char* algorithm, double channels, double planes) {
    const Answer& answer = runs(on_oddl(algorithm, kStep));
    add(name, channels, planes, answer.fact("channels"), answer.fact("planes"), simulated);
  };
  run("ring", "ring", 32, 1);
  run("2-D", "two-level", 64, 1);
  run("halving/doubling", "halving-doubling", 192, 2);

  // Everybody to everybody, himself included as the spec counts: the fewest planes on which first fit places it
  const fabric::OddlGeometry geometry{.planes = 16};
  std::vector<fabric::NodePair> pairs;
  for (std::uint32_t from = 0; from < geometry.nodes(); ++from)
    for (std::uint32_t to = 0; to < geometry.nodes(); ++to) pairs.push_back({{from}, {to}});
  std::uint32_t planes = 1;
  while (planes < geometry.planes && std::holds_alternative<fabric::Unfit>(fabric::first_fit(
                                         geometry, pairs, planes, [](std::uint32_t) { return false; })))
    ++planes;
  add("any-to-any", 1024, 11, fabric::channels_needed(geometry, pairs), planes,
      ours("the slice planner's first fit over all pairs"));
  return rows;
}

Rows set_up(Runs& runs) {
  const char* source = "papers/oddl.md 2.3";
  const Assumptions formula =
      ours("50 m of fibre, 64 bytes at 10 Gb/s, 3 cycles of 5 ns; tune 100, lock 100, guard 20 ns");
  const Assumptions simulated =
      ours("simulated: everybody sends 100 kB to each other node of two, and of three; the same defaults");
  const double flow = 8 * 100e3 / kRate;
  const auto exchange = [&](int nodes) {
    Question question = on_oddl("direct", 0);
    question.kind = "all-to-all";
    question.nodes = nodes;
    question.bytes = nodes * 100e3;
    return runs(question).seconds;
  };
  const double lone = exchange(2) - flow, next = exchange(3) - exchange(2) - flow;
  return {derived_row("control: request to grant (us)", 0.62, 1e6 * SetUp{}.round_trip(), formula, source),
          derived_row("control: set-up of a lone flow (us)", 0.84, 1e6 * lone, simulated, source),
          derived_row("control: set-up of the next flow, with lookahead (us)", 0.22, 1e6 * next, simulated, source)};
}

Rows link_budget() {
  const char* source = "papers/oddl.md 2.6";
  const Assumptions defaults = ours("launch, losses, gain and noise figure of the spec's sketch; 32 channels lit");
  photonics::AmplifiedPath path = photonics::oddl_path({}, 32, 32);
  const photonics::Arrival unsaturated = photonics::arrive(path, false), limited = photonics::arrive(path, true);
  const photonics::Arrival unamplified = photonics::arrive(photonics::oddl_path({.edfa_gain = {0}}, 32, 32), false);
  return {derived_row("link budget: received, amplifiers unsaturated (dBm)", 0.4, in_dbm(unsaturated.power), defaults,
                      source),
          derived_row("link budget: OSNR, amplifiers unsaturated (dB)", 38.1,
                      unsaturated.osnr.value_or(Decibel{}).value, defaults, source),
          derived_row("link budget: received, amplifiers limited to 23 dBm (dBm)", -2.1, in_dbm(limited.power),
                      defaults, source),
          derived_row("link budget: gain of the first amplifier, limited (dB)", 17.5, limited.gains.front().value,
                      defaults, source),
          derived_row("link budget: received without amplification (dBm)", -39.6, in_dbm(unamplified.power), defaults,
                      source)};
}

}  // namespace helio::studies::oddl_study
