// SPDX-License-Identifier: Apache-2.0
// The command line as pages: man pages for groff, and a page of the documentation. Both are read from the definitions that parse the
// arguments, so that an option is described once, where it is declared.
//
//     helio(1) ─▶ helio-list(1), helio-collective(1), …, helio-onn(1) ─▶ helio-onn-evaluate(1), …
#pragma once

#include <string>
#include <vector>

#include "ask/reference.h"

namespace CLI {
class App;
}

namespace helio::apps {

// A page for the command and each of its subcommands, the outermost first: "helio-onn-evaluate" in the man macros of groff. Requires:
// `app` has no parent.
std::vector<ask::ReferencePage> man_pages(const CLI::App& app, const std::string& version);

// All of them as one page in Markdown.
std::string commands_in_markdown(const CLI::App& app);

}  // namespace helio::apps
