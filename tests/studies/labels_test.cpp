// SPDX-License-Identifier: Apache-2.0
// Every row of every study, against the rules of row_rules.h; and every rule against a row that breaks it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "report/json/json.h"
#include "studies/catalogue.h"
#include "studies/row_rules.h"

namespace helio::studies {
namespace {

constexpr const char* kReference = "Somebody, arXiv 1234.56789 v2; papers/x.md";

Json a_good_row() {
  return {{"study", "x"},
          {"quantity", "q"},
          {"published", 5.0},
          {"expected", Json()},
          {"ours", 5.5},
          {"label", "recalled"},
          {"assumptions",
           {"note: the body is unknown to us", "literal: 3 TB/s (arXiv 1234.56789 v2, 6)",
            "recalled: 64 (papers/x.md 3)", "fitted: a rate that was chosen for another number (uses 7)"}},
          {"predicted", true},
          {"within", 0.1},
          {"source", "arXiv 1234.56789 v2, abstract"}};
}

TEST(RowRules, AGoodRowPasses) {
  EXPECT_TRUE(contradictions(a_good_row(), kReference).empty());
  Json derived = a_good_row();
  derived["published"] = Json();
  derived["expected"] = 5.0;
  derived["source"] = "papers/x.md 3, derived";
  EXPECT_TRUE(contradictions(derived, kReference).empty());
  Json used = a_good_row();
  used["assumptions"].push_back("calibrated: solved from it (uses 5)");
  used["predicted"] = false;
  EXPECT_TRUE(contradictions(used, kReference).empty());
}

TEST(RowRules, EachIsAbleToFail) {
  const auto refused = [](const char* why, const auto& spoil) {
    Json row = a_good_row();
    spoil(row);
    const std::vector<std::string> wrong = contradictions(row, kReference);
    EXPECT_TRUE(std::ranges::any_of(wrong, [&](const std::string& text) { return text.starts_with(why); })) << why;
  };
  const auto assumes = [](const char* words) { return [words](Json& row) { row["assumptions"].push_back(words); }; };

  refused("neither or both", [](Json& row) { row["expected"] = 5.0; });
  refused("neither or both", [](Json& row) { row["published"] = Json(); });
  refused("no source", [](Json& row) { row["source"] = ""; });
  refused("published, and its source", [](Json& row) { row["source"] = "papers/x.md 3, derived"; });
  refused("published, and its source", [](Json& row) { row["source"] = "closed form: 2(n-1)"; });
  refused("published, and its source",
          [](Json& row) { row["source"] = "arXiv 9999.99999, which is not of the study"; });
  refused("expected, and its source", [](Json& row) { std::swap(row["published"], row["expected"]); });
  refused("an assumption without a grade", assumes("64 wavelengths"));
  refused("ours by its words", assumes("literal: our reading of H100-like (arXiv 1234.56789 v2, 6)"));
  refused("ours by its words", assumes("recalled: 78 layers: ours"));
  refused("ours by its words", assumes("calibrated: that it is a range is a guess of ours (uses 7)"));
  refused("not known by its words", assumes("literal: 18 strategies, the paper's set is not known (arXiv 1234.56789)"));
  refused("recalled by its words", assumes("literal: 64 wavelengths, recalled (arXiv 1234.56789 v2, 6)"));
  refused("fitted by its words", assumes("literal: 40 GB/s, chosen to meet it (arXiv 1234.56789 v2, 6)"));
  refused("literal without a publication", assumes("literal: 3 TB/s"));
  refused("fitted without saying", assumes("fitted: 40 GB/s"));
  refused("calibrated without saying", assumes("calibrated: 40 GB/s"));
  refused("nothing but notes", [](Json& row) { row["assumptions"] = Json::array({"note: counted"}); });
  refused("nothing but notes", [](Json& row) { row["assumptions"] = Json::array(); });
  refused("label is not", [](Json& row) { row["label"] = "literal"; });
  refused("label is not", [](Json& row) { row["label"] = "ours"; });
  refused("label is not", assumes("ours: a step of 1 us"));
  refused("predicted, and its number", assumes("calibrated: solved from it (uses 3, 5)"));
  refused("predicted, and nothing", assumes("literal: two inputs divided (arXiv 1234.56789 v2)"));
  refused("not predicted, and no", [](Json& row) {
    row["predicted"] = false;
    row["assumptions"].erase(3);
  });
  refused("within is", [](Json& row) { row["within"] = 0.2; });
}

TEST(Labels, NoRowOfAnyStudyContradictsItself) {
  std::size_t walked = 0;
  for (const report::Study& study : reproduce_each("all", {})) {
    std::set<std::string> names;
    const Json printed = Json::parse(report::to_json(study.rows));
    for (const Json& row : printed["rows"]) {
      ++walked;
      EXPECT_EQ(row["study"], study.name);
      EXPECT_TRUE(names.insert(row["quantity"]).second) << study.name << ": " << row["quantity"] << " twice";
      for (const std::string& wrong : contradictions(row, study.reference))
        ADD_FAILURE() << study.name << ": " << row["quantity"] << ": " << wrong;
    }
  }
  EXPECT_GT(walked, 1200u);
}

}  // namespace
}  // namespace helio::studies
