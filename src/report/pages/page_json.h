// SPDX-License-Identifier: Apache-2.0
// Pages as JSON, so that `helio report DIR` can make the HTML again without a new run; docs/report.md lists the keys.
//
// Invariant: read_page(to_json(p)) says what p says, and to_json of it has the same bytes.
#pragma once

#include <string>

#include "report/pages/page.h"

namespace helio::report {

// One object, ending in a newline. Bytes that are no UTF-8 are replaced.
std::string to_json(const Page& page);

// Throws Error(kInput) at `place` for what is no page.
Page read_page(const std::string& text, const std::string& place);

}  // namespace helio::report
