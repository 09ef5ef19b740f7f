// SPDX-License-Identifier: Apache-2.0
// A small text file as a whole.
#pragma once

#include <string>
#include <string_view>

namespace helio::workload {

// `place` is where the path was given: a file that cannot be read, or is larger than 16 MiB, is reported there as
// Error(kInput).
std::string read_text(const std::string& path, std::string_view place);

}  // namespace helio::workload
