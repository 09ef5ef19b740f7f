// SPDX-License-Identifier: Apache-2.0
#include "report/figures/fred_figure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fabric/fred/fred_simulation.h"
#include "report/figures/fred_drawing.h"
#include "report/figures/fred_layout.h"
#include "report/text/csv.h"

namespace helio::report {
namespace {

using fabric::Flow;
using fabric::FredSwitch;
using fabric::kNoFlow;
using fabric::MicroSwitch;
using Json = nlohmann::ordered_json;

// In pixels: room for numbers and letters of ports beside the switch, and for headings above it.
constexpr double kPortRoom = 64, kStub = 22, kTop = 34, kFrameSide = 16, kBelow = 14;

double rounded(double pixels) { return std::round(pixels * 10) / 10; }

// "0-3, 6"
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

std::string in_words(const Flow& flow, const std::vector<std::uint32_t>& colours) {
  const std::string from = ports_in_words(flow.inputs), to = ports_in_words(flow.outputs);
  const std::string words = from == to ? "all-reduce " + from : from + " to " + to;
  return colours.empty() ? words : words + fmt::format(", middle {}", fmt::join(colours, "."));
}

// One switch as data, piece by piece.
class Places {
 public:
  explicit Places(const ShownSwitch& shown)
      : shown_(shown),
        fred_(*shown.fred),
        layout_(fred_, kPortRoom + kStub, kTop),
        on_wire_(fabric::flows_on_wires(fred_, shown.configuration->settings, shown.flows)) {}

  Json finish() {
    for (const char* list : {"headings", "frames", "boxes", "wires", "inside", "marks", "ports", "flows"})
      data_[list] = Json::array();
    data_["title"] = shown_.title;
    data_["width"] = std::ceil(layout_.right() + kStub + kPortRoom);
    data_["height"] = std::ceil(layout_.bottom() + kBelow);
    frames_and_headings();
    for (std::size_t e = 0; e < fred_.micro_switches().size(); ++e) element(e);
    wires();
    for (std::size_t f = 0; f < shown_.flows.size(); ++f)
      data_["flows"].push_back({flow_name(f), in_words(shown_.flows[f], shown_.configuration->colours[f])});
    return std::move(data_);
  }
  std::uint64_t used = 0, adders = 0, copiers = 0;

 private:
  static Json numbers(std::initializer_list<double> values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(rounded(value));
    return list;
  }
  // Flow, then two ends.
  static Json line(std::int64_t flow, Point from, Point to) {
    Json list = {flow};
    for (const double value : {from.x, from.y, to.x, to.y}) list.push_back(rounded(value));
    return list;
  }
  std::int64_t flow_on(fabric::Wire wire) const {
    return on_wire_[wire] == kNoFlow ? -1 : std::int64_t{on_wire_[wire]};
  }

  // A middle switch has its number in the numbers of those around it.
  void frames_and_headings() {
    std::vector<std::string> around = {""};
    for (std::uint32_t level = 1; level <= fred_.levels() && layout_.has_frame(level); ++level) {
      std::vector<std::string> names;
      for (const std::string& outer : around)
        for (std::uint32_t k = 0; k < fred_.middles(); ++k)
          names.push_back(outer.empty() ? fmt::format("{}", k) : fmt::format("{}.{}", outer, k));
      const double left = layout_.column(level) - layout_.width(level) / 2 - kFrameSide;
      const double right = layout_.column(2 * fred_.levels() - level) + layout_.width(level) / 2 + kFrameSide;
      for (std::uint32_t stage = 0; stage < names.size(); ++stage) {
        data_["frames"].push_back(
            numbers({left, layout_.stage_top(level, stage), right - left, layout_.stage_height(level)}));
        data_["frames"].back().push_back(level == 1 ? "middle " + names[stage] : names[stage]);
      }
      around = std::move(names);
    }
    const std::uint32_t last = 2 * fred_.levels();
    for (std::uint32_t column = 0; column <= last; ++column) {
      data_["headings"].push_back(numbers({layout_.column(column), kTop - 14}));
      data_["headings"].back().push_back(2 * column < last ? "R" : 2 * column > last ? "D" : "RD");
    }
  }

