// SPDX-License-Identifier: Apache-2.0
// Every command of README and of the documents works on a fresh checkout; in a ```console block it also says what the page says:
//
//     $ helio …          is run; it must end with exit code 0, or with that of a line [exit N] below it
//     a line             must be a line of what the command said, up to a "…" at its end
//     …                  stands for lines that are not shown
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "apps/running.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

namespace fs = std::filesystem;

const std::string kDots = "…";

struct Command {
  std::string arguments;
  int code = 0;
  std::vector<std::string> lines;
};

// Those of all console blocks of a page. A block that begins with anything but a command of helio fails.
std::vector<Command> commands_in(const std::string& page) {
  std::vector<Command> commands;
  bool inside = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside && line.starts_with("$ ")) {
      EXPECT_TRUE(line.starts_with("$ helio ")) << line;
      commands.push_back({line.substr(8)});
    } else if (inside && line.starts_with("[exit ")) {
      commands.back().code = std::stoi(line.substr(6));
    } else if (inside && line.find_first_not_of(' ') != line.find(kDots)) {
      commands.back().lines.push_back(line);
    }
  }
  return commands;
}

bool says(const std::string& text, std::string line) {
  const bool cut = line.ends_with(kDots);
  if (cut) line.erase(line.size() - kDots.size());
  return ("\n" + text).find("\n" + line + (cut ? "" : "\n")) != std::string::npos;
}

TEST(Tutorial, EveryCommandSaysWhatThePageSays) {
  const std::string checkout = scratch_file("tutorial");
  fs::create_directory(checkout);
  fs::create_directory_symlink(std::string(HELIO_SOURCE_DIR) + "/examples", checkout + "/examples");
  for (const char* name : {"README.md", "docs/index.md", "docs/tutorial-model.md", "docs/tutorial-photonics.md",
                           "docs/tutorial-architect.md", "docs/tutorial-collectives.md", "docs/terminal.md"}) {
    const std::vector<Command> commands = commands_in(contents(std::string(HELIO_SOURCE_DIR) + "/" + name));
    EXPECT_FALSE(commands.empty()) << name;
    for (const Command& command : commands) {
      const Said said = run(command.arguments, checkout);
      EXPECT_EQ(said.code, command.code) << name << ": helio " << command.arguments << "\n" << said.err;
      for (const std::string& line : command.lines)
        EXPECT_TRUE(says(said.out + said.err, line))
            << name << ": helio " << command.arguments << "\ndoes not say: " << line << "\nbut\n"
            << said.out << said.err;
    }
  }
  for (const char* made :
       {"mesh.svg", "layer.svg", "two-jobs/index.html", "ring.trace.json", "switch.svg", "man/helio.1"})
    EXPECT_TRUE(fs::exists(checkout + "/out/" + made)) << made;
  fs::remove_all(checkout);
}

// Those of all blocks and among words, each once; a line that says "helio: …" below one is its refusal. What has a place-holder (FILE, …, [--set])
// is no command, nor is what begins with mpirun.
struct Shown {
  std::string command;
  bool in_words = false, refused = false;
};
std::vector<Shown> all_commands_in(const std::string& page) {
  std::vector<Shown> found;
  const std::regex holder(R"(\b[A-Z]{4,}\b|\bDIR\b|\b[NFA]\b|…|\.\.\.|[|<>\[]|--help)"), remark(R"(\s+#.*|   +.*)");
  const auto add = [&](std::string line, bool in_words) {
    line = std::regex_replace(line, remark, "", std::regex_constants::format_first_only);
    if (!std::regex_search(line, holder)) found.push_back({line, in_words});
  };
  bool inside = false;
  std::string words;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      continue;
    }
    if (!inside) {
      words += line + "\n";
      continue;
    }
    for (std::string more; line.ends_with("\\") && std::getline(lines, more);)
      line = line.substr(0, line.size() - 1) + more.substr(std::min(more.size(), more.find_first_not_of(' ')));
    if (line.starts_with("$ ")) line.erase(0, 2);
    if (line.starts_with("helio ") && std::islower(static_cast<unsigned char>(line[6]))) add(line.substr(6), false);
    if (!found.empty() && (line.starts_with("helio: ") || line.starts_with("[exit "))) found.back().refused = true;
  }
  const std::regex quoted(R"(`helio ([a-z][^`]*)`)");
  for (auto at = std::sregex_iterator(words.begin(), words.end(), quoted); at != std::sregex_iterator(); ++at) {
    std::string line = (*at)[1];
    std::ranges::replace(line, '\n', ' ');
    add(line, true);
  }
  return found;
}

