// SPDX-License-Identifier: Apache-2.0
#include "pipeline/remedy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "schedule/algorithm.h"

namespace helio::pipeline {
namespace {

using fabric::Lowered;
using fabric::LowerResult;
using fabric::Refusal;
using schedule::CollectiveRequest;
using schedule::Schedule;

// Endpoint algorithms that need nothing from a fabric, in the order of trust.
constexpr const char* kEndpointAlgorithms[] = {"ring", "direct"};

struct Halves {
  CollectiveRequest accepted, refused;
};

// The groups that a refusal names, and the others. A refusal that names none names all.
Halves halves(const CollectiveRequest& request, const Refusal& refusal) {
  Halves halves{request, request};
  halves.accepted.groups.clear();
  halves.refused.groups.clear();
  for (std::uint32_t g = 0; g < request.groups.size(); ++g) {
    const bool named =
        refusal.groups.empty() || std::find(refusal.groups.begin(), refusal.groups.end(), g) != refusal.groups.end();
    (named ? halves.refused : halves.accepted).groups.push_back(request.groups[g]);
  }
  return halves;
}

class Remedies {
 public:
  Remedies(fabric::Carrier& carrier, const std::string& algorithm, const Planned& planned,
           const fabric::LowerOptions& options)
      : carrier_(carrier), algorithm_(algorithm), planned_(planned), options_(options) {}

  LowerResult plain(const CollectiveRequest& request) const {
    if (!planned_.schedule()) return planned_.refusal();
    return carrier_.lower(*planned_.schedule(), request, options_);
  }

  // Waves: what is accepted now, then what was refused, until nothing is left.
  bool block(const CollectiveRequest& request, const Refusal& first, Carried& carried, std::string& reason) const {
    std::vector<Lowered> waves;
    CollectiveRequest waiting = request;
    Refusal refusal = first;
    for (;;) {
      Halves split = halves(waiting, refusal);
      if (split.accepted.groups.empty()) {
        if (waiting.groups.size() == 1) return reason = "a group alone is refused: " + refusal.reason, false;
        split.accepted.groups = {waiting.groups.front()};
        split.refused.groups.erase(split.refused.groups.begin());
      }
      LowerResult now = plain(split.accepted);
      if (const Refusal* again = std::get_if<Refusal>(&now)) {
        if (split.accepted.groups.size() == 1) return reason = "a group alone is refused: " + again->reason, false;
        // Fewer groups than thought fit together: the first of them alone always makes progress
        now = plain(one_of(split.accepted));
        if (const Refusal* alone = std::get_if<Refusal>(&now))
          return reason = "a group alone is refused: " + alone->reason, false;
        split.refused.groups.insert(split.refused.groups.begin(), split.accepted.groups.begin() + 1,
                                    split.accepted.groups.end());
      }
      waves.push_back(std::get<Lowered>(now));
      waiting = std::move(split.refused);
      if (waiting.groups.empty()) break;
      LowerResult rest = plain(waiting);
      if (const Lowered* lowered = std::get_if<Lowered>(&rest)) {
        waves.push_back(*lowered);
        break;
      }
      refusal = std::get<Refusal>(rest);
    }
    carried.lowered = together(waves, true, "waves");
    reason = fmt::format("{} waves, one after the other", waves.size());
    return true;
  }

  // What is refused runs an endpoint algorithm beside what is accepted.
  bool endpoint(const CollectiveRequest& request, const Refusal& refusal, Carried& carried, std::string& reason) const {
    const Halves split = halves(request, refusal);
    const std::string chosen = endpoint_algorithm(request.kind).name;
    if (chosen.empty())
      return reason = fmt::format("no endpoint algorithm has {}", schedule::name_of(request.kind)), false;
    if (algorithm_ == chosen) return reason = fmt::format("'{}' is an endpoint algorithm already", chosen), false;

    Schedule instead;
    try {
      instead = schedule::build(chosen, split.refused, carrier_.capabilities());
    } catch (const Error& error) {
      return reason = error.message(), false;
    }
    LowerResult ends = carrier_.lower(instead, split.refused, options_);
    if (const Refusal* no = std::get_if<Refusal>(&ends)) return reason = no->reason, false;
    std::vector<Lowered> parts{std::get<Lowered>(ends)};
    if (!split.accepted.groups.empty()) {
      LowerResult rest = plain(split.accepted);
      if (const Refusal* no = std::get_if<Refusal>(&rest)) return reason = no->reason, false;
      parts.push_back(std::get<Lowered>(rest));
    }
    carried.lowered = together(parts, false, "fabric and endpoints");
    carried.original = !split.accepted.groups.empty();
    carried.endpoint = std::move(instead);
    reason =
        fmt::format("{} of {} groups run '{}' instead", split.refused.groups.size(), request.groups.size(), chosen);
    return true;
  }

