// SPDX-License-Identifier: Apache-2.0
#include "train/distinct_files.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file_ledger.h"

namespace helio::train {

void refuse_shared_files(const std::vector<NamedFile>& files) {
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t k = i + 1; k < files.size(); ++k) {
      const NamedFile &a = files[i], &b = files[k];
      if (a.path.empty() || b.path.empty() || (a.use == b.use && a.use != FileUse::kWritten)) continue;
      if (same_file(a.path, b.path))
        throw Error(ErrorKind::kUsage, fmt::format("{} and {} name one file, '{}'", a.option, b.option, b.path),
                    b.option, "Give each a file of its own");
    }
}

}  // namespace helio::train
