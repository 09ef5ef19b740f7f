// SPDX-License-Identifier: Apache-2.0
#include "studies/catalogue.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "pipeline/promised.h"
#include "studies/closed_forms/closed_forms.h"
#include "studies/wrht/wrht.h"

namespace helio::studies {

const Catalogue<Study>& studies() {
  static const Catalogue<Study> catalogue("study", {
                                                       closed_forms(),
                                                       wrht(),
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
  legal.push_back("all");
  pipeline::refuse_promised("study", name, legal, kPlace);
  throw unknown_name("study", name, legal, kPlace);
}

}  // namespace helio::studies
