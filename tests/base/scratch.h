// SPDX-License-Identifier: Apache-2.0
// A folder that is gone at the end, and what a child process makes of a question.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "base/error.h"

namespace helio {

class Scratch : public testing::Test {
 protected:
  Scratch() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::filesystem::permissions(folder_, std::filesystem::perms::all);  // also for whom a child becomes
  }
  ~Scratch() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  // As somebody else's program would.
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Names in the folder, those that begin with '.' among them.
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("helio_scratch_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
       std::to_string(getpid()));
};

// The exit code of a child that does it: what `act` returns, 3 for an Error(kInput), 2 for an Error(kUsage), 99 for what else is thrown;
// −1 where it was killed.
inline int in_child(const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 99;
    try {
      code = act();
    } catch (const Error& error) {
      code = exit_code(error.kind());
    } catch (...) {
    }
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The Error that it throws, as "place: message"; "none" where it throws none.
inline std::string refusal_of(const std::function<void()>& act, ErrorKind kind = ErrorKind::kInput) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.place() + ": " + error.message();
  }
  return "none";
}

}  // namespace helio
