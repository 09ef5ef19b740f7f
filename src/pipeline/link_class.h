// SPDX-License-Identifier: Apache-2.0
// Links of one kind by one name: thousands of links are told as a few classes. A fabric names its links as it likes; what is left of a name
// without its numbers is the class.
//
//     "link host 3 to edge 1", "link host 4 to edge 2"         ─▶  "link host to edge"
//     "ring link 3 to 4"                                       ─▶  "ring link node to node"
//     "segment 3-4 clockwise, wavelength 5"                    ─▶  "segment clockwise"
//     "link h0 to tor1", "link h1 to tor1"                     ─▶  "link h* to tor*"          (a graph's own names)
#pragma once

#include <string>

namespace helio::pipeline {

// The class of a link that a fabric, or a job's own I/O, named like this.
std::string class_of_link(const std::string& name);

}  // namespace helio::pipeline
