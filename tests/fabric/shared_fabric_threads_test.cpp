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
std::string answers(const Fabric& fabric, bool backwards, int* carried) {
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
      ++*carried;
      const Lowered& lowered = std::get<Lowered>(result);
      program.entry = lowered.entry;
      const simulate::Timeline timeline = simulate::simulate(program);
      told.push_back(fmt::format("{}: {} {} {} {}", which, timeline.end.count(), timeline.steps, timeline.events,
                                 lowered.wavelengths_used));
      for (const Fact& fact : lowered.facts)
        if (const double* number = std::get_if<double>(&fact.value))
          told.back() += fmt::format(" {}={:a}", fact.name, *number);
        else if (const std::string* words = std::get_if<std::string>(&fact.value))
          told.back() += fmt::format(" {}={}", fact.name, *words);
    } catch (const Error& error) {
      told.push_back(which + ": " + error.message());
    }
  }
  std::ranges::sort(told);
  std::string text;
  for (const std::string& line : told) text += line + "\n";
  return text;
}

void expect_shared(const std::string& name, const Settings& settings) {
  const std::unique_ptr<const Fabric> fabric = make(name, settings);
  int carried = 0, by_one = 0, by_other = 0;
  const std::string alone = answers(*make(name, settings), false, &carried);
  std::string forwards, backwards;
  std::thread one([&] { forwards = answers(*fabric, false, &by_one); }),
      other([&] { backwards = answers(*fabric, true, &by_other); });
  one.join();
  other.join();
  EXPECT_EQ(forwards, alone) << name;
  EXPECT_EQ(backwards, alone) << name;
  EXPECT_GT(carried, 0) << name;
  EXPECT_EQ(by_one, carried) << name;
  EXPECT_EQ(by_other, carried) << name;
}

TEST(SharedFabricThreads, TwoThreadsGetWhatEachGetsAlone) {
  for (const auto& entry : fabrics().entries())
    expect_shared(entry.description.name, example_settings(entry.description));
}

// Those that remember most while they carry.
TEST(SharedFabricThreads, AlsoWhereCarriersRememberMuch) {
  const auto with = [](std::initializer_list<std::pair<const char*, const char*>> values) {
    Settings settings;
    for (const auto& [name, value] : values) settings[name] = {value, "test"};
    return settings;
  };
  expect_shared("fred", with({{"structure", "chiplets"}}));
  expect_shared("fred", with({{"radix", "4x4"}, {"reconfigure", "1 us"}}));
  expect_shared("oddl", with({{"nodes", "8"}, {"policy", "coflow"}}));
  expect_shared("oddl", with({{"nodes", "8"}, {"trx", "2"}, {"alternate", "true"}, {"loss", "0.1"}}));
  expect_shared("wdm-ring", with({{"nodes", "16"}, {"multicast", "true"}, {"regenerators", "true"}}));
  expect_shared("sip-ring", with({{"nodes", "12"}, {"wavelengths", "8"}, {"rings", "2"}}));
}

}  // namespace
}  // namespace helio::fabric
