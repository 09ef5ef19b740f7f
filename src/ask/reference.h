// SPDX-License-Identifier: Apache-2.0
// The reference of the documentation, in Markdown: every fabric, algorithm, model, NPU and study with every parameter, and every key of
// JSON, as the catalogues have them. Nothing in it is written by hand.
#pragma once

#include <string>
#include <vector>

namespace helio::ask {

struct ReferencePage {
  std::string name;  // "fabrics": of its file, NAME.md
  std::string text;
};

// fabrics, algorithms, models, npus, jobs, studies, keys.
std::vector<ReferencePage> reference_pages();

}  // namespace helio::ask
