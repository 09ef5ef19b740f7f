// SPDX-License-Identifier: Apache-2.0
// Every command that the tutorials show works on a fresh checkout, and says what the page says. In a ```console block
//
//     $ helio …          is run; it must end with exit code 0, or with that of a line [exit N] below it
//     a line             must be a line of what the command said, up to a "…" at its end
//     …                  stands for lines that are not shown
#include <gtest/gtest.h>

#include <filesystem>
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
  for (const char* name : {"index.md", "tutorial-model.md", "tutorial-photonics.md", "tutorial-architect.md",
                           "tutorial-collectives.md", "terminal.md"}) {
    const std::vector<Command> commands = commands_in(contents(std::string(HELIO_SOURCE_DIR) + "/docs/" + name));
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
