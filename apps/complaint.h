// SPDX-License-Identifier: Apache-2.0
// How the programs say what went wrong: one paragraph on stderr. And the one place where control characters, which may stand in
// anybody's names, become harmless before a terminal sees them.
#pragma once

#include <string>
#include <string_view>

#include "base/advice.h"

namespace helio::apps {

// The text with its control characters written out: \x1b for ESC, \u009b for those beyond ASCII and for DEL, which JSON may hold as
// they are and writes like this too. Ends of lines and tabs stay.
std::string escaped(std::string_view text);

// "helio: what (where). Advice." on one line, advised settings as options; returns `code`.
int complain(const std::string& program, int code, std::string what, const std::string& where, const Advice& advice);

}  // namespace helio::apps
