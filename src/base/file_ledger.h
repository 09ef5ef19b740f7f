// SPDX-License-Identifier: Apache-2.0
// Which file a path means, and what one run does with its files: what it reads it does not replace.
//
//     FileLedger ledger;  declare_output("t.json", "--trace");  …  read_text("exp.toml", …);  …  write_file("t.json", …)
//                                  └── one file? ◀───────────────────┘                           declared?
//
// A program's main opens a ledger and declares every output before the work begins (apps/path_options.h); base/file.h notes what is
// read and asks before it writes. So a run that would lose its input ends in Error(kUsage) that names both, before anything was
// computed or written. Without a ledger, as in a library, nothing is noted and nothing is asked. Who asks many questions in one process
// opens one for each, of its thread alone, and tells the next one what an answer was made from.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

// Whether both name one file or folder, be it through links, hard links or another way to write it; also of what is not there yet.
// Devices and pipes can be read and written at once: they are never the same.
bool same_file(const std::string& a, const std::string& b);

// The path without links as its last name, also where they lead to nothing. What stands for an open file (/dev/stdout) stays.
std::string followed(const std::string& path);

// Whether the path, with its links followed, stands for an open file of some process.
bool is_descriptor(const std::string& path);

enum class OutputUse {
  kReplaced,  // nothing that is read
  kUpdated,   // read before it is written again: a checkpoint
  kFolder,    // files in it are written
};

class FileLedger {
 public:
  enum class Of { kProcess, kThread };
  explicit FileLedger(
      Of whose =
          Of::kProcess);  // Requires: the process has none. That of a thread stands before another until it goes.
  ~FileLedger();
  FileLedger(const FileLedger&) = delete;
  FileLedger& operator=(const FileLedger&) = delete;

  // Paths that were read.
  std::vector<std::string> read() const;

 private:
  friend void declare_output(const std::string&, std::string_view, OutputUse);
  friend void declare_files(const std::string&, const std::vector<std::string>&, std::string_view);
  friend void note_read(const std::string&, std::string_view);
  friend void note_write(const std::string&, std::string_view);
  friend void note_written(const std::string&);

  struct Output {
    std::string path, place;
    OutputUse use;
    std::vector<std::string> names = {};  // of a folder: what is in it and will be replaced or removed
    bool written = false;                 // what is in it is ours, and may be read
  };
  struct Input {
    std::string path, place;
  };
  const Of whose_;
  FileLedger* const before_;
  mutable std::mutex mutex_;
  std::vector<Output> outputs_;
  std::vector<Input> inputs_;
};

// Throws Error(kUsage) for a file that was read (unless it is updated), and for one that is declared already.
void declare_output(const std::string& path, std::string_view place, OutputUse use = OutputUse::kReplaced);

// Files of a declared folder that will be replaced or removed: they are not read either.
void declare_files(const std::string& folder, const std::vector<std::string>& names, std::string_view place);

// For base/file.h. Throw Error(kUsage) for a read of what will be replaced, and for a write onto what was read or is declared at another
// place; std::logic_error for a write that nobody declared.
void note_read(const std::string& path, std::string_view place);
void note_write(const std::string& path, std::string_view place);
void note_written(const std::string& path);

}  // namespace helio
