// SPDX-License-Identifier: Apache-2.0
// SiP-Ring's decision: how many wavelengths each pair of nodes gets, each way round (papers/oddl.md 3.1, which follows the
// simulator of SiP-ML, Khani et al., SIGCOMM 2021).
//
//   clockwise          ──▶ 0 ──▶ 1 ──▶ 2 ──▶ 3 ──▶        `rings` of each, `each` wavelengths on every segment:
//   counter-clockwise  ◀── 0 ◀── 1 ◀── 2 ◀── 3 ◀──        each = W / R / 2 in whole numbers
//
//   maximise t   with   wavelengths of a pair >= t * demand of the pair,
//   on every direction, ring and segment: the wavelengths of all pairs whose way covers it <= each
//
// There the integer program is solved; here a heuristic finds a share in time that grows with what is given away [ours]:
//
//   1  every pair the shorter way round (ties: the emptier one); where that does not fit and sending some the long way does, so
//   2  one wavelength for each pair; what finds none goes in a later turn (arcs are coloured: wavelengths.h)
//   3  in each turn: the pair with the least wavelengths per demand gets one more, the long way where the short one is full, or past a
//      wavelength of somebody else that goes the other way round instead, as long as the least still rises
//   4  what is left: the poorest first, each its own way
//
// It is exact on neighbours: a ring of transfers one way gets all wavelengths of that direction and nothing of the other, whose way
// is N-1 segments long; transfers both ways get all of both. Wavelengths are counted, not numbered: no continuity is asked of
// them, as in the published program.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace helio::fabric {

struct SipRings {
  std::uint32_t nodes = 2;
  std::uint32_t rings = 1;
  std::uint32_t each = 1;                                  // wavelengths per direction and ring
  std::uint32_t each_way() const { return rings * each; }  // of all rings, one direction
};

struct SipDemand {
  std::uint32_t from = 0, to = 1;
  double amount = 1;   // relative to the others; > 0
  int direction = -1;  // 0 clockwise, 1 counter-clockwise, -1 free
};

struct SipGrant {
  std::uint8_t direction = 0;
  std::uint32_t ring = 0;
  std::uint32_t first = 0;  // of the source's transmitters of that direction and ring
  std::uint32_t count = 0;
  friend bool operator==(const SipGrant&, const SipGrant&) = default;
};

struct SipShare {
  std::uint32_t turn = 0;        // turns follow each other
  std::vector<SipGrant> grants;  // one for each direction and ring that carries the pair, in order
  std::uint32_t wavelengths() const {
    std::uint32_t sum = 0;
    for (const SipGrant& grant : grants) sum += grant.count;
    return sum;
  }
};

inline std::uint32_t sip_hops(const SipRings& rings, std::uint32_t from, std::uint32_t to, int direction) {
  return (direction == 0 ? to + rings.nodes - from : from + rings.nodes - to) % rings.nodes;
}

// A share for each demand. Requires: each >= 1; from != to, both on the ring; amounts > 0.
std::vector<SipShare> allocate(const SipRings& rings, std::span<const SipDemand> demands);

}  // namespace helio::fabric
