// SPDX-License-Identifier: Apache-2.0
// How helio meets somebody who has never used it: help of its own for each command, names in any case, files to start from, completion.
#include "../../apps/help.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "apps/refused.h"
#include "apps/running.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

namespace fs = std::filesystem;

// Every command and all within it, as the reference lists them: "plan collective".
std::vector<std::string> commands() {
  std::vector<std::string> found;
  std::istringstream lines(run("reference commands").out);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("## helio")) found.push_back(line.size() > 9 ? line.substr(9) : "");
  return found;
}

long lines_of(const std::string& text) { return std::ranges::count(text, '\n'); }

TEST(Help, OfEachCommandFitsOnAScreenAndEndsWithItsOwnExamplesAndPage) {
  const std::vector<std::string> all = commands();
  EXPECT_GE(all.size(), 25u);
  for (const std::string& command : all) {
    const auto ending = std::ranges::find(endings(), command, &Ending::command);
    ASSERT_NE(ending, endings().end()) << "say in apps/help.cpp how the help of '" << command << "' ends";
    EXPECT_LE(ending->examples.size(), command.empty() ? 4u : 3u);
    EXPECT_TRUE(fs::exists(std::string(HELIO_SOURCE_DIR) + "/docs/" + std::string(ending->page))) << ending->page;
    const Said help = run(command + " --help");
    if ((command.ends_with("train") || command == "execute") && help.code == 4)
      continue;  // a program that is not there
    ASSERT_EQ(help.code, 0) << command;
    EXPECT_LE(lines_of(help.out), 60) << command;
    if (command.ends_with("train") || command == "execute") continue;  // its own words
    EXPECT_EQ(help.out, run("help " + command).out) << command;
    EXPECT_NE(help.out.find("Read docs/" + std::string(ending->page)), std::string::npos) << command;
    for (const std::string_view example : ending->examples) {
      EXPECT_TRUE(example.starts_with("helio " + command)) << example;
      EXPECT_NE(help.out.find(example), std::string::npos) << command;
    }
  }
  for (const Ending& ending : endings()) EXPECT_EQ(std::ranges::count(all, ending.command), 1) << ending.command;
  expect_refused("help colective", 2, {"collective"});
}

// All but those that take minutes, need a file that people bring, or write into a home. In the order of the table, so that files are there.
TEST(Help, ExamplesRun) {
  const std::string folder = scratch_file("examples");
  fs::create_directories(folder + "/out");
  for (const char* name : {"examples", "studies"})
    fs::create_directory_symlink(std::string(HELIO_SOURCE_DIR) + "/" + name, folder + "/" + name);
  int ran = 0;
  for (const Ending& ending : endings())
    for (const std::string_view example : ending.examples) {
      const bool elsewhere =
          example.find("measured.csv") != std::string_view::npos || example.find("train") != std::string_view::npos ||
          example.find("reproduce all") != std::string_view::npos || example.find("~/") != std::string_view::npos ||
          example == "helio report out/report" || example.find("part-*") != std::string_view::npos ||
          example.starts_with("mpirun") || example.starts_with("helio plan examples");
      if (elsewhere) continue;
      std::string words(example.substr(std::string_view("helio ").size()));
      if (const std::size_t second = words.find("&& helio "); second != std::string::npos)
        words.replace(second, 9, std::string("&& ") + HELIO_BINARY + " ");
      const Said said = run(words, folder);
      EXPECT_EQ(said.code, 0) << example << "\n" << said.err;
      ++ran;
    }
  EXPECT_GE(ran, 30);
  fs::remove_all(folder);
}

TEST(Names, AreFoundInAnyCaseAndByTheirFamily) {
  EXPECT_EQ(run("describe H100").out, run("describe h100").out);
  const std::string ring = "collective all-reduce --nodes 8 --bytes 1MB --fabric ";
  EXPECT_EQ(run(ring + "ring --algorithm ring --json").out, run(ring + "Ring --algorithm RING --json").out);
  EXPECT_EQ(in_known_case("Switch:rate=1 Gb/s"), "switch:rate=1 Gb/s");
  EXPECT_EQ(in_known_case("H100,B200"), "h100,b200");
  EXPECT_EQ(in_known_case("my-own.toml"), "my-own.toml");
  expect_refused("describe llama70b", 3, {"'llama-65b'", ".json"});
  expect_refused("describe a100", 3, {"'a100-40'"});
  expect_refused("describe transformer-18b", 3, {"'transformer-17b'"});
}

