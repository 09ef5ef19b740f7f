// SPDX-License-Identifier: Apache-2.0
#include "fabric/bill.h"

#include <algorithm>

#include "fabric/fabric.h"

namespace helio::fabric {
namespace {

// Of one piece.
Range standing_watts(const BillLine& line, const Part& part) {
  if (line.watts) return *line.watts;
  return line.light > Power{0} ? line.light.value * part.watts_per_light : part.watts;
}
Range joules_per_bit(const BillLine& line, const Part& part) {
  return line.joules_per_bit.value_or(part.joules_per_bit);
}

}  // namespace

std::vector<Crossing::Passed> add_ring_transceivers(Bill& bill, double nodes, double lanes, double rings, BitRate rate,
                                                    Power light) {
  const double all = nodes * lanes;
  bill.add({"laser", all, "light of each wavelength that a node sends", {}, light});
  bill.add({"ring-heater", 2 * nodes * rings, "a ring to send and one to hear, for each wavelength"});
  return {{bill.add({"die-to-die", nodes, "NPU to its optical chip", 2 * lanes * rate}), 2},
          {bill.add({"driver", all, "each wavelength that a node sends", rate})},
          {bill.add({"modulator", all, "each wavelength that a node sends", rate})},
          {bill.add({"receiver", all, "each wavelength that a node hears", rate})}};
}

Bill bill_of_direct_links(const flow::ResourceTable& resources) {
  Bill bill;
  for (const flow::ResourceTable::Links& block : resources.links()) {
    const BitRate both = 2 * block.total / block.count;
    const std::uint32_t ends = bill.add({"serdes", static_cast<double>(block.count), "both ends of each link", both});
    const std::uint32_t cables = bill.add({"copper-cable", block.count / 2.0, "each link, both directions", both});
    bill.cross(block.first, block.count, {{ends, 2}, {cables}});
  }
  return bill;
}

Priced priced(const Bill& bill, const Parts& parts) {
  constexpr double kGiga = 1e9;
  Priced all;
  for (const BillLine& line : bill.lines) {
    const Part& part = parts.at(line.part);
    Priced::Line& told =
        all.lines.emplace_back(Priced::Line{.what = line,
                                            .watts = {},
                                            .idle_watts = {},
                                            .cost = {},
                                            .recalled = part.recalled,
                                            .source = fabric::parts().at(line.part).description.reference});
    const Range passing = line.rate.value * joules_per_bit(line, part), standing = standing_watts(line, part);
    told.watts = line.count * (standing + passing);
    told.idle_watts = line.count * (standing + passing * part.idle);
    told.cost = line.count * (part.price + line.rate.value / kGiga * part.price_per_gbps);
    all.watts += told.watts;
    all.idle_watts += told.idle_watts;
    all.cost += told.cost;
  }
  return all;
}

Priced bill(const Fabric& fabric, const Settings& known_better) {
  return priced(fabric.bill(), parts_with(known_better));
}

std::vector<double> bits_passed(const flow::Program& program, std::span<const Crossing> crossings, std::size_t lines) {
  std::vector<double> bits(lines, 0);
  const std::vector<double> carried = flow::traffic(program);
  std::vector<flow::Stretches> lit;
  for (const Crossing& crossing : crossings)
    if (crossing.stretch > 0) lit.push_back({crossing.first, crossing.count, crossing.stretch});
  const std::vector<double> launched = flow::launched(program, lit);
  auto next = launched.begin();
  for (const Crossing& crossing : crossings) {
    double bytes = 0;
    if (crossing.stretch > 0)
      bytes = *next++;
    else
      for (std::uint32_t i = crossing.first.value; i < crossing.first.value + crossing.count; ++i) bytes += carried[i];
    bytes *= program.resources.rules(crossing.first).bundle;
    for (const Crossing::Passed& passed : crossing.passed) bits[passed.line] += 8 * bytes * passed.times;
  }
  return bits;
}

Spent spent(const Bill& bill, std::span<const double> bits, double seconds, const Parts& parts) {
  Spent all;
  for (std::size_t i = 0; i < bill.lines.size(); ++i) {
    const BillLine& line = bill.lines[i];
    const Part& part = parts.at(line.part);
    const Range each = joules_per_bit(line, part);
    const double could = line.count * line.rate.value * seconds;
    all.moving += bits[i] * each;
    all.being_on += line.count * seconds * standing_watts(line, part);
    all.being_on += std::max(0.0, could - bits[i]) * (each * part.idle);
    if (part.recalled && std::ranges::count(all.recalled, part.name) == 0) all.recalled.push_back(part.name);
  }
  return all;
}

}  // namespace helio::fabric
