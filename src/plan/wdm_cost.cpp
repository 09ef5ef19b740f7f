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

// Up to here all-to-all steps are worth a try: they need N^2/8 wavelengths.
constexpr std::uint64_t kFewNodes = 128;

// Chains are many for highly composite N; beyond this many the search keeps what it has, which includes all short chains.
constexpr std::size_t kMostChains = 200'000;

Candidate circulant(const WdmMachine& m, double bytes, const std::vector<std::uint64_t>& radices) {
  Candidate candidate;
  candidate.algorithm = "circulant";
  candidate.settings["radices"] = setting(fmt::format("{}", fmt::join(radices, "x")));
  if (m.drive / 2 < m.wavelengths) candidate.settings["stripe"] = setting(fmt::format("{}", m.drive / 2));
  std::uint64_t reach = 1;
  for (const std::uint64_t radix : radices) {
    const std::uint64_t rounds = radix / 2;
    const auto width = static_cast<double>(std::min(m.wavelengths / reach, m.drive / 2));
    const double charge = bytes / static_cast<double>(reach);
    // Both ways at once (r-1)/2 classes of charge/r bytes; and back again
    const double moved = charge * static_cast<double>(radix - 1) / static_cast<double>(radix) / 2;
    candidate.seconds += 2 * (moved / width / m.rate +
                              static_cast<double>(rounds) * (m.overhead + m.latency * static_cast<double>(reach)));
    candidate.steps += 2 * rounds;
    candidate.hops = candidate.least_hops = reach;
    reach *= radix;
  }
  const double retunes =
      m.every_step ? static_cast<double>(candidate.steps) : static_cast<double>(2 * radices.size() - 1);
  candidate.seconds += retunes * m.retune;
  return candidate;
}

// WRHT with what the ring offers beyond the paper's: at best only the first retune is left, and broadcasts take no time.
void add_options(const WdmMachine& m, double bytes, const Candidate& plain, bool exchanged,
                 std::vector<Candidate>& found) {
  const double step = bytes / std::stod(plain.settings.at("stripe").text) / m.rate;
  const auto broadcasts = static_cast<double>((plain.steps - (exchanged ? 1 : 0)) / 2);
  for (const bool multicast : {false, true})
    for (const bool alternate : {false, true}) {
      if ((!multicast && !alternate) || (multicast && !m.multicasts) || (alternate && !m.tunes_ahead)) continue;
      Candidate candidate = plain;
      candidate.exact = false;
      if (multicast) {
        candidate.settings["multicast"] = setting("true");
        candidate.seconds -= broadcasts * step;
      }
      if (alternate) {
        candidate.settings["alternate"] = setting("true");
        candidate.seconds -= static_cast<double>(plain.steps - 1) * m.retune;
      }
      found.push_back(std::move(candidate));
    }
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

  // Depth first over chains: the levels before the last must leave a wavelength for every colour; a node sends two ways at once
  std::vector<std::uint64_t> chain;
  const std::function<void(std::uint64_t, std::uint64_t)> extend = [&](std::uint64_t reach, std::uint64_t rest) {
    if (found.size() >= kMostChains || reach > m.wavelengths) return;
    chain.push_back(rest);
    found.push_back(circulant(m, bytes, chain));
    chain.pop_back();
    for (const std::uint64_t r : divisors) {
      if (r >= rest || rest % r != 0 || rest / r < 2) continue;
      chain.push_back(r);
      extend(reach * r, rest / r);
      chain.pop_back();
    }
  };
  if (m.drive >= 2) extend(1, m.nodes);
  return found;
}

