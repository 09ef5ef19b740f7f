// SPDX-License-Identifier: Apache-2.0
// How deep the networks are, how long light takes through them and what it loses (papers/optinc.md 2.7).
#include <fmt/format.h>

#include "studies/optinc/assumption.h"
#include "studies/optinc/chapters.h"
#include "studies/optinc/networks.h"

namespace helio::studies::optinc_study {

Rows flight(Runs& runs) {
  using namespace photonics;
  const char* source = "papers/optinc.md 2.7";
  const MziParameters mzi;
  const Assumptions recalled{from_memory(fmt::format("{:g} mm and {:g} dB an MZI, group index {:g}", mzi.length_mm,
                                                     mzi.loss_db, mzi.group_index),
                                         "papers/optinc.md 2.7"),
                             of_our_own("amplitudes are not counted")};
  Rows rows;
  const auto add = [&](const std::string& name, double depth, double nanoseconds, double loss, double our_depth,
                       double our_seconds, double our_loss) {
    rows.push_back(derived_row(fmt::format("depth, {} (MZIs in a row)", name), depth, our_depth, recalled, source));
    rows.push_back(
        derived_row(fmt::format("flight time, {} (ns)", name), nanoseconds, 1e9 * our_seconds, recalled, source));
    rows.push_back(derived_row(fmt::format("loss end to end, {} (dB)", name), loss, our_loss, recalled, source));
  };

  // The reported layers, as the fabric has them
  const auto reported = [&](const char* network, const std::set<int>& blocks, const std::string& name, double depth,
                            double nanoseconds, double loss) {
    Question question = on_optinc(1e6, 4);
    question.settings["network"] = network;
    const double columns = static_cast<double>(mesh_columns(kReportedLayers, blocks, false));
    const Answer& answer = runs(question);
    add(name, depth, nanoseconds, loss, answer.fact("onn_depth"), answer.fact("onn_latency_s"), columns * mzi.loss_db);
  };
  reported("paper-ud", {0, 1, 2, 3, 4, 5}, "reported layers as diag·Q blocks", 392, 1.1, 78);
  reported("paper", {}, "reported layers by SVD", 1288, 3.6, 258);

  // Constructed: 85 columns of 0.2 mm at 4.2 are 0.238 ns
  const auto made = [&](const std::string& name, const Onn& onn, Compilation how) {
    const OnnCost found = cost(compile(onn, how), {.mzi = mzi});
    add(name, 85, 0.238, 17, found.depth, found.latency_s, found.loss_db);
    rows.push_back(derived_row(fmt::format("loss of the worst layer, {} (dB)", name), 17, found.worst_layer_loss_db,
                               recalled + ours("light is made anew at every activation"),
                               "papers/optinc.md 2.7, end to end"));
  };
  made("constructed lsb ReLU pairs, full meshes", constructed(kLsb, kRelu, 1), Compilation::kSvd);
  made("constructed lsb ReLU pairs, compact", constructed(kLsb, kRelu, 1), Compilation::kCompact);
  made("constructed lsb saturating, compact", constructed(kLsb, kSaturating, 4), Compilation::kCompact);
  made("cheapest found, compact", searched().front().onn, Compilation::kCompact);
  return rows;
}

}  // namespace helio::studies::optinc_study
