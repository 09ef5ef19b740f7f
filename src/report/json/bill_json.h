// SPDX-License-Identifier: Apache-2.0
// The bill of a network and a part of the catalogue, as JSON.
#pragma once

#include "fabric/bill.h"
#include "report/json/json_values.h"

namespace helio::report {

Json bill_json(const std::string& fabric, std::uint64_t nodes, const fabric::Priced& bill);
Json part_json(const Catalogue<fabric::PartFactory>::Entry& entry);

}  // namespace helio::report
