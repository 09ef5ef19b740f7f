// SPDX-License-Identifier: Apache-2.0
// What a fabric's own example says: the settings of the command line in which its `step_overhead` matters. A fabric that a number
// of nodes alone does not describe (dimensions, a file) can so be visited by tests that know none of them by name.
#pragma once

#include <filesystem>
#include <sstream>
#include <string>

#include "base/catalogue.h"

namespace helio::fabric {

// Files in examples are relative to the root of the repository: the test stands there from now on.
inline Settings example_settings(const Description& fabric) {
  std::filesystem::current_path(HELIO_SOURCE_DIR);
  Settings settings;
  for (const Parameter& parameter : fabric.parameters) {
    if (parameter.name != "step_overhead") continue;
    std::istringstream words(parameter.matters.arguments);
    for (std::string word; words >> word;) {
      const bool nodes = word == "--nodes", set = word == "--set";
      if (!nodes && !set) continue;
      words >> word;
      const std::string prefix = "fabric.";
      const std::size_t equals = word.find('=');
      if (nodes)
        settings["nodes"] = {word, "example"};
      else if (word.starts_with(prefix) && equals != std::string::npos)
        settings[word.substr(prefix.size(), equals - prefix.size())] = {word.substr(equals + 1), "example"};
    }
  }
  return settings;
}

}  // namespace helio::fabric
