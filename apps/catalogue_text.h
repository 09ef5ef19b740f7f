// SPDX-License-Identifier: Apache-2.0
// What `helio list` and `helio describe` print: the catalogues, for people.
#pragma once

#include <string>
#include <string_view>

#include "report/text/look.h"

namespace helio::apps {

// The name under which the keys of JSON are described.
inline constexpr std::string_view kKeys = "keys";

// `room` is fabrics, algorithms, models, npus or studies; "": all of them. Throws Error(kInput) for another name.
std::string list(const std::string& room, const report::Look& look = {});

// Everything that bears the name: a fabric, an algorithm, a model or its file, an NPU, a study, a kind of collective, the keys of
// a job, the keys of all JSON that is printed; some names are shared. Throws Error(kInput) when nothing does.
std::string describe(const std::string& name, const report::Look& look = {});

}  // namespace helio::apps
