// SPDX-License-Identifier: Apache-2.0
#include "train/data/cifar.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"

namespace helio::train {
namespace {

// A record whose pixel i is (first + i) mod 251, which no plane or row repeats in step.
std::string record(const std::string& labels, int first) {
  std::string bytes = labels;
  for (int i = 0; i < kPixels; ++i) bytes += static_cast<char>((first + i) % 251);
  return bytes;
}

std::string written(const std::string& name, const std::string& bytes) {
  const std::string path = testing::TempDir() + "helio_cifar_" + name;
  write_file(path, bytes, "");
  return path;
}

TEST(Cifar, ReadsTheRecordsOfAllFilesInOrder) {
  const std::string a = written("a.bin", record("\x03", 0) + record("\x09", 5)),
                    b = written("b.bin", record(std::string(1, '\0'), 7));
  const LabelledImages images = read_cifar(CifarLayout::kTen, {a, b});
  EXPECT_EQ(images.classes, 10);
  EXPECT_EQ(images.count(), 3);
  EXPECT_EQ(images.labels, (std::vector<std::uint8_t>{3, 9, 0}));
  ASSERT_EQ(images.pixels.size(), 3u * kPixels);
  EXPECT_EQ(images.pixels[0], 0);
  EXPECT_EQ(images.pixels[kPixels - 1], 3071 % 251);
  EXPECT_EQ(images.pixels[kPixels], 5);
  EXPECT_EQ(images.pixels[2 * kPixels + 1024], (7 + 1024) % 251);
}

// Coarse 19 and fine 99 are the last legal labels; the fine one is the class.
TEST(Cifar, TheFineLabelIsTheClass) {
  const LabelledImages images =
      read_cifar(CifarLayout::kHundred, {written("c.bin", record("\x13\x63", 0) + record("\x01\x02", 5))});
  EXPECT_EQ(images.classes, 100);
  EXPECT_EQ(images.labels, (std::vector<std::uint8_t>{99, 2}));
  EXPECT_EQ(images.pixels[kPixels], 5);
}

Error refusal(CifarLayout layout, const std::vector<std::string>& files) {
  try {
    read_cifar(layout, files);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error;
  }
  ADD_FAILURE() << "nothing was refused";
  return Error(ErrorKind::kUsage, "");
}

TEST(Cifar, SizesThatDoNotFitAreRefused) {
  const std::string good = written("good.bin", record("\x01", 0));
  // One record and 100 bytes of the next.
  const std::string cut = written("cut.bin", (record("\x01", 0) + record("\x01", 0)).substr(0, 3173));
  const Error truncated = refusal(CifarLayout::kTen, {good, cut});
  EXPECT_EQ(truncated.place(), cut);
  EXPECT_NE(truncated.message().find("3173 bytes are 1 CIFAR-10 records of 3073 bytes and 100 bytes more"),
            std::string::npos)
      << truncated.message();
  EXPECT_NE(refusal(CifarLayout::kTen, {written("empty.bin", "")}).message().find("empty"), std::string::npos);
  // A file of the other kind says so.
  EXPECT_NE(refusal(CifarLayout::kHundred, {good}).advice().find("CIFAR-10"), std::string::npos);
  EXPECT_NE(refusal(CifarLayout::kTen, {written("h.bin", record("\x01\x01", 0))}).advice().find("CIFAR-100"),
            std::string::npos);
  const std::string none = testing::TempDir() + "helio_cifar_none.bin";
  EXPECT_NE(refusal(CifarLayout::kTen, {none}).message().find(none), std::string::npos);
}

TEST(Cifar, LabelsOutOfRangeAreRefusedWithTheirRecord) {
  const std::string ten = written("l10.bin", record("\x09", 0) + record("\x0a", 0));
  EXPECT_EQ(refusal(CifarLayout::kTen, {ten}).place(), ten);
  EXPECT_NE(refusal(CifarLayout::kTen, {ten}).message().find("record 1 has the label 10"), std::string::npos);
  const std::string coarse = written("l20.bin", record("\x14\x01", 0)),
                    fine = written("l100.bin", record("\x13\x64", 0));
  EXPECT_NE(refusal(CifarLayout::kHundred, {coarse}).message().find("record 0 has the coarse label 20"),
            std::string::npos);
  EXPECT_NE(refusal(CifarLayout::kHundred, {fine}).message().find("record 0 has the fine label 100"),
            std::string::npos);
}

}  // namespace
}  // namespace helio::train
