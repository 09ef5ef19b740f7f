// SPDX-License-Identifier: Apache-2.0
#include "sweep/store.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/error.h"
#include "base/file_ledger.h"

namespace helio::sweep {
namespace {

constexpr int kApplication = 0x48454c49;  // "HELI", at byte 68 of the file
constexpr int kFormat = 1;
constexpr std::size_t kLargestResult = std::size_t{256} << 20;

}  // namespace

std::string compressed(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string bytes(size, '\0');
  compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
            static_cast<uLong>(text.size()), 6);
  bytes.resize(size);
  return bytes;
}

std::string uncompressed(std::string_view bytes, const std::string& place) {
  std::string text(std::max<std::size_t>(4096, 8 * bytes.size()), '\0');
  while (true) {
    uLongf size = text.size();
    const int code = uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                                reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()));
    if (code == Z_OK) {
      text.resize(size);
      return text;
    }
    if (code != Z_BUF_ERROR || text.size() > kLargestResult)
      throw Error(ErrorKind::kInput, "a result in it cannot be uncompressed", place, "the file is damaged");
    text.resize(4 * text.size());
  }
}

void Store::fail(const std::string& what, const std::string& advice) const {
  throw Error(ErrorKind::kInput, fmt::format("'{}' {}", path_, what), place_, advice);
}
void Store::fail() const {
  fail(fmt::format("cannot be used: {}", database_ ? sqlite3_errmsg(database_.get()) : "out of memory"),
       "Name another file, or make room for it.");
}

void Store::open(const std::string& path, bool writes) {
  path_ = path;
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw,
                                   writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY, nullptr);
  database_ = Database(raw, sqlite3_close);
  if (code != SQLITE_OK) fail();
  sqlite3_busy_timeout(raw, 5000);
}

Store::Statement Store::prepare(const char* text) const {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), text, -1, &raw, nullptr);
  Statement statement(raw, sqlite3_finalize);
  if (code == SQLITE_NOTADB) fail("is no database of a sweep", "Name another file.");
  if (code != SQLITE_OK) fail();
  return statement;
}

void Store::run(const char* text) const {
  if (sqlite3_exec(database_.get(), text, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::string Store::fact(const char* name) const {
  const Statement statement = prepare("SELECT value FROM sweep WHERE name = ?");
  sqlite3_bind_text(statement.get(), 1, name, -1, SQLITE_STATIC);
  if (sqlite3_step(statement.get()) != SQLITE_ROW) return "";
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), 0));
  return text ? text : "";
}

int Store::number(const char* question) const {
  const Statement statement = prepare(question);
  const int code = sqlite3_step(statement.get());
  if (code == SQLITE_NOTADB) fail("is no database of a sweep", "Name another file.");
  if (code != SQLITE_ROW) fail();
  return sqlite3_column_int(statement.get(), 0);
}

// Whether it is one of ours, of a format that is known.
void Store::check_kind() const {
  if (number("PRAGMA application_id") != kApplication) fail("is no database of a sweep", "Name another file.");
  if (const int format = number("PRAGMA user_version"); format != kFormat)
    fail(fmt::format("is of format {}, and this version knows format {}", format, kFormat),
         "Name another file, or use the version that made it.");
}