// What needs another program, hours, data of others or a line of code that the page adds.
bool is_asked_elsewhere(const std::string& command) {
  static const std::regex elsewhere(
      R"(^(train|onn train|execute|reproduce (?!closed-forms)|reproduce$)\b.*|.*\b(star|line)\b( .*|$)|.*--nodes 4096.*)");
  return std::regex_match(command, elsewhere);
}

// Commands in blocks answer, or refuse where the page says so. What stands among words may be the name of a command alone, without what it needs.
TEST(Documents, EveryCommandRuns) {
  const std::string source = HELIO_SOURCE_DIR, checkout = scratch_file("documents");
  fs::create_directories(checkout + "/out");
  for (const char* name : {"examples", "studies", "bench"})
    fs::create_directory_symlink(source + "/" + name, checkout + "/" + name);
  // What pages take for granted
  run("new job --out my.toml", checkout);
  run("reproduce closed-forms --report out/report", checkout);
  run("sweep examples/sweep.toml --out out/part1.db", checkout);
  fs::copy_file(source + "/examples/graphs/two_racks.txt", checkout + "/out/machine.graph");
  std::ofstream(checkout + "/measured.csv") << "gpu,collective,gpus,bytes,time_s\nh100,all-reduce,8,1048576,5e-5\n"
                                               "h100,all-reduce,8,16777216,1e-4\nh100,all-gather,8,16777216,9e-5\n";

  std::vector<std::string> pages = {"README.md", "HACKING.md", "src/README.md"};
  for (const auto& page : fs::directory_iterator(source + "/docs"))
    if (page.path().extension() == ".md") pages.push_back("docs/" + page.path().filename().string());
  std::ranges::sort(pages);
  std::set<std::string> ran;
  for (const std::string& page : pages)
    for (const Shown& shown : all_commands_in(contents(source + "/" + page))) {
      if (is_asked_elsewhere(shown.command) || !ran.insert(shown.command).second) continue;
      const Said said = run(shown.command, checkout);
      const bool answered = said.code == 0, incomplete = shown.in_words && said.code == 2;
      EXPECT_TRUE(shown.refused ? !answered : answered || incomplete) << page << ": helio " << shown.command << "\n"
                                                                      << said.err;
    }
  EXPECT_GE(ran.size(), 100u);
  fs::remove_all(checkout);
}

// Rows of README's first table: a value of algebra, and the collective of 100 MB that has it.
TEST(Documents, ClosedFormsOfReadmeAreWhatIsAnswered) {
  const std::string page = contents(std::string(HELIO_SOURCE_DIR) + "/README.md");
  const std::regex row(R"(\| ([0-9.]+) (s|ms|µs) \|[^|\n]*\|[^|\n]*\| `([a-z-]+ --fabric [^`]*)` \|)");
  const std::map<std::string, double> units = {{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}};
  int rows = 0;
  for (auto at = std::sregex_iterator(page.begin(), page.end(), row); at != std::sregex_iterator(); ++at, ++rows) {
    const double value = std::stod((*at)[1]) * units.at((*at)[2]);
    const Said said = run("collective " + (*at)[3].str() + " --bytes 100MB --json");
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_NEAR(nlohmann::json::parse(said.out)["time_s"].get<double>(), value, 1e-12 * value) << (*at)[3];
  }
  EXPECT_EQ(rows, 6);
}

// The reader of pages itself.
TEST(Tutorial, PagesAreReadAsTheyAreMeant) {
  const std::vector<Command> commands = commands_in(
      "```\n$ other\n```\n```console\n$ helio a b\n  one\n  …\n$ helio c\ntwo…\n[exit 4]\n```\n$ helio no\n");
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0].arguments, "a b");
  EXPECT_EQ(commands[0].code, 0);
  EXPECT_EQ(commands[0].lines, std::vector<std::string>{"  one"});
  EXPECT_EQ(commands[1].code, 4);
  EXPECT_TRUE(says("x\n  one\n", "  one"));
  EXPECT_FALSE(says("x\n  one more\n", "  one"));
  EXPECT_TRUE(says("two more\n", commands[1].lines[0]));
}

}  // namespace
}  // namespace helio::apps
