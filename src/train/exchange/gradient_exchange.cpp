// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/gradient_exchange.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/units.h"
#include "base/visible.h"
#include "schedule/algorithm.h"
#include "train/exchange/code_exchange.h"
#include "train/exchange/exact_exchange.h"
#include "train/exchange/schedule_exchange.h"
#include "train/exchange/testbed_exchange.h"

namespace helio::train {
namespace {

// A parameter as a spec has it, to be held against what the catalogue declares.
struct Given {
  const char* parameter;
  const char* words;               // as "reads no …" goes on
  bool set;                        // to something else than its default
  std::optional<double> number{};  // where it has bounds,
  std::string wrong{};             // and what is said of one beyond them
};

std::vector<Given> given(const ExchangeSpec& spec) {
  const ExchangeSpec plain;
  const double rate = spec.error_rate.value_or(0);
  return {
      {"bits", "bits", spec.task.bits != plain.task.bits},
      {"symbol_bits", "symbol bits", spec.task.symbol_bits != plain.task.symbol_bits},
      {"rounding", "rounding", spec.task.rounding != plain.task.rounding},
      {"bucket", "bucket", spec.bucket != plain.bucket},
      {"stochastic", "stochastic rounding", spec.stochastic},
      {"error_feedback", "error feedback", spec.error_feedback},
      {"balanced", "balanced rounding", spec.balanced},
      {"zero", "a code of zero", spec.zero.has_value()},
      {"ports", "ports", !spec.ports.empty()},
      {"fraction", "fraction", spec.fraction != plain.fraction, spec.fraction,
       fmt::format("{} fraction symbols", spec.fraction)},
      {"network", "networks", !spec.networks.empty()},
      {"chip", "chip", !spec.chip.empty()},
      {"noise", "noise", spec.noise != plain.noise, spec.noise, fmt::format("noise of {} symbols", spec.noise)},
      {"noise_draws", "noise draws", spec.noise_draws != plain.noise_draws, spec.noise_draws,
       fmt::format("{} draws of noise", spec.noise_draws)},
      {"error_rate", "error rate", spec.error_rate.has_value(), rate,
       fmt::format("an error rate of {} is not between 0 and 1", rate)},
  };
}

bool within(const Parameter& parameter, double number) {
  if (!std::isfinite(number)) return false;
  if (!parameter.minimum.empty() && number < parse_number(parameter.minimum)) return false;
  if (parameter.minimum_exclusive && number == parse_number(parameter.minimum)) return false;
  return parameter.maximum.empty() || number <= parse_number(parameter.maximum);
}

// Exchanges of our own that read a parameter: "'quantised' or 'optinc'".
std::string readers(std::string_view parameter) {
  std::vector<std::string> names;
  for (const ExchangeEntry& entry : exchanges().entries())
    if (!is_schedule(entry) && parameter_of(entry, parameter)) names.push_back("'" + entry.description.name + "'");
  return fmt::format("{}", fmt::join(names, " or "));
}

// What the catalogue does not declare for an exchange must not be set, and the rest must be within its bounds. The seed is shared by all
// of a training.
void check(const ExchangeSpec& spec, const ExchangeEntry& entry) {
  const auto refuse = [&](bool idle, const char* what, const std::string& who) {
    if (idle)
      throw Error(ErrorKind::kInput, fmt::format("the exchange '{}' reads no {}", spec.name, what), "",
                  fmt::format("leave it out, or use {}", who));
  };
  for (const Given& one : given(spec)) {
    const Parameter* declared = parameter_of(entry, one.parameter);
    refuse(one.set && !declared, one.words, readers(one.parameter));
    if (one.set && one.number && !within(*declared, *one.number)) throw Error(ErrorKind::kInput, one.wrong);
  }
  refuse(!takes_settings(entry) && !spec.settings.empty(), "settings of a schedule", "a schedule such as 'ring'");

  // Together
  const ExchangeSpec plain;
  refuse(spec.noise_draws != plain.noise_draws && spec.noise == 0 && spec.chip.empty(), "noise draws without noise",
         "noise or a chip with it");
  refuse(spec.fraction != plain.fraction && spec.ports.size() < 2, "fraction in a single level",
         "ports of several levels");
  refuse(spec.error_rate && (spec.noise != 0 || !spec.chip.empty()), "error rate together with noise or a chip",
         "one of them");
}

}  // namespace

const Catalogue<ExchangeFactory>& exchanges() {
  static const Catalogue<ExchangeFactory> catalogue = [] {
    std::vector<ExchangeEntry> entries{exact(), quantised(), optinc(), testbed_exchange()};
    for (ExchangeEntry& entry : schedules()) entries.push_back(std::move(entry));
    return Catalogue<ExchangeFactory>("exchange", std::move(entries));
  }();
  return catalogue;
}

const ExchangeEntry& exchange_named(const std::string& name, const std::string& place) {
  if (!exchanges().find(name) && schedule::algorithms().find(name))
    throw Error(ErrorKind::kInfeasible,
                fmt::format("the algorithm '{}' is no exchange: {}", name,
                            name == "in-fabric" ? "it needs a fabric that adds, and a training has none"
                                                : "it has no all-reduce"),
                place, fmt::format("Exchanges are {}", fmt::join(exchanges().names(), ", ")));
  return exchanges().at(name);
}

const Parameter* parameter_of(const ExchangeEntry& entry, std::string_view name) {
  const auto found = std::ranges::find(entry.description.parameters, name, &Parameter::name);
  return found == entry.description.parameters.end() ? nullptr : &*found;
}

bool is_schedule(const ExchangeEntry& entry) { return schedule::algorithms().find(entry.description.name) != nullptr; }

bool takes_settings(const ExchangeEntry& entry) { return is_schedule(entry) || entry.description.name == "testbed"; }

std::string ExchangeSpec::place(const std::string& parameter) const {
  const auto found = places.find(parameter);
  return found == places.end() ? "" : found->second;
}

nlohmann::json ExchangeSpec::words() const {
  const ExchangeEntry& entry = exchange_named(name, place("exchange"));
  const auto reads = [&](std::string_view parameter) { return parameter_of(entry, parameter) != nullptr; };
  nlohmann::json words = {{"name", name}};
  if (reads("bits"))
    words.update({{"bits", task.bits},
                  {"symbol_bits", task.symbol_bits},
                  {"rounding", name_of(task.rounding)},
                  {"bucket", bucket},
                  {"stochastic", stochastic},
                  {"error_feedback", error_feedback},
                  {"balanced", balanced},
                  {"seed", seed}});
  if (zero && *zero != 1u << (task.bits - 1)) words["zero"] = *zero;
  if (reads("ports")) {
    words.update({{"ports", ports}, {"fraction", fraction}, {"networks", nlohmann::json::array()}, {"noise", noise}});
    for (const std::string& network : networks) words["networks"].push_back(valid_utf8(network));
    if (!chip.empty()) words["chip"] = chip;
    if (noise > 0 || !chip.empty()) words["noise_draws"] = noise_draws;
    if (error_rate) words["error_rate"] = *error_rate;
  }
  if (takes_settings(entry)) words["settings"] = settings;
  return words;
}

std::unique_ptr<GradientExchange> make_exchange(const ExchangeSpec& spec, int servers, std::int64_t length,
                                                const at::Device& device) {
  const ExchangeEntry& entry = exchange_named(spec.name, spec.place("exchange"));
  if (servers < 1) throw Error(ErrorKind::kInput, fmt::format("an exchange between {} servers", servers));
  if (length < 1) throw Error(ErrorKind::kInput, fmt::format("gradients of {} elements", length));
  check(spec, entry);
  return entry.factory(spec, servers, length, device);
}

}  // namespace helio::train
