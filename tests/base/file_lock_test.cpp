// SPDX-License-Identifier: Apache-2.0
#include "base/file_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "base/scratch.h"

namespace helio {
namespace {

class Lock : public Scratch {};

TEST_F(Lock, IsForOneAtATime) {
  {
    const FileLock lock(path("file"), "--checkpoint");
    EXPECT_NE(refusal_of([&] { FileLock(path("file"), "--checkpoint"); }).find("--checkpoint: another run is writing"),
              std::string::npos);
    EXPECT_EQ(in_child([&] {
                const FileLock too(path("file"), "");
                return 0;
              }),
              3);
    const FileLock other(path("other"), "");
  }
  EXPECT_EQ(files(), 0u);
  const FileLock again(path("file"), "");
}

// A file has one lock, whatever it is called.
TEST_F(Lock, IsOfTheFileAndNotOfItsName) {
  std::filesystem::create_symlink("file", folder_ / "link");
  const FileLock lock(path("link"), "");
  EXPECT_NE(refusal_of([&] { FileLock(path("file"), ""); }), "none");
  const FileLock longest(path(std::string(255, 'n')), "");
  EXPECT_NE(refusal_of([&] { FileLock(path(std::string(255, 'n')), ""); }), "none");
  const FileLock another(path(std::string(254, 'n') + 'm'), "");
}

// Who was killed holds nothing.
TEST_F(Lock, DiesWithItsOwner) {
  const int code = in_child([&] {
    const FileLock lock(path("file"), "");
    kill(getpid(), SIGKILL);
    return 0;
  });
  EXPECT_EQ(code, -1);
  EXPECT_EQ(files(), 1u);
  { const FileLock lock(path("file"), ""); }
  EXPECT_EQ(files(), 0u);
}

// Only unfinished contents of the file itself are removed, and no file that has a content under the lock's name.
TEST_F(Lock, RemovesWhatWasLeftOfItsFileAlone) {
  const std::string left = unfinished_name("file") + "00000001", other = unfinished_name("other") + "00000001";
  put(left, "half");
  put(other, "half");
  put(".mine.lock", "mine");
  { const FileLock lock(path("file"), ""); }
  { const FileLock lock(path("mine"), ""); }
  EXPECT_FALSE(std::filesystem::exists(path(left)));
  EXPECT_TRUE(std::filesystem::exists(path(other)));
  EXPECT_EQ(content(".mine.lock"), "mine");
}

// Eight processes that take it a hundred times each and count in a file while they have it: no number is lost.
TEST_F(Lock, KeepsWritersApart) {
  put("count", "0");
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (int done = 0; done < 100;) try {
          const FileLock lock(path("count"), "");
          put("count", std::to_string(std::stoi(content("count")) + 1));
          ++done;
        } catch (const Error&) {
          usleep(100);
        }
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  EXPECT_EQ(content("count"), "800");
}

TEST_F(Lock, IsNotOfDevices) {
  const FileLock one("/dev/null", ""), other("/dev/null", "");
  EXPECT_FALSE(std::filesystem::exists("/dev/.null.lock"));
}

TEST_F(Lock, NeedsItsFolder) {
  EXPECT_NE(refusal_of([&] { FileLock(path("none/file"), "--out"); }), "none");
}

}  // namespace
}  // namespace helio
