// SPDX-License-Identifier: Apache-2.0
// The bill of a network and a part of the catalogue, for people.
#pragma once

#include <string>

#include "fabric/bill.h"
#include "report/text/look.h"

namespace helio::report {

std::string bill_text(const fabric::Priced& bill, const Look& look = {});
std::string describe_part(const Catalogue<fabric::PartFactory>::Entry& entry, const Look& look = {});

// "12 to 18", "12" where both are the same, "-" for nothing.
std::string in_words(Range range);

}  // namespace helio::report