// A mistake is answered with the next thing to type, not with everything there is.
TEST(Names, ThatOthersUseLeadToOurs) {
  const std::string ring = "collective all-reduce --nodes 8 --bytes 1MB --fabric ";
  expect_refused(ring + "infiniband", 3, {"'cluster'"});
  expect_refused(ring + "FatTree", 3, {"'fat-tree'"});
  expect_refused("collective all-reduce --fabric ring --gpus 8 --bytes 1MB", 2, {"'--gpus'", "--nodes"});
  expect_refused("collective all-reduce --fabric ring --nodes 8 --size 1MB", 2, {"'--size'", "--bytes"});
  expect_refused(ring + "ring --latency 1us", 2, {"--set fabric.latency=VALUE"});
  expect_refused(ring + "ring --algoritm ring", 2, {"--algorithm", "helio help collective"});
  expect_refused(ring + "ring --set fabric.bandwidth=1Gb/s", 3, {"'rate'"});
  expect_refused("onn build --bits 8", 2, {"--servers is required", "helio help onn build"});
  expect_refused("allreduce", 2, {"'helio collective all-reduce'"});
  expect_refused("models", 2, {"'helio list models'"});
  expect_refused("H100", 2, {"'helio describe h100'"});
  expect_refused("mine.toml", 2, {"'helio simulate mine.toml'"});
  expect_refused("list gpus", 3, {"'npus'"});
  expect_refused("", 2, {"helio new job", "helio help"});
  EXPECT_LT(run("describe deepseek").err.size(), 300u);
}

// Numbers that tell neighbours apart: NVIDIA's data sheets, Simonyan and Zisserman.
TEST(Names, AreListedWithTheirNumbers) {
  EXPECT_NE(run("list npus").out.find("989.5 TFLOP/s of bf16, "), std::string::npos) << run("list npus").out;
  EXPECT_NE(run("list models").out.find("138.4 M parameters"), std::string::npos) << run("list models").out;
  EXPECT_NE(run("list fabrics").out.find("rate 400 Gb/s, latency 500 ns"), std::string::npos);
}

TEST(New, FilesRunAsTheyStand) {
  const std::string folder = scratch_file("new");
  fs::create_directories(folder);
  for (const char* kind : {"collective", "job", "slices", "sweep", "plan"}) {
    const Said made = run(std::string("new ") + kind + " --out " + kind + ".toml", folder);
    ASSERT_EQ(made.code, 0) << made.err;
    const std::string text = contents(folder + "/" + kind + ".toml");
    EXPECT_EQ(text, run(std::string("new ") + kind).out);
    const std::size_t at = text.find("#     helio ") + 12;
    const Said said = run(text.substr(at, text.find('\n', at) - at), folder);
    EXPECT_EQ(said.code, 0) << kind << "\n" << said.err;
  }
  expect_refused("new jobs", 3, {"'job'"});
  fs::remove_all(folder);
}

// bash itself is asked; for the others their words are looked for.
TEST(Completion, OffersCommandsOptionsAndNames) {
  const std::string script = scratch_file("completion");
  ASSERT_EQ(run("completion bash > " + script).code, 0);
  const auto offered = [&](const std::string& words) {
    const std::string answer = scratch_file("offered");
    const std::string line = "bash -c 'source " + script + "; COMP_WORDS=(" + words +
                             "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _helio; echo \"${COMPREPLY[*]}\"' > " + answer;
    EXPECT_EQ(std::system(line.c_str()), 0);
    const std::string text = contents(answer);
    fs::remove(answer);
    return text;
  };
  EXPECT_EQ(offered("helio colle"), "collective\n");
  EXPECT_EQ(offered("helio collective all-red"), "all-reduce\n");
  EXPECT_EQ(offered("helio collective all-reduce --fabric fat"), "fat-tree\n");
  EXPECT_EQ(offered("helio onn ev"), "evaluate\n");
  EXPECT_EQ(offered("helio onn evaluate --phase-b"), "--phase-bits\n");
  EXPECT_EQ(offered("helio new sl"), "slices\n");
  fs::remove(script);
  for (const char* shell : {"zsh", "fish"}) {
    const std::string text = run(std::string("completion ") + shell).out;
    for (const char* word : {"collective", "wdm-planned", "fat-tree", "what-if"})
      EXPECT_NE(text.find(word), std::string::npos) << shell << " " << word;
  }
  // Where they are, zsh reads its script, and fish says what it would offer.
  const auto there = [](const std::string& shell) {
    return std::system(("command -v " + shell + " > /dev/null").c_str()) == 0;
  };
  if (there("zsh")) {
    const std::string file = scratch_file("completion.zsh");
    ASSERT_EQ(run("completion zsh > " + file).code, 0);
    EXPECT_EQ(std::system(("zsh -n " + file).c_str()), 0);
    fs::remove(file);
  }
  if (there("fish")) {
    const std::string file = scratch_file("completion.fish"), answer = scratch_file("offered");
    ASSERT_EQ(run("completion fish > " + file).code, 0);
    const std::string line = "fish -c 'source " + file + "; complete -C \"helio onn ev\"' > " + answer;
    EXPECT_EQ(std::system(line.c_str()), 0);
    EXPECT_EQ(contents(answer), "evaluate\n");
    for (const std::string& made : {file, answer}) fs::remove(made);
  }
  expect_refused("completion tcsh", 3, {"bash"});
}

