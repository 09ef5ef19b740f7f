// SPDX-License-Identifier: Apache-2.0
// Functions in Python as algorithms. A function is called with what is asked and what the fabric can do, and gives a schedule as plain
// values; what it gives is checked and proven before anybody uses it.
#pragma once

#include <pybind11/pybind11.h>

namespace helio::python {

void add_own_algorithms(pybind11::module_& module);

}  // namespace helio::python
