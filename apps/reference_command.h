// SPDX-License-Identifier: Apache-2.0
// What there is, told in four forms: `helio list` and `helio describe` for people, `helio reference` in Markdown for the documentation,
// `helio man` for man(1).
#pragma once

#include <memory>
#include <string>

#include "report/text/look.h"

namespace CLI {
class App;
}

namespace helio::apps {

class ReferenceCommand {
 public:
  // Requires: `app` outlives this, and has all its commands before run().
  explicit ReferenceCommand(CLI::App& app);
  ~ReferenceCommand();
  // Whether one of them was asked for. Requires: parsed.
  bool asked() const;
  // What is printed. Throws Error.
  std::string run(const report::Look& look) const;

 private:
  struct Parsed;
  std::unique_ptr<Parsed> parsed_;
};

}  // namespace helio::apps
