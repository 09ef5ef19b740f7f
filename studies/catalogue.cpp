// SPDX-License-Identifier: Apache-2.0
#include "studies/catalogue.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "studies/closed_forms/closed_forms.h"
#include "studies/fred/fred.h"
#include "studies/joined_wafers/joined_wafers.h"
#include "studies/oddl/oddl.h"
#include "studies/optical_family/optical_family.h"
#include "studies/optinc/optinc.h"
#include "studies/wrht/wrht.h"

namespace helio::studies {

const Catalogue<Study>& studies() {
  static const Catalogue<Study> catalogue("study", {
                                                       closed_forms(),
                                                       wrht(),
                                                       fred(),
                                                       oddl(),
                                                       optical_family(),
                                                       optinc(),
                                                       one_system(),
                                                   });
  return catalogue;
}

namespace {

// What people call a study.
std::string title_of(const std::string& name) {
  const std::pair<std::string_view, const char*> titles[] = {{"wrht", "WRHT"},
                                                             {"oddl", "ODDL"},
                                                             {"optinc", "OptINC"},
                                                             {"fred", "FRED"},
                                                             {"one-system", "One system"},
                                                             {"optical-family", "The optical family"},
                                                             {"closed-forms", "Closed forms"}};
  for (const auto& [known, title] : titles)
    if (known == name) return title;
  return name;
}

report::Study told(const Catalogue<Study>::Entry& entry, const StudyOptions& options) {
  Findings found = entry.factory(options);
  return {.name = entry.description.name,
          .title = title_of(entry.description.name),
          .summary = entry.description.summary,
          .reference = entry.description.reference,
          .rows = std::move(found.rows),
          .headlines = std::move(found.headlines),
          .charts = std::move(found.charts),
          .figures = std::move(found.figures),
          .words = std::move(found.words)};
}

}  // namespace

std::vector<report::Study> reproduce_each(std::string_view name, const StudyOptions& options) {
  constexpr const char* kPlace = "helio reproduce";
  std::vector<report::Study> all;
  if (name == "all") {
    for (const auto& entry : studies().entries()) all.push_back(told(entry, options));
    return all;
  }
  if (const auto* entry = studies().find(name)) return {told(*entry, options)};

  std::vector<std::string> legal = studies().names();
  legal.push_back("all");
  throw unknown_name("study", name, legal, kPlace);
}

Findings reproduce(std::string_view name, const StudyOptions& options) {
  Findings all;
  for (report::Study& study : reproduce_each(name, options)) {
    std::ranges::move(study.rows, std::back_inserter(all.rows));
    std::ranges::move(study.charts, std::back_inserter(all.charts));
    std::ranges::move(study.headlines, std::back_inserter(all.headlines));
    std::ranges::move(study.figures, std::back_inserter(all.figures));
  }
  return all;
}

}  // namespace helio::studies
