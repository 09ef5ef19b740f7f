// SPDX-License-Identifier: Apache-2.0
#include "base/time.h"

#include <fmt/format.h>

#include "base/error.h"

namespace helio {

void refuse_time(double seconds) {
  throw Error(ErrorKind::kInfeasible,
              fmt::format("a time of {:.3g} s is beyond the clock, which holds {:.0e} s", seconds, Time::kMost), "",
              "ask for what ends sooner: higher rates, fewer bytes, shorter delays");
}

}  // namespace helio
