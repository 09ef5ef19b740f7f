// SPDX-License-Identifier: Apache-2.0
// What holds for every algorithm of the catalogue.
#include "schedule/algorithm.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "schedule/cases.h"
#include "source_dir.h"

namespace helio::schedule {
namespace {

TEST(Algorithm, EveryCaseIsProvenByEveryMethod) {
  for_every_case(two_to_forty_and_some(), [](const Schedule& schedule) {
    EXPECT_NO_THROW(check(schedule));
    for (const VerifyMethod method : applicable_methods(schedule)) {
      const Verification result = verify(schedule, {.method = method});
      EXPECT_TRUE(result.verified) << describe(schedule) << ": " << result.method << ": " << result.failure;
    }
  });
}

TEST(Algorithm, EveryCaseComputesItsCollectiveOnRealNumbers) {
  // Three elements more than slots leave slots of unequal length; all-to-all takes whole blocks.
  for_every_case(two_to_forty_and_some(), [](const Schedule& schedule) {
    const std::size_t elements = schedule.kind == Kind::kAllToAll ? 2 * schedule.chunks : schedule.chunks + 3;
    EXPECT_TRUE(executes_correctly(schedule, elements, 1)) << describe(schedule);
  });
}

TEST(Algorithm, EveryClaimedSymmetryIsTrue) {
  for_every_case({2, 3, 4, 7, 8, 12, 16}, [](const Schedule& schedule) {
    if (schedule.symmetry == Symmetry::kNone || !keeps_slots(schedule)) return;
    EXPECT_EQ(symmetry_fault(schedule), "") << describe(schedule);
  });
}

TEST(Algorithm, ARankAloneHasNothingToDo) {
  for (const AlgorithmEntry& entry : algorithms().entries())
    for (const Kind kind : entry.factory.kinds) {
      const Schedule schedule = build(entry.description.name, request_on_all(kind, Bytes{8}, 1), {});
      EXPECT_EQ(rounds(schedule), 0u);
      EXPECT_NO_THROW(check(schedule));
      EXPECT_TRUE(verify(schedule).verified);
    }
}

TEST(Algorithm, AKindThatIsMissingIsInfeasibleAndNamesThoseThatHaveIt) {
  try {
    build("ring", request_on_all(Kind::kAllToAll, Bytes{8}, 4), {}, {}, "a.toml:3:1");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_EQ(error.place(), "a.toml:3:1");
    EXPECT_NE(error.advice().find("direct"), std::string::npos) << error.advice();
  }
}

TEST(Algorithm, AnUnknownNameOrParameterIsRefusedEvenForOneRank) {
  const CollectiveRequest request = request_on_all(Kind::kAllReduce, Bytes{8}, 1);
  EXPECT_THROW(build("rign", request, {}), Error);
  EXPECT_THROW(build("ring", request, {}, {{"chnks", {"4", "--set algorithm.chnks"}}}), Error);
}

// docs/schedule.md has a table of kinds and algorithms; its rows are exactly the catalogue.
TEST(Algorithm, TheTableInTheDocumentsIsTheCatalogue) {
  std::string expected = "| algorithm |";
  for (const Kind kind : kAllKinds) expected += fmt::format(" {} |", name_of(kind));
  std::vector<std::string> rows;
  for (const AlgorithmEntry& entry : algorithms().entries()) {
    const std::vector<Kind>& kinds = entry.factory.kinds;
    std::string row = fmt::format("| `{}` |", entry.description.name);
    for (const Kind kind : kAllKinds)
      row += std::find(kinds.begin(), kinds.end(), kind) != kinds.end() ? " yes |" : " — |";
    rows.push_back(row);
  }

  const auto page = std::filesystem::path(HELIO_SOURCE_DIR) / "docs" / "schedule.md";
  std::ifstream file(page);
  ASSERT_TRUE(file) << page;
  std::string line;
  while (std::getline(file, line) && line != expected) {
  }
  EXPECT_EQ(line, expected);
  std::getline(file, line);  // the rule under the header
  std::vector<std::string> written;
  while (std::getline(file, line) && line.starts_with("|")) written.push_back(line);
  EXPECT_EQ(written, rows);
}

}  // namespace
}  // namespace helio::schedule
