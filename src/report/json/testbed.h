// SPDX-License-Identifier: Apache-2.0
// A testbed beside its simulation, as JSON and for people.
#pragma once

#include <string>

#include "pipeline/testbed.h"

namespace helio::report {

std::string to_json(const pipeline::TestbedResult& result);
std::string to_text(const pipeline::TestbedResult& result);

}  // namespace helio::report
