// SPDX-License-Identifier: Apache-2.0
// helio-execute under mpirun, as people run it: numbers, prediction, faults, sweeps.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace helio::execute {
namespace {

struct Said {
  int code = -1;
  std::string out, err;
};

class HelioExecute : public testing::Test {
 protected:
  HelioExecute() {
    std::filesystem::create_directories(folder_);
    // A container's tests are run by root, on fewer cores than ranks
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  }
  ~HelioExecute() override { std::filesystem::remove_all(folder_); }

  Said shell(const std::string& command) const {
    Said said;
    FILE* pipe = popen((command + " 2>" + folder_ + "/err").c_str(), "r");
    if (!pipe) return said;
    char buffer[4096];
    for (std::size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) said.out.append(buffer, got);
    const int status = pclose(pipe);
    if (WIFEXITED(status)) said.code = WEXITSTATUS(status);
    std::ostringstream err;
    err << std::ifstream(folder_ + "/err").rdbuf();
    said.err = err.str();
    return said;
  }
  Said run(int ranks, const std::string& words) const {
    return shell("mpirun -n " + std::to_string(ranks) + " " + HELIO_EXECUTE_BINARY + " " + words);
  }
  nlohmann::json answer(int ranks, const std::string& words) const {
    const Said said = run(ranks, words + " --json");
    EXPECT_EQ(said.code, 0) << words << "\n" << said.err;
    return said.code == 0 ? nlohmann::json::parse(said.out) : nlohmann::json();
  }
  void expect_refused(const Said& said, int code, std::initializer_list<const char*> words) const {
    EXPECT_EQ(said.code, code) << said.err;
    EXPECT_EQ(said.out, "");
    for (const char* word : words) EXPECT_NE(said.err.find(word), std::string::npos) << word << " in: " << said.err;
    // One message, by one rank
    std::size_t messages = 0;
    for (std::size_t at = 0; (at = said.err.find("helio-execute: ", at)) != std::string::npos; ++at) ++messages;
    EXPECT_EQ(messages, 1u) << said.err;
  }

  const std::string folder_ =
      (std::filesystem::temp_directory_path() / ("helio_execute_" + std::to_string(getpid()))).string();
};

TEST_F(HelioExecute, EveryScheduleOnRealRanks) {
  for (const int ranks : {2, 5, 8, 16}) {
    const Said said = shell("mpirun -n " + std::to_string(ranks) + " " + HELIO_EVERY_SCHEDULE_BINARY);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_GE(std::stoi("0" + said.out), 25) << said.out;
  }
}

TEST_F(HelioExecute, AnswersWithTheKeysOfTheContract) {
  const auto json = answer(3, "all-reduce --algorithm ring --bytes 30kB --repeat 2");
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["steps"], 4);  // 2 (3 - 1)
  EXPECT_GT(json["time_s"], 0);
  EXPECT_DOUBLE_EQ(json["ratio_to_mpi"].get<double>(), json["mpi_time_s"].get<double>() / json["time_s"].get<double>());
  EXPECT_TRUE(json["predicted_s"].is_null());
  EXPECT_EQ(answer(1, "broadcast --bytes 4kB")["verified"], true);
  const auto groups = answer(4,
                             "reduce-scatter --algorithm halving-doubling --bytes 12kB --groups '0,3;2,1' --op average "
                             "--dtype bf16 --repeat 1");
  EXPECT_EQ(groups["groups"], 2);
  EXPECT_EQ(groups["verified"], true);
}

// Codes of 8 bits: the error is not zero, and about the step of a code over the spread of the numbers.
TEST_F(HelioExecute, OpticalSwitchesAverageCodes) {
  const auto json = answer(4, "all-reduce --algorithm in-fabric --fabric optinc --bytes 40kB --repeat 1");
  EXPECT_EQ(json["verified"], true);
  EXPECT_GT(json["value_error"], 1e-4);
  EXPECT_LT(json["value_error"], 0.05);
  expect_refused(run(2, "all-reduce --fabric optinc --bytes 4kB --dtype int32 --algorithm in-fabric"), 4, {"float32"});
}

// What is measured is a graph that the simulator takes; this machine may be busy, so that nothing is said of how near it is.
TEST_F(HelioExecute, CalibratesAndPredicts) {
  const std::string graph = folder_ + "/machine.graph";
  EXPECT_EQ(answer(2, "--calibrate --out " + graph)["ranks"], 2);
  const auto json =
      answer(2, "all-reduce --algorithm ring --bytes 1MB --repeat 1 --fabric graph --set fabric.file=" + graph);
  EXPECT_GT(json["predicted_s"], 0);
  EXPECT_EQ(json["fabric"], "graph");
}

