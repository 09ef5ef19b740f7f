// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <map>
#include <thread>
#include <vector>

#include "base/scratch.h"

namespace helio {
namespace {

namespace fs = std::filesystem;

// The ways to read, each of them a whole file.
using Reader = std::function<std::string(const std::string&)>;
const std::map<std::string, Reader> kReaders = {
    {"read_text",
     [](const std::string& path) { return read_text(path, "--in", "model file", "docs/model-file.md", 64 * kMiB); }},
    {"read_bytes", [](const std::string& path) { return read_bytes(path, "--in"); }},
    {"rest", [](const std::string& path) { return InputStream(path, "--in").rest(); }},
    {"getline",
     [](const std::string& path) {
       InputStream in(path, "--in");
       std::string all;
       for (std::string line; std::getline(in, line);) all += line + (in.eof() ? "" : "\n");
       return all;
     }},
    {"read",
     [](const std::string& path) {
       InputStream in(path, "--in");
       std::string all;
       for (char piece[7]; in.read(piece, sizeof piece) || in.gcount() > 0;)
         all.append(piece, static_cast<std::size_t>(in.gcount()));
       return all;
     }},
};

// The ways to write a content.
using Writer = std::function<void(const std::string& path, const std::string& content)>;
const std::map<std::string, Writer> kWriters = {
    {"write_file", [](const std::string& path, const std::string& content) { write_file(path, content, "--out"); }},
    {"stream, byte by byte",
     [](const std::string& path, const std::string& content) {
       FileWriter out(path, "--out");
       for (const char c : content) out.put(c);
       out.commit();
     }},
    {"stream, piece by piece",
     [](const std::string& path, const std::string& content) {
       FileWriter out(path, "--out");
       for (std::size_t at = 0; at < content.size(); at += 1000) out << content.substr(at, 1000);
       out.finish();
       out.commit();
     }},
    {"kept by an appender",
     [](const std::string& path, const std::string& content) { FileAppender(path, content, "--out"); }},
};

// Longer than a buffer, all bytes there are.
std::string long_content() {
  std::string bytes;
  for (int i = 0; i < 300'000; ++i) bytes += static_cast<char>(i * 7 + i / 256);
  return bytes;
}

class ReadFile : public Scratch {};
class WrittenFile : public Scratch {};

TEST_F(ReadFile, IsReadWhole) {
  put("long", long_content());
  put("empty", "");
  for (const auto& [name, read] : kReaders) {
    EXPECT_EQ(read(path("long")), long_content()) << name;
    EXPECT_EQ(read(path("empty")), "") << name;
  }
}

TEST_F(ReadFile, WhatCannotBeReadIsReportedWhereItWasNamed) {
  for (const auto& [name, read] : kReaders) {
    const auto refused = [&, &use = read](const std::string& file) { return refusal_of([&] { use(file); }); };
    EXPECT_NE(refused(path("none")).find("No such file"), std::string::npos) << name << refused(path("none"));
    EXPECT_EQ(refused(path("none")).find("--in: "), 0u) << name;
    EXPECT_NE(refused(folder_.string()).find("directory"), std::string::npos) << name;
    // Opened like any file, and then the first page of memory cannot be read.
    EXPECT_NE(refused("/proc/self/mem").find("Input/output error"), std::string::npos) << name;
  }
}

// Our own memory as standard input: a page of empty lines, and behind it nothing is mapped. Every way to read it gets the page, and then
// the error.
TEST_F(ReadFile, AStreamThatFailsMidwayHasNotEnded) {
  for (const char* name : {"rest", "getline", "read"}) {
    const int code = in_child([&] {
      const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
      auto* lines =
          static_cast<char*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
      std::fill(lines, lines + page, '\n');
      const int memory = open("/proc/self/mem", O_RDONLY);
      if (munmap(lines + page, page) != 0 || dup2(memory, STDIN_FILENO) < 0 ||
          lseek(memory, static_cast<off_t>(reinterpret_cast<std::uintptr_t>(lines)), SEEK_SET) < 0)
        return 50;
      if (InputStream("-", "").get() != '\n') return 51;
      lseek(memory, static_cast<off_t>(reinterpret_cast<std::uintptr_t>(lines)), SEEK_SET);
      kReaders.at(name)("-");
      return 0;
    });
    EXPECT_EQ(code, 3) << name;
  }
}

TEST_F(ReadFile, StandardInputIsADash) {
  put("text", "one\ntwo\n");
  const int code = in_child([&] {
    const int file = open(path("text").c_str(), O_RDONLY);
    return dup2(file, STDIN_FILENO) == STDIN_FILENO && InputStream("-", "").rest() == "one\ntwo\n" ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

// An endless file is given up at its bound.
TEST_F(ReadFile, TextHasABound) {
  EXPECT_NE(refusal_of([] { read_text("/dev/zero", "--in", "model file", "page"); }).find("16 MiB"), std::string::npos);
}

TEST_F(WrittenFile, HasItsContentAndLeavesNothingElse) {
  for (const auto& [name, write] : kWriters) {
    write(path("file"), "a content that is longer than the next");
    write(path("file"), std::string("a\0b", 3));
    EXPECT_EQ(content("file"), std::string("a\0b", 3)) << name;
    write(path("file"), long_content());
    EXPECT_EQ(content("file"), long_content()) << name;
    EXPECT_EQ(files(), 1u) << name;
  }
}

TEST_F(WrittenFile, WithoutCommitTheOldOneStays) {
  put("file", "old");
  {
    FileWriter out(path("file"), "--out");
    out << long_content();
    out.finish();
    EXPECT_EQ(content("file"), "old");
  }
  EXPECT_EQ(content("file"), "old");
  EXPECT_EQ(files(), 1u);
}

// A disk that is full after 64 KiB, as a limit on the size of a file: every write past it fails. 300,000 bytes do not fit.
TEST_F(WrittenFile, AFullDiskLeavesTheOldOne) {
  for (const auto& [name, write] : kWriters)
    for (const bool there : {true, false}) {
      fs::remove(path("file"));
      if (there) put("file", "old");
      const int code = in_child([&, &use = write] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{65'536, 65'536};
        setrlimit(RLIMIT_FSIZE, &limit);
        use(path("file"), long_content());
        return 0;
      });
      EXPECT_EQ(code, 3) << name;
      EXPECT_EQ(content("file"), there ? "old" : "") << name;
      EXPECT_EQ(files(), there ? 1u : 0u) << name;
    }
  // The same of what is written as it is.
  EXPECT_NE(refusal_of([] { write_file("/dev/full", "x", "--out"); }).find("--out: cannot write '/dev/full': No space"),
            std::string::npos);
  FileAppender full("/dev/full", "", "--out");
  EXPECT_NE(refusal_of([&] { full.append("x"); }), "none");
}

TEST_F(WrittenFile, AnAppendersLineThatDoesNotFitIsAnError) {
  const int code = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    FileAppender lines(path("lines"), "", "--metrics");
    for (int i = 0; i < 99; ++i) lines.append("0123456789");
    return 0;
  });
  EXPECT_EQ(code, 3);
  EXPECT_EQ(content("lines").size(), 100u);  // ten lines of ten bytes
}

// What was appended is there at once, and what was there before is what was kept of it.
TEST_F(WrittenFile, AnAppenderGrows) {
  put("lines", "1\n2\n3\n");
  FileAppender lines(path("lines"), "1\n", "--metrics");
  EXPECT_EQ(content("lines"), "1\n");
  lines.append("two\n");
  EXPECT_EQ(content("lines"), "1\ntwo\n");
  EXPECT_NE(refusal_of([&] { FileAppender(path("lines"), "", "--metrics"); }).find("another run"), std::string::npos);
}

// Killed with half of the content written: the old file, and the next writer who holds the lock removes what was left.
TEST_F(WrittenFile, AKillLeavesTheOldOne) {
  put("file", "old");
  const int code = in_child([&] {
    FileWriter out(path("file"), "--out");
    out << long_content();
    kill(getpid(), SIGKILL);
    return 0;
  });
  EXPECT_EQ(code, -1);
  EXPECT_EQ(content("file"), "old");
  EXPECT_EQ(files(), 2u);
  { const FileLock lock(path("file"), "--out"); }
  EXPECT_EQ(files(), 1u);
}

// Eight processes, fifty contents each: whoever looks sees one of them, whole, and nobody fails.
TEST_F(WrittenFile, WritersDoNotMeet) {
  const auto whole = [&] {
    const std::string found = content("file");
    return found.size() == 20'000 && std::ranges::count(found, found.front()) == 20'000;
  };
  write_file(path("file"), std::string(20'000, 'a'), "--out");
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      int code = 0;
      try {
        for (int k = 0; k < 50; ++k) write_file(path("file"), std::string(20'000, static_cast<char>('a' + i)), "--out");
      } catch (...) {
        code = 1;
      }
      _exit(code);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    EXPECT_TRUE(whole());
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(whole());
  EXPECT_EQ(files(), 1u);
}

// A link stays one, and what it points to is replaced or made.
TEST_F(WrittenFile, LinksAreFollowed) {
  fs::create_directory(folder_ / "far");
  put("far/target", "old");
  fs::create_symlink("far/target", folder_ / "link");
  fs::create_symlink("link", folder_ / "link to it");
  fs::create_symlink("far/none yet", folder_ / "dangling");
  for (const char* name : {"link", "link to it", "dangling"}) {
    write_file(path(name), name, "--out");
    EXPECT_TRUE(fs::is_symlink(path(name))) << name;
    EXPECT_EQ(content(name), name);
  }
  EXPECT_EQ(content("far/target"), "link to it");
  EXPECT_EQ(content("far/none yet"), "dangling");
  fs::create_symlink("round", folder_ / "round");
  EXPECT_NE(refusal_of([&] { write_file(path("round"), "x", "--out"); }).find("symbolic links"), std::string::npos);
}

// The other name of a file that is replaced keeps what it had.
TEST_F(WrittenFile, HardLinksPart) {
  put("file", "old");
  fs::create_hard_link(path("file"), path("other"));
  write_file(path("file"), "new", "--out");
  EXPECT_EQ(content("file"), "new");
  EXPECT_EQ(content("other"), "old");
}

TEST_F(WrittenFile, RightsAreKept) {
  const auto mode = [&](const char* name) {
    struct stat found {};
    stat(path(name).c_str(), &found);
    return found.st_mode & 07777;
  };
  const mode_t before = umask(027);
  write_file(path("new"), "x", "--out");
  umask(before);
  EXPECT_EQ(mode("new"), 0640u);
  put("secret", "old");
  chmod(path("secret").c_str(), 0600);
  write_file(path("secret"), "new", "--out");
  EXPECT_EQ(mode("secret"), 0600u);
  EXPECT_EQ(content("secret"), "new");
  if (geteuid() != 0) return;
  ASSERT_EQ(chown(path("secret").c_str(), 12, 34), 0);
  write_file(path("secret"), "again", "--out");
  struct stat found {};
  stat(path("secret").c_str(), &found);
  EXPECT_EQ(found.st_uid, 12u);
  EXPECT_EQ(found.st_gid, 34u);
}

TEST_F(WrittenFile, WhatMayNotBeWrittenIsRefused) {
  put("guarded", "old");
  chmod(path("guarded").c_str(), 0444);
  fs::create_directory(folder_ / "a folder");
  for (const auto& [name, write] : kWriters)
    for (const auto& [file, why] : {std::pair("guarded", "Permission denied"),
                                    {"a folder", "directory"},
                                    {"none/file", "No such file"},
                                    {"guarded/file", "Not a directory"},
                                    {"a folder/", "directory"},
                                    {"none/", "directory"}}) {
      const std::string refused = refusal_of([&, &use = write] { use(path(file), "new"); });
      EXPECT_EQ(refused.find("--out: cannot write"), 0u) << name << ", " << file << ": " << refused;
      EXPECT_NE(refused.find(why), std::string::npos) << name << ", " << file << ": " << refused;
    }
  EXPECT_EQ(content("guarded"), "old");
  EXPECT_EQ(files(), 2u);
  EXPECT_NE(refusal_of([&] { refuse_unwritable(path("guarded"), "--out"); }), "none");
  EXPECT_EQ(refusal_of([&] { refuse_unwritable(path("none/file"), "--out"); }), "none") << "it may still be made";
}

// A folder that nothing may be made in; root may, so somebody else tries.
TEST_F(WrittenFile, AFolderThatMayNotBeWrittenToIsRefused) {
  fs::create_directory(folder_ / "guarded");
  put("guarded/file", "old");
  chmod(path("guarded/file").c_str(), 0666);
  chmod(path("guarded").c_str(), 0555);
  constexpr uid_t kNobody = 65'534;
  const int code = in_child([&] {
    if (geteuid() == 0 && setresuid(kNobody, kNobody, kNobody) != 0) return 50;
    write_file(path("guarded/file"), "new", "--out");
    return 0;
  });
  EXPECT_EQ(code, 3);
  EXPECT_EQ(content("guarded/file"), "old");
}

// Devices, pipes and what stands for an open file are written to as they are.
TEST_F(WrittenFile, WhatIsNoFileIsWrittenToAsItIs) {
  write_file("/dev/null", "x", "--out");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));

  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::string came;
  std::thread reader([&] { came = content("pipe"); });
  write_file(path("pipe"), long_content(), "--out");
  reader.join();
  EXPECT_EQ(came, long_content());
  EXPECT_TRUE(fs::is_fifo(path("pipe")));

  // Standard output is a file here: what others write there stands before and behind.
  const int code = in_child([&] {
    const int file = open(path("stdout").c_str(), O_WRONLY | O_CREAT, 0600);
    if (dup2(file, STDOUT_FILENO) < 0 || write(STDOUT_FILENO, "before ", 7) != 7) return 1;
    write_file("/dev/stdout", "ours ", "--out");
    return write(STDOUT_FILENO, "behind", 6) == 6 ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(content("stdout"), "before ours behind");
}

// Names may have 255 bytes; what is written first has a name of its own, which no file of the user's has.
TEST_F(WrittenFile, NamesAreTheUsersAlone) {
  const std::string longest(255, 'n');
  for (const auto& [name, write] : kWriters) {
    write(path(longest), name);
    EXPECT_EQ(content(longest), name);
  }
  put("file.part", "mine");
  put("victim", "mine too");
  fs::create_symlink("victim", folder_ / "other.part");
  write_file(path("file"), "new", "--out");
  write_file(path("other"), "new", "--out");
  EXPECT_EQ(content("file.part"), "mine");
  EXPECT_EQ(content("victim"), "mine too");
  EXPECT_EQ(files(), 6u);
}

TEST_F(WrittenFile, FoldersAreMadeWhereThatIsAsked) {
  write_file(path("deep/er/file"), "x", "--out", Parents::kMade);
  EXPECT_EQ(content("deep/er/file"), "x");
  EXPECT_NE(refusal_of([] { write_file("/dev/null/x/y", "", "--out", Parents::kMade); }), "none");
}

// What waits elsewhere is replaced when it is told to.
TEST_F(WrittenFile, MayWaitInAnotherFolder) {
  fs::create_directory(folder_ / "staged");
  put("file", "old");
  FileWriter out(path("file"), "--out", Parents::kThere, path("staged"));
  out << "new";
  out.finish();
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "staged"), {}), 1);
  EXPECT_EQ(content("file"), "old");
  out.commit();
  EXPECT_EQ(content("file"), "new");
  EXPECT_TRUE(fs::is_empty(folder_ / "staged"));
}

TEST_F(WrittenFile, RemovedIsGone) {
  put("file", "old");
  remove_file(path("file"), "--out");
  remove_file(path("file"), "--out");
  EXPECT_EQ(files(), 0u);
  fs::create_directory(folder_ / "a folder");
  EXPECT_NE(refusal_of([&] { remove_file(path("a folder"), "--out"); }), "none");
  put("a folder/file", "");
  remove_folder(path("a folder"));
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace helio
