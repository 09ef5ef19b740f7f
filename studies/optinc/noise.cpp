// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/noise.h"

#include <fmt/format.h>

#include "studies/optinc/assumption.h"
#include "studies/optinc/chapters.h"
#include "studies/optinc/networks.h"

namespace helio::studies::optinc_study {

using namespace photonics;

namespace {

constexpr int kSturdyDraws = 2;
constexpr double kResolution = 0.01;  // of a symbol

const char* const kSource = "papers/optinc.md 2.5, measured by the spec's prototype with other random numbers";

EvaluationOptions noisy(double sigma, PassedWires wires) {
  EvaluationOptions options;
  options.noise = {.sigma = sigma, .input_sigma = 0, .on_passed_wires = wires == PassedWires::kNoisy};
  return options;
}

Assumptions model(PassedWires wires) {
  return ours(fmt::format(
      "white noise in symbols after every linear stage, none on the sums that arrive, {}; all 28,561 points, one draw, "
      "seed 1",
      wires == PassedWires::kNoisy ? "wires that are only passed on take it, too"
                                   : "wires that are only passed on take none"));
}

// What our sturdiest network leaves is what the noise of the last stage alone causes: no network does better.
void add_sturdiest(Rows& rows) {
  const Onn onn = sturdiest();
  const Assumptions how =
      ours(fmt::format("{}; noise on every wire; {} draws of the grid", onn.provenance.method, kSturdyDraws));
  for (const double sigma : kSigmas)
    rows.push_back(derived_row(fmt::format("noise {:.2f}, regenerated in every layer: wrong (%)", sigma),
                               100 * output_noise_bound({}, sigma),
                               100 * wrong_share(onn, sigma, PassedWires::kNoisy, kSturdyDraws), how,
                               "closed form: noise of the last stage alone; no network has less"));
  const Assumptions bisected =
      ours(fmt::format("most noise with 0 wrong of 28,561 points in one draw, to {:g}", kResolution));
  const auto most = [&](const char* which, const Onn& network, double clean) {
    rows.push_back(derived_row(fmt::format("noise with 0 wrong, {} (symbols)", which), clean,
                               tolerance(network, 1, false, 1, kResolution).sigma, bisected,
                               "papers/optinc.md 2.5: the last line of its table with 0; more is better"));
  };
  most("regenerated in every layer", onn, 0.08);
  most("lsb saturating, slope 4", constructed(kLsb, kSaturating, 4), 0.08);
  rows.push_back(derived_row("MZIs of the network regenerated in every layer, compact", 376,
                             static_cast<double>(cost(compile(onn, Compilation::kCompact)).mzis), how,
                             "papers/optinc.md 2.5, the network of ReLU pairs by SVD"));
}

}  // namespace

std::vector<NoiseColumn> noise_columns() {
  return {{"lsb ReLU pairs, slope 1", constructed(kLsb, kRelu, 1), {0.023, 0.44, 0.70, 0.84}},
          {"lsb ReLU pairs, slope 2", constructed(kLsb, kRelu, 2), {0.009, 0.34, 0.61, 0.78}},
          {"msb ReLU pairs, slope 1", constructed(kMsb, kRelu, 1), {0.75, 0.87, 0.91, 0.94}},
          {"lsb saturating, slope 2", constructed(kLsb, kSaturating, 2), {0, 0, 7e-5, 0.014}},
          {"lsb saturating, slope 4", constructed(kLsb, kSaturating, 4), {0, 0, 0, 0.007}}};
}

double wrong_share(const Onn& onn, double sigma, PassedWires wires, int draws) {
  EvaluationOptions options = noisy(sigma, wires);
  options.draws = draws;
  return evaluate(onn, options).wrong_fraction;
}

double wrong_share_of_random(const Onn& onn, double sigma, std::uint64_t points) {
  EvaluationOptions options = noisy(sigma, PassedWires::kNoisy);
  options.sampling = Sampling::kGrid;
  options.points = points;
  return evaluate(onn, options).wrong_fraction;
}

Rows noise_rows() {
  Rows rows;
  for (const NoiseColumn& column : noise_columns())
    for (std::size_t i = 0; i < kSigmas.size(); ++i)
      for (const PassedWires wires : {PassedWires::kNoisy, PassedWires::kQuiet})
        rows.push_back(derived_row(fmt::format("noise {:.2f}, {}{}: wrong (%)", kSigmas[i], column.name,
                                               wires == PassedWires::kQuiet ? ", none on passed wires" : ""),
                                   100 * column.prototype[i], 100 * wrong_share(column.onn, kSigmas[i], wires, 1),
                                   model(wires), kSource));
  add_sturdiest(rows);
  return rows;
}

}  // namespace helio::studies::optinc_study
