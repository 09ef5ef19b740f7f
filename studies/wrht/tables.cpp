// SPDX-License-Identifier: Apache-2.0
// The tables that papers/wrht.md derives from the described algorithm: steps (6.1), schedules (6.3), times (6.4). Steps,
// wavelengths and hops are counted in runs.
#include <fmt/format.h>

#include "schedule/wrht.h"
#include "studies/wrht/chapters.h"
#include "studies/wrht/reduction.h"

namespace helio::studies::wrht_study {

Rows step_tables(Runs& runs) {
  const char* source = "papers/wrht.md 6.1, derived";
  const Assumptions described{machine(), shortcut()}, without{machine(), no_shortcut()};
  Rows rows;

  // Over N, w = 64
  struct OverNodes {
    std::uint64_t nodes;
    double with, without, ring, tree, smallest_group;
  };
  constexpr OverNodes kOverNodes[] = {
      {128, 2, 2, 254, 14, 128},  {256, 3, 4, 510, 16, 12},   {512, 3, 4, 1022, 18, 24}, {1024, 3, 4, 2046, 20, 47},
      {2048, 3, 4, 4094, 22, 94}, {3072, 4, 4, 6142, 24, 56}, {4096, 4, 4, 8190, 24, 64}};
  for (const OverNodes& of : kOverNodes) {
    const std::uint64_t n = of.nodes;
    const auto add = [&](const char* what, double expected, double ours, const Assumptions& assumptions) {
      rows.push_back(derived_row(fmt::format("steps, N = {}: {}", n, what), expected, ours, assumptions, source));
    };
    add("WRHT", of.with, runs({.nodes = n}).steps, described);
    add("WRHT without shortcut", of.without, runs({.nodes = n, .shortcut = false}).steps, without);
    add("Ring", of.ring, runs({.algorithm = "ring", .nodes = n, .wavelengths = 1}).steps,
        {machine(), one_wavelength()});
    add("BT", of.tree, runs({.algorithm = "binary-tree", .nodes = n, .wavelengths = 1}).steps,
        {machine(), one_wavelength()});
    std::uint64_t group = 2;
    while (schedule::wrht_steps(n, kWavelengths, group) != static_cast<std::uint64_t>(of.with)) ++group;
    add("smallest group with WRHT's steps", of.smallest_group, static_cast<double>(group),
        {machine(), shortcut(), noted("steps by schedule::wrht_steps, which tests hold to the schedules")});
  }

  // The last N with three steps is 129 times 22 (6.5)
  rows.push_back(
      derived_row("steps, N = 2839: WRHT", 4, runs({.nodes = 2839}).steps, described, "papers/wrht.md 6.5, derived"));

  // Over w, N = 1024
  struct OverWavelengths {
    int wavelengths;
    double with, without;
  };
  constexpr OverWavelengths kOverWavelengths[] = {{1, 13, 14}, {2, 9, 10}, {4, 7, 8},   {8, 5, 6},   {16, 4, 4},
                                                  {32, 3, 4},  {64, 3, 4}, {128, 3, 4}, {256, 3, 4}, {512, 2, 2}};
  for (const OverWavelengths& of : kOverWavelengths) {
    const int w = of.wavelengths;
    rows.push_back(derived_row(fmt::format("steps, w = {}: WRHT", w), of.with, runs({.wavelengths = w}).steps,
                               {machine(w), shortcut()}, source));
    rows.push_back(derived_row(fmt::format("steps, w = {}: WRHT without shortcut", w), of.without,
                               runs({.wavelengths = w, .shortcut = false}).steps, {machine(w), no_shortcut()}, source));
  }
  return rows;
}

Rows schedule_checks(Runs& runs) {
  struct Check {
    std::uint64_t nodes;
    int wavelengths, group;
    bool shortcut;
    double steps, used, hops;
  };
  constexpr Check kChecks[] = {
      {15, 2, 5, true, 3, 2, 5},         {9, 1, 3, false, 4, 1, 3},          {27, 1, 3, false, 6, 1, 9},
      {1024, 64, 129, true, 3, 64, 516}, {1024, 64, 129, false, 4, 64, 516}, {1024, 64, 33, false, 4, 16, 528},
      {1024, 32, 65, true, 3, 32, 520},  {2838, 64, 129, true, 3, 64, 1419}, {1000, 16, 33, true, 4, 16, 495},
      {1024, 4, 9, true, 7, 4, 567},
  };
  const char* source = "papers/wrht.md 6.3, derived";
  Rows rows;
  for (const Check& check : kChecks) {
    const std::string of = fmt::format("schedule N = {}, w = {}, m = {}, {} shortcut", check.nodes, check.wavelengths,
                                       check.group, check.shortcut ? "with" : "without");
    const Answer& answer = runs(
        {.nodes = check.nodes, .wavelengths = check.wavelengths, .shortcut = check.shortcut, .group = check.group});
    const Assumptions assumptions{check.shortcut ? shortcut() : of_our_own("WRHT without the all-to-all step"),
                                  of_our_own("one wavelength per receiver of the broadcast; counts of our schedule")};
    rows.push_back(derived_row(of + ": steps", check.steps, answer.steps, assumptions, source));
    rows.push_back(derived_row(of + ": wavelengths", check.used, answer.wavelengths, assumptions, source));
    rows.push_back(derived_row(of + ": longest path (hops)", check.hops, answer.told("longest_path_hops").value_or(0),
                               assumptions, source));
  }
  return rows;
}

Rows times(Runs& runs) {
  // As printed there, four digits after the point
  struct Line {
    const Model& model;
    double rate;
    double three, four, ring, h_ring, tree;
  };
  const Line lines[] = {
      {kBeit, kLiteralRate, 0.7369, 0.9825, 0.5419, 1.2853, 4.9125},
      {kVgg, kLiteralRate, 0.3313, 0.4417, 0.2717, 0.5836, 2.2085},
      {kAlexnet, kLiteralRate, 0.1496, 0.1995, 0.1507, 0.2693, 0.9973},
      {kResnet, kLiteralRate, 0.0601, 0.0801, 0.0911, 0.1144, 0.4005},
      {kGooglenet, kLiteralRate, 0.0164, 0.0219, 0.0620, 0.0388, 0.1093},
      {kBeit, kFittedRate, 0.0922, 0.1229, 0.1125, 0.1699, 0.6145},
      {kVgg, kFittedRate, 0.0415, 0.0553, 0.0787, 0.0822, 0.2765},
      {kAlexnet, kFittedRate, 0.0188, 0.0250, 0.0636, 0.0429, 0.1251},
      {kResnet, kFittedRate, 0.0076, 0.0101, 0.0561, 0.0236, 0.0505},
      {kGooglenet, kFittedRate, 0.0021, 0.0028, 0.0525, 0.0141, 0.0141},
  };
  Rows rows;
  for (const Line& line : lines) {
    const bool literal = line.rate == kLiteralRate;
    Reading reading = literal_reading();
    reading.wrht.rate = line.rate;
    const Assumptions base{machine(), literal ? literal_rate() : fitted_rate()};
    const auto add = [&](const char* what, double expected, double ours, const Assumptions& more) {
      rows.push_back(
          derived_row(fmt::format("time (s), {}, {}: {}", line.model.name, literal ? "40 Gb/s" : "40 GB/s", what),
                      expected, ours, base + more, "papers/wrht.md 6.4, derived, printed to 0.1 ms"));
    };
    const auto baseline = [&](Baseline which) { return seconds(runs, reading, which, 1024, line.model.bytes); };
    add("WRHT", line.three, runs({.bytes = line.model.bytes, .rate = line.rate}).seconds, {shortcut()});
    add("WRHT without shortcut", line.four,
        runs({.bytes = line.model.bytes, .rate = line.rate, .shortcut = false}).seconds, {no_shortcut()});
    add("Ring", line.ring, baseline(Baseline::kRing), {one_wavelength()});
    add("H-Ring", line.h_ring, baseline(Baseline::kHRing), {h_ring_split()});
    add("BT", line.tree, baseline(Baseline::kTree), {one_wavelength()});
  }
  return rows;
}

}  // namespace helio::studies::wrht_study
