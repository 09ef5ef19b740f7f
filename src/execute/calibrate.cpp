// SPDX-License-Identifier: Apache-2.0
#include "execute/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "execute/agreement.h"
#include "execute/runner.h"

namespace helio::execute {
namespace {

using schedule::Action;
using schedule::Move;
using schedule::Phase;
using schedule::Position;
using schedule::Schedule;

// Bytes of the vector that a rank holds, of which a round sends as much as a ring does. The first is for the latency.
constexpr std::size_t kVectors[] = {1 << 12, 1 << 18, 1 << 20, 1 << 22, 1 << 23, 1 << 24, 1 << 26};
constexpr std::size_t kPiece = 65536;               // elements of a message, as schedules are run
constexpr int kPasses = 5;                          // over all sizes, each in memory of its own
constexpr int kWarm = 2, kMost = 100, kFewest = 3;  // runs of a size in a pass; the first warm up
constexpr double kLeast = 0.1;                      // of a time that is left beside the latency
constexpr double kLong = 0.2;  // seconds for a size in a pass, where that allows more than the fewest

// Everybody sends to its partner as in a ring: what it got the round before, first adding and then, as often, storing.
Schedule shifts(const std::vector<std::pair<Position, Position>>& pairs, Position ranks) {
  const auto slots = static_cast<std::uint32_t>(ranks);
  Schedule schedule{.algorithm = "calibration", .ranks = ranks, .chunks = slots};
  for (const Action action : {Action::kReduce, Action::kStore}) {
    Phase phase{.name = "shift", .repeat = slots - 1};
    for (const auto& [from, to] : pairs) {
      const std::uint32_t slot = (static_cast<std::uint32_t>(from) + (action == Action::kStore ? 1 : 0)) % slots;
      phase.moves.push_back({.source = from,
                             .destination = to,
                             .source_slot = slot,
                             .destination_slot = slot,
                             .stride = -1,
                             .action = action});
    }
    schedule.phases.push_back(std::move(phase));
  }
  return schedule;
}

// Runs of one vector, in memory that is new.
double one_pass(const Schedule& schedule, std::size_t elements, MPI_Comm world, const Progress& progress) {
  const RankPlan plan = plan_rank(schedule, rank_in(world), elements, kPiece);
  Runner runner(plan, Element::kFloat32, world, nullptr, [&] { progress(0); });
  std::vector<std::byte> other(8 * elements);
  std::vector<double> took;
  const double begin = MPI_Wtime();
  double spent = 0;
  for (int run = 0; run < kWarm + kFewest || (run < kWarm + kMost && spent < kLong); ++run) {
    progress(0);
    // As an application leaves it that computes and keeps other things, too (measure.cpp: MPI's vectors)
    for (std::byte* rest : {other.data(), other.data() + 4 * elements})
      fill(Element::kFloat32, rest, 0, plan.elements, 0);
    fill(Element::kFloat32, runner.data(), 0, plan.elements, 0);
    MPI_Barrier(world);
    const double start = MPI_Wtime();
    runner.run();
    const double end = MPI_Wtime();
    double told[] = {end - start, end - begin};
    MPI_Allreduce(MPI_IN_PLACE, told, 2, MPI_DOUBLE, MPI_MAX, world);
    if (run >= kWarm) took.push_back(told[0]);
    spent = told[1];
  }
  return median(std::move(took));
}

// The time of a round for each vector: the median of passes. What others do on the machine, and where in memory a vector lies, changes from
// one stretch of time to the next, so that all sizes are visited again and again.
std::vector<RoundTime> timed(const std::vector<std::pair<Position, Position>>& pairs, MPI_Comm world,
                             const Progress& progress) {
  const auto ranks = static_cast<std::uint32_t>(size_of(world));
  const Schedule schedule = shifts(pairs, static_cast<Position>(ranks));
  std::vector<std::vector<double>> passes(std::size(kVectors));
  const auto elements = [&](std::size_t vector) { return std::max<std::size_t>(vector / 4 / ranks, 1) * ranks; };
  for (int pass = 0; pass < kPasses; ++pass)
    for (std::size_t v = 0; v < std::size(kVectors); ++v)
      passes[v].push_back(one_pass(schedule, elements(kVectors[v]), world, progress) /
                          static_cast<double>(rounds(schedule)));
  std::vector<RoundTime> times;
  for (std::size_t v = 0; v < std::size(kVectors); ++v) {
    const auto bytes = static_cast<double>(4 * elements(kVectors[v]));
    const auto [least, most] = std::ranges::minmax(passes[v]);
    times.push_back({bytes, bytes / ranks, median(passes[v]), most / least});
  }
  return times;
}

// The host of each rank, by the lowest rank that shares its memory.
std::vector<int> hosts(MPI_Comm world) {
  MPI_Comm shared = MPI_COMM_NULL;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank_in(world), MPI_INFO_NULL, &shared);
  int lowest = rank_in(world);
  MPI_Bcast(&lowest, 1, MPI_INT, 0, shared);
  MPI_Comm_free(&shared);
  std::vector<int> all(static_cast<std::size_t>(size_of(world)));
  MPI_Allgather(&lowest, 1, MPI_INT, all.data(), 1, MPI_INT, world);
  std::vector<int> names = all;
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (int& host : all) host = static_cast<int>(std::ranges::find(names, host) - names.begin());
  return all;
}

// Ranks of the same host in a circle, or each to its like on the next host.
std::vector<std::pair<Position, Position>> neighbours(const std::vector<int>& host, bool other) {
  std::vector<std::vector<Position>> of(static_cast<std::size_t>(*std::ranges::max_element(host)) + 1);
  for (std::size_t r = 0; r < host.size(); ++r)
    of[static_cast<std::size_t>(host[r])].push_back(static_cast<Position>(r));
  std::vector<std::pair<Position, Position>> pairs;
  for (std::size_t h = 0; h < of.size(); ++h)
    for (std::size_t i = 0; i < of[h].size(); ++i) {
      const std::vector<Position>& next = other ? of[(h + 1) % of.size()] : of[h];
      const Position to = next[other ? i % next.size() : (i + 1) % next.size()];
      if (to != of[h][i]) pairs.emplace_back(of[h][i], to);
    }
  return pairs;
}

}  // namespace

