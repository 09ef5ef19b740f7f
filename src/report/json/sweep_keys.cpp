// SPDX-License-Identifier: Apache-2.0
// What `helio sweep` prints.
#include "report/json/json_keys.h"

namespace helio::report {

std::vector<JsonKey> sweep_keys() {
  constexpr std::string_view kSweep = "helio sweep", kJoin = "helio sweep join", kShow = "helio sweep show";
  std::vector<JsonKey> keys;
  for (const std::string_view command : {kSweep, kJoin, kShow}) {
    keys.insert(
        keys.end(),
        {{command, "points", "", "of the sweep"},
         {command, "finished", "", "those that are in the database"},
         {command, "codes", "",
          "how many ended with each code: 0 a result; 2, 3, 4 refused; 124 too long; 128 + n by signal n", true},
         {command, "value", "", "the key of the answers by which points are compared"},
         {command, "best", "", "the point with the least value; null: none has one"},
         {command, "best.point", "", "its number, from 0"},
         {command, "best.value", "", "the value of that key"},
         {command, "best.command", "", "what asks for it"}});
    if (command == kSweep)
      keys.insert(keys.end(), {{command, "found", "", "points that were in the database before"},
                               {command, "interrupted", "", "whether it was stopped: the same command goes on"}});
  }
  keys.insert(keys.end(), {{kShow, "rows", "", "the best, the least value first"},
                           {kShow, "rows[].point", "", "its number, from 0"},
                           {kShow, "rows[].value", "", "the value of that key"},
                           {kShow, "rows[].seconds", "s", "that the answer took, by the clock"},
                           {kShow, "rows[].values", "", "what was varied, and what it was", true}});
  return keys;
}

}  // namespace helio::report
