// SPDX-License-Identifier: Apache-2.0
#include "train/distinct_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"

namespace helio::train {
namespace {

namespace fs = std::filesystem;

// Links followed, where there are any; for files that are not there yet their folder's.
fs::path resolved(const std::string& path) {
  std::error_code unknown;
  const fs::path found = fs::weakly_canonical(fs::absolute(path, unknown), unknown);
  return unknown ? fs::path(path) : found;
}

bool same(const std::string& a, const std::string& b) {
  std::error_code unknown;
  return resolved(a) == resolved(b) || fs::equivalent(a, b, unknown);
}

}  // namespace

void refuse_shared_files(const std::vector<NamedFile>& files) {
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t k = i + 1; k < files.size(); ++k) {
      const NamedFile &a = files[i], &b = files[k];
      const bool writes = a.use == FileUse::kWritten, writes_too = b.use == FileUse::kWritten;
      if (a.path.empty() || b.path.empty() || (a.use == b.use && !writes)) continue;
      if (same(a.path, b.path))
        throw Error(ErrorKind::kUsage, fmt::format("{} and {} name one file, '{}'", a.option, b.option, b.path),
                    b.option, "Give each a file of its own");
      if ((writes && same(a.path + ".part", b.path)) || (writes_too && same(b.path + ".part", a.path)))
        throw Error(
            ErrorKind::kUsage,
            fmt::format("'{}' and '{}' do not go together: a file is first written as FILE.part", a.path, b.path),
            b.option, "Give one of them another name");
    }
}

}  // namespace helio::train
