// SPDX-License-Identifier: Apache-2.0
// Which rows of a table are meant: "gpu=H100", "bytes>=1048576", "gpu!=A100". Conditions on one column with '=' are alternatives, all
// others must hold. Words are compared without case, numbers as numbers.
#pragma once

#include <vector>

#include "base/catalogue.h"
#include "base/csv_table.h"

namespace helio::pipeline {

// In the order of the file. Throws Error(kInput) at a condition's place for one that is none and for a column that is not there.
std::vector<const CsvTable::Row*> chosen_rows(const CsvTable& table, const std::vector<Setting>& conditions);

}  // namespace helio::pipeline
