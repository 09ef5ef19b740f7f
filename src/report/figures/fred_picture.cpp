// SPDX-License-Identifier: Apache-2.0
#include "report/figures/fred_picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace helio::report {
namespace {

using fabric::FredSwitch;
using fabric::MicroSwitch;

constexpr double kFrameSide = 16, kHeading = 14;  // pixels beside a frame's columns, and above the switch

std::string in_words(const fabric::Flow& flow, const std::vector<std::uint32_t>& colours) {
  const std::string from = ports_in_words(flow.inputs), to = ports_in_words(flow.outputs);
  const std::string words = from == to ? "all-reduce " + from : from + " to " + to;
  return colours.empty() ? words : words + fmt::format(", middle {}", fmt::join(colours, "."));
}

// A middle switch has its number in the numbers of those around it.
void add_frames(FredPicture& picture, const FredSwitch& fred, const FredLayout& layout) {
  std::vector<std::string> around = {""};
  for (std::uint32_t level = 1; level <= fred.levels() && layout.has_frame(level); ++level) {
    std::vector<std::string> names;
    for (const std::string& outer : around)
      for (std::uint32_t k = 0; k < fred.middles(); ++k)
        names.push_back(outer.empty() ? fmt::format("{}", k) : fmt::format("{}.{}", outer, k));
    const double left = layout.column(level) - layout.width(level) / 2 - kFrameSide;
    const double right = layout.column(2 * fred.levels() - level) + layout.width(level) / 2 + kFrameSide;
    for (std::uint32_t stage = 0; stage < names.size(); ++stage)
      picture.frames.push_back({left, right, layout.stage_top(level, stage), layout.stage_height(level),
                                level == 1 ? "middle " + names[stage] : names[stage]});
    around = std::move(names);
  }
}

void add_element(FredPicture& picture, const MicroSwitch& element, const fabric::MicroSetting& setting,
                 const FredLayout& layout, std::span<const std::uint32_t> on_wire) {
  const std::vector<FredJoint> joints = joints_of(element, setting, on_wire);
  const Point at = layout.centre(element);
  const double height = layout.height(element), width = layout.width(element.level);
  picture.boxes.push_back({at.x - width / 2, at.y - height / 2, width, height, !joints.empty()});
  picture.used += !joints.empty();
  for (const FredJoint& joint : joints) {
    const double radius = std::max(5.0, 0.25 * layout.unit(element.level));
    const double aside = joint.adds() && joint.copies() ? 1.1 * radius : 0;
    const Point sum = joint.adds() ? Point{at.x - aside, at.y} : layout.input_pin(element, joint.inputs[0]);
    const Point fork = joint.copies() ? Point{at.x + aside, at.y} : layout.output_pin(element, joint.outputs[0]);
    FredPicture::Inside inside{on_wire[element.inputs[joint.inputs[0]]], {{sum, fork}}, {}};
    if (joint.adds()) {
      for (const std::uint32_t pin : joint.inputs) inside.lines.push_back({layout.input_pin(element, pin), sum});
      inside.marks.push_back({sum, radius, true});
    }
    if (joint.copies()) {
      for (const std::uint32_t pin : joint.outputs) inside.lines.push_back({fork, layout.output_pin(element, pin)});
      inside.marks.push_back({fork, radius, false});
    }
    picture.inside.push_back(std::move(inside));
    picture.adders += joint.adds();
    picture.copiers += joint.copies();
  }
}

}  // namespace

FredPicture picture_of(const FredSwitch& fred, const fabric::FredConfiguration& configuration,
                       std::span<const fabric::Flow> flows, double left, double top) {
  FredPicture picture;
  const FredLayout layout(fred, left, top);
  const std::vector<std::uint32_t> on_wire = fabric::flows_on_wires(fred, configuration.settings, flows);
  picture.left = layout.left(), picture.right = layout.right(), picture.bottom = layout.bottom();

  const std::uint32_t last = 2 * fred.levels();
  for (std::uint32_t column = 0; column <= last; ++column)
    picture.headings.push_back({{layout.column(column), top - kHeading},
                                2 * column < last   ? "R"
                                : 2 * column > last ? "D"
                                                    : "RD"});
  add_frames(picture, fred, layout);
  for (std::size_t e = 0; e < fred.micro_switches().size(); ++e)
    add_element(picture, fred.micro_switches()[e], configuration.settings[e], layout, on_wire);

  // Each wire from the pin where it begins to the pin where it ends; at the edge of the switch, a straight piece
  const auto [from, to] = layout.wire_ends(FredPicture::kStub);
  for (std::uint32_t port = 0; port < fred.ports(); ++port) {
    const fabric::Wire in = fred.input_wire(port), out = fred.output_wire(port);
    picture.ports.push_back({port, on_wire[in], from[in], -1});
    picture.ports.push_back({port, on_wire[out], to[out], 1});
  }
  for (fabric::Wire wire = 0; wire < fred.wires(); ++wire)
    picture.wires.push_back({on_wire[wire], {from[wire], to[wire]}});
  for (std::size_t f = 0; f < flows.size(); ++f) picture.flows.push_back(in_words(flows[f], configuration.colours[f]));
  return picture;
}

std::string flow_name(std::size_t flow) {
  std::string name;
  for (++flow; flow > 0; flow = (flow - 1) / 26) name.insert(name.begin(), static_cast<char>('a' + (flow - 1) % 26));
  return name;
}

std::string ports_in_words(std::vector<std::uint32_t> ports) {
  std::ranges::sort(ports);
  std::vector<std::string> runs;
  for (std::size_t i = 0, j = 0; i < ports.size(); i = j) {
    for (j = i + 1; j < ports.size() && ports[j] == ports[j - 1] + 1;) ++j;
    if (j - i < 3) j = i + 1;
    runs.push_back(j - i > 1 ? fmt::format("{}-{}", ports[i], ports[j - 1]) : fmt::format("{}", ports[i]));
  }
  return fmt::format("{}", fmt::join(runs, ", "));
}

}  // namespace helio::report
