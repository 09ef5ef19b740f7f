// SPDX-License-Identifier: Apache-2.0
#include "traffic_command.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/units.h"
#include "command_line.h"
#include "pipeline/draft.h"
#include "pipeline/traffic.h"
#include "progress.h"
#include "report/json_values.h"

namespace helio::apps {
namespace {

using pipeline::TrafficIteration;
using pipeline::TrafficQuestion;
using pipeline::TrafficResult;

TrafficQuestion question_of(const TrafficOptions& options) {
  for (const std::string& set : options.set)
    if (set.find('=') != std::string::npos && !set.starts_with("fabric."))
      throw Error(ErrorKind::kInput, fmt::format("'{}' is no parameter of the fabric", set.substr(0, set.find('='))),
                  "--set", "Write fabric.PARAMETER=VALUE; the traffic has options of its own.");
  const pipeline::Experiment experiment = pipeline::interpret(draft_of({.kind = "all-to-all",
                                                                        .fabric = options.fabric,
                                                                        .bytes = options.bytes,
                                                                        .nodes = options.nodes,
                                                                        .algorithm = "direct",
                                                                        .set = options.set}));
  TrafficQuestion question{.fabric = experiment.fabric, .bytes = experiment.collectives.front().bytes};
  Settings settings;
  for (const auto& [name, value] : {std::pair{"iterations", &options.iterations},
                                    {"skew", &options.skew},
                                    {"seed", &options.seed},
                                    {"compute", &options.compute}})
    if (*value) settings[name] = {**value, std::string("--") + name};
  pipeline::read_traffic(Parameters("traffic", pipeline::traffic_parameters(), settings), question);
  return question;
}

std::string to_json(const TrafficResult& result) {
  nlohmann::ordered_json json = {{"version", result.version},
                                 {"fabric", result.fabric},
                                 {"nodes", result.nodes},
                                 {"bytes", report::number(result.asked.bytes.value.value)},
                                 {"skew", result.asked.skew},
                                 {"seed", result.asked.seed},
                                 {"compute_s", result.asked.compute.to_seconds()},
                                 {"time_s", result.time.to_seconds()},
                                 {"iteration_mean_s", result.mean.to_seconds()},
                                 {"utilisation", result.utilisation},
                                 {"moved_bytes", report::number(result.moved.value)},
                                 {"flows", result.flows},
                                 {"latency_p50_s", result.p50.to_seconds()},
                                 {"latency_p99_s", result.p99.to_seconds()},
                                 {"latency_max_s", result.slowest.to_seconds()}};
  json["iterations"] = nlohmann::ordered_json::array();
  for (const TrafficIteration& iteration : result.iterations)
    json["iterations"].push_back({{"time_s", iteration.time.to_seconds()},
                                  {"bound_s", iteration.bound_s},
                                  {"hottest", iteration.hottest},
                                  {"flows", iteration.flows},
                                  {"latency_p50_s", iteration.p50.to_seconds()},
                                  {"latency_p99_s", iteration.p99.to_seconds()},
                                  {"latency_max_s", iteration.slowest.to_seconds()}});
  json["configuration"] = report::configured({result.configuration});
  json["label"] = result.label;
  json["assumptions"] = result.assumptions;
  return json.dump(2) + "\n";
}

std::string to_text(const TrafficResult& result) {
  const TrafficQuestion& asked = result.asked;
  std::string text = fmt::format("mixture-of-experts traffic on {}, {} nodes, {} each, {} iterations\n", result.fabric,
                                 result.nodes, format(asked.bytes.value), result.iterations.size());
  text += fmt::format("  skew         {:g}, seed {}\n", asked.skew, asked.seed);
  text += fmt::format("  time         {}, of which {} compute\n", format(result.time),
                      format(asked.compute * static_cast<std::int64_t>(result.iterations.size())));
  text += fmt::format("  iteration    {} on average\n", format(result.mean));
  text += fmt::format("  utilisation  {:.3f} of what all nodes could inject\n", result.utilisation);
  text += fmt::format("  latency      p50 {}, p99 {}, max {} of {} flows\n\n", format(result.p50), format(result.p99),
                      format(result.slowest), result.flows);
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

}  // namespace

std::string traffic(const TrafficOptions& options, bool json) {
  const TrafficQuestion question = question_of(options);
  TrafficResult result;
  {
    Progress progress;
    result = pipeline::run_traffic(question, [&](std::string_view stage) { progress.show(stage); });
  }
  return json ? to_json(result) : to_text(result);
}

}  // namespace helio::apps
