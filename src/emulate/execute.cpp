// SPDX-License-Identifier: Apache-2.0
#include "emulate/execute.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include <fmt/format.h>

#include "base/error.h"

namespace helio::emulate {
namespace {

using schedule::Action;
using schedule::Buffer;
using schedule::Move;
using schedule::Phase;
using schedule::Position;
using schedule::Schedule;

// The rows of slots of every rank. Inside, every slot is as long as the longest, so that any slot fits into any other.
template <class T>
class Machine {
 public:
  Machine(const Schedule& schedule, const std::vector<std::vector<T>>& buffers, const Combiner<T>& combiner,
          const Codec* codec)
      : schedule_(schedule),
        combiner_(combiner),
        codec_(codec),
        elements_(buffers.front().size()),
        width_((elements_ + schedule.chunks - 1) / schedule.chunks) {
    for (const std::vector<T>& buffer : buffers) {
      std::vector<T>& row = rows_[0].emplace_back(width_ * schedule.chunks);
      for (std::size_t s = 0; s < schedule.chunks; ++s)
        std::copy_n(buffer.begin() + offset(s), offset(s + 1) - offset(s), row.begin() + width_ * s);
    }
    if (uses_output()) rows_[1] = rows_[0];
    rows_[2].assign(buffers.size(), std::vector<T>(width_ * schedule.scratch));
  }

  void run_round(const Phase& phase, std::uint32_t round) {
    // Everything is read before anything is written
    arriving_.clear();
    for (const Move& move : phase.moves)
      if (is_active(move, phase, round)) read(move, round);
    std::size_t next = 0;
    for (const Move& move : phase.moves)
      if (is_active(move, phase, round)) write(move, round, next);
  }

  void deal_out(std::vector<std::vector<T>>& buffers) const {
    for (std::size_t r = 0; r < buffers.size(); ++r) {
      const std::vector<T>& row = rows_[static_cast<std::size_t>(schedule_.result)][r];
      for (std::size_t s = 0; s < schedule_.chunks; ++s)
        std::copy_n(row.begin() + width_ * s, offset(s + 1) - offset(s), buffers[r].begin() + offset(s));
    }
  }

 private:
  static bool is_active(const Move& move, const Phase& phase, std::uint32_t round) {
    const schedule::Window active = schedule::window(move, phase);
    return round >= active.first && round < active.last;
  }

  bool uses_output() const {
    if (schedule_.result == Buffer::kOutput) return true;
    for (const Phase& phase : schedule_.phases)
      for (const Move& move : phase.moves)
        if (move.source_buffer == Buffer::kOutput || move.destination_buffer == Buffer::kOutput) return true;
    return false;
  }

  // First element of slot s.
  std::ptrdiff_t offset(std::size_t s) const { return static_cast<std::ptrdiff_t>(s * elements_ / schedule_.chunks); }

  std::span<T> slot(Buffer buffer, Position rank, std::uint32_t s) {
    return std::span<T>(rows_[static_cast<std::size_t>(buffer)][static_cast<std::size_t>(rank)])
        .subspan(s * width_, width_);
  }

  void read(const Move& move, std::uint32_t round) {
    const std::uint32_t size = schedule_.slots(move.source_buffer);
    std::uint32_t s = schedule::slot_in_round(move, move.source_slot, round, size);
    for (std::uint32_t k = 0; k < move.count; ++k, s = s + 1 == size ? 0 : s + 1) {
      const std::size_t start = arriving_.size();
      arriving_.resize(start + width_);
      const std::span<T> out = std::span<T>(arriving_).subspan(start);
      if (move.source >= 0) {
        std::copy_n(slot(move.source_buffer, move.source, s).begin(), width_, out.begin());
        enter(out);
      } else {
        // The combiner sees the slot's own elements, not the padding.
        const std::size_t length =
            move.source_buffer == Buffer::kScratch ? width_ : static_cast<std::size_t>(offset(s + 1) - offset(s));
        inputs_.clear();
        for (const Position source : schedule_.members(move.source))
          inputs_.push_back(slot(move.source_buffer, source, s).first(length));
        if (length == 0) continue;
        if (codec_) code_inputs();
        combiner_.combine(inputs_, out.first(length));
        leave(out.first(length));
      }
    }
  }

