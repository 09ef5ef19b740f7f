// SPDX-License-Identifier: Apache-2.0
// Files that survive a kill: written beside, then renamed, so that a reader finds the old content or the new, never half of one.
#pragma once

#include <string>
#include <string_view>

namespace helio::train {

// Throws Error(kInput) at `place` when the folder cannot be written to, and for what is no regular file (a device, a folder).
void replace_file(const std::string& path, std::string_view content, std::string_view place);

// The whole file as bytes. Throws Error(kInput) at `place`.
std::string read_bytes(const std::string& path, std::string_view place);

}  // namespace helio::train