// 2 (n-1) (l + d/(nr)) with d/(nr) = 125 KB over 400 Gb/s = 2.5 us: of 14 · 3 us the rate's half is saved when it doubles, 17.5 us of 42.
TEST(WhatIf, IsToldWhereItIsAskedForAndNeverInJson) {
  const std::string asked = "collective all-reduce --fabric ring --nodes 8 --bytes 1MB --algorithm ring";
  EXPECT_EQ(run(asked).out.find("what if"), std::string::npos);
  const std::string told = run(asked + " --what-if").out;
  EXPECT_NE(told.find("  what if      By the fastest algorithm that was found"), std::string::npos) << told;
  EXPECT_NE(told.find("               With fabric.rate doubled to 800 Gb/s it would take 24.5 us, 41.7 % less\n"),
            std::string::npos)
      << told;
  EXPECT_EQ(run(asked + " --what-if --json").out, run(asked + " --json").out);
}

TEST(Simulate, AWholeFabricIsReplacedAndAParameterUnset) {
  const std::string one = scratch_file("one.toml");
  std::ofstream(one)
      << "[fabric]\nname = \"switch\"\nnodes = 16\nreducers = 1\nrate = \"1 Gb/s\"\n[[collective]]\nkind = "
         "\"all-reduce\"\nbytes = \"1 MB\"\nalgorithm = \"ring\"\n";
  const std::string ring = run("simulate " + one + " --fabric ring").out;
  EXPECT_NE(ring.find("on ring (16 ranks)"), std::string::npos) << ring;
  EXPECT_NE(run("simulate " + one + " --fabric torus:dimensions=2x4").out.find("on torus (8 ranks)"),
            std::string::npos);
  // Unset, the rate is the default again, 400 times as much
  EXPECT_NE(run("simulate " + one + " --set fabric.rate=").out, run("simulate " + one).out);
  EXPECT_EQ(run("simulate " + one + " --set fabric.rate=").code, 0);
  expect_refused("simulate " + one + " --set fabric.routing=", 3, {"not set"});
  expect_refused("simulate " + one + " --fabric rings", 3, {"'ring'"});
  fs::remove(one);
}

// The smallest fat-tree of 48 hosts has k = 6, racks of 3; what the whole racks of k = 16 save is the time of a run with them.
TEST(WhatIf, PricesRacksThatHoldWholeGroups) {
  const std::string job = scratch_file("racks.toml");
  std::ofstream(job) << "[fabric]\nname = \"fat-tree\"\nnodes = 48\n[[job]]\nmodel = \"llama-7b\"\nnpu = "
                        "\"a100-80\"\nalgorithm = \"usual\"\ntp = 8\ndp = 6\nmicro_batch = 1\nmicro_batches = 16\n";
  const std::string told = run("simulate " + job + " --what-if").out,
                    words = "With fabric.k = 16, racks of 8 that hold whole groups of 8 it would take ";
  const std::string whole = run("simulate " + job + " --set fabric.k=16").out, head = "  time         ";
  const std::size_t at = told.find(words), time = whole.find(head);
  ASSERT_NE(at, std::string::npos) << told;
  ASSERT_NE(time, std::string::npos) << whole;
  const std::string seconds = whole.substr(time + head.size(), whole.find(" s ", time) + 2 - time - head.size());
  EXPECT_EQ(told.substr(at + words.size(), seconds.size()), seconds);
  std::filesystem::remove(job);
}

TEST(Defaults, SayWhatTheyCost) {
  // 128 hosts: k = 8 gives just these, racks of 4; groups of 8 fit into the racks of k = 16
  const std::string job = scratch_file("job.toml");
  std::ofstream(job)
      << "[fabric]\nname = \"fat-tree\"\nnodes = 128\n[[job]]\nmodel = \"llama-7b\"\nnpu = \"a100-80\"\nalgorithm = "
         "\"usual\"\ntp = 8\ndp = 16\nmicro_batch = 1\n";
  const Said said = run("simulate " + job + " --what-if");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("groups of 8 lie across racks of the smallest fat-tree: fabric.k = 16 has racks of 8"),
            std::string::npos)
      << said.out;
  EXPECT_NE(said.out.find("  what if      With "), std::string::npos) << said.out;
  EXPECT_EQ(run("simulate " + job + " --set fabric.k=16").out.find("lie across"), std::string::npos);
  fs::remove(job);

  const std::string wafer = "collective all-reduce --fabric fred --bytes 1MB --nodes ";
  EXPECT_NE(run(wafer + "512").out.find("512 NPUs on one wafer, where the paper has 20"), std::string::npos);
  EXPECT_EQ(run(wafer + "20").out.find("beware"), std::string::npos);
}

}  // namespace
}  // namespace helio::apps
