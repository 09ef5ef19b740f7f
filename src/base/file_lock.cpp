// SPDX-License-Identifier: Apache-2.0
#include "base/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>

#include "base/error.h"
#include "base/file_ledger.h"

namespace helio {
namespace {

namespace fs = std::filesystem;

// Names have 255 bytes at most: of a longer one the beginning and a number.
std::string lock_name(const fs::path& file) {
  constexpr std::size_t kMostName = 200;
  const std::string name = file.filename().string();
  const std::string shown = name.size() <= kMostName
                                ? name
                                : fmt::format("{}-{:016x}", name.substr(0, kMostName), std::hash<std::string>{}(name));
  return (file.parent_path() / ("." + shown + ".lock")).string();
}

void remove_unfinished(const fs::path& file) {
  const std::string begin = unfinished_name(file.string());
  std::error_code unknown;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (fs::directory_iterator at(folder, unknown), end; !unknown && at != end; at.increment(unknown))
    if (std::error_code ignored; at->path().filename().string().starts_with(begin)) fs::remove(at->path(), ignored);
}

}  // namespace

std::string unfinished_name(const std::string& path) {
  return fmt::format(".helio-{:016x}-", std::hash<std::string>{}(fs::path(path).filename().string()));
}

FileLock::FileLock(const std::string& path, std::string_view place) {
  const std::string file = followed(path);
  if (std::error_code unknown; fs::exists(file, unknown) && !fs::is_regular_file(file, unknown)) return;
  name_ = lock_name(file);
  const auto refuse = [&](const std::string& what, const char* advice) {
    throw Error(ErrorKind::kInput, what, std::string(place), advice);
  };
  for (bool held = false; !held;) {
    file_ = Descriptor(open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!file_.open())
      refuse(fmt::format("cannot write '{}': its lock '{}' cannot be made: {}", path, name_, std::strerror(errno)),
             "name a file in a folder that may be written to");
    if (flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK)
        refuse(fmt::format("another run is writing '{}'", path), "wait until it has ended, or name another");
      if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS) return;
      refuse(fmt::format("cannot lock '{}': {}", path, std::strerror(errno)), "name another");
    }
    // Who had it before may have removed the file between our two steps: then it is no longer the one that others see.
    struct stat ours {};
    struct stat seen {};
    held = fstat(file_.number(), &ours) == 0 && stat(name_.c_str(), &seen) == 0 && ours.st_ino == seen.st_ino &&
           ours.st_dev == seen.st_dev;
  }
  remove_unfinished(file);
}

FileLock::~FileLock() {
  // What is not empty is not ours.
  struct stat found {};
  if (fstat(file_.number(), &found) == 0 && found.st_size == 0) unlink(name_.c_str());
}

}  // namespace helio
