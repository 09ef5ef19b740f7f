// SPDX-License-Identifier: Apache-2.0
#include "report/json/trace_writer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_dump.h"

namespace helio::report {
namespace {

std::string quoted(const std::string& text) { return json_dump(nlohmann::json(text)); }

double microseconds(Time time) { return time.to_seconds() * 1e6; }

}  // namespace

std::uint32_t TraceWriter::process(const std::string& name) {
  ++processes_;
  event(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", processes_, quoted(name)));
  return processes_;
}

void TraceWriter::thread(std::uint32_t process, std::uint32_t thread, const std::string& name) {
  event(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", process, thread,
                    quoted(name)));
  event(fmt::format(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})", process,
                    thread, thread));
}

void TraceWriter::bar(std::uint32_t process, std::uint32_t thread, const std::string& name, Time start, Time duration,
                      std::uint64_t rounds) {
  event(fmt::format(R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{"rounds":{}}}}})", quoted(name),
                    process, thread, microseconds(start), microseconds(duration), rounds));
}

void TraceWriter::mark(std::uint32_t process, const std::string& name, Time when) {
  event(fmt::format(R"({{"ph":"i","name":{},"pid":{},"tid":0,"ts":{},"s":"g"}})", quoted(name), process,
                    microseconds(when)));
}

std::string TraceWriter::finish() && { return std::move(text_) + "\n]}\n"; }

void TraceWriter::event(const std::string& json) {
  text_ += separator_ + json;
  separator_ = ",\n";
}

}  // namespace helio::report
