// SPDX-License-Identifier: Apache-2.0
// How the programs say what went wrong: one paragraph on stderr, in characters that a terminal shows (base/visible.h).
#pragma once

#include <string>

#include "base/advice.h"

namespace helio::apps {

// "what (where). Advice." on one line; the rest is said below.
std::string complaint(std::string what, const std::string& where, const Advice& advice);

// "helio: what (where). Advice." on one line, advised settings as options; returns `code`. What stands in quotes is a name or a
// value: of a long one its ends are told, so that where and advice are seen, too.
int complain(const std::string& program, int code, std::string what, const std::string& where, const Advice& advice);

}  // namespace helio::apps
