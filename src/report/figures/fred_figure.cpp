// SPDX-License-Identifier: Apache-2.0
#include "report/figures/fred_figure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <deque>
#include <variant>

#include "fabric/fabric.h"
#include "fabric/fred/fred_at_once.h"
#include "fabric/fred/fred_parameters.h"
#include "fabric/fred/fred_tree.h"
#include "report/figures/fred_picture.h"
#include "report/figures/schedule_again.h"
#include "report/text/csv.h"

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

std::optional<Figure> fred_figure(const pipeline::Experiment& experiment, const pipeline::Collective& collective,
                                  const pipeline::Result& result) {
  if (experiment.fabric.name != "fred" || result.ranks < 2 || !result.attempts.empty()) return std::nullopt;
  const ScheduleAgain again = schedule_again(experiment, collective, result);
  const auto sets = fabric::flows_at_once(again.schedule, again.request);
  if (sets.empty()) return std::nullopt;
  const auto& catalogue = fabric::fabrics();
  const fabric::FredOptions options =
      fabric::fred_options(catalogue.resolve(catalogue.at("fred"), experiment.fabric.settings));
  std::deque<FredSwitch> built;
  std::vector<ShownSwitch> shown;
  const auto fits = [&](std::uint32_t ports) {
    return fabric::fred_census(ports, options.middles).elements() <= kMostShownElements;
  };

  // One switch of all NPUs
  if (!options.chiplets) {
    const std::uint32_t nodes = options.levels.nodes();
    if (!fits(nodes)) return std::nullopt;
    built.emplace_back(nodes, options.middles);
    const fabric::FredRouting routing = fabric::route(built.back(), sets.front().flows);
    const auto* configuration = std::get_if<fabric::FredConfiguration>(&routing);
    if (!configuration) return std::nullopt;
    shown.push_back({"switch of all NPUs", &built.back(), configuration, sets.front().flows});
    return fred_figure(shown);
  }

  // Or the chiplets of one plane that do something, if one plane carries all
  fabric::FredTreeShape shape;
  shape.npus = options.levels.radix(1);
  shape.groups = options.levels.radix(2);
  shape.planes = options.planes;
  shape.chips_per_plane = options.chips;
  shape.links_per_chip = shape.npus / options.chips;
  shape.middles = options.middles;
  shape.io_ports.clear();
  for (std::uint32_t g = 0; g < shape.groups; ++g)
    shape.io_ports.push_back(options.io_channels / shape.groups + (g < options.io_channels % shape.groups ? 1 : 0));
  const fabric::FredTreeRouting routing = fabric::route_tree(shape, sets.front().flows);
  const auto* plane = std::get_if<fabric::FredPlane>(&routing);
  if (!plane) return std::nullopt;
  const auto add = [&](std::string title, const fabric::FredChip& chip, std::uint32_t ports) {
    if (chip.flows.empty() || !fits(ports)) return;
    built.emplace_back(ports, options.middles);
    shown.push_back({std::move(title), &built.back(), &chip.configuration, chip.flows});
  };
  for (std::uint32_t c = 0; c < plane->l2.size(); ++c)
    add(fmt::format("L2 chip {}", c), plane->l2[c], shape.l2_ports());
  for (std::uint32_t g = 0; g < plane->l1.size(); ++g)
    add(fmt::format("L1 chip of group {}", g), plane->l1[g], shape.l1_ports(g));
  if (shown.empty()) return std::nullopt;
  return fred_figure(shown);
}

}  // namespace helio::report
