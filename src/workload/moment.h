// SPDX-License-Identifier: Apache-2.0
// Dates as logs write them.
#pragma once

#include <optional>
#include <string_view>

namespace helio::workload {

// "2017-10-07 01:11:39", also with "T" in between, a part of a second, and an offset ("+08:00", "Z") after it: seconds from the beginning of
// 1970, without an offset as if it were 0. None: no such thing.
std::optional<double> moment(std::string_view text);

}  // namespace helio::workload
