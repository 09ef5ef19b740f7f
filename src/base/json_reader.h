// SPDX-License-Identifier: Apache-2.0
// JSON as it comes from files and other programs. This is the only place where such text becomes a value (tests/house_test.cpp), because the
// library alone takes any depth, which later code that walks the value does not survive, and the last of several equal keys.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/advice.h"

namespace helio {

using Json = nlohmann::ordered_json;  // keys stay in the order of the text

inline constexpr std::size_t kDeepestJson = 100;  // brackets and braces within each other

// Throws Error(kInput) at "source:line:column" for what is no JSON or no UTF-8, numbers that no double holds, deeper nesting, and a key that
// stands twice in an object.
Json parse_json(std::string_view text, const std::string& source, const Advice& advice = {});

}  // namespace helio
