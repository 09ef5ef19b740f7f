// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/protocols.h"

#include <algorithm>

namespace helio::fabric {
namespace {

constexpr const char* kFitted = "; fitted on nccl-tests numbers of 2 to 8 A100 (docs/fabric.md)";

}  // namespace

Protocols::Protocols(const Parameters& parameters) {
  const std::string& chosen = parameters.text("protocol");
  const auto allow = [&](const std::string& name, const Protocol& protocol) {
    if (chosen == name || chosen == "auto") allowed_.push_back(protocol);
  };
  const auto time = [&](const char* name) { return parameters.time(name); };
  const bool alone = chosen == "ll128";  // asked for, so it serves everything
  launch_ = time("launch");
  if (chosen == "none") {
    allowed_.push_back({});
    return;
  }
  local_copy_ = parameters.number("local_copy");
  allow("ll", {.latency = time("ll_latency"),
               .wire = parameters.number("ll_wire"),
               .rate = parameters.rate("ll_rate"),
               .start = {},
               .exchange_start = time("exchange_start"),
               .between_start = {}});
  allow("ll128", {.latency = time("ll128_latency"),
                  .wire = parameters.number("ll128_wire"),
                  .rate = parameters.rate("ll128_rate"),
                  .start = time("ll128_start"),
                  .exchange_start = time("ll128_start"),
                  .between_start = {},
                  .exchanges = alone,
                  .leaves_servers = alone || parameters.boolean("network_ll128")});
  allow("simple", {.latency = time("simple_latency"),
                   .wire = 1,
                   .rate = {},
                   .start = time("simple_start"),
                   .exchange_start = time("exchange_simple_start"),
                   .between_start = time("proxy_start"),
                   .exchange_share = parameters.number("exchange_efficiency")});
}

Protocols::Cost Protocols::Protocol::on(BitRate way, const Errand& errand) const {
  return {latency, (rate.value > 0 ? std::max(wire, way / rate) : wire) /
                       (errand.exchange && !errand.between ? exchange_share : 1)};
}

const Protocols::Protocol& Protocols::quickest(const Errand& errand, BitRate rate) const {
  const auto seconds = [&](const Protocol& protocol) {
    const Cost cost = protocol.on(rate, errand);
    return protocol.start_of(errand).to_seconds() +
           errand.rounds * (cost.latency.to_seconds() + seconds_at(cost.factor * errand.message, rate)) +
           local_copy_ * seconds_at(cost.factor * errand.part, rate);
  };
  const Protocol* best = nullptr;
  for (const Protocol& protocol : allowed_) {
    if ((errand.exchange && !protocol.exchanges) || (errand.between && !protocol.leaves_servers)) continue;
    if (!best || seconds(protocol) < seconds(*best)) best = &protocol;
  }
  return *best;
}

Time Protocols::once(const Errand& errand, BitRate rate) const {
  const Protocol& protocol = quickest(errand, rate);
  return launch_ + protocol.start_of(errand) +
         Time::seconds(local_copy_ * seconds_at(protocol.on(rate, errand).factor * errand.part, rate));
}

Time Protocols::least_latency() const { return std::ranges::min_element(allowed_, {}, &Protocol::latency)->latency; }

double Protocols::least_factor() const { return std::ranges::min_element(allowed_, {}, &Protocol::wire)->wire; }

std::vector<Parameter> protocol_parameters(const std::string& example) {
  const std::string small = example + " bytes=64kB", middle = example + " bytes=4MB", large = example + " bytes=1GB";
  const std::string swap = "all-to-all fabric=cluster nodes=8 algorithm=direct bytes=",
                    apart = "all-reduce fabric=cluster nodes=16 algorithm=ring bytes=";
  const auto time = [](const std::string& name, const std::string& fallback, const std::string& what,
                       const std::string& where) {
    return Parameter{.name = name,
                     .type = ParameterType::kTime,
                     .fallback = fallback,
                     .minimum = "0 s",
                     .maximum = "1000 s",
                     .description = what + kFitted,
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
        .matters = {.question = where, .other = "600 Gb/s"},
        .fitted = true};
  };
  return {{.name = "protocol",
           .type = ParameterType::kChoice,
           .fallback = "auto",
           .description = "how a collective is run: in the quickest of NCCL's three for it, in one, or in bare bytes",
           .matters = {.question = middle, .other = "simple"},
           .choices = {"auto", "ll", "ll128", "simple", "none"}},
          time("launch", "10 us", "start of a collective, which is one kernel, once", small),
          time("ll_latency", "220 ns", "of a round in LL, beyond its hops", small),
          wire("ll", "2", "LL: 8 for 4 of data", "all-reduce fabric=cluster nodes=16 algorithm=ring bytes=8kB"),
          rate("ll", "710 Gb/s", "LL", small),
          time("ll128_start", "14300 ns", "start of LL128, once", middle),
          time("ll128_latency", "260 ns", "of a round in LL128, beyond its hops", middle),
          wire("ll128", "1.0666666666666667", "LL128: 128 for 120 of data", middle),
          rate("ll128", "1336 Gb/s", "LL128", middle),
          time("simple_start", "25300 ns", "start of Simple, once", large),
          time("simple_latency", "5100 ns", "of a round in Simple, beyond its hops", large),
          {.name = "local_copy",
           .type = ParameterType::kNumber,
           .fallback = "0.44",
           .minimum = "0",
           .maximum = "10",
           .description =
               std::string("of a round: what the part that a rank keeps, and the last receive, take once") + kFitted,
           .matters = {.question = large, .other = "1"},
           .fitted = true},
          time("exchange_start", "2200 ns", "start of send and receive in LL, once", swap + "64kB"),
          time("exchange_simple_start", "28200 ns", "start of send and receive in Simple, once", swap + "1GB"),
          {.name = "exchange_efficiency",
           .type = ParameterType::kNumber,
           .fallback = "0.97",
           .minimum = "0",
           .maximum = "1",
           .minimum_exclusive = true,
           .description = std::string("share of the payload rate that send and receive reach in Simple") + kFitted,
           .matters = {.question = swap + "1GB", .other = "0.5"},
           .fitted = true},
          {.name = "proxy_start",
           .type = ParameterType::kTime,
           .fallback = "77 us",
           .minimum = "0 s",
           .maximum = "1000 s",
           .description =
               "start of Simple between servers, once more: proxies fill the NICs' queues with pieces; fitted on "
               "nccl-tests numbers of 8 to 128 A100 of Perlmutter (docs/fabric.md)",
           .matters = {.question = apart + "1GB", .other = "500 ns"},
           .fitted = true},
          {.name = "network_ll128",
           .type = ParameterType::kBoolean,
           .fallback = "true",
           .description = "whether LL128 leaves servers: NICs must keep lines of 128 bytes together",
           .matters = {.question = apart + "4MB", .other = "false"}}};
}

}  // namespace helio::fabric
