// SPDX-License-Identifier: Apache-2.0
#include "schedule/verify.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "schedule/intervals.h"
#include "schedule/one_slot.h"
#include "schedule/pipelined.h"
#include "schedule/symmetry.h"
#include "schedule/whole_state.h"

namespace helio::schedule {
namespace {

constexpr double kExplicitTouches = 2e7;     // members merged, a fraction of a second
constexpr double kMostSlotsInAll = 1 << 20;  // of explicit sets
constexpr std::uint32_t kFewSlots = 64;      // below, slots are followed one by one
constexpr double kMostMemory = 1.5e9;        // bytes of fingerprints
constexpr double kMostRounds = 1u << 31;     // that a stamp can hold

// What each method would cost, in slot touches; doubles, because a hostile schedule overflows anything else.
struct Cost {
  explicit Cost(const Schedule& schedule) {
    slots = static_cast<double>(schedule.ranks) * (2.0 * schedule.chunks + schedule.scratch);
    for (const Phase& phase : schedule.phases) {
      for (const Move& move : phase.moves) {
        const Window active = window(move, phase);
        const double ends =
            static_cast<double>(schedule.members(move.source).size() + schedule.members(move.destination).size());
        touches += ends * (active.last - active.first) * move.count;
        walking += move.stride == 0 ? 0 : 1;
        scanned += move.stride == 0 ? move.count + std::min(256.0, 1.0 * schedule.chunks)
                                    : 0;  // by the slots of a batch that it may touch
      }
      moves += static_cast<double>(phase.moves.size());
      walked += phase.moves.empty() ? 0 : static_cast<double>(phase.repeat) * static_cast<double>(phase.moves.size());
    }
  }
  double whole_state() const { return touches + walked + slots; }
  double following(double followed, double chunks) const {
    return (touches + scanned) * followed / chunks + walking * followed + moves * (1 + followed / 256) +
           followed * slots / chunks;
  }

  double slots = 0;    // of all ranks and buffers
  double touches = 0;  // slots read and written, over all rounds
  double moves = 0;    // over all phases
  double walking = 0;  // moves with a stride
  double walked = 0;   // moves times rounds
  double scanned = 0;  // moves looked at by slots that they do not touch
};

Verification outcome(std::string method, std::string failure) {
  return {.verified = failure.empty(), .method = std::move(method), .failure = std::move(failure)};
}

class Verifier {
 public:
  Verifier(const Schedule& schedule, const VerifyOptions& options)
      : schedule_(schedule), options_(options), cost_(schedule), limit_(static_cast<double>(options.work_limit)) {}

  Verification run(VerifyMethod method) const {
    switch (method) {
      case VerifyMethod::kExplicitSets: return explicit_sets();
      case VerifyMethod::kOnePiece: return one_piece();
      case VerifyMethod::kOneSlotPerOrbit: return one_slot_per_orbit();
      case VerifyMethod::kIntervals:
        return interval_by_interval().value_or(outcome("interval-by-interval", "runs do not come together again"));
      case VerifyMethod::kSlotBySlot: return slot_by_slot();
      case VerifyMethod::kFingerprints: return fingerprints();
      case VerifyMethod::kChoose: break;
    }

    // Exact where it is cheap, then the method with the least work
    const double cost = cost_.whole_state() * schedule_.ranks;
    if (cost <= std::min(kExplicitTouches, limit_) && cost_.slots <= kMostSlotsInAll) return explicit_sets();
    if (schedule_.pieces > 1 && pieces_fault(schedule_).empty()) return verify_first_piece();
    const bool keeps = keeps_slots(schedule_);
    if (keeps && schedule_.symmetry != Symmetry::kNone && symmetry_fault(schedule_).empty()) return follow_orbits();
    if (keeps && schedule_.chunks >= kFewSlots && intervals_apply(schedule_) &&
        cost_.walked < cost_.following(schedule_.chunks, schedule_.chunks))
      if (std::optional<Verification> shown = interval_by_interval()) return *std::move(shown);
    const bool whole_is_less = fingerprint_memory(schedule_) <= kMostMemory &&
                               4 * cost_.whole_state() < cost_.following(schedule_.chunks, schedule_.chunks);
    if (keeps && !whole_is_less && cost_.following(schedule_.chunks, schedule_.chunks) <= limit_ &&
        touches_of_a_slot(schedule_) <= kMostTouches)
      return slot_by_slot();
    return fingerprints();
  }

