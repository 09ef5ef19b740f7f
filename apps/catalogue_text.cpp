// SPDX-License-Identifier: Apache-2.0
#include "catalogue_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "fabric/fabric.h"
#include "job_text.h"
#include "pipeline/promised.h"
#include "plan/auto.h"
#include "plan/wdm_planned.h"
#include "schedule/algorithm.h"
#include "studies/catalogue.h"
#include "table_text.h"

namespace helio::apps {
namespace {

template <class Factory>
std::string listed(const Catalogue<Factory>& catalogue) {
  std::size_t width = 0;
  for (const auto& entry : catalogue.entries()) width = std::max(width, entry.description.name.size());
  std::string text;
  for (const auto& entry : catalogue.entries())
    text += fmt::format("  {:<{}}  {}\n", entry.description.name, width, entry.description.summary);
  return text;
}

std::string described(std::string_view what, const Description& description, std::string_view prefix,
                      const std::string& more = "") {
  return fmt::format("{} {}\n  {}\n  reference: {}\n{}{}", what, description.name, description.summary,
                     description.reference, more, table_of(description.parameters, prefix));
}

std::string kinds_line(const schedule::Algorithm& algorithm) {
  std::vector<std::string_view> kinds;
  for (const schedule::Kind kind : algorithm.kinds) kinds.push_back(schedule::name_of(kind));
  return fmt::format("  kinds: {}\n", fmt::join(kinds, ", "));
}

std::string algorithms_with(schedule::Kind kind) {
  std::vector<std::string> names;
  for (const auto& entry : schedule::algorithms().entries())
    if (std::ranges::count(entry.factory.kinds, kind)) names.push_back(entry.description.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

// Those that search among the others.
constexpr const char* kSearches =
    "  auto                the fastest of all that have the kind, each with its defaults; what is taken when none is named\n"
    "  wdm-planned         on wdm-ring: the fastest all-reduce found among circulants, trees and rings of any width\n";

std::string list(const std::string& room) {
  const std::vector<std::pair<std::string, std::string>> rooms = {
      {"fabrics", listed(fabric::fabrics())},  {"algorithms", listed(schedule::algorithms()) + kSearches},
      {"models", listed(workload::models())},  {"npus", listed(placement::npus())},
      {"studies", listed(studies::studies())},
  };
  std::string text;
  std::vector<std::string> names;
  for (const auto& [name, entries] : rooms) {
    names.push_back(name);
    if (room.empty()) text += name + "\n" + entries;
    if (room == name) return entries;
  }
  if (!room.empty()) throw unknown_name("list", room, names, "helio list");
  return text;
}

std::string describe(const std::string& name) {
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "\n") + more; };
  if (const auto* entry = fabric::fabrics().find(name)) add(described("fabric", entry->description, "fabric."));
  if (const auto* entry = schedule::algorithms().find(name))
    add(described("algorithm", entry->description, "algorithm.", kinds_line(entry->factory)));
  if (name == plan::kAuto)
    add("algorithm auto\n  the fastest of those that have the kind, each with its defaults; the default of helio "
        "collective\n");
  if (name == plan::kWdmPlanned)
    add("algorithm wdm-planned\n  on wdm-ring: the fastest all-reduce found among circulant chains, WRHT of every group and "
        "stripe, rings and trees: docs/plan.md\n  reference: ours; papers/wrht.md 6.6\n  kinds: all-reduce\n  no parameters\n");
  if (names_a_model(name)) add(describe_model(name));
  if (const auto* entry = placement::npus().find(name)) add(describe_npu(*entry));
  if (name == kJob) add(describe_job());
  if (const auto* entry = studies::studies().find(name)) add(described("study", entry->description, ""));
  for (const schedule::Kind kind : schedule::kAllKinds)
    if (name == schedule::name_of(kind))
      add(fmt::format("collective {}\n  algorithms: {}\n", name, algorithms_with(kind)));
  if (!text.empty()) return text;

  std::vector<std::string> legal = fabric::fabrics().names();
  for (const auto& more : {schedule::algorithms().names(), workload::models().names(), placement::npus().names(),
                           studies::studies().names(),
                           std::vector{std::string(kJob), std::string(plan::kAuto), std::string(plan::kWdmPlanned)}})
    for (const std::string& other : more)
      if (std::ranges::count(legal, other) == 0) legal.push_back(other);
  for (const schedule::Kind kind : schedule::kAllKinds) legal.emplace_back(schedule::name_of(kind));
  for (const pipeline::Promise& promise : pipeline::promises())
    pipeline::refuse_promised(promise.what, name, legal, "helio describe");
  throw unknown_name("name", name, legal, "helio describe");
}

}  // namespace helio::apps
