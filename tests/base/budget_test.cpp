// SPDX-License-Identifier: Apache-2.0
#include "base/budget.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <thread>

namespace helio {
namespace {

// Spends until it is told to stop; a loop that is never told ends after `most` steps.
bool stopped(std::int64_t most) {
  try {
    for (std::int64_t i = 0; i < most; ++i) Budget::spend();
  } catch (const BudgetSpent&) {
    return true;
  }
  return false;
}

TEST(Budget, WithoutOneNothingIsCounted) { EXPECT_FALSE(stopped(1'000'000)); }

TEST(Budget, EndsWorkThatTakesMore) {
  const Budget budget({.seconds = 1e-3});
  EXPECT_TRUE(stopped(std::int64_t{1} << 40));
  EXPECT_TRUE(stopped(2)) << "who goes on nevertheless is told again";
  Budget::renew();
  EXPECT_FALSE(stopped(1000)) << "another part has one of its own";
}

// Far less than a millisecond of steps is enough to be told.
TEST(Budget, HoweverShortItIsNoticed) {
  for (const double seconds : {1e-9, 1e-6, 1e-5}) {
    const Budget budget({.seconds = seconds});
    EXPECT_TRUE(stopped(90'000)) << seconds;
  }
}

TEST(Budget, TheInnerOneCountsAndTheOuterOneReturns) {
  const Budget outer({.seconds = 1e6, .bytes = 5});
  {
    const Budget inner({.seconds = 1e-3});
    EXPECT_TRUE(stopped(std::int64_t{1} << 40));
  }
  EXPECT_FALSE(stopped(1'000'000));
  EXPECT_EQ(Budget::limits().bytes, 5);
}

TEST(Budget, IsTheThreadsOwn) {
  const Budget budget({.seconds = 1e-3});
  bool other = true;
  std::thread([&] { other = stopped(1'000'000); }).join();
  EXPECT_FALSE(other);
}

std::optional<Error> refusal(const BudgetSpent& spent) {
  try {
    refuse(spent);
  } catch (const Error& error) {
    return error;
  }
}

// Done with a quarter after 10 s: 40 s in all; half as much again, in one digit, is what to allow.
TEST(Budget, ARefusalTellsTheEstimateAndWhatWouldDo) {
  const std::optional<Error> error = refusal({.limits = {.seconds = 10}, .known = "so far", .share = 0.25});
  EXPECT_EQ(error->kind(), ErrorKind::kInfeasible);
  EXPECT_EQ(error->message(), "this takes more than 10 s of processor time, the budget; so far; about 40 s in all");
  EXPECT_NE(error->advice().find("budget=60 s"), std::string::npos) << error->advice();
  const std::optional<Error> memory = refusal({.limits = {.seconds = 10, .bytes = 2e9},
                                               .memory = true,
                                               .needed = {.seconds = 1, .bytes = 8e9},
                                               .fits = "about 900 nodes"});
  EXPECT_EQ(memory->message(), "this needs more than 2 GB of memory, the budget; about 10 s and 8 GB in all");
  EXPECT_NE(memory->advice().find("budget=20 GB"), std::string::npos) << memory->advice();  // 12 GB, in one digit
  EXPECT_NE(memory->advice().find("about 900 nodes fit"), std::string::npos) << memory->advice();
}

TEST(Budget, WorkWithinOneReturnsOrIsRefused) {
  EXPECT_EQ(within_budget({.seconds = 60}, [] { return 7; }), 7);
  const auto endless = [] {
    for (;;) Budget::spend();
    return 0;
  };
  EXPECT_THROW(within_budget({.seconds = 1e-3}, endless), Error);
  EXPECT_THROW(within_budget({.seconds = 60, .bytes = 1e9}, []() -> int { throw std::bad_alloc(); }), Error);
}

TEST(Budget, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(parse_budget("60 s", "").seconds, 60);
  EXPECT_EQ(parse_budget("500ms", "").seconds, 0.5);
  EXPECT_EQ(parse_budget("8 GB", "").bytes, 8e9);
  const BudgetLimits both = parse_budget("60 s, 1 GiB", "");
  EXPECT_EQ(both.seconds, 60);
  EXPECT_EQ(both.bytes, 1024.0 * 1024 * 1024);
  for (const char* wrong : {"", "60", "0 s", "-1 s", "8 GB, 9 GB", "1 s, 2 s", "nonsense", "60 s,", "1 Gb/s"}) try {
      parse_budget(wrong, "--budget");
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage) << wrong;
      EXPECT_EQ(error.place(), "--budget") << wrong;
    }
}

TEST(Budget, AvailableMemoryIsSomeOfTheMachines) {
  const double all = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  EXPECT_GT(available_memory(), 0);
  EXPECT_LE(available_memory(), all);
}

}  // namespace
}  // namespace helio
