// SPDX-License-Identifier: Apache-2.0
// The metrics in studies/optinc/training, inside the program: a study reads them wherever it runs (studies/CMakeLists.txt). There may
// be none.
#pragma once

#include <span>
#include <string_view>

namespace helio::studies::optinc_study {

struct TrainingFile {
  std::string_view name;  // "optinc_s3.jsonl": lines of a run; "optinc_s3.json": its result
  std::string_view text;
};

std::span<const TrainingFile> training_files();

}  // namespace helio::studies::optinc_study
