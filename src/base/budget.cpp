// SPDX-License-Identifier: Apache-2.0
#include "base/budget.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/split.h"
#include "base/units.h"

namespace helio {
namespace {

constexpr std::int64_t kStepsPerLook = 100'000;  // a millisecond, or less
constexpr double kStepsPerSecond = 1e8;

// Often enough to notice a tenth of the budget, however short it is.
std::int64_t steps_per_look(const BudgetLimits& limits) {
  if (limits.seconds == 0) return kStepsPerLook;
  return static_cast<std::int64_t>(std::clamp(0.1 * limits.seconds * kStepsPerSecond, 1.0, 1.0 * kStepsPerLook));
}

// Rounded up to one digit and a multiple that people would type.
double typed(double seconds) {
  const double unit = std::pow(10.0, std::floor(std::log10(seconds)));
  return std::ceil(seconds / unit) * unit;
}

}  // namespace

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

BudgetLimits parse_budget(std::string_view text, const std::string& place) {
  BudgetLimits limits;
  for (const std::string& part : split(text, ',')) {
    const bool bytes = part.find_last_of("Bb") != std::string::npos;
    double& limit = bytes ? limits.bytes : limits.seconds;
    try {
      const double value = bytes ? parse_bytes(part).value : parse_time(part).to_seconds();
      if (!(value > 0) || limit > 0) throw Error(ErrorKind::kInput, fmt::format("'{}' is no budget", text));
      limit = value;
    } catch (const Error& error) {
      throw Error(ErrorKind::kUsage, error.message(), place,
                  "Write a time, an amount of memory or both, above zero: \"60 s\", \"8 GB\", \"60 s, 8 GB\"");
    }
  }
  return limits;
}

void refuse(const BudgetSpent& spent) {
  const BudgetLimits& limits = spent.limits;
  BudgetLimits needed = spent.needed;
  if (needed.seconds == 0 && spent.share > 0 && spent.share < 1) needed.seconds = limits.seconds / spent.share;

  std::string what =
      !spent.memory      ? fmt::format("this takes more than {:g} s of processor time, the budget", limits.seconds)
      : limits.bytes > 0 ? fmt::format("this needs more than {} of memory, the budget", format(Bytes{limits.bytes}))
                         : std::string("this needs more memory than is available");
  if (!spent.known.empty()) what += "; " + spent.known;
  std::vector<std::string> all;
  if (needed.seconds > 0) all.push_back(fmt::format("{:.2g} s", std::max(needed.seconds, limits.seconds)));
  if (needed.bytes > 0.1 * limits.bytes)
    all.push_back(format(Bytes{typed(std::max(needed.bytes, spent.memory ? limits.bytes : 0))}));
  if (!all.empty()) what += fmt::format("; about {} in all", fmt::join(all, " and "));

  // A budget with room to spare, and what is there
  std::vector<std::string> more;
  if (!spent.memory || needed.seconds > limits.seconds)
    more.push_back(fmt::format("{:g} s", typed(std::max(1.5 * needed.seconds, 4 * limits.seconds))));
  if (spent.memory || needed.bytes > limits.bytes)
    more.push_back(fmt::format("{:g} GB", typed(std::max(1.5 * needed.bytes, 4 * limits.bytes) / 1e9)));
  throw Error(ErrorKind::kInfeasible, std::move(what), "",
              "Allow more (" + advised("budget", fmt::format("{}", fmt::join(more, ", "))) +
                  fmt::format("; {} are available), or ask for less: ", format(Bytes{available_memory()})) +
                  (spent.fits.empty() ? spent.less : spent.fits + " fit, or an algorithm with fewer moves"));
}

constinit thread_local std::int64_t Budget::left_ = kStepsPerLook;
constinit thread_local Budget::Open Budget::open_ = {};

Budget::Budget(const BudgetLimits& limits) : before_(open_) {
  open_ = {limits, limits.seconds > 0 ? processor_seconds() : 0};
  left_ = steps_per_look(limits);
}

Budget::~Budget() {
  open_ = before_;
  left_ = std::min(left_, steps_per_look(open_.limits));
}

void Budget::renew() {
  if (open_.limits.seconds > 0) open_.start = processor_seconds();
}

double Budget::seconds_left() {
  return open_.limits.seconds > 0 ? open_.limits.seconds - (processor_seconds() - open_.start) : HUGE_VAL;
}

void Budget::look() {
  left_ = steps_per_look(open_.limits);
  if (interrupt_requested.load(std::memory_order_relaxed)) {
    left_ = 0;
    throw Interrupted{};
  }
  if (open_.limits.seconds > 0 && processor_seconds() - open_.start > open_.limits.seconds) {
    left_ = 0;  // whoever goes on nevertheless is told again
    throw BudgetSpent{.limits = open_.limits};
  }
}

// Memory.

namespace {

// What the kernel tells in a file; nothing where it does not.
std::string read_if_there(const std::string& path) {
  try {
    return read_text(path, path, "file", "");
  } catch (const Error&) {
    return "";
  }
}

// The number in a file of the kernel that holds one; infinity for "max" and where there is none.
double number_in(const std::string& path) {
  const std::string text = read_if_there(path);
  double number = 0;
  std::istringstream words(text);
  return words >> number ? number : HUGE_VAL;
}

double of_machine() {
  std::istringstream lines(read_if_there("/proc/meminfo"));
  for (std::string line; std::getline(lines, line);) {
    double kib = 0;
    if (line.starts_with("MemAvailable:") && std::istringstream(line.substr(13)) >> kib) return 1024 * kib;
  }
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// What is used may go where it only caches files.
double of_group(const std::string& folder, const char* most, const char* used) {
  double cached = 0;
  std::istringstream lines(read_if_there(folder + "/memory.stat"));
  for (std::string key, line; std::getline(lines, line);) {
    std::istringstream words(line);
    double number = 0;
    if (words >> key >> number && (key == "inactive_file" || key == "total_inactive_file")) cached = number;
  }
  const double there = number_in(folder + "/" + most), taken = number_in(folder + "/" + used);
  return std::isfinite(there) && std::isfinite(taken) ? std::max(0.0, there - taken + cached) : HUGE_VAL;
}

}  // namespace

double available_memory() {
  double least = of_machine();
  std::istringstream groups(read_if_there("/proc/self/cgroup"));
  for (std::string line; std::getline(groups, line);) {
    const std::size_t one = line.find(':'), two = line.find(':', one + 1);
    if (two == std::string::npos) continue;
    const std::string controllers = line.substr(one + 1, two - one - 1);
    const bool unified = controllers.empty();
    if (!unified && controllers.find("memory") == std::string::npos) continue;
    const std::string root = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    for (std::string path = line.substr(two + 1);; path.resize(path.rfind('/'))) {  // the group and all above it
      if (path == "/") path.clear();
      least = std::min(least, unified ? of_group(root + path, "memory.max", "memory.current")
                                      : of_group(root + path, "memory.limit_in_bytes", "memory.usage_in_bytes"));
      if (path.empty()) break;
    }
  }
  return least;
}

void limit_memory([[maybe_unused]] double bytes, [[maybe_unused]] bool mapped) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const auto which = mapped ? RLIMIT_AS : RLIMIT_DATA;
  rlimit limit{};
  if (getrlimit(which, &limit) != 0) return;
  limit.rlim_cur = static_cast<rlim_t>(std::min(bytes, 1e18));
  if (limit.rlim_max != RLIM_INFINITY) limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  setrlimit(which, &limit);
#endif
}

}  // namespace helio
