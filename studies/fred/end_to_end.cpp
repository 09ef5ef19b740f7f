// SPDX-License-Identifier: Apache-2.0
// Whole iterations: published speed-ups beside a ratio solved from one of them (papers/fred.md 5.2), and beside first principles (5.3).
#include "studies/fred/end_to_end.h"

#include <fmt/format.h>

#include "studies/fred/calibration.h"
#include "studies/fred/chapters.h"

namespace helio::studies::fred_study {
namespace {

using placement::TrainingPhase;

// How much faster a wafer carries the collective that decides: DP of ResNet, rings of three of 17B.
double communication_gain(const Workload& workload, Wafer wafer) {
  const TrainingPhase phase = workload.mp > 1 ? TrainingPhase::kMp : TrainingPhase::kDp;
  const placement::StrategyPhase of{workload.mp, workload.dp, workload.pp, phase};
  return seconds_per_byte(of, Wafer::kMesh, MeshRule::kOneLink) / seconds_per_byte(of, wafer, MeshRule::kOneLink);
}

void add_ratio_rows(Rows& rows, const Workload& workload, double ratio, double low, double high) {
  const char* source = "papers/fred.md 5.2";
  const double gain_c = communication_gain(workload, Wafer::kC), gain_d = communication_gain(workload, Wafer::kD);
  const auto predicted = [&](double published_c) { return speed_up_from(ratio_from(published_c, gain_c), gain_d); };
  Knobs knobs;
  knobs.kappa = fitted_kappa(workload, workload.published_d, knobs);
  const Assumptions assumptions{
      solved_from({workload.published_c},
                  "one ratio of exposed communication to compute on the mesh, solved from Fred-C"),
      taken_literally(
          fmt::format("communication {:.4g} and {:.4g} times as fast on C and D, mesh groups with one link per NPU",
                      gain_c, gain_d),
          paper("8.1, text")),
      noted(what_moves_it(workload, knobs))};
  rows.push_back(published_row(fmt::format("{}: Fred-C over mesh, calibrated", workload.name), workload.published_c,
                               speed_up_from(ratio_from(workload.published_c, gain_c), gain_c), assumptions,
                               kHeadlines));
  rows.push_back(published_row(fmt::format("{}: Fred-D over mesh, calibrated from Fred-C", workload.name),
                               workload.published_d, predicted(workload.published_c), assumptions, kHeadlines));
  rows.push_back(following({workload.published_c},
                           derived_row(fmt::format("{}: mesh communication over compute", workload.name), ratio,
                                       ratio_from(workload.published_c, gain_c), assumptions, source)));
  constexpr double kHalfDigit = 0.005;  // Fred-C is printed to 0.01
  rows.push_back(derived_row(fmt::format("{}: Fred-D, from the least C that prints so", workload.name), low,
                             predicted(workload.published_c - kHalfDigit), assumptions, source));
  rows.push_back(derived_row(fmt::format("{}: Fred-D, from the largest C that prints so", workload.name), high,
                             predicted(workload.published_c + kHalfDigit), assumptions, source));
}

// Two unknowns and one equation: met by construction, and said to be.
void add_not_predicted(Rows& rows, const Workload& workload) {
  Knobs knobs;
  knobs.kappa = fitted_kappa(workload, workload.published_d, knobs);
  const Assumptions assumptions = readings(workload, knobs) + Assumptions{own_kappa(workload, knobs.kappa)};
  for (const Wafer wafer : {Wafer::kC, Wafer::kD})
    rows.push_back(
        published_row(fmt::format("{}: {} over mesh, calibrated, not predicted", workload.name, name_of(wafer)),
                      workload.published_d, speed_up(workload, wafer, knobs), assumptions, kHeadlines));
  rows.push_back(published_row(fmt::format("{}: Fred-D over Fred-C", workload.name), 1,
                               speed_up(workload, Wafer::kD, {}) / speed_up(workload, Wafer::kC, {}),
                               readings(workload, {}), paper("8.2: C = D (papers/fred.md 4)")));
}

}  // namespace

Assumptions readings(const Workload& workload, const Knobs& knobs) {
  Assumptions all{
      of_our_own(fmt::format("{:g} PFLOPS per NPU at {:g} % (our reading of H100-like), {:g} samples per replica",
                             knobs.flops / 1e15, 100 * knobs.utilisation, knobs.samples))};
  if (workload.layers > 0)
    all.push_back(
        of_our_own(fmt::format("{:g} layers of {:g}, sequences of {:g}: ours, the paper's are not known",
                               workload.layers, workload.hidden, knobs.sequence.value_or(workload.sequence))));
  all.push_back(of_our_own(fmt::format("mesh groups: {}; {}", name_of(knobs.rule),
                                       knobs.overlap ? "streaming overlaps" : "nothing overlaps")));
  all.push_back(noted(what_moves_it(workload, knobs)));
  return all;
}

Assumption one_kappa() {
  return fitted_to(
      {kResnet.published_d, kTransformer17B.published_d, kGpt3.published_d, kTransformer1T.published_d},
      fmt::format("compute {:g} times as fast as that, for all workloads: chosen because three of four fit",
                  kOneKappa));
}
Assumption own_kappa(const Workload& workload, double kappa) {
  return solved_from({workload.published_d},
                     fmt::format("compute {:.3g} times as fast as that: solved from the published Fred-D", kappa));
}

Rows calibrated() {
  Rows rows;
  add_ratio_rows(rows, kResnet, 1.390, 1.739, 1.761);
  add_ratio_rows(rows, kTransformer17B, 4.0 / 3, 1.861, 1.873);
  add_not_predicted(rows, kGpt3);
  add_not_predicted(rows, kTransformer1T);

  // 1T: pure streaming would gain more than was published
  const double streaming = 1 / io_share(Wafer::kMesh);
  rows.push_back(published_row("Transformer-1T: Fred-D over mesh if purely I/O bound", kTransformer1T.published_d,
                               streaming,
                               {restated("two inputs divided, 9·128 over 750 GB/s: the I/O channels alone",
                                         paper("7.1 (papers/fred.md 2.7)"), {kTransformer1T.published_d}),
                                noted(what_moves_it(kTransformer1T, {}))},
                               kHeadlines));
  rows.push_back(following({kTransformer1T.published_d},
                           derived_row("Transformer-1T: other time over Fred's streaming time that 1.4 needs", 0.34,
                                       (streaming - kTransformer1T.published_d) / (kTransformer1T.published_d - 1),
                                       {solved_from({kTransformer1T.published_d}, "solved from the published Fred-D")},
                                       "papers/fred.md 5.2")));
  return rows;
}

Rows first_principles() {
  Rows rows;

  // Terms on the mesh
  const char* source = "papers/fred.md 5.3";
  struct Line {
    const Workload& workload;
    double compute, mp, dp, pp, stream;  // ms; 0: none
    double kappa, kappa_overlapped, tokens;
  };
  const Line table[] = {{kResnet, 1.109, 0, 0.153, 0, 0, 10.3, 10.3, 0},
                        {kTransformer17B, 313, 38.7, 10.1, 0.4, 0, 8.6, 8.6, 27},
                        {kGpt3, 8602, 206, 0, 103, 467, 11.0, 14.2, 45},
                        {kTransformer1T, 196608, 0, 0, 0, 2667, 333, 126, 6}};
  for (const Line& line : table) {
    const Terms terms = terms_of(line.workload, Wafer::kMesh, {});
    const auto add = [&](const char* what, double expected, double seconds) {
      if (expected == 0 && seconds == 0) return;
      rows.push_back(derived_row(fmt::format("{}, mesh: {} (ms)", line.workload.name, what), expected, 1e3 * seconds,
                                 readings(line.workload, {}), source));
    };
    add("compute", line.compute, terms.compute);
    add("MP", line.mp, terms.mp);
    add("DP", line.dp, terms.dp);
    add("PP", line.pp, terms.pp);
    add("stream", line.stream, terms.stream);
  }

  // Speed-ups from them, and with one factor on compute
  for (const Workload& workload : kWorkloads)
    for (const double kappa : {1.0, kOneKappa}) {
      const Knobs knobs{.kappa = kappa};
      Assumptions assumptions = readings(workload, knobs);
      if (kappa != 1) assumptions.push_back(one_kappa());
      const auto add = [&](Wafer wafer, double published) {
        rows.push_back(published_row(fmt::format("{}: {} over mesh, {}", workload.name, name_of(wafer),
                                                 kappa == 1 ? "first principles" : "compute 10 times as fast"),
                                     published, speed_up(workload, wafer, knobs), assumptions, kHeadlines));
      };
      add(Wafer::kC, workload.published_c);
      add(Wafer::kD, workload.published_d);
    }
  rows.push_back(published_row(
      "GPT-3: MP and PP communication, mesh over Fred-D", 4,
      [] {
        const Terms mesh = terms_of(kGpt3, Wafer::kMesh, {}), fred = terms_of(kGpt3, Wafer::kD, {});
        return (mesh.mp + mesh.pp) / (fred.mp + fred.pp);
      }(),
      readings(kGpt3, {}) + Assumptions{restated("both rates are published: 3000 over 750 GB/s, two inputs divided",
                                                 paper("6.2.3 and 7.1"), {4})},
      paper("8.2: about 4x on C and D (papers/fred.md 4)")));

  // What compute would have to be
  for (const Line& line : table) {
    const Workload& workload = line.workload;
    const auto add = [&](const char* what, double expected, double ours, const Knobs& knobs) {
      rows.push_back(
          following({workload.published_d},
                    derived_row(fmt::format("{}: {}", workload.name, what), expected, ours,
                                Assumptions{solved_from({workload.published_d}, "solved from the published Fred-D")} +
                                    readings(workload, knobs),
                                source)));
    };
    add("compute speed-up that Fred-D needs", line.kappa, fitted_kappa(workload, workload.published_d, {}), {});
    const Knobs overlapped{.overlap = true};
    if (workload.streaming)
      add("compute speed-up that Fred-D needs, streaming overlapped", line.kappa_overlapped,
          fitted_kappa(workload, workload.published_d, overlapped), overlapped);
    if (line.tokens > 0)
      add("tokens per sample that Fred-D needs", line.tokens, fitted_sequence(workload, workload.published_d, {}), {});
  }
  return rows;
}

}  // namespace helio::studies::fred_study
