// SPDX-License-Identifier: Apache-2.0
#include "studies/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "studies/closed_forms/closed_forms.h"

namespace helio::studies {
namespace {

// Designs whose studies are promised and still to come; asking for one is not a typing mistake.
constexpr std::string_view kPlanned[] = {"wrht", "oddl", "optinc", "fred"};

}  // namespace

const Catalogue<Study>& studies() {
  static const Catalogue<Study> catalogue("study", {
                                                       closed_forms(),
                                                   });
  return catalogue;
}

std::vector<report::Row> reproduce(std::string_view name, const pipeline::RunOptions& options) {
  constexpr const char* kPlace = "helio reproduce";
  if (name == "all") {
    std::vector<report::Row> rows;
    for (const auto& entry : studies().entries()) {
      std::vector<report::Row> more = entry.factory(options);
      std::move(more.begin(), more.end(), std::back_inserter(rows));
    }
    return rows;
  }
  if (const auto* entry = studies().find(name)) return entry->factory(options);

  std::vector<std::string> legal = studies().names();
  if (std::ranges::count(kPlanned, name))
    throw Error(ErrorKind::kInfeasible, fmt::format("the study '{}' is not part of this version yet", name), kPlace,
                fmt::format("run one of: {}, all", fmt::join(legal, ", ")));
  legal.push_back("all");
  throw unknown_name("study", name, legal, kPlace);
}

}  // namespace helio::studies
