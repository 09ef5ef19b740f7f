// SPDX-License-Identifier: Apache-2.0
#include "plan/dials.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "pipeline/iteration.h"
#include "placement/npu.h"
#include "placement/strategy.h"

namespace helio::plan {
namespace {

using fabric::Footing;
using pipeline::Candidate;
using pipeline::Experiment;

constexpr const char* kPlace = "switching";
constexpr double kTera = 1e12;

std::string in_seconds(double value) { return format(Time::seconds(value)); }

// A setting of fabrics that have it.
std::optional<Dial> of_light(const char* name, const std::vector<const Candidate*>& networks,
                             double (*read)(const std::string&), std::string (*exactly)(double),
                             std::string (*in_words)(double)) {
  double at = 0;
  for (const Candidate* one : networks)
    for (const auto& [key, text] : one->configuration)
      if (key == name && at == 0 && !text.empty()) at = read(text);
  if (!(at > 0)) return {};
  return Dial{name, at,
              [name, exactly](Experiment& experiment, Footing&, double value) {
                const auto& parameters = fabric::fabrics().at(experiment.fabric.name).description.parameters;
                if (std::ranges::count(parameters, name, &Parameter::name) > 0)
                  experiment.fabric.settings[name] = {exactly(value), kPlace};
              },
              in_words};
}

// How fast NPUs multiply and read their memory, against what they are.
Dial npu_speed(const pipeline::Job& job) {
  const placement::Npu npu = pipeline::machine_of(job).npu;
  const auto precision = job.strategy.find("precision");
  const double peak = npu.peak(precision == job.strategy.end() ? placement::Precision::kBf16
                                                               : placement::precision_named(precision->second.text));
  return {"npu_speed", 1,
          [peak, bytes = npu.memory_bandwidth](Experiment& experiment, Footing&, double value) {
            Settings& settings = experiment.jobs.front().npu.settings;
            settings["peak"] = {fmt::format("{:.17g}", peak / kTera * value), kPlace};
            settings["memory_bandwidth"] = {fmt::format("{:.17g} GB/s", bytes / 1e9 * value), kPlace};
          },
          [](double value) { return fmt::format("{:.3g} x", value); }};
}

}  // namespace

const std::vector<std::string>& dial_names() {
  static const std::vector<std::string> names = {"injection", "latency",   "overhead", "retune",
                                                 "hop_loss",  "npu_speed", "bytes",    "batch"};
  return names;
}

std::vector<Dial> dials_of(const Experiment& experiment, const Footing& footing,
                           const std::vector<const Candidate*>& networks, const std::vector<std::string>& names) {
  std::vector<Dial> dials;
  if (footing.injection)
    dials.push_back({"injection", footing.injection->value,
                     [](Experiment&, Footing& f, double value) { f.injection = BitRate{value}; },
                     [](double value) { return format(BitRate{value}); }});
  if (footing.latency && !footing.latency->is_zero())
    dials.push_back({"latency", footing.latency->to_seconds(),
                     [](Experiment&, Footing& f, double value) { f.latency = Time::seconds(value); }, in_seconds});
  if (footing.overhead && !footing.overhead->is_zero())
    dials.push_back({"overhead", footing.overhead->to_seconds(),
                     [](Experiment&, Footing& f, double value) { f.overhead = Time::seconds(value); }, in_seconds});
  if (auto retune = of_light(
          "retune", networks, [](const std::string& text) { return parse_time(text).to_seconds(); },
          [](double value) { return fabric::exactly(Time::seconds(value)); }, in_seconds))
    dials.push_back(*std::move(retune));
  if (auto loss = of_light(
          "hop_loss", networks, [](const std::string& text) { return parse_decibel(text).value; },
          [](double value) { return fmt::format("{:.17g} dB", value); },
          [](double value) { return format(Decibel{value}); }))
    dials.push_back(*std::move(loss));
  if (experiment.jobs.size() == 1) {
    const auto precision = experiment.jobs.front().strategy.find("precision");
    const bool wide = precision == experiment.jobs.front().strategy.end() ||
                      !placement::below_16_bits(placement::precision_named(precision->second.text));
    if (wide) dials.push_back(npu_speed(experiment.jobs.front()));  // a peak that is set is that of all precisions
  }
  if (experiment.collectives.size() == 1 && experiment.jobs.empty())
    dials.push_back({"bytes", experiment.collectives.front().bytes.value.value,
                     [](Experiment& e, Footing&, double value) { e.collectives.front().bytes.value = {value}; },
                     [](double value) { return format(Bytes{value}); }});
  if (!names.empty()) std::erase_if(dials, [&](const Dial& dial) { return std::ranges::count(names, dial.name) == 0; });
  return dials;
}

}  // namespace helio::plan
