// SPDX-License-Identifier: Apache-2.0
// What a terminal is shown and a pipe is not: colour, bars, a line of progress (apps/colour.h, apps/progress.h, docs/terminal.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/on_terminal.h"
#include "apps/running.h"

namespace helio::apps {
namespace {

// 14 rounds of 2.5 us and 0.5 us: 83.3 % of the path are transmission (tests/apps/helio_test.cpp has the derivation).
const std::string kRing = "collective all-reduce --fabric ring --nodes 8 --bytes 1MB --algorithm ring --verify";

bool has(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

// No escape sequence, and nothing beyond ASCII.
bool is_plain(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c == '\n' || c == '\r' || (c >= ' ' && c < 0x7f); });
}

TEST(Terminal, ShowsColoursAndBars) {
  const Shown shown = run_on_terminal(kRing);
  EXPECT_EQ(shown.code, 0);
  EXPECT_TRUE(has(shown.text, "\033[1mall-reduce of 1 MB on ring")) << shown.text;
  EXPECT_TRUE(has(shown.text, "transmission      35 us   83.3 %  \033[34m█████")) << shown.text;
  EXPECT_TRUE(has(shown.text, "\033[32myes, by")) << shown.text;
}

TEST(Terminal, NoColorTakesTheColoursAndLeavesTheBars) {
  const Shown shown = run_on_terminal(kRing, {{"NO_COLOR", "1"}});
  EXPECT_FALSE(has(shown.text, "\033")) << shown.text;
  EXPECT_TRUE(has(shown.text, "83.3 %  █████")) << shown.text;
  EXPECT_TRUE(has(run_on_terminal(kRing, {{"NO_COLOR", ""}}).text, "\033[1m"));  // set but empty is not set
}

TEST(Terminal, ADumbOneHasNoColours) { EXPECT_FALSE(has(run_on_terminal(kRing, {{"TERM", "dumb"}}).text, "\033")); }

TEST(Terminal, WithoutUtf8BarsAreAscii) {
  const Shown shown = run_on_terminal(kRing, {{"LC_ALL", "C"}, {"NO_COLOR", "1"}});
  EXPECT_TRUE(is_plain(shown.text)) << shown.text;
  EXPECT_TRUE(has(shown.text, "83.3 %  #####")) << shown.text;
  EXPECT_TRUE(is_plain(run_on_terminal(kRing, {{"LC_ALL", "no_SUCH.locale"}, {"NO_COLOR", "1"}}).text));
}

// A name that clears the screen (ECMA-48: ESC [ 2 J), colours itself in green as we do, and holds CSI as one character, U+009B, and
// DEL: in tables, messages and bars it is written out. In JSON it is the name, by JSON's own escapes.
TEST(Terminal, NamesDoNotCommandIt) {
  const std::string file = scratch_file("names.toml");
  std::ofstream(file)
      << "[fabric]\nname = \"ring\"\nnodes = 4\n"
         "[[collective]]\nname = \"\\u001b[2J\\u001b[32m\\u009b2J\\u007f\\u0007\"\nkind = \"all-reduce\"\n"
         "bytes = \"1 MB\"\nalgorithm = \"ring\"\n"
         "[[collective]]\nname = \"two\"\nkind = \"all-reduce\"\nbytes = \"1 MB\"\nalgorithm = \"ring\"\n";
  const std::string written = R"(\x1b[2J\x1b[32m\u009b2J\u007f\x07)";
  const Said piped = run("simulate " + file);
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_TRUE(has(piped.out, written)) << piped.out;
  EXPECT_TRUE(is_plain(piped.out)) << piped.out;
  const std::string shown = run_on_terminal("simulate " + file).text;
  EXPECT_TRUE(has(shown, written)) << shown;
  EXPECT_FALSE(has(shown, "\033[2J") || has(shown, "\033[32m\\u009b") || has(shown, "\a")) << shown;
  EXPECT_TRUE(has(shown, "\033[1m"));  // our own colours stay
  const Said json = run("simulate " + file + " --json");
  EXPECT_EQ(nlohmann::json::parse(json.out)["results"][0]["name"],
            "\033[2J\033[32m\xc2\x9b"
            "2J\x7f\a");
  EXPECT_TRUE(is_plain(json.out)) << json.out;
  EXPECT_TRUE(is_plain(run("simulate " + file + " --set 'collective.\033[2J.bytes=1 MB'").err));
  const Said refused = run("describe \"$(printf '\\033[2Jring')\"");
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(has(refused.err, R"('\x1b[2Jring')")) << refused.err;
  EXPECT_TRUE(is_plain(refused.err)) << refused.err;
  std::filesystem::remove(file);
}

// A pipe gets the same bytes whatever the environment says: no bars, no colours.
TEST(Terminal, APipeIsPlain) {
  const Said piped = run(kRing);
  EXPECT_TRUE(is_plain(piped.out)) << piped.out;
  EXPECT_FALSE(has(piped.out, "###"));
  for (const char* name : {"FORCE_COLOR", "CLICOLOR_FORCE"}) {
    setenv(name, "1", 1);
    EXPECT_EQ(run(kRing).out, piped.out) << name;
    unsetenv(name);
  }
  EXPECT_EQ(piped.err, "");
}

// Every line of a narrow terminal ends at a word, within its 80 columns. A result has lines of 150 characters in a pipe.
TEST(Terminal, LinesFitIt) {
  for (const std::string& arguments : {kRing, std::string("describe ring"), std::string("list algorithms")}) {
    const std::string text = run_on_terminal(arguments, {{"NO_COLOR", "1"}, {"LC_ALL", "C"}}, 80).text;
    for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
      end = std::min(text.find('\n', at), text.size());
      EXPECT_LE(end - at - 1, 80u) << text.substr(at, end - at);
    }
  }
}

