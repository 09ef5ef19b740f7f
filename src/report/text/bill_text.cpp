// SPDX-License-Identifier: Apache-2.0
#include "report/text/bill_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "report/text/table_text.h"

namespace helio::report {

std::string in_words(Range range) {
  if (range == Range{}) return "-";
  return range.low == range.high ? fmt::format("{:.4g}", range.low)
                                 : fmt::format("{:.4g} to {:.4g}", range.low, range.high);
}

std::string bill_text(const fabric::Priced& bill, const Look& look) {
  std::vector<std::vector<std::string>> rows = {{"part", "count", "W", "W idle", "USD", "where"}};
  for (const fabric::Priced::Line& line : bill.lines)
    rows.push_back({line.what.part + (line.recalled ? "*" : ""), fmt::format("{:.6g}", line.what.count),
                    in_words(line.watts), in_words(line.idle_watts), in_words(line.cost),
                    line.what.level.empty() ? line.what.where : line.what.level + ": " + line.what.where});
  rows.push_back({"all", "", in_words(bill.watts), in_words(bill.idle_watts), in_words(bill.cost), "W at full load"});
  return table_of(rows, {1, 2, 3, 4}, look) + (std::ranges::any_of(bill.lines, &fabric::Priced::Line::recalled)
                                                   ? "  * something of it is from memory: helio describe PART\n"
                                                   : "");
}

std::string describe_part(const Catalogue<fabric::PartFactory>::Entry& entry, const Look& look) {
  constexpr double kPico = 1e-12;
  const fabric::Part part = entry.factory(fabric::parts().resolve(entry, {}));
  std::string text =
      fmt::format("{}\n  {}\n  reference: {}\n  year: {}{}\n", paint(look, Ink::kTitle, "part " + part.name),
                  wrapped(look, entry.description.summary, 2), wrapped(look, entry.description.reference, 13),
                  part.year, part.recalled ? "; some of it recalled" : "");
  const auto say = [&](const char* name, Range range, const char* unit) {
    if (range != Range{}) text += fmt::format("  {}: {} {}\n", name, in_words(range), unit);
  };
  say("power", part.watts, "W each");
  say("energy", 1 / kPico * part.joules_per_bit, "pJ/bit");
  say("idle", part.idle, "of that for each bit that could have passed");
  say("power for light", part.watts_per_light, "W for each W of light");
  say("price", part.price, "USD each");
  say("price by rate", part.price_per_gbps, "USD for each Gb/s");
  return text + table_of(entry.description.parameters, "part." + part.name + ".", look);
}

}  // namespace helio::report