  // Codecs are for real numbers; others are sent as they are.
  void enter(std::span<T> message) const {
    if constexpr (std::is_same_v<T, double>)
      if (codec_) codec_->enter(message);
  }
  void leave(std::span<T> message) const {
    if constexpr (std::is_same_v<T, double>)
      if (codec_) codec_->leave(message);
  }
  void code_inputs() {
    coded_.resize(inputs_.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      coded_[i].assign(inputs_[i].begin(), inputs_[i].end());
      enter(coded_[i]);
      inputs_[i] = coded_[i];
    }
  }

  void write(const Move& move, std::uint32_t round, std::size_t& next) {
    const std::uint32_t size = schedule_.slots(move.destination_buffer);
    std::uint32_t s = schedule::slot_in_round(move, move.destination_slot, round, size);
    for (std::uint32_t k = 0; k < move.count; ++k, s = s + 1 == size ? 0 : s + 1, next += width_)
      for (const Position destination : schedule_.members(move.destination)) {
        const std::span<T> to = slot(move.destination_buffer, destination, s);
        for (std::size_t e = 0; e < width_; ++e)
          to[e] = move.action == Action::kStore ? arriving_[next + e] : to[e] + arriving_[next + e];
      }
  }

  const Schedule& schedule_;
  const Combiner<T>& combiner_;
  const Codec* codec_;
  std::size_t elements_, width_;         // of a vector; of a slot
  std::vector<std::vector<T>> rows_[3];  // [buffer][rank]
  std::vector<T> arriving_;
  std::vector<std::span<const T>> inputs_;
  std::vector<std::vector<T>> coded_;
};

}  // namespace

template <class T>
void SumCombiner<T>::combine(std::span<const std::span<const T>> inputs, std::span<T> out) const {
  std::copy(inputs[0].begin(), inputs[0].end(), out.begin());
  for (const std::span<const T> input : inputs.subspan(1))
    for (std::size_t e = 0; e < out.size(); ++e) out[e] += input[e];
}

namespace {

template <class T>
void run(const Schedule& schedule, std::vector<std::vector<T>>& buffers, const Combiner<T>& combiner,
         const Codec* codec) {
  assert(buffers.size() == static_cast<std::size_t>(schedule.ranks) && "one buffer per rank");
  const std::size_t elements = buffers.front().size();
  assert(std::all_of(buffers.begin(), buffers.end(), [&](const auto& b) { return b.size() == elements; }) &&
         "buffers of one length");
  if (schedule.kind == schedule::Kind::kAllToAll && elements % schedule.chunks != 0)
    throw Error(
        ErrorKind::kInput,
        fmt::format("{} elements cannot be dealt to {} equal slots, as all-to-all needs", elements, schedule.chunks),
        "", fmt::format("take a multiple of {} elements", schedule.chunks));

  Machine<T> machine(schedule, buffers, combiner, codec);
  for (const Phase& phase : schedule.phases)
    if (!phase.moves.empty())
      for (std::uint32_t round = 0; round < phase.repeat; ++round) machine.run_round(phase, round);
  machine.deal_out(buffers);
}

}  // namespace

template <class T>
void execute(const Schedule& schedule, std::vector<std::vector<T>>& buffers, const Combiner<T>& combiner) {
  run<T>(schedule, buffers, combiner, nullptr);
}

void execute(const Schedule& schedule, std::vector<std::vector<double>>& buffers, const Combiner<double>& combiner,
             const Codec* codec) {
  run<double>(schedule, buffers, combiner, codec);
}

template class SumCombiner<std::int64_t>;
template class SumCombiner<float>;
template class SumCombiner<double>;
template void execute(const Schedule&, std::vector<std::vector<std::int64_t>>&, const Combiner<std::int64_t>&);
template void execute(const Schedule&, std::vector<std::vector<float>>&, const Combiner<float>&);
template void execute(const Schedule&, std::vector<std::vector<double>>&, const Combiner<double>&);

}  // namespace helio::emulate
