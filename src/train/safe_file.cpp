// SPDX-License-Identifier: Apache-2.0
#include "train/safe_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/error.h"

namespace helio::train {

void replace_file(const std::string& name, std::string_view content, std::string_view place) {
  // What a link points to is replaced, not the link; what is no file is left alone.
  namespace fs = std::filesystem;
  std::error_code unknown;
  const std::string path = fs::is_symlink(name, unknown) ? fs::weakly_canonical(name, unknown).string() : name;
  if (fs::exists(path, unknown) && !fs::is_regular_file(path, unknown))
    throw Error(ErrorKind::kInput, fmt::format("'{}' is no file that could be replaced", name), std::string(place),
                "Name a file in a folder that exists and may be written to");
  const std::string beside = path + ".part";
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file || std::rename(beside.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    fs::remove(beside, unknown);
    errno = reason;
    throw Error(ErrorKind::kInput, fmt::format("'{}' cannot be written: {}", path, std::strerror(errno)),
                std::string(place), "Name a file in a folder that exists and may be written to");
  }
}

std::string read_bytes(const std::string& path, std::string_view place) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    throw Error(ErrorKind::kInput, fmt::format("'{}' cannot be read", path), std::string(place),
                "Name a file that exists");
  std::string bytes;
  std::vector<char> piece(1 << 20);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0)
    bytes.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  return bytes;
}

}  // namespace helio::train