  // Inputs to where they are added, from there to where the sum is copied, and on to the outputs.
  void element(std::size_t number) {
    const MicroSwitch& element = fred_.micro_switches()[number];
    const auto joints = joints_of(element, shown_.configuration->settings[number], on_wire_);
    const Point at = layout_.centre(element);
    const double height = layout_.height(element), width = layout_.width(element.level);
    data_["boxes"].push_back(numbers({at.x - width / 2, at.y - height / 2, width, height, joints.empty() ? 0. : 1.}));
    used += !joints.empty();
    for (const FredJoint& joint : joints) {
      const auto flow = flow_on(element.inputs[joint.inputs[0]]);
      const double radius = std::max(5.0, 0.25 * layout_.unit(element.level));
      const double aside = joint.adds() && joint.copies() ? 1.1 * radius : 0;
      const Point sum = joint.adds() ? Point{at.x - aside, at.y} : layout_.input_pin(element, joint.inputs[0]);
      const Point fork = joint.copies() ? Point{at.x + aside, at.y} : layout_.output_pin(element, joint.outputs[0]);
      data_["inside"].push_back(line(flow, sum, fork));
      const auto mark = [&](Point place, bool adds) {
        data_["marks"].push_back({flow, rounded(place.x), rounded(place.y), rounded(radius), adds ? 1 : 0});
      };
      if (joint.adds()) {
        for (const std::uint32_t pin : joint.inputs)
          data_["inside"].push_back(line(flow, layout_.input_pin(element, pin), sum));
        mark(sum, true);
      }
      if (joint.copies()) {
        for (const std::uint32_t pin : joint.outputs)
          data_["inside"].push_back(line(flow, fork, layout_.output_pin(element, pin)));
        mark(fork, false);
      }
      adders += joint.adds();
      copiers += joint.copies();
    }
  }

  // Each from the pin where it begins to the pin where it ends; at the edge of the switch, a straight piece.
  void wires() {
    const auto [from, to] = layout_.wire_ends(kStub);
    for (std::uint32_t port = 0; port < fred_.ports(); ++port) {
      const fabric::Wire in = fred_.input_wire(port), out = fred_.output_wire(port);
      data_["ports"].push_back({flow_on(in), rounded(from[in].x), rounded(from[in].y), -1, port});
      data_["ports"].push_back({flow_on(out), rounded(to[out].x), rounded(to[out].y), 1, port});
    }
    for (fabric::Wire wire = 0; wire < fred_.wires(); ++wire)
      data_["wires"].push_back(line(flow_on(wire), from[wire], to[wire]));
  }

  const ShownSwitch& shown_;
  const FredSwitch& fred_;
  FredLayout layout_;
  std::vector<std::uint32_t> on_wire_;
  Json data_;
};

}  // namespace

Figure fred_figure(std::span<const ShownSwitch> switches) {
  Figure figure{.name = "fred-switch", .kind = "fred", .title = "The configured FRED switch"};
  figure.data["switches"] = Json::array();
  figure.csv = "switch,flow,inputs,outputs,middle switches\n";
  std::vector<std::string> words;
  for (const ShownSwitch& shown : switches) {
    Places places(shown);
    figure.data["switches"].push_back(places.finish());
    words.push_back(fmt::format("{}: Fred_{}({}) carries {} flow{}, {} of {} micro-switches in use, {} add and {} copy",
                                shown.title, shown.fred->middles(), shown.fred->ports(), shown.flows.size(),
                                shown.flows.size() == 1 ? "" : "s", places.used, shown.fred->micro_switches().size(),
                                places.adders, places.copiers));
    std::vector<std::string> list;
    for (std::size_t f = 0; f < shown.flows.size(); ++f) {
      const auto& colours = shown.configuration->colours[f];
      list.push_back(fmt::format("{}: {}", flow_name(f), in_words(shown.flows[f], colours)));
      figure.csv +=
          csv_line({csv_field(shown.title), flow_name(f), csv_field(ports_in_words(shown.flows[f].inputs)),
                    csv_field(ports_in_words(shown.flows[f].outputs)), fmt::format("{}", fmt::join(colours, "."))});
    }
    if (switches.size() == 1) words.back() += fmt::format(". {}", fmt::join(list, "; "));
  }
  figure.words = fmt::format("{}.", fmt::join(words, ". "));
  return figure;
}

Figure fred_figure(const fabric::FredPicture& picture) {
  std::vector<ShownSwitch> shown;
  for (const fabric::FredShown& each : picture.switches)
    shown.push_back({each.title, &each.fred, &each.configuration, each.flows});
  return fred_figure(shown);
}

}  // namespace helio::report
