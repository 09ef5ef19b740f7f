// SPDX-License-Identifier: Apache-2.0
// Strong identifiers: an index that cannot be mistaken for another kind of index.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace helio {

template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t value = kNone;

  constexpr bool valid() const { return value != kNone; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using NodeId = Id<struct NodeTag>;  // an endpoint of a fabric

}  // namespace helio

template <class Tag>
struct std::hash<helio::Id<Tag>> {
  std::size_t operator()(helio::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
