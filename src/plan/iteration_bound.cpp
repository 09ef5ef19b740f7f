// SPDX-License-Identifier: Apache-2.0
#include "plan/iteration_bound.h"

#include <algorithm>

namespace helio::plan {

using placement::Part;
using placement::Strategy;

const std::vector<IterationBound::Stages>& IterationBound::stages(const Strategy& s) {
  auto& known = stages_[{s.pp, s.chunks, s.ends}];
  if (!known.empty()) return known;
  const std::vector<Part> flat = placement::cut(workload_, static_cast<std::uint32_t>(s.pp * s.chunks), s.ends);
  const auto alike = [](const std::vector<Part>& a, const std::vector<Part>& b) {
    return std::ranges::equal(a, b, [](const Part& one, const Part& other) {
      return std::ranges::equal(one, other, [](const placement::Slice& x, const placement::Slice& y) {
        return x.layer == y.layer && x.count == y.count;
      });
    });
  };
  for (int p = 0; p < s.pp; ++p) {
    std::vector<Part> chunks;
    for (int c = 0; c < s.chunks; ++c) chunks.push_back(flat[static_cast<std::size_t>(c * s.pp + p)]);
    if (p > 1 && p + 1 < s.pp && alike(known.back().chunks, chunks))
      ++known.back().count;
    else
      known.push_back({p, 1, std::move(chunks)});
  }
  return known;
}

const std::vector<IterationBound::LayerWork>& IterationBound::works(const Strategy& s, int expert_groups) {
  auto& known = works_[{s.tp, s.cp, s.ep, expert_groups, s.micro_batch, s.sequence_parallel, s.recompute}];
  if (!known.empty()) return known;
  placement::Division division = s.division();
  division.expert_groups = expert_groups;
  for (std::uint32_t i = 0; i < workload_.layers.size(); ++i) {
    const workload::Layer& layer = workload_.layers[i];
    const auto recompute = placement::is_recomputed(workload_, i) ? s.recomputed() : placement::Recomputed{};
    known.push_back({placement::forward(layer, division, machine_.npu, s.precision, machine_.constants),
                     placement::backward(layer, division, machine_.npu, s.precision, machine_.constants, recompute)});
  }
  return known;
}

const std::vector<IterationBound::Gradients>& IterationBound::gradients(const Strategy& s) {
  const bool in_pieces = s.overlap || s.zero == 3;  // otherwise all at once when backward has ended
  auto& known = gradients_[{s.tp, s.pp, s.ep, s.chunks, in_pieces}];
  if (!known.empty()) return known;
  const double bucket = in_pieces ? s.bucket.value / placement::bytes_of(s.gradient_precision) * s.tp : 0;
  for (const Stages& same : stages(s)) {
    Gradients& here = known.emplace_back();
    for (std::size_t chunk = 0; chunk < same.chunks.size(); ++chunk) {
      const std::vector<Part> pieces = placement::pieces_of(same.chunks[chunk], workload_, bucket);
      for (std::size_t k = 0; k < pieces.size(); ++k) {
        placement::RankParameters parameters = placement::parameters_of(pieces[k], workload_, s);
        if (s.pp == 1 && chunk + 1 == same.chunks.size() && k + 1 == pieces.size())
          parameters.dense = std::max(0.0, parameters.dense - static_cast<double>(workload_.tied_parameters) / s.tp);
        here.dense += parameters.dense;
        here.expert += parameters.expert;
        if (parameters.dense > 0) ++here.dense_pieces;
        if (parameters.expert > 0) ++here.expert_pieces;
        if (chunk == 0 && k == 0)  // backward ends with the first layers
          here.last_dense = parameters.dense, here.last_expert = parameters.expert;
      }
    }
  }
  return known;
}

double IterationBound::memory(const Strategy& s) {
  const std::vector<Stages>& all = stages(s);
  auto& loads = loads_[{s.tp, s.pp, s.cp, s.ep, s.chunks, s.micro_batch, s.sequence_parallel, s.recompute}];
  if (loads.empty()) {
    const bool fused = placement::fuses_attention(static_cast<double>(workload_.tokens), machine_.constants);
    for (const Stages& same : all) loads.push_back(placement::load_of(same.chunks, s.pp == 1, workload_, s, fused));
  }
  double most = 0;  // of equal stages the first has most in flight
  for (std::size_t i = 0; i < all.size(); ++i)
    most = std::max(
        most, placement::memory_of(loads[i], placement::most_in_flight(s, all[i].first), all[i].first, s).total.value);
  return most;
}

IterationBound::Pass IterationBound::pass(const placement::Work& work, const Strategy& s,
                                          const ExchangeBounds& exchanges) const {
  Pass pass{.chain = 0, .host = work.host.to_seconds() + work.skew.to_seconds()};
  const double width = placement::stored_bytes_of(s.precision);
  for (const placement::Piece& piece : work.pieces) {
    const double bytes = piece.elements * width;
    double exchange = 0;
    switch (piece.exchange) {
      case workload::Exchange::kNone: break;
      case workload::Exchange::kReduce:
        if (s.tp > 1)
          exchange = s.sequence_parallel ? exchanges.tensor_reduce_scatter(bytes) + exchanges.tensor_all_gather(bytes)
                                         : exchanges.tensor_all_reduce(bytes);
        break;
      case workload::Exchange::kContext:
        if (s.cp > 1) exchange = exchanges.context_all_gather(bytes / s.tp);
        break;
      case workload::Exchange::kDispatch:
      case workload::Exchange::kCombine:
        if (s.ep > 1) exchange = exchanges.expert_all_to_all(s.sequence_parallel ? bytes / s.tp : bytes);
        break;
    }
    pass.chain += piece.device.to_seconds() + std::max(exchange, piece.beside.to_seconds());
  }
  return pass;
}

double IterationBound::pass(const Part& part, const std::vector<Pass>& layers, bool backward) const {
  double done = 0, issued = 0;
  const bool ahead = machine_.constants.runs_ahead > 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const placement::Slice& slice = part[backward ? part.size() - 1 - i : i];
    const Pass& layer = layers[slice.layer];
    const auto count = static_cast<double>(slice.count);
    if (!ahead) {
      done += count * std::max(layer.chain, layer.host);
      continue;
    }
    done = std::max(done, issued) + count * layer.chain;
    issued += count * layer.host;
  }
  return std::max(done, issued);
}

