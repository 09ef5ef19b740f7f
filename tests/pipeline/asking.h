// SPDX-License-Identifier: Apache-2.0
// Questions in one line, for tests: an Experiment from texts, as a file or a command line would give them.
#pragma once

#include <map>
#include <string>

#include "pipeline/draft.h"
#include "pipeline/run.h"

namespace helio::pipeline {

using Texts = std::map<std::string, std::string>;

inline Settings settings_of(const Texts& texts, const std::string& prefix) {
  Settings settings;
  for (const auto& [name, text] : texts) settings[name] = {text, prefix + name};
  return settings;
}

// `fabric` holds name and parameters, `keys` what a [[collective]] holds.
inline Experiment asking(const Texts& fabric, const Texts& keys, const Texts& parameters = {}) {
  Draft draft;
  draft.source = "test";
  draft.fabric = settings_of(fabric, "fabric.");
  draft.collectives.push_back({"test:1:1", settings_of(keys, "collective."), settings_of(parameters, "algorithm.")});
  return interpret(draft);
}

inline Result answer(const Texts& fabric, const Texts& keys, const Texts& parameters = {},
                     const RunOptions& options = {}) {
  return run(asking(fabric, keys, parameters), options).front();
}

}  // namespace helio::pipeline
