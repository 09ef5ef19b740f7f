// SPDX-License-Identifier: Apache-2.0
#include "pipeline/measured/expert_exchange.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/units.h"
#include "fabric/electrical/cluster_sets.h"

namespace helio::pipeline {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kMultiprocessors = 128;  // that low-latency kernels use at most
constexpr double kQuiet = 4;              // servers up to which NICs of normal kernels are not crowded

enum class Generation { kHopper, kBlackwell, kGraceBlackwell };

struct Normal {
  double base, per_element, per_sm, per_token, port;  // us, ns, GB/s, us, GB/s
};
struct LowLatency {
  double base, per_expert, per_sm, port;  // us, ns, GB/s, GB/s
};
struct Sided {
  double base, per_doubling, per_token, per_copy, port;  // us, us, ns, ns, GB/s
};
struct Servers {
  double base, per_doubling, per_sm, nic, crowding, fill, quiet;  // us, us, GB/s, GB/s, exponent, GB/s, kB
};

// By generation, dispatch and combine. Fitted.
constexpr Normal kNormal[3][2] = {{{24.9, 0.365, 20.5, 0.41, 330}, {24.3, 3.31, 26.1, 0.812, 347}},
                                  {{35.2, 0, 18.3, 0.447, kNever}, {32.9, 3.21, 29.3, 1.01, 400}},
                                  {{32.3, 0.06, 24, 0.724, 339}, {29.6, 2.49, 27.3, 1.05, 393}}};
constexpr LowLatency kLowLatency[3][2] = {{{8.77, 15, 3.91, 304}, {10.6, 4.15, kNever, 257}},
                                          {{14.3, 25.1, 4.09, 1680}, {16, 12.3, kNever, 688}},
                                          {{10.8, 22, 4.4, kNever}, {11.7, 14.2, kNever, 760}}};
// Of GB200; by phase.
constexpr Sided kOneSided[] = {{11.6, 1.76, 0, 5.46, 538}, {10.8, 3.99, 0, 0, 583}};
constexpr Sided kTwoSided[] = {{9.52, 0.721, 23.4, 6.49, 602},
                               {9.63, 1.34, 42.1, 19.1, 564},
                               {13.7, 0.892, 125, 4.02, 1340},
                               {11, 0.72, 6.97, 0, kNever}};
// Between servers, of H100 with a NIC of 400 Gb/s for each GPU.
constexpr Servers kNormalServers[] = {{21.2, 8.66, 12.5, 54.3, 1.11, 286, 0},
                                      {50.2, 4.84, 9.98, 58.7, 1.29, 209, 5.1e5}};
constexpr Servers kLowLatencyServers[] = {{17.8, 3.56, kNever, 48, 0, kNever, 0},
                                          {24.7, 0.454, kNever, 46.1, 0, kNever, 0}};

std::optional<Generation> generation_of(std::string_view npu) {
  if (npu == "h100" || npu == "h200" || npu == "h800" || npu == "h20") return Generation::kHopper;
  if (npu == "b200" || npu == "b300") return Generation::kBlackwell;
  if (npu == "gb200" || npu == "gb300") return Generation::kGraceBlackwell;
  return std::nullopt;
}

// Of an NPU's port, over that of what the constants were fitted on.
double link_share(std::string_view npu, double fitted_gbs) {
  for (const fabric::ClusterSet& set : fabric::cluster_sets())
    if (set.npu == npu)
      for (const auto& [name, value] : set.defaults)
        if (name == "rate") return parse_rate(value).value / (8e9 * fitted_gbs);
  return 1;
}

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

// Kilobytes in microseconds.
BitRate rate_of(double kilo, double us) { return BitRate{us > 0 && kilo > 0 ? 8e9 * kilo / us : 0}; }

}  // namespace

double copies_of_token(double places, double experts, double topk) {
  const double elsewhere = experts - experts / places;
  if (topk > elsewhere) return places;
  return places * (1 - std::exp(log_choose(elsewhere, topk) - log_choose(experts, topk)));
}

std::optional<ExpertKernel> expert_kernel(std::string_view npu, ExpertMode mode, ExpertPhase phase,
                                          const ExpertShape& shape) {
  const auto generation = generation_of(npu);
  const auto at = static_cast<std::size_t>(phase);
  const bool sided = mode == ExpertMode::kOneSided || mode == ExpertMode::kTwoSided;
  if (!generation || (!sided && at > 1) || (mode == ExpertMode::kOneSided && at > 1)) return std::nullopt;
  const auto g = static_cast<std::size_t>(*generation);
  const double link = *generation == Generation::kHopper ? 450 : 900, share = link_share(npu, link);
  const double ranks = shape.gpus, servers = sided ? 1 : shape.servers, apart = (ranks - 1) / ranks;
  const double sent = mode == ExpertMode::kLowLatency ? shape.topk : copies_of_token(ranks, shape.experts, shape.topk);
  const double copies = shape.tokens * sent, bytes = copies * shape.hidden * shape.element_bytes, kilo = bytes / 1e3;

  // Microseconds: before, and of what the multiprocessors and the port take
  double once = 0, taken = 0;
  if (mode == ExpertMode::kNormal) {
    if (shape.sms <= 0) return std::nullopt;
    const Normal& k = kNormal[g][at];
    once = k.base + shape.hidden * k.per_element / 1e3;
    taken = std::max((kilo / k.per_sm + shape.tokens * k.per_token) / shape.sms, kilo / (k.port * share));
  } else if (mode == ExpertMode::kLowLatency) {
    const LowLatency& k = kLowLatency[g][at];
    once = k.base + shape.experts * k.per_expert / 1e3;
    taken = kilo / std::min(std::min(shape.experts, kMultiprocessors) * k.per_sm, k.port * share);
  } else {
    const Sided& k = (mode == ExpertMode::kOneSided ? kOneSided : kTwoSided)[at];
    once = k.base + k.per_doubling * std::log2(ranks) + shape.tokens * k.per_token / 1e3;
    taken = std::max(copies * k.per_copy / 1e3, apart * kilo / (k.port * link_share(npu, 900)));
  }

  // Over NICs: a copy for each server, or for each expert there
  double network = 0;
  if (servers > 1) {
    const bool normal = mode == ExpertMode::kNormal;
    const Servers& k = (normal ? kNormalServers : kLowLatencyServers)[at];
    const double there = normal ? copies_of_token(servers, shape.experts, shape.topk) : shape.topk;
    const double crossing = shape.tokens * there * (servers - 1) / servers * shape.hidden * shape.element_bytes / 1e3;
    once = k.base + k.per_doubling * std::log2(servers) + crossing / k.fill;
    if (normal) taken = kilo / k.per_sm / shape.sms;
    const double free = std::min(crossing, k.quiet), crowded = std::max(1.0, std::pow(servers / kQuiet, k.crowding));
    network = (free + (crossing - free) * crowded) / k.nic;
  }
  // On rails all but what stays on one crosses ports
  const double each = ranks / servers, ports = servers > 1 ? 1 - servers / ranks : apart;
  return ExpertKernel{.bytes = Bytes{bytes},
                      .once = Time::microseconds(once),
                      .port = rate_of(ports * kilo, taken),
                      .network = rate_of((ranks - each) / ranks * kilo, network)};
}

}  // namespace helio::pipeline
