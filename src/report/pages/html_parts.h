// SPDX-License-Identifier: Apache-2.0
// Text as it may stand in HTML. Text from outside is escaped in here and nowhere else.
#pragma once

#include <string>
#include <string_view>

namespace helio::report {

// Between tags and in quoted attributes, also of SVG, where control characters may not stand at all (XML 1.0, 2.2): names are
// visible (base/visible.h).
std::string escaped(std::string_view text);

// JSON as it may stand in a <script type="application/json">: no '<' in it, so that no text can end the element.
std::string escaped_json(std::string_view json);

}  // namespace helio::report
