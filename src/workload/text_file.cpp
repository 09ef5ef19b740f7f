// SPDX-License-Identifier: Apache-2.0
#include "workload/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace helio::workload {

std::string read_text(const std::string& path, std::string_view place) {
  constexpr std::size_t kLargest = 16u << 20;
  const auto unreadable = [&](const char* why) {
    return Error(ErrorKind::kInput, fmt::format("cannot read the model file '{}': {}", path, why), std::string(place),
                 "give the path of a text file, relative to the working directory: docs/model-file.md");
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw unreadable(std::strerror(errno));
  std::string text;
  char buffer[65'536];
  for (std::size_t got; (got = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;) {
    text.append(buffer, got);
    if (text.size() > kLargest) throw unreadable("it is larger than 16 MiB");
  }
  if (std::ferror(file.get())) throw unreadable(std::strerror(errno));
  return text;
}

}  // namespace helio::workload
