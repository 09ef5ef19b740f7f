// SPDX-License-Identifier: Apache-2.0
#include "reproduced.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include "progress.h"

namespace helio::apps {
namespace {

// What is under way, told to whoever watches.
class Running {
 public:
  Running(Progress& progress, std::size_t studies) : progress_(progress), studies_(studies) {}

  void begins(const std::string& name) {
    const std::lock_guard lock(mutex_);
    names_.insert(name);
    tell();
  }
  void ends(const std::string& name) {
    const std::lock_guard lock(mutex_);
    names_.erase(name);
    ++done_;
    tell();
  }

 private:
  void tell() { progress_.begin(std::min(done_, studies_ - 1), studies_, fmt::format("{}", fmt::join(names_, ", "))); }

  Progress& progress_;
  std::size_t studies_, done_ = 0;
  std::mutex mutex_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<report::Study> reproduced(const std::string& study) {
  const std::vector<std::string> names = study == "all" ? studies::studies().names() : std::vector{study};
  std::vector<std::vector<report::Study>> found(names.size());
  std::vector<std::exception_ptr> failed(names.size());
  Progress progress;
  pipeline::RunOptions options;
  options.progress = [&progress](std::string_view stage) { progress.show(stage); };
  Running running(progress, names.size());

  // The last of the catalogue take longest, so they are taken first.
  std::atomic<std::size_t> left = names.size();
  const auto work = [&] {
    for (std::size_t at; (at = left.fetch_sub(1)) - 1 < names.size();) {
      const std::size_t i = at - 1;
      running.begins(names[i]);
      try {
        found[i] = studies::reproduce_each(names[i], options);
      } catch (...) {
        failed[i] = std::current_exception();
      }
      running.ends(names[i]);
    }
  };
  std::vector<std::thread> others;
  const std::size_t workers = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, names.size());
  for (std::size_t w = 1; w < workers; ++w) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();

  std::vector<report::Study> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (failed[i]) std::rethrow_exception(failed[i]);
    std::ranges::move(found[i], std::back_inserter(all));
  }
  return all;
}

}  // namespace helio::apps
