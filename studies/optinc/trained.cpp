// SPDX-License-Identifier: Apache-2.0
// Networks that were trained (docs/onn-training.md), counted anew on every point there is each time (papers/optinc.md 5.1, 5.2).
#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <stdexcept>

#include "photonics/onn_compile.h"
#include "photonics/onn_cost.h"
#include "photonics/onn_file.h"
#include "studies/optinc/assumption.h"
#include "studies/optinc/chapters.h"
#include "studies/optinc/networks.h"
#include "studies/optinc/trained_files.h"

namespace helio::studies::optinc_study {

using namespace photonics;

namespace {

Onn trained(std::string_view name) {
  for (const TrainedFile& file : trained_files())
    if (file.name == name) return onn_from_text(file.text, fmt::format("studies/optinc/{}.json", name));
  throw std::logic_error(fmt::format("no trained network {}", name));
}

struct Case {
  const char* file;
  const char* words;
};
constexpr Case kCases[] = {{"n4b8_ud", "blocks diag·Q in all layers"},
                           {"n8b8_dense", "full matrices"},
                           {"n8b8_ud", "blocks diag·Q in all layers"},
                           {"n4b8_level1", "first level of a cascade, 4 symbols in and 5 out"},
                           {"n4b8_level2", "second level of a cascade, 5 symbols in and 4 out"}};

Assumptions made_by(const Onn& onn) {
  return ours(
      fmt::format("{}; {}; {:.0f} s", onn.provenance.method, onn.provenance.command, onn.provenance.wall_seconds));
}

constexpr int kTrainedChips = 20;

// Chips of one network with these flaws together.
double wrong_of(const Onn& onn, const Imperfections& flaws, int chips) {
  const CompiledOnn compiled = compile(onn, Compilation::kUd);
  double wrong = 0;
  for (int chip = 0; chip < chips; ++chip) {
    Random random = Random(1).split(static_cast<std::uint64_t>(chip));
    wrong += static_cast<double>(evaluate(realise(compiled, flaws, random).onn).wrong);
  }
  return wrong;
}

}  // namespace

Rows trained_rows() {
  Rows rows;

  // The large ones side by side, and twenty chips whose phases are off
  std::vector<std::future<Evaluation>> counted;
  for (const Case& one : kCases)
    counted.push_back(std::async(std::launch::async, [&one] { return evaluate(trained(one.file)); }));
  Imperfections off;
  off.phase_sigma = 3e-3;
  std::future<double> wrong_chips =
      std::async(std::launch::async, [&off] { return wrong_of(trained("n4b8_ud"), off, kTrainedChips); });
  for (std::size_t i = 0; i < std::size(kCases); ++i) {
    const Onn onn = trained(kCases[i].file);
    const Evaluation found = counted[i].get();
    rows.push_back(derived_row(fmt::format("wrong of all {} points, N = {}, B = {}, trained {}: {}", found.points,
                                           onn.task.servers, onn.task.bits, kCases[i].file, kCases[i].words),
                               0, static_cast<double>(found.wrong), made_by(onn), "papers/optinc.md 5.1: the aim"));
  }

  // Bits of a phase are not drawn: one chip is all there are
  const Onn onn = trained("n4b8_ud");
  Imperfections coarse;
  coarse.phase_bits = 10;
  rows.push_back(derived_row("wrong of 20 x 28561 points, trained n4b8_ud, phases off by 3 mrad", 0, wrong_chips.get(),
                             made_by(onn), "papers/optinc.md 5.2"));
  rows.push_back(derived_row("wrong of 28561 points, trained n4b8_ud, phases of 10 bits", 0, wrong_of(onn, coarse, 1),
                             made_by(onn), "papers/optinc.md 5.2"));

  // The smallest that is never wrong
  const std::vector<TrainedSize> curve = trained_curve();
  const auto smallest = std::ranges::find(curve, 0u, &TrainedSize::wrong);
  rows.push_back(derived_row("MZIs of the smallest trained network of blocks that is never wrong, N = 4, B = 8", 41664,
                             static_cast<double>(smallest->mzis), ours("one or two seeds a size: docs/onn-training.md"),
                             "papers/optinc.md 2.3: the reported layers as blocks"));
  return rows;
}

std::vector<TrainedSize> trained_curve() {
  std::vector<TrainedSize> curve;
  for (const TrainedFile& file : trained_files()) {
    if (!file.name.starts_with("n4b8_ud")) continue;
    const Onn onn = onn_from_text(file.text, std::string(file.name));
    curve.push_back({cost(compile(onn, Compilation::kUd)).mzis, evaluate(onn).wrong});
  }
  std::ranges::sort(curve, {}, &TrainedSize::mzis);
  return curve;
}

}  // namespace helio::studies::optinc_study
