// SPDX-License-Identifier: Apache-2.0
// What the command does to files: what it reads it leaves as it was, whatever option names it and by whatever name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "apps/refused.h"
#include "apps/running.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

namespace fs = std::filesystem;

// "EXPERIMENT INFILE" of `helio simulate`
struct PathOption {
  std::string name, word;
  bool written() const { return word != "INFILE"; }
};
using Table = std::map<std::string, std::vector<PathOption>>;

// As the generated reference has it: "| `helio simulate` | `EXPERIMENT INFILE`, `--trace OUTFILE` |".
Table table() {
  Table found;
  std::istringstream lines(run("reference commands").out);
  for (std::string line; std::getline(lines, line) && line != "| command | files |";) continue;
  for (std::string line; std::getline(lines, line) && line.starts_with('|');) {
    std::vector<std::string> quoted;
    for (std::size_t at = 0; (at = line.find('`', at)) != std::string::npos;) {
      const std::size_t end = line.find('`', at + 1);
      quoted.push_back(line.substr(at + 1, end - at - 1));
      at = end + 1;
    }
    for (std::size_t i = 1; i < quoted.size(); ++i)
      found[quoted[0].substr(std::string("helio ").size())].push_back(
          {quoted[i].substr(0, quoted[i].find(' ')), quoted[i].substr(quoted[i].find(' ') + 1)});
  }
  return found;
}

