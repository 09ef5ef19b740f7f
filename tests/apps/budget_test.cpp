// SPDX-License-Identifier: Apache-2.0
// --budget: an answer, or a refusal with an estimate; --no-leap: the same answer.
#include <gtest/gtest.h>

#include <string>

#include "apps/running.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

// A million links on every way of half of the moves: 10^13 crossings.
TEST(BudgetOption, GiantsAreRefusedWithAnEstimate) {
  for (const char* giant : {"reduce --fabric ring --nodes 1048576 --algorithm halving-doubling",
                            "all-gather --fabric cluster --nodes 4096 --algorithm direct --verify",
                            "all-to-all --fabric ring --nodes 1024 --algorithm direct --budget 500ms"}) {
    const Said said = run(std::string("collective --bytes 1GB ") + giant);
    EXPECT_EQ(said.code, 4) << giant << "\n" << said.err;
    EXPECT_NE(said.err.find("the budget"), std::string::npos) << said.err;
    EXPECT_NE(said.err.find(" in all"), std::string::npos) << said.err;
    EXPECT_NE(said.err.find("--budget '"), std::string::npos) << said.err;
    EXPECT_NE(said.err.find(" nodes fit"), std::string::npos) << said.err;
  }
}

// What is refused with less is answered with more.
TEST(BudgetOption, MoreIsAllowed) {
  const std::string question = "collective all-to-all --fabric ring --nodes 48 --bytes 1MB --algorithm direct --json ";
  EXPECT_EQ(run(question + "--budget 1ms").code, 4);
  EXPECT_EQ(run(question + "--budget '60 s, 4 GB'").code, 0);
  EXPECT_EQ(run(question + "--budget 60s").out, run(question + "--budget 4GB").out);
}

TEST(BudgetOption, JobsHaveOneToo) {
  const Said said = run("simulate examples/gpt3_3d.toml --budget 10ms", HELIO_SOURCE_DIR);
  EXPECT_EQ(said.code, 4) << said.err;
  EXPECT_NE(said.err.find("more than 0.01 s of processor time, the budget"), std::string::npos) << said.err;
}

TEST(BudgetOption, NonsenseIsRefused) {
  for (const char* wrong : {"0s", "nothing", "1s,2s", "-1GB", "5"}) {
    const Said said =
        run(std::string("collective all-reduce --fabric ring --nodes 4 --bytes 1MB --budget '") + wrong + "'");
    EXPECT_EQ(said.code, 2) << wrong;
    EXPECT_NE(said.err.find("--budget"), std::string::npos) << said.err;
  }
}

TEST(NoLeap, GivesTheSameAnswer) {
  for (const char* question :
       {"collective all-reduce --fabric ring --nodes 64 --bytes 10MB --algorithm ring",
        "collective all-reduce --fabric torus --set fabric.dimensions=4x4 --bytes 10MB "
        "--algorithm dimension-ordered --set algorithm.pieces=64",
        "collective broadcast --fabric switch --nodes 16 --bytes 1GB --sync dataflow",
        "collective all-reduce --fabric wdm-ring --nodes 64 --bytes 10MB --algorithm wdm-planned",
        "simulate examples/vgg16_dp64.toml"}) {
    const Said leaps = run(std::string(question) + " --json", HELIO_SOURCE_DIR);
    EXPECT_EQ(leaps.code, 0) << leaps.err;
    const std::string walks = run(std::string(question) + " --json --no-leap", HELIO_SOURCE_DIR).out;
    EXPECT_EQ(walks, leaps.out) << question;
  }
}

// A ring of 16,384 has 32,766 equal rounds of 16,384 transfers. Leapt over they are one; walked, 537 million transfers: at a nanosecond each
// more than twice the budget that does for the other.
TEST(NoLeap, WalksEveryRound) {
  const std::string ring =
      "collective all-reduce --fabric ring --nodes 16384 --bytes 10MB --algorithm ring --budget 200ms";
  EXPECT_EQ(run(ring).code, 0);
  EXPECT_EQ(run(ring + " --no-leap").code, 4);
}

// Times that no clock holds are refused by name, and never wrap: slower hardware is never faster.
TEST(Durations, AreRefusedByTheParametersThatMakeThem) {
  const std::string vgg = "simulate examples/vgg16_dp64.toml --json --set job.";
  for (const char* tiny :
       {"npu_parameters.peak=1e-20", "npu_parameters.peak=1e-21", "'npu_parameters.memory_bandwidth=1e-20 b/s'",
        "compute.matrix_efficiency=1e-30", "compute.memory_efficiency=1e-30", "compute.utilisation=1e-30"}) {
    const Said said = run(vgg + tiny, HELIO_SOURCE_DIR);
    EXPECT_EQ(said.code, 4) << tiny << said.out.substr(0, 200);
    EXPECT_NE(said.err.find("npu_parameters.peak"), std::string::npos) << said.err;
  }
  for (const char* slow : {"'fabric.rate=10 b/s'", "'fabric.rate=0.3 b/s'"}) {
    const Said said =
        run(std::string("collective all-reduce --fabric oddl --nodes 8 --bytes 10MB --algorithm direct --set ") + slow);
    EXPECT_EQ(said.code, 4) << slow;
    EXPECT_NE(said.err.find("fabric.rate"), std::string::npos) << said.err;
  }
  const Said long_one =
      run("collective all-reduce --fabric oddl --nodes 8 --bytes 10MB --algorithm direct --set 'fabric.rate=100 b/s'");
  EXPECT_EQ(long_one.code, 0) << long_one.err;
}

}  // namespace
}  // namespace helio::apps
