// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/averager_of.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "photonics/averaging_grid.h"
#include "photonics/onn_evaluate.h"
#include "photonics/onn_file.h"
#include "source_dir.h"

namespace helio::train {
namespace {

using emulate::CodeAverager;

std::string file(const std::string& name) {
  return std::string(HELIO_SOURCE_DIR) + "/studies/optinc/" + name + ".json";
}

std::string complaint(const ExchangeSpec& spec, int servers) {
  try {
    switches_of(spec, servers);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "";
}

// Share of uniform codes that meet a wrong answer of a level's only table, and the errors there.
double met(const CodeAverager::Level& level, std::set<std::int64_t>* errors = nullptr) {
  const photonics::Grid grid(level.task);
  std::vector<int> point(static_cast<std::size_t>(level.task.lights()), 0);
  double share = 0;
  for (const std::uint8_t answer : level.small) {
    const std::int64_t off = answer - level.task.target(point);
    if (off != 0) share += grid.probability(point);
    if (off != 0 && errors) errors->insert(off);
    grid.advance(point);
  }
  return share;
}

TEST(SwitchesOf, ConstructedNetworksAreNeverWrong) {
  for (const int servers : {2, 3, 4, 8}) {
    const Switches switches = switches_of({.name = "optinc"}, servers);
    EXPECT_EQ(met(switches.averager.levels()[0]), 0) << servers;
    EXPECT_NE(switches.words.find("wrong on 0 of"), std::string::npos) << switches.words;
  }
}

TEST(SwitchesOf, ATrainedNetworkAnswersAsItIs) {
  const photonics::Onn onn = photonics::load_onn(file("n4b8_ud_138"));
  const photonics::Evaluation counted = photonics::evaluate(onn);
  ASSERT_GT(counted.wrong, 0u);
  const Switches switches = switches_of({.name = "optinc", .networks = {file("n4b8_ud_138")}}, 4);
  EXPECT_NEAR(met(switches.averager.levels()[0]), *counted.wrong_weighted, 1e-12);
  EXPECT_NE(switches.words.find("n4b8_ud_138.json"), std::string::npos);
  EXPECT_NE(switches.words.find("wrong on " + std::to_string(counted.wrong) + " of 28561 points"), std::string::npos)
      << switches.words;
}

// Ten times the network's own rate, from points that are not the network's: the share is met to the weight of the last point that
// would have been too much, and no size of error is new.
TEST(SwitchesOf, ErrorsAreDrawnAtTheRateThatIsAskedFor) {
  ExchangeSpec spec{.name = "optinc", .networks = {file("n4b8_ud_352")}};
  std::set<std::int64_t> own, drawn;
  const double rate = met(switches_of(spec, 4).averager.levels()[0], &own);
  ASSERT_GT(rate, 0);
  spec.error_rate = 10 * rate;
  ASSERT_LT(*spec.error_rate, 1);
  const CodeAverager ten = switches_of(spec, 4).averager;
  EXPECT_LE(met(ten.levels()[0], &drawn), 10 * rate);
  EXPECT_GE(met(ten.levels()[0]), 9.99 * rate);
  for (const std::int64_t error : drawn) EXPECT_TRUE(own.contains(error)) << error;
  spec.seed = 2;
  EXPECT_NE(switches_of(spec, 4).averager.levels()[0].small, ten.levels()[0].small);
}

// Noise on the outputs alone is a floor for the share of wrong answers; every draw is another chip.
TEST(SwitchesOf, NoiseIsDrawnAnewForEveryTable) {
  ExchangeSpec spec{.name = "optinc", .noise = 0.2, .noise_draws = 3};
  const Switches switches = switches_of(spec, 4);
  const CodeAverager::Level& level = switches.averager.levels()[0];
  ASSERT_EQ(level.tables, 3u);
  ASSERT_EQ(level.small.size(), 3u * 28561);
  EXPECT_FALSE(std::equal(level.small.begin(), level.small.begin() + 28561, level.small.begin() + 28561));
  const photonics::Grid grid(level.task);
  std::vector<int> point(4, 0);
  std::uint64_t wrong = 0;
  for (const std::uint8_t answer : level.small) {
    wrong += answer != level.task.target(point);
    grid.advance(point);
  }
  // Binomial with 85,683 tries: below the bound less five deviations, √(p(1−p)/85683) ≤ 0.0018
  EXPECT_GE(static_cast<double>(wrong) / 85683, photonics::output_noise_bound(level.task, 0.2) - 0.009);

  // So little noise as to change nothing
  spec.noise = 1e-6;
  EXPECT_NE(switches_of(spec, 4).words.find("wrong on 0 of 85683 points"), std::string::npos);
}

TEST(SwitchesOf, BadInputIsNamed) {
  // Both sizes and the file
  const std::string text = complaint({.name = "optinc", .networks = {file("n8b8_ud")}}, 4);
  EXPECT_NE(text.find("n8b8_ud.json"), std::string::npos) << text;
  EXPECT_NE(text.find("averages 8 codes of 8 bits"), std::string::npos) << text;
  EXPECT_NE(text.find("level 1 has 4 codes of 8 bits"), std::string::npos) << text;
  EXPECT_NE(complaint({.name = "optinc", .task = {.bits = 4}, .networks = {file("n4b8_ud")}}, 4), "");
  EXPECT_NE(complaint({.name = "optinc", .networks = {file("n4b8_ud"), file("n4b8_ud")}}, 4), "");
  EXPECT_NE(complaint({.name = "optinc", .networks = {file("nothing")}}, 4), "");
  // Ports
  EXPECT_NE(complaint({.name = "optinc", .ports = {4, 4}}, 8).find("join 16 servers, and there are 8"),
            std::string::npos);
  // Sizes of error
  EXPECT_NE(complaint({.name = "optinc", .error_rate = 0.01}, 4).find("never wrong"), std::string::npos);
  EXPECT_NE(complaint({.name = "optinc", .networks = {file("n4b8_ud")}, .error_rate = 0.01}, 4).find("n4b8_ud.json"),
            std::string::npos);
  EXPECT_NE(complaint({.name = "quantised", .task = {.bits = 7}}, 4), "");
}

// 13⁸ points are no table.
TEST(SwitchesOf, NoiseNeedsATable) {
  try {
    switches_of({.name = "optinc", .task = {.bits = 16}, .noise = 0.1}, 4);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
  }
}

}  // namespace
}  // namespace helio::train
