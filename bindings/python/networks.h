// SPDX-License-Identifier: Apache-2.0
// Optical networks and meshes as arrays: weights, biases, phases of MZIs without copies; transfer matrices; averages of many points at once.
#pragma once

#include <pybind11/pybind11.h>

namespace helio::python {

void add_networks(pybind11::module_& module);

}  // namespace helio::python