double IterationBound::seconds(const Strategy& s, const ExchangeBounds& exchanges) {
  forward_.clear(), backward_.clear();
  for (const LayerWork& layer : works(s, exchanges.expert_groups)) {
    forward_.push_back(pass(layer.forward, s, exchanges));
    backward_.push_back(pass(layer.backward, s, exchanges));
  }

  // To the next stage. What goes there is the same after every block
  const std::vector<Stages>& all = stages(s);
  const double bytes = placement::stored_bytes_of(s.precision);
  double send = 0;
  if (s.pp > 1) {
    const Part& part = all.front().chunks.front();
    const double whole = workload_.layers[part.back().layer].output_elements * s.micro_batch / s.cp * bytes;
    const bool divided = !(s.multicast_sends && s.tp > 1) && (s.sequence_parallel || s.scattered_sends);
    send = machine_.constants.transfer_launch.to_seconds() + exchanges.stage_to_stage(whole / (divided ? s.tp : 1));
    if (divided && !s.sequence_parallel && s.tp > 1) send += exchanges.tensor_all_gather(whole);
  }

  // Gradients and parameters over replicas
  const auto micro_batches = static_cast<double>(s.micro_batches);
  const double gradient_bytes = placement::bytes_of(s.gradient_precision);
  const std::vector<Gradients>& gradients = this->gradients(s);
  const bool over_all = s.replicas() > 1 && s.zero_group == 0;  // groups of them are left out
  const ExchangeBound &dense = s.zero > 0 ? exchanges.replica_reduce_scatter : exchanges.replica_all_reduce,
                      &expert = s.zero > 0 ? exchanges.holder_reduce_scatter : exchanges.holder_all_reduce;
  const auto reduced = [&](double of_dense, double of_expert) {
    return dense(of_dense * gradient_bytes) + expert(of_expert * gradient_bytes);
  };
  const auto in_pieces = [](const Gradients& of, const ExchangeBound& d, const ExchangeBound& e, double width) {
    return of.dense_pieces * d.fixed + d.per_byte * of.dense * width + of.expert_pieces * e.fixed +
           e.per_byte * of.expert * width;
  };
  const bool each_time = s.zero >= 2 && s.overlap;  // gradients of every micro-batch

  // The pipeline, through each stage: of equal ones through the last, which waits longest
  double fill = 0, drain = 0, latest = 0, update = 0, gathers = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    double forward = 0, backward = 0, first_forward = 0, first_backward = 0;
    for (std::size_t chunk = 0; chunk < all[i].chunks.size(); ++chunk) {
      forward += pass(all[i].chunks[chunk], forward_, false);
      backward += pass(all[i].chunks[chunk], backward_, true);
      if (chunk == 0) first_forward = forward, first_backward = backward;
    }
    fill += (all[i].count - 1) * (first_forward + send);
    drain += (all[i].count - 1) * (first_backward + send);
    const bool first = i == 0, last = i + 1 == all.size();
    const double held_up =
        s.blocking_sends ? send * micro_batches * ((last ? s.chunks - 1 : s.chunks) + (first ? s.chunks - 1 : s.chunks))
                         : 0;
    const double passes = fill + micro_batches * (forward + backward);
    const double ended = passes + (s.pp > 1 ? std::max(0.0, held_up - (first ? 0 : send)) : 0);
    double through = ended + drain;  // where the last backward reaches the first stage
    const Gradients& here = gradients[i];
    if (over_all) {
      through += reduced(gradients.front().last_dense, gradients.front().last_expert);
      const double all_reduced = in_pieces(here, dense, expert, gradient_bytes);
      const double since_last_pass =
          fill + micro_batches * forward + (micro_batches - 1) * backward * (s.chunks > 1 ? 0 : 1) + all_reduced;
      through = std::max({through, ended + reduced(here.last_dense, here.last_expert), since_last_pass});
      if (each_time) through = std::max(through, fill + first_forward + micro_batches * all_reduced);
      if (s.zero == 3)
        gathers = std::max(
            gathers,
            2 * micro_batches * in_pieces(here, exchanges.replica_all_gather, exchanges.holder_all_gather, bytes) +
                reduced(here.last_dense, here.last_expert));
    }
    latest = std::max(latest, through);

    // After everybody's gradients
    const double updated = s.zero >= 1 && s.zero_group == 0
                               ? here.dense / s.replicas() + here.expert / s.expert_holders()
                           : s.zero >= 1 ? 0
                                         : here.dense + here.expert;
    double after = placement::optimiser_time(updated, machine_.npu, machine_.constants).to_seconds();
    if (over_all && !s.gather_ahead && (s.zero == 1 || s.zero == 2))
      after +=
          std::max(exchanges.replica_all_gather(here.dense * bytes), exchanges.holder_all_gather(here.expert * bytes));
    update = s.clip ? std::max(update, after) : 0;
    fill += first_forward + send;
    drain += first_backward + send;
  }
  return std::max(latest, gathers) + update;
}

}  // namespace helio::plan
