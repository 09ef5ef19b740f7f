// SPDX-License-Identifier: Apache-2.0
#include "train/data/token_examples.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "train/data/data_streams.h"
#include "train/data/index_tensor.h"

namespace helio::train {
namespace {

// Windows that an epoch permutes: as many as fit behind any offset, and at least one.
std::int64_t windows_of(std::size_t tokens, std::int64_t context, std::string_view which) {
  if (context < 1)
    throw Error(ErrorKind::kInput, fmt::format("a context of {} tokens", context), "", "Ask for at least one token");
  const auto count = static_cast<std::int64_t>(tokens);
  if (count < context + 1)
    throw Error(
        ErrorKind::kInput,
        fmt::format("the {} files hold {} tokens; a context of {} needs {}", which, count, context, context + 1), "",
        "Give more text, or a shorter context");
  return std::max<std::int64_t>((count - 1) / context - 1, 1);
}

at::Tensor stored(const std::vector<std::uint16_t>& tokens, const at::Device& device) {
  at::Tensor row = at::empty({static_cast<std::int64_t>(tokens.size())}, at::kInt);
  std::copy(tokens.begin(), tokens.end(), row.data_ptr<std::int32_t>());
  return row.to(device);
}

}  // namespace

TokenExamples::TokenExamples(const std::vector<std::uint16_t>& train, const std::vector<std::uint16_t>& held_out,
                             std::int64_t context, std::int64_t vocabulary, std::uint64_t seed,
                             const at::Device& device)
    : context_(context),
      vocabulary_(vocabulary),
      seed_(seed),
      device_(device),
      order_(windows_of(train.size(), context, "training"), seed) {
  windows_of(held_out.size(), context, "test");
  tokens_ = stored(train, device);
  held_out_tokens_ = stored(held_out, device);
  along_ = at::arange(context + 1, at::TensorOptions(at::kLong).device(device)).view({1, -1});
}

Batch TokenExamples::windows(const at::Tensor& tokens, std::vector<std::int64_t> starts) const {
  const auto count = static_cast<std::int64_t>(starts.size());
  const at::Tensor places = index_tensor({std::move(starts)}, device_).view({count, 1}) + along_;
  const at::Tensor rows = tokens.index_select(0, places.view(-1)).view({count, context_ + 1}).to(at::kLong);
  return {rows.narrow(1, 0, context_).contiguous(), rows.narrow(1, 1, context_).reshape({-1})};
}

Batch TokenExamples::batch(std::int64_t step, std::int64_t count) {
  // This epoch's offset: within one context, and within the text.
  const std::int64_t rest = tokens_.size(0) - 1 - size() * context_;
  const auto room = static_cast<std::uint64_t>(std::min(rest, context_ - 1) + 1);
  const std::int64_t epoch = order_.epoch(step, count);
  const auto offset = static_cast<std::int64_t>(data_stream(seed_, DataStream::kOffset, epoch).below(room));

  const std::span<const std::int64_t> chosen = order_.batch(step, count);
  std::vector<std::int64_t> starts(chosen.begin(), chosen.end());
  for (std::int64_t& start : starts) start = offset + start * context_;
  return windows(tokens_, std::move(starts));
}

Batch TokenExamples::held_out_batch(std::int64_t first, std::int64_t count) {
  assert(first >= 0 && first < held_out() && count > 0 && "held-out examples that exist");
  std::vector<std::int64_t> starts(static_cast<std::size_t>(std::min(count, held_out() - first)));
  for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = (first + static_cast<std::int64_t>(i)) * context_;
  return windows(held_out_tokens_, std::move(starts));
}

}  // namespace helio::train
