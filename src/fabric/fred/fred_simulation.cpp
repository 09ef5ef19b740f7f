// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_simulation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>
#include <stdexcept>

namespace helio::fabric {
namespace {

// Puts `vector` on a wire, or adds it to what is there; true when it was added.
bool put(PortVector& wire, const PortVector& vector) {
  if (wire.empty()) {
    wire = vector;
    return false;
  }
  for (std::size_t i = 0; i < wire.size(); ++i) wire[i] += vector[i];
  return true;
}

[[noreturn]] void no_such_setting(std::size_t element, std::uint32_t lane) {
  throw std::logic_error(fmt::format("micro-switch {} has no setting {}", element, lane));
}

// R and demux: each input to one output. Two on one output are added.
void reduce(const MicroSwitch& element, const MicroSetting& setting, std::size_t number, FredPassage& passage) {
  for (std::size_t i = 0; i < element.inputs.size(); ++i) {
    if (setting.lane[i] == MicroSetting::kIdle) continue;
    if (setting.lane[i] >= element.outputs.size()) no_such_setting(number, setting.lane[i]);
    const PortVector& vector = passage.wires[element.inputs[i]];
    if (!vector.empty()) passage.activity.adders += put(passage.wires[element.outputs[setting.lane[i]]], vector);
  }
}

// D and mux: each output from one input. Two from one input are copies.
void distribute(const MicroSwitch& element, const MicroSetting& setting, std::size_t number, FredPassage& passage) {
  for (std::size_t i = 0; i < element.outputs.size(); ++i) {
    if (setting.lane[i] == MicroSetting::kIdle) continue;
    if (setting.lane[i] >= element.inputs.size()) no_such_setting(number, setting.lane[i]);
    const PortVector& vector = passage.wires[element.inputs[setting.lane[i]]];
    if (vector.empty()) continue;
    put(passage.wires[element.outputs[i]], vector);
    passage.activity.copiers += i == 1 && setting.lane[0] == setting.lane[1];
  }
}

// RD: each output from one input or from the sum of both; there is one adder.
void reduce_distribute(const MicroSwitch& element, const MicroSetting& setting, std::size_t number,
                       FredPassage& passage) {
  bool added = false;
  for (std::size_t i = 0; i < 2; ++i) {
    if (setting.lane[i] == MicroSetting::kIdle) continue;
    if (setting.lane[i] < 1 || setting.lane[i] > 3) no_such_setting(number, setting.lane[i]);
    PortVector& out = passage.wires[element.outputs[i]];
    for (std::size_t j = 0; j < 2; ++j)
      if (const PortVector& vector = passage.wires[element.inputs[j]]; setting.lane[i] >> j & 1 && !vector.empty())
        added |= put(out, vector);
    passage.activity.copiers += i == 1 && !out.empty() && setting.lane[0] == setting.lane[1];
  }
  passage.activity.adders += added;
}

std::vector<PortVector> unit_vectors(std::uint32_t ports) {
  std::vector<PortVector> units(ports, PortVector(ports, 0.0));
  for (std::uint32_t p = 0; p < ports; ++p) units[p][p] = 1;
  return units;
}

// "1 of port 0, 2 of port 4", or "nothing".
std::string in_words(const PortVector& row) {
  std::vector<std::string> parts;
  for (std::size_t p = 0; p < row.size(); ++p)
    if (row[p] != 0) parts.push_back(fmt::format("{} of port {}", row[p], p));
  return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

FredPassage simulate(const FredSwitch& fred, std::span<const MicroSetting> settings,
                     std::span<const PortVector> inputs) {
  assert(inputs.size() == fred.ports() && "a vector, or nothing, for each port");
  assert(settings.size() == fred.micro_switches().size() && "a setting for each micro-switch");
  FredPassage passage{.wires = std::vector<PortVector>(fred.wires())};
  for (std::uint32_t p = 0; p < fred.ports(); ++p) passage.wires[fred.input_wire(p)] = inputs[p];
  for (std::size_t e = 0; e < settings.size(); ++e) {
    const MicroSwitch& element = fred.micro_switches()[e];
    switch (element.kind) {
      case MicroKind::kReduce:
      case MicroKind::kDemux: reduce(element, settings[e], e, passage); break;
      case MicroKind::kDistribute:
      case MicroKind::kMux: distribute(element, settings[e], e, passage); break;
      case MicroKind::kReduceDistribute: reduce_distribute(element, settings[e], e, passage); break;
    }
    bool crossed = false;
    for (const Wire wire : element.outputs) crossed |= !passage.wires[wire].empty();
    passage.activity.crossed += crossed;
  }
  return passage;
}

std::vector<PortVector> outputs(const FredSwitch& fred, const FredPassage& passage) {
  const auto first = passage.wires.begin() + fred.output_wire(0);
  return {first, first + fred.ports()};
}

std::vector<PortVector> expected_outputs(std::uint32_t ports, std::span<const Flow> flows,
                                         std::span<const PortVector> inputs) {
  std::vector<PortVector> expected(ports);
  for (const Flow& flow : flows) {
    PortVector sum;
    for (const std::uint32_t port : flow.inputs)
      if (!inputs[port].empty()) put(sum, inputs[port]);
    for (const std::uint32_t port : flow.outputs) expected[port] = sum;
  }
  return expected;
}

FredCheck check_collective(const FredSwitch& fred, std::span<const MicroSetting> settings,
                           std::span<const Flow> flows) {
  const std::vector<PortVector> units = unit_vectors(fred.ports());
  const FredPassage passage = simulate(fred, settings, units);
  const std::vector<PortVector> left = outputs(fred, passage), right = expected_outputs(fred.ports(), flows, units);
  for (std::uint32_t p = 0; p < fred.ports(); ++p)
    if (left[p] != right[p])
      return {false,
              fmt::format("output port {} got {}, and should have got {}", p, in_words(left[p]), in_words(right[p])),
              passage.activity};
  return {true, "", passage.activity};
}

std::vector<std::uint32_t> flows_on_wires(const FredSwitch& fred, std::span<const MicroSetting> settings,
                                          std::span<const Flow> flows) {
  std::vector<std::uint32_t> owner(fred.ports(), kNoFlow), on(fred.wires(), kNoFlow);
  for (std::uint32_t f = 0; f < flows.size(); ++f)
    for (const std::uint32_t port : flows[f].inputs) owner[port] = f;
  const FredPassage passage = simulate(fred, settings, unit_vectors(fred.ports()));
  for (Wire wire = 0; wire < fred.wires(); ++wire)
    for (std::size_t p = 0; p < passage.wires[wire].size(); ++p)
      if (passage.wires[wire][p] != 0) on[wire] = owner[p];
  return on;
}

}  // namespace helio::fabric