Store::Store(const std::string& path, const SweepFacts& facts, const std::string& place)
    : place_(place), database_(nullptr, sqlite3_close), insert_(nullptr, sqlite3_finalize), facts_(facts) {
  lock_ = std::make_unique<FileLock>(path, place);
  open(path, true);
  // Without tables it is new, or of a run that was killed before it had any
  const bool fresh = number("SELECT count(*) FROM sqlite_master") == 0 && number("PRAGMA application_id") == 0;
  if (!fresh) {
    check_kind();
    if (const std::string version = fact("version"); version != facts.version)
      fail(fmt::format("was begun by version {}, and this is {}", version, facts.version),
           "Name another file: numbers of two versions do not belong together.");
    if (fact("file") != facts.file)
      fail("holds another sweep", "Name another file, or sweep what its file says: helio sweep show tells.");
  }
  if (fresh) {
    run(fmt::format("BEGIN IMMEDIATE; PRAGMA application_id = {}; PRAGMA user_version = {};"
                    "CREATE TABLE sweep (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
                    "CREATE TABLE points (id INTEGER PRIMARY KEY, code INTEGER NOT NULL, configuration TEXT NOT NULL,"
                    " seed INTEGER NOT NULL, version TEXT NOT NULL, seconds REAL NOT NULL, value REAL, result BLOB, "
                    "reason TEXT);"
                    "CREATE INDEX finished ON points (code); CREATE INDEX compared ON points (value)",
                    kApplication, kFormat)
            .c_str());
    const Statement insert = prepare("INSERT INTO sweep VALUES (?, ?)");
    const auto put = [&](const char* name, const std::string& value) {
      sqlite3_bind_text(insert.get(), 1, name, -1, SQLITE_STATIC);
      sqlite3_bind_text(insert.get(), 2, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
      if (sqlite3_step(insert.get()) != SQLITE_DONE) fail();
      sqlite3_reset(insert.get());
    };
    put("file", facts.file);
    put("version", facts.version);
    put("points", fmt::format("{}", facts.points));
    put("seed", fmt::format("{}", facts.seed));
    run("COMMIT");
  }
  run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  insert_ = prepare("INSERT OR IGNORE INTO points VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
}

Store::Store(const std::string& path, const std::string& place)
    : place_(place), database_(nullptr, sqlite3_close), insert_(nullptr, sqlite3_finalize) {
  note_read(path, place);
  open(path, false);
  check_kind();
  facts_ = {.file = fact("file"), .version = fact("version")};
  facts_.points = std::strtoull(fact("points").c_str(), nullptr, 10);
  facts_.seed = std::strtoull(fact("seed").c_str(), nullptr, 10);
}

Store::~Store() {
  if (open_) sqlite3_exec(database_.get(), "COMMIT", nullptr, nullptr, nullptr);
}

std::vector<bool> Store::finished() const {
  std::vector<bool> found(facts_.points);
  const Statement statement = prepare("SELECT id FROM points INDEXED BY finished");
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement.get())) == SQLITE_ROW) {
    const auto point = static_cast<std::uint64_t>(sqlite3_column_int64(statement.get(), 0));
    if (point < found.size()) found[point] = true;
  }
  if (code != SQLITE_DONE) fail();
  return found;
}

void Store::add(const Row& row) {
  if (!open_) run("BEGIN IMMEDIATE");
  open_ = true;
  sqlite3_stmt* const s = insert_.get();
  sqlite3_reset(s);
  sqlite3_clear_bindings(s);
  sqlite3_bind_int64(s, 1, static_cast<sqlite3_int64>(row.point));
  sqlite3_bind_int(s, 2, row.code);
  sqlite3_bind_text(s, 3, row.configuration.data(), static_cast<int>(row.configuration.size()), SQLITE_STATIC);
  sqlite3_bind_int64(s, 4, static_cast<sqlite3_int64>(facts_.seed));
  sqlite3_bind_text(s, 5, facts_.version.data(), static_cast<int>(facts_.version.size()), SQLITE_STATIC);
  sqlite3_bind_double(s, 6, row.seconds);
  if (std::isfinite(row.value)) sqlite3_bind_double(s, 7, row.value);
  if (row.code == 0) sqlite3_bind_blob64(s, 8, row.result.data(), row.result.size(), SQLITE_STATIC);
  if (row.code != 0) sqlite3_bind_text(s, 9, row.reason.data(), static_cast<int>(row.reason.size()), SQLITE_STATIC);
  if (sqlite3_step(s) != SQLITE_DONE) fail();
}

void Store::commit() {
  if (open_) run("COMMIT");
  open_ = false;
}

std::vector<std::pair<int, std::uint64_t>> Store::codes() const {
  std::vector<std::pair<int, std::uint64_t>> found;
  const Statement statement = prepare("SELECT code, count(*) FROM points GROUP BY code ORDER BY code");
  while (sqlite3_step(statement.get()) == SQLITE_ROW)
    found.emplace_back(sqlite3_column_int(statement.get(), 0), sqlite3_column_int64(statement.get(), 1));
  return found;
}

void Store::visit(bool by_value, std::uint64_t most, const std::function<void(const Row&)>& visit) const {
  const Statement statement = prepare(
      by_value ? "SELECT id, code, seconds, value, configuration, result, reason FROM points "
                 "WHERE value IS NOT NULL ORDER BY value, id LIMIT ?"
               : "SELECT id, code, seconds, value, configuration, result, reason FROM points ORDER BY id LIMIT ?");
  sqlite3_stmt* const s = statement.get();
  sqlite3_bind_int64(s, 1, most == 0 ? -1 : static_cast<sqlite3_int64>(most));
  const auto text = [&](int column) {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(s, column));
    return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(s, column))) : std::string();
  };
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(s)) == SQLITE_ROW)
    visit({.point = static_cast<std::uint64_t>(sqlite3_column_int64(s, 0)),
           .code = sqlite3_column_int(s, 1),
           .seconds = sqlite3_column_double(s, 2),
           .value = sqlite3_column_type(s, 3) == SQLITE_NULL ? std::nan("") : sqlite3_column_double(s, 3),
           .configuration = text(4),
           .result = text(5),
           .reason = text(6)});
  if (code != SQLITE_DONE) fail();
}

}  // namespace helio::sweep
