// SPDX-License-Identifier: Apache-2.0
// When the last of many transfers ends that wait for nobody and meet nobody else.
//
// A dense exchange is a template of n² transfers without edges. Of its round only the end is asked for, and who ended last; when the others
// end is nobody's business. From the time at which all have started, two bounds often meet:
//
//     not before    a link of capacity c on which W bytes are left needs W / c
//     not after     a flow's level is at least that of the link on its way that would be lowest if all of its links were shared
//                   evenly: x(f) / s(f) >= min over l of c(l) / (sum of w(g,l) s(g) over those on l). So all flows are run at just that.
//                   Nobody has less left than there, and who is gone there is gone; so nobody ends later than there.
//
// What is run in the second need not follow every end: while one that ended is still counted, the others are only slower. Half of the flows
// are let go at a time, but those that meet what seems to end last on its narrowest link, one by one.
//
//     time ──▶            flows that end early         half, half, half …    the last link's, end by end
//     ├───────────────────────────────────────────────────────────────────┤ W / c of the last link: it was full all the time
//
// Where the bounds do not meet, all run on as they share their links (course.h), and it is tried again when some have ended.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "flow/program.h"
#include "simulate/simulate.h"

namespace helio::simulate {

struct LastEnd {
  Time end;                     // from the start of the round
  std::uint32_t operation = 0;  // that ended then; of several the one with most steps
  std::uint64_t events = 0;     // work done
};

// Nothing where the template is not of this kind: transfers over links only, in one class, each once, with no edges; or, where it is
// only to be `tried`, if the bounds do not meet at once or transfers start at many times. Throws as Options::check.
std::optional<LastEnd> last_end(const flow::Program& program, flow::TemplateId id, const Options& options,
                                bool tried = false);

}  // namespace helio::simulate
