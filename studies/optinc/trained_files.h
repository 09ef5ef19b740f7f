// SPDX-License-Identifier: Apache-2.0
// The networks beside this file, inside the program: a study counts them wherever it runs (studies/CMakeLists.txt).
#pragma once

#include <span>
#include <string_view>

namespace helio::studies::optinc_study {

struct TrainedFile {
  std::string_view name;  // "n4b8_ud"
  std::string_view text;  // JSON: docs/onn-file.md
};

std::span<const TrainedFile> trained_files();

}  // namespace helio::studies::optinc_study
