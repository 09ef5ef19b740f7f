// SPDX-License-Identifier: Apache-2.0
// Files: the only way in which this program reads and writes them. What fails midway is an error, never the end of a file, and a file
// that is replaced is there whole at every moment, the old one or the new.
//
//     FileWriter ─▶ .helio-…, beside the file ─▶ every write, fsync and close checked ─▶ renamed        a failure: gone, the old file stays
//
// What is replaced keeps its mode, and its owner where that is allowed. A link stays: what it points to is replaced, or made. A file
// that may not be written to is refused, also where its folder would permit it. What is no file (a device, a pipe, /dev/stdout) is
// written to as it is. While a FileLedger is open (file_ledger.h) nothing that was read is replaced.
//
// `place` is where the user named the file ("--out"): every error here is Error(kInput) at it, unless something else is said.
#pragma once

#include <cstddef>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/file_lock.h"

namespace helio {

inline constexpr std::size_t kMiB = std::size_t{1} << 20;

// `what` names the kind of file ("graph file") and `page` the document of its format, for messages. A folder, a file that cannot be
// read or that is larger than `largest` bytes is refused.
std::string read_text(const std::string& path, std::string_view place, std::string_view what, std::string_view page,
                      std::size_t largest = 16 * kMiB);

// The whole file as bytes.
std::string read_bytes(const std::string& path, std::string_view place);

// A file that is read bit by bit; "-" is standard input. Every way to read throws the Error of a read that fails.
class InputStream : public std::istream {
 public:
  InputStream(const std::string& path, std::string_view place);
  ~InputStream() override;
  std::string rest();  // all that was not read yet

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

// Whether the folders above a file are made where they are not there.
enum class Parents { kThere, kMade };

// A new content for a file, which has it from commit() on. Every way to write throws the Error of a write that fails.
class FileWriter : public std::ostream {
 public:
  // `staged_in`: a folder of the same file system that holds the content until then; empty: the file's own.
  FileWriter(const std::string& path, std::string_view place, Parents parents = Parents::kThere,
             const std::string& staged_in = {});
  ~FileWriter() override;  // without commit() the old file stays

  void finish();  // the content is on the disk and nothing is open any more; no more of it can be written
  void commit();

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

void write_file(const std::string& path, std::string_view content, std::string_view place,
                Parents parents = Parents::kThere);

// A file that begins with `kept` in place of what it held, and grows: what was appended is with the system at once. Nobody else may do
// the same meanwhile.
class FileAppender {
 public:
  FileAppender(const std::string& path, std::string_view kept, std::string_view place);
  void append(std::string_view bytes);

 private:
  std::string path_, place_;
  std::unique_ptr<FileLock> lock_;
  Descriptor file_;
};

// Throws where a FileWriter would for what is there already: a folder, a file that may not be written to.
void refuse_unwritable(const std::string& path, std::string_view place);

void make_folders(const std::string& path, std::string_view place);
void remove_file(const std::string& path, std::string_view place);  // or nothing, where there is none
void remove_folder(const std::string& path);  // with all that is in it; what cannot be removed stays

}  // namespace helio
