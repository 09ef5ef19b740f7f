// SPDX-License-Identifier: Apache-2.0
#include "ask/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ask/reference.h"
#include "ask/refusal.h"
#include "ask/reproduce.h"
#include "fabric/fabric.h"

namespace helio::ask {
namespace {

TEST(Catalogue, ListsWhatTheRoomsHave) {
  const std::vector<ListedRoom> all = rooms();
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].name, "fabrics");
  EXPECT_EQ(all[0].entries.size(), fabric::fabrics().entries().size());
  for (const ListedRoom& room : all)
    for (const Listed& entry : room.entries)
      EXPECT_NE(list(room.name).find("  " + entry.name + " "), std::string::npos) << entry.name;
  EXPECT_EQ(refusal([] { list("parts", {}, "here"); })->place(), "here");
  EXPECT_EQ(refusal([] { describe("rign", {}, "here"); })->place(), "here");
}

TEST(Reference, HasAPageForEachRoom) {
  std::vector<std::string> names;
  for (const ReferencePage& page : reference_pages()) names.push_back(page.name);
  for (const ListedRoom& room : rooms()) EXPECT_EQ(std::ranges::count(names, room.name), 1) << room.name;
}

TEST(Reproduce, IsTheStudyAndTellsHowFarItIs) {
  std::size_t told = 0;
  const auto found = reproduce("closed-forms", {.part = [&](std::size_t, std::size_t parts, std::string_view) {
                                 ++told;
                                 EXPECT_EQ(parts, 1u);
                               }});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rows.size(), studies::reproduce("closed-forms").rows.size());
  EXPECT_EQ(told, 2u);  // begins, ends
  EXPECT_EQ(refusal([] { reproduce("nothing"); })->kind(), ErrorKind::kInput);
}

}  // namespace
}  // namespace helio::ask
