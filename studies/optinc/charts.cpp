// SPDX-License-Identifier: Apache-2.0
// The study in pictures.
#include <fmt/format.h>

#include <utility>

#include "studies/optinc/chapters.h"
#include "studies/optinc/networks.h"
#include "studies/optinc/noise.h"
#include "studies/optinc/saving.h"

namespace helio::studies::optinc_study {
namespace {

using report::Chart;
using report::Series;

// One job, by the share that communication has when the ring sends 8 bits as OptINC does.
Chart saving_chart(Runs& runs) {
  constexpr int kServers = 4;
  Chart chart{.name = "optinc-saving",
              .title =
                  "Training step saved over rings of 32, 16 and 8 bits, 4 servers: the lines of averaging in flight "
                  "are what optics add, the "
                  "rest is quantisation",
              .x_label = "communication in the step of a ring of 8 bits (%)",
              .y_label = "saved (%)"};
  for (const int bits : {32, 16, kBits}) {
    Series all{.name = fmt::format("ring of {} bits: all that is saved", bits)};
    Series optics{.name = fmt::format("ring of {} bits: averaging in flight", bits)};
    const Exchange wide = exchange(runs, kServers, bits);
    for (int percent = 5; percent <= 95; percent += 5) {
      const double compute = compute_at_share(runs, kServers, 0.01 * percent);
      all.points.emplace_back(percent, 100 * wide.saved(compute));
      optics.points.emplace_back(percent, 100 * wide.by_averaging(compute));
    }
    chart.series.push_back(std::move(all));
    if (bits != kBits) chart.series.push_back(std::move(optics));
  }
  // Where each ring gives what is reported
  Series reported{.name = "reported 17 % and 25 %, at the share that each ring needs", .published = true};
  for (const int bits : {32, 16, kBits})
    for (const double saving : {kLeastSaved, kMostSaved}) {
      const Exchange wide = exchange(runs, kServers, bits);
      reported.points.emplace_back(100 * wide.ring_equal / (wide.compute_for(saving) + wide.ring_equal), 100 * saving);
    }
  chart.series.push_back(std::move(reported));
  return chart;
}

Chart search_chart() {
  using namespace photonics;
  Chart chart{
      .name = "optinc-search",
      .title = "Exact networks of 4 servers and 8 bits by construction, compact, each proven on all 28,561 points",
      .x_label = "depth (MZIs in a row)",
      .y_label = "MZIs",
      .log_y = true};
  Series saturating{.name = "saturating steps", .joined = false};
  Series relu{.name = "ReLU pairs", .joined = false};
  for (const Candidate& candidate : searched())
    (candidate.how.activation == kSaturating ? saturating : relu)
        .points.emplace_back(candidate.cost.depth, static_cast<double>(candidate.cost.mzis));
  Series front{.name = "no other has fewer MZIs and less depth"};
  for (const Candidate& candidate : pareto(searched()))
    front.points.emplace_back(candidate.cost.depth, static_cast<double>(candidate.cost.mzis));
  chart.series = {front, saturating, relu,
                  Series{.name = "lsb of the spec by SVD", .points = {{85, 376}}, .published = false, .joined = false}};
  return chart;
}

Chart noise_chart() {
  constexpr std::uint64_t kPoints = 4000;
  Chart chart{.name = "optinc-noise",
              .title = fmt::format(
                  "Wrong points by noise after every linear stage, N = 4, B = 8, {} random points each", kPoints),
              .x_label = "noise (symbols)",
              .y_label = "wrong (%)",
              .log_y = true};
  std::vector<NoiseColumn> columns = noise_columns();
  columns.push_back({"regenerated in every layer", sturdiest(), {}});
  Series prototype{.name = "prototype of the spec", .joined = false};
  for (const NoiseColumn& column : columns) {
    Series& series = chart.series.emplace_back(Series{.name = column.name});
    for (int i = 1; i <= 10; ++i)
      series.points.emplace_back(0.02 * i, 100 * wrong_share_of_random(column.onn, 0.02 * i, kPoints));
    for (std::size_t i = 0; i < column.prototype.size(); ++i)
      prototype.points.emplace_back(kSigmas[i], 100 * column.prototype[i]);
  }
  Series& floor = chart.series.emplace_back(Series{.name = "noise of the last stage alone, closed form"});
  for (int i = 2; i <= 10; ++i) floor.points.emplace_back(0.02 * i, 100 * photonics::output_noise_bound({}, 0.02 * i));
  chart.series.push_back(std::move(prototype));
  return chart;
}

// What is wrong of small trained networks, beside what construction needs.
Chart trained_chart() {
  Chart chart{
      .name = "optinc-trained",
      .title = "Trained networks of blocks, 4 servers and 8 bits: wrong points of 28,561, one or two seeds a size",
      .x_label = "MZIs",
      .y_label = "wrong points",
      .log_x = true};
  Series trained{.name = "trained, blocks diag·Q in all layers", .joined = false};
  for (const TrainedSize& size : trained_curve())
    trained.points.emplace_back(static_cast<double>(size.mzis), static_cast<double>(size.wrong));
  Series constructed{.name = "constructed, compact", .joined = false};
  for (const photonics::Candidate& one : photonics::pareto(searched()))
    constructed.points.emplace_back(static_cast<double>(one.cost.mzis), 0.0);
  chart.series = {std::move(trained), std::move(constructed)};
  return chart;
}

}  // namespace

std::vector<Chart> charts(Runs& runs) { return {saving_chart(runs), search_chart(), noise_chart(), trained_chart()}; }

}  // namespace helio::studies::optinc_study
