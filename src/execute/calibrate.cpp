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

constexpr std::size_t kLeast = 1 << 20, kLargest = 1 << 25,
                      kApart = 4;            // bytes of a round: from so many of all ranks to those of one
constexpr std::size_t kPiece = 65536;        // elements of a message, as schedules are run
constexpr std::uint32_t kRounds = 8;         // half of them add
constexpr int kMost = 25, kFewest = 5;       // runs of each size
constexpr double kLong = 1.0;                // seconds for a size, where that allows more than the fewest
constexpr std::size_t kMostBytes = 1 << 26;  // that a rank holds: what it sends is not still in its cache

// Every one of `senders` sends to its partner, kRounds times, slots that walk through a vector of `slots`.
Schedule shifts(const std::vector<std::pair<Position, Position>>& pairs, Position ranks, std::uint32_t slots) {
  Schedule schedule{.algorithm = "calibration", .ranks = ranks, .chunks = slots};
  for (const Action action : {Action::kReduce, Action::kStore}) {
    Phase phase{.name = "shift", .repeat = kRounds / 2};
    for (const auto& [from, to] : pairs) {
      const auto slot = static_cast<std::uint32_t>(from) % slots;
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

// The time of a round, by the median of runs, for each size.
std::vector<RoundTime> timed(const std::vector<std::pair<Position, Position>>& pairs, MPI_Comm world,
                             const Progress& progress) {
  std::vector<RoundTime> times;
  const auto ranks = static_cast<std::uint32_t>(size_of(world));
  for (std::size_t size = std::max<std::size_t>(kLeast / ranks / 4 * 4, 64); size <= kLargest; size *= kApart) {
    const auto slots = static_cast<std::uint32_t>(std::clamp<std::size_t>(kMostBytes / size, 2, std::max(4U, ranks)));
    const Schedule schedule = shifts(pairs, static_cast<Position>(ranks), slots);
    const RankPlan plan = plan_rank(schedule, rank_in(world), size / 4 * slots, kPiece);
    Runner runner(plan, Element::kFloat32, world, nullptr, [&] { progress(0); });
    fill(Element::kFloat32, runner.data(), 0, plan.elements, 0);
    std::vector<double> took;
    double spent = 0;
    for (int run = 0; run < kFewest || (run < kMost && spent < kLong); ++run) {
      progress(0);
      MPI_Barrier(world);
      const double start = MPI_Wtime();
      runner.run();
      double seconds = MPI_Wtime() - start;
      MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, world);
      if (run > 0) took.push_back(seconds);  // the first warms up
      spent += seconds;
    }
    std::ranges::sort(took);
    times.push_back({static_cast<double>(size), took[took.size() / 2] / kRounds});
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

// For a given b the best a makes the largest errors up and down alike; b is found among slopes through pairs of points and their like
// by golden section, for the error is convex in (a, b).
Line fitted(const std::vector<RoundTime>& times) {
  const auto error_at = [&](double slope, double& latency) {
    // |(a + b x)/t − 1| over all: the least largest over a, by ternary search
    double low = 0, high = std::ranges::max_element(times, {}, &RoundTime::seconds)->seconds;
    const auto largest = [&](double a) {
      double most = 0;
      for (const RoundTime& one : times) most = std::max(most, std::abs((a + slope * one.bytes) / one.seconds - 1));
      return most;
    };
    for (int i = 0; i < 100; ++i) {
      const double left = low + (high - low) / 3, right = high - (high - low) / 3;
      (largest(left) < largest(right) ? high : low) = largest(left) < largest(right) ? right : left;
    }
    latency = (low + high) / 2;
    return largest(latency);
  };
  double low = 0, high = 0, latency = 0;
  for (const RoundTime& one : times) high = std::max(high, 2 * one.seconds / one.bytes);
  for (int i = 0; i < 100; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (error_at(left, latency) < error_at(right, latency))
      high = right;
    else
      low = left;
  }
  const double slope = (low + high) / 2, error = error_at(slope, latency);
  return {latency, 1 / slope, error};
}

Calibration calibrate(MPI_Comm world, const Progress& progress) {
  Calibration found{.host = hosts(world)};
  const int count = *std::ranges::max_element(found.host) + 1;
  if (const auto pairs = neighbours(found.host, false); !pairs.empty()) {
    found.together = fitted(timed(pairs, world, progress));
    found.alone = fitted(timed({pairs.front()}, world, progress));
  }
  if (count > 1) found.between = fitted(timed(neighbours(found.host, true), world, progress));
  return found;
}

std::string graph_text(const Calibration& c) {
  const int hosts = *std::ranges::max_element(c.host) + 1;
  std::string text = fmt::format(
      "# measured by helio execute: {} ranks on {} host{}, float32, every other message added\n"
      "# a round of all ranks: {:.4g} us and {:.4g} GB/s for all together, within {:.2g} %; one alone: {:.4g} us, "
      "{:.4g} "
      "GB/s\n",
      c.host.size(), hosts, hosts == 1 ? "" : "s", c.together.latency_s * 1e6,
      c.together.rate * static_cast<double>(std::ranges::count(c.host, 0)) / 1e9, 100 * c.together.largest_error,
      c.alone.latency_s * 1e6, c.alone.rate / 1e9);
  for (std::size_t r = 0; r < c.host.size(); ++r) text += fmt::format("node r{}\n", r);
  for (int h = 0; h < hosts; ++h) text += fmt::format("switch in{} out{}\n", h, h);
  if (hosts > 1) text += "switch network\n";
  const auto rate = [](double bytes) { return fmt::format("{:.6g} Mb/s", 8e-6 * bytes); };
  for (std::size_t r = 0; r < c.host.size(); ++r) {
    const int h = c.host[r];
    const auto mates = static_cast<double>(std::ranges::count(c.host, h));
    const bool single = mates < 2;  // it has nobody to measure with: the network says what it can do
    const Line& line = single ? c.between : c.together;
    const double port = single ? c.between.rate : std::max(c.alone.rate, c.together.rate);
    text += fmt::format("link r{} in{} {} {:.6g} ns oneway\n", r, h, rate(port), line.latency_s * 1e9);
    text += fmt::format("link out{} r{} {} 0 ns oneway\n", h, r, rate(port));
  }
  for (int h = 0; h < hosts; ++h) {
    const auto mates = static_cast<double>(std::ranges::count(c.host, h));
    const double memory = mates < 2 ? c.between.rate : c.together.rate * mates;
    text += fmt::format("link in{} out{} {} 0 ns oneway\n", h, h, rate(memory));
    if (hosts == 1) continue;
    const double further = mates < 2 ? 0 : std::max(0.0, c.between.latency_s - c.together.latency_s);
    text += fmt::format("link in{} network {} {:.6g} ns oneway\n", h, rate(c.between.rate * mates), further * 1e9);
    text += fmt::format("link network out{} {} 0 ns oneway\n", h, rate(c.between.rate * mates));
  }
  return text;
}

}  // namespace helio::execute
