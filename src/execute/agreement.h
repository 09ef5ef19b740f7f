// SPDX-License-Identifier: Apache-2.0
// What ranks must agree on before they send each other anything: that nobody has failed, and that all were asked the same.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>

namespace helio::execute {

int rank_in(MPI_Comm world);
int size_of(MPI_Comm world);

// Why a rank cannot go on: what it would say, and its exit code.
struct Failure {
  int code = 0;
  std::string words;
};

// Of the lowest rank that has one; all are told the same.
std::optional<Failure> first_failure(MPI_Comm world, const std::optional<Failure>& mine);

// The first rank whose text is not that of rank 0; none: all have the same.
std::optional<int> first_other(MPI_Comm world, std::string_view text);

// The text of rank 0, in every rank.
std::string broadcast(MPI_Comm world, std::string text);

}  // namespace helio::execute