// A folder of its own with an input for every command that reads one.
class Files : public testing::Test {
 protected:
  Files() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    put("simulate",
        "[fabric]\nname = \"ring\"\nnodes = 4\n[[collective]]\nkind = \"all-reduce\"\nbytes = \"1 MB\"\nalgorithm = "
        "\"ring\"\n");
    put("compare", contents(path("simulate")));
    put("plan",
        "[plan]\nmodel = \"gpt2-xl\"\nnpus = 8\nnpu = \"a100-80\"\nfabric = \"switch\"\ntp = 1\npp = 1\nruns = 1\n");
    put("validate", "size_B,time_us\n1000000,50\n100000000,900\n");
    put("fred route", "[{\"inputs\": [0, 2], \"outputs\": [0, 2]}]");
    put("slices", contents(HELIO_SOURCE_DIR "/examples/oddl_slices.toml"));
    put("onn decompose", "[[1, 0], [0, 1]]");
    EXPECT_EQ(run("onn build --servers 2 --bits 4 --out " + file("onn describe")).code, 0);
    put("onn evaluate", contents(path("onn describe")));
    put("few.toml",
        "command = \"collective all-reduce --fabric ring --bytes 1MB --algorithm ring\"\nvalue = \"time_s\"\n"
        "[vary]\nnodes = [2, 4]\n");
    EXPECT_EQ(run("sweep " + file("few.toml") + " --workers 1 --out " + file("sweep show")).code, 0);
  }
  ~Files() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string file(const std::string& name) const { return "'" + path(name) + "'"; }  // for a shell
  void put(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  // The command line that reads `input` through `option`, and what it needs beside.
  static std::string asked(const std::string& command, const PathOption& option, const std::string& input) {
    return command + (option.name.starts_with("--") ? " " + option.name : "") + " '" + input + "'" +
           (command == "fred route" ? " --ports 4" : "");
  }

  const std::string folder_ =
      scratch_file(std::string("files_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

// Every option that is described as a file or a folder says what is done to it. What is written without such a word ends with 1.
TEST_F(Files, EveryOptionThatNamesOneSaysWhatIsDoneToIt) {
  const Table known = table();
  EXPECT_GE(known.size(), 13u);
  std::istringstream lines(run("reference commands").out);
  int paths = 0;
  std::string command;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## helio ")) command = line.substr(std::string("## helio ").size());
    if (command.empty() || !line.starts_with("| `") || line.starts_with("| `helio")) continue;
    const std::string written = line.substr(3, line.find('`', 3) - 3);
    std::string words = line.substr(line.find('`', 3));
    // A schedule file is named within a word, and read as all are
    const std::size_t scheme = words.find("file:PATH");
    if (scheme != std::string::npos) words.erase(scheme, words.find_first_of(";|", scheme) - scheme);
    const bool about = (words.find("file") != std::string::npos || words.find("folder") != std::string::npos) &&
                       words.find("as the file says") == std::string::npos;
    const auto here = known.find(command);
    const bool marked = here != known.end() && std::ranges::any_of(here->second, [&](const PathOption& option) {
                          return written == option.name || written == option.name + " " + option.word;
                        });
    EXPECT_TRUE(!about || marked) << command << ": " << line;
    paths += marked;
  }
  EXPECT_GE(paths, 23);
}

// Each input of each command as each of its outputs: by its name, through a link and by another name of the same file.
TEST_F(Files, WhatIsReadIsNotReplaced) {
  int tried = 0;
  for (const auto& [command, options] : table())
    for (const PathOption& in : options)
      for (const PathOption& out : options) {
        if (in.written() || out.word != "OUTFILE") continue;
        const std::string input = path(command), before = contents(input);
        ASSERT_FALSE(before.empty()) << "an example of what " << command << " reads is missing here";
        const std::string link = path("link"), hard = path("hard");
        for (const std::string& name : {input, link, hard, folder_ + "/./" + command}) {
          fs::remove(link);
          fs::remove(hard);
          fs::create_symlink(input, link);
          fs::create_hard_link(input, hard);
          expect_refused(asked(command, in, input) + " " + out.name + " '" + name + "'", 2, {out.name, "replace"});
          expect_refused(asked(command, in, name) + " " + out.name + " '" + input + "'", 2, {out.name, "replace"});
          EXPECT_EQ(contents(input), before);
          EXPECT_EQ(contents(hard), before);
          EXPECT_TRUE(fs::is_symlink(link));
          ++tried;
        }
        // And they work alone.
        const Said said = run(asked(command, in, input) + " " + out.name + " " + file("out"));
        EXPECT_EQ(said.code, 0) << said.err;
        EXPECT_FALSE(contents(path("out")).empty());
        fs::remove(path("out"));
      }
  EXPECT_EQ(tried, 5 * 4);  // simulate, fred route, onn decompose, onn describe, sweep show
}

// A report's own files are no input of the report that would replace them, nor the place of another output.
TEST_F(Files, AReportDoesNotReplaceWhatIsRead) {
  int tried = 0;
  for (const auto& [command, options] : table())
    for (const PathOption& in : options) {
      const bool reports = std::ranges::any_of(options, [](const PathOption& o) { return o.name == "--report"; });
      if (in.written() || !reports || in.name == "--log")
        continue;  // a log has no page, and a study with one takes long
      const std::string reported = path("report");
      const Said first = run(asked(command, in, path(command)) + " --report " + reported);
      ASSERT_EQ(first.code, 0) << first.err;
      for (const auto& entry : fs::directory_iterator(reported)) {
        const std::string name = entry.path().filename().string();
        if (name == "manifest.json") continue;
        const std::string before = contents(reported + "/" + name);
        fs::copy_file(path(command), reported + "/" + name, fs::copy_options::overwrite_existing);
        expect_refused(asked(command, in, reported + "/" + name) + " --report " + reported, 2, {"--report", "replace"});
        EXPECT_EQ(contents(reported + "/" + name), contents(path(command))) << name;
        put("report/" + name, before);
        for (const PathOption& out : options)
          if (out.word == "OUTFILE")
            expect_refused(asked(command, in, path(command)) + " --report " + reported + " " + out.name + " '" +
                               reported + "/" + name + "'",
                           2, {"--report", out.name, "one file"});
        EXPECT_EQ(contents(reported + "/" + name), before) << name;
        ++tried;
      }
      fs::remove_all(reported);
    }
  EXPECT_GE(tried, 5 * 4);  // of five commands index.html, page.json, the answer and a figure each
}

// Files that no option names: a fabric's graph, a job's model.
TEST_F(Files, WhatAnExperimentReadsIsNotReplacedEither) {
  put("graph.txt", contents(HELIO_SOURCE_DIR "/examples/graphs/uneven_ring.txt"));
  put("model.toml", contents(HELIO_SOURCE_DIR "/examples/models/two_layer_net.toml"));
  put("job.toml", "[fabric]\nname = \"cluster\"\nnodes = 4\n[[job]]\nmodel = \"model.toml\"\ndp = 4\n");
  fs::create_symlink("graph.txt", path("link"));
  const std::string graph = contents(path("graph.txt")), model = contents(path("model.toml"));
  const std::string on_graph =
      "collective all-reduce --fabric graph --set fabric.file=" + path("graph.txt") + " --bytes 1MB --algorithm ring";
  ASSERT_EQ(run(on_graph + " --trace " + path("t.json")).code, 0) << run(on_graph).err;
  for (const char* name : {"graph.txt", "link"})
    expect_refused(on_graph + " --trace " + path(name), 2, {"--trace", "graph.txt"});
  expect_refused("simulate " + path("job.toml") + " --trace " + path("model.toml"), 2, {"--trace", "model.toml"});
  EXPECT_EQ(contents(path("graph.txt")), graph);
  EXPECT_EQ(contents(path("model.toml")), model);
}

// Of a file that was written with a full disk, a kilobyte or two of it, the old content stays; and of a report.
TEST_F(Files, AFullDiskTakesNothing) {
  const auto on_full_disk = [&](const std::string& arguments) {
    const std::string command = std::string("trap '' XFSZ; ulimit -f 2; ") + HELIO_BINARY + " " + arguments;
    return std::system((command + " >/dev/null 2>" + path("err")).c_str()) >> 8;
  };
  const std::string network = contents(path("onn describe"));
  EXPECT_EQ(on_full_disk("onn build --servers 4 --bits 8 --out " + file("onn describe")), 3) << contents(path("err"));
  EXPECT_EQ(contents(path("onn describe")), network);
  put("t.json", "old");
  EXPECT_EQ(on_full_disk("simulate " + path("simulate") + " --trace " + path("t.json")), 3) << contents(path("err"));
  EXPECT_EQ(contents(path("t.json")), "old");
  ASSERT_EQ(run("simulate " + path("simulate") + " --report " + path("r")).code, 0);
  const std::string page = contents(path("r/index.html"));
  EXPECT_EQ(on_full_disk("validate " + path("validate") + " --report " + path("r")), 3) << contents(path("err"));
  EXPECT_EQ(contents(path("r/index.html")), page);
  EXPECT_FALSE(fs::exists(path("r/validation.json")));
}

// What is in the way of a report is said before the question is looked at, and stays.
TEST_F(Files, WhatIsInTheWayOfAReportStays) {
  fs::create_directory(path("site"));
  put("site/index.html", "my home page");
  expect_refused("collective all-reduce --fabric none --bytes 1MB --report " + path("site"), 3,
                 {"site/index.html", "in the way", "--report"});
  EXPECT_EQ(contents(path("site/index.html")), "my home page");
  EXPECT_EQ(std::distance(fs::directory_iterator(path("site")), {}), 1);
}

// The same folder for another question: what the first left is gone, what was never its own is not.
TEST_F(Files, AReportLeavesNothingOfTheOneBefore) {
  ASSERT_EQ(run("simulate " + path("simulate") + " --report " + path("r")).code, 0);
  put("r/notes.txt", "mine");
  EXPECT_TRUE(fs::exists(path("r/results.json")));
  ASSERT_EQ(run("validate " + path("validate") + " --report " + path("r")).code, 0);
  EXPECT_FALSE(fs::exists(path("r/results.json")));
  EXPECT_EQ(contents(path("r/notes.txt")), "mine");
  EXPECT_EQ(run("report " + path("r")).code, 0);
}

// "a" has a figure "a-spent", and the other collective is called so.
TEST_F(Files, NamesOfCollectivesDoNotMeetThoseOfFigures) {
  const std::string one = "[[collective]]\nkind = \"all-reduce\"\nbytes = \"1 MB\"\nalgorithm = \"ring\"\nname = ";
  put("two.toml", "[fabric]\nname = \"ring\"\nnodes = 4\n" + one + "\"a\"\n" + one + "\"a spent\"\n" + one +
                      "\"collective 1 timeline\"\n");
  const Said said = run("simulate " + path("two.toml") + " --report " + path("r"));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(run("report " + path("r")).code, 0);
}

TEST_F(Files, OutputsGoWhereTheySay) {
  // To standard output, before the answer.
  const Said said = run("simulate " + path("simulate") + " --json --trace /dev/stdout");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("\"traceEvents\""), std::string::npos);
  EXPECT_GT(said.out.find("\"collectives\""), said.out.find("\"traceEvents\""));
  // Not where somebody took the permission away, not onto a folder; before the question is asked.
  put("guarded", "old");
  fs::permissions(path("guarded"), fs::perms::owner_read);
  for (const std::string& name : {path("guarded"), folder_})
    expect_refused("collective all-reduce --fabric none --bytes 1MB --trace " + name, 3, {"--trace", "cannot write"});
  EXPECT_EQ(contents(path("guarded")), "old");
}

}  // namespace
}  // namespace helio::apps
