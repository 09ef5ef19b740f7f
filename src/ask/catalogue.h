// SPDX-License-Identifier: Apache-2.0
// What there is, as data and for people: what `helio list` and `helio describe` print.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ask/experiment.h"
#include "ask/front_end.h"
#include "base/catalogue.h"
#include "report/text/look.h"

namespace helio::ask {

// The name under which the keys of JSON are described.
inline constexpr std::string_view kKeys = "keys";
// And that of the columns of measurements.
inline constexpr std::string_view kColumns = "columns";

struct Listed {
  std::string name, summary;
  std::string numbers = {};                  // that tell it from its neighbours: "989 TFLOP/s, 80 GiB at 3.35 TB/s"
  const Description* description = nullptr;  // of the catalogue; none of auto and wdm-planned
};
struct ListedRoom {
  std::string name;  // fabrics, algorithms, models, npus, parts, studies
  std::vector<Listed> entries;
};
std::vector<ListedRoom> rooms();

// `room` is one of them; "": all. Throws Error(kInput) at `place` for another name.
std::string list(const std::string& room, const report::Look& look = {}, const std::string& place = "list");

// The same as data: for each room its entries with reference and parameters, of algorithms with their kinds.
std::string list_in_json(const std::string& room, const std::string& place = "list");

struct DescribeQuestion {
  std::string name;
  std::optional<std::string> nodes = {};
  std::vector<Assignment> set = {};  // fabric.NAME, part.NAME.KEY
  std::string place = "describe";
  Naming called = as_it_is;
};
// describe(name), and of a fabric whose size is given its bill as well; in JSON of a fabric its bill, of a model its layers, of all else what
// the words say. Throw Error as that, Error(kUsage) for what is said of no fabric, and for columns, which have no JSON; as fabric::make for a
// fabric that cannot be made.
std::string describe(const DescribeQuestion& question, const report::Look& look);
std::string describe_in_json(const DescribeQuestion& question);

// Everything that bears the name: an entry, a file of a model, a kind of collective, the keys of a job, the keys of all JSON that is
// printed. Throws Error(kInput) at `place` when nothing does.
std::string describe(const std::string& name, const report::Look& look = {}, const std::string& place = "describe");

}  // namespace helio::ask
