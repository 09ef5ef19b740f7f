// SPDX-License-Identifier: Apache-2.0
#include "train/data/batch_order.h"

#include <fmt/format.h>

#include <cassert>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "train/data/data_streams.h"

namespace helio::train {

BatchOrder::BatchOrder(std::int64_t examples, std::uint64_t seed) : examples_(examples), seed_(seed) {
  assert(examples > 0 && "an order of no examples");
}

std::int64_t BatchOrder::steps_per_epoch(std::int64_t count) const {
  if (count < 1 || count > examples_)
    throw Error(ErrorKind::kInput, fmt::format("a step of {} examples out of {}", count, examples_), "",
                fmt::format("Ask for 1 to {} examples a step, all servers together", examples_));
  return examples_ / count;
}

std::span<const std::int64_t> BatchOrder::batch(std::int64_t step, std::int64_t count) {
  assert(step >= 0 && "steps count from 0");
  const std::int64_t steps = steps_per_epoch(count), wanted = step / steps;
  if (wanted != drawn_epoch_) {
    order_.resize(static_cast<std::size_t>(examples_));
    std::iota(order_.begin(), order_.end(), 0);
    data_stream(seed_, DataStream::kOrder, wanted).shuffle(order_);
    drawn_epoch_ = wanted;
  }
  return std::span(order_).subspan(static_cast<std::size_t>(step % steps * count), static_cast<std::size_t>(count));
}

}  // namespace helio::train
