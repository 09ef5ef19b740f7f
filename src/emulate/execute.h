// SPDX-License-Identifier: Apache-2.0
// The same schedule on real numbers: every move copies or adds elements of real buffers.
//
// The vector's elements are dealt to the `chunks` slots as evenly as possible (slot s holds elements
// [s*E/chunks, (s+1)*E/chunks)), so any element count works. In-fabric reductions go through a Combiner, so that
// arithmetic that is not a plain sum (an optical average, a quantiser) is supplied from outside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "emulate/codec.h"
#include "schedule/schedule.h"

namespace helio::emulate {

// What a fabric makes of the contributions that meet in it. `out` may not alias an input.
template <class T>
class Combiner {
 public:
  virtual ~Combiner() = default;
  // Requires: at least one input, all as long as `out`.
  virtual void combine(std::span<const std::span<const T>> inputs, std::span<T> out) const = 0;
};

template <class T>
class SumCombiner : public Combiner<T> {
 public:
  void combine(std::span<const std::span<const T>> inputs, std::span<T> out) const override;
};

// Runs `schedule` on one group. `buffers[r]` is rank r's full vector, all of one length; on return it holds the result
// in place (for reduce-scatter block r, for all-to-all the received blocks; elements outside the kind's result are
// unspecified). With a codec everything that is sent goes through it. Requires: check(schedule) passed, one buffer per rank.
template <class T>
void execute(const schedule::Schedule& schedule, std::vector<std::vector<T>>& buffers, const Combiner<T>& combiner);
void execute(const schedule::Schedule& schedule, std::vector<std::vector<double>>& buffers,
             const Combiner<double>& combiner, const Codec* codec);
template <class T>
void execute(const schedule::Schedule& schedule, std::vector<std::vector<T>>& buffers) {
  execute(schedule, buffers, SumCombiner<T>());
}

extern template class SumCombiner<std::int64_t>;
extern template class SumCombiner<float>;
extern template class SumCombiner<double>;
extern template void execute(const schedule::Schedule&, std::vector<std::vector<std::int64_t>>&,
                             const Combiner<std::int64_t>&);
extern template void execute(const schedule::Schedule&, std::vector<std::vector<float>>&, const Combiner<float>&);
extern template void execute(const schedule::Schedule&, std::vector<std::vector<double>>&, const Combiner<double>&);

}  // namespace helio::emulate
