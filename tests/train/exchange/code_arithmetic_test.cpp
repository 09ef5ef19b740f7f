// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the kernel, element by element on the CPU: the bits of emulate::OpticalExchange, whatever the options.
#include "train/exchange/code_arithmetic.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "base/random.h"
#include "train/exchange/averager_of.h"
#include "train/exchange/code_plan.h"

namespace helio::train {
namespace {

using Rows = std::vector<std::vector<float>>;

struct Situation {
  const char* name;
  ExchangeSpec spec;
  int servers = 4;
  std::int64_t length = 3001;
};

void PrintTo(const Situation& s, std::ostream* out) { *out << s.name; }

Rows gradients_of(int servers, std::size_t length, std::uint64_t seed) {
  Random random(seed);
  Rows rows(static_cast<std::size_t>(servers), std::vector<float>(length));
  for (auto& row : rows)
    for (std::size_t e = 0; e < length; ++e)
      row[e] = e / 700 % 3 == 2 ? 0 : static_cast<float>(random.normal()) * (e / 700 % 3 == 0 ? 1.0f : 1e-4f);
  return rows;
}

// What the kernel does with one step, in a plain loop.
template <int W>
void run(const CodePlan& plan, const Rows& gradients, Rows& residuals, std::uint64_t step,
         std::vector<float>& average) {
  for (std::uint64_t begin = 0; begin < plan.length; begin += plan.bucket) {
    const std::uint64_t end = std::min(begin + plan.bucket, plan.length);
    float largest = 0;
    for (std::uint32_t i = 0; i < plan.servers; ++i)
      for (std::uint64_t e = begin; e < end; ++e) {
        largest = larger_magnitude(largest, gradients[i][e]);
        if (plan.feedback) largest = larger_magnitude(largest, sum(gradients[i][e], residuals[i][e]));
      }
    const BucketScale scale = scale_of(plan, bits_of(largest));
    ASSERT_EQ(scale.fault, Fault::kNone);
    for (std::uint64_t e = begin; e < end; e += W) {
      const auto entering = [&](std::uint32_t i, float(&values)[W]) {
        for (int w = 0; w < W; ++w)
          values[w] = plan.feedback ? sum(gradients[i][e + w], residuals[i][e + w]) : gradients[i][e + w];
      };
      const auto keep = [&](std::uint32_t i, const float(&values)[W]) {
        for (int w = 0; w < W; ++w) residuals[i][e + w] = values[w];
      };
      float averages[W] = {};
      if (scale.scale != 0 && plan.plain)
        exchange_plainly<W>(plan, static_cast<const std::uint8_t*>(plan.level[0].table), scale, plan.servers, entering,
                            averages);
      else if (scale.scale != 0)
        exchange<W>(plan, plan.level[0].table, scale, e, step, entering, keep, averages);
      for (int w = 0; w < W; ++w) average[e + w] = averages[w];
    }
  }
}

class Arithmetic : public testing::TestWithParam<Situation> {};

TEST_P(Arithmetic, IsThatOfTheOpticalExchange) {
  const auto& [name, spec, servers, length] = GetParam();
  const Switches switches = switches_of(spec, servers);
  const emulate::ExchangeOptions options{.bucket = static_cast<std::size_t>(spec.bucket),
                                         .stochastic = spec.stochastic,
                                         .error_feedback = spec.error_feedback,
                                         .balanced = spec.balanced,
                                         .zero = spec.zero,
                                         .seed = spec.seed};
  emulate::OpticalExchange exchange(switches.averager, options);
  const CodePlan plan = plan_of(switches.averager, options, static_cast<std::uint64_t>(length),
                                [](const void* table, std::size_t) { return table; });
  const auto size = static_cast<std::size_t>(length);
  Rows residuals(static_cast<std::size_t>(servers), std::vector<float>(size, 0.0f));
  for (std::uint64_t step = 0; step < 3; ++step) {
    const Rows gradients = gradients_of(servers, size, step + 1);
    std::vector<float> expected(size), found(size);
    exchange.all_reduce(std::vector<std::span<const float>>(gradients.begin(), gradients.end()), expected);
    if (length % 4 == 0 && spec.bucket % 4 == 0)
      run<4>(plan, gradients, residuals, step, found);
    else
      run<1>(plan, gradients, residuals, step, found);
    for (std::size_t e = 0; e < size; ++e) {
      const float average = expected[e] * (1.0f / static_cast<float>(servers));
      ASSERT_EQ(std::bit_cast<std::int32_t>(found[e]), std::bit_cast<std::int32_t>(average))
          << "step " << step << ", element " << e;
    }
    if (spec.error_feedback) {
      ASSERT_EQ(residuals, exchange.residuals());
    }
  }
}

ExchangeSpec optinc(void (*change)(ExchangeSpec&)) {
  ExchangeSpec spec{.name = "optinc", .bucket = 700};
  change(spec);
  return spec;
}

INSTANTIATE_TEST_SUITE_P(
    OfTheKernel, Arithmetic,
    testing::Values(
        Situation{"plain", optinc([](ExchangeSpec&) {})},
        Situation{"plain by fours", optinc([](ExchangeSpec&) {}), 4, 3000},
        Situation{"plain by fours, half-even", optinc([](ExchangeSpec& s) { s.task.rounding = Rounding::kHalfEven; }),
                  4, 3000},
        Situation{"plain by fours, 2 bits", optinc([](ExchangeSpec& s) { s.task.bits = 2; }), 4, 3000},
        Situation{"plain by fours, 6 bits", optinc([](ExchangeSpec& s) { s.task.bits = 6; }), 3, 3000},
        Situation{"plain by fours, the most servers whose sums are nibbles", optinc([](ExchangeSpec&) {}), 5, 3000},
        Situation{"plain by fours, more servers", optinc([](ExchangeSpec&) {}), 6, 3000},
        Situation{"quantised", {.name = "quantised", .bucket = 700}, 5},
        Situation{"by division", {.name = "quantised", .task = {.bits = 16}, .bucket = 700}, 4},
        Situation{"by division, half-even",
                  {.name = "quantised", .task = {.bits = 16, .rounding = Rounding::kHalfEven}, .bucket = 700},
                  6},
        Situation{"by division, floor",
                  {.name = "quantised", .task = {.bits = 16, .rounding = Rounding::kFloor}, .bucket = 700},
                  6},
        Situation{"by division, dither",
                  {.name = "quantised", .task = {.bits = 16, .rounding = Rounding::kDither}, .bucket = 700},
                  6},
        Situation{"one bit", {.name = "quantised", .task = {.bits = 1, .symbol_bits = 1}, .bucket = 700}, 4},
        Situation{"two bits", optinc([](ExchangeSpec& s) { s.task.bits = 2; }), 4},
        Situation{"symbols of four bits", optinc([](ExchangeSpec& s) { s.task.symbol_bits = 4; })},
        Situation{"dither", optinc([](ExchangeSpec& s) { s.task.rounding = Rounding::kDither; })},
        Situation{"stochastic", optinc([](ExchangeSpec& s) { s.stochastic = true; }), 4, 3000},
        Situation{"feedback", optinc([](ExchangeSpec& s) { s.error_feedback = true; })},
        Situation{"balanced", optinc([](ExchangeSpec& s) { s.balanced = true; })},
        Situation{"balanced by fours", optinc([](ExchangeSpec& s) { s.balanced = true; }), 4, 3000},
        Situation{"balanced by fours, more servers", optinc([](ExchangeSpec& s) { s.balanced = true; }), 6, 3000},
        Situation{"balanced by fours, floor",
                  optinc([](ExchangeSpec& s) { s.balanced = true, s.task.rounding = Rounding::kFloor; }), 4, 3000},
        Situation{"zero at 150", optinc([](ExchangeSpec& s) { s.zero = 150; }), 4, 3000},
        Situation{"zero at 150, balanced", optinc([](ExchangeSpec& s) { s.zero = 150, s.balanced = true; }), 4, 3000},
        Situation{"zero at 149", optinc([](ExchangeSpec& s) { s.zero = 149; }), 4, 3000},
        Situation{"zero at 100, balanced", optinc([](ExchangeSpec& s) { s.zero = 100, s.balanced = true; }), 4, 3000},
        Situation{"zero at 3, all",
                  optinc([](ExchangeSpec& s) { s.zero = 3, s.balanced = s.stochastic = s.error_feedback = true; })},
        Situation{"balanced, stochastic, feedback",
                  optinc([](ExchangeSpec& s) { s.balanced = s.stochastic = s.error_feedback = true; })},
        Situation{"balanced, two levels", optinc([](ExchangeSpec& s) {
                    s.balanced = true, s.ports = {4, 4};
                  }),
                  16, 2000},
        Situation{"noise", optinc([](ExchangeSpec& s) { s.noise = 0.2, s.noise_draws = 3; })},
        Situation{"all", optinc([](ExchangeSpec& s) {
                    s.task.rounding = Rounding::kDither, s.stochastic = s.error_feedback = true, s.noise = 0.2,
                    s.noise_draws = 3;
                  }),
                  4, 3000},
        Situation{"two levels", optinc([](ExchangeSpec& s) {
                    s.ports = {4, 4};
                  }),
                  16, 2000},
        Situation{"two levels with a fraction", optinc([](ExchangeSpec& s) {
                    s.ports = {4, 4}, s.fraction = 1;
                  }),
                  16},
        Situation{"four levels, noise and dither", optinc([](ExchangeSpec& s) {
                    s.ports = {2, 2, 2, 2}, s.task.bits = 4, s.noise = 0.2, s.noise_draws = 2,
                    s.task.rounding = Rounding::kDither;
                  }),
                  16, 2000}));

// Levels of one cascade that draw from several tables must not draw alike: with two tables of which one is always wrong, switches
// that asked the same one would be wrong together.
TEST(CodeArithmetic, SwitchesDrawApart) {
  std::uint64_t together = 0;
  for (std::uint64_t e = 0; e < 4096; ++e)
    together += mixed_bits(table_bits(1, 0, 0), e) % 2 == mixed_bits(table_bits(1, 0, 1), e) % 2;
  EXPECT_NEAR(static_cast<double>(together), 2048, 160);  // five standard deviations of √4096/2 = 32
}

// Four symbols to a word, and their sums to the index: 2·1 + 3·L + 0 + 1·L³ for 0b01'00'11'10.
TEST(CodeArithmetic, PackedSymbols) {
  EXPECT_EQ(packed_symbols(0b01001110), 0x01000302u);
  const std::uint32_t weights[3] = {13, 169, 2197};
  EXPECT_EQ(packed_index(0x01000302u, weights), 2u + 3 * 13 + 2197);
  EXPECT_EQ(packed_index(0x0c0c0c0cu, weights), 28560u);  // the last of 13⁴ points
}

// Sums by nibbles know no clamps. Whatever a bucket's largest magnitude m is, subnormal scales among them, ±m are ±steps and half of m,
// a tie of 63.5 steps or next to one, is what clamped codes make of it: four elements at once as each alone.
TEST(CodeArithmetic, NibblesNeedNoClamps) {
  Random random(3);
  for (const int bits : {2, 4, 8})
    for (const int servers : {1, 4, 5}) {
      const Switches switches = switches_of({.name = "optinc", .task = {.bits = bits}}, servers);
      const CodePlan plan = plan_of(switches.averager, {}, 4, [](const void* table, std::size_t) { return table; });
      ASSERT_TRUE(plan.plain);
      const auto* table = static_cast<const std::uint8_t*>(plan.level[0].table);
      int tried = 0;
      for (int k = 0; k < 20000; ++k) {
        const float m = k < 10000 ? float_of(static_cast<std::int32_t>(random.below(0x7f800000)))
                                  : plan.steps * 0x1p-128f * (1 + static_cast<float>(k - 9999) / 2000);
        const BucketScale scale = scale_of(plan, magnitude_bits(m));
        if (scale.fault != Fault::kNone || scale.scale == 0) continue;
        ++tried;
        const float four[4] = {m, -m, m / 2, m / 8 * static_cast<float>(random.normal())};
        float together[4];
        exchange_plainly<4>(
            plan, table, scale, plan.servers,
            [&](std::uint32_t i, float(&values)[4]) {
              for (int w = 0; w < 4; ++w) values[w] = w == 3 && i == 1 ? -m / 2 : four[w];
            },
            together);
        for (int w = 0; w < 4; ++w) {
          float alone[1];
          exchange_plainly<1>(
              plan, table, scale, plan.servers,
              [&](std::uint32_t i, float(&values)[1]) { values[0] = w == 3 && i == 1 ? -m / 2 : four[w]; }, alone);
          ASSERT_EQ(bits_of(together[w]), bits_of(alone[0])) << m << ", element " << w;
        }
        ASSERT_EQ(together[0], plan.steps * scale.value * plan.share) << m;
        ASSERT_EQ(together[1], -together[0]) << m;
      }
      EXPECT_GT(tried, 19000);
    }
}

// The scale of numbers of which one is none is refused wherever it stands.
TEST(CodeArithmetic, LargerMagnitudesKeepWhatIsNoNumber) {
  EXPECT_EQ(larger_magnitude(1, -2), 2);
  EXPECT_EQ(larger_magnitude(3, -2), 3);
  const float none = std::numeric_limits<float>::quiet_NaN();
  for (const float found : {larger_magnitude(none, 1), larger_magnitude(1, none),
                            larger_magnitude(1, -std::numeric_limits<float>::infinity())})
    EXPECT_EQ(scale_of({}, magnitude_bits(found)).fault, Fault::kNotFinite);
}

TEST(CodeArithmetic, CascadesThatDoNotFitAreRefused) {
  const auto place = [](const void* table, std::size_t) { return table; };
  ExchangeSpec deep{.name = "optinc", .task = {.bits = 2}, .ports = {2, 2, 2, 2, 2}};
  EXPECT_THROW(plan_of(switches_of(deep, 32).averager, {}, 100, place), Error);
  ExchangeSpec long_codes{.name = "optinc", .task = {.bits = 16}};  // 13⁸ points
  EXPECT_THROW(plan_of(switches_of(long_codes, 4).averager, {}, 100, place), Error);
}

}  // namespace
}  // namespace helio::train
