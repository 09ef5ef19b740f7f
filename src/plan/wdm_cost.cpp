// SPDX-License-Identifier: Apache-2.0
#include "plan/wdm_cost.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "schedule/ring_exchange.h"

namespace helio::plan {
namespace {

Setting setting(const std::string& text) { return {text, "wdm-planned"}; }

// Chains are many for highly composite N; beyond this many the search keeps what it has, which includes all short chains.
constexpr std::size_t kMostChains = 200'000;

Candidate circulant(const WdmMachine& m, double bytes, const std::vector<std::uint64_t>& radices) {
  Candidate candidate;
  candidate.algorithm = "circulant";
  candidate.settings["radices"] = setting(fmt::format("{}", fmt::join(radices, "x")));
  std::uint64_t reach = 1;
  for (const std::uint64_t radix : radices) {
    const std::uint64_t rounds = radix / 2;
    const auto width = static_cast<double>(m.wavelengths / reach);
    const double charge = bytes / static_cast<double>(reach);
    // Both ways at once (r-1)/2 classes of charge/r bytes; and back again
    const double moved = charge * static_cast<double>(radix - 1) / static_cast<double>(radix) / 2;
    candidate.seconds += 2 * (moved / width / m.rate +
                              static_cast<double>(rounds) * (m.overhead + m.latency * static_cast<double>(reach)));
    candidate.steps += 2 * rounds;
    candidate.hops = reach;
    reach *= radix;
  }
  const double retunes =
      m.every_step ? static_cast<double>(candidate.steps) : static_cast<double>(2 * radices.size() - 1);
  candidate.seconds += retunes * m.retune;
  return candidate;
}

}  // namespace

std::string Candidate::words() const {
  std::string text = algorithm;
  for (const auto& [name, value] : settings)
    text += fmt::format("{}{} {}", &name == &settings.begin()->first ? " (" : ", ", name, value.text);
  return settings.empty() ? text : text + ")";
}

std::vector<Candidate> circulant_candidates(const WdmMachine& m, double bytes) {
  std::vector<Candidate> found;
  std::vector<std::uint64_t> divisors;
  for (std::uint64_t r = 2; r * r <= m.nodes; ++r)
    if (m.nodes % r == 0) {
      divisors.push_back(r);
      if (r != m.nodes / r) divisors.push_back(m.nodes / r);
    }
  divisors.push_back(m.nodes);
  std::sort(divisors.begin(), divisors.end());

  // Depth first over chains: the levels before the last must leave a wavelength for every colour, and two ways fit the drive
  std::vector<std::uint64_t> chain;
  const std::function<void(std::uint64_t, std::uint64_t)> extend = [&](std::uint64_t reach, std::uint64_t rest) {
    if (found.size() >= kMostChains || reach > m.wavelengths) return;
    if (2 * (m.wavelengths / reach) <= m.drive) {
      chain.push_back(rest);
      found.push_back(circulant(m, bytes, chain));
      chain.pop_back();
    }
    for (const std::uint64_t r : divisors) {
      if (r >= rest || rest % r != 0 || rest / r < 2 || 2 * (m.wavelengths / reach) > m.drive) continue;
      chain.push_back(r);
      extend(reach * r, rest / r);
      chain.pop_back();
    }
  };
  extend(1, m.nodes);
  return found;
}

std::vector<Candidate> wrht_candidates(const WdmMachine& m, double bytes) {
  std::vector<Candidate> found;
  const std::uint64_t most = std::min(2 * m.wavelengths + 1, m.nodes);
  for (std::uint64_t group = 2; group <= most; ++group) {
    const std::uint64_t widest = std::max<std::uint64_t>(1, m.wavelengths / (group / 2));
    for (const std::uint64_t stripe : {std::uint64_t{1}, widest}) {
      if (stripe == widest && widest == 1 && stripe != 1) continue;
      if ((group - 1) * stripe > m.drive) continue;
      for (const bool shortcut : {true, false}) {
        Candidate candidate;
        candidate.algorithm = "wrht";
        candidate.settings["group"] = setting(fmt::format("{}", group));
        candidate.settings["stripe"] = setting(fmt::format("{}", stripe));
        candidate.settings["shortcut"] = setting(shortcut ? "true" : "false");
        const auto step = [&](std::uint64_t width, std::uint64_t hops) {
          candidate.seconds += bytes / static_cast<double>(width) / m.rate + m.overhead + m.retune +
                               m.latency * static_cast<double>(hops);
          ++candidate.steps;
          candidate.hops = std::max(candidate.hops, hops);
        };
        bool exchanged = false;
        std::uint64_t alive = m.nodes, spread = 1;
        for (std::uint64_t level = 0; alive > 1; ++level) {
          const std::uint64_t needed = schedule::exchange_wavelengths(alive);
          if (shortcut && level > 0 && needed <= m.wavelengths) {
            const std::uint64_t width = std::min(stripe, m.wavelengths / needed);
            if ((alive - 1) * width > m.drive) break;
            step(width, std::min(m.nodes, (m.nodes + 1) / 2 + spread));
            exchanged = true;
            break;
          }
          const std::uint64_t hops = std::min(m.nodes - 1, group / 2 * spread + spread);
          step(stripe, hops);
          step(stripe, hops);
          alive = (alive + group - 1) / group;
          spread = std::min(m.nodes, spread * group);
        }
        if (shortcut && !exchanged) continue;  // the same as without
        found.push_back(std::move(candidate));
      }
      if (widest == 1) break;
    }
  }
  return found;
}

std::vector<Candidate> plain_candidates(const WdmMachine& m, double bytes) {
  std::vector<Candidate> found;
  const double n = static_cast<double>(m.nodes);
  for (const std::uint64_t stripe : {std::uint64_t{1}, m.wavelengths}) {
    const auto add = [&](const char* algorithm, std::uint64_t steps, double each, std::uint64_t hops,
                         double hops_in_all, double retunes, std::uint64_t driven) {
      if (driven > m.drive) return;
      Candidate candidate;
      candidate.algorithm = algorithm;
      candidate.settings["stripe"] = setting(fmt::format("{}", stripe));
      candidate.steps = steps;
      candidate.hops = hops;
      candidate.seconds = static_cast<double>(steps) * (each / static_cast<double>(stripe) / m.rate + m.overhead) +
                          m.latency * hops_in_all + (m.every_step ? static_cast<double>(steps) : retunes) * m.retune;
      found.push_back(std::move(candidate));
    };
    const std::uint64_t around = 2 * (m.nodes - 1);
    add("ring", around, bytes / n, 1, static_cast<double>(around), 1, stripe);
    add("bidirectional-ring", around, bytes / n / 2, 1, static_cast<double>(around), 1, 2 * stripe);
    const auto levels = static_cast<std::uint64_t>(std::bit_width(m.nodes - 1));
    add("binary-tree", 2 * levels, bytes, (m.nodes + 1) / 2, 2 * n, static_cast<double>(2 * levels), stripe);
    if (m.wavelengths == 1) break;
  }
  return found;
}

}  // namespace helio::plan
