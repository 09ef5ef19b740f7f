// SPDX-License-Identifier: Apache-2.0
// Programs by classes: where operations and links are alike, what happens to one happens to all, so one of each is simulated.
//
// Operations and links are painted until no colour can be told apart any further (colour refinement; Weisfeiler & Leman 1968, and for
// symmetric linear programs Grohe et al. 2014):
//
//     an operation's colour knows    what it is (bytes, latency, share, …), the colours of the links it crosses, of what it waits for and
//                                    of what waits for it, of its template and of the one it calls
//     a link's colour knows          its rate and the colours of the operations that cross it, with their weights
//     a template's colour knows      the colours of its operations and of the calls of it
//
// Then every operation of class i crosses as many links of class j as any other of i, and every link of j carries as many operations of i,
// W(i,j), as any other of j. If all of a class start together, progressive filling (sharing.h) raises them together and links of a class are
// full together, so they end together; what waits for them starts together; and so on: the classes run in step from the first time to the last.
// In the program of classes operation i crosses one link for each j, with weight W(i,j).
//
//     all-to-all on a torus of 32 x 32     1,047,552 transfers over 4,096 links     ─▶     31 transfers, by their hops, over one link
//
// Nothing is assumed of a fabric: colours are hashes, and the partition that they give is checked, number by number, before it is used.
#pragma once

#include <optional>

#include "flow/program.h"

namespace helio::simulate {

// The program of classes of what `top` runs, whose entry takes as long as `top` does when it meets nobody else. None: it holds channels, is
// decided at run time or is shown, or it has not even half as many classes as operations. Requires: check(program) passed.
std::optional<flow::Program> by_classes(const flow::Program& program, flow::TemplateId top);

}  // namespace helio::simulate
