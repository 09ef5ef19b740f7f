// SPDX-License-Identifier: Apache-2.0
#include "report/job_html.h"

#include <gtest/gtest.h>

#include <regex>

#include "report/a_job.h"
#include "report/html.h"

namespace helio::report {
namespace {

TEST(JobHtml, ASectionSaysWhatMatters) {
  const std::string html = to_html({"t", {}, {}, {a_job()}});
  for (const char* part :
       {"<h2>Job: gpt &lt;b&gt;</h2>", "GPT &amp; more", "32.0 % of the NPUs' peak", "NIC # of server #",
        "hierarchical-ring", "Memory of an NPU: 100 GB in stage 3", "computing 80.0 % &amp; more", "one; two"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  for (const char* outside : {"http:", "https:", "src=", "<script", "@import", "url(", "gpt <b>"})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
}

// 80 %, 15 % and 5 % of a bar 1000 wide, then 10, 10, 60 and 20 % of the memory: side by side, ending at the end.
TEST(JobHtml, StackedBarsAreFull) {
  const std::string html = section_of(a_job());
  const std::regex rect("<rect class=\"part(\\d)\" x=\"([0-9.]+)\" y=\"0\" width=\"([0-9.]+)\"");
  std::vector<double> ends;
  double at = 0;
  for (std::sregex_iterator i(html.begin(), html.end(), rect), end; i != end; ++i) {
    const double x = std::stod((*i)[2]), width = std::stod((*i)[3]);
    if (x == 0) at = 0;
    EXPECT_NEAR(x, at, 1e-9);
    at = x + width;
    ends.push_back(at);
  }
  EXPECT_EQ(ends, (std::vector<double>{800, 950, 1000, 100, 200, 800, 1000}));
}

TEST(JobHtml, APageWithoutJobsHasNoBars) { EXPECT_EQ(to_html({"t", {}, {}, {}}).find(".part0"), std::string::npos); }

}  // namespace
}  // namespace helio::report
