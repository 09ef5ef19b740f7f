// SPDX-License-Identifier: Apache-2.0
// Reports as people ask for them: pages with reasons, made again from what was saved.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/refused.h"
#include "apps/running.h"

namespace helio::apps {
namespace {

using Json = nlohmann::json;

class Report : public testing::Test {
 protected:
  ~Report() override { std::filesystem::remove_all(folder_); }
  std::string page() const { return contents(folder_ + "/index.html"); }
  Json saved() const { return Json::parse(contents(folder_ + "/page.json")); }
  std::string words(std::size_t section) const {
    std::string all;
    const Json page = saved();
    for (const auto& paragraph : page["sections"][section]["words"]) all += paragraph.get<std::string>() + "\n";
    return all;
  }
  const std::string folder_ =
      scratch_file(std::string("report_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

// 8 nodes, 1 MB, one wavelength of 40 Gb/s: Ring takes 14 steps of 1/8 MB, 25 us each with 25 us of retuning, 700 us in all; retuned
// once it is 14 * 25 + 25 = 375 us, and at 80 Gb/s 14 (12.5 + 25) = 525 us.
TEST_F(Report, ACollectiveSaysWhatWouldChangeIt) {
  const std::string asked =
      "collective all-reduce --fabric wdm-ring --nodes 8 --bytes 1MB --algorithm ring --set fabric.wavelengths=1 --set "
      "fabric.retune_rule=every-step";
  const Said said = run(asked + " --json --report " + folder_);
  ASSERT_EQ(said.code, 0);
  EXPECT_NE(
      words(0).find(
          "With retune_rule = changed it would take 375 us, 46.4 % less: setting up circuits is 50 % of the time now"),
      std::string::npos)
      << words(0);
  EXPECT_NE(words(0).find("With fabric.rate doubled to 80 Gb/s it would take 525 us, 25 % less"), std::string::npos)
      << words(0);
  // The command leads here again; where the page went and --json do not belong to it
  EXPECT_EQ(saved()["command"], "helio " + asked);
  EXPECT_EQ(contents(folder_ + "/results.json"), said.out);
  const Json page = saved();
  for (const auto& figure : page["sections"][0]["figures"]) {
    if (figure["csv"].get<std::string>().empty()) continue;
    EXPECT_EQ(contents(folder_ + "/" + figure["name"].get<std::string>() + ".csv"), figure["csv"]) << figure["name"];
  }
}

TEST_F(Report, PagesAreMadeAgainByteByByte) {
  ASSERT_EQ(run("reproduce closed-forms --report " + folder_).code, 0);
  const std::string before = page();
  EXPECT_EQ(Json::parse(contents(folder_ + "/rows.json"))["rows"].size(), 12u);
  std::ofstream(folder_ + "/index.html") << "gone";
  const Said said = run("report " + folder_);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, folder_ + "/index.html\n");
  EXPECT_EQ(page(), before);
}

TEST_F(Report, WithoutASavedReportThereIsNothingToMake) {
  expect_refused("report " + folder_, 3, {"no saved report", "page.json"});
  std::filesystem::create_directory(folder_);
  expect_refused("report " + folder_, 3, {"no saved report", "page.json"});
  std::ofstream(folder_ + "/page.json") << "{\"format\": \"something\"}";
  expect_refused("report " + folder_, 3, {"page.json", "helio-page-1"});
  expect_refused("report", 2, {"DIR"});
}

// Names of collectives come from files. None of them opens an element.
TEST_F(Report, HostileNamesAreText) {
  const std::string file = scratch_file("hostile.toml");
  std::ofstream(file)
      << "[fabric]\nname = \"ring\"\nnodes = 4\n[[collective]]\nname = \"</script><script>alert(1)</script>\"\n"
         "kind = \"all-reduce\"\nbytes = \"1 MB\"\nalgorithm = \"ring\"\n[[collective]]\nname = \"<img src=x "
         "onerror=alert(1)>\"\n"
         "kind = \"all-reduce\"\nbytes = \"1 MB\"\nalgorithm = \"ring\"\n";
  const Said said = run("simulate " + file + " --report " + folder_);
  std::filesystem::remove(file);
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(page().find("<script>alert"), std::string::npos);
  EXPECT_EQ(page().find("<img"), std::string::npos);
  EXPECT_NE(page().find("&lt;/script&gt;&lt;script&gt;alert(1)"), std::string::npos);
}

TEST_F(Report, PredictionsStandBesideMeasurements) {
  const std::string file = scratch_file("measured.csv");
  std::ofstream(file) << "size_B,time_us\n1000000,50\n100000000,900\n";
  const Said said = run("validate " + file + " --report " + folder_);
  std::filesystem::remove(file);
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(saved()["sections"][0]["figures"][0]["kind"], "scatter");
  EXPECT_EQ(Json::parse(contents(folder_ + "/validation.json"))["rows"], 2);
}

// Same question, same bytes.
TEST_F(Report, TheSamePageEveryTime) {
  const std::string asked = "collective all-reduce --fabric ring --nodes 8 --bytes 1MB --report ";
  ASSERT_EQ(run(asked + folder_).code, 0);
  const std::string first = page();
  ASSERT_EQ(run(asked + folder_ + "/again").code, 0);
  EXPECT_EQ(contents(folder_ + "/again/index.html"), first);
}

}  // namespace
}  // namespace helio::apps
