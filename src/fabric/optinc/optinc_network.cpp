// SPDX-License-Identifier: Apache-2.0
#include "fabric/optinc/optinc_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "base/error.h"
#include "photonics/onn_construct.h"
#include "photonics/onn_cost.h"

namespace helio::fabric {
namespace {

constexpr double kLightSpeed = 299792458;  // m/s
constexpr double kSlope = 4;               // of saturating steps: 0 wrong up to the most noise of papers/optinc.md 2.5

const std::vector<int> kReportedLayers = {4, 64, 128, 256, 128, 64, 4};  // [secondary]

Time flight(double columns, const photonics::MziParameters& mzi) {
  return Time::seconds(columns * mzi.length_mm * 1e-3 * mzi.group_index / kLightSpeed);
}

OptincNetwork counted(const photonics::Onn& onn, const photonics::MziParameters& mzi) {
  const photonics::OnnCost made = cost(compile(onn, compilation_of(onn)), {.mzi = mzi});
  return {static_cast<std::uint64_t>(made.mzis),
          static_cast<std::uint32_t>(made.activation_stages),
          static_cast<std::uint32_t>(made.activations),
          static_cast<std::uint32_t>(made.depth),
          Decibel{made.worst_layer_loss_db},
          flight(made.depth, mzi)};
}

OptincNetwork for_chips(const AveragingTask& task, const photonics::MziParameters& mzi) {
  constexpr std::int64_t kMostLevels = 256;  // of a sum: beyond, gains that are off by 3 in 1000 leave no margin at all
  if (task.levels() > kMostLevels)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("no network for chips: sums of {} servers have {} levels, and a chip tells no more than {} "
                            "apart",
                            task.servers, task.levels(), kMostLevels),
                "", "use fewer ports and more levels of switches (fabric.ports), or fabric.network = constructed");
  try {
    return counted(photonics::construct_for_chips(task), mzi);
  } catch (const Error& error) {
    throw Error(error.kind(), "no network for chips: " + error.message(), "",
                "use fabric.ports that are powers of two and another rounding, or fabric.network = constructed");
  }
}

OptincNetwork constructed(const AveragingTask& task, const photonics::MziParameters& mzi) {
  using namespace photonics;
  Construction how{.direction = Direction::kLsb, .activation = ActivationKind::kSaturating, .slope = kSlope};
  Onn onn;
  try {
    onn = construct(task, how);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInfeasible) throw;
    how.direction = Direction::kMsb;
    onn = construct(task, how);
  }
  return counted(onn, mzi);
}

OptincNetwork reported(bool ud, const AveragingTask& task, const photonics::MziParameters& mzi) {
  const auto layers = static_cast<int>(kReportedLayers.size()) - 1;
  if (task.lights() != kReportedLayers.front() || task.outputs() != kReportedLayers.back())
    throw Error(ErrorKind::kInfeasible,
                fmt::format("the reported layers take {} symbols and give {}; this switch takes {} and gives {}",
                            kReportedLayers.front(), kReportedLayers.back(), task.lights(), task.outputs()),
                "", "use fabric.network = constructed, or 8 bits in one level");
  std::set<int> blocks;
  double deepest = 0;
  for (int l = 0; l < layers; ++l) {
    if (ud) blocks.insert(l);
    const std::vector<int> widths{kReportedLayers[static_cast<std::size_t>(l)],
                                  kReportedLayers[static_cast<std::size_t>(l) + 1]};
    deepest = std::max(
        deepest, static_cast<double>(photonics::mesh_columns(widths, ud ? std::set<int>{0} : std::set<int>{}, false)));
  }
  const long depth = photonics::mesh_columns(kReportedLayers, blocks, false);
  const auto units =
      static_cast<std::uint32_t>(std::accumulate(kReportedLayers.begin() + 1, kReportedLayers.end() - 1, 0));
  return {static_cast<std::uint64_t>(photonics::mzis(kReportedLayers, blocks, false)),
          static_cast<std::uint32_t>(layers - 1),
          units,
          static_cast<std::uint32_t>(depth),
          Decibel{deepest * mzi.loss_db},
          flight(static_cast<double>(depth), mzi)};
}

}  // namespace

OptincNetwork network_for(OptincNetworkKind kind, const AveragingTask& task, const photonics::MziParameters& mzi) {
  if (kind == OptincNetworkKind::kChip) return for_chips(task, mzi);
  if (kind == OptincNetworkKind::kConstructed) return constructed(task, mzi);
  return reported(kind == OptincNetworkKind::kPaperUd, task, mzi);
}

}  // namespace helio::fabric
