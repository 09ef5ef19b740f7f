// SPDX-License-Identifier: Apache-2.0
// The man pages against the command itself, and against groff where it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "apps/refused.h"
#include "apps/running.h"

namespace helio::apps {
namespace {

namespace fs = std::filesystem;

// "--json" and all others that a help text begins a line with.
std::set<std::string> options_in(const std::string& help) {
  std::set<std::string> options;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("--");
    if (at == std::string::npos || line.find_first_not_of(' ') != std::min(at, line.find('-'))) continue;
    options.insert(line.substr(at, line.find_first_of(" ,", at) - at));
  }
  return options;
}

// groff takes "\-" for the sign that is typed.
std::string typed(std::string text) {
  for (std::size_t at = 0; (at = text.find("\\-", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

// Those that have a page: "onn evaluate" for helio-onn-evaluate.1. What is handed on to helio-train or helio-execute has its help there.
std::vector<std::string> commands() {
  std::vector<std::string> found;
  std::istringstream pages(run("man --out " + scratch_file("all")).out);
  for (std::string page; std::getline(pages, page);) {
    std::string name = fs::path(page).stem().string().substr(std::string("helio").size());
    std::ranges::replace(name, '-', ' ');
    if (!name.ends_with("train") && name != " execute") found.push_back(name);
  }
  fs::remove_all(scratch_file("all"));
  return found;
}

TEST(Man, EveryOptionOfEveryCommandIsOnItsPage) {
  EXPECT_GE(commands().size(), 17u);
  for (const std::string& command : commands()) {
    const Said help = run(command + " --help"), page = run("man" + command);
    ASSERT_EQ(page.code, 0) << command << page.err;
    const std::set<std::string> options = options_in(help.out);
    EXPECT_TRUE(options.contains("--help")) << command;
    for (const std::string& option : options)
      EXPECT_NE(typed(page.out).find("\\fB" + (option == "--help" ? "-h, --help" : option)), std::string::npos)
          << command << " has " << option;
    for (const char* section : {".TH helio", ".SH NAME\n", ".SH SYNOPSIS\n", ".SH EXIT STATUS\n"})
      EXPECT_NE(typed(page.out).find(section), std::string::npos) << command << " lacks " << section;
  }
}

TEST(Man, PagesAreWrittenForAllCommands) {
  const std::string folder = scratch_file("man");
  const Said said = run("man --out " + folder);
  ASSERT_EQ(said.code, 0) << said.err;
  for (const char* name : {"helio.1", "helio-collective.1", "helio-onn-evaluate.1", "helio-fred-route.1"})
    EXPECT_TRUE(fs::exists(fs::path(folder) / name)) << name;

  // Every command of helio(1) has a page
  std::istringstream lines(typed(contents(folder + "/helio.1")));
  int named = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find("(1)\\fR");
    if (!line.starts_with("\\fBhelio-") || end == std::string::npos) continue;
    ++named;
    EXPECT_TRUE(fs::exists(fs::path(folder) / (line.substr(3, end - 3) + ".1"))) << line;
  }
  EXPECT_GE(named, 10);

  // groff finds nothing to warn of
  if (std::system("command -v groff >/dev/null 2>&1") != 0) {
    fs::remove_all(folder);
    GTEST_SKIP() << "groff is not installed: the pages' markup was not checked";
  }
  for (const auto& page : fs::directory_iterator(folder)) {
    const std::string warnings = scratch_file("groff");
    const std::string command = "groff -man -ww -z -Tutf8 " + page.path().string() + " >" + warnings + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << page.path();
    EXPECT_EQ(contents(warnings), "") << page.path();
    fs::remove(warnings);
  }
  fs::remove_all(folder);
}

// The list of pages says helio-onn-build, the command is onn build.
TEST(Man, APageHasTwoNames) {
  const Said by_command = run("man onn build");
  EXPECT_EQ(by_command.code, 0);
  EXPECT_EQ(run("man helio-onn-build").out, by_command.out);
}

TEST(Man, WhatHasNoPageIsRefused) {
  expect_refused("man colective", 3, {"helio-collective"});
  expect_refused("man collective --out /tmp/none", 2, {"--out"});
  expect_refused("man --out /dev/null/x", 3, {"--out"});
}

}  // namespace
}  // namespace helio::apps
