// SPDX-License-Identifier: Apache-2.0
#include "report/text/job_text.h"

#include <gtest/gtest.h>

#include "report/a_job.h"

namespace helio::report {
namespace {

// 80 %, 15 % and 5 % of forty characters are 32, 6 and 2; 10 s are 1.25 times the bound of 8 s.
TEST(JobText, AnIterationSaysWhatMatters) {
  const std::string text = to_text(a_job());
  for (const char* words :
       {"gpt <b>: GPT & more on 32 x a100-80 on cluster of 64 nodes\n",
        "10 s an iteration, the mean of 3   1.250 x the lower bound\n",
        "  exposed      compute          8 s   80.0 %  ################################\n",
        "               tp             1.5 s   15.0 %  ######\n", "               dp            500 ms    5.0 %  ##\n",
        "25.6 samples/s, 52.43 k tokens/s\n", "32.0 % of the NPUs' peak (MFU); they compute 80.0 % of the time\n",
        "100 GB on each NPU of stage 3: parameters 10 GB, gradients 10 GB, optimiser 60 GB, activations 20 GB\n",
        "links        NICs of servers, out       64 links   mean  25.0 %   busiest  50.0 %\n",
        "dp: hierarchical-ring; tp: ring\n",
        "  wavelengths  34\n  facts        channels   64\n               isolation  physical\n", "128 kJ",
        "computing 80.0 % & more\n", "  label        fitted\n  assumed      one\n               two\n"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
  EXPECT_EQ(text.find("streaming"), std::string::npos);  // nothing was lost to it
}

// Images have no tokens.
TEST(JobText, TokensOnlyWhereSamplesHaveThem) {
  pipeline::IterationResult job = a_job();
  job.tokens_per_s = job.samples_per_s;
  EXPECT_EQ(to_text(job).find("tokens"), std::string::npos);
}

TEST(JobText, OneIterationIsNoMean) {
  pipeline::IterationResult job = a_job();
  job.iterations = 1;
  EXPECT_EQ(to_text(job).find("the mean"), std::string::npos);
}

TEST(JobText, SeveralJobsEndInAnOverview) {
  EXPECT_EQ(to_text(std::vector{a_job()}).find("total:"), std::string::npos);
  const std::string text = to_text(std::vector{a_job(), a_job()});
  EXPECT_NE(text.find("\ntotal: 2 jobs, side by side"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("  gpt <b>       10 s an iteration   25.6 samples/s\n")) << text;
  EXPECT_EQ(to_text(std::vector<pipeline::IterationResult>{}), "");
}

// A job of one NPU exchanges nothing and may take no time at all.
TEST(JobText, NothingExchangedIsSaid) {
  pipeline::IterationResult job = a_job();
  job.algorithms.clear();
  job.links.clear();
  job.time = Time();
  job.time_s = job.bound_s = 0;
  const std::string text = to_text(job);
  EXPECT_NE(text.find("none: nothing is exchanged"), std::string::npos);
  EXPECT_NE(text.find("1.000 x the lower bound"), std::string::npos);
}

// The busiest NIC carries half of the time: eight of sixteen cells. 80 % of forty cells are 32, in block characters.
TEST(JobText, ATerminalIsShownBars) {
  const std::string text = to_text(a_job(), {.terminal = true});
  EXPECT_NE(text.find("busiest  50.0 %  ########\n"), std::string::npos) << text;
  std::string blocks;
  for (int i = 0; i < 32; ++i) blocks += "█";
  EXPECT_NE(to_text(a_job(), {.terminal = true, .wide = true}).find("80.0 %  " + blocks + "\n"), std::string::npos);
  pipeline::IterationResult longer = a_job();
  longer.time_s = 20;
  EXPECT_NE(to_text(std::vector{a_job(), longer}, {.terminal = true}).find("25.6 samples/s  ########\n"),
            std::string::npos);
}

}  // namespace
}  // namespace helio::report
