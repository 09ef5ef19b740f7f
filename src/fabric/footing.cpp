// SPDX-License-Identifier: Apache-2.0
#include "fabric/footing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "fabric/composite/composite.h"
#include "fabric/electrical/cluster.h"
#include "fabric/electrical/graph.h"
#include "fabric/fabric.h"
#include "fabric/oddl/oddl.h"
#include "fabric/wdm/sip_ring.h"
#include "fabric/wdm/wdm_ring.h"

namespace helio::fabric {
namespace {

// Rates that differ by less are equal but for rounding.
constexpr double kEqual = 1e-9;

// What a fabric sets beside `rate`, `latency` and `step_overhead`, or instead of them.
struct OwnWay {
  std::string_view fabric;
  Settings (*set)(Settings given, const Footing& footing);
};
constexpr OwnWay kOwnWays[] = {{"cluster", footing_of_cluster},   {"wdm-ring", footing_of_wdm_ring},
                               {"sip-ring", footing_of_sip_ring}, {"oddl", footing_of_oddl},
                               {"graph", footing_of_graph},       {"composite", footing_of_composite}};

const Parameter* declared(std::string_view fabric, std::string_view name) {
  const auto& parameters = fabrics().at(fabric).description.parameters;
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

// What a node injects while nothing is dark.
BitRate line_rate(std::string_view fabric, const Settings& settings, const std::string& place) {
  const auto made = make(fabric, settings, place);
  const schedule::Capabilities& capabilities = made->capabilities();
  return capabilities.injection / capabilities.lit_share;
}

}  // namespace

void set_unless_given(Settings& settings, const std::string& name, const std::string& text) {
  settings.try_emplace(name, Setting{text, std::string(kFootingPlace)});
}

// Four digits where they are all of it
std::string exactly(Time time) {
  const std::string short_text = format(time);
  return parse_time(short_text) == time ? short_text : fmt::format("{} s", time.to_seconds());
}
std::string exactly(BitRate rate) {
  const std::string short_text = format(rate);
  return parse_rate(short_text) == rate ? short_text : fmt::format("{} b/s", rate.value);
}

Settings at_injection(std::string_view fabric, Settings given, BitRate injection, const std::string& place) {
  const auto& entry = fabrics().at(fabric, place);
  if (const auto own = given.find("rate"); own != given.end())
    throw Error(ErrorKind::kInput, fmt::format("'{}' has a rate of its own, and fabrics are compared at one", fabric),
                own->second.place, "Leave it out, and give that of a node.");
  if (!declared(fabric, "rate"))
    throw Error(ErrorKind::kInput, fmt::format("'{}' has no rate that could be made equal to that of others", fabric),
                place, "Ask it alone.");

  // What a node injects is proportional to the fabric's rate
  const BitRate at_default = line_rate(fabric, given, place);
  const BitRate by_default = fabrics().resolve(entry, given).rate("rate");
  set_unless_given(given, "rate", exactly(by_default * (injection / at_default)));
  try {
    if (std::abs(line_rate(fabric, given, place) / injection - 1) > kEqual)
      throw Error(ErrorKind::kInput,
                  fmt::format("nodes of '{}' cannot be given one rate by its parameter rate", fabric), place,
                  "Ask it alone.");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInfeasible) throw;  // what cannot be at this rate says so when it is asked
  }
  return given;
}

Settings with_lanes(std::string_view fabric, Settings given, BitRate injection, const std::string& lanes,
                    long long step) {
  if (given.contains(lanes)) return given;
  const auto& entry = fabrics().at(fabric);
  const double usual = static_cast<double>(fabrics().resolve(entry, given).integer(lanes));
  const BitRate of_a_lane = line_rate(fabric, given, "") / usual;
  const long long most = parse_integer(declared(fabric, lanes)->maximum) / step * step;
  const double steps = std::ceil(injection / of_a_lane / static_cast<double>(step) * (1 - kEqual));
  const double many =
      std::clamp(steps * static_cast<double>(step), static_cast<double>(step), static_cast<double>(most));
  set_unless_given(given, lanes, fmt::format("{:.0f}", many));
  return given;
}

Settings on_footing(std::string_view fabric, Settings given, const Footing& footing, const std::string& place) {
  fabrics().at(fabric, place);
  if (footing.injection && given.contains("rate"))
    return at_injection(fabric, std::move(given), *footing.injection, place);
  for (const OwnWay& own : kOwnWays)
    if (own.fabric == fabric) given = own.set(std::move(given), footing);
  if (footing.latency && declared(fabric, "latency")) set_unless_given(given, "latency", exactly(*footing.latency));
  if (footing.overhead && declared(fabric, "step_overhead"))
    set_unless_given(given, "step_overhead", exactly(*footing.overhead));
  if (footing.injection && !given.contains("rate") && declared(fabric, "rate"))
    return at_injection(fabric, std::move(given), *footing.injection, place);
  return given;
}

}  // namespace helio::fabric
