// SPDX-License-Identifier: Apache-2.0
// The version that every result carries. A test holds it to the project's version in CMakeLists.txt.
#pragma once

#include <string_view>

namespace helio::pipeline {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace helio::pipeline
