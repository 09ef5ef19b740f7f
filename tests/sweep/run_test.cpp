// SPDX-License-Identifier: Apache-2.0
#include "sweep/run.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/error.h"

namespace helio::sweep {
namespace {

// A file of this test, gone at its end.
struct File {
  explicit File(const std::string& name)
      : path((std::filesystem::temp_directory_path() / ("helio_sweep_" + std::to_string(getpid()) + "_" + name))
                 .string()) {
    remove();
  }
  ~File() { remove(); }
  void remove() const {
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path + end);
  }
  std::string path;
};

Space numbers(int count) {
  return parse_space(
      "command = \"x\"\nlimit = \"1 s\"\n[vary]\nn = {from = 0, to = " + std::to_string(count - 1) + ", step = 1}\n",
      "s.toml");
}
SweepFacts facts(const Space& space) { return {space.text, space.points(), space.seed, "1"}; }

Row square(std::uint64_t point) {
  return {.value = static_cast<double>(point * point),
          .configuration = "x",
          .result = compressed("{\"n\": " + std::to_string(point) + "}")};
}
Serve serve(const Answer& answer) {
  return [answer](int in, int out) { answer_points(in, out, answer); };
}

std::map<std::uint64_t, Row> rows(const Store& store) {
  std::map<std::uint64_t, Row> found;
  store.visit(false, 0, [&](const Row& row) { found[row.point] = row; });
  return found;
}

TEST(SweepRun, EveryPointHasItsRow) {
  const File file("all.db");
  const Space space = numbers(500);
  Pool pool(3, space.limit_s, serve(square));
  Store store(file.path, facts(space), "--out");
  const Progress done = run(space, store, pool);
  EXPECT_EQ(done.finished, 500u);
  const auto found = rows(store);
  ASSERT_EQ(found.size(), 500u);
  for (const auto& [point, row] : found) {
    EXPECT_EQ(row.value, static_cast<double>(point * point));
    EXPECT_EQ(uncompressed(row.result, ""), "{\"n\": " + std::to_string(point) + "}");
  }
}

// Of ten points one is refused, one crashes, one never ends: three rows that say so, and seven results.
TEST(SweepRun, WhatGoesWrongIsARow) {
  const File file("wrong.db");
  const Space space = numbers(10);
  Pool pool(2, space.limit_s, serve([](std::uint64_t point) {
              if (point == 2) return Row{.code = 4, .configuration = "x", .reason = "no light"};
              if (point == 5) raise(SIGSEGV);
              if (point == 7)
                for (;;) pause();
              return square(point);
            }));
  Store store(file.path, facts(space), "--out");
  EXPECT_EQ(run(space, store, pool).refused, 3u);
  const auto found = rows(store);
  ASSERT_EQ(found.size(), 10u);
  EXPECT_EQ(found.at(2).code, 4);
  EXPECT_EQ(found.at(2).reason, "no light");
  EXPECT_EQ(found.at(5).code, 128 + SIGSEGV);
  EXPECT_EQ(found.at(7).code, 124);
  EXPECT_EQ(found.at(7).configuration, "x --n 7");  // told by the parent: the process is gone
  EXPECT_EQ(store.codes(), (std::vector<std::pair<int, std::uint64_t>>{{0, 7}, {4, 1}, {124, 1}, {128 + SIGSEGV, 1}}));
}

// Killed at twenty different moments; each run goes on where the last was, and no point is answered again once it was stored.
TEST(SweepRun, AKilledOneGoesOn) {
  const File file("killed.db");
  const Space space = numbers(2000);
  const auto work = [&] {
    Pool pool(2, space.limit_s, serve([](std::uint64_t point) {
                usleep(1000);
                return square(point);
              }));
    Store store(file.path, facts(space), "--out");
    run(space, store, pool);
  };
  std::size_t before = 0;
  for (int kill_after = 0; kill_after < 20; ++kill_after) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        work();
      } catch (...) {
        _exit(1);
      }
      _exit(0);
    }
    usleep(20'000 + 7'000 * static_cast<useconds_t>(kill_after));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    if (!std::filesystem::exists(file.path) || std::filesystem::file_size(file.path) == 0) continue;
    try {
      const std::size_t now = rows(Store(file.path, "x")).size();
      EXPECT_GE(now, before);
      before = now;
    } catch (const Error&) {
      EXPECT_EQ(before, 0u);  // killed before its first commit
    }
  }
  work();
  const auto found = rows(Store(file.path, "x"));
  ASSERT_EQ(found.size(), 2000u);
  for (const auto& [point, row] : found) EXPECT_EQ(row.value, static_cast<double>(point * point));
}

void expect_refused(const std::string& path, const SweepFacts& facts, const std::string& words) {
  try {
    const Store store(path, facts, "--out");
    ADD_FAILURE() << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), "--out");
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(SweepStore, WhatIsAnothersStays) {
  const File file("other.db"), text("text.db");
  const Space space = numbers(3);
  {
    Store store(file.path, facts(space), "--out");
    expect_refused(file.path, facts(space), "another run");
  }
  SweepFacts other = facts(space);
  other.version = "2";
  expect_refused(file.path, other, "version 1");
  expect_refused(file.path, facts(numbers(4)), "another sweep");
  const std::string words = "these are 43 bytes that somebody wrote here";
  std::ofstream(text.path) << words;
  expect_refused(text.path, facts(space), "no database of a sweep");
  std::ifstream in(text.path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), words);
}

TEST(SweepStore, ResultsAreCompressed) {
  const std::string text(100'000, 'a');
  EXPECT_LT(compressed(text).size(), 1000u);
  EXPECT_EQ(uncompressed(compressed(text), ""), text);
  EXPECT_EQ(uncompressed(compressed(""), ""), "");
  EXPECT_THROW(uncompressed("nonsense", ""), Error);
}

}  // namespace
}  // namespace helio::sweep
