// SPDX-License-Identifier: Apache-2.0
#include "report/json/job_stream.h"

#include <fmt/format.h>

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

using pipeline::JobStream;
using pipeline::Spread;
using pipeline::StreamComparison;
using pipeline::StreamResult;

Json object(const Spread& spread) {
  return {{"mean_s", spread.mean},
          {"p50_s", spread.p50},
          {"p90_s", spread.p90},
          {"p99_s", spread.p99},
          {"max_s", spread.most}};
}

Json object(const StreamResult& result) {
  Json json = {{"fabric", result.fabric},
               {"footing", pipeline::name_of(result.footing)},
               {"completion", object(result.completion_s)},
               {"waiting", object(result.waiting_s)},
               {"running", object(result.running_s)},
               {"slowdown", result.slowdown},
               {"slowdown_by_others", result.by_others},
               {"end_s", result.end_s},
               {"node_utilisation", result.node_utilisation},
               {"network_utilisation", result.network_utilisation}};
  json["light_utilisation"] = result.light_utilisation ? Json(*result.light_utilisation) : Json(nullptr);
  json["fragmented"] = result.fragmented;
  json["idle_while_waiting"] = result.idle_while_waiting;
  json["changes"] = result.changes;
  json["in_changes_s"] = result.in_changes_s;
  json["masked_jobs"] = result.masked;
  json["shared_jobs"] = result.shared;
  json["held_up_jobs"] = result.held_up;
  json["completion_cdf"] = Json::array();
  for (const auto& [seconds, share] : result.completions) json["completion_cdf"].push_back({seconds, share});
  json["engine_runs"] = result.paces;
  return json;
}

// Hours and days, as people tell times of jobs.
std::string in_hours(double seconds) {
  if (seconds < 60) return fmt::format("{:.3g} s", seconds);
  if (seconds < 3600) return fmt::format("{:.3g} min", seconds / 60);
  if (seconds < 2 * 86400) return fmt::format("{:.3g} h", seconds / 3600);
  return fmt::format("{:.4g} d", seconds / 86400);
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

}  // namespace

std::string to_json(const StreamComparison& comparison) {
  const JobStream& stream = comparison.stream;
  Json json = {{"version", pipeline::kVersion},
               {"log", stream.source},
               {"columns", stream.columns},
               {"rows", stream.rows},
               {"rows_without_a_job", Json::object()},
               {"jobs", stream.jobs.size()},
               {"nodes", stream.nodes},
               {"nodes_per_gpu", stream.nodes_per_gpu},
               {"rate_bps", number(comparison.rate.value)},
               {"offered_load", stream.offered()},
               {"arrivals_stretched", stream.paced},
               {"seed", stream.seed},
               {"queue", pipeline::name_of(stream.order)},
               {"placement", stream.scattered ? "scattered" : "near"},
               {"fabrics", Json::array()}};
  for (const auto& [reason, count] : stream.without) json["rows_without_a_job"][reason] = count;
  for (const StreamComparison::Entry& entry : comparison.entries) {
    Json one = {{"name", entry.name}};
    if (entry.result)
      one.update(object(*entry.result));
    else
      one["refused"] = entry.refusal.text();
    json["fabrics"].push_back(std::move(one));
  }
  json["label"] = "ours";
  json["assumptions"] = comparison.assumptions;
  return json_dump(json, 2) + "\n";
}

std::string to_text(const StreamComparison& comparison) {
  const JobStream& stream = comparison.stream;
  std::string text =
      fmt::format("{} of {} ({}) on {} of {}\n", pipeline::counted(stream.jobs.size(), "job"), visible(stream.source),
                  stream.columns, pipeline::counted(stream.nodes, "node"), format(comparison.rate));
  text += fmt::format("  load         {:.3f} while they arrive; {:g} of our nodes for a GPU, queue {}, seed {}\n",
                      stream.offered(), stream.nodes_per_gpu, pipeline::name_of(stream.order), stream.seed);
  for (const auto& [reason, count] : stream.without)
    text += fmt::format("  left out     {}: {}\n", pipeline::counted(count, "row"), reason);

  // Two tables: how long, and at what use
  std::vector<std::vector<std::string>> times = {
      {"fabric", "completion", "p50", "p99", "waiting", "p99", "running", "x ideal", "x alone"}};
  std::vector<std::vector<std::string>> uses = {
      {"fabric", "nodes", "network", "light", "fragmented", "idle", "changes", "masked", "shared", "held up"}};
  std::string refused;
  for (const StreamComparison::Entry& entry : comparison.entries) {
    if (!entry.result) {
      refused += fmt::format("  {} refused: {}\n", entry.name, entry.refusal.text());
      continue;
    }
    const StreamResult& r = *entry.result;
    times.push_back({entry.name, in_hours(r.completion_s.mean), in_hours(r.completion_s.p50),
                     in_hours(r.completion_s.p99), in_hours(r.waiting_s.mean), in_hours(r.waiting_s.p99),
                     in_hours(r.running_s.mean), fmt::format("{:.3f}", r.slowdown),
                     fmt::format("{:.3f}", r.by_others)});
    uses.push_back({entry.name, percent(r.node_utilisation), percent(r.network_utilisation),
                    r.light_utilisation ? percent(*r.light_utilisation) : "-", percent(r.fragmented),
                    percent(r.idle_while_waiting), fmt::format("{}", r.changes), percent(r.masked), percent(r.shared),
                    fmt::format("{}", r.held_up)});
  }
  text +=
      "\n" + table_of(times, {1, 2, 3, 4, 5, 6, 7, 8}) + "\n" + table_of(uses, {1, 2, 3, 4, 5, 6, 7, 8, 9}) + refused;
  text += "\n  assumed\n";
  for (const std::string& assumption : comparison.assumptions) text += fmt::format("    {}\n", assumption);
  return text;
}

}  // namespace helio::report
