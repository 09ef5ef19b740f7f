// SPDX-License-Identifier: Apache-2.0
#include "report/json/validation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace helio::report {
namespace {

// +10 %, -20 %: mean error 15 %, bias -5 %.
pipeline::Validation two_rows() { return {"rows.csv", "all-reduce", {{2, "a", 1.0, 1.1}, {3, "b", 10.0, 8.0}}}; }

TEST(Validation, JsonHasTheNumbers) {
  const auto json = nlohmann::json::parse(to_json(two_rows()));
  EXPECT_EQ(json["rows"], 2);
  EXPECT_NEAR(json["mape_percent"].get<double>(), 15, 1e-9);
  EXPECT_NEAR(json["bias_percent"].get<double>(), -5, 1e-9);
  EXPECT_EQ(json["worst"][0]["line"], 3);
  EXPECT_EQ(json["predictions"].size(), 2u);
}

TEST(Validation, TextNamesTheWorstRowFirst) {
  const std::string text = to_text(two_rows());
  EXPECT_NE(text.find("15.00 %"), std::string::npos);
  EXPECT_NE(text.find("-5.00 %"), std::string::npos);
  EXPECT_LT(text.find("line 3"), text.find("line 2"));
}

}  // namespace
}  // namespace helio::report