std::vector<Candidate> wrht_candidates(const WdmMachine& m, double bytes) {
  std::vector<Candidate> found;
  const std::uint64_t most = std::min(2 * m.wavelengths + 1, m.nodes);
  for (std::uint64_t group = 2; group <= most; ++group) {
    // A representative hears all others of its group
    const std::uint64_t widest = std::min(m.wavelengths / (group / 2), m.drive / (group - 1));
    if (widest == 0) continue;
    for (const std::uint64_t stripe : {std::uint64_t{1}, widest}) {
      for (const bool shortcut : {true, false}) {
        Candidate candidate;
        candidate.algorithm = "wrht";
        candidate.exact = m.latency == 0;
        candidate.settings["group"] = setting(fmt::format("{}", group));
        candidate.settings["stripe"] = setting(fmt::format("{}", stripe));
        candidate.settings["shortcut"] = setting(shortcut ? "true" : "false");
        // At least the nearest neighbours' hop; how far the farthest is depends on how groups come out
        const auto step = [&](std::uint64_t width) {
          candidate.seconds += bytes / static_cast<double>(width) / m.rate + m.overhead + m.retune + m.latency;
          ++candidate.steps;
        };
        // In a first group all members are as far apart as the level says, but for the last of two
        const auto reaches = [&](std::uint64_t hops) { candidate.least_hops = std::max(candidate.least_hops, hops); };
        bool exchanged = false;
        std::uint64_t alive = m.nodes, apart = 1;
        for (std::uint64_t level = 0; alive > 1; ++level) {
          const std::uint64_t needed = schedule::exchange_wavelengths(alive);
          if (shortcut && level > 0 && needed <= m.wavelengths) {
            const std::uint64_t width = std::min(stripe, m.wavelengths / needed);
            exchanged = (alive - 1) * width <= m.drive;
            step(width);
            if (alive > 2) reaches(std::min(alive / 2 * apart, m.nodes - alive / 2 * apart));
            break;
          }
          step(stripe);
          step(stripe);
          if (alive > 2) reaches(std::min(group, alive) / 2 * apart);
          apart *= group;
          alive = (alive + group - 1) / group;
        }
        if (shortcut && !exchanged) continue;  // the same as without, or too much to hear
        add_options(m, bytes, candidate, exchanged, found);
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
  const auto add = [&](const char* algorithm, std::uint64_t stripe, std::uint64_t steps, double each,
                       double retunes) -> Candidate& {
    Candidate candidate;
    candidate.algorithm = algorithm;
    if (stripe > 0) candidate.settings["stripe"] = setting(fmt::format("{}", stripe));
    candidate.steps = steps;
    candidate.seconds =
        static_cast<double>(steps) *
            (each / static_cast<double>(std::max<std::uint64_t>(stripe, 1)) / m.rate + m.overhead + m.latency) +
        (m.every_step ? static_cast<double>(steps) : retunes) * m.retune;
    found.push_back(std::move(candidate));
    return found.back();
  };
  const std::uint64_t around = 2 * (m.nodes - 1), levels = static_cast<std::uint64_t>(std::bit_width(m.nodes - 1));
  const std::uint64_t wide = std::min(m.wavelengths, m.drive), half = std::min(m.wavelengths, m.drive / 2);
  for (const std::uint64_t stripe : {std::uint64_t{1}, wide}) {
    add("ring", stripe, around, bytes / n, 1);
    add("binary-tree", stripe, 2 * levels, bytes, static_cast<double>(2 * levels)).exact = m.latency == 0;
    if (wide == 1) break;
  }
  for (const std::uint64_t stripe : {std::uint64_t{1}, half})
    if (stripe > 0 && half > 0 && (stripe == 1 || half > 1))
      add("bidirectional-ring", stripe, around, bytes / n / 2, 1);

  // Everyone to everyone at once, where wavelengths suffice for a few sub-rounds; first-fit may need more of them
  if (m.nodes <= kFewNodes && m.nodes - 1 <= m.drive) {
    const std::uint64_t rounds = (schedule::exchange_wavelengths(m.nodes) + m.wavelengths - 1) / m.wavelengths;
    add("direct", 0, 2 * rounds, bytes / n, rounds == 1 ? 1 : static_cast<double>(2 * rounds)).exact = false;
  }
  for (const std::uint64_t stripe : {std::uint64_t{1}, wide})
    if (m.nodes <= kFewNodes && (stripe == 1 || wide > 1))
      add("recursive-doubling", stripe, levels, bytes, static_cast<double>(levels)).exact = false;
  return found;
}

}  // namespace helio::plan
