// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/protocols.h"

#include <algorithm>

namespace helio::fabric {
namespace {

constexpr const char* kFitted = "; fitted on published nccl-tests numbers of one node of 8 A100 (docs/fabric.md)";

}  // namespace

Protocols::Protocols(const Parameters& parameters) {
  const std::string& chosen = parameters.text("protocol");
  const auto allow = [&](const std::string& name, const Protocol& protocol) {
    if (chosen == name || chosen == "auto") allowed_.push_back(protocol);
  };
  allow("ll", {parameters.time("ll_latency"), parameters.number("ll_wire"), parameters.rate("ll_rate")});
  allow("ll128", {parameters.time("ll128_latency"), parameters.number("ll128_wire"), parameters.rate("ll128_rate")});
  allow("simple", {.latency = parameters.time("simple_latency"), .wire = 1, .rate = {}});
  if (chosen == "none") allowed_.push_back({});
}

Protocols::Cost Protocols::Protocol::on(BitRate way) const {
  return {latency, rate.value > 0 ? std::max(wire, way / rate) : wire};
}

Protocols::Cost Protocols::quickest(Bytes message, BitRate rate) const {
  const auto seconds = [&](const Cost& cost) {
    return cost.latency.to_seconds() + seconds_at(cost.factor * message, rate);
  };
  Cost best = allowed_.front().on(rate);
  for (const Protocol& protocol : allowed_)
    if (const Cost cost = protocol.on(rate); seconds(cost) < seconds(best)) best = cost;
  return best;
}

Time Protocols::least_latency() const { return std::ranges::min_element(allowed_, {}, &Protocol::latency)->latency; }

double Protocols::least_factor() const { return std::ranges::min_element(allowed_, {}, &Protocol::wire)->wire; }

std::vector<Parameter> protocol_parameters(const std::string& example) {
  const std::string small = example + " bytes=64kB", middle = example + " bytes=4MB", large = example + " bytes=1GB";
  const auto latency = [](const std::string& name, const std::string& fallback, const std::string& of,
                          const std::string& where) {
    return Parameter{.name = name + "_latency",
                     .type = ParameterType::kTime,
                     .fallback = fallback,
                     .minimum = "0 s",
                     .maximum = "1000 s",
                     .description = "of a message in " + of + ", beyond its hops" + kFitted,
                     .matters = {.question = where, .other = "500 ns"},
                     .fitted = true};
  };
  const auto wire = [](const std::string& name, const std::string& fallback, const std::string& of,
                       const std::string& where) {
    return Parameter{.name = name + "_wire",
                     .type = ParameterType::kNumber,
                     .fallback = fallback,
                     .minimum = "1",
                     .maximum = "1000",
                     .description = "bytes on the wire per byte in " + of,
                     .matters = {.question = where, .other = "3"}};
  };
  const auto rate = [](const std::string& name, const std::string& fallback, const std::string& of,
                       const std::string& where) {
    return Parameter{
        .name = name + "_rate",
        .type = ParameterType::kRate,
        .fallback = fallback,
        .minimum = "0 b/s",
        .maximum = "1000 Pb/s",
        .description = "bytes that an NPU can copy in " + of + ", however fast the wire; 0: no limit" + kFitted,
        .matters = {.question = where, .other = "700 Gb/s"},
        .fitted = true};
  };
  return {{.name = "protocol",
           .type = ParameterType::kChoice,
           .fallback = "auto",
           .description = "how messages are sent: the quickest of NCCL's three for each, one for all, or bare bytes",
           .matters = {.question = middle, .other = "simple"},
           .choices = {"auto", "ll", "ll128", "simple", "none"}},
          {.name = "launch",
           .type = ParameterType::kTime,
           .fallback = "4500 ns",
           .minimum = "0 s",
           .maximum = "1000 s",
           .description = std::string("start of a collective, which is one kernel, once") + kFitted,
           .matters = {.question = small, .other = "1 us"},
           .fitted = true},
          latency("ll", "650 ns", "LL", small),
          wire("ll", "2", "LL: 8 for 4 of data", small),
          rate("ll", "864 Gb/s", "LL", small),
          latency("ll128", "1150 ns", "LL128", middle),
          wire("ll128", "1.0666666666666667", "LL128: 128 for 120 of data", middle),
          rate("ll128", "1152 Gb/s", "LL128", middle),
          latency("simple", "7400 ns", "Simple", large)};
}

}  // namespace helio::fabric
