// SPDX-License-Identifier: Apache-2.0
// Networks as JSON files (docs/onn-file.md): task, encoding, layers, provenance. What is read is checked whole: version, every key, shapes,
// finite numbers, and the network against its task.
#pragma once

#include <string>
#include <string_view>

#include "photonics/onn.h"

namespace helio::photonics {

inline constexpr int kOnnFileVersion = 1;

enum class Packing {
  kNumbers,  // nested arrays, every double exactly
  kFloat32,  // base64 of float32, row by row, little-endian: small, rounded to 24 bits
};

std::string onn_text(const Onn& onn, Packing packing = Packing::kNumbers);
// `source` names the text in messages: "net.json:3:17" for what is no JSON, "net.json: layers[1].weights" for what is no network.
// Throws Error(kInput).
Onn onn_from_text(std::string_view text, const std::string& source);

// `place` is where the path was given ("--network"). Throw Error(kInput) where the file cannot be written or read.
void save_onn(const Onn& onn, const std::string& path, Packing packing = Packing::kNumbers,
              std::string_view place = {});
Onn load_onn(const std::string& path, std::string_view place = {});

}  // namespace helio::photonics
