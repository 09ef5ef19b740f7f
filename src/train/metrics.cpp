// SPDX-License-Identifier: Apache-2.0
#include "train/metrics.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "train/safe_file.h"

namespace helio::train {

Metrics::Metrics(const std::string& path, long kept_epochs, std::string_view place) {
  // Lines that the resumed training will write again, and a last line cut short by a kill, are dropped.
  std::string kept;
  if (kept_epochs > 0 && std::filesystem::exists(path)) {
    std::istringstream lines(read_bytes(path, place));
    for (std::string line; std::getline(lines, line);) {
      const nlohmann::json entry = nlohmann::json::parse(line, nullptr, false);
      if (entry.is_object() && entry.contains("epoch") && entry["epoch"].is_number() &&
          entry["epoch"].get<long>() <= kept_epochs)
        kept += line + "\n";
    }
  }
  replace_file(path, kept, place);
  file_.reset(std::fopen(path.c_str(), "ab"));
  if (!file_)
    throw Error(ErrorKind::kInput, fmt::format("'{}' cannot be written", path), std::string(place),
                "Name a file in a folder that exists and may be written to");
}

void Metrics::write(const nlohmann::ordered_json& line) {
  if (!file_) return;
  const std::string text = line.dump() + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0)
    throw Error(ErrorKind::kInput, fmt::format("metrics cannot be written: {}", std::strerror(errno)), "--metrics",
                "Make room, then resume from the last checkpoint");
}

}  // namespace helio::train
