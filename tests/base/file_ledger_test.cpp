// SPDX-License-Identifier: Apache-2.0
#include "base/file_ledger.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/scratch.h"

namespace helio {
namespace {

namespace fs = std::filesystem;
constexpr ErrorKind kUsage = ErrorKind::kUsage;

class Ledger : public Scratch {
 protected:
  // A file with four names more, and one that is not there.
  Ledger() {
    put("file", "old");
    fs::create_symlink("file", folder_ / "link");
    fs::create_hard_link(path("file"), path("hard"));
    fs::create_directory(folder_ / "sub");
    fs::create_directory_symlink(".", folder_ / "here");
    fs::create_symlink("none", folder_ / "dangling");
  }
  const std::vector<std::string> names_ = {path("file"), path("link"), path("hard"), path("sub/../file"),
                                           path("here/link")};
};

TEST_F(Ledger, KnowsAFileByAllItsNames) {
  for (const std::string& a : names_)
    for (const std::string& b : names_) EXPECT_TRUE(same_file(a, b)) << a << " " << b;
  EXPECT_TRUE(same_file(path("none"), path("dangling")));
  EXPECT_TRUE(same_file(path("none"), path("here/./none")));
  EXPECT_TRUE(same_file(path("sub"), path("sub/")));
  EXPECT_FALSE(same_file(path("none"), path("file")));
  EXPECT_FALSE(same_file(path("none"), path("sub/none")));
  EXPECT_FALSE(same_file("/dev/null", "/dev/null")) << "it can be read and written at once";
}

// In both orders, by every name, and nothing is written.
TEST_F(Ledger, WhatIsReadIsNotReplaced) {
  for (const std::string& name : names_) {
    {
      const FileLedger ledger;
      declare_output(path("file"), "--out");
      const std::string refused = refusal_of([&] { read_bytes(name, "--in"); }, kUsage);
      EXPECT_EQ(refused, "--out: --out would replace '" + name + "', which --in reads");
    }
    const FileLedger ledger;
    read_bytes(path("file"), "");
    const std::string refused = refusal_of([&] { declare_output(name, "--out"); }, kUsage);
    EXPECT_EQ(refused, "--out: --out would replace '" + path("file") + "', which this command reads");
  }
  EXPECT_EQ(content("file"), "old");
}

TEST_F(Ledger, OutputsAreFilesOfTheirOwn) {
  const FileLedger ledger;
  declare_output(path("file"), "--a");
  declare_output(path("none"), "--b", OutputUse::kUpdated);
  for (const std::string& name : names_)
    EXPECT_NE(refusal_of([&] { declare_output(name, "--c"); }, kUsage).find("--a and --c name one file"),
              std::string::npos);
  EXPECT_NE(refusal_of([&] { declare_output(path("dangling"), "--c"); }, kUsage).find("--b and --c"),
            std::string::npos);
}

TEST_F(Ledger, WhatIsUpdatedMayBeRead) {
  const FileLedger ledger;
  declare_output(path("file"), "--checkpoint", OutputUse::kUpdated);
  EXPECT_EQ(read_bytes(path("file"), "--resume"), "old");
  write_file(path("file"), "new", "--checkpoint");
  EXPECT_EQ(read_bytes(path("file"), "--resume"), "new");
  write_file(path("file"), "newer", "--checkpoint");
}

// What this run wrote it may read, and write again.
TEST_F(Ledger, WhatIsOursMayBeRead) {
  const FileLedger ledger;
  declare_output(path("link"), "--out");
  write_file(path("link"), "new", "--out");
  EXPECT_EQ(read_bytes(path("file"), ""), "new");
  write_file(path("link"), "newer", "--out");
}

TEST_F(Ledger, EveryOutputIsDeclared) {
  const FileLedger ledger;
  EXPECT_THROW(write_file(path("none"), "x", "--out"), std::logic_error);
  declare_output(path("sub"), "--report", OutputUse::kFolder);
  write_file(path("sub/one"), "x", "--report");
  EXPECT_THROW(write_file(path("sub/one"), "x", "--trace"), std::logic_error);
  EXPECT_THROW(write_file(path("one"), "x", "--report"), std::logic_error);
  // A file in the folder that another option names is that option's.
  declare_output(path("sub/two"), "--trace");
  EXPECT_NE(refusal_of([&] { write_file(path("sub/two"), "x", "--report"); }, kUsage), "none");
  // And one that was read stays.
  put("sub/three", "old");
  read_bytes(path("sub/three"), "--in");
  EXPECT_NE(refusal_of([&] { write_file(path("sub/three"), "x", "--report"); }, kUsage), "none");
  EXPECT_EQ(content("sub/three"), "old");
  EXPECT_FALSE(fs::exists(path("none")));
}

TEST_F(Ledger, WithoutOneNothingIsAsked) {
  declare_output(path("file"), "--out");
  read_bytes(path("file"), "");
  write_file(path("file"), "new", "--out");
  EXPECT_EQ(content("file"), "new");
}

}  // namespace
}  // namespace helio
