// SPDX-License-Identifier: Apache-2.0
// ODDL: an all-optical network with slices per job and circuits per flow.
//
// Li et al., "Fast and scalable all-optical network architecture for distributed deep learning", JOCN 16(3), 2024. Only its
// abstract is known: two time scales of light, flows scheduled one by one, distributed control. The model that follows from that
// is ours throughout (papers/oddl.md 2), and so is every number that it gives.
//
//   slow, per job    slice: (source group, plane, channel) -> destination node      oddl_slice.h, set in `wss`
//   fast, per flow   transmitter ── light ── receiver, tuned, locked and guarded    oddl_control.h decides who and when
//
//     node s ─▷ transmitter k ─┐ group of s                     ┌─▷ receiver k ─▷ node d
//                              └─▷ light (group, plane, channel) ┘         plane = k, k + trx, k + 2 trx, …
//
// Path rule, as an invariant that the engine enforces: a flow takes its transmitter, its light and its receiver, all or none, and
// nobody else has any of them until it ends; on the fibre of a group one channel means one destination node. Another circuit on
// any of the three is dark for tune + lock + guard.
//
// One slice serves all collectives of a program: what an earlier one lit stays. A collective whose pairs do not fit beside it is
// refused with the reason and what would fit; or, as a remedy, cut into parts with a WSS change between them (oddl_parts.h). Or
// every collective is given a slice that somebody else planned (`lower_on`), one for each job.
//
// Several transceivers (`trx`) work on planes of their own. A flow is spread over all of them; or they `alternate`: flows of odd
// and even distance leave by different ones behind one port of `rate`, so that one is tuned while the other sends:
//
//     transceiver 0  ▒▒██████████▒▒██████████▒▒███        ▒ dark    █ the port's bytes, shared while both are lit
//     transceiver 1  ▒▒████░░░░░░████▒▒██████████▒▒       the first flow of transceiver 1 gets a smaller share, so that the
//                                                         two do not go dark together
#pragma once

#include <memory>

#include "fabric/carrier.h"
#include "fabric/footing.h"
#include "fabric/oddl/oddl_slice.h"

namespace helio::fabric {

class OddlCarrier : public Carrier {
 public:
  // Lowers onto the light of a slice, instead of looking for some; in parts, where the slice has them, with a WSS change before
  // every part but the first. That nobody else has that light is the giver's business.
  // Requires: as `lower`; the slice has a light for every pair of the schedule, part by part; one transceiver, not tunable; the
  // carrier stands on nodes with the fabric's own numbers, which slices speak of.
  virtual LowerResult lower_on(const Slice& slice, const schedule::Schedule& schedule,
                               const schedule::CollectiveRequest& request, const LowerOptions& options) = 0;

 protected:
  using Carrier::Carrier;
};

// Its carrier is an OddlCarrier.
class OddlFabric : public Fabric {
 public:
  virtual const OddlGeometry& geometry() const = 0;
  virtual Time wss() const = 0;
  // Of its resources, the light 0 of the geometry; where nodes have one transceiver the others follow it.
  virtual flow::ResourceId first_light() const = 0;
};

Description describe_oddl();
std::unique_ptr<OddlFabric> make_oddl(const Parameters& parameters);
// On an equal footing (footing.h): as many transceivers of the usual rate as the injection takes; two links from node to node, to its
// group's combiner and on.
Settings footing_of_oddl(Settings given, const Footing& footing);

}  // namespace helio::fabric
