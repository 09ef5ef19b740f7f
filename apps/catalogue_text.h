// SPDX-License-Identifier: Apache-2.0
// What `helio list` and `helio describe` print: the catalogues, for people.
#pragma once

#include <string>

namespace helio::apps {

// `room` is fabrics, algorithms, models, npus or studies; "": all of them. Throws Error(kInput) for another name.
std::string list(const std::string& room);

// Everything that bears the name: a fabric, an algorithm, a model or its file, an NPU, a study, a kind of collective, the keys of
// a job; some names are shared. Throws Error(kInput) when nothing does.
std::string describe(const std::string& name);

}  // namespace helio::apps
