// SPDX-License-Identifier: Apache-2.0
#include "pipeline/energy.h"

#include "fabric/bill.h"

namespace helio::pipeline {

std::vector<double> bits_passed(Assembly& assembly) {
  return fabric::bits_passed(assembly.program, assembly.carrier().crossings(),
                             assembly.fabric().fabric().bill().lines.size());
}

NetworkEnergy network_energy(const fabric::Fabric& fabric, std::span<const double> bits, double seconds,
                             const Settings& known_better, std::optional<std::string_view> level) {
  fabric::Bill bill = fabric.bill();
  std::vector<double> passed(bits.begin(), bits.end());
  for (std::size_t i = 0; level && i < bill.lines.size(); ++i)
    if (bill.lines[i].level != *level) bill.lines[i].count = passed[i] = 0;
  const fabric::Spent spent = fabric::spent(bill, passed, seconds, fabric::parts_with(known_better));
  return {.moving = Energy{spent.moving.middle()},
          .being_on = Energy{spent.being_on.middle()},
          .low = Energy{spent.total().low},
          .high = Energy{spent.total().high},
          .recalled = spent.recalled};
}

}  // namespace helio::pipeline
