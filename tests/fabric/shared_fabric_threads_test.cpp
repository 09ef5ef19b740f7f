// SPDX-License-Identifier: Apache-2.0
// One Fabric object, used by two threads at once: what each of them gets is what it gets alone, to the last bit. Runs under the
// thread sanitizer (make tsan).
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "fabric/carrier.h"
#include "fabric/example.h"
#include "schedule/algorithm.h"
#include "simulate/simulate.h"

namespace helio::fabric {
namespace {

using schedule::Kind;

// Every kind by every algorithm that builds and that the fabric carries, one after the other in programs of their own: times, steps,
// events and what the fabric says.
std::string answers(const Fabric& fabric, bool backwards) {
  const auto ranks = static_cast<schedule::Position>(fabric.capabilities().nodes);
  std::vector<std::string> all;
  for (const schedule::AlgorithmEntry& entry : schedule::algorithms().entries())
    for (const Kind kind : entry.factory.kinds)
      all.push_back(fmt::format("{} {}", entry.description.name, static_cast<int>(kind)));
  if (backwards) std::ranges::reverse(all);
  std::vector<std::string> told;
  for (const std::string& which : all) {
    const std::size_t blank = which.find(' ');
    const auto kind = static_cast<Kind>(std::stoi(which.substr(blank + 1)));
    const auto request = schedule::request_on_all(kind, Bytes{1e5}, ranks);
    try {
      const schedule::Schedule schedule = schedule::build(which.substr(0, blank), request, fabric.capabilities());
      flow::Program program;
      const auto carrier = fabric.install(program);
      const LowerResult result = carrier->lower(schedule, request, {.order = schedule.order});
      if (const auto* refusal = std::get_if<Refusal>(&result)) {
        told.push_back(which + " refused: " + refusal->reason);
        continue;
      }
      const Lowered& lowered = std::get<Lowered>(result);
      program.entry = lowered.entry;
      const simulate::Timeline timeline = simulate::simulate(program);
      told.push_back(fmt::format("{}: {} {} {} {}", which, timeline.end.count(), timeline.steps, timeline.events,
                                 lowered.wavelengths_used));
      for (const Fact& fact : lowered.facts)
        if (const double* number = std::get_if<double>(&fact.value))
          told.back() += fmt::format(" {}={:a}", fact.name, *number);
    } catch (const Error& error) {
      told.push_back(which + ": " + error.message());
    }
  }
  std::ranges::sort(told);
  std::string text;
  for (const std::string& line : told) text += line + "\n";
  return text;
}

TEST(SharedFabricThreads, TwoThreadsGetWhatEachGetsAlone) {
  for (const auto& entry : fabrics().entries()) {
    const std::unique_ptr<const Fabric> fabric = make(entry.description.name, example_settings(entry.description));
    const std::string alone = answers(*make(entry.description.name, example_settings(entry.description)), false);
    std::string forwards, backwards;
    std::thread one([&] { forwards = answers(*fabric, false); }), other([&] { backwards = answers(*fabric, true); });
    one.join();
    other.join();
    EXPECT_EQ(forwards, alone) << entry.description.name;
    EXPECT_EQ(backwards, alone) << entry.description.name;
    EXPECT_NE(alone.find(": "), std::string::npos);
  }
}

}  // namespace
}  // namespace helio::fabric
