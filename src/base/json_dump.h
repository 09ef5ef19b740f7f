// SPDX-License-Identifier: Apache-2.0
// JSON as text, everywhere: names of files may hold bytes that are no UTF-8, which are replaced by U+FFFD and never fatal.
#pragma once

#include <string>

namespace helio {

// On one line, or with `indent` blanks for each level.
template <class Value>
std::string json_dump(const Value& json, int indent = -1) {
  return json.dump(indent, ' ', false, Value::error_handler_t::replace);
}

}  // namespace helio
