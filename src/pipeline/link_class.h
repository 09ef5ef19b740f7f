// SPDX-License-Identifier: Apache-2.0
// Links of one kind by one name: thousands of links are told as a few classes, in words.
//
//     "link host 3 to edge 1", "link host 4 to edge 2"    ─▶  "links from hosts to edge switches"
//     "link h0 to tor1", "link h1 to tor1"                ─▶  "links from h* to tor*"     (a graph's own names: * is any number)
#pragma once

#include <string>

namespace helio::pipeline {

// The class of a link that a fabric, or a job's own I/O, named like this.
std::string class_of_link(const std::string& name);

}  // namespace helio::pipeline
