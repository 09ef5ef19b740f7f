// SPDX-License-Identifier: Apache-2.0
#include "train/checkpoint.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "base/error.h"
#include "base/file.h"

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

TEST(Checkpoint, OtherFilesAreRefused) {
  EXPECT_NE(complaint(file("missing")).find("cannot read"), std::string::npos);
  write_file(file("text"), "hello", "");
  EXPECT_NE(complaint(file("text")).find("no checkpoint"), std::string::npos);

  save(sample(), file("cut"), "--checkpoint");
  const std::string whole = read_bytes(file("cut"), "");
  write_file(file("cut"), whole.substr(0, whole.size() - 1), "");
  EXPECT_NE(complaint(file("cut")).find("cut short"), std::string::npos);
  write_file(file("cut"), whole + "x", "");
  EXPECT_NE(complaint(file("cut")).find("more data"), std::string::npos);
  write_file(file("cut"), whole.substr(0, 20), "");
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
    write_file(file("damaged"), damaged, "");
    EXPECT_NE(complaint(file("damaged")).find("'" + file("damaged") + "' is damaged"), std::string::npos) << at;
  }
}

// The format before this one had no checksum.
TEST(Checkpoint, AnOlderFormatIsRefusedWithTheReason) {
  write_file(file("old"), "helio-checkpoint 1\n{\"about\":{},\"numbers\":{},\"tensors\":[]}\n", "");
  const std::string said = complaint(file("old"));
  EXPECT_NE(said.find("format 1"), std::string::npos) << said;
  EXPECT_NE(said.find("checksum"), std::string::npos) << said;
}

// The advice names the option that was given.
TEST(Checkpoint, TheOptionThatAskedIsTheOneBlamed) {
  write_file(file("blamed"), "hello", "");
  try {
    load_checkpoint(file("blamed"), "--go-on");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), "--go-on");
    EXPECT_NE(error.advice().find("without --go-on"), std::string::npos) << error.advice();
  }
}

// `content` with a first line that fits it: what somebody may have written on purpose.
std::string complaint_about(const std::string& content) {
  write_file(file("made"), checkpoint_first_line(content) + content, "");
  return complaint(file("made"));
}

std::string header(const std::string& tensors, const std::string& numbers = "{}") {
  return R"({"about": {}, "numbers": )" + numbers + R"(, "tensors": [)" + tensors + "]}\n";
}

std::string of_shape(const std::string& shape, const std::string& type = "float") {
  return R"({"name": "a", "type": ")" + type + R"(", "shape": )" + shape + "}";
}

