// SPDX-License-Identifier: Apache-2.0
#include "execute/agreement.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <vector>

#include "base/mix.h"

namespace helio::execute {
namespace {

constexpr std::uint64_t kAtOnce = 1 << 30;  // bytes that one broadcast of MPI counts

std::string broadcast_from(MPI_Comm world, int root, std::string text) {
  std::uint64_t size = text.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, root, world);
  text.resize(size);
  for (std::uint64_t at = 0; at < size; at += kAtOnce)
    MPI_Bcast(text.data() + at, static_cast<int>(std::min(kAtOnce, size - at)), MPI_BYTE, root, world);
  return text;
}

}  // namespace

int rank_in(MPI_Comm world) {
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  return rank;
}

int size_of(MPI_Comm world) {
  int size = 1;
  MPI_Comm_size(world, &size);
  return size;
}

std::optional<Failure> first_failure(MPI_Comm world, const std::optional<Failure>& mine) {
  int first = mine ? rank_in(world) : INT_MAX;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, world);
  if (first == INT_MAX) return std::nullopt;
  Failure failure = rank_in(world) == first ? *mine : Failure();
  MPI_Bcast(&failure.code, 1, MPI_INT, first, world);
  failure.words = broadcast_from(world, first, std::move(failure.words));
  return failure;
}

std::optional<int> first_other(MPI_Comm world, std::string_view text) {
  std::uint64_t mine = text.size();
  for (const char c : text) mine = mixed(mine ^ static_cast<unsigned char>(c));
  std::vector<std::uint64_t> all(static_cast<std::size_t>(size_of(world)));
  MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, world);
  const auto other = std::ranges::find_if(all, [&](std::uint64_t one) { return one != all.front(); });
  if (other == all.end()) return std::nullopt;
  return static_cast<int>(other - all.begin());
}

std::string broadcast(MPI_Comm world, std::string text) { return broadcast_from(world, 0, std::move(text)); }

}  // namespace helio::execute
