// SPDX-License-Identifier: Apache-2.0
#include "report/trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace helio::report {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string to_trace(const std::vector<pipeline::Result>& results) {
  std::string text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
  const char* separator = "\n";
  const auto event = [&](const std::string& json) {
    text += separator + json;
    separator = ",\n";
  };

  // Collectives of one file follow each other, and so do their bars
  Time origin;
  std::uint32_t process = 0;
  for (const pipeline::Result& result : results) {
    std::uint32_t depth = 0;
    for (const pipeline::TraceEvent& bar : result.trace) {
      if (&bar == &result.trace.front() || bar.depth != depth) {
        depth = bar.depth;
        ++process;
        event(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", process,
                          quoted(fmt::format("{}, level {}", result.name, depth))));
      }
      event(fmt::format(R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{"rounds":{}}}}})",
                        quoted(bar.name), process, bar.row, (origin + bar.start).to_seconds() * 1e6,
                        bar.duration.to_seconds() * 1e6, bar.rounds));
    }
    if (result.trace_cut)
      event(fmt::format(R"({{"ph":"i","name":"trace was cut here: too many events","pid":{},"tid":0,"ts":{},"s":"g"}})",
                        process, (origin + result.time).to_seconds() * 1e6));
    origin += result.time;
  }
  return text + "\n]}\n";
}

}  // namespace helio::report