TEST_F(HelioExecute, RunsAScheduleFile) {
  const std::string file = folder_ + "/s.json";
  ASSERT_EQ(shell(std::string(HELIO_BINARY) +
                  " export schedule all-to-all --fabric switch --nodes 3 --algorithm direct --bytes "
                  "3kB --out " +
                  file)
                .code,
            0);
  EXPECT_EQ(answer(3, "all-to-all --bytes 36kB --dtype float64 --repeat 1 --algorithm file:" + file)["algorithm"],
            "file:" + file);
  expect_refused(run(2, "all-to-all --bytes 36kB --algorithm file:" + file), 3, {"3 ranks", "here are 2"});
  expect_refused(run(3, "all-reduce --bytes 36kB --algorithm file:" + file), 4, {"all-to-all"});
  expect_refused(run(3, "all-to-all --bytes 40B --algorithm file:" + file), 3, {"10 elements", "3 equal slots"});
}

TEST_F(HelioExecute, SaysWhatIsWrong) {
  expect_refused(run(2, "all-reduce --bytes 10B --algorithm ring"), 3, {"whole number of float32"});
  expect_refused(run(2, "all-reduce --bytes 8B --algorithm rign"), 3, {"rign", "ring"});
  expect_refused(run(2, "all-reduce --bytes 8B --dtype float16"), 3, {"float16"});
  expect_refused(run(2, "all-gather --bytes 8B --op average"), 2, {"adds nothing"});
  expect_refused(run(2, "all-reduce --bytes 8B --fabric switch --nodes 4"), 3, {"4 nodes", "2 ranks"});
  expect_refused(run(2, "all-reduce --bytes 8B --pieces 4"), 2, {"--pieces"});
  const std::string binary = HELIO_EXECUTE_BINARY, rest = " all-reduce --bytes 8kB --algorithm ";
  expect_refused(shell("mpirun -n 1 " + binary + rest + "ring : -n 1 " + binary + rest + "direct"), 3,
                 {"rank 1 was asked something else"});
}

// The same file, on two ranks: every point has one row, as if one process had done it; a run that is killed goes on.
TEST_F(HelioExecute, SweepsOnRanks) {
  const std::string sweep = folder_ + "/s.toml", rest = " sweep " + sweep + " --json --out " + folder_ + "/s.db";
  std::ofstream(sweep) << "command = \"describe ring\"\n[vary]\nnodes = {from = 1, to = 60, step = 1}\n";
  const std::string helio = HELIO_BINARY;
  const Said killed =
      shell("mpirun -n 2 sh -c 'if [ $OMPI_COMM_WORLD_RANK = 1 ]; then (sleep 1; kill -KILL $$) & fi; exec " + helio +
            rest + "'");
  const Said said = shell("mpirun -n 2 " + helio + rest);
  ASSERT_EQ(said.code, 0) << said.err;
  const auto json = nlohmann::json::parse(said.out);
  EXPECT_EQ(json["finished"], 60) << killed.err;
  EXPECT_EQ(json["codes"]["0"], 60);
  std::ofstream(sweep) << "command = \"describe rign\"\n[vary]\nnodes = [1, 2]\n";
  const Said wrong = shell("mpirun -n 2 " + helio + " sweep " + sweep + " --out " + folder_ + "/w.db");
  EXPECT_EQ(wrong.code, 3) << wrong.err;
  EXPECT_NE(wrong.err.find("rign"), std::string::npos) << wrong.err;
}

// A rank that dies is told of by mpirun, one that hangs by the others. It does so amid the work: a second of its own processor time is ten times
// what starting takes. Whoever hangs is ended by `timeout`, with 124.
TEST_F(HelioExecute, ADeadRankEndsTheRun) {
  const auto with_signal = [&](const char* signal) {
    return shell(
        std::string(
            "timeout -k 5 120 mpirun -n 3 sh -c 'if [ $OMPI_COMM_WORLD_RANK = 1 ]; then (while [ $(cut -d\" \" -f14 "
            "/proc/$$/stat) -lt 100 ]; do sleep 0.1; done; kill -") +
        signal + " $$) & fi; exec " + HELIO_EXECUTE_BINARY +
        " all-reduce --bytes 4MB --algorithm ring --repeat 10000 --patience 2'");
  };
  const Said killed = with_signal("KILL");
  EXPECT_NE(killed.code, 0);
  EXPECT_NE(killed.code, 124);
  EXPECT_NE(killed.err.find("signal 9"), std::string::npos) << killed.err;
  const Said stopped = with_signal("STOP");
  EXPECT_EQ(stopped.code, 4) << stopped.err;
  EXPECT_NE(stopped.err.find("s for the others, and nothing came"), std::string::npos) << stopped.err;
}

}  // namespace
}  // namespace helio::execute
