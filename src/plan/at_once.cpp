// SPDX-License-Identifier: Apache-2.0
#include "plan/at_once.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "base/budget.h"

namespace helio::plan {

void at_once(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& ask) {
  const BudgetLimits limits = Budget::limits();
  std::vector<std::exception_ptr> failed(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) try {
        const Budget budget(limits);
        ask(i);
      } catch (...) {
        failed[i] = std::current_exception();
      }
  };
  const std::size_t all = std::max(1u, threads > 0 ? threads : std::thread::hardware_concurrency());
  std::vector<std::thread> pool;
  for (std::size_t t = 1; t < std::min(all, count); ++t) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
  for (const std::exception_ptr& error : failed)
    if (error) std::rethrow_exception(error);
}

}  // namespace helio::plan
