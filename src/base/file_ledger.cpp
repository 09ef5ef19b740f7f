// SPDX-License-Identifier: Apache-2.0
#include "base/file_ledger.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "base/error.h"

namespace helio {
namespace {

namespace fs = std::filesystem;

FileLedger* of_process = nullptr;
constinit thread_local FileLedger* of_thread = nullptr;

FileLedger* open_ledger() { return of_thread ? of_thread : of_process; }

fs::path parent_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

// Of what is not there yet.
fs::path spelt_out(const std::string& path) {
  std::error_code unknown;
  const fs::path last = fs::absolute(followed(path), unknown);
  return fs::weakly_canonical(last.parent_path(), unknown) / last.filename();
}

Error replaces(std::string_view output, const std::string& path, std::string_view reader) {
  const bool named = !reader.empty() && reader != path;
  return Error(ErrorKind::kUsage,
               fmt::format("{} would replace '{}', which {} reads", output, path, named ? reader : "this command"),
               std::string(output), "name another file");
}

Error one_file(std::string_view one, std::string_view other, const std::string& path) {
  return Error(ErrorKind::kUsage, fmt::format("{} and {} name one file, '{}'", one, other, path), std::string(other),
               "give each a file of its own");
}

}  // namespace

bool is_descriptor(const std::string& path) {
  std::error_code unknown;
  return fs::weakly_canonical(fs::absolute(parent_of(path), unknown), unknown).string().starts_with("/proc/");
}

std::string followed(const std::string& path) {
  constexpr int kMostLinks = 40;  // as the system's
  fs::path at = path;
  std::error_code unknown;
  for (int links = 0; links < kMostLinks && fs::is_symlink(at, unknown) && !is_descriptor(at.string()); ++links) {
    const fs::path to = fs::read_symlink(at, unknown);
    at = to.is_absolute() ? to : at.parent_path() / to;
  }
  return at.string();
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat one {};
  struct stat other {};
  const bool there = stat(a.c_str(), &one) == 0, there_too = stat(b.c_str(), &other) == 0;
  if (there != there_too) return false;
  if (!there) return spelt_out(a) == spelt_out(b);
  return (S_ISREG(one.st_mode) || S_ISDIR(one.st_mode)) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

FileLedger::FileLedger(Of whose) : whose_(whose), before_(whose == Of::kThread ? of_thread : of_process) {
  assert((whose == Of::kThread || !before_) && "one ledger at a time");
  (whose == Of::kThread ? of_thread : of_process) = this;
}

FileLedger::~FileLedger() { (whose_ == Of::kThread ? of_thread : of_process) = before_; }

std::vector<std::string> FileLedger::read() const {
  const std::lock_guard guard(mutex_);
  std::vector<std::string> paths;
  for (const Input& input : inputs_) paths.push_back(input.path);
  return paths;
}

void declare_output(const std::string& path, std::string_view place, OutputUse use) {
  FileLedger* const ledger = open_ledger();
  if (!ledger) return;
  const std::lock_guard guard(ledger->mutex_);
  for (const FileLedger::Output& other : ledger->outputs_)
    if (use != OutputUse::kFolder && other.use != OutputUse::kFolder && same_file(path, other.path))
      throw one_file(other.place, place, path);
  if (use == OutputUse::kReplaced)
    for (const FileLedger::Input& input : ledger->inputs_)
      if (same_file(path, input.path)) throw replaces(place, input.path, input.place);
  ledger->outputs_.push_back({path, std::string(place), use});
}

void declare_files(const std::string& folder, const std::vector<std::string>& names, std::string_view place) {
  FileLedger* const ledger = open_ledger();
  if (!ledger) return;
  const std::lock_guard guard(ledger->mutex_);
  for (const std::string& name : names) {
    const std::string path = fmt::format("{}/{}", folder, name);
    for (const FileLedger::Output& other : ledger->outputs_)
      if (other.use != OutputUse::kFolder && same_file(path, other.path)) throw one_file(place, other.place, path);
    for (const FileLedger::Input& input : ledger->inputs_)
      if (same_file(path, input.path)) throw replaces(place, input.path, input.place);
  }
  ledger->outputs_.push_back({folder, std::string(place), OutputUse::kFolder, names});
}

void note_read(const std::string& path, std::string_view place) {
  FileLedger* const ledger = open_ledger();
  if (!ledger) return;
  const std::lock_guard guard(ledger->mutex_);
  for (const FileLedger::Output& output : ledger->outputs_) {
    const auto held = [&](const std::string& name) { return same_file(path, fmt::format("{}/{}", output.path, name)); };
    if ((output.use == OutputUse::kReplaced && !output.written && same_file(path, output.path)) ||
        std::ranges::any_of(output.names, held))
      throw replaces(output.place, path, place);
  }
  const auto known = [&](const FileLedger::Input& input) { return input.path == path; };
  if (std::ranges::none_of(ledger->inputs_, known)) ledger->inputs_.push_back({path, std::string(place)});
}

void note_write(const std::string& path, std::string_view place) {
  FileLedger* const ledger = open_ledger();
  if (!ledger) return;
  const std::lock_guard guard(ledger->mutex_);
  bool declared = false, may_be_read = false;
  for (const FileLedger::Output& output : ledger->outputs_) {
    if (output.use == OutputUse::kFolder) {
      declared |= output.place == place && same_file(parent_of(path).string(), output.path);
    } else if (output.path == path || same_file(path, output.path)) {
      if (output.place != place) throw one_file(place, output.place, path);
      declared = true;
      may_be_read = output.use == OutputUse::kUpdated || output.written;
    }
  }
  if (!declared) throw std::logic_error(fmt::format("'{}' is written at '{}' and was not declared", path, place));
  if (may_be_read) return;
  for (const FileLedger::Input& input : ledger->inputs_)
    if (same_file(path, input.path)) throw replaces(place, input.path, input.place);
}

void note_written(const std::string& path) {
  FileLedger* const ledger = open_ledger();
  if (!ledger) return;
  const std::lock_guard guard(ledger->mutex_);
  for (FileLedger::Output& output : ledger->outputs_)
    if (output.use != OutputUse::kFolder && same_file(path, output.path)) output.written = true;
}

}  // namespace helio
