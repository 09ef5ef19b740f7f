// SPDX-License-Identifier: Apache-2.0
#include "studies/wrht/reduction.h"

#include <algorithm>

#include "studies/wrht/closed_forms.h"

namespace helio::studies::wrht_study {
namespace {

const char* const kLiteralNodes = "plain mean over N = 1024, 2048, 3072, 4096 and four models";
const char* const kLiteralSet = "BEiT-L, VGG16, AlexNet, ResNet50, 4 bytes per parameter";
const char* const kFittedSet =
    "VGG16, AlexNet, ResNet50, GoogLeNet, 4 bytes per parameter: the set chosen to meet v2's savings against Ring and "
    "H-Ring";

void replace(Assumptions& assumptions, const std::string& old, const Assumption& with) {
  std::ranges::replace_if(
      assumptions, [&](const Assumption& a) { return a.text == old; }, with);
}

}  // namespace

Reading literal_reading() {
  return {.name = "literal",
          .nodes = {1024, 2048, 3072, 4096},
          .models = {kBeit, kVgg, kAlexnet, kResnet},
          .wrht = {},
          .assumptions = {machine(), literal_rate(), shortcut(), from_memory(kLiteralNodes, "papers/wrht.md 3"),
                          from_memory(kLiteralSet, "papers/wrht.md 3")}};
}

Reading with_googlenet(Reading reading) {
  reading.models = {kVgg, kAlexnet, kResnet, kGooglenet};
  replace(reading.assumptions, kLiteralSet, fitted_to({kV2Ring, kV2HRing}, kFittedSet));
  return reading;
}

Reading with_four_steps(Reading reading) {
  reading.wrht.shortcut = false;
  replace(reading.assumptions, shortcut().text, no_shortcut());
  return reading;
}

Reading at_rate(Reading reading, double rate, Assumption why) {
  reading.wrht.rate = rate;
  replace(reading.assumptions, literal_rate().text, why);
  return reading;
}

Reading over_nodes(Reading reading, std::vector<std::uint64_t> nodes, Assumption why) {
  reading.nodes = std::move(nodes);
  replace(reading.assumptions, kLiteralNodes, why);
  return reading;
}

Reading fitted_reading() {
  return named(at_rate(with_four_steps(with_googlenet(literal_reading())), kFittedRate, fitted_rate()), "fitted");
}

Reading under_changed_rule(Reading reading) {
  reading.wrht.every_step = false;
  replace(reading.assumptions, machine().text, retuned_when_changed());
  return reading;
}

Reading named(Reading reading, std::string name) {
  reading.name = std::move(name);
  return reading;
}

double seconds(Runs& runs, const Reading& reading, Baseline baseline, std::uint64_t nodes, double bytes) {
  // Ring and BT light one wavelength; the others would only be dark
  Question question{.nodes = nodes,
                    .bytes = bytes,
                    .rate = reading.wrht.rate,
                    .wavelengths = 1,
                    .every_step = reading.wrht.every_step};
  switch (baseline) {
    case Baseline::kRing: question.algorithm = "ring"; break;
    case Baseline::kTree: question.algorithm = "binary-tree"; break;
    case Baseline::kHRing: return h_ring_seconds(nodes, bytes, reading.wrht.rate, question.every_step);
    case Baseline::kElectricalRing: question = on_fat_tree("ring", nodes, bytes); break;
    case Baseline::kElectricalDoubling: question = on_fat_tree("recursive-doubling", nodes, bytes); break;
  }
  return runs(question).seconds;
}

double reduction(Runs& runs, const Reading& reading, Baseline baseline) {
  double sum = 0;
  for (const std::uint64_t nodes : reading.nodes)
    for (const Model& model : reading.models) {
      Question wrht = reading.wrht;
      wrht.nodes = nodes;
      wrht.bytes = model.bytes;
      sum += 1 - runs(wrht).seconds / seconds(runs, reading, baseline, nodes, model.bytes);
    }
  return 100 * sum / static_cast<double>(reading.nodes.size() * reading.models.size());
}

}  // namespace helio::studies::wrht_study
