// SPDX-License-Identifier: Apache-2.0
// `switch`: n nodes on one crossbar, a link up and a link down for each.
//
//      0   1   2   3
//      ║   ║   ║   ║         every way is two hops: up, down
//     ┌╨───╨───╨───╨┐
//     │   switch    │        `reducers` operators add what meets and copy to many (in-fabric collectives)
//     └─────────────┘
//
// Cut-through: the bytes flow over both links at once. An in-fabric reduction occupies one operator, the up links of its
// sources and the down links of its destinations at one common rate.
#pragma once

#include <memory>

#include "fabric/fabric.h"

namespace helio::fabric {

Description describe_switch();
std::unique_ptr<Fabric> make_switch(const Parameters& parameters);

}  // namespace helio::fabric
