// SPDX-License-Identifier: Apache-2.0
// Real processes, real bytes. Nothing here looks at the clock: sums, order, bytes, messages and who is left are what counts.
#include "testbed/testbed.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "emulate/execute.h"
#include "testbed/wire.h"

namespace helio::testbed {
namespace {

// Quick to run: a gigabit, and next to no darkness.
Settings quick(Settings more = {}) {
  Settings settings = std::move(more);
  for (const auto& [name, text] :
       {std::pair{"rate", "1 Gb/s"}, {"tune", "100 us"}, {"lock", "100 us"}, {"guard", "100 us"}})
    settings.try_emplace(name, Setting{text, "test"});
  return settings;
}

// Numbers whose sum depends on the order of additions.
float gradient(std::uint32_t node, std::size_t element) {
  return 1.0f / static_cast<float>(1 + (element * 7 + node * 13) % 101) * (node % 2 == 0 ? 1.0f : 1000.0f);
}

void fill(Testbed& testbed) {
  for (std::uint32_t n = 0; n < testbed.plan().nodes(); ++n)
    for (std::size_t e = 0; e < testbed.plan().elements; ++e) testbed.row(n)[e] = gradient(n, e);
}

std::vector<std::vector<float>> executed(const Plan& plan) {
  std::vector<std::vector<float>> rows(plan.nodes(), std::vector<float>(plan.elements));
  for (std::uint32_t n = 0; n < plan.nodes(); ++n)
    for (std::size_t e = 0; e < plan.elements; ++e) rows[n][e] = gradient(n, e);
  emulate::execute(plan.schedule, rows);
  return rows;
}

bool namespaces_permitted() {
  const pid_t child = fork();
  if (child == 0) _exit(enter_namespace().empty() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Who a process was started by, and whether it still runs: as long as nobody has asked how it ended, an ended one is listed too.
struct Process {
  pid_t parent = 0;
  bool runs = false;
};
Process process(pid_t id) {
  std::ifstream file("/proc/" + std::to_string(id) + "/stat");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t after = text.rfind(')');
  char state = 0;
  int parent = 0;
  if (after == std::string::npos || sscanf(text.c_str() + after + 1, " %c %d", &state, &parent) != 2) return {};
  return {parent, state != 'Z' && state != 'X'};
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (const Process one = process(std::stoi(name)); one.parent == parent && one.runs)
      found.push_back(std::stoi(name));
  }
  return found;
}

// Whether nobody of them is left, after they had time to go.
bool gone(const std::vector<pid_t>& processes) {
  for (int i = 0; i < 5000; ++i, usleep(1000))
    if (std::ranges::none_of(processes, [](pid_t id) { return process(id).runs; })) return true;
  return false;
}

struct Case {
  const char* algorithm;
  const char* nodes;
  bool ideal;
};

// Sums are those of the schedule, bit by bit, over light and over an ideal switch, in every step; every byte of every flow went through the switch.
TEST(Testbed, AddsWhatTheScheduleAdds) {
  for (const Case& c : {Case{"ring", "4", false},
                        {"ring", "4", true},
                        {"halving-doubling", "4", false},
                        {"halving-doubling", "8", true},
                        {"ring", "3", false},
                        {"recursive-doubling", "2", false}}) {
    SCOPED_TRACE(std::string(c.algorithm) + " " + c.nodes + (c.ideal ? " ideal" : ""));
    const Plan plan = make_plan(quick({{"nodes", {c.nodes, "test"}}}), c.algorithm, {}, 10'007);
    Testbed testbed(plan, {.ideal = c.ideal, .namespaces = namespaces_permitted(), .logged = 2});
    const std::vector<std::vector<float>> expected = executed(plan);
    std::size_t bytes = 0;
    for (const Flow& flow : plan.flows) bytes += flow.bytes;
    for (int step = 0; step < 2; ++step) {
      fill(testbed);
      testbed.exchange();
      for (std::uint32_t n = 0; n < plan.nodes(); ++n)
        ASSERT_EQ(std::vector<float>(testbed.row(n).begin(), testbed.row(n).end()), expected[n]);
    }
    EXPECT_EQ(testbed.shared().counts().bytes, 2 * bytes);
    EXPECT_EQ(testbed.shared().counts().lost, 0u);
    EXPECT_EQ(testbed.shared().counts().messages > 0, !c.ideal);
  }
}

TEST(Testbed, KeepsNodesApartWhereThatIsPermitted) {
  const Plan plan = make_plan(quick(), "ring", {}, 1000);
  if (namespaces_permitted()) {
    Testbed testbed(plan, {});
    EXPECT_EQ(testbed.isolation(), "namespaces");
    // Each node is in a namespace that is nobody else's, not this process's either
    std::vector<std::string> seen = {std::filesystem::read_symlink("/proc/self/ns/net")};
    for (const pid_t node : children_of(testbed.switch_process())) {
      const std::string where = std::filesystem::read_symlink("/proc/" + std::to_string(node) + "/ns/net");
      EXPECT_EQ(std::count(seen.begin(), seen.end(), where), 0);
      seen.push_back(where);
    }
    EXPECT_EQ(seen.size(), 5u);
  }
  Testbed loopback(plan, {.namespaces = false});
  EXPECT_EQ(loopback.isolation(), "loopback: namespaces were not asked for");
  loopback.exchange();
  if (!namespaces_permitted()) GTEST_SKIP() << "network namespaces may not be made here: only loopback was tried";
}

// A ring sends to one neighbour only: each of the four is tuned once, and its circuit is held over both steps. Halving-doubling on four nodes
// has partners at distance 2, 1, 1, 2 (or 1, 2, 2, 1): three changes of each in the first step, and none at the seam to the second, which begins
// as the first ended: 3 + 2 for each of four.
TEST(Testbed, TunesAsOftenAsPartnersChange) {
  for (const auto& [algorithm, changes] : {std::pair{"ring", 4u}, {"halving-doubling", 20u}}) {
    const Plan plan = make_plan(quick(), algorithm, {}, 4096);
    Testbed testbed(plan, {.namespaces = false, .logged = 2});
    testbed.exchange();
    testbed.exchange();
    EXPECT_EQ(testbed.shared().counts().circuits, changes) << algorithm;
    // What was dark was so for tune + lock + guard, by the switch's own account, and no flow was through before its bytes are at the rate
    for (std::uint64_t step = 0; step < 2; ++step)
      for (std::uint32_t f = 0; f < plan.flows.size(); ++f) {
        const LitTimes& lit = testbed.shared().lit(step, f);
        EXPECT_EQ(lit.lit - lit.told, lit.changed ? plan.options.dark() : Time());
        const double least = 8.0 * static_cast<double>(plan.flows[f].bytes) / plan.options.rate.value;
        EXPECT_GE((lit.until - lit.lit).to_seconds(), least * (1 - 1e-9));
        EXPECT_GE(testbed.shared().flow(step, f).ended, lit.until);
      }
  }
}

// A tenth of the messages is lost: sources and arbiters repeat them, nothing is missing at the end.
TEST(Testbed, LosesNothingWhereMessagesAreLost) {
  const Plan plan =
      make_plan(quick({{"loss", {"0.1", "test"}}, {"seed", {"7", "test"}}, {"grant_timeout", {"4 ms", "test"}}}),
                "halving-doubling", {}, 4096);
  Testbed testbed(plan, {.namespaces = false});
  const std::vector<std::vector<float>> expected = executed(plan);
  for (int step = 0; step < 4; ++step) {
    fill(testbed);
    testbed.exchange();
    for (std::uint32_t n = 0; n < plan.nodes(); ++n)
      ASSERT_EQ(std::vector<float>(testbed.row(n).begin(), testbed.row(n).end()), expected[n]);
  }
  EXPECT_GT(testbed.shared().counts().lost, 0u);
}

// A node that kills itself amid a flow: the others are ended, whoever asked is told, and nobody is left.
TEST(Testbed, EndsWithTheNodeThatIsKilled) {
  for (const bool namespaces : {false, true}) {
    if (namespaces && !namespaces_permitted()) continue;
    Testbed testbed(make_plan(quick(), "ring", {}, 100'000), {.namespaces = namespaces, .death = Death{2, 1}});
    const pid_t daemon = testbed.switch_process();
    std::vector<pid_t> processes = children_of(daemon);
    EXPECT_EQ(processes.size(), 4u);
    processes.push_back(daemon);
    testbed.exchange();
    try {
      testbed.exchange();
      FAIL() << "a node was killed";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
      EXPECT_EQ(error.message(),
                "the testbed ended: node 2 was killed by signal 9 in step 1; the other nodes were ended");
    }
    EXPECT_TRUE(gone(processes));
  }
}

// Whoever asked is killed without a word: switch and nodes go with it.
TEST(Testbed, EndsWithWhoStartedIt) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t starter = fork();
  if (starter == 0) {
    Testbed testbed(make_plan(quick(), "ring", {}, 1000), {.namespaces = false});
    const pid_t daemon = testbed.switch_process();
    if (write(ends[1], &daemon, sizeof daemon) == sizeof daemon) pause();
    _exit(1);
  }
  pid_t daemon = 0;
  ASSERT_EQ(read(ends[0], &daemon, sizeof daemon), static_cast<ssize_t>(sizeof daemon));
  std::vector<pid_t> processes = children_of(daemon);
  EXPECT_EQ(processes.size(), 4u);
  kill(starter, SIGKILL);
  waitpid(starter, nullptr, 0);
  EXPECT_TRUE(gone(processes));
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace helio::testbed
