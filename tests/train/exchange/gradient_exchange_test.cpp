// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/gradient_exchange.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::train {
namespace {

std::string complaint(const ExchangeSpec& spec, int servers = 4, std::int64_t length = 64,
                      ErrorKind kind = ErrorKind::kInput, const at::Device& device = at::kCPU) {
  try {
    make_exchange(spec, servers, length, device);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "";
}

TEST(Exchanges, EveryOneIsDescribed) {
  const std::vector<std::string> names = exchanges().names();
  EXPECT_EQ(std::vector(names.begin(), names.begin() + 3), (std::vector<std::string>{"exact", "quantised", "optinc"}));
  for (const ExchangeEntry& entry : exchanges().entries()) {
    EXPECT_FALSE(entry.description.summary.empty()) << entry.description.name;
    EXPECT_FALSE(entry.description.reference.empty()) << entry.description.name;
    for (const Parameter& parameter : entry.description.parameters)
      EXPECT_FALSE(parameter.description.empty()) << entry.description.name << ", " << parameter.name;
  }
  EXPECT_TRUE(is_schedule(exchange_named("ring")));
  EXPECT_FALSE(is_schedule(exchange_named("optinc")));
  EXPECT_NE(parameter_of(exchange_named("wrht"), "wavelengths"), nullptr);
}

// What the catalogue says of a parameter that was left out is what a spec has.
TEST(Exchanges, DefaultsAreThoseOfASpec) {
  const ExchangeSpec plain;
  const Parameters declared = exchanges().resolve(exchange_named("optinc"), {});
  EXPECT_EQ(declared.integer("bits"), plain.task.bits);
  EXPECT_EQ(declared.integer("symbol_bits"), plain.task.symbol_bits);
  EXPECT_EQ(declared.text("rounding"), name_of(plain.task.rounding));
  EXPECT_EQ(declared.integer("bucket"), plain.bucket);
  EXPECT_EQ(declared.boolean("stochastic"), plain.stochastic);
  EXPECT_EQ(declared.boolean("error_feedback"), plain.error_feedback);
  EXPECT_EQ(declared.boolean("balanced"), plain.balanced);
  EXPECT_EQ(declared.integer("fraction"), plain.fraction);
  EXPECT_EQ(declared.number("noise"), plain.noise);
  EXPECT_EQ(declared.integer("noise_draws"), plain.noise_draws);
  for (const char* unset : {"zero", "ports", "network", "error_rate"}) EXPECT_FALSE(declared.has(unset)) << unset;
}

TEST(MakeExchange, UnknownNamesGetTheNearest) {
  EXPECT_NE(complaint({.name = "quantized"}).find("quantised"), std::string::npos);
  EXPECT_NE(complaint({.name = "rign"}).find("ring"), std::string::npos);
}

// It sums in the fabric, or only gathers: neither is on the list of what there is.
TEST(MakeExchange, AlgorithmsThatAreNoExchangeSayWhy) {
  EXPECT_NE(complaint({.name = "in-fabric"}, 1, 64, ErrorKind::kInfeasible).find("a fabric that adds"),
            std::string::npos);
  EXPECT_NE(complaint({.name = "optree"}, 4, 64, ErrorKind::kInfeasible).find("no all-reduce"), std::string::npos);
  EXPECT_EQ(complaint({.name = "bogus"}).find("in-fabric"), std::string::npos);
}

// Three codes have no average half-way between two, and half-even and dither answer every one that is rounded up.
TEST(MakeExchange, WhatDoesNotLeanIsNotBalanced) {
  EXPECT_EQ(complaint({.name = "quantised", .balanced = true}), "");
  EXPECT_NE(complaint({.name = "quantised", .balanced = true}, 3).find("do not lean"), std::string::npos);
  for (const Rounding rounding : {Rounding::kHalfEven, Rounding::kDither})
    EXPECT_NE(complaint({.name = "quantised", .task = {.rounding = rounding}, .balanced = true}).find("do not lean"),
              std::string::npos);
}

TEST(MakeExchange, OptionsThatNothingReadsAreRefused) {
  EXPECT_NE(complaint({.name = "exact", .noise = 0.1}).find("'exact' reads no noise"), std::string::npos);
  const std::vector<ExchangeSpec> idle{
      {.name = "exact", .task = {.bits = 4}},
      {.name = "exact", .task = {.symbol_bits = 1}},
      {.name = "exact", .task = {.rounding = Rounding::kFloor}},
      {.name = "ring", .bucket = 1},
      {.name = "ring", .stochastic = true},
      {.name = "ring", .error_feedback = true},
      {.name = "ring", .balanced = true},
      {.name = "exact", .zero = 150},
      {.name = "quantised", .ports = {2, 2}},
      {.name = "quantised", .fraction = 1},
      {.name = "quantised", .networks = {"x.json"}},
      {.name = "quantised", .noise = 0.1},
      {.name = "quantised", .noise_draws = 3},
      {.name = "quantised", .error_rate = 0.1},
      {.name = "quantised", .settings = {{"group", "2"}}},
      {.name = "optinc", .fraction = 1},
      {.name = "optinc", .noise_draws = 3},
      {.name = "optinc", .noise = 0.1, .error_rate = 0.1},
      {.name = "optinc", .settings = {{"group", "2"}}},
  };
  for (const ExchangeSpec& spec : idle) EXPECT_NE(complaint(spec).find("reads no"), std::string::npos) << spec.words();
}

TEST(MakeExchange, ValuesOutOfRangeAreRefused) {
  EXPECT_NE(complaint({.name = "optinc", .noise = -1}), "");
  EXPECT_NE(complaint({.name = "optinc", .noise = 0.1, .noise_draws = 0}), "");
  EXPECT_NE(complaint({.name = "optinc", .error_rate = 0}), "");
  EXPECT_NE(complaint({.name = "optinc", .error_rate = 1}), "");
  EXPECT_NE(complaint({.name = "optinc", .ports = {2, 2}, .fraction = -1}), "");
  EXPECT_NE(complaint({.name = "optinc", .bucket = 0}), "");
  for (const int bits : {0, 7, 17, 24, 32})
    EXPECT_NE(complaint({.name = "quantised", .task = {.bits = bits}}).find("a multiple of 2, at most 16"),
              std::string::npos);
  EXPECT_NE(complaint({.name = "quantised", .zero = 255}).find("from 1 to 254"), std::string::npos);
  EXPECT_NE(complaint({.name = "exact"}, 0), "");
  EXPECT_NE(complaint({.name = "exact"}, 4, 0), "");
}

#ifndef HELIO_CUDA_KERNELS
TEST(MakeExchange, WithoutKernelsADeviceIsRefused) {
  for (const char* name : {"quantised", "optinc"})
    EXPECT_NE(complaint({.name = name}, 4, 64, ErrorKind::kInfeasible, at::Device(at::kCUDA, 0)).find("configure"),
              std::string::npos);
}
#endif

// What a checkpoint compares: all that changes numbers, and nothing that is not read.
TEST(MakeExchange, WordsSayWhatIsRead) {
  EXPECT_EQ(ExchangeSpec{}.words(), (nlohmann::json{{"name", "exact"}}));
  const nlohmann::json words = ExchangeSpec{.name = "optinc", .task = {.bits = 4}, .error_rate = 0.5}.words();
  EXPECT_EQ(words.at("bits"), 4);
  EXPECT_EQ(words.at("error_rate"), 0.5);
  // 8 is the zero that codes of four bits have anyway
  EXPECT_EQ((ExchangeSpec{.name = "optinc", .task = {.bits = 4}, .zero = 8, .error_rate = 0.5}.words()), words);
  EXPECT_EQ((ExchangeSpec{.name = "optinc", .task = {.bits = 4}, .zero = 9}.words().at("zero")), 9);
  EXPECT_FALSE(words.contains("noise_draws"));
  EXPECT_EQ((ExchangeSpec{.name = "wrht", .settings = {{"group", "3"}}}.words().at("settings").at("group")), "3");
}

}  // namespace
}  // namespace helio::train