double Speed::fastest() const {
  double most = 0;
  for (const auto& [vector, rate] : rates) most = std::max(most, rate);
  return most;
}

Speed speed_of(const std::vector<RoundTime>& times) {
  Speed speed{.latency_s = times.front().seconds};
  for (std::size_t i = 1; i < times.size(); ++i)
    speed.rates[times[i].vector] =
        times[i].bytes / std::max(times[i].seconds - speed.latency_s, kLeast * times[i].seconds);
  for (const RoundTime& time : times) speed.spread = std::max(speed.spread, time.spread);
  return speed;
}

Calibration calibrate(MPI_Comm world, const Progress& progress) {
  Calibration found{.host = hosts(world)};
  const int count = *std::ranges::max_element(found.host) + 1;
  if (const auto pairs = neighbours(found.host, false); !pairs.empty()) {
    found.together = speed_of(timed(pairs, world, progress));
    found.alone = speed_of(timed({pairs.front()}, world, progress));
  }
  if (count > 1) found.between = speed_of(timed(neighbours(found.host, true), world, progress));
  return found;
}

std::string graph_text(const Calibration& c) {
  const int hosts = *std::ranges::max_element(c.host) + 1;
  std::string text = fmt::format(
      "# measured by helio execute: {} ranks on {} host{}, float32, every other message added\n"
      "# a round of all ranks: {:.4g} us, then up to {:.4g} GB/s for all together; one alone: {:.4g} "
      "us, "
      "{:.4g} GB/s\n"
      "# the slowest of {} passes took up to {:.3g} x the fastest\n",
      c.host.size(), hosts, hosts == 1 ? "" : "s", c.together.latency_s * 1e6,
      c.together.fastest() * static_cast<double>(std::ranges::count(c.host, 0)) / 1e9, c.alone.latency_s * 1e6,
      c.alone.fastest() / 1e9, kPasses, std::max(c.together.spread, c.between.spread));
  for (std::size_t r = 0; r < c.host.size(); ++r) text += fmt::format("node r{}\n", r);
  for (int h = 0; h < hosts; ++h) text += fmt::format("switch in{} out{}\n", h, h);
  if (hosts > 1) text += "switch network\n";

  // What `senders` that do as these move together, by the size of the vector
  const auto link = [&](const std::string& ends, const Speed& speed, double senders, double latency_s) {
    const auto rate = [&](double bytes) { return fmt::format("{:.6g}Mb/s", 8e-6 * bytes * senders); };
    text += fmt::format("link {} {} {:.6g} ns oneway", ends, rate(speed.fastest()), latency_s * 1e9);
    for (const auto& [vector, one] : speed.rates) text += fmt::format(" {:.0f}B:{}", vector, rate(one));
    text += "\n";
  };
  // A rank that has nobody to measure with on its host: the network says what it can do
  const auto mates = [&](int h) { return static_cast<double>(std::ranges::count(c.host, h)); };
  Speed port = c.alone;
  for (auto& [vector, rate] : port.rates)
    if (const auto found = c.together.rates.find(vector); found != c.together.rates.end())
      rate = std::max(rate, found->second);
  for (std::size_t r = 0; r < c.host.size(); ++r) {
    const int h = c.host[r];
    const bool single = mates(h) < 2;
    link(fmt::format("r{} in{}", r, h), single ? c.between : port, 1, (single ? c.between : c.together).latency_s);
    link(fmt::format("out{} r{}", h, r), single ? c.between : port, 1, 0);
  }
  for (int h = 0; h < hosts; ++h) {
    const bool single = mates(h) < 2;
    link(fmt::format("in{} out{}", h, h), single ? c.between : c.together, mates(h), 0);
    if (hosts == 1) continue;
    const double further = single ? 0 : std::max(0.0, c.between.latency_s - c.together.latency_s);
    link(fmt::format("in{} network", h), c.between, mates(h), further);
    link(fmt::format("network out{}", h), c.between, mates(h), 0);
  }
  return text;
}

}  // namespace helio::execute
