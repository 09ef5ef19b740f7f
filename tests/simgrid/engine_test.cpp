// SPDX-License-Identifier: Apache-2.0
// `helio --engine simgrid` and helio-simgrid, as people run them.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/listed_options.h"
#include "apps/running.h"

namespace helio::apps {
namespace {

nlohmann::json answer(const std::string& arguments) {
  const Said said = run(arguments + " --json");
  EXPECT_EQ(said.code, 0) << said.err;
  return nlohmann::json::parse(said.out, nullptr, false);
}

Said run_simgrid(const std::string& program, const std::string& options = "") {
  const std::string file = scratch_file("program.flow"), out = scratch_file("out"), err = scratch_file("err");
  std::ofstream(file) << program;
  const int status =
      std::system((std::string(HELIO_SIMGRID_BINARY) + " " + options + " " + file + " >" + out + " 2>" + err).c_str());
  const Said said{WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
  for (const std::string& path : {file, out, err}) std::filesystem::remove(path);
  return said;
}

TEST(SimgridEngine, TimeIsSimgridsAndTheRestIsAsUsual) {
  const std::string asked = "collective all-reduce --fabric ring --nodes 16 --bytes 100MB --algorithm ring";
  const nlohmann::json ours = answer(asked), theirs = answer(asked + " --engine simgrid");
  EXPECT_EQ(ours["engine"], "helio");
  EXPECT_EQ(theirs["engine"], "simgrid");
  EXPECT_NEAR(theirs["time_s"].get<double>(), ours["time_s"].get<double>(), 1e-9 * ours["time_s"].get<double>());
  for (const char* key : {"steps", "traffic_bytes", "injected_bytes", "bottleneck", "algorithm"})
    EXPECT_EQ(theirs[key], ours[key]) << key;
}

TEST(SimgridEngine, WhatSimgridCannotExpressIsInfeasible) {
  const Said said =
      run("collective all-reduce --fabric switch --nodes 8 --bytes 1MB --algorithm in-fabric --set fabric.reducers=1 "
          "--engine simgrid");
  EXPECT_EQ(said.code, 4);
  EXPECT_NE(said.err.find("SimGrid cannot express"), std::string::npos) << said.err;
}

TEST(SimgridEngine, TheProgramMayBeNamed) {
  setenv("HELIO_SIMGRID", "/no/such/program", 1);
  const Said missing =
      run("collective all-reduce --fabric ring --nodes 4 --bytes 1MB --algorithm ring --engine simgrid");
  setenv("HELIO_SIMGRID", HELIO_SIMGRID_BINARY, 1);
  const Said there = run("collective all-reduce --fabric ring --nodes 4 --bytes 1MB --algorithm ring --engine simgrid");
  unsetenv("HELIO_SIMGRID");
  EXPECT_EQ(missing.code, 4);
  EXPECT_EQ(there.code, 0) << there.err;
}

// What helio makes of all else that a program may do in its place: tests/pipeline/second_opinion_test.cpp.
TEST(SimgridEngine, AProgramThatIsNoneIsNoAnswer) {
  const std::string script = scratch_file("companion");
  std::ofstream(script) << "#!/bin/sh\necho '{\"time_s\": 1e-9, \"wall_s\": 0, \"processor_s\": 0}'\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  setenv("HELIO_SIMGRID", script.c_str(), 1);
  const Said said = run("collective all-reduce --fabric ring --nodes 4 --bytes 1MB --algorithm ring --engine simgrid");
  unsetenv("HELIO_SIMGRID");
  std::filesystem::remove(script);
  EXPECT_EQ(said.code, 4);
  for (const char* words : {"1e-09 s", "lower bound", "(--engine)", "--engine helio"})
    EXPECT_NE(said.err.find(words), std::string::npos) << words << ": " << said.err;
}

TEST(SimgridEngine, FilesMayHaveAnyName) {
  const std::string folder = scratch_file("names"), program = scratch_file("named.flow");
  std::filesystem::create_directories(folder);
  std::ofstream(program)
      << "heliograph-flow 1\nlink 8000 a\nroute 0 0\ntemplate t\ntransfer route=0 bytes=500\nentry 0\n";
  expect_any_path(HELIO_SIMGRID_BINARY, folder, {{"", "PROGRAM", "'" + folder + "/" + kNoUtf8 + "'", program}});
  std::filesystem::remove_all(folder);
  std::filesystem::remove(program);
}

TEST(SimgridEngine, AFullStandardOutputIsNoticed) {
  EXPECT_EQ(answered(std::string(HELIO_SIMGRID_BINARY) + " --help >/dev/full").code, 3);
  EXPECT_EQ(answered(std::string(HELIO_SIMGRID_BINARY) + " --help >&-").code, 3);
}

TEST(SimgridEngine, TheProgramAnswersAlone) {
  const Said said = run_simgrid(
      "heliograph-flow 1\nlink 8000 a\nroute 0 0\ntemplate t\ntransfer route=0 bytes=500\nentry 0\n", "--operations");
  ASSERT_EQ(said.code, 0) << said.err;
  const nlohmann::json json = nlohmann::json::parse(said.out);
  EXPECT_NEAR(json["time_s"].get<double>(), 0.5, 1e-12);
  EXPECT_EQ(json["transfers"], 1);
  EXPECT_EQ(json["operations_s"].size(), 1u);
}

TEST(SimgridEngine, BadInputHasItsCode) {
  EXPECT_EQ(run_simgrid("heliograph-flow 1\nlink 0 a\n").code, 3);
  EXPECT_EQ(run_simgrid("heliograph-flow 1\ntemplate t\nentry 0\n", "--no-such-option").code, 2);
  EXPECT_EQ(
      run_simgrid("heliograph-flow 1\nchannel 0 0 plain c\nroute 0 / 0\ntemplate t\ncompute route=0\nentry 0\n").code,
      4);
}

}  // namespace
}  // namespace helio::apps
