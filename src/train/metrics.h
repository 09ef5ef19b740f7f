// SPDX-License-Identifier: Apache-2.0
// What a training did, one JSON object a line, each written out at once. Every object has an "epoch".
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/file.h"

namespace helio::train {

class Metrics {
 public:
  Metrics() = default;  // writes nothing
  // Opens the file anew, or goes on behind the lines of epochs up to `kept_epochs` (those of a resumed training).
  // Throws Error(kInput) at `place`, also where another run is writing it.
  Metrics(const std::string& path, long kept_epochs, std::string_view place);

  void write(const nlohmann::ordered_json& line);

 private:
  std::unique_ptr<FileAppender> file_;
};

}  // namespace helio::train
