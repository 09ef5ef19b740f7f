// SPDX-License-Identifier: Apache-2.0
#include "train/models/parameters.h"

#include <ATen/ATen.h>

#include <cassert>
#include <utility>

#include "base/random.h"

namespace helio::train {
namespace {

std::int64_t elements(const ParameterSpec& spec) {
  std::int64_t count = 1;
  for (const std::int64_t side : spec.shape) count *= side;
  return count;
}

// [P] or [N × P] to the parameter's shape, after the servers where there are any. Weights of convolutions, [out, in, high, wide],
// lie as [out, high, wide, in].
at::Tensor shaped(const at::Tensor& flat, std::int64_t offset, const ParameterSpec& spec) {
  const std::int64_t leading = flat.dim() - 1;
  const bool image = spec.shape.size() == 4;
  std::vector<std::int64_t> shape = flat.sizes().slice(0, static_cast<std::size_t>(leading)).vec();
  for (const std::size_t axis : image ? std::vector<std::size_t>{0, 2, 3, 1} : std::vector<std::size_t>{})
    shape.push_back(spec.shape[axis]);
  if (!image) shape.insert(shape.end(), spec.shape.begin(), spec.shape.end());
  const at::Tensor view = flat.narrow(leading, offset, elements(spec)).view(shape);
  return image ? view.movedim(-1, leading + 1) : view;
}

}  // namespace

Parameters::Parameters(std::vector<ParameterSpec> specs, int servers, const at::Device& device,
                       at::ScalarType precision, std::uint64_t seed)
    : specs_(std::move(specs)), servers_(servers) {
  assert(servers >= 1 && "gradients need a server that has them");
  assert((precision == at::kFloat || precision == at::kBFloat16) && "a model multiplies in float or bfloat16");

  // Every parameter at a multiple of kAlignment.
  for (const ParameterSpec& spec : specs_) {
    offsets_.push_back(length_);
    count_ += elements(spec);
    length_ += (elements(spec) + kAlignment - 1) / kAlignment * kAlignment;
  }

  // Start values, each parameter from a stream of its own.
  at::Tensor start = at::zeros({length_}, at::kFloat), decays = at::zeros({length_}, at::kFloat);
  const Random streams(seed);
  for (std::size_t k = 0; k < specs_.size(); ++k) {
    const ParameterSpec& spec = specs_[k];
    Random random = streams.split(k);
    float* value = start.data_ptr<float>() + offsets_[k];
    for (std::int64_t i = 0; i < elements(spec); ++i)
      value[i] = static_cast<float>(spec.constant + (spec.sigma > 0 ? spec.sigma * random.normal() : 0));
    if (spec.decays) decays.narrow(0, offsets_[k], elements(spec)).fill_(1);
  }

  values_ = start.to(device);
  decays_ = decays.to(device);
  low_ = values_.to(precision);  // the same tensor in float
  gradients_ = at::zeros({servers, length_}, values_.options());
}

at::Tensor Parameters::value(std::size_t k) const { return shaped(values_, offsets_[k], specs_[k]); }

at::Tensor Parameters::low(std::size_t k) const {
  return shaped(specs_[k].low ? low_ : values_, offsets_[k], specs_[k]);
}

at::Tensor Parameters::gradient(std::size_t k) const { return shaped(gradients_, offsets_[k], specs_[k]); }

void Parameters::refresh() {
  if (low_.scalar_type() != values_.scalar_type()) low_.copy_(values_);
}

}  // namespace helio::train
