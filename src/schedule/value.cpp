// SPDX-License-Identifier: Apache-2.0
#include "schedule/value.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace helio::schedule {
namespace {

constexpr std::uint32_t kMostTimes = std::numeric_limits<std::uint32_t>::max();

std::string_view name_of(Buffer buffer) {
  switch (buffer) {
    case Buffer::kData: return "data";
    case Buffer::kOutput: return "output";
    case Buffer::kScratch: return "scratch";
  }
  return "";
}

}  // namespace

Multiset Multiset::input(Position rank, std::uint32_t slot) {
  Multiset value = nothing();
  value.members_.push_back({(static_cast<std::uint64_t>(rank) << 32) | slot, 1});
  return value;
}

Multiset Multiset::nothing() {
  Multiset value;
  value.defined_ = true;
  return value;
}

void Multiset::add(const Multiset& other) {
  if (!defined_ || !other.defined_) {
    *this = Multiset();
    return;
  }
  std::vector<Member> sum;
  sum.reserve(members_.size() + other.members_.size());
  auto a = members_.begin();
  auto b = other.members_.begin();
  while (a != members_.end() || b != other.members_.end()) {
    if (b == other.members_.end() || (a != members_.end() && a->input < b->input)) {
      sum.push_back(*a++);
    } else if (a == members_.end() || b->input < a->input) {
      sum.push_back(*b++);
    } else {
      sum.push_back({a->input, a->times > kMostTimes - b->times ? kMostTimes : a->times + b->times});
      ++a, ++b;
    }
  }
  members_ = std::move(sum);
}

std::string Multiset::difference(const Multiset& expected) const {
  if (!defined_) return "holds an undefined value";
  const auto at = [](const std::vector<Member>& members, std::size_t i) {
    return i < members.size() ? members[i] : Member{std::numeric_limits<std::uint64_t>::max(), 0};
  };
  for (std::size_t i = 0;; ++i) {
    const Member have = at(members_, i), want = at(expected.members_, i);
    if (have == want && have.times > 0) continue;
    const std::uint64_t input = std::min(have.input, want.input);
    return fmt::format("holds x({},{}) {} times instead of {}", input >> 32, static_cast<std::uint32_t>(input),
                       have.input == input ? have.times : 0, want.input == input ? want.times : 0);
  }
}

std::string Fingerprint::difference(const Fingerprint& expected) const {
  if (count() == kUndefined) return "holds an undefined value";
  if (count() == kMany) return fmt::format("holds {} inputs or more instead of {}", kMany, expected.count());
  if (count() != expected.count()) return fmt::format("holds {} inputs instead of {}", count(), expected.count());
  return fmt::format("holds {} inputs, but not those that belong there", count());
}

bool holds_input(const Schedule& schedule, Position rank, std::uint32_t slot) {
  switch (schedule.kind) {
    case Kind::kAllGather: return slot / schedule.block() == static_cast<std::uint32_t>(rank);
    case Kind::kBroadcast: return rank == schedule.root;
    default: return true;
  }
}

Demand demand(const Schedule& schedule, Position rank, std::uint32_t slot) {
  switch (schedule.kind) {
    case Kind::kAllReduce: return {Demand::kSum};
    case Kind::kReduceScatter:
      return {slot / schedule.block() == static_cast<std::uint32_t>(rank) ? Demand::kSum : Demand::kNothing};
    case Kind::kAllGather: return {Demand::kCopy, static_cast<Position>(slot / schedule.block()), slot};
    case Kind::kBroadcast: return {Demand::kCopy, schedule.root, slot};
    case Kind::kReduce: return {rank == schedule.root ? Demand::kSum : Demand::kNothing};
    case Kind::kAllToAll: {
      const std::uint32_t block = schedule.block();
      return {Demand::kCopy, static_cast<Position>(slot / block),
              static_cast<std::uint32_t>(rank) * block + slot % block};
    }
  }
  return {};
}

std::string place_of(const Schedule& schedule, std::uint64_t round) {
  for (std::size_t f = 0; f < schedule.phases.size(); ++f) {
    const Phase& phase = schedule.phases[f];
    if (round < phase.repeat) return fmt::format("phase {} '{}', round {}", f, phase.name, round);
    round -= phase.repeat;
  }
  return "after the last phase";
}

std::string describe_race(const Schedule& schedule, std::uint64_t round, Position rank, Buffer buffer,
                          std::uint32_t slot) {
  return fmt::format("{}: {} slot {} of rank {} is stored to and written by another move in the same round",
                     place_of(schedule, round), name_of(buffer), slot, rank);
}

std::string describe_result(const Schedule& schedule, Position rank, std::uint32_t slot, std::uint64_t written,
                            const std::string& difference) {
  return fmt::format("{} slot {} of rank {} {} ({})", name_of(schedule.result), slot, rank, difference,
                     written == 0 ? "never written" : "last written in " + place_of(schedule, written - 1));
}

}  // namespace helio::schedule
