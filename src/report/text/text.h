// SPDX-License-Identifier: Apache-2.0
// Results for people: a few aligned lines, quantities in readable units. On a terminal (look.h) also where the time went, as bars:
//
//     time         5.019 ms   2.511 x the lower bound
//     path         transmission   3.996 ms   79.6 %  ################################
//                  latency        1.023 ms   20.4 %  ########
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/result.h"
#include "report/text/look.h"
#include "report/text/row_text.h"

namespace helio::report {

std::string in_words(const Fact& fact);

// "  name         value": one line of a result, the value broken at words where the terminal is narrow.
std::string line_of(const Look& look, std::string_view name, std::string_view value, std::size_t names = 12);

std::string to_text(const pipeline::Result& result, const Look& look = {});
// Ends in the total; on a terminal each collective's share of it stands before.
std::string to_text(const std::vector<pipeline::Result>& results, const Look& look = {});

}  // namespace helio::report