TEST(Terminal, JsonIsTheSameThere) {
  std::string text = run_on_terminal(kRing + " --json").text;
  std::erase(text, '\r');
  EXPECT_EQ(text, run(kRing + " --json").out);
}

TEST(Terminal, StudiesHaveBarsAndSweepsAreDrawn) {
  const Shown shown = run_on_terminal("reproduce fred", {{"NO_COLOR", "1"}}, 200);
  EXPECT_EQ(shown.code, 0);
  EXPECT_TRUE(has(shown.text, " over ")) << shown.text;
  EXPECT_TRUE(has(shown.text, "▁")) << shown.text;  // only a line of small bars has it
  EXPECT_FALSE(has(run("reproduce fred").out, "▁"));
}

// Nothing is drawn in the first second; then a line that says which of three collectives runs, which is cleared at the end (\r ESC [ K). A machine
// that needs less than that for three proofs of a million ranks has no line to show.
TEST(Terminal, LongWorkShowsALine) {
  const std::string file = scratch_file("long.toml");
  std::ofstream experiment(file);
  experiment << "[fabric]\nname = \"ring\"\nnodes = 1048576\n";
  for (const char* name : {"one", "two", "three"})
    experiment << "[[collective]]\nname = \"" << name
               << "\"\nkind = \"all-reduce\"\nbytes = \"1 MB\"\nalgorithm = \"ring\"\nverify = true\n";
  experiment.close();
  const auto start = std::chrono::steady_clock::now();
  const Shown shown = run_on_terminal("simulate " + file);
  const bool long_enough = std::chrono::steady_clock::now() - start > std::chrono::milliseconds(1500);
  EXPECT_EQ(shown.code, 0);
  EXPECT_FALSE(has(run_on_terminal("simulate " + file, {{"TERM", "dumb"}}).text, "\033[K"));
  EXPECT_EQ(run("simulate " + file).err, "");
  std::filesystem::remove(file);
  EXPECT_FALSE(has(run_on_terminal(kRing).text, "\033[K"));  // short work
  if (!long_enough) GTEST_SKIP() << "this machine is too fast for the line to appear";
  const std::size_t drawn = shown.text.find("\r\033[K[");
  ASSERT_NE(drawn, std::string::npos) << shown.text.substr(0, 400);
  const std::string line = shown.text.substr(drawn, 80);
  EXPECT_TRUE(has(line, " of 3  ")) << line;
  EXPECT_TRUE(has(shown.text, " s)\r\033[K")) << shown.text.substr(0, 400);
  EXPECT_LT(shown.text.rfind("\r\033[K"), shown.text.find("one: \033[1mall-reduce"));  // cleared before the answer
}

}  // namespace
}  // namespace helio::apps
