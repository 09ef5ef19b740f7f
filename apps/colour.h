// SPDX-License-Identifier: Apache-2.0
// What the place that standard output goes to can show. Colour only on a terminal, never with NO_COLOR in the environment
// (https://no-color.org: set and not empty) nor on TERM=dumb; characters beyond ASCII only where the locale's are UTF-8.
#pragma once

#include "report/text/look.h"

namespace helio::apps {

report::Look standard_output();

}  // namespace helio::apps
