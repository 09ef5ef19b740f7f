// SPDX-License-Identifier: Apache-2.0
#include "train/data/examples.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"

namespace helio::train {
namespace {

std::string written(const std::string& name, const std::string& bytes) {
  const std::string path = testing::TempDir() + "helio_examples_" + name;
  write_file(path, bytes, "");
  return path;
}

// Three records with this many label bytes, all labels 1, and pixels that differ.
std::string records(int label_bytes) {
  std::string bytes;
  for (int i = 0; i < 3; ++i) {
    bytes += std::string(static_cast<std::size_t>(label_bytes), '\x01');
    for (int p = 0; p < 3072; ++p) bytes += static_cast<char>(p * 7 % 256);
  }
  return bytes;
}

TEST(Examples, EveryFormatIsMade) {
  DataSpec spec;
  spec.made_images = 40;
  EXPECT_EQ(make_examples(spec, at::kCPU, at::kFloat)->size(), 40);
  EXPECT_EQ(make_examples(spec, at::kCPU, at::kFloat)->held_out(), 10);
  EXPECT_EQ(make_examples(spec, at::kCPU, at::kFloat)->classes(), 10);

  spec.format = "cifar10";
  spec.train = {written("10a.bin", records(1)), written("10b.bin", records(1))};
  spec.test = {written("10c.bin", records(1))};
  EXPECT_EQ(make_examples(spec, at::kCPU, at::kFloat)->size(), 6);
  EXPECT_EQ(make_examples(spec, at::kCPU, at::kFloat)->held_out(), 3);
  EXPECT_EQ(make_examples(spec, at::kCPU, at::kFloat)->classes(), 10);

  spec.format = "cifar100";
  spec.train = spec.test = {written("100.bin", records(2))};
  EXPECT_EQ(make_examples(spec, at::kCPU, at::kFloat)->classes(), 100);

  // 20 tokens 0x6161 and one 0x6162 = 24,930, the largest, in the test file: a vocabulary of 24,931.
  spec.format = "tokens";
  spec.context = 4;
  spec.train = {written("a.u16", std::string(40, 'a'))};
  spec.test = {written("b.u16", std::string(40, 'a') + "ba")};
  EXPECT_EQ(make_examples(spec, at::kCPU, at::kFloat)->classes(), 24930 + 1);
  spec.vocabulary = 30000;
  EXPECT_EQ(make_examples(spec, at::kCPU, at::kFloat)->classes(), 30000);
  EXPECT_EQ(make_examples(spec, at::kCPU, at::kFloat)->batch(0, 2).inputs.size(1), 4);
}

void refused(const DataSpec& spec, const std::string& why) {
  try {
    make_examples(spec, at::kCPU, at::kFloat);
    ADD_FAILURE() << why;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput) << why;
    EXPECT_NE((error.message() + error.place() + error.advice()).find(why), std::string::npos) << error.message();
  }
}

TEST(Examples, BadSpecsAreRefused) {
  DataSpec spec;
  spec.format = "cifar";
  refused(spec, "cifar10");
  spec.format = "cifar10";
  refused(spec, "files to test on");
  spec.train = spec.test = {written("other.bin", records(2))};
  refused(spec, "CIFAR-100");
  spec.format = "made";
  refused(spec, "drawn, not read");
  spec = DataSpec{};
  spec.vocabulary = 100;
  refused(spec, "no vocabulary");
  spec.format = "tokens";
  spec.train = spec.test = {written("c.u16", std::string(40, 'a'))};
  refused(spec, "token number 0 is 24929");
  spec.vocabulary = 65537;
  refused(spec, "65536");
  spec.vocabulary = 0;
  refused(spec, "a context of 256 needs 257");
}

}  // namespace
}  // namespace helio::train
