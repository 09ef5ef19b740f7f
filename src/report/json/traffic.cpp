// SPDX-License-Identifier: Apache-2.0
#include "report/json/traffic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/json_dump.h"
#include "base/units.h"
#include "pipeline/counted.h"
#include "report/json/json_values.h"

namespace helio::report {

using pipeline::TrafficComparison;
using pipeline::TrafficIteration;
using pipeline::TrafficQuestion;
using pipeline::TrafficResult;

namespace {

Json object(const TrafficResult& result) {
  Json json = {{"version", result.version},
               {"fabric", result.fabric},
               {"nodes", result.nodes},
               {"bytes", number(result.asked.bytes.value.value)},
               {"skew", result.asked.skew},
               {"seed", result.asked.seed},
               {"compute_s", result.asked.compute.to_seconds()},
               {"time_s", result.time.to_seconds()},
               {"iteration_mean_s", result.mean.to_seconds()},
               {"utilisation", result.utilisation},
               {"moved_bytes", number(result.moved.value)},
               {"flows", result.flows},
               {"latency_p50_s", result.p50.to_seconds()},
               {"latency_p99_s", result.p99.to_seconds()},
               {"latency_max_s", result.slowest.to_seconds()}};
  json["iterations"] = Json::array();
  for (const TrafficIteration& iteration : result.iterations)
    json["iterations"].push_back({{"time_s", iteration.time.to_seconds()},
                                  {"bound_s", iteration.bound_s},
                                  {"hottest", iteration.hottest},
                                  {"flows", iteration.flows},
                                  {"latency_p50_s", iteration.p50.to_seconds()},
                                  {"latency_p99_s", iteration.p99.to_seconds()},
                                  {"latency_max_s", iteration.slowest.to_seconds()}});
  json["configuration"] = configured({result.configuration});
  json["facts"] = told(result.facts);
  json["label"] = result.label;
  json["assumptions"] = result.assumptions;
  return json;
}

Json object(const TrafficComparison& comparison) {
  Json json = {{"rate_bps", number(comparison.rate.value)}, {"fabrics", Json::array()}};
  for (const TrafficComparison::Entry& entry : comparison.entries) {
    Json one = {{"name", entry.name}};
    if (entry.result)
      one.update(object(*entry.result));
    else
      one["refused"] = entry.refusal.text();
    json["fabrics"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

std::string to_json(const TrafficResult& result) { return json_dump(object(result), 2) + "\n"; }
std::string to_json(const TrafficComparison& comparison) { return json_dump(object(comparison), 2) + "\n"; }

std::string to_text(const TrafficResult& result) {
  const TrafficQuestion& asked = result.asked;
  std::string text = fmt::format("mixture-of-experts traffic on {}, {}, {} each, {}\n", result.fabric,
                                 pipeline::counted(result.nodes, "node"), format(asked.bytes.value),
                                 pipeline::counted(result.iterations.size(), "iteration"));
  text += fmt::format("  skew         {:g}, seed {}\n", asked.skew, asked.seed);
  text += fmt::format("  time         {}, of which {} compute\n", format(result.time),
                      format(asked.compute * static_cast<std::int64_t>(result.iterations.size())));
  text += fmt::format("  iteration    {} on average\n", format(result.mean));
  text += fmt::format("  utilisation  {:.3f} of what all nodes could inject\n", result.utilisation);
  text += fmt::format("  latency      p50 {}, p99 {}, max {} of {}\n\n", format(result.p50), format(result.p99),
                      format(result.slowest), pipeline::counted(result.flows, "flow"));
  text += fmt::format("  {:>9}  {:>8}  {:>10}  {:>10}  {:>10}  {:>10}\n", "iteration", "hottest", "time", "bound",
                      "p50", "p99");
  for (std::size_t k = 0; k < result.iterations.size(); ++k) {
    const TrafficIteration& iteration = result.iterations[k];
    text += fmt::format("  {:>9}  {:>7.2f}%  {:>10}  {:>10}  {:>10}  {:>10}\n", k, 100 * iteration.hottest,
                        format(iteration.time), format(Time::seconds(iteration.bound_s)), format(iteration.p50),
                        format(iteration.p99));
  }
  text += "\n  assumed\n";
  for (const std::string& assumption : result.assumptions) text += fmt::format("    {}\n", assumption);
  return text;
}

// All fabrics in one table, in the order in which they were asked for.
std::string to_text(const TrafficComparison& comparison) {
  const auto carried =
      std::ranges::find_if(comparison.entries, [](const auto& entry) { return entry.result.has_value(); });
  const TrafficQuestion& asked = carried->result->asked;
  std::string text = fmt::format("mixture-of-experts traffic, {} of {} each, {} each, {}\n",
                                 pipeline::counted(carried->result->nodes, "node"), format(comparison.rate),
                                 format(asked.bytes.value), pipeline::counted(asked.iterations, "iteration"));
  text += fmt::format("  skew {:g}, seed {}, {} compute before each exchange\n\n", asked.skew, asked.seed,
                      format(asked.compute));

  std::size_t width = 6;
  for (const TrafficComparison::Entry& entry : comparison.entries) width = std::max(width, entry.name.size());
  text += fmt::format("  {:<{}}  {:>10}  {:>8}  {:>11}  {:>10}  {:>10}  {:>10}\n", "fabric", width, "exchange",
                      "x bound", "utilisation", "p50", "p99", "max");
  for (const TrafficComparison::Entry& entry : comparison.entries) {
    if (!entry.result) {
      text += fmt::format("  {:<{}}  refused: {}\n", entry.name, width, entry.refusal.text());
      continue;
    }
    const TrafficResult& result = *entry.result;
    double bound = 0;
    for (const TrafficIteration& iteration : result.iterations) bound += iteration.bound_s;
    text += fmt::format("  {:<{}}  {:>10}  {:>8.3f}  {:>11.3f}  {:>10}  {:>10}  {:>10}\n", entry.name, width,
                        format(result.mean), result.mean.to_seconds() * asked.iterations / bound, result.utilisation,
                        format(result.p50), format(result.p99), format(result.slowest));
  }

  // What all assume, and what some do
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> who;
  std::size_t answers = 0;
  for (const TrafficComparison::Entry& entry : comparison.entries) {
    if (!entry.result) continue;
    ++answers;
    for (const std::string& assumption : entry.result->assumptions) {
      if (who[assumption].empty()) order.push_back(assumption);
      who[assumption].push_back(entry.name);
    }
  }
  text += "\n  assumed\n";
  for (const std::string& assumption : order)
    text += who[assumption].size() == answers
                ? fmt::format("    {}\n", assumption)
                : fmt::format("    {}: {}\n", fmt::join(who[assumption], ", "), assumption);
  return text;
}

}  // namespace helio::report
