// SPDX-License-Identifier: Apache-2.0
#include "workload/toml_reader.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "workload/refusing.h"

namespace helio::workload {
namespace {

TEST(TomlReader, ReadsWhatIsThereAndWithinBounds) {
  const toml::table table = toml::parse("a = 3\nb = 2.5\nc = true\nd = \"two\"\ne = \"1 kB\"\nf = { g = 1 }\n");
  const TomlReader reader(table, "t.toml", "thing", {"a", "b", "c", "d", "e", "f", "z"});
  EXPECT_EQ(reader.whole("a", 0, 3), 3u);
  EXPECT_EQ(reader.number("a", 9), 3);
  EXPECT_EQ(reader.number("b", 9), 2.5);
  EXPECT_EQ(reader.truth("c"), true);
  EXPECT_EQ(reader.text("d"), "two");
  EXPECT_EQ(reader.choice("d", {"one", "two"}), 1u);
  EXPECT_EQ(reader.bytes("e", 1e6), 1000);
  EXPECT_EQ(reader.bytes("b", 1e6), 2.5);
  EXPECT_NE(reader.table("f"), nullptr);
  EXPECT_EQ(reader.whole("z", 0, 3), std::nullopt);
  EXPECT_EQ(reader.table("z"), nullptr);
  EXPECT_EQ(reader.place("b"), "t.toml:2:5");
  expect_refused({"bounds", "t.toml:1:5", "out of bounds"}, [&] { reader.whole("a", 0, 2); });
  expect_refused({"bounds", "t.toml:5:5", "out of bounds"}, [&] { reader.bytes("e", 999); });
  expect_refused({"missing", "t.toml:1:1", "the thing has no 'z'"}, [&] { reader.required("z", reader.text("z")); });
}

// A key that the reader does not know is the user's mistake; one that it never declared is ours.
TEST(TomlReader, KnowsItsKeys) {
  const toml::table table = toml::parse("\nlayr = 3\n");
  expect_refused({"a key", "t.toml:2:1", "did you mean 'layer'"},
                 [&] { TomlReader(table, "t.toml", "thing", {"layer"}); });
  EXPECT_THROW(TomlReader(table, "t.toml", "thing", {"layr"}).whole("other", 0, 1), std::logic_error);
}

}  // namespace
}  // namespace helio::workload
