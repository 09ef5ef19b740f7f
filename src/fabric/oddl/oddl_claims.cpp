// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_claims.h"

#include <algorithm>
#include <map>
#include <set>

#include "fabric/oddl/oddl_control.h"

namespace helio::fabric {
namespace {

// What the first flow of the second transceiver is worth at the port beside the first one's. With share w that flow, as long as
// the others, ends (1 - w)/w of a flow later than the other transceiver's first: half a flow here, so that each is tuned while the
// other is amid its flow, to the last.
constexpr float kStaggeredShare = 2.0f / 3;

}  // namespace

void keep_circuits(flow::Program& program, std::size_t first) {
  const auto keep = [](flow::Operation& op) {
    OddlClaim claim = OddlClaim::unpack(op.claim);
    claim.keep = true;
    op.claim = claim.pack();
  };
  for (std::size_t t = first; t < program.templates.size(); ++t) {
    std::vector<flow::Operation>& operations = program.templates[t].operations;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      flow::Operation& op = operations[i];
      if (op.controlled && op.repeat > 1) keep(op);
      if (op.kind != flow::OperationKind::kCall) continue;
      const bool again = i + 1 < operations.size() && operations[i + 1].callee == op.callee;
      if (op.rounds > 1 || again)
        for (flow::Operation& inner : program.templates[op.callee.value].operations)
          if (inner.controlled) keep(inner);
    }
  }
}

bool name_coflows(flow::Program& program, std::size_t first, const schedule::Schedule& schedule,
                  std::vector<double>& coflow_bytes) {
  std::vector<std::uint32_t> phase_of;  // by a move's tag in dataflow order
  for (std::uint32_t p = 0; p < schedule.phases.size(); ++p)
    phase_of.insert(phase_of.end(), schedule.phases[p].moves.size(), p);
  std::vector<double> rounds(program.templates.size(), 0);
  for (std::size_t t = first; t < program.templates.size(); ++t)
    for (const flow::Operation& op : program.templates[t].operations)
      if (op.kind == flow::OperationKind::kCall) rounds[op.callee.value] += static_cast<double>(op.rounds);
  for (std::size_t t = first; t < program.templates.size(); ++t) {
    const bool called = rounds[t] > 0;
    std::map<std::uint32_t, std::uint32_t> named;  // coflow of a phase
    for (flow::Operation& op : program.templates[t].operations) {
      if (!op.controlled) continue;
      const auto [place, fresh] = named.try_emplace(called ? 0 : phase_of[op.tag], coflow_bytes.size() + 1);
      if (fresh) coflow_bytes.push_back(0);
      coflow_bytes[place->second - 1] += op.bytes * (called ? rounds[t] : op.repeat);
      if (place->second >= OddlClaim::kCoflows) return false;
      OddlClaim claim = OddlClaim::unpack(op.claim);
      claim.coflow = place->second;
      op.claim = claim.pack();
    }
  }
  return true;
}

void stagger(flow::Program& program, std::size_t first, std::uint32_t trx) {
  for (std::size_t t = first; t < program.templates.size(); ++t) {
    std::set<std::uint32_t> begun;
    for (flow::Operation& op : program.templates[t].operations)
      if (op.controlled && op.agent % trx != 1 % trx && begun.insert(op.agent).second)
        op.share = std::max(flow::kSmallestShare, op.share * kStaggeredShare);
  }
}

}  // namespace helio::fabric
