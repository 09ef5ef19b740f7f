// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <streambuf>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file_ledger.h"

namespace helio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = 65'536;

// What a system call gives when no signal came in between.
template <class Call>
auto undisturbed(const Call& call) {
  auto got = call();
  while (got < 0 && errno == EINTR) got = call();
  return got;
}

using Refusal = std::function<Error(const std::string& why)>;

Descriptor opened(const std::string& path, std::string_view place, const Refusal& refusal) {
  Descriptor file(undisturbed([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY); }));
  if (!file.open()) throw refusal(std::strerror(errno));
  note_read(path, place);
  return file;
}

// How many bytes came, 0 at the end.
std::size_t read_piece(const Descriptor& file, char* to, std::size_t most, const Refusal& refusal) {
  const ssize_t got = undisturbed([&] { return ::read(file.number(), to, most); });
  if (got < 0) throw refusal(std::strerror(errno));
  return static_cast<std::size_t>(got);
}

std::string read_whole(const std::string& path, std::string_view place, std::size_t largest, const Refusal& refusal) {
  const Descriptor file = opened(path, place, refusal);
  std::string bytes;
  std::array<char, kPiece> piece;
  while (const std::size_t got = read_piece(file, piece.data(), piece.size(), refusal)) {
    bytes.append(piece.data(), got);
    if (bytes.size() > largest) throw refusal(fmt::format("it is larger than {} MiB", largest / kMiB));
  }
  return bytes;
}

Refusal unreadable(const std::string& path, std::string_view place) {
  return [=, place = std::string(place)](const std::string& why) {
    return Error(ErrorKind::kInput, fmt::format("cannot read '{}': {}", path, why), place, "name a file that exists");
  };
}

Error unwritable(const std::string& path, std::string_view place, const std::string& why) {
  return Error(ErrorKind::kInput, fmt::format("cannot write '{}': {}", path, why), std::string(place),
               "name a file in a folder that exists and may be written to");
}

void write_all(int file, std::string_view bytes, const std::string& path, std::string_view place) {
  while (!bytes.empty()) {
    const ssize_t done = undisturbed([&] { return ::write(file, bytes.data(), bytes.size()); });
    if (done < 0) throw unwritable(path, place, std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

// Where a content goes in the end.
struct Target {
  std::string path;                // its links followed
  std::optional<struct stat> old;  // none: it is not there yet

  bool in_place() const { return is_descriptor(path) || (old && !S_ISREG(old->st_mode)); }
  std::string folder() const {
    const fs::path parent = fs::path(path).parent_path();
    return parent.empty() ? "." : parent.string();
  }
};

// Throws for what may not be replaced.
Target target_of(const std::string& path, std::string_view place) {
  Target target{followed(path), {}};
  struct stat found {};
  if (::stat(target.path.c_str(), &found) == 0)
    target.old = found;
  else if (errno != ENOENT)
    throw unwritable(path, place, std::strerror(errno));
  if (fs::path(target.path).filename().empty() || (target.old && S_ISDIR(target.old->st_mode)))
    throw unwritable(path, place, std::strerror(EISDIR));
  // Also for those who may write anything: who took the permission away meant it.
  constexpr mode_t kAnybodyWrites = 0222;
  if (target.old && !target.in_place() &&
      ((target.old->st_mode & kAnybodyWrites) == 0 || faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) != 0))
    throw unwritable(path, place, std::strerror(EACCES));
  return target;
}

// What is no file, for writing: one of our own descriptors shares its place with whoever else writes there.
Descriptor opened_in_place(const std::string& path) {
  const fs::path file = path;
  std::error_code unknown;
  if (fs::weakly_canonical(file.parent_path(), unknown) == fmt::format("/proc/{}/fd", getpid()))
    return Descriptor(fcntl(std::atoi(file.filename().c_str()), F_DUPFD_CLOEXEC, 0));
  return Descriptor(undisturbed([&] { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); }));
}

// The mode of the old file, and its owner where that is allowed; a group that cannot be kept leaves no rights to another.
bool keep_rights(const Descriptor& file, const struct stat& old) {
  mode_t mode = old.st_mode & 0777;
  if (fchown(file.number(), old.st_uid, old.st_gid) != 0 && fchown(file.number(), uid_t(-1), old.st_gid) != 0)
    mode = (mode & ~mode_t{070}) | ((mode & 07) << 3);
  return fchmod(file.number(), mode) == 0;
}

// The folder's new entry survives a power failure, too. What its disk cannot promise (some network folders) is no error: content and name are
// there for everybody who looks.
void keep_name(const std::string& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.open()) undisturbed([&] { return fsync(opened.number()); });
}

}  // namespace

std::string read_text(const std::string& path, std::string_view place, std::string_view what, std::string_view page,
                      std::size_t largest) {
  return read_whole(path, place, largest, [&](const std::string& why) {
    return Error(ErrorKind::kInput, fmt::format("cannot read the {} '{}': {}", what, path, why), std::string(place),
                 fmt::format("give the path of a text file, relative to the working directory: {}", page));
  });
}

std::string read_bytes(const std::string& path, std::string_view place) {
  return read_whole(path, place, std::string().max_size(), unreadable(path, place));
}

