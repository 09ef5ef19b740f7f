// SPDX-License-Identifier: Apache-2.0
// What a checkpoint file (checkpoint.h) says, before there are tensors: words, numbers, and which bytes belong to which tensor. It needs no
// libtorch, so that fuzzers can read it (docs/fuzzing.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json_reader.h"

namespace helio::train {

inline constexpr std::size_t kLongestHeader = std::size_t{1} << 24;  // bytes
inline constexpr std::size_t kMostDimensions = 16;                   // of a tensor

// Invariant: `bytes` are as many as `shape` and `type` say, and no two tensors have one name.
struct TensorContent {
  std::string name, type;  // float, double or long
  std::vector<std::int64_t> shape;
  std::string_view bytes;  // little-endian, row by row
};

struct CheckpointContent {
  nlohmann::json about;  // an object
  Json numbers;          // an object
  std::vector<TensorContent> tensors;
};

// Throws Error(kInput) at `place`, the option that asked for the file at `path`, for everything that save() would not have written.
// Requires: `bytes` outlive the content.
CheckpointContent parse_checkpoint(std::string_view bytes, const std::string& path, std::string_view place);

// The line that opens a file of `content`: its size and checksum.
std::string checkpoint_first_line(std::string_view content);

Error no_checkpoint(const std::string& path, std::string_view place, const std::string& why);

}  // namespace helio::train
