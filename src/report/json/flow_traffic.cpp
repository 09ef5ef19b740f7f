// SPDX-License-Identifier: Apache-2.0
#include "report/json/flow_traffic.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "base/json_dump.h"
#include "base/units.h"
#include "base/visible.h"
#include "pipeline/counted.h"
#include "pipeline/version.h"
#include "report/json/json_values.h"
#include "report/text/table_text.h"

namespace helio::report {
namespace {

using pipeline::FlowClass;
using pipeline::FlowComparison;
using pipeline::FlowResult;
using pipeline::FlowTimes;

Json object(const FlowTimes& times) {
  return {{"count", times.count},
          {"mean_s", times.mean_s},
          {"p50_s", times.p50_s},
          {"p99_s", times.p99_s},
          {"max_s", times.most_s}};
}

Json object(const FlowResult& result) {
  Json json = {{"fabric", result.fabric},
               {"nodes", result.nodes},
               {"end_s", result.end_s},
               {"moved_bytes", number(result.bytes)},
               {"utilisation", result.utilisation},
               {"flow_times", object(result.flows)},
               {"coflow_times", object(result.coflows)},
               {"slowdown", result.slowdown},
               {"slowdown_p99", result.slowdown_p99},
               {"by_size", Json::array()}};
  for (const FlowClass& size : result.classes) {
    Json one = {{"upto_bytes", std::isfinite(size.upto) ? number(size.upto) : Json(nullptr)}};
    one.update(object(size.times));
    one["slowdown"] = size.slowdown;
    one["slowdown_p99"] = size.slowdown_p99;
    json["by_size"].push_back(std::move(one));
  }
  json["configuration"] = configured({result.configuration});
  json["facts"] = told(result.facts);
  json["label"] = result.label;
  json["assumptions"] = result.assumptions;
  return json;
}

std::string in_time(double seconds) { return format(Time::seconds(seconds)); }

}  // namespace

std::string to_json(const FlowComparison& comparison) {
  Json json = {{"version", pipeline::kVersion},
               {"flows", comparison.source},
               {"rate_bps", number(comparison.rate.value)},
               {"fabrics", Json::array()}};
  for (const FlowComparison::Entry& entry : comparison.entries) {
    Json one = {{"name", entry.name}};
    if (entry.result)
      one.update(object(*entry.result));
    else
      one["refused"] = entry.refusal.text();
    json["fabrics"].push_back(std::move(one));
  }
  return json_dump(json, 2) + "\n";
}

std::string to_text(const FlowComparison& comparison) {
  std::string text = fmt::format("flows of {} at {} a node\n\n", visible(comparison.source), format(comparison.rate));
  std::vector<std::vector<std::string>> times = {
      {"fabric", "flows", "mean", "p50", "p99", "max", "slowdown", "p99", "utilisation", "coflows", "mean", "p99"}};
  std::vector<std::vector<std::string>> sizes = {{"fabric", "size", "flows", "mean", "p99", "slowdown", "p99"}};
  std::string refused, assumed;
  for (const FlowComparison::Entry& entry : comparison.entries) {
    if (!entry.result) {
      refused += fmt::format("  {} refused: {}\n", entry.name, entry.refusal.text());
      continue;
    }
    const FlowResult& r = *entry.result;
    const bool coflows = r.coflows.count > 0;
    times.push_back({entry.name, fmt::format("{}", r.flows.count), in_time(r.flows.mean_s), in_time(r.flows.p50_s),
                     in_time(r.flows.p99_s), in_time(r.flows.most_s), fmt::format("{:.3g}", r.slowdown),
                     fmt::format("{:.3g}", r.slowdown_p99), fmt::format("{:.3f}", r.utilisation),
                     fmt::format("{}", r.coflows.count), coflows ? in_time(r.coflows.mean_s) : "-",
                     coflows ? in_time(r.coflows.p99_s) : "-"});
    for (const FlowClass& size : r.classes)
      sizes.push_back({entry.name, std::isfinite(size.upto) ? "to " + format(Bytes{size.upto}) : "larger",
                       fmt::format("{}", size.times.count), in_time(size.times.mean_s), in_time(size.times.p99_s),
                       fmt::format("{:.3g}", size.slowdown), fmt::format("{:.3g}", size.slowdown_p99)});
    for (const std::string& assumption : r.assumptions)
      if (assumed.find("    " + assumption + "\n") == std::string::npos) assumed += "    " + assumption + "\n";
  }
  return text + table_of(times, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) + refused + "\n" +
         table_of(sizes, {2, 3, 4, 5, 6}) + "\n  assumed\n" + assumed;
}

}  // namespace helio::report
