// SPDX-License-Identifier: Apache-2.0
#include "pipeline/experiment.h"

#include <algorithm>

#include "base/error.h"

namespace helio::pipeline {
namespace {

constexpr Remedy kAllRemedies[] = {Remedy::kBlock, Remedy::kMiddle, Remedy::kEndpoint, Remedy::kReplace,
                                   Remedy::kSplit};

Remedy remedy_named(std::string_view name, std::string_view place) {
  std::vector<std::string> legal;
  for (const Remedy remedy : kAllRemedies) {
    if (name_of(remedy) == name) return remedy;
    legal.emplace_back(name_of(remedy));
  }
  throw unknown_name("remedy", name, legal, std::string(place));
}

}  // namespace

std::string_view name_of(Remedy remedy) {
  switch (remedy) {
    case Remedy::kBlock: return "block";
    case Remedy::kMiddle: return "middle";
    case Remedy::kEndpoint: return "endpoint";
    case Remedy::kReplace: return "replace";
    case Remedy::kSplit: return "split";
  }
  return "";
}

std::string_view name_of(schedule::Order order) { return order == schedule::Order::kStep ? "step" : "dataflow"; }

std::vector<Remedy> remedies_named(std::string_view list, std::string_view place) {
  std::vector<Remedy> remedies;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    remedies.push_back(remedy_named(list.substr(0, comma), place));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return remedies;
}

}  // namespace helio::pipeline
