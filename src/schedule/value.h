// SPDX-License-Identifier: Apache-2.0
// What a slot holds while a schedule is verified: a multiset of inputs x(rank, slot), exactly or as a fingerprint; and
// what the kinds put in before the first round and demand after the last.
//
// Both representations have the same shape: default construction is "undefined", input() is one input, add() is the sum
// of multisets. Undefined plus anything is undefined, so it can never turn into a result.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/mix.h"
#include "schedule/schedule.h"

namespace helio::schedule {

// Exact: every member with its multiplicity (which stops growing at 2^32-1).
class Multiset {
 public:
  Multiset() = default;
  static Multiset input(Position rank, std::uint32_t slot);
  static Multiset nothing();

  friend bool operator==(const Multiset&, const Multiset&) = default;
  // How this differs from `expected`: "x(1,5) twice"...
  std::string difference(const Multiset& expected) const;

  void add(const Multiset& other);

 private:
  struct Member {
    std::uint64_t input = 0;  // rank in the upper half, slot in the lower
    std::uint32_t times = 0;
    friend bool operator==(const Member&, const Member&) = default;
  };
  bool defined_ = false;
  std::vector<Member> members_;  // sorted by input
};

// 24 bits of count, 104 bits of summed weights; see verify.h for why this suffices.
class Fingerprint {
 public:
  Fingerprint() = default;
  static Fingerprint input(Position rank, std::uint32_t slot) {
    const std::uint64_t name = (static_cast<std::uint64_t>(rank) << 32) | slot;
    const std::uint64_t high = mixed(name + kSeed, 0), low = mixed(name ^ mixed(kSeed, 0), 0);
    return Fingerprint((Bits{1} << kWeightBits) | (((Bits{high} << 64) | low) & kWeightMask));
  }
  static Fingerprint nothing() { return Fingerprint(0); }
  // Ranks that a count can still tell from "too many".
  static constexpr std::uint32_t kMostMembers = (1u << 24) - 3;

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
  // All of it, low half first.
  std::pair<std::uint64_t, std::uint64_t> words() const {
    return {static_cast<std::uint64_t>(bits_), static_cast<std::uint64_t>(bits_ >> 64)};
  }
  std::string difference(const Fingerprint& expected) const;

  void add(const Fingerprint& other) {
    const std::uint32_t sum = count() + other.count();
    const std::uint32_t together = count() == kUndefined || other.count() == kUndefined ? kUndefined
                                   : sum > kMany                                        ? kMany
                                                                                        : sum;
    bits_ = (Bits{together} << kWeightBits) | ((bits_ + other.bits_) & kWeightMask);
  }

 private:
  using Bits = unsigned __int128;
  static constexpr int kWeightBits = 104;
  static constexpr Bits kWeightMask = (Bits{1} << kWeightBits) - 1;
  static constexpr std::uint32_t kUndefined = (1u << 24) - 1, kMany = kUndefined - 1;
  static constexpr std::uint64_t kSeed = 0x68656c696f677261u;

  explicit Fingerprint(Bits bits) : bits_(bits) {}
  std::uint32_t count() const { return static_cast<std::uint32_t>(bits_ >> kWeightBits); }
  Bits bits_ = Bits{kUndefined} << kWeightBits;
};

// Whether data (and so output) of `rank` holds x(rank, slot) before the first round; scratch never does.
bool holds_input(const Schedule& schedule, Position rank, std::uint32_t slot);

// What must be in a slot of the result: anything, the sum of x(q, slot) over all q, or a copy of x(rank, slot).
struct Demand {
  enum { kNothing, kSum, kCopy } what = kNothing;
  Position rank = 0;
  std::uint32_t slot = 0;
};
Demand demand(const Schedule& schedule, Position rank, std::uint32_t slot);

// The sum over all ranks of their inputs in `slot`.
template <class Value>
Value sum_of_inputs(const Schedule& schedule, std::uint32_t slot) {
  Value sum = Value::nothing();
  for (Position q = 0; q < schedule.ranks; ++q) sum.add(Value::input(q, slot));
  return sum;
}

// Where a failure is, in words. Rounds are counted over all phases; `written` is the round that last wrote the slot plus
// one, or 0 if none did.
std::string place_of(const Schedule& schedule, std::uint64_t round);
std::string describe_race(const Schedule& schedule, std::uint64_t round, Position rank, Buffer buffer,
                          std::uint32_t slot);
std::string describe_result(const Schedule& schedule, Position rank, std::uint32_t slot, std::uint64_t written,
                            const std::string& difference);

}  // namespace helio::schedule
