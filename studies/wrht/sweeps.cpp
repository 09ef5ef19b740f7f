// SPDX-License-Identifier: Apache-2.0
// Series for plots: one parameter moves, the rest is the literal machine at 1024 nodes with AlexNet's gradient. Quantities read
// "sweep PARAMETER = VALUE: SERIES, time (ms)". The sweep over models is the table of times; charts.cpp draws them.
#include <fmt/format.h>

#include "studies/wrht/assumption.h"
#include "studies/wrht/chapters.h"
#include "studies/wrht/closed_forms.h"

namespace helio::studies::wrht_study {
namespace {

class Sweep {
 public:
  Sweep(Runs& runs, const char* parameter, Rows& rows) : runs_(runs), parameter_(parameter), rows_(rows) {}

  void add(std::uint64_t value, const char* series, const Question& question, double expected,
           const Assumptions& assumptions, const char* formula) {
    rows_.push_back(derived_row(fmt::format("sweep {} = {}: {}, time (ms)", parameter_, value, series), 1e3 * expected,
                                1e3 * runs_(question).seconds,
                                Assumptions{machine(question.wavelengths), literal_rate()} + assumptions,
                                fmt::format("closed form: {}", formula)));
  }

 private:
  Runs& runs_;
  const char* parameter_;
  Rows& rows_;
};

}  // namespace

Rows sweeps(Runs& runs) {
  Rows rows;
  const double d = kAlexnet.bytes, b = kLiteralRate;
  const Assumption doubling = of_our_own("recursive doubling in ceil(2^k / w) sub-rounds");
  const auto wrht = [&](std::uint64_t n, std::uint64_t w, std::uint64_t m) {
    return wrht_seconds(wrht_theta(n, w, m, true), d, b);
  };

  Sweep over_nodes(runs, "N", rows);
  for (const std::uint64_t n : {128, 256, 512, 1024, 2048, 3072, 4096}) {
    over_nodes.add(n, "WRHT", {.nodes = n}, wrht(n, 64, 129), {shortcut()}, "theta (d/B+a)");
    over_nodes.add(n, "Ring", {.algorithm = "ring", .nodes = n, .wavelengths = 1}, ring_seconds(n, d, b), {},
                   "2(N-1)(d/(NB)+a)");
    over_nodes.add(n, "BT", {.algorithm = "binary-tree", .nodes = n, .wavelengths = 1}, binary_tree_seconds(n, d, b),
                   {}, "2 ceil(log2 N)(d/B+a)");
    if (n <= 1024)
      over_nodes.add(n, "RD", {.algorithm = "recursive-doubling", .nodes = n}, doubling_seconds(n, 64, d, b),
                     {doubling}, "sum of ceil(2^k/w) times (d/B+a)");
  }

  Sweep over_wavelengths(runs, "w", rows);
  for (const int w : {4, 16, 64, 256}) {
    const auto lanes = static_cast<std::uint64_t>(w);
    over_wavelengths.add(lanes, "WRHT", {.wavelengths = w}, wrht(1024, lanes, 2 * lanes + 1), {shortcut()},
                         "theta (d/B+a)");
    over_wavelengths.add(lanes, "Ring", {.algorithm = "ring", .wavelengths = w}, ring_seconds(1024, d, b), {},
                         "2(N-1)(d/(NB)+a)");
    over_wavelengths.add(lanes, "RD", {.algorithm = "recursive-doubling", .wavelengths = w},
                         doubling_seconds(1024, lanes, d, b), {doubling}, "sum of ceil(2^k/w) times (d/B+a)");
  }

  Sweep over_groups(runs, "m", rows);
  for (const int m : {3, 5, 9, 17, 33, 65, 129}) {
    const auto group = static_cast<std::uint64_t>(m);
    over_groups.add(group, "WRHT", {.group = m}, wrht(1024, 64, group), {shortcut()}, "theta (d/B+a)");
    const int ways = kWavelengths / (m / 2);
    over_groups.add(
        group, "WRHT striped, no shortcut", {.stripe = ways, .shortcut = false, .group = m},
        wrht_seconds(wrht_theta(1024, 64, group, false), d / ways, b),
        {of_our_own("no all-to-all step; every transfer over floor(w / floor(m/2)) wavelengths: our extension")},
        "theta (d/(sB)+a)");
  }
  return rows;
}

}  // namespace helio::studies::wrht_study
