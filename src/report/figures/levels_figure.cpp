// SPDX-License-Identifier: Apache-2.0
#include "report/figures/levels_figure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "base/csv_field.h"
#include "base/units.h"
#include "pipeline/counted.h"

namespace helio::report {
namespace {

using fabric::LevelsPicture;
using pipeline::LevelUse;

// "64 x fred of 20 nodes", "wdm-ring of 64 x wafer"
std::string made_of(const LevelsPicture& composite, std::size_t k) {
  const LevelsPicture::Level& level = composite.levels[k];
  return fmt::format("{}{} of {}", level.instances > 1 ? fmt::format("{} x ", level.instances) : "", level.fabric,
                     k == 0 ? pipeline::counted(level.units, "node")
                            : fmt::format("{} x {}", level.units, composite.levels[k - 1].name));
}

std::string doors(const LevelsPicture::Level& level) {
  return (level.gateways.empty() ? "which every node reaches"
                                 : fmt::format("which {} of {} nodes reach", level.gateways.size(), level.unit)) +
         (level.gateway_rate ? fmt::format(" at {} each", format(*level.gateway_rate)) : "");
}

std::string in_words(const LevelsPicture& composite, std::size_t k, const LevelUse& use) {
  const LevelsPicture::Level& level = composite.levels[k];
  std::string words =
      fmt::format(" Level {}: {}{}", level.name, made_of(composite, k), k == 0 ? std::string() : ", " + doors(level));
  words +=
      fmt::format("; its links are busy {:.3g} % of the time, the busiest {:.3g} %", 100 * use.mean, 100 * use.most);
  std::vector<std::string> carried;
  for (const auto& [name, bytes] : use.carried) carried.push_back(fmt::format("{} of {}", format(Bytes{bytes}), name));
  return words +
         (carried.empty() ? "; it carries nothing." : fmt::format("; it carries {}.", fmt::join(carried, ", ")));
}

std::string to_csv(const LevelsPicture& composite, const std::vector<LevelUse>& uses) {
  std::string csv = "level,fabric,instances,units,nodes of a unit,gateways of a unit,mean,busiest,class,bytes\n";
  for (std::size_t k = 0; k < composite.levels.size(); ++k) {
    const LevelsPicture::Level& level = composite.levels[k];
    auto carried = uses[k].carried;
    if (carried.empty()) carried.emplace_back("", 0);
    for (const auto& [name, bytes] : carried)
      csv += csv_line({csv_field(level.name), csv_field(level.fabric), fmt::format("{}", level.instances),
                       fmt::format("{}", level.units), fmt::format("{}", level.unit),
                       k == 0 ? "" : fmt::format("{}", level.gateways.empty() ? level.unit : level.gateways.size()),
                       csv_field(uses[k].mean), csv_field(uses[k].most), csv_field(name), csv_field(bytes)});
  }
  return csv;
}

}  // namespace

Figure levels_figure(const LevelsPicture& composite, const std::vector<LevelUse>& uses) {
  using Json = nlohmann::ordered_json;
  if (uses.size() != composite.levels.size())
    throw std::logic_error("a composite's picture needs a use for each level");
  Figure figure{.name = "levels", .kind = "levels", .title = "The composite, level by level"};
  figure.words = fmt::format("{}, the highest first.", pipeline::counted(composite.levels.size(), "level"));
  Json levels = Json::array();
  for (std::size_t k = 0; k < composite.levels.size(); ++k) {
    const LevelsPicture::Level& level = composite.levels[k];
    const LevelUse& use = uses[k];
    levels.push_back({{"name", level.name},
                      {"fabric", level.fabric},
                      {"instances", level.instances},
                      {"units", level.units},
                      {"unit", level.unit},
                      {"gateways", level.gateways.empty() ? Json() : Json(level.gateways)},
                      {"gateway_rate", level.gateway_rate ? format(*level.gateway_rate) : ""},
                      {"injection", format(level.injection)},
                      {"slow", Json::array()},
                      {"mean", use.mean},
                      {"most", use.most},
                      {"busiest", use.busiest},
                      {"carried", Json::array()}});
    for (const auto& [instance, factor] : level.slow) levels.back()["slow"].push_back({instance, factor});
    for (const auto& [name, bytes] : use.carried) levels.back()["carried"].push_back({name, bytes});
  }
  for (std::size_t k = composite.levels.size(); k-- > 0;) figure.words += in_words(composite, k, uses[k]);
  figure.data = {{"levels", std::move(levels)}};
  figure.csv = to_csv(composite, uses);
  return figure;
}

}  // namespace helio::report
