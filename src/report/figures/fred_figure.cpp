// SPDX-License-Identifier: Apache-2.0
#include "report/figures/fred_figure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "base/csv_field.h"
#include "report/figures/fred_picture.h"

namespace helio::report {
namespace {

using fabric::FredSwitch;
using Json = nlohmann::ordered_json;

// In pixels: room for numbers and letters of ports beside the switch, and for headings above it.
constexpr double kPortRoom = 64, kTop = 34, kBelow = 14;

double rounded(double pixels) { return std::round(pixels * 10) / 10; }

// Numbers of one piece: its flow, or -1 for what is idle, then picture.
std::int64_t number_of(std::uint32_t flow) { return flow == fabric::kNoFlow ? -1 : std::int64_t{flow}; }
Json line(std::uint32_t flow, const FredPicture::Line& ends) {
  return {number_of(flow), rounded(ends.from.x), rounded(ends.from.y), rounded(ends.to.x), rounded(ends.to.y)};
}

Json data_of(const ShownSwitch& shown, const FredPicture& picture) {
  Json data;
  for (const char* list : {"headings", "frames", "boxes", "wires", "inside", "marks", "ports", "flows"})
    data[list] = Json::array();
  data["title"] = shown.title;
  data["width"] = std::ceil(picture.right + FredPicture::kStub + kPortRoom);
  data["height"] = std::ceil(picture.bottom + kBelow);
  for (const auto& [at, words] : picture.headings) data["headings"].push_back({rounded(at.x), rounded(at.y), words});
  for (const auto& [left, right, top, height, name] : picture.frames)
    data["frames"].push_back({rounded(left), rounded(top), rounded(right - left), rounded(height), name});
  for (const auto& [left, top, width, height, used] : picture.boxes)
    data["boxes"].push_back({rounded(left), rounded(top), rounded(width), rounded(height), used ? 1. : 0.});
  for (const auto& [flow, lines, marks] : picture.inside) {
    for (const FredPicture::Line& one : lines) data["inside"].push_back(line(flow, one));
    for (const auto& [at, radius, adds] : marks)
      data["marks"].push_back({number_of(flow), rounded(at.x), rounded(at.y), rounded(radius), adds ? 1 : 0});
  }
  for (const auto& [number, flow, at, side] : picture.ports)
    data["ports"].push_back({number_of(flow), rounded(at.x), rounded(at.y), side, number});
  for (const auto& [flow, ends] : picture.wires) data["wires"].push_back(line(flow, ends));
  for (std::size_t f = 0; f < picture.flows.size(); ++f) data["flows"].push_back({flow_name(f), picture.flows[f]});
  return data;
}

}  // namespace

Figure fred_figure(std::span<const ShownSwitch> switches) {
  Figure figure{.name = "fred-switch", .kind = "fred", .title = "The configured FRED switch"};
  figure.data["switches"] = Json::array();
  figure.csv = "switch,flow,inputs,outputs,middle switches\n";
  std::vector<std::string> words;
  for (const ShownSwitch& shown : switches) {
    const FredPicture picture =
        picture_of(*shown.fred, *shown.configuration, shown.flows, kPortRoom + FredPicture::kStub, kTop);
    figure.data["switches"].push_back(data_of(shown, picture));
    words.push_back(fmt::format("{}: Fred_{}({}) carries {} flow{}, {} of {} micro-switches in use, {} add and {} copy",
                                shown.title, shown.fred->middles(), shown.fred->ports(), shown.flows.size(),
                                shown.flows.size() == 1 ? "" : "s", picture.used, shown.fred->micro_switches().size(),
                                picture.adders, picture.copiers));
    std::vector<std::string> list;
    for (std::size_t f = 0; f < shown.flows.size(); ++f) {
      const auto& colours = shown.configuration->colours[f];
      list.push_back(fmt::format("{}: {}", flow_name(f), picture.flows[f]));
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
