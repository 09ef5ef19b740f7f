// SPDX-License-Identifier: Apache-2.0
// Proof that a schedule computes its collective: every output holds each input that belongs there exactly once.
//
// A value is a multiset of inputs. A store copies one, a reduce adds two. The post-condition of the kind (schedule.h) is
// compared at the end. Methods, chosen by size, exactness first:
//
//   explicit-sets        every slot of every rank as a vector of multiplicities: exact
//   one-piece-of-many+…  a checked claim of equal pieces (pipelined.h), then the first piece by one of these methods
//   one-slot-per-orbit   a checked symmetry claim, then one slot followed through all ranks
//   interval-by-interval all-reduce in place: runs of slots that no move tells apart, put together again (intervals.h)
//   slot-by-slot         no claim, but moves keep slots: each slot followed alone, in O(ranks) memory
//   fingerprints         everything else: every slot of every rank at once
//
// All but the first represent a multiset in 128 bits: the exact number of its members (24 bits, and a mark for what is
// undefined) and the sum of their random 104-bit weights (fixed seed). A schedule that is wrong in a followed slot passes
// with probability below 2^-80: the count bounds every multiplicity by 2^24, and one that is wrong by d contributes d*w,
// which vanishes modulo 2^104 for at most 2^-(104 - log2 d) of all weights w.
//
// What is undefined (scratch never written, blocks not yet there) may be moved about, but not reach a result.
#pragma once

#include <cstdint>
#include <string>

#include "schedule/schedule.h"

namespace helio::schedule {

enum class VerifyMethod { kChoose, kExplicitSets, kOnePiece, kOneSlotPerOrbit, kIntervals, kSlotBySlot, kFingerprints };

struct VerifyOptions {
  VerifyMethod method = VerifyMethod::kChoose;  // another: forced, for tests that compare methods
  // Slot touches that may be spent; past it the schedule is not verified.
  std::uint64_t work_limit = 4'000'000'000;
};

struct Verification {
  bool verified = false;
  std::string method;   // the names above; "work-limit" when nothing was shown
  std::string failure;  // "" when verified; else the first thing wrong: phase, round, rank, slot
};

// Requires: check(schedule) passed.
Verification verify(const Schedule& schedule, const VerifyOptions& options = {});

}  // namespace helio::schedule
