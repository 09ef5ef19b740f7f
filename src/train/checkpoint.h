// SPDX-License-Identifier: Apache-2.0
// What a training needs to go on after a kill as if nothing had happened: named tensors and numbers, in one file.
//
//   "helio-checkpoint 2 BYTES HASH\n"  {"about": …, "tensors": [{"name", "type", "shape"}, …]} "\n"  raw little-endian data, in that order
//                      └──────────┴── of all that follows the first line (content_hash.h): what is cut short or damaged is refused
//
// `about` says what is being trained; a checkpoint of something else is refused (docs/training.md, docs/onn-training.md).
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <string_view>

#include "train/checkpoint_content.h"

namespace helio::train {

struct Checkpoint {
  nlohmann::json about;  // what is trained, as its own words for it
  Json numbers;          // epoch, step, seconds, …
  std::map<std::string, at::Tensor> tensors;
};

// Replaces the file as a whole (base/file.h). Tensors may live on any device.
void save(const Checkpoint& checkpoint, const std::string& path, std::string_view place);

// Tensors come back on the CPU. Throws Error(kInput) for what is no checkpoint, a truncated or damaged one, and one of a format without
// a checksum. `place` is the option that asked for it.
Checkpoint load_checkpoint(const std::string& path, std::string_view place);

// The tensor `name`, which must have this shape and type. Throws Error(kInput) that names both.
at::Tensor tensor_of(const Checkpoint& checkpoint, const std::string& name, at::IntArrayRef shape, at::ScalarType type,
                     const std::string& path, std::string_view place);

// Numbers: a whole one from 0 to `most`, and any. Throw Error(kInput) where it is missing or something else.
std::int64_t whole_number_of(const Checkpoint& checkpoint, const std::string& name, std::int64_t most,
                             const std::string& path, std::string_view place);
double number_of(const Checkpoint& checkpoint, const std::string& name, const std::string& path,
                 std::string_view place);

}  // namespace helio::train
