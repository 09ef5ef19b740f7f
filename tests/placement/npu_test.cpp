// SPDX-License-Identifier: Apache-2.0
#include "placement/npu.h"

#include <gtest/gtest.h>

#include "placement/software.h"

namespace helio::placement {
namespace {

Npu npu(std::string_view name, const Settings& settings = {}) {
  const auto& entry = npus().at(name);
  return entry.factory(npus().resolve(entry, settings));
}

TEST(Npu, TheCatalogueHasTheAcceleratorsOfItsUsers) {
  EXPECT_EQ(npus().names(), (std::vector<std::string>{"v100", "a100-40", "a100-80", "h100", "h200", "b200", "b300",
                                                      "gb200", "gb300", "mi300x", "mi325x", "mi350x", "mi355x",
                                                      "tpu-v5p", "tpu-v6e", "tpu-7x", "fred-npu"}));
  for (const auto& entry : npus().entries())
    EXPECT_FALSE(entry.description.reference.empty()) << entry.description.name;
}

TEST(Npu, A100HasTheFiguresOfItsDataSheet) {
  const Npu a100 = npu("a100-80");
  EXPECT_DOUBLE_EQ(a100.peak(Precision::kFp16), 312e12);
  EXPECT_DOUBLE_EQ(a100.peak(Precision::kBf16), 312e12);
  EXPECT_DOUBLE_EQ(a100.peak(Precision::kTf32), 156e12);
  EXPECT_DOUBLE_EQ(a100.peak(Precision::kFp32), 19.5e12);
  EXPECT_DOUBLE_EQ(a100.memory_bandwidth, 2039e9);
  EXPECT_DOUBLE_EQ(a100.power.value, 400);
  // Five stacks of 16 GiB: 80 * 2^30 bytes.
  EXPECT_DOUBLE_EQ(a100.memory.value, 85899345920.0);
}

// The A100 of 2020 is what the constants of 2021 were fitted on; the H100 came in 2022.
TEST(Npu, ItIsTrainedBySoftwareOfItsTime) {
  for (const char* early : {"v100", "a100-40", "a100-80", "fred-npu"})
    EXPECT_EQ(usual_software(early).name, "megatron-2021") << early;
  for (const char* later : {"h100", "h200", "b200", "b300", "gb200", "gb300", "mi300x", "mi325x", "mi350x", "mi355x"})
    EXPECT_EQ(usual_software(later).name, "megatron-26.04") << later;
  for (const char* tpu : {"tpu-v5p", "tpu-v6e", "tpu-7x"}) EXPECT_EQ(usual_software(tpu).name, "maxtext") << tpu;
}

TEST(Npu, APrecisionWithoutMatrixUnitsHasNoPeak) {
  EXPECT_EQ(npu("v100").peak(Precision::kBf16), 0);
  EXPECT_EQ(npu("a100-40").peak(Precision::kFp8), 0);
  EXPECT_GT(npu("h100").peak(Precision::kFp8), npu("h100").peak(Precision::kBf16));
}

TEST(Npu, EveryAcceleratorIsFasterInFewerBits) {
  for (const auto& entry : npus().entries()) {
    const Npu each = npu(entry.description.name);
    EXPECT_GT(each.fp16, each.fp32) << each.name;
    EXPECT_GT(each.memory_bandwidth, 0) << each.name;
    EXPECT_GT(each.memory.value, 0) << each.name;
  }
}

TEST(Npu, ParametersReplaceTheDataSheet) {
  const Npu own = npu("h100", {{"peak", {"500", "test"}},
                               {"memory_bandwidth", {"1 TB/s", "test"}},
                               {"memory", {"64 GiB", "test"}},
                               {"power", {"350 W", "test"}}});
  EXPECT_DOUBLE_EQ(own.peak(Precision::kBf16), 500e12);
  EXPECT_DOUBLE_EQ(own.peak(Precision::kFp32), 500e12);
  EXPECT_DOUBLE_EQ(own.memory_bandwidth, 1e12);
  EXPECT_DOUBLE_EQ(own.memory.value, 64 * 1073741824.0);
  EXPECT_DOUBLE_EQ(own.power.value, 350);
}

TEST(Npu, AnImpossibleAcceleratorIsRefused) {
  EXPECT_THROW(npu("h100", {{"peak", {"0", "test"}}}), Error);
  EXPECT_THROW(npu("h100", {{"memory", {"0 B", "test"}}}), Error);
  EXPECT_THROW(npu("h100", {{"memory_bandwidth", {"2 TB", "test"}}}), Error);
}

TEST(Precision, NamesGoBothWays) {
  for (const Precision p : {Precision::kFp32, Precision::kTf32, Precision::kFp16, Precision::kBf16, Precision::kFp8,
                            Precision::kMxfp8, Precision::kNvfp4})
    EXPECT_EQ(precision_named(name_of(p)), p);
  EXPECT_EQ(bytes_of(Precision::kTf32), 4);  // fp32 in memory
  EXPECT_EQ(bytes_of(Precision::kBf16), 2);
  EXPECT_EQ(bytes_of(Precision::kFp8), 1);
  EXPECT_EQ(bytes_of(Precision::kNvfp4), 0.5625);  // 16 numbers of 4 bits and a scale of 8: 72 bits for 16
  // Only operands of products are so short: parameters and activations stay in 16 bits.
  EXPECT_EQ(stored_bytes_of(Precision::kFp8), 2);
  EXPECT_EQ(stored_bytes_of(Precision::kNvfp4), 2);
  EXPECT_EQ(stored_bytes_of(Precision::kFp32), 4);
}

TEST(Precision, AnUnknownNameIsAnErrorWithTheNearest) {
  try {
    precision_named("bf-16", "job.toml:3:1");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), "job.toml:3:1");
    EXPECT_NE(error.advice().find("bf16"), std::string::npos);
  }
}

}  // namespace
}  // namespace helio::placement
