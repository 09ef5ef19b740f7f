// SPDX-License-Identifier: Apache-2.0
#include "plan/iteration_bound.h"

#include <algorithm>

#include "placement/memory.h"

namespace helio::plan {

using placement::Part;
using placement::Strategy;

const std::vector<std::vector<Part>>& IterationBound::parts(int pp, int chunks) {
  auto& known = parts_[{pp, chunks}];
  if (!known.empty()) return known;
  const std::vector<Part> flat = placement::cut(workload_, static_cast<std::uint32_t>(pp * chunks));
  known.resize(static_cast<std::size_t>(pp));
  for (std::size_t i = 0; i < flat.size(); ++i) known[i % known.size()].push_back(flat[i]);
  return known;
}

const std::vector<IterationBound::LayerWork>& IterationBound::works(const Strategy& s) {
  auto& known = works_[{s.tp, s.ep, s.micro_batch, s.sequence_parallel, s.recompute}];
  if (!known.empty()) return known;
  const placement::Division division = s.division();
  for (std::uint32_t i = 0; i < workload_.layers.size(); ++i) {
    const workload::Layer& layer = workload_.layers[i];
    const auto recompute = placement::is_recomputed(workload_, i) ? s.recomputed() : placement::Recomputed{};
    known.push_back({placement::forward(layer, division, machine_.npu, s.precision, machine_.constants),
                     placement::backward(layer, division, machine_.npu, s.precision, machine_.constants, recompute)});
  }
  return known;
}

const std::vector<IterationBound::Gradients>& IterationBound::gradients(const Strategy& s) {
  auto& known = gradients_[{s.tp, s.pp, s.ep, s.chunks}];
  if (!known.empty()) return known;
  const double bucket = s.bucket.value / placement::bytes_of(s.gradient_precision) * s.tp;
  for (const std::vector<Part>& stage : parts(s.pp, s.chunks)) {
    Gradients& here = known.emplace_back();
    for (std::size_t chunk = 0; chunk < stage.size(); ++chunk) {
      const std::vector<Part> pieces = placement::pieces_of(stage[chunk], workload_, bucket);
      for (std::size_t k = 0; k < pieces.size(); ++k) {
        const placement::RankParameters parameters = placement::parameters_of(pieces[k], workload_, s);
        double dense = parameters.dense;  // experts are reduced among fewer, and left out here
        if (s.pp == 1 && chunk + 1 == stage.size() && k + 1 == pieces.size())
          dense = std::max(0.0, dense - static_cast<double>(workload_.tied_parameters) / s.tp);
        here.parameters += dense + parameters.expert;
        here.all += dense;
        if (dense > 0) ++here.pieces;
        if (chunk == 0 && k == 0) here.last = dense;  // backward ends with the first layers
      }
    }
  }
  return known;
}

double IterationBound::memory(const Strategy& asked) {
  Strategy strategy = asked;  // no more are in flight than one turn of the pipeline, or two where chunks take turns
  const auto turn = static_cast<std::uint64_t>(asked.pp);
  strategy.micro_batches = std::min(asked.micro_batches, asked.chunks > 1 ? 2 * turn : turn);
  return placement::memory_of(parts(asked.pp, asked.chunks), workload_, strategy).total.value;
}

double IterationBound::pass(const placement::Work& work, const Strategy& s, const ExchangeBounds& exchanges) const {
  double chain = 0;
  for (const placement::Piece& piece : work.pieces) {
    const double bytes = piece.elements * placement::stored_bytes_of(s.precision);
    double exchange = 0;
    if (piece.exchange == workload::Exchange::kReduce && s.tp > 1)
      exchange = s.sequence_parallel ? exchanges.tensor_reduce_scatter(bytes) + exchanges.tensor_all_gather(bytes)
                                     : exchanges.tensor_all_reduce(bytes);
    else if (piece.exchange != workload::Exchange::kNone && piece.exchange != workload::Exchange::kReduce && s.ep > 1)
      exchange = exchanges.expert_all_to_all(s.sequence_parallel ? bytes / s.tp : bytes);
    chain += piece.device.to_seconds() + std::max(exchange, piece.beside.to_seconds());
  }
  return std::max(chain, work.host.to_seconds());
}

double IterationBound::seconds(const Strategy& s, const ExchangeBounds& exchanges) {
  // Passes of every stage, and of its first chunk
  const auto& all = parts(s.pp, s.chunks);
  const std::vector<LayerWork>& layers = works(s);
  std::vector<std::pair<double, double>> of_layer;
  for (const LayerWork& layer : layers)
    of_layer.emplace_back(pass(layer.forward, s, exchanges), pass(layer.backward, s, exchanges));
  const std::size_t stages = all.size();
  forward_.assign(stages, 0), backward_.assign(stages, 0);
  first_forward_.assign(stages, 0), first_backward_.assign(stages, 0);
  for (std::size_t p = 0; p < stages; ++p)
    for (std::size_t chunk = 0; chunk < all[p].size(); ++chunk) {
      for (const placement::Slice& slice : all[p][chunk]) {
        forward_[p] += static_cast<double>(slice.count) * of_layer[slice.layer].first;
        backward_[p] += static_cast<double>(slice.count) * of_layer[slice.layer].second;
      }
      if (chunk == 0) first_forward_[p] = forward_[p], first_backward_[p] = backward_[p];
    }

  // To the next stage. What goes there is the same after every block
  double send = 0;
  if (s.pp > 1) {
    const Part& part = all[0][0];
    const double whole =
        workload_.layers[part.back().layer].output_elements * s.micro_batch * placement::stored_bytes_of(s.precision);
    const bool divided = s.sequence_parallel || s.scattered_sends;
    send = machine_.constants.transfer_launch.to_seconds() + exchanges.stage_to_stage(whole / (divided ? s.tp : 1));
    if (divided && !s.sequence_parallel && s.tp > 1) send += exchanges.tensor_all_gather(whole);
  }

  // The pipeline, through each stage
  const auto micro_batches = static_cast<double>(s.micro_batches);
  const double gradient_bytes = placement::bytes_of(s.gradient_precision),
               bytes = placement::stored_bytes_of(s.precision);
  const std::vector<Gradients>& gradients = this->gradients(s);
  const ExchangeBound& reduce = s.zero > 0 ? exchanges.replica_reduce_scatter : exchanges.replica_all_reduce;
  const auto reduced = [&](double parameters, double pieces) {
    return pieces * reduce.fixed + reduce.per_byte * parameters * gradient_bytes;
  };
  double fill = 0, drain = 0, latest = 0, update = 0, gathers = 0;
  for (std::size_t p = 0; p < stages; ++p) {
    const bool first = p == 0, last = p + 1 == stages;
    const double held_up =
        s.blocking_sends ? send * micro_batches * ((last ? s.chunks - 1 : s.chunks) + (first ? s.chunks - 1 : s.chunks))
                         : 0;
    const double passes = fill + micro_batches * (forward_[p] + backward_[p]);
    const double ended = passes + (s.pp > 1 ? std::max(0.0, held_up - (first ? 0 : send)) : 0);
    double through = ended + drain;  // where the last backward reaches the first stage
    if (s.dp > 1) {
      through += gradients[0].last > 0 ? reduce(gradients[0].last * gradient_bytes) : 0;
      const double own = ended + (gradients[p].last > 0 ? reduce(gradients[p].last * gradient_bytes) : 0);
      const double since_last_pass = fill + micro_batches * forward_[p] +
                                     (micro_batches - 1) * backward_[p] * (s.chunks > 1 ? 0 : 1) +
                                     reduced(gradients[p].all, gradients[p].pieces);
      through = std::max({through, own, since_last_pass});
      if (s.zero == 3)
        gathers = std::max(gathers, 2 * micro_batches *
                                        (gradients[p].pieces * exchanges.replica_all_gather.fixed +
                                         exchanges.replica_all_gather.per_byte * gradients[p].all * bytes));
    }
    latest = std::max(latest, through);

    // After everybody's gradients
    const double updated = s.zero >= 1 ? gradients[p].all / s.dp : gradients[p].parameters;
    double after = placement::optimiser_time(updated, machine_.npu, machine_.constants).to_seconds();
    if (s.dp > 1 && (s.zero == 1 || s.zero == 2)) after += exchanges.replica_all_gather(gradients[p].all * bytes);
    update = s.clip ? std::max(update, after) : 0;
    fill += first_forward_[p] + send;
    drain += first_backward_[p] + send;
  }
  return std::max(latest, gathers) + update;
}

}  // namespace helio::plan
