// SPDX-License-Identifier: Apache-2.0
#include "train/checkpoint.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "train/safe_file.h"

namespace helio::train {
namespace {

std::string file(const std::string& name) { return testing::TempDir() + "helio_checkpoint_" + name; }

std::string complaint(const std::string& path) {
  try {
    load_checkpoint(path, "--resume");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), "--resume");
    return error.message();
  }
  return "";
}

Checkpoint sample() {
  Checkpoint checkpoint;
  checkpoint.about = {{"layers", {2, 4}}};
  checkpoint.numbers = {{"epoch", 7}};
  checkpoint.tensors["a"] = at::arange(6, at::kFloat).view({2, 3}) / 7;
  checkpoint.tensors["b"] = at::arange(3, at::kLong);
  return checkpoint;
}

TEST(Checkpoint, ComesBackBitByBit) {
  const Checkpoint kept = sample();
  save(kept, file("back"), "--checkpoint");
  const Checkpoint found = load_checkpoint(file("back"), "--resume");
  EXPECT_EQ(found.about, kept.about);
  EXPECT_EQ(found.numbers, kept.numbers);
  EXPECT_TRUE(at::equal(found.tensors.at("a"), kept.tensors.at("a")));
  EXPECT_TRUE(at::equal(found.tensors.at("b"), kept.tensors.at("b")));
}

// A kill while writing leaves a file beside, never half a checkpoint.
TEST(Checkpoint, NothingIsLeftBeside) {
  save(sample(), file("beside"), "--checkpoint");
  EXPECT_THROW(read_bytes(file("beside") + ".part", ""), Error);
}

TEST(Checkpoint, OtherFilesAreRefused) {
  EXPECT_NE(complaint(file("missing")).find("cannot be read"), std::string::npos);
  replace_file(file("text"), "hello", "");
  EXPECT_NE(complaint(file("text")).find("no checkpoint"), std::string::npos);

  save(sample(), file("cut"), "--checkpoint");
  const std::string whole = read_bytes(file("cut"), "");
  replace_file(file("cut"), whole.substr(0, whole.size() - 1), "");
  EXPECT_NE(complaint(file("cut")).find("cut short"), std::string::npos);
  replace_file(file("cut"), whole + "x", "");
  EXPECT_NE(complaint(file("cut")).find("more data"), std::string::npos);
  replace_file(file("cut"), whole.substr(0, 20), "");
  EXPECT_NE(complaint(file("cut")).find("within its first line"), std::string::npos);
}

// One bit of a number, of the header or of the checksum itself: each is noticed, and the file is named.
TEST(Checkpoint, ADamagedFileIsRefused) {
  save(sample(), file("damaged"), "--checkpoint");
  const std::string whole = read_bytes(file("damaged"), "");
  const std::size_t first_line = whole.find('\n');
  for (const std::size_t at : {whole.size() - 1, first_line + 10, first_line - 1}) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    replace_file(file("damaged"), damaged, "");
    EXPECT_NE(complaint(file("damaged")).find("'" + file("damaged") + "' is damaged"), std::string::npos) << at;
  }
}

// The format before this one had no checksum.
TEST(Checkpoint, AnOlderFormatIsRefusedWithTheReason) {
  replace_file(file("old"), "helio-checkpoint 1\n{\"about\":{},\"numbers\":{},\"tensors\":[]}\n", "");
  const std::string said = complaint(file("old"));
  EXPECT_NE(said.find("format 1"), std::string::npos) << said;
  EXPECT_NE(said.find("checksum"), std::string::npos) << said;
}

// The advice names the option that was given.
TEST(Checkpoint, TheOptionThatAskedIsTheOneBlamed) {
  replace_file(file("blamed"), "hello", "");
  try {
    load_checkpoint(file("blamed"), "--go-on");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), "--go-on");
    EXPECT_NE(error.advice().find("without --go-on"), std::string::npos) << error.advice();
  }
}

TEST(Checkpoint, AnotherShapeIsNamed) {
  const Checkpoint checkpoint = sample();
  EXPECT_TRUE(tensor_of(checkpoint, "a", {2, 3}, "file", "--resume").defined());
  try {
    tensor_of(checkpoint, "a", {3, 2}, "file", "--resume");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE(error.message().find("(2, 3) where (3, 2)"), std::string::npos);
  }
}

}  // namespace
}  // namespace helio::train
