// SPDX-License-Identifier: Apache-2.0
// Results for people at a terminal: a few aligned lines, quantities in readable units.
#pragma once

#include <string>
#include <vector>

#include "pipeline/result.h"
#include "report/row.h"

namespace helio::report {

std::string in_words(const Fact& fact);
std::string to_text(const pipeline::Result& result);
std::string to_text(const std::vector<pipeline::Result>& results);
std::string to_text(const std::vector<Row>& rows);

}  // namespace helio::report
