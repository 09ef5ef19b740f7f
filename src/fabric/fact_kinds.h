// SPDX-License-Identifier: Apache-2.0
// Facts that more than one fabric tells.
#pragma once

#include "base/fact.h"

namespace helio::fabric {

inline constexpr FactKind kModelFact = {"model", "", "what the model of the fabric rests on, in words"};
inline constexpr FactKind kIoBroadcastShareFact = {
    "io_broadcast_share", "1", "fred with I/O channels: the part of their rate at which all can broadcast at once"};

}  // namespace helio::fabric
