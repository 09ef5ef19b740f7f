// SPDX-License-Identifier: Apache-2.0
// The one exception a user's mistake may raise: what is wrong, where, and what to do about it.
//
// Libraries throw it, only `apps/` catches it, prints one paragraph and returns `exit_code(kind)`.
// A programmer's mistake is an assert, never an Error; an expected "no" is a return value.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/advice.h"

namespace helio {

enum class ErrorKind {
  kUsage = 2,       // the command line is wrong
  kInput = 3,       // an input file or value is wrong
  kInfeasible = 4,  // what was asked for cannot be done
};

constexpr int exit_code(ErrorKind kind) { return static_cast<int>(kind); }

class Error : public std::runtime_error {
 public:
  // `place` is where the user said it: an option, or file:line:column; `advice` says what would work. Either may be empty.
  Error(ErrorKind kind, std::string what, std::string place = {}, Advice advice = {});

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::string& place() const { return place_; }
  const Advice& advice() const { return advice_; }
  // The same mistake seen from a caller who knows where it stands; an inner place is kept.
  Error at(std::string place) const;

 private:
  ErrorKind kind_;
  std::string message_, place_;
  Advice advice_;
};

// Infeasible only because the caller set a limit to the work: the same question without the limit may have an answer.
class WorkLimitError : public Error {
 public:
  explicit WorkLimitError(std::string what) : Error(ErrorKind::kInfeasible, std::move(what)) {}
};

// The legal name nearest to `name` by edit distance, or "" when none is close enough to be meant.
std::string nearest_name(std::string_view name, const std::vector<std::string>& legal);

// "unknown fabric 'rign'" with the nearest legal name, or all of them, as advice.
Error unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& legal,
                   std::string place = {});

}  // namespace helio