class InputStream::Buffer : public std::streambuf {
 public:
  Buffer(const std::string& path, std::string_view place)
      : refusal_(unreadable(path == "-" ? "standard input" : path, place)) {
    if (path != "-") {
      file_ = opened(path, place, refusal_);
      return;
    }
    file_ = Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!file_.open()) throw refusal_(std::strerror(errno));
    note_read("/proc/self/fd/0", place);
  }

 protected:
  int_type underflow() override {
    const std::size_t got = read_piece(file_, bytes_.data(), bytes_.size(), refusal_);
    setg(bytes_.data(), bytes_.data(), bytes_.data() + got);
    return got == 0 ? traits_type::eof() : traits_type::to_int_type(bytes_.front());
  }

 private:
  Refusal refusal_;
  Descriptor file_;
  std::array<char, kPiece> bytes_;
};

InputStream::InputStream(const std::string& path, std::string_view place)
    : std::istream(nullptr), buffer_(std::make_unique<Buffer>(path, place)) {
  rdbuf(buffer_.get());
  exceptions(std::ios::badbit);  // what the buffer throws goes through
}

InputStream::~InputStream() = default;

std::string InputStream::rest() { return {std::istreambuf_iterator<char>(*this), {}}; }

class FileWriter::Buffer : public std::streambuf {
 public:
  Buffer(std::string path, std::string_view place, Parents parents, const std::string& staged_in)
      : path_(std::move(path)), place_(place) {
    note_write(path_, place_);
    if (parents == Parents::kMade)
      if (const fs::path parent = fs::path(path_).parent_path(); !parent.empty()) make_folders(parent.string(), place_);
    target_ = target_of(path_, place_);
    if (target_.in_place()) {
      file_ = opened_in_place(target_.path);
    } else {
      const std::string begin =
          (staged_in.empty() ? target_.folder() : staged_in) + "/" + unfinished_name(target_.path);
      // What nobody may read now nobody may read meanwhile.
      const mode_t mode = target_.old ? 0600 : 0666;
      std::random_device number;
      do {
        unfinished_ = fmt::format("{}{:08x}", begin, number());
        file_ = Descriptor(::open(unfinished_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
      } while (!file_.open() && (errno == EEXIST || errno == EINTR));
    }
    if (!file_.open()) {
      unfinished_.clear();
      throw refusal();
    }
    if (target_.old && !target_.in_place() && !keep_rights(file_, *target_.old)) {
      const Error refused = refusal();
      unlink(unfinished_.c_str());
      throw refused;
    }
    setp(bytes_.data(), bytes_.data() + bytes_.size());
  }
  ~Buffer() override {
    if (!unfinished_.empty()) unlink(unfinished_.c_str());
  }

  void finish() {
    if (!file_.open()) return;
    sync();
    const bool kept = target_.in_place() || undisturbed([&] { return fsync(file_.number()); }) == 0 || errno == EINVAL;
    if (!kept) throw refusal();
    if (!file_.close()) throw refusal();
    setp(nullptr, nullptr);
    bytes_ = {};  // many may wait for their commit
  }

  void commit() {
    finish();
    if (unfinished_.empty()) return;
    if (std::rename(unfinished_.c_str(), target_.path.c_str()) != 0) throw refusal();
    unfinished_.clear();
    keep_name(target_.folder());
    note_written(path_);
  }

 protected:
  int_type overflow(int_type c) override {
    sync();
    return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                           : sputc(traits_type::to_char_type(c));
  }
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    if (count < epptr() - pptr()) return std::streambuf::xsputn(bytes, count);
    sync();
    write_all(file_.number(), {bytes, static_cast<std::size_t>(count)}, path_, place_);
    return count;
  }
  int sync() override {
    write_all(file_.number(), {pbase(), static_cast<std::size_t>(pptr() - pbase())}, path_, place_);
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return 0;
  }

 private:
  Error refusal() const { return unwritable(path_, place_, std::strerror(errno)); }

  std::string path_, place_;
  Target target_;
  std::string unfinished_;  // where the content is; empty: where it belongs
  Descriptor file_;
  std::vector<char> bytes_ = std::vector<char>(kPiece);
};

FileWriter::FileWriter(const std::string& path, std::string_view place, Parents parents, const std::string& staged_in)
    : std::ostream(nullptr), buffer_(std::make_unique<Buffer>(path, place, parents, staged_in)) {
  rdbuf(buffer_.get());
  exceptions(std::ios::badbit);
}

FileWriter::~FileWriter() = default;

void FileWriter::finish() { buffer_->finish(); }

void FileWriter::commit() { buffer_->commit(); }

void write_file(const std::string& path, std::string_view content, std::string_view place, Parents parents) {
  FileWriter file(path, place, parents);
  file << content;
  file.commit();
}

FileAppender::FileAppender(const std::string& path, std::string_view kept, std::string_view place)
    : path_(path), place_(place) {
  const Target target = target_of(path, place);
  if (target.in_place()) {
    note_write(path, place);
    file_ = opened_in_place(target.path);
  } else {
    lock_ = std::make_unique<FileLock>(path, place);
    write_file(path, kept, place);
    file_ = Descriptor(::open(target.path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  }
  if (!file_.open()) throw unwritable(path, place, std::strerror(errno));
}

void FileAppender::append(std::string_view bytes) { write_all(file_.number(), bytes, path_, place_); }

void refuse_unwritable(const std::string& path, std::string_view place) { target_of(path, place); }

void make_folders(const std::string& path, std::string_view place) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed)
    throw Error(ErrorKind::kInput, fmt::format("cannot make the folder '{}': {}", path, failed.message()),
                std::string(place), "name a place that can be written");
}

void remove_folder(const std::string& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

void remove_file(const std::string& path, std::string_view place) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT)
    throw Error(ErrorKind::kInput, fmt::format("cannot remove '{}': {}", path, std::strerror(errno)),
                std::string(place), "remove it, or name another place");
}

}  // namespace helio
