// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace helio {

std::string read_text(const std::string& path, std::string_view place, std::string_view what, std::string_view page,
                      std::size_t largest) {
  const auto unreadable = [&](const std::string& why) {
    return Error(ErrorKind::kInput, fmt::format("cannot read the {} '{}': {}", what, path, why), std::string(place),
                 fmt::format("give the path of a text file, relative to the working directory: {}", page));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw unreadable(std::strerror(errno));
  std::string text;
  char buffer[65'536];
  for (std::size_t got; (got = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;) {
    text.append(buffer, got);
    if (text.size() > largest) throw unreadable(fmt::format("it is larger than {} MiB", largest / kMiB));
  }
  if (std::ferror(file.get())) throw unreadable(std::strerror(errno));
  return text;
}

}  // namespace helio