// The checksum guards against accidents only: what the header says must hold against the file before anything is allocated.
TEST(Checkpoint, WhatTheHeaderSaysMustFitTheFile) {
  const std::string eight(8, '\0');
  EXPECT_EQ(complaint_about(header(of_shape("[2]")) + eight), "");
  EXPECT_EQ(complaint_about(header(of_shape("[]")) + eight.substr(4)), "");  // one number
  EXPECT_EQ(complaint_about(header(of_shape("[0, 7]"))), "");
  for (const char* shape : {"[-1]", "[-2, -1]", "[2, 4611686018427387904]", "[4294967296, 4294967296]",
                            "[0, 9223372036854775807, 9223372036854775807]", "[9223372036854775808]", "[2.0]", "[null]",
                            "[\"2\"]", "null", "2", "{}", "[[2]]", "[3]", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]"})
    EXPECT_NE(complaint_about(header(of_shape(shape)) + eight).find("its header: tensors[0]"), std::string::npos)
        << shape << ": " << complaint_about(header(of_shape(shape)) + eight);
  EXPECT_NE(complaint_about(header(of_shape("[1]")) + eight).find("more data"), std::string::npos);
  EXPECT_NE(complaint_about(header(of_shape("[2]", "long")) + eight).find("cut short"), std::string::npos);
  EXPECT_NE(complaint_about(header(of_shape("[2]", "half")) + eight).find("unknown type"), std::string::npos);
  EXPECT_NE(complaint_about(header(of_shape("[1]") + "," + of_shape("[1]")) + eight).find("its name"),
            std::string::npos);
}

TEST(Checkpoint, HeadersThatAreNoneAreRefused) {
  for (const std::string content :
       {"null\n", "[]\n", "{}\n", "\n", "", "{\"about\": {}", R"({"about": {}, "numbers": {}})",
        R"({"about": null, "numbers": {}, "tensors": []})", R"({"about": {}, "numbers": null, "tensors": []})",
        R"({"about": {}, "numbers": {}, "tensors": null})", R"({"about": {}, "numbers": {}, "tensors": [null]})",
        R"({"about": {}, "about": {}, "numbers": {}, "tensors": []})"})
    for (const std::string end : {"", "\n"}) EXPECT_NE(complaint_about(content + end), "") << content;
  for (const std::string& deep : {std::string(100'000, '['), "{\"about\": " + std::string(100'000, '[')})
    EXPECT_NE(complaint_about(deep + "\n").find("nested more than"), std::string::npos);
}

TEST(Checkpoint, NumbersAreWhatTheyShouldBe) {
  const auto said = [](const std::string& numbers) -> std::string {
    const std::string content = header("", numbers);
    write_file(file("numbers"), checkpoint_first_line(content) + content, "");
    try {
      const Checkpoint found = load_checkpoint(file("numbers"), "--resume");
      whole_number_of(found, "step", 7, file("numbers"), "--resume");
      number_of(found, "loss", file("numbers"), "--resume");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.place(), "--resume");
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(said(R"({"step": 7, "loss": 0.5})"), "");
  for (const char* step : {"-1", "8", "null", "1.5", "18446744073709551615", "\"1\"", "[]"})
    EXPECT_NE(said(std::string(R"({"loss": 1, "step": )") + step + "}").find("its numbers: step"), std::string::npos)
        << step;
  EXPECT_NE(said(R"({"step": 1, "loss": null})").find("its numbers: loss"), std::string::npos);
  EXPECT_NE(said(R"({"step": 1})").find("'loss' is missing"), std::string::npos);
}

// A file with any byte changed and its checksum made to fit is read or refused, never anything else.
RC_GTEST_PROP(Checkpoint, MutatedFilesAreReadOrRefused, ()) {
  save(sample(), file("mutated"), "--checkpoint");
  const std::string whole = read_bytes(file("mutated"), "");
  std::string content = whole.substr(whole.find('\n') + 1);
  const auto edits = *rc::gen::inRange(1, 4);
  for (int i = 0; i < edits; ++i) {
    const auto at = static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(content.find('\n') + 3)));
    const auto part = *rc::gen::element<std::string>("-", "9", "99999999", "null", "[", "]", "{", "}", "\"", ",", ":",
                                                     "e400", "\\", "\n", "\xff", "[[[[[[[[[[", "\"shape\":[-1]");
    if (*rc::gen::arbitrary<bool>())
      content.insert(std::min(at, content.size()), part);
    else
      content.replace(std::min(at, content.size() - 1), 1, part);
  }
  complaint_about(content);
}

TEST(Checkpoint, AnotherTypeIsNamed) {
  try {
    tensor_of(sample(), "b", {3}, at::kFloat, "file", "--resume");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("b is long, not float"), std::string::npos) << error.message();
  }
}

TEST(Checkpoint, AnotherShapeIsNamed) {
  const Checkpoint checkpoint = sample();
  EXPECT_TRUE(tensor_of(checkpoint, "a", {2, 3}, at::kFloat, "file", "--resume").defined());
  try {
    tensor_of(checkpoint, "a", {3, 2}, at::kFloat, "file", "--resume");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE(error.message().find("(2, 3) where (3, 2)"), std::string::npos);
  }
}

}  // namespace
}  // namespace helio::train
