// SPDX-License-Identifier: Apache-2.0
#include "ask/reproduce.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>

namespace helio::ask {

std::vector<report::Study> reproduce(const std::string& study, const Watch& watch, const std::string& job_log) {
  const std::vector<std::string> names = study == "all" ? studies::studies().names() : std::vector{study};
  std::vector<std::vector<report::Study>> found(names.size());
  std::vector<std::exception_ptr> failed(names.size());
  const studies::StudyOptions options(watch.run_options(), job_log);

  // What is under way, told to whoever watches
  std::mutex mutex;
  std::set<std::string> under_way;
  std::size_t done = 0;
  const auto tell = [&](const std::string& name, bool begins) {
    const std::lock_guard lock(mutex);
    begins ? void(under_way.insert(name)) : void((under_way.erase(name), ++done));
    watch.begin(std::min(done, names.size() - 1), names.size(), fmt::format("{}", fmt::join(under_way, ", ")));
  };

  // The last of the catalogue take longest, so they are taken first.
  std::atomic<std::size_t> left = names.size();
  const auto work = [&] {
    for (std::size_t at; (at = left.fetch_sub(1)) - 1 < names.size();) {
      const std::size_t i = at - 1;
      tell(names[i], true);
      try {
        found[i] = studies::reproduce_each(names[i], options);
      } catch (...) {
        failed[i] = std::current_exception();
      }
      tell(names[i], false);
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

}  // namespace helio::ask
