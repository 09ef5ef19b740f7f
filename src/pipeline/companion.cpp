// SPDX-License-Identifier: Apache-2.0
#include "pipeline/companion.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace helio::pipeline {
namespace {

namespace fs = std::filesystem;

bool runs(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string find_companion(const std::string& name, const std::string& variable, const std::string& place) {
  // What the user says
  if (const char* said = std::getenv(variable.c_str()); said && *said) {
    if (runs(said)) return said;
    throw Error(ErrorKind::kInfeasible, fmt::format("{} names '{}', which cannot be run", variable, said), place,
                "correct the variable, or leave it out");
  }

  // Beside this executable, then on the path
  std::error_code none;
  if (const fs::path self = fs::read_symlink("/proc/self/exe", none); !none && runs(self.parent_path() / name))
    return self.parent_path() / name;
  const char* listed = std::getenv("PATH");
  for (std::string_view path = listed ? listed : ""; !path.empty();) {
    const std::size_t colon = path.find(':');
    if (const fs::path found = fs::path(path.substr(0, colon)) / name; runs(found)) return found;
    path.remove_prefix(colon == std::string_view::npos ? path.size() : colon + 1);
  }
  return "";
}

}  // namespace helio::pipeline
