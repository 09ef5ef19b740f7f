// SPDX-License-Identifier: Apache-2.0
#include "traffic_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/split.h"
#include "base/units.h"
#include "command_line.h"
#include "fabric/fabric.h"
#include "pipeline/counted.h"
#include "pipeline/draft.h"
#include "pipeline/traffic_comparison.h"
#include "progress.h"
#include "report/json/json_values.h"

namespace helio::apps {
namespace {

using pipeline::TrafficComparison;
using pipeline::TrafficContender;
using pipeline::TrafficIteration;
using pipeline::TrafficQuestion;
using pipeline::TrafficResult;

// A fabric as it was written, in parts: NAME:parameter=value,...
struct Named {
  std::string name;
  std::vector<std::string> settings;  // "policy=fifo"
};

Named named(const std::string& text) {
  Named fabric{text.substr(0, text.find(':')), {}};
  if (fabric.name.size() == text.size()) return fabric;
  fabric.settings = split(text.substr(fabric.name.size() + 1), ',');
  for (const std::string& setting : fabric.settings)
    if (setting.find('=') == std::string::npos)
      throw Error(ErrorKind::kInput, fmt::format("'{}' of '{}' sets nothing", setting, text), "--fabric",
                  "Write NAME:parameter=value,parameter=value.");
  return fabric;
}

// One fabric for each choice of a parameter that is set to `*`.
std::vector<Named> expanded(const Named& fabric) {
  const auto star = std::ranges::find_if(fabric.settings, [](const std::string& set) { return set.ends_with("=*"); });
  if (star == fabric.settings.end()) return {fabric};
  const std::string name = star->substr(0, star->size() - 2);
  const auto& parameters = fabric::fabrics().at(fabric.name, "--fabric").description.parameters;
  const auto declared = std::ranges::find(parameters, name, &Parameter::name);
  if (declared == parameters.end() || declared->choices.empty())
    throw Error(ErrorKind::kInput,
                fmt::format("'{}' has no parameter '{}' with choices to go through", fabric.name, name), "--fabric",
                fmt::format("See helio describe {}.", fabric.name));
  std::vector<Named> all;
  for (const std::string& choice : declared->choices) {
    Named one = fabric;
    one.settings[static_cast<std::size_t>(star - fabric.settings.begin())] = name + "=" + choice;
    for (Named& more : expanded(one)) all.push_back(std::move(more));
  }
  return all;
}

TrafficQuestion question_of(const TrafficOptions& options, const Named& fabric) {
  for (const std::string& set : options.set)
    if (set.find('=') != std::string::npos && !set.starts_with("fabric."))
      throw Error(ErrorKind::kInput, fmt::format("'{}' is no parameter of the fabric", set.substr(0, set.find('='))),
                  "--set", "Write fabric.PARAMETER=VALUE; the traffic has options of its own.");
  std::vector<std::string> set = options.set;
  for (const std::string& setting : fabric.settings) set.push_back("fabric." + setting);
  const pipeline::Experiment experiment = pipeline::interpret(draft_of({.kind = "all-to-all",
                                                                        .fabric = fabric.name,
                                                                        .bytes = options.bytes,
                                                                        .nodes = options.nodes,
                                                                        .algorithm = "direct",
                                                                        .set = set}));
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

nlohmann::ordered_json object(const TrafficResult& result) {
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
  json["facts"] = report::told(result.facts);
  json["label"] = result.label;
  json["assumptions"] = result.assumptions;
  return json;
}

nlohmann::ordered_json object(const TrafficComparison& comparison) {
  nlohmann::ordered_json json = {{"rate_bps", report::number(comparison.rate.value)},
                                 {"fabrics", nlohmann::ordered_json::array()}};
  for (const TrafficComparison::Entry& entry : comparison.entries) {
    nlohmann::ordered_json one = {{"name", entry.name}};
    if (entry.result)
      one.update(object(*entry.result));
    else
      one["refused"] = entry.refusal;
    json["fabrics"].push_back(std::move(one));
  }
  return json;
}

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
      text += fmt::format("  {:<{}}  refused: {}\n", entry.name, width, entry.refusal);
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

}  // namespace

std::string traffic(const TrafficOptions& options, bool json) {
  std::vector<Named> fabrics;
  for (const std::string& text : options.fabric)
    for (Named& fabric : expanded(named(text))) fabrics.push_back(std::move(fabric));
  const TrafficQuestion question = question_of(options, fabrics.front());
  const auto printed = [&](const auto& result) { return json ? object(result).dump(2) + "\n" : to_text(result); };

  // One fabric at its own rate
  if (fabrics.size() == 1) {
    if (options.rate)
      throw Error(ErrorKind::kInput, "a rate of all nodes is for fabrics that are compared", "--rate",
                  "Name several fabrics, or give --set fabric.rate=RATE.");
    std::optional<Progress> progress(std::in_place);
    const TrafficResult result =
        pipeline::run_traffic(question, [&](std::string_view stage) { progress->show(stage); });
    progress.reset();  // its line goes before ours comes
    return printed(result);
  }

  // Several at the same
  std::vector<TrafficContender> contenders;
  for (const Named& fabric : fabrics)
    contenders.push_back(
        {fabric.settings.empty() ? fabric.name : fmt::format("{} {}", fabric.name, fmt::join(fabric.settings, " ")),
         question_of(options, fabric).fabric});
  std::optional<BitRate> rate;
  if (options.rate)
    rate = Parameters("traffic",
                      {{.name = "rate", .type = ParameterType::kRate, .minimum = "0 b/s", .minimum_exclusive = true}},
                      {{"rate", {*options.rate, "--rate"}}})
               .rate("rate");
  std::optional<Progress> progress(std::in_place);
  const TrafficComparison comparison =
      pipeline::compare_traffic(question, contenders, rate, [&](std::string_view stage) { progress->show(stage); });
  progress.reset();
  return printed(comparison);
}

}  // namespace helio::apps
