// SPDX-License-Identifier: Apache-2.0
#include "report/json/validation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace helio::report {
namespace {

// +10 %, -20 %: mean error 15 %, bias -5 %.
pipeline::Validation two_rows() {
  return {.file = "rows.csv",
          .kind = "all-reduce",
          .rows = {{.line = 2, .what = "a", .measured_s = 1.0, .predicted_s = 1.1},
                   {.line = 3, .what = "b", .measured_s = 10.0, .predicted_s = 8.0}}};
}

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
