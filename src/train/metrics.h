// SPDX-License-Identifier: Apache-2.0
// What a training did, one JSON object a line, each written out at once. Every object has an "epoch".
#pragma once

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace helio::train {

class Metrics {
 public:
  Metrics() = default;  // writes nothing
  // Opens the file anew, or goes on behind the lines of epochs up to `kept_epochs` (those of a resumed training).
  // Throws Error(kInput) at `place`.
  Metrics(const std::string& path, long kept_epochs, std::string_view place);

  void write(const nlohmann::ordered_json& line);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace helio::train
