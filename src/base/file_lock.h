// SPDX-License-Identifier: Apache-2.0
// One writer at a time, where two would lose what the other wrote: a checkpoint, a folder of a report.
//
//     FILE     .FILE.lock beside it, held by flock(2): who is killed holds it no more; removed at the end
#pragma once

#include <string>
#include <string_view>

#include "base/descriptor.h"

namespace helio {

class FileLock {
 public:
  // Throws Error(kInput) at `place` where another run has it. Who has it is the only writer: contents of `path` that a killed one left
  // unfinished are removed. What is no file has no lock, and a file system without locks gives
  // none.
  FileLock(const std::string& path, std::string_view place);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string name_;
  Descriptor file_;
};

// What the content of a file is called before it is the file's, without the number that tells writers apart: ".helio-…-", of one
// length whatever the file is called. `path` has its links followed.
std::string unfinished_name(const std::string& path);

}  // namespace helio
