// SPDX-License-Identifier: Apache-2.0
#include "report/pages/folder.h"

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/file_ledger.h"
#include "base/scratch.h"
#include "report/a_page.h"

namespace helio::report {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder of its own, gone at the end.
class Folder : public testing::Test {
 protected:
  ~Folder() override { fs::remove_all(path_); }
  const fs::path path_ = fs::temp_directory_path() /
                         (std::string("helio_folder_") + testing::UnitTest::GetInstance()->current_test_info()->name() +
                          std::to_string(getpid()));
};

Report a_set() {
  Page other{.name = "other",
             .title = "Other",
             .sections = {{.name = "s", .title = "", .figures = {figure_of(Chart{.name = "one"})}}}};
  return {{a_page(), other}, {{"rows.json", "{}\n"}}};
}

TEST_F(Folder, HoldsPagesTheirDataAndFurtherFiles) {
  write_report(a_set(), (path_ / "deep").string(), "--report");
  for (const char* name :
       {"index.html", "page.json", "other.html", "other.json", "a-sweep.csv", "a-stack.csv", "one.csv", "rows.json"})
    EXPECT_TRUE(fs::exists(path_ / "deep" / name)) << name;
  EXPECT_EQ(text_of(path_ / "deep" / "rows.json"), "{}\n");
  EXPECT_NE(text_of(path_ / "deep" / "other.html").find("aria-current=\"page\">Other</a>"), std::string::npos);
}

TEST_F(Folder, PagesCanBeMadeAgainByteByByte) {
  write_report(a_set(), path_.string(), "--report");
  const std::string index = text_of(path_ / "index.html"), other = text_of(path_ / "other.html");
  ASSERT_FALSE(index.empty());
  fs::remove(path_ / "index.html");
  fs::remove(path_ / "other.html");
  EXPECT_EQ(rebuild_report(path_.string(), "DIR").size(), 2u);
  EXPECT_EQ(text_of(path_ / "index.html"), index);
  EXPECT_EQ(text_of(path_ / "other.html"), other);
}

// What is long lies beside the page, which still leads to it.
TEST_F(Folder, LongDataLieBesideThePage) {
  Report report = a_set();
  const std::string lines(kMostCsvInPage + 1, 'x');
  report.pages[1].sections[0].figures[0].csv = lines;
  write_report(report, path_.string(), "--report");
  EXPECT_EQ(text_of(path_ / "one.csv"), lines);
  const std::string html = text_of(path_ / "other.html");
  EXPECT_EQ(html.find("xxxx"), std::string::npos);
  EXPECT_NE(html.find("<a href=\"one.csv\">CSV</a>"), std::string::npos);
  EXPECT_EQ(text_of(path_ / "other.json").find("xxxx"), std::string::npos);
  rebuild_report(path_.string(), "DIR");
  EXPECT_EQ(text_of(path_ / "other.html"), html);
}

TEST_F(Folder, WithoutASavedReportThereIsNothingToMake) {
  const auto refusal = [&] {
    try {
      rebuild_report(path_.string(), "DIR");
      return std::string("none");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return error.message();
    }
  };
  EXPECT_NE(refusal().find("no saved report: there is no page.json"), std::string::npos) << refusal();
  write_report(a_set(), path_.string(), "--report");
  fs::remove(path_ / "other.json");
  EXPECT_NE(refusal().find("there is no other.json"), std::string::npos) << refusal();
  std::ofstream(path_ / "page.json") << "{}";
  EXPECT_NE(refusal().find("no page"), std::string::npos) << refusal();
}

TEST_F(Folder, AFileBringsItsFolders) {
  write_file((path_ / "deep" / "t.json").string(), "{}", "--trace", Parents::kMade);
  EXPECT_TRUE(fs::exists(path_ / "deep" / "t.json"));
}

// A report of one run: every file of it holds the run's word. Runs of other words have other figures.
Report a_run(const std::string& word) {
  Page page{.title = word};
  page.sections.push_back(
      {.name = "s", .title = word, .figures = {figure_of(Chart{.name = word}), figure_of(Chart{.name = "both"})}});
  for (Figure& figure : page.sections[0].figures) figure.csv = word + "\n";
  Page other{.name = "other", .title = word};
  return {{page, other}, {{"results.json", "\"" + word + "\"\n"}}};
}
const std::set<std::string> kOfEveryRun = {"index.html", "page.json",    "other.html",   "other.json",
                                           "both.csv",   "results.json", "manifest.json"};

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

std::set<std::string> with(std::set<std::string> names, const std::string& one) {
  names.insert(one);
  return names;
}

void expect_refused(const std::function<void()>& act, const std::string& words) {
  const std::string refusal = refusal_of(act);
  EXPECT_EQ(refusal.find("--report: "), 0u) << refusal;
  EXPECT_NE(refusal.find(words), std::string::npos) << refusal;
}

TEST_F(Folder, TheManifestNamesWhatIsThere) {
  write_report(a_run("runone"), path_.string(), "--report");
  const auto manifest = nlohmann::json::parse(text_of(path_ / "manifest.json"));
  EXPECT_EQ(manifest.at("format"), "helio-report-1");
  EXPECT_EQ(manifest.at("finished"), true);
  std::set<std::string> named = {"manifest.json"};
  for (const auto& file : manifest.at("files")) {
    named.insert(file.at("name").get<std::string>());
    EXPECT_EQ(file.at("bytes"), fs::file_size(path_ / file.at("name").get<std::string>())) << file;
  }
  EXPECT_EQ(named, names_in(path_));
  EXPECT_EQ(named, with(kOfEveryRun, "runone.csv"));
}

// The folder holds the new report and what was never ours.
TEST_F(Folder, AReportReplacesTheOneBefore) {
  write_report(a_run("runone"), path_.string(), "--report");
  std::ofstream(path_ / "notes.txt") << "mine";
  chmod((path_ / "index.html").c_str(), 0600);
  write_report(a_run("runtwo"), path_.string(), "--report");
  EXPECT_EQ(names_in(path_), with(with(kOfEveryRun, "runtwo.csv"), "notes.txt"));
  EXPECT_EQ(text_of(path_ / "notes.txt"), "mine");
  EXPECT_EQ(text_of(path_ / "both.csv"), "runtwo\n");
  EXPECT_EQ(fs::status(path_ / "index.html").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

// Whatever it is, and whether or not there is a report: it stays, and so does the report.
TEST_F(Folder, WhatIsSomebodyElsesIsNotReplaced) {
  for (const bool reported : {false, true})
    for (const char* name : {"index.html", "page.json", "other.html", "runtwo.csv", "results.json", "manifest.json"})
      for (const std::string kind : {"file", "link", "folder"}) {
        fs::remove_all(path_);
        fs::create_directories(path_);
        if (reported) {
          write_report(a_run("runone"), path_.string(), "--report");
          // What the report had under this name is gone, and somebody put something else there.
          if (kOfEveryRun.contains(name) && kind == "file") continue;
          fs::remove(path_ / name);
        }
        std::ofstream(path_ / "elsewhere") << "mine";
        if (kind == "file") std::ofstream(path_ / name) << "mine";
        if (kind == "link") fs::create_symlink("elsewhere", path_ / name);
        if (kind == "folder") fs::create_directory(path_ / name);
        const std::set<std::string> before = names_in(path_);
        EXPECT_NE(refusal_of([&] { write_report(a_run("runtwo"), path_.string(), "--report"); }), "none")
            << reported << name << kind;
        EXPECT_EQ(names_in(path_), before) << reported << name << kind;
        EXPECT_EQ(text_of(path_ / "elsewhere"), "mine");
        EXPECT_TRUE(kind != "file" || text_of(path_ / name) == "mine") << name;
        EXPECT_TRUE(!reported || std::string(name) == "results.json" ||
                    text_of(path_ / "results.json") == "\"runone\"\n");
      }
}

// The same before there is a report, for the names that every report has.
TEST_F(Folder, WhatIsInTheWayIsSaidEarly) {
  fs::create_directories(path_);
  declare_report(path_.string(), "results.json", "--report");
  for (const char* name : {"index.html", "page.json", "results.json"}) {
    std::ofstream(path_ / name) << "mine";
    expect_refused([&] { declare_report(path_.string(), "results.json", "--report"); }, "in the way");
    fs::remove(path_ / name);
  }
  std::ofstream(path_ / "file");
  expect_refused([&] { declare_report((path_ / "file").string(), "results.json", "--report"); }, "no folder");
  std::ofstream(path_ / "manifest.json") << "{\"name\": \"a program of the web\"}";
  EXPECT_NE(refusal_of([&] { declare_report(path_.string(), "results.json", "--report"); }).find("no manifest"),
            std::string::npos);
}

// A manifest cannot name what lies elsewhere, so nothing there is removed.
TEST_F(Folder, AManifestStaysInItsFolder) {
  write_report(a_run("runone"), path_.string(), "--report");
  for (const char* name : {"../victim", "/etc/hosts", "", ".", "..", ".hidden"}) {
    std::ofstream(path_ / "manifest.json") << nlohmann::json{
        {"format", "helio-report-1"}, {"finished", true}, {"files", {{{"name", name}, {"bytes", 1}}}}};
    EXPECT_NE(refusal_of([&] { write_report(a_run("runtwo"), path_.string(), "--report"); }).find("no name"),
              std::string::npos)
        << name;
  }
}

// What is in it belongs to the report: it is no file to read, nor another option's.
TEST_F(Folder, FilesOfAReportAreDeclared) {
  write_report(a_run("runone"), path_.string(), "--report");
  const std::string folder = path_.string();
  const auto declare = [&] {
    declare_output(folder, "--report", OutputUse::kFolder);
    declare_report(folder, "results.json", "--report");
  };
  for (const char* name : {"results.json", "runone.csv", "index.html"}) {
    const FileLedger ledger;
    declare();
    EXPECT_NE(refusal_of([&] { read_bytes(folder + "/" + name, ""); }, ErrorKind::kUsage), "none") << name;
  }
  {
    const FileLedger ledger;
    declare_output(folder + "/runone.csv", "--trace");
    EXPECT_NE(refusal_of(declare, ErrorKind::kUsage).find("--report and --trace name one file"), std::string::npos);
  }
  {
    const FileLedger ledger;
    declare();
    write_report(a_run("runtwo"), folder, "--report");
  }
  const FileLedger ledger;
  declare_output(folder, "DIR", OutputUse::kFolder);
  EXPECT_EQ(rebuild_report(folder, "DIR").size(), 2u);
}

// Without a manifest the saved pages say which pages are theirs; what else is there is nobody's to replace.
TEST_F(Folder, WithoutAManifestOnlyPagesAreMadeAgain) {
  write_report(a_run("runone"), path_.string(), "--report");
  const std::string before = text_of(path_ / "index.html");
  fs::remove(path_ / "manifest.json");
  std::ofstream(path_ / "index.html") << "damaged";
  EXPECT_EQ(rebuild_report(path_.string(), "DIR").size(), 2u);
  EXPECT_EQ(text_of(path_ / "index.html"), before);
  expect_refused([&] { write_report(a_run("runtwo"), path_.string(), "--report"); }, "in the way");
}

TEST_F(Folder, TwoRunsDoNotMeet) {
  write_report(a_run("runone"), path_.string(), "--report");
  const FileLock other((path_ / "manifest.json").string(), "");
  expect_refused([&] { write_report(a_run("runtwo"), path_.string(), "--report"); }, "another run");
  EXPECT_EQ(text_of(path_ / "both.csv"), "runone\n");
}

// No more than 2 KiB of a file fit; a page has more.
TEST_F(Folder, AFullDiskLeavesTheOldReport) {
  write_report(a_run("runone"), path_.string(), "--report");
  std::map<std::string, std::string> before;
  for (const std::string& name : names_in(path_)) before[name] = text_of(path_ / name);
  const int code = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{2'048, 2'048};
    setrlimit(RLIMIT_FSIZE, &limit);
    write_report(a_run("runtwo"), path_.string(), "--report");
    return 0;
  });
  EXPECT_EQ(code, 3);
  std::map<std::string, std::string> after;
  for (const std::string& name : names_in(path_)) after[name] = text_of(path_ / name);
  EXPECT_EQ(after, before);
}

// Runs `act` in a child that is killed before the `number`th time that it renames or removes a file.
enum class Ending { kUnwatched, kKilled, kEnded };
Ending killed_before(int number, const std::function<void()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME) != 0) _exit(77);
    raise(SIGSTOP);
    act();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return Ending::kUnwatched;
  ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD);
  for (;;) {
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Ending::kEnded : Ending::kUnwatched;
    __ptrace_syscall_info call{};
    if (ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof call, &call) <= 0) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return Ending::kUnwatched;
    }
    if (call.op != PTRACE_SYSCALL_INFO_ENTRY) continue;
    static const std::set<std::uint64_t> kCounted = {SYS_rename, SYS_renameat, SYS_renameat2, SYS_unlink, SYS_unlinkat};
    if (kCounted.contains(call.entry.nr) && --number == 0) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return Ending::kKilled;
    }
  }
}

