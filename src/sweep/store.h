// SPDX-License-Identifier: Apache-2.0
// The database of a sweep: SQLite, a row for each point that was finished, whatever became of it (docs/sweep.md).
//
//     points   id  code  configuration  seed  version  seconds  value  result  reason
//     sweep    name  value                                                               the file, its number of points
//
// `result` is the JSON of the answer, compressed by zlib; `code` what the command would have ended with: 0, or why there is no result;
// 128 + n for signal n, 124 for one that took too long. What was committed survives any kill; what was not is asked again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_lock.h"

struct sqlite3;
struct sqlite3_stmt;

namespace helio::sweep {

struct Row {
  std::uint64_t point = 0;
  int code = 0;
  double seconds = 0;         // of the clock
  double value = 0;           // what the points are compared by; NaN: none
  std::string configuration;  // the command that asks for it
  std::string result;         // JSON, compressed
  std::string reason;         // why there is none
};

std::string compressed(std::string_view text);
// Throws Error(kInput) at `place` for what is nothing of the kind.
std::string uncompressed(std::string_view bytes, const std::string& place);

struct SweepFacts {
  std::string file;  // the text of the sweep file
  std::uint64_t points = 0, seed = 0;
  std::string version;
};

class Store {
 public:
  // Makes the database, or opens it to go on. Throws Error(kInput) at `place`, and leaves what is there as it is: a file that is no sweep,
  // one of another version or another sweep, one that another run holds.
  Store(const std::string& path, const SweepFacts& facts, const std::string& place);
  // To look at, also while a run fills it.
  Store(const std::string& path, const std::string& place);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const SweepFacts& facts() const { return facts_; }
  std::vector<bool> finished() const;  // for each point
  void add(const Row& row);
  void commit();  // all that was added

  // Counts by code.
  std::vector<std::pair<int, std::uint64_t>> codes() const;
  // Those with a value, the least first, or all by point; `most` 0: no limit.
  void visit(bool by_value, std::uint64_t most, const std::function<void(const Row&)>& visit) const;

 private:
  using Database = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;
  using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;
  void open(const std::string& path, bool writes);
  void check_kind() const;
  Statement prepare(const char* text) const;
  void run(const char* text) const;
  int number(const char* question) const;
  std::string fact(const char* name) const;
  [[noreturn]] void fail(const std::string& what, const std::string& advice) const;
  [[noreturn]] void fail() const;  // with what SQLite says

  std::string path_, place_;
  std::unique_ptr<FileLock> lock_;
  Database database_;
  Statement insert_;
  SweepFacts facts_;
  bool open_ = false;  // a transaction
};

}  // namespace helio::sweep
