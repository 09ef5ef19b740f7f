// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/saving.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "studies/optinc/assumption.h"
#include "studies/optinc/chapters.h"

namespace helio::studies::optinc_study {
namespace {

const char* const kSavingSource = "papers/optinc.md 2.7";

Assumptions simulated() {
  return literally("ResNet-50 at 8 x 800 Gb/s a server [secondary]; both exchanges are runs, without latency");
}

// papers/optinc.md 2.7, in units of D/bw of B bits: a ring of w bits takes 2(N-1)/N · w/B, OptINC 1.
double ring_units(int servers, int bits) { return 2.0 * (servers - 1) / servers * bits / kBits; }

}  // namespace

Exchange exchange(Runs& runs, int servers, int ring_bits) {
  const double parameters = resnet50_parameters();
  return {.optinc = runs(on_optinc(parameters, servers)).seconds,
          .ring = runs(on_ring(parameters, servers, ring_bits)).seconds,
          .ring_equal = runs(on_ring(parameters, servers, kBits)).seconds};
}

double compute_at_share(Runs& runs, int servers, double share) {
  return exchange(runs, servers, kBits).ring * (1 - share) / share;
}

Rows saving_rows(Runs& runs) {
  Rows rows, shares;
  // At equal bits: the share that a saving needs, and the saving that it then gives
  struct Needed {
    int servers;
    double least, most;  // papers/optinc.md 2.7, percent
  };
  for (const Needed& needed : {Needed{4, 51, 75}, {8, 40, 58}, {16, 36, 54}}) {
    const Exchange equal = exchange(runs, needed.servers, kBits);
    for (const auto& [saving, share, number] :
         {std::tuple{kLeastSaved, needed.least, kSaved17}, {kMostSaved, needed.most, kSaved25}}) {
      const Assumptions solved =
          simulated() +
          Assumptions{
              solved_from({number}, fmt::format("no overlap with compute; the share of communication is solved for, so "
                                                "that {:g} % are saved over a ring of 8 bits",
                                                100 * saving))};
      rows.push_back(reported_row(
          fmt::format("training step saved, {} servers, share solved for {:g} % (%)", needed.servers, 100 * saving),
          number, 100 * equal.saved(equal.compute_for(saving)), solved));
      shares.push_back(following(
          {number}, derived_row(fmt::format("communication share that {:g} % needs, {} servers, equal bits (%)",
                                            100 * saving, needed.servers),
                                share, 100 * equal.share_for(saving), solved, kSavingSource)));
    }
  }

  // If the range were one over N: the same compute, solved from its lower end at N = 4
  const double compute = exchange(runs, 4, kBits).compute_for(kLeastSaved);
  const Assumptions guess =
      simulated() +
      Assumptions{
          solved_from(
              {kSaved17},
              "no overlap with compute, which is solved for, so that 4 servers save 17 % over a ring of 8 bits"),
          {"that 17 % to 25 % is a range over the number of servers is a guess of ours", Grade::kOurs, {}, {kSaved25}}};
  for (const int servers : {8, 16})
    rows.push_back(reported_row(fmt::format("training step saved, {} servers, compute of the 17 % at 4 (%)", servers),
                                kSaved25, 100 * exchange(runs, servers, kBits).saved(compute), guess));
  std::ranges::move(shares, std::back_inserter(rows));
  return rows;
}

Rows ring_widths(Runs& runs) {
  const Assumptions account = simulated() + ours(
                                                "no overlap with compute; the ring's bits are not known; what a ring "
                                                "of 8 bits would save as well is quantisation, the rest is "
                                                "averaging in flight");
  Rows rows;
  const auto add = [&](std::string quantity, double expected, double ours) {
    rows.push_back(derived_row(std::move(quantity), expected, ours, account, kSavingSource));
  };

  // A ring that sends wider numbers needs less communication for the same saving, and owes most of it to their width
  for (const int servers : {4, 8, 16})
    for (const int bits : {32, 16}) {
      const Exchange wide = exchange(runs, servers, bits);
      const double ring = ring_units(servers, bits), equal = ring_units(servers, kBits);
      for (const double saving : {kLeastSaved, kMostSaved})
        add(fmt::format("communication share that {:g} % needs, {} servers, ring of {} bits (%)", 100 * saving, servers,
                        bits),
            100 * saving / (1 - 1 / ring), 100 * wide.share_for(saving));
      add(fmt::format("averaging in flight, of all that is saved over a ring of {} bits, {} servers (%)", bits,
                      servers),
          100 * (equal - 1) / (ring - 1), 100 * wide.by_averaging(0) / wide.saved(0));
    }

  // The same job against rings of three widths
  const int servers = 4;
  const double equal = ring_units(servers, kBits);
  for (const int percent : {10, 25, 51, 75}) {
    const double compute = compute_at_share(runs, servers, 0.01 * percent);
    const double units = equal * (100.0 - percent) / percent;
    for (const int bits : {32, 16, kBits}) {
      const Exchange wide = exchange(runs, servers, bits);
      const double ring = ring_units(servers, bits), step = units + ring;
      const std::string job = fmt::format("share {} % at 8 bits, 4 servers, ring of {} bits", percent, bits);
      add(fmt::format("{}: saved (%)", job), 100 * (ring - 1) / step, 100 * wide.saved(compute));
      if (bits == kBits) continue;  // all of it is averaging in flight
      add(fmt::format("{}: by quantisation (%)", job), 100 * (ring - equal) / step,
          100 * wide.by_quantisation(compute));
      add(fmt::format("{}: by averaging in flight (%)", job), 100 * (equal - 1) / step,
          100 * wide.by_averaging(compute));
    }
  }
  return rows;
}

}  // namespace helio::studies::optinc_study
