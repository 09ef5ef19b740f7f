// SPDX-License-Identifier: Apache-2.0
// Files that a training reads and writes, each named by an option. What is written must be a file of its own, else one option's
// content would replace another's; what is held out must not be learnt from.
#pragma once

#include <string>
#include <vector>

namespace helio::train {

enum class FileUse { kRead, kHeldOut, kWritten };

struct NamedFile {
  std::string option;  // "--metrics"
  std::string path;    // empty: not asked for
  FileUse use = FileUse::kRead;
};

// The same file under another name (a link, ./) counts too. Throws Error(kUsage) that names both options.
void refuse_shared_files(const std::vector<NamedFile>& files);

}  // namespace helio::train
