// SPDX-License-Identifier: Apache-2.0
// The catalogue of parts that networks are made of: what one takes and costs, from whom, of which year (docs/parts.md).
//
//   takes   watts             each, as long as it is on: heaters, lasers, amplifiers
//           joules_per_bit    for each bit that passes, at full load: SerDes, modules, switch chips, wires
//           idle              the share of that which it takes for every bit that could have passed and did not: 1 where a link that
//                             carries nothing is as busy as one that does
//           watts_per_light   of lasers: one over their wall-plug efficiency
//   costs   price             US dollars each
//           price_per_gbps    US dollars for each Gb/s that it can carry
//
// Invariant: nothing is unknown. What no source was found for is from memory, says so (`recalled`) and spans a range.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/catalogue.h"
#include "base/range.h"

namespace helio::fabric {

struct Part {
  std::string name;
  int year = 0;           // of the source; of what is remembered, about
  bool recalled = false;  // some of it is from memory
  Range watts, joules_per_bit, idle, watts_per_light;
  Range price, price_per_gbps;
};

// Factory: Parameters → Part. The parameters override it ("watts", "pj_per_bit", "idle", "efficiency", "price", "price_per_gbps").
using PartFactory = std::function<Part(const Parameters&)>;
const Catalogue<PartFactory>& parts();

// All parts by name, as they are or as somebody knows them better: "serdes.pj_per_bit" and so on. Throws Error(kInput) at the place of
// a setting that is of no part.
using Parts = std::map<std::string, Part, std::less<>>;
Parts parts_with(const Settings& known_better = {});

}  // namespace helio::fabric
