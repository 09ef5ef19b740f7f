// SPDX-License-Identifier: Apache-2.0
#include "studies/catalogue.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "pipeline/promised.h"
#include "studies/closed_forms/closed_forms.h"
#include "studies/fred/fred.h"
#include "studies/oddl/oddl.h"
#include "studies/optinc/optinc.h"
#include "studies/wrht/wrht.h"

namespace helio::studies {

const Catalogue<Study>& studies() {
  static const Catalogue<Study> catalogue("study", {
                                                       closed_forms(),
                                                       wrht(),
                                                       fred(),
                                                       oddl(),
                                                       optinc(),
                                                   });
  return catalogue;
}

Findings reproduce(std::string_view name, const pipeline::RunOptions& options) {
  constexpr const char* kPlace = "helio reproduce";
  if (name == "all") {
    Findings all;
    for (const auto& entry : studies().entries()) {
      Findings more = entry.factory(options);
      std::ranges::move(more.rows, std::back_inserter(all.rows));
      std::ranges::move(more.charts, std::back_inserter(all.charts));
    }
    return all;
  }
  if (const auto* entry = studies().find(name)) return entry->factory(options);

  std::vector<std::string> legal = studies().names();
  legal.push_back("all");
  pipeline::refuse_promised("study", name, legal, kPlace);
  throw unknown_name("study", name, legal, kPlace);
}

}  // namespace helio::studies
