// SPDX-License-Identifier: Apache-2.0
// What there is, as data and for people: what `helio list` and `helio describe` print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.h"
#include "report/text/look.h"

namespace helio::ask {

// The name under which the keys of JSON are described.
inline constexpr std::string_view kKeys = "keys";

struct Listed {
  std::string name, summary;
};
struct ListedRoom {
  std::string name;  // fabrics, algorithms, models, npus, studies
  std::vector<Listed> entries;
};
std::vector<ListedRoom> rooms();

// `room` is one of them; "": all. Throws Error(kInput) at `place` for another name.
std::string list(const std::string& room, const report::Look& look = {}, const std::string& place = "list");

// Everything that bears the name: an entry, a file of a model, a kind of collective, the keys of a job, the keys of all JSON that is
// printed. Throws Error(kInput) at `place` when nothing does.
std::string describe(const std::string& name, const report::Look& look = {}, const std::string& place = "describe");

}  // namespace helio::ask
