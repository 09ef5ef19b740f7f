// SPDX-License-Identifier: Apache-2.0
#include "report/json/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/json_dump.h"
#include "base/units.h"
#include "base/visible.h"
#include "pipeline/counted.h"
#include "report/text/bill_text.h"
#include "report/text/table_text.h"

namespace helio::report {

using pipeline::Candidate;
using pipeline::Comparison;

namespace {

void add(Json& json, const std::string& name, Range range) {
  json[name] = number(range.middle());
  json[name + "_low"] = number(range.low);
  json[name + "_high"] = number(range.high);
}

Json pairs(const std::vector<std::pair<std::string, std::string>>& settings) {
  Json json = Json::object();
  for (const auto& [name, value] : settings) json[name] = value;
  return json;
}

template <class T>
Json or_null(const std::optional<T>& value, double (*read)(T)) {
  return value ? number(read(*value)) : Json(nullptr);
}

std::string seconds(double time) { return format(Time::seconds(time)); }

}  // namespace

Json candidate_json(const Candidate& candidate) {
  Json json = {{"fabric", candidate.title},        {"family", candidate.fabric.name},
               {"feasible", candidate.feasible},   {"reason", candidate.reason.text()},
               {"algorithm", candidate.algorithm}, {"strategy", candidate.strategy}};
  if (candidate.feasible) {
    json["time_s"] = candidate.time_s;
    json["bound_s"] = candidate.bound_s;
    json["exposed_s"] = candidate.exposed_s;
    json["value_error"] = candidate.value_error.value_or(0);
    add(json, "watts", candidate.watts);
    add(json, "energy_j", candidate.energy);
    add(json, "cost", candidate.cost);
    json["parts"] = number(candidate.parts);
    json["label"] = candidate.label;
    json["factors"] = Json::array();
    for (const pipeline::Factor& factor : candidate.factors)
      json["factors"].push_back({{"what", factor.what}, {"times", factor.times}});
    json["why"] = candidate.why;
  }
  json["set"] = pairs(candidate.set);
  json["configuration"] = pairs(candidate.configuration);
  return json;
}

std::string to_json(const Comparison& comparison) {
  const fabric::Footing& footing = comparison.footing;
  Json json = {{"question", comparison.title},
               {"nodes", comparison.nodes},
               {"injection_bps", or_null<BitRate>(footing.injection, [](BitRate rate) { return rate.value; })},
               {"latency_s", or_null<Time>(footing.latency, [](Time time) { return time.to_seconds(); })},
               {"overhead_s", or_null<Time>(footing.overhead, [](Time time) { return time.to_seconds(); })},
               {"most_error", comparison.most_error ? Json(*comparison.most_error) : Json(nullptr)},
               {"ideal_s", comparison.ideal_s},
               {"candidates", Json::array()}};
  for (const Candidate& candidate : comparison.candidates) json["candidates"].push_back(candidate_json(candidate));
  const auto title = [&](const std::optional<std::size_t>& who) {
    return who ? Json(comparison.candidates[*who].title) : Json(nullptr);
  };
  json["winner"] = title(comparison.winner);
  json["runner_up"] = title(comparison.runner_up);
  json["margin"] = comparison.runner_up ? Json(comparison.candidates[*comparison.runner_up].time_s /
                                                   comparison.candidates[*comparison.winner].time_s -
                                               1)
                                        : Json(nullptr);
  json["gap"] = 0;  // all of them ran
  add_switching(json, comparison.switching, comparison.steady);
  return json_dump(json, 2) + "\n";
}

void add_switching(Json& json, const std::vector<pipeline::Switching>& switching,
                   const std::vector<std::string>& steady) {
  json["switching"] = Json::array();
  for (const pipeline::Switching& at : switching)
    json["switching"].push_back({{"parameter", at.parameter},
                                 {"value", number(at.value)},
                                 {"at", number(at.at)},
                                 {"below", at.below},
                                 {"above", at.above}});
  json["steady"] = steady;
}

std::string in_words(const pipeline::Switching& at) {
  const auto words = [&](double value) {
    const std::string& p = at.parameter;
    if (p == "injection") return format(BitRate{value});
    if (p == "bytes") return format(Bytes{value});
    if (p == "hop_loss") return format(Decibel{value});
    if (p == "latency" || p == "overhead" || p == "retune") return format(Time::seconds(value));
    return fmt::format("{:.6g}", value);
  };
  return fmt::format("{}: {} below {}, {} above; asked at {}", at.parameter, shown(at.below), words(at.value),
                     shown(at.above), words(at.at));
}

std::string switching_text(const std::vector<pipeline::Switching>& switching, const std::vector<std::string>& steady) {
  if (switching.empty() && steady.empty()) return {};
  std::string text = "\n  the winner changes\n";
  for (const pipeline::Switching& at : switching) text += fmt::format("    {}\n", in_words(at));
  for (const std::string& words : steady) text += fmt::format("    {}\n", shown(words));
  return text;
}

std::string in_words(const fabric::Footing& footing) {
  std::vector<std::string> words;
  words.push_back(footing.injection ? fmt::format("each node injects {}", format(*footing.injection))
                                    : "rates as each fabric has them");
  words.push_back(footing.latency ? fmt::format("{} a link", format(*footing.latency))
                                  : "latencies as each fabric has them");
  words.push_back(footing.overhead ? fmt::format("{} a step at the ends", format(*footing.overhead))
                                   : "costs of a step as each fabric has them");
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string to_text(const Comparison& comparison, const Look& look) {
  std::string text = fmt::format("{} on {}\n  {}\n", shown(comparison.title),
                                 pipeline::counted(comparison.nodes, "node"), in_words(comparison.footing));
  if (comparison.ideal_s > 0)
    text += fmt::format("  ideal        {}: what ranks must send, at that rate, unhelped and without delay\n",
                        seconds(comparison.ideal_s));

  if (comparison.most_error)
    text += fmt::format("  error        of the values {:.3g} at most, of who is to win\n", *comparison.most_error);

  // The table: the fastest first, those that cannot last
  std::vector<const Candidate*> able;
  for (const Candidate& one : comparison.candidates)
    if (one.feasible) able.push_back(&one);
  std::ranges::stable_sort(able, {}, &Candidate::time_s);
  std::vector<std::vector<std::string>> rows = {
      {"fabric", "time", "bound", "exposed", "value error", "W", "J", "parts", "USD", "algorithm"}};
  for (const Candidate* one : able)
    rows.push_back({shown(one->title), seconds(one->time_s), seconds(one->bound_s), seconds(one->exposed_s),
                    one->value_error ? fmt::format("{:.2g}", *one->value_error) : "exact", in_words(one->watts),
                    in_words(one->energy), fmt::format("{:.6g}", one->parts), in_words(one->cost), one->algorithm});
  text += "\n" + table_of(rows, {1, 2, 3, 4, 5, 6, 7, 8}, look);
  for (const Candidate& one : comparison.candidates)
    if (!one.feasible) text += fmt::format("  {}: {}\n", shown(one.title), one.reason.text());

  text += "\n  why\n";
  for (const Candidate* one : able) text += fmt::format("    {}: {}\n", shown(one->title), one->why);
  text += "\n  set alike\n";
  for (const Candidate* one : able) {
    std::vector<std::string> set;
    for (const auto& [name, value] : one->set) set.push_back(name + "=" + value);
    text += fmt::format("    {}: {}\n", shown(one->title),
                        set.empty() ? "nothing" : fmt::format("{}", fmt::join(set, ", ")));
  }
  const Candidate& winner = comparison.candidates[*comparison.winner];
  text += fmt::format("\n  winner       {}, {}\n", shown(winner.title), seconds(winner.time_s));
  if (comparison.runner_up) {
    const Candidate& next = comparison.candidates[*comparison.runner_up];
    text += fmt::format("  runner-up    {}, {}: {:.3g} % longer\n", shown(next.title), seconds(next.time_s),
                        100 * (next.time_s / winner.time_s - 1));
  }
  text += switching_text(comparison.switching, comparison.steady);
  return text;
}

}  // namespace helio::report
