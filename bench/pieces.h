// SPDX-License-Identifier: Apache-2.0
// The pieces of answering one question, each timed alone: a collective on a fabric.
//
//     build ─▶ verify ─▶ lower ─▶ simulate        (lower: make the fabric, install, lower, check the program)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/catalogue.h"
#include "flow/program.h"
#include "schedule/schedule.h"
#include "schedule/verify.h"

namespace helio::bench {

struct Question {
  std::string fabric, algorithm;
  std::uint32_t nodes = 2;
  schedule::Order order = schedule::Order::kStep;
  bool jump = true;
  schedule::VerifyMethod method = schedule::VerifyMethod::kChoose;
  double bytes = 100e6;
  Settings settings = {};  // of the fabric, besides `nodes`
  schedule::Kind kind = schedule::Kind::kAllReduce;
  bool condense = false;  // as LowerOptions
};

enum class Piece { kBuild, kVerify, kLower, kSimulate };

inline constexpr Piece kAllPieces[] = {Piece::kBuild, Piece::kVerify, Piece::kLower, Piece::kSimulate};

std::string_view name_of(Piece piece);

// A question with what its pieces start from.
class Workbench {
 public:
  // Throws Error when the fabric does not carry the algorithm.
  explicit Workbench(Question question);

  // Least processor time of the piece. Throws std::logic_error when a proof was not made.
  double seconds(Piece piece) const;
  const flow::Program& program() const { return program_; }

 private:
  schedule::Schedule built() const;
  flow::Program lowered() const;
  Question question_;
  schedule::Schedule schedule_;
  flow::Program program_;
};

}  // namespace helio::bench