 private:
  Verification too_much(double work) const {
    return outcome("work-limit",
                   fmt::format("not verified: {:.2g} slot touches where {:.2g} are allowed", work, limit_));
  }

  Verification explicit_sets() const {
    if (cost_.whole_state() > limit_) return too_much(cost_.whole_state());
    return outcome("explicit-sets", fault_in_whole_state<Multiset>(schedule_));
  }

  Verification one_piece() const {
    if (const std::string fault = pieces_fault(schedule_); !fault.empty())
      return outcome("one-piece-of-many", "the claimed pieces do not hold: " + fault);
    return verify_first_piece();
  }

  Verification verify_first_piece() const {
    const Schedule piece = first_piece(schedule_);
    Verification shown = Verifier(piece, options_).run(VerifyMethod::kChoose);
    if (shown.method != "work-limit") shown.method = "one-piece-of-many+" + shown.method;
    if (!shown.verified) shown.failure = "in the first piece: " + shown.failure;
    return shown;
  }

  Verification one_slot_per_orbit() const {
    const std::string name = "one-slot-per-orbit";
    if (!keeps_slots(schedule_)) return outcome(name, "moves do not keep slots");
    if (const std::string fault = symmetry_fault(schedule_); !fault.empty())
      return outcome(name, "the claimed symmetry does not hold: " + fault);
    return follow_orbits();
  }

  Verification follow_orbits() const { return follow("one-slot-per-orbit", schedule_.block()); }

  // Nothing where the method does not apply.
  std::optional<Verification> interval_by_interval() const {
    if (!intervals_apply(schedule_)) return std::nullopt;
    std::optional<std::string> fault = fault_in_intervals(schedule_);
    if (!fault) return std::nullopt;
    return outcome("interval-by-interval", *std::move(fault));
  }

  Verification slot_by_slot() const {
    if (!keeps_slots(schedule_)) return outcome("slot-by-slot", "moves do not keep slots");
    return follow("slot-by-slot", schedule_.chunks);
  }

  Verification follow(std::string method, std::uint32_t slots) const {
    const double work = cost_.following(slots, schedule_.chunks);
    if (work > limit_) return too_much(work);
    if (const double touches = touches_of_a_slot(schedule_); touches > kMostTouches)
      return outcome("work-limit",
                     fmt::format("not verified: a slot is touched {:.2g} times in one phase where {:.2g} are "
                                 "allowed",
                                 touches, kMostTouches));
    return outcome(std::move(method), fault_in_slots(schedule_, 0, slots));
  }

  Verification fingerprints() const {
    if (cost_.whole_state() > limit_) return too_much(cost_.whole_state());
    if (const double bytes = fingerprint_memory(schedule_); bytes > kMostMemory)
      return outcome("work-limit", fmt::format("not verified: {:.2g} bytes of fingerprints where {:.2g} are allowed",
                                               bytes, kMostMemory));
    return outcome("fingerprints", fault_in_whole_state<Fingerprint>(schedule_));
  }

  const Schedule& schedule_;
  const VerifyOptions& options_;
  Cost cost_;
  double limit_;
};

}  // namespace

Verification verify(const Schedule& schedule, const VerifyOptions& options) {
  if (static_cast<std::uint32_t>(schedule.ranks) > Fingerprint::kMostMembers)
    return outcome("work-limit", fmt::format("not verified: {} ranks where {} can be counted", schedule.ranks,
                                             Fingerprint::kMostMembers));
  if (static_cast<double>(rounds(schedule)) >= kMostRounds)
    return outcome("work-limit",
                   fmt::format("not verified: {} rounds where {:.0f} can be counted", rounds(schedule), kMostRounds));
  return Verifier(schedule, options).run(options.method);
}

}  // namespace helio::schedule
