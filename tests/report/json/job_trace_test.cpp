// SPDX-License-Identifier: Apache-2.0
#include "report/json/job_trace.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "report/a_job.h"
#include "report/a_result.h"
#include "report/json/trace.h"

namespace helio::report {
namespace {

using Json = nlohmann::json;

struct Threads {
  std::map<std::pair<int, int>, std::string> names;
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> bars;  // start and end, in order of appearance
};

Threads threads_of(const std::string& trace) {
  Threads threads;
  const Json json = Json::parse(trace);
  for (const Json& event : json["traceEvents"]) {
    const std::pair<int, int> thread{event["pid"].get<int>(), event.value("tid", -1)};
    if (event["name"] == "thread_name") threads.names[thread] = event["args"]["name"];
    if (event["ph"] == "X")
      threads.bars[thread].emplace_back(event["ts"].get<double>(),
                                        event["ts"].get<double>() + event["dur"].get<double>());
  }
  return threads;
}

// Two rows and the sends of the first. Those overlap (3 to 8 and 6 to 11 us), so the second has a thread of its own.
TEST(JobTrace, EachRowIsAThreadAndBarsDoNotOverlap) {
  const Threads threads = threads_of(to_trace({}, {a_job()}));
  std::vector<std::string> names;
  for (const auto& [thread, name] : threads.names) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"stage 0", "stage 0, sends", "stage 0, sends (2)", "stage \"1\""}));
  std::size_t bars = 0;
  for (const auto& [thread, spans] : threads.bars) {
    EXPECT_TRUE(threads.names.contains(thread));
    bars += spans.size();
    for (std::size_t i = 1; i < spans.size(); ++i) EXPECT_LE(spans[i - 1].second, spans[i].first);
  }
  EXPECT_EQ(bars, a_job().trace.size());
}

// Two jobs are two processes that begin together, after the collective of 3 ms.
TEST(JobTrace, JobsStandSideBySide) {
  const Json events = Json::parse(to_trace({a_result()}, {a_job(), a_job()}))["traceEvents"];
  std::map<std::string, std::vector<double>> starts;
  std::map<int, std::string> process;
  for (const Json& event : events) {
    if (event["name"] == "process_name") process[event["pid"]] = event["args"]["name"];
    if (event["name"] == "forward 0" && event["tid"] == 0) starts[process[event["pid"]]].push_back(event["ts"]);
  }
  EXPECT_EQ(process.size(), 4u);  // two levels of the collective, two jobs
  EXPECT_EQ(starts["gpt <b>"], (std::vector<double>{3000, 3000}));
}

TEST(JobTrace, ACutIsMarkedWhereItHappened) {
  pipeline::IterationResult job = a_job();
  job.trace_cut = true;
  const Json last = Json::parse(to_trace({}, {job}))["traceEvents"].back();
  EXPECT_EQ(last["ph"], "i");
  EXPECT_EQ(last["ts"], 11.0);  // the end of the last bar
}

TEST(JobTrace, AJobWithoutBarsIsStillAFile) {
  pipeline::IterationResult job = a_job();
  job.trace.clear();
  EXPECT_EQ(Json::parse(to_trace({}, {job}))["traceEvents"].size(), 1u);
}

}  // namespace
}  // namespace helio::report
