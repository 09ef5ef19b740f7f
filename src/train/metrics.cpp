// SPDX-License-Identifier: Apache-2.0
#include "train/metrics.h"

#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/json_dump.h"
#include "train/metrics_table.h"

namespace helio::train {

Metrics::Metrics(const std::string& path, long kept_epochs, std::string_view place) {
  // Lines that the resumed training will write again, and a last line cut short by a kill, are dropped.
  std::string kept;
  if (kept_epochs > 0 && std::filesystem::is_regular_file(path)) {
    std::istringstream lines(read_bytes(path, place));
    for (std::string line; std::getline(lines, line);) {
      const Json entry = object_in(line);
      if (entry.contains("epoch") && entry["epoch"].is_number() && entry["epoch"].get<double>() <= kept_epochs)
        kept += line + "\n";
    }
  }
  file_ = std::make_unique<FileAppender>(path, kept, place);
}

void Metrics::write(const nlohmann::ordered_json& line) {
  if (!file_) return;
  try {
    file_->append(json_dump(line) + "\n");
  } catch (const Error& error) {
    throw Error(error.kind(), error.message(), error.place(), "Make room, then resume from the last checkpoint");
  }
}

}  // namespace helio::train