  // In a way that only the fabric knows. `known` tells whether it knows any.
  bool by_fabric(Remedy way, const CollectiveRequest& request, Carried& carried, std::string& reason,
                 bool& known) const {
    const Schedule* schedule = planned_.schedule();
    std::optional<fabric::Remedied> remedied;
    if (schedule) remedied = carrier_.remedy(way, *schedule, request, options_);
    known = remedied.has_value();
    if (!known) return reason = fmt::format("not applicable to fabric '{}'", carrier_.capabilities().fabric), false;
    if (const Refusal* no = std::get_if<Refusal>(&remedied->result)) return reason = no->reason, false;
    carried.lowered = std::get<Lowered>(remedied->result);
    carried.other_hardware = remedied->other_hardware;
    reason = remedied->words;
    return true;
  }

 private:
  static CollectiveRequest one_of(CollectiveRequest request) {
    request.groups.resize(1);
    return request;
  }

  // One template that calls all parts, chained or side by side. Facts are what the fabric said about the part with the longest path.
  Lowered together(const std::vector<Lowered>& parts, bool chained, std::string name) const {
    Lowered all = *std::ranges::max_element(parts, {}, &Lowered::longest_path_hops);
    flow::Template body;
    body.name = std::move(name);
    for (const Lowered& part : parts) {
      all.wavelengths_used = std::max(all.wavelengths_used, part.wavelengths_used);
      flow::Operation call;
      call.kind = flow::OperationKind::kCall;
      call.callee = part.entry;
      body.operations.push_back(call);
      const auto index = static_cast<std::uint32_t>(body.operations.size() - 1);
      if (chained && index > 0) body.edges.push_back({index - 1, index});
    }
    all.entry = parts.size() == 1 ? parts.front().entry : carrier_.program().add(std::move(body));
    return all;
  }

  fabric::Carrier& carrier_;
  const std::string& algorithm_;
  const Planned& planned_;
  const fabric::LowerOptions& options_;
};

}  // namespace

Choice endpoint_algorithm(schedule::Kind kind) {
  for (const char* name : kEndpointAlgorithms) {
    const auto* entry = schedule::algorithms().find(name);
    if (entry && std::ranges::count(entry->factory.kinds, kind)) return {name, "remedy", {}};
  }
  return {};
}

Carried lower_with_remedies(fabric::Carrier& carrier, const std::string& algorithm, const Planned& planned,
                            const CollectiveRequest& request, const fabric::LowerOptions& options,
                            const Placed<std::vector<Remedy>>& remedies) {
  const Remedies attempts(carrier, algorithm, planned, options);
  Carried carried;

  // As asked
  const LowerResult asked = attempts.plain(request);
  if (const Lowered* lowered = std::get_if<Lowered>(&asked)) {
    carried.lowered = *lowered;
    return carried;
  }
  const Refusal& refusal = std::get<Refusal>(asked);
  carried.attempts.push_back({"none", "refused", refusal.reason});

  // Each remedy in turn
  for (const Remedy remedy : remedies.value) {
    std::string reason;
    bool done = false, known = true;
    switch (remedy) {
      case Remedy::kBlock: done = attempts.block(request, refusal, carried, reason); break;
      case Remedy::kEndpoint: done = attempts.endpoint(request, refusal, carried, reason); break;
      default: done = attempts.by_fabric(remedy, request, carried, reason, known);
    }
    carried.attempts.push_back({std::string(name_of(remedy)),
                                done    ? "carried"
                                : known ? "refused"
                                        : "not applicable",
                                reason});
    if (done) return carried;
  }

  // Nothing helped
  std::string what =
      fmt::format("fabric '{}' does not carry '{}': {}", carrier.capabilities().fabric, algorithm, refusal.reason);
  for (std::size_t i = 1; i < carried.attempts.size(); ++i)
    what += fmt::format("; remedy '{}': {}", carried.attempts[i].remedy, carried.attempts[i].reason);
  Advice advice = refusal.advice;
  if (advice.empty()) advice = "allow a remedy with " + advised("remedy", "block,endpoint");
  throw RefusedError(Error(ErrorKind::kInfeasible, std::move(what), remedies.place, std::move(advice)), refusal);
}

}  // namespace helio::pipeline
