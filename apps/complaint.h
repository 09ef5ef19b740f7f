// SPDX-License-Identifier: Apache-2.0
// How the programs say what went wrong: one paragraph on stderr.
#pragma once

#include <string>

namespace helio::apps {

// "helio: what (where). Advice." on one line; returns `code`.
int complain(const std::string& program, int code, std::string what, const std::string& where, std::string advice);

}  // namespace helio::apps