// Killed at every step of a second report: a page that is there stands beside data of its own run alone, a folder between two runs is
// not taken for a report, and the next run puts everything right.
TEST_F(Folder, AKillNeverMixesRuns) {
  int steps = 0, between = 0;
  for (Ending ending = Ending::kKilled; ending == Ending::kKilled; ++steps) {
    fs::remove_all(path_);
    write_report(a_run("runone"), path_.string(), "--report");
    std::ofstream(path_ / "notes.txt") << "mine";
    ending = killed_before(steps + 1, [&] { write_report(a_run("runtwo"), path_.string(), "--report"); });
    if (ending == Ending::kUnwatched) GTEST_SKIP() << "processes cannot be watched here";
    if (fs::exists(path_ / "index.html")) {
      const std::string run = text_of(path_ / "index.html").find("runone") != std::string::npos ? "runone" : "runtwo";
      for (const char* file : {"page.json", "other.html", "other.json", "both.csv", "results.json"})
        EXPECT_NE(text_of(path_ / file).find(run), std::string::npos) << file << " at step " << steps;
      EXPECT_TRUE(fs::exists(path_ / (run + ".csv"))) << steps;
    }
    if (!nlohmann::json::parse(text_of(path_ / "manifest.json")).at("finished").get<bool>()) {
      ++between;
      EXPECT_NE(refusal_of([&] { rebuild_report(path_.string(), "DIR"); }).find("not written to its end"),
                std::string::npos);
    } else {
      EXPECT_EQ(rebuild_report(path_.string(), "DIR").size(), 2u);
    }
    write_report(a_run("runthree"), path_.string(), "--report");
    EXPECT_EQ(names_in(path_), with(with(kOfEveryRun, "runthree.csv"), "notes.txt")) << steps;
    EXPECT_EQ(text_of(path_ / "both.csv"), "runthree\n");
  }
  // Between the two manifests: two pages go, seven files come and one goes.
  EXPECT_GE(between, 10);
}

TEST(FolderErrors, WhatCannotBeWrittenIsSaidAtTheOption) {
  for (const auto& act :
       {+[] { write_report({}, "/dev/null/x", "--report"); }, +[] { write_file("/dev/null/x", "", "--report"); }}) {
    try {
      act();
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.place(), "--report");
    }
  }
}

}  // namespace
}  // namespace helio::report
