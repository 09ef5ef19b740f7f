// SPDX-License-Identifier: Apache-2.0
// Writes the Trace Event Format: metadata, "complete" events, marks; times in microseconds.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"

namespace helio::report {

class TraceWriter {
 public:
  // A new process of that name; its number.
  std::uint32_t process(const std::string& name);
  // Names a thread; threads stand in the order of their numbers.
  void thread(std::uint32_t process, std::uint32_t thread, const std::string& name);
  void bar(std::uint32_t process, std::uint32_t thread, const std::string& name, Time start, Time duration,
           std::uint64_t rounds);
  void mark(std::uint32_t process, const std::string& name, Time when);

  // Closes the file. Requires: called once, last.
  std::string finish() &&;

 private:
  void event(const std::string& json);

  std::string text_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
  const char* separator_ = "\n";
  std::uint32_t processes_ = 0;
};

}  // namespace helio::report
