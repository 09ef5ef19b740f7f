// SPDX-License-Identifier: Apache-2.0
// What a fabric's own example says: the settings of the question in which its `step_overhead` matters. A fabric that a number
// of nodes alone does not describe (dimensions, a file) can so be visited by tests that know none of them by name.
#pragma once

#include <filesystem>
#include <string>

#include "base/catalogue.h"
#include "base/setting_words.h"
#include "source_dir.h"

namespace helio::fabric {

// Files in examples are relative to the root of the repository: the test stands there from now on.
inline Settings example_settings(const Description& fabric) {
  std::filesystem::current_path(HELIO_SOURCE_DIR);
  Settings settings;
  for (const Parameter& parameter : fabric.parameters) {
    if (parameter.name != "step_overhead") continue;
    const std::string prefix = "fabric.";
    for (const auto& [key, value] : setting_words(parameter.matters.question).settings)
      if (key == "nodes" || key.starts_with(prefix))
        settings[key == "nodes" ? key : key.substr(prefix.size())] = {value, "example"};
  }
  return settings;
}

}  // namespace helio::fabric
