// SPDX-License-Identifier: Apache-2.0
#include "report/json/bill_json.h"

namespace helio::report {
namespace {

void add(Json& json, const std::string& name, Range range, const std::string& unit = "") {
  json[name + "_low" + unit] = number(range.low);
  json[name + "_high" + unit] = number(range.high);
}

}  // namespace

Json bill_json(const std::string& fabric, std::uint64_t nodes, const fabric::Priced& bill) {
  Json lines = Json::array();
  for (const fabric::Priced::Line& line : bill.lines) {
    Json one = {{"part", line.what.part},
                {"count", number(line.what.count)},
                {"where", line.what.where},
                {"level", line.what.level},
                {"rate_bps", number(line.what.rate.value)}};
    add(one, "watts", line.watts);
    add(one, "idle_watts", line.idle_watts);
    add(one, "cost", line.cost, "_usd");
    one["recalled"] = line.recalled;
    one["source"] = line.source;
    lines.push_back(std::move(one));
  }
  Json json = {{"fabric", fabric}, {"nodes", nodes}, {"parts", std::move(lines)}};
  add(json, "watts", bill.watts);
  add(json, "idle_watts", bill.idle_watts);
  add(json, "cost", bill.cost, "_usd");
  return json;
}

Json part_json(const Catalogue<fabric::PartFactory>::Entry& entry) {
  const fabric::Part part = entry.factory(fabric::parts().resolve(entry, {}));
  Json json = {{"part", part.name},
               {"summary", entry.description.summary},
               {"source", entry.description.reference},
               {"year", part.year},
               {"recalled", part.recalled}};
  add(json, "watts", part.watts);
  add(json, "pj_per_bit", 1e12 * part.joules_per_bit);
  add(json, "idle", part.idle);
  add(json, "watts_per_light", part.watts_per_light);
  add(json, "price", part.price, "_usd");
  add(json, "price_per_gbps", part.price_per_gbps, "_usd");
  return json;
}

}  // namespace helio::report
