// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/gradient_exchange.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "schedule/algorithm.h"
#include "train/exchange/code_exchange.h"
#include "train/exchange/exact_exchange.h"
#include "train/exchange/schedule_exchange.h"

namespace helio::train {
namespace {

enum class Family { kExact, kQuantised, kOptinc, kSchedule };

// Algorithms that end with a sum on every server and need no switch that adds.
std::vector<std::string> schedules() {
  std::vector<std::string> names;
  for (const schedule::AlgorithmEntry& entry : schedule::algorithms().entries())
    if (std::ranges::find(entry.factory.kinds, schedule::Kind::kAllReduce) != entry.factory.kinds.end() &&
        entry.description.name != "in-fabric")
      names.push_back(entry.description.name);
  return names;
}

Family family_of(const std::string& name) {
  if (name == "exact") return Family::kExact;
  if (name == "quantised") return Family::kQuantised;
  if (name == "optinc") return Family::kOptinc;
  std::vector<std::string> names = schedules();
  if (std::ranges::find(names, name) != names.end()) return Family::kSchedule;
  names.insert(names.begin(), {"exact", "quantised", "optinc"});
  if (schedule::algorithms().find(name))
    throw Error(ErrorKind::kInfeasible,
                fmt::format("the algorithm '{}' is no exchange: {}", name,
                            name == "in-fabric" ? "it needs a fabric that adds, and a training has none"
                                                : "it has no all-reduce"),
                "--exchange", fmt::format("Exchanges are {}", fmt::join(names, ", ")));
  throw unknown_name("exchange", name, names);
}

// An option that this exchange does not read is a mistake. The seed is shared by all of a training.
void refuse_idle_options(const ExchangeSpec& spec, Family family) {
  const ExchangeSpec plain;
  const auto refuse = [&](bool given, const char* option, const std::string& who) {
    if (given)
      throw Error(ErrorKind::kInput, fmt::format("the exchange '{}' reads no {}", spec.name, option), "",
                  fmt::format("leave it out, or use {}", who));
  };
  if (family != Family::kQuantised && family != Family::kOptinc) {
    const std::string who = "'quantised' or 'optinc'";
    refuse(spec.bits != plain.bits, "bits", who);
    refuse(spec.symbol_bits != plain.symbol_bits, "symbol bits", who);
    refuse(spec.rounding != plain.rounding, "rounding", who);
    refuse(spec.bucket != plain.bucket, "bucket", who);
    refuse(spec.stochastic, "stochastic rounding", who);
    refuse(spec.error_feedback, "error feedback", who);
    refuse(spec.balanced, "balanced rounding", who);
    refuse(spec.zero.has_value(), "a code of zero", who);
  }
  if (family != Family::kOptinc) {
    refuse(!spec.ports.empty(), "ports", "'optinc'");
    refuse(spec.fraction != plain.fraction, "fraction", "'optinc'");
    refuse(!spec.networks.empty(), "networks", "'optinc'");
    refuse(spec.noise != plain.noise, "noise", "'optinc'");
    refuse(spec.noise_draws != plain.noise_draws, "noise draws", "'optinc'");
    refuse(spec.error_rate.has_value(), "error rate", "'optinc'");
  }
  if (family != Family::kSchedule)
    refuse(!spec.settings.empty(), "settings of a schedule", "a schedule such as 'ring'");
  refuse(spec.noise_draws != plain.noise_draws && spec.noise == 0, "noise draws without noise", "noise with it");
  refuse(spec.fraction != plain.fraction && spec.ports.size() < 2, "fraction in a single level",
         "ports of several levels");
  refuse(spec.error_rate && spec.noise != 0, "error rate together with noise", "one of them");
}

void check_ranges(const ExchangeSpec& spec) {
  const auto wrong = [](std::string what) { return Error(ErrorKind::kInput, std::move(what)); };
  if (!std::isfinite(spec.noise) || spec.noise < 0) throw wrong(fmt::format("noise of {} symbols", spec.noise));
  if (spec.noise_draws < 1 || spec.noise_draws > 4096) throw wrong(fmt::format("{} draws of noise", spec.noise_draws));
  if (spec.error_rate && !(*spec.error_rate > 0 && *spec.error_rate < 1))
    throw wrong(fmt::format("an error rate of {} is not between 0 and 1", *spec.error_rate));
  if (spec.fraction < 0) throw wrong(fmt::format("{} fraction symbols", spec.fraction));
}

}  // namespace

nlohmann::json ExchangeSpec::words() const {
  nlohmann::json words = {{"name", name}};
  const Family family = family_of(name);
  if (family == Family::kQuantised || family == Family::kOptinc)
    words.update({{"bits", bits},
                  {"symbol_bits", symbol_bits},
                  {"rounding", rounding},
                  {"bucket", bucket},
                  {"stochastic", stochastic},
                  {"error_feedback", error_feedback},
                  {"balanced", balanced},
                  {"seed", seed}});
  if (zero && *zero != 1u << (bits - 1)) words["zero"] = *zero;
  if (family == Family::kOptinc) {
    words.update({{"ports", ports}, {"fraction", fraction}, {"networks", networks}, {"noise", noise}});
    if (noise > 0) words["noise_draws"] = noise_draws;
    if (error_rate) words["error_rate"] = *error_rate;
  }
  if (family == Family::kSchedule) words["settings"] = settings;
  return words;
}

std::unique_ptr<GradientExchange> make_exchange(const ExchangeSpec& spec, int servers, std::int64_t length,
                                                const at::Device& device) {
  const Family family = family_of(spec.name);
  if (servers < 1) throw Error(ErrorKind::kInput, fmt::format("an exchange between {} servers", servers));
  if (length < 1) throw Error(ErrorKind::kInput, fmt::format("gradients of {} elements", length));
  check_ranges(spec);
  refuse_idle_options(spec, family);
  switch (family) {
    case Family::kExact: return std::make_unique<ExactExchange>(servers);
    case Family::kSchedule: return std::make_unique<ScheduleExchange>(spec, servers, length);
    default: return make_code_exchange(spec, servers, length, device);
  }
}

}  // namespace helio::train
