// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/optinc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

#include "studies/optinc/assumption.h"
#include "studies/optinc/chapters.h"
#include "studies/optinc/networks.h"
#include "studies/optinc/noise.h"
#include "studies/optinc/saving.h"
#include "studies/told.h"

namespace helio::studies::optinc_study {
namespace {

// papers/optinc.md 0 and 4: abstract and secondary sources; what is reported are traffic, half of the area, 17 % and 25 %.
TEST(OptincStudy, EachRowSaysWhatItRestsOn) {
  const Findings findings = reproduce("optinc");
  std::set<std::string> names;
  for (const report::Row& row : findings.rows) {
    EXPECT_EQ(row.study, "optinc");
    ASSERT_GE(row.assumptions.size(), 2u) << row.quantity;
    EXPECT_NE(row.assumptions.front().text.find("unknown to us"), std::string::npos) << row.quantity;
    EXPECT_TRUE(names.insert(row.quantity).second) << row.quantity << " twice";
    EXPECT_EQ(row.published.has_value(), row.source.find("secondary source") != std::string::npos) << row.quantity;
    if (row.published) {
      EXPECT_TRUE((std::set<double>{1, 1.5, 1.75, 1.875, 50, 17, 25}).contains(*row.published)) << row.quantity;
    }
    EXPECT_TRUE(std::isfinite(row.ours)) << row.quantity;
    // Face value: traffic, and counts of the reported layers
    if (row.label() == "literal") {
      EXPECT_TRUE(row.quantity.starts_with("normalised traffic") ||
                  row.quantity.starts_with("MZIs of the reported layers"))
          << row.quantity;
    }
  }

  // Pictures, each with all its points
  ASSERT_GE(findings.charts.size(), 5u);  // those of trainings come and go with their metrics
  for (const report::Chart& chart : findings.charts)
    for (const report::Series& series : chart.series) EXPECT_FALSE(series.points.empty()) << chart.name << series.name;
  EXPECT_EQ(findings.charts[0].series.size(), 6u);  // three rings, two of them in two parts, and what is reported
}

TEST(OptincStudy, TheLabelIsThatOfTheWeakestAssumption) {
  const Assumptions solved{solved_from({kSaved17}, "b")};
  EXPECT_EQ(reported_row("x", 1, 1, literally("a")).label(), "literal");
  EXPECT_EQ(reported_row("x", kSaved25, 1, literally("a") + solved).label(), "calibrated");
  EXPECT_TRUE(reported_row("x", kSaved25, 1, solved).predicted());
  EXPECT_FALSE(reported_row("x", kSaved17, 1, solved).predicted());
  EXPECT_EQ(derived_row("x", 1, 1, ours("c") + solved, "s").label(), "ours");
}

// A ring sends 2(N-1) of N parts, OptINC everything once.
TEST(OptincStudy, TrafficIsThatOfTheRuns) {
  const Told told(traffic);
  for (const int servers : {4, 8, 16}) {
    const std::string n = std::to_string(servers);
    EXPECT_NEAR(told("normalised traffic, ring of " + n), 2.0 * (servers - 1) / servers, 1e-9);
    EXPECT_NEAR(told("normalised traffic, OptINC of " + n), 1, 1e-9);
    EXPECT_EQ(told.row("normalised traffic, ring of " + n).label(), "literal");
    // That a server sends once is how the reported 1 was read
    EXPECT_TRUE(told.row("normalised traffic, ring of " + n).predicted());
    EXPECT_FALSE(told.row("normalised traffic, OptINC of " + n).predicted());
  }
  EXPECT_NEAR(told("normalised traffic, OptINC of 16 as a cascade of 4x4"), 1, 1e-9);
}

// 25,557,032 parameters: 8 bits each over 6.4 Tb/s are 31.946 us, 1.5 times that on a ring; 1e9: 1.25 and 1.875 ms. Flight is below
// a nanosecond. ceil(6400 / (53.125 · 8)) = 16.
TEST(OptincStudy, SerialisationIsBytesOverRate) {
  const Told told(serialisation);
  EXPECT_NEAR(told("all-reduce of ResNet-50, OptINC of 4 (us)"), 31.9463, 1e-3);
  EXPECT_NEAR(told("all-reduce of ResNet-50, ring of 4 (us)"), 47.9194, 1e-3);
  EXPECT_NEAR(told("all-reduce of 1 billion parameters, OptINC of 4 (ms)"), 1.25, 1e-5);
  EXPECT_NEAR(told("all-reduce of 1 billion parameters, ring of 4 (ms)"), 1.875, 1e-5);
  EXPECT_EQ(told("optical networks side by side for 8 x 800 Gb/s"), 16);
}

// papers/optinc.md 2.3, 2.5. Blocks for layers 0, 2, 3 and 5 save 2 · 1,866 + 2 · 24,384 of 106,260: 50.59 % are left; no choice is
// nearer. Slides: 2 (2056 + 10240 + 40960).
TEST(OptincStudy, AreaHangsOnTheChoiceOfLayers) {
  const Told told(area);
  EXPECT_EQ(told("MZIs of the reported layers, SVD"), 106260);
  EXPECT_EQ(told("MZIs of the reported layers, all as diag·Q blocks"), 41664);
  EXPECT_EQ(told("MZIs of the reported layers, counted as the group's slides do"), 106512);
  for (const auto& [layers, percent] : {std::pair{"2,3", 54.1}, {"1,2,3", 48.4}, {"1,2,3,4", 42.7}, {"all", 39.2}}) {
    const report::Row& row = told.row(std::string("area with layers ") + layers + " as blocks (% of SVD)");
    EXPECT_NEAR(row.ours, percent, 0.05);
    EXPECT_EQ(row.label(), "ours");  // blocks diag·Q are
    EXPECT_FALSE(row.predicted());
  }
  EXPECT_NEAR(told("area with layers 0,2,3,5 as blocks, nearest of all 64 choices (% of SVD)"),
              100 * (1 - (2 * 1866.0 + 2 * 24384) / 106260), 1e-9);
  EXPECT_EQ(told("MZIs constructed, lsb first, ReLU pairs"), 376);
  EXPECT_EQ(told("MZIs constructed, msb first, ReLU pairs"), 346);
  // The search is over networks that are proven exact, and its family holds the spec's own
  EXPECT_LE(told("MZIs of the cheapest network found"), told("MZIs constructed, msb first, ReLU pairs, compact"));
  EXPECT_LE(told("depth of the shallowest network found (MZIs in a row)"),
            told("depth of the cheapest network found (MZIs in a row)"));
  for (const photonics::Candidate& candidate : searched()) {
    EXPECT_EQ(candidate.verified.wrong, 0u);
    EXPECT_EQ(candidate.verified.points, 28561u);
  }
}

// saving = f (1 - N/(2(N-1))): f = 0.17 · 3 and 0.25 · 3 for N = 4; factors 3/7 and 7/15 for 8 and 16 (papers/optinc.md 2.7).
TEST(OptincStudy, ASavingNeedsAShareOfCommunication) {
  const Told told(saving_rows);
  for (const auto& [servers, factor] : {std::pair{4, 1.0 / 3}, {8, 3.0 / 7}, {16, 7.0 / 15}})
    for (const int saving : {17, 25}) {
      const std::string s = std::to_string(saving), n = std::to_string(servers);
      const report::Row& share =
          told.row("communication share that " + s + " % needs, " + n + " servers, equal bits (%)");
      EXPECT_NEAR(share.ours, saving / factor, 1e-3);
      EXPECT_NEAR(share.ours, share.beside(), 0.5);  // the spec rounds to whole percents
      EXPECT_EQ(share.label(), "calibrated");
      EXPECT_FALSE(share.predicted());
      const report::Row& saved = told.row("training step saved, " + n + " servers, share solved for " + s + " % (%)");
      EXPECT_NEAR(saved.ours, saving, 1e-9);
      EXPECT_EQ(saved.label(), "calibrated");
      EXPECT_FALSE(saved.predicted());
    }
  // Compute of 1.5 · 0.49/0.51 = 1.4412 D/bw: 0.75/(1.4412 + 1.75) and 0.875/(1.4412 + 1.875)
  EXPECT_NEAR(told("training step saved, 8 servers, compute of the 17 % at 4 (%)"), 23.502, 2e-3);
  EXPECT_NEAR(told("training step saved, 16 servers, compute of the 17 % at 4 (%)"), 26.386, 2e-3);
}

// In D/bw of 8 bits, N = 4: rings of 32, 16, 8 bits take 6, 3, 1.5, OptINC 1. Of 5 saved over 32 bits 4.5 are quantisation. At a share of
// 51 % compute is 1.4412: 5/7.4412, 2/4.4412, 0.5/2.9412.
TEST(OptincStudy, QuantisationIsNotCreditedToOptics) {
  const Told told(ring_widths);
  const auto at = [&](int share, int bits, const char* what) {
    return told("share " + std::to_string(share) + " % at 8 bits, 4 servers, ring of " + std::to_string(bits) +
                " bits: " + what + " (%)");
  };
  EXPECT_NEAR(at(51, 32, "saved"), 100 * 5 / 7.4412, 0.01);
  EXPECT_NEAR(at(51, 16, "saved"), 100 * 2 / 4.4412, 0.01);
  EXPECT_NEAR(at(51, 8, "saved"), 17, 1e-3);
  EXPECT_NEAR(at(51, 32, "by averaging in flight"), 100 * 0.5 / 7.4412, 0.01);
  for (const int share : {10, 25, 51, 75})
    for (const int bits : {32, 16})
      EXPECT_NEAR(at(share, bits, "saved"),
                  at(share, bits, "by quantisation") + at(share, bits, "by averaging in flight"), 1e-9);
  EXPECT_NEAR(told("averaging in flight, of all that is saved over a ring of 32 bits, 4 servers (%)"), 10, 1e-3);
  EXPECT_NEAR(told("averaging in flight, of all that is saved over a ring of 16 bits, 4 servers (%)"), 25, 1e-3);
  EXPECT_NEAR(told("communication share that 17 % needs, 4 servers, ring of 32 bits (%)"), 17 * 1.2, 1e-3);
}

// papers/optinc.md 2.2; what its table rounds is (N(R^g - 1) + 1)^(K/g): 49^4, 13^8, 25^8, 61^4, 121^4, 4 · 65535 + 1, 8 · 65535 + 1.
TEST(OptincStudy, DatasetsHaveTheSizesOfTheTable) {
  const Told told(datasets);
  EXPECT_EQ(told.rows().size(), 20u);
  for (const report::Row& row : told.rows()) EXPECT_LT(row.within(), 0.025) << row.quantity;  // "2.1e8" is 2.14e8
  EXPECT_EQ(told("dataset of N = 4, B = 8, position-wise (points)"), 28561);
  EXPECT_EQ(told("dataset of N = 16, B = 8, position-wise (points)"), std::pow(49, 4));
  EXPECT_EQ(told("dataset of N = 4, B = 16, position-wise (points)"), std::pow(13, 8));
  EXPECT_EQ(told("dataset of N = 8, B = 16, position-wise (points)"), std::pow(25, 8));
  EXPECT_EQ(told("dataset of N = 8, B = 16, 2 symbols merged (points)"), std::pow(121, 4));
  EXPECT_EQ(told("dataset of N = 8, B = 16, all merged (points)"), 8 * 65535 + 1);
  EXPECT_EQ(told("dataset of N = 16, B = 8, raw (log2 of points)"), 128);
}

// papers/optinc.md 2.5: nothing is wrong, and the grids are as large as 2.2 says.
TEST(OptincStudy, ConstructedNetworksAreNeverWrong) {
  const Told told(exactness);
  EXPECT_GE(told.rows().size(), 10u);
  for (const report::Row& row : told.rows()) EXPECT_EQ(row.ours, 0) << row.quantity;
  for (const char* grid :
       {"all 28561 points, N = 4, B = 8, lsb first, relu", "all 28561 points, N = 4, B = 8, lsb first, saturating",
        "all 28561 points, N = 4, B = 8, msb first, relu", "all 390625 points, N = 8, B = 8, msb first, relu",
        "all 10000 points, N = 3, B = 8, msb first, relu", "all 5764801 points, N = 16, B = 8, msb first, saturating"})
    EXPECT_NO_THROW(told.row(std::string("wrong of ") + grid));
}

// papers/optinc.md 2.5, ReLU pairs: its prototype's numbers have two digits and other dice. 28,561 points of 2 % scatter by 0.08 %.
TEST(OptincStudy, NoiseIsThatOfTheTable) {
  const std::vector<NoiseColumn> columns = noise_columns();
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t i = 0; i < kSigmas.size(); ++i)
      EXPECT_NEAR(wrong_share(columns[c].onn, kSigmas[i], PassedWires::kNoisy, 1), columns[c].prototype[i], 0.01)
          << columns[c].name << kSigmas[i];
  // Peeling from the top is lost at once; saturating steps hold at 0.02
  EXPECT_GT(wrong_share(columns[2].onn, 0.02, PassedWires::kNoisy, 1), 0.7);
  EXPECT_EQ(wrong_share(columns[4].onn, 0.02, PassedWires::kNoisy, 1), 0);
  EXPECT_EQ(wrong_share(columns[4].onn, 0.08, PassedWires::kQuiet, 1), 0);
  // Regenerated: only the noise of the last stage is left, 0.5 / 0.12 = 4.2 sigma of a symbol, six sides of eight, four symbols:
  // 4 · 1.5 · 1.54e-5 = 9.3e-5, 2.7 points of the grid; 12 would be five standard deviations off
  EXPECT_LT(wrong_share(sturdiest(), 0.12, PassedWires::kNoisy, 1), 12.0 / 28561);
  EXPECT_EQ(wrong_share(sturdiest(), 0.08, PassedWires::kNoisy, 1), 0);
}

// No counterpart is known; a mesh with no error is right, and more error is no better.
TEST(OptincStudy, PhasesMatterAsTheirErrorGrows) {
  const Told told(phases);
  for (const char* network :
       {"lsb ReLU pairs, full meshes", "lsb ReLU pairs, compact", "lsb saturating slope 4, full meshes",
        "lsb saturating slope 4, compact", "msb ReLU pairs, compact"}) {
    double last = 0;
    for (const char* error : {"0.3", "1", "3", "10"}) {
      const double wrong = told(std::string("phases off by ") + error + " mrad, " + network + ": wrong (%)");
      EXPECT_GE(wrong, last) << network << error;
      last = wrong;
    }
    EXPECT_GT(last, 0) << network;
  }
}

// papers/optinc.md 2.6: 400,000 draws scatter by 0.07 %, 50,000 by 0.19 %.
TEST(OptincStudy, CascadesRoundTwice) {
  const Told told(cascades);
  const auto wrong = [&](const char* which, bool emulated = false) {
    return told(std::string("cascade ") + which + " fraction bits" + (emulated ? ", on float buffers" : "") +
                ": wrong (%)");
  };
  EXPECT_NEAR(wrong("4x4, 0"), 22.1, 0.3);
  EXPECT_NEAR(wrong("4x4, 1"), 15.7, 0.2);
  EXPECT_EQ(wrong("4x4, 2"), 0);
  EXPECT_NEAR(wrong("8x8, 0"), 12.7, 0.2);
  EXPECT_NEAR(wrong("8x8, 2"), 7.1, 0.2);
  EXPECT_EQ(wrong("8x8, 3"), 0);
  EXPECT_NEAR(told("cascade 4x4, 0 fraction bits: bias (codes)"), 0.22, 0.005);
  // Level 1 keeps halves: a switch with an odd sum rounds a quarter up, so with k odd ones (1, 4, 6, 4, 1 of 16) the mean is k/16 too
  // large. Of the 8 residues mod 16 that the total can have (its parity is k's), those within k below a half are wrong: 0, 1, 1, 2, 2.
  // (4 · 1 + 6 · 1 + 4 · 2 + 1 · 2) / (16 · 8) = 5/32
  EXPECT_NEAR(wrong("4x4, 1"), 100 * 5.0 / 32, 1e-9);
  for (const char* which : {"4x4, 0", "8x8, 0", "8x8, 2"}) EXPECT_NEAR(wrong(which, true), wrong(which), 0.8) << which;
  EXPECT_EQ(wrong("4x4, 2", true), 0);
}

// papers/optinc.md 2.7: 4+64+128+128+64+4 and twice-counted sides; 0.2 mm · 4.2 / c an MZI, 0.2 dB.
TEST(OptincStudy, DeepNetworksLoseTheirLight) {
  const Told told(flight);
  EXPECT_EQ(told("depth, reported layers as diag·Q blocks (MZIs in a row)"), 392);
  EXPECT_EQ(told("depth, reported layers by SVD (MZIs in a row)"), 1288);
  EXPECT_NEAR(told("flight time, reported layers as diag·Q blocks (ns)"), 392 * 0.2e-3 * 4.2 / 0.299792458, 1e-4);
  EXPECT_NEAR(told("flight time, reported layers by SVD (ns)"), 3.6, 0.05);
  EXPECT_NEAR(told("loss end to end, reported layers as diag·Q blocks (dB)"), 78.4, 1e-9);
  EXPECT_NEAR(told("loss end to end, reported layers by SVD (dB)"), 257.6, 1e-9);
  EXPECT_EQ(told("depth, constructed lsb ReLU pairs, full meshes (MZIs in a row)"), 85);
  EXPECT_NEAR(told("loss end to end, constructed lsb ReLU pairs, full meshes (dB)"), 17, 1e-9);
}

// Every point of every trained network is counted anew: 0 wrong is what each was kept for. 4-12-12-12-12-4 as blocks of side 4 and 12:
// 3 (6 + 4) + 3 (66 + 12) + 3 (6 + 4) = 294 MZIs (papers/optinc.md 2.3).
TEST(OptincStudy, TrainedNetworksAreNeverWrong) {
  const Told told(trained_rows);
  int counted = 0;
  for (const report::Row& row : told.rows())
    if (row.quantity.starts_with("wrong of")) {
      EXPECT_EQ(row.ours, 0) << row.quantity;
      ++counted;
    }
  EXPECT_EQ(counted, 7);
  EXPECT_EQ(told("MZIs of the smallest trained network of blocks that is never wrong, N = 4, B = 8"), 294);
}

// Small networks are wrong somewhere: a curve that says so.
TEST(OptincStudy, SmallTrainedNetworksAreWrong) {
  const std::vector<TrainedSize> curve = trained_curve();
  EXPECT_GE(curve.size(), 10u);
  EXPECT_EQ(curve.back().mzis, 41664);
  EXPECT_EQ(curve.back().wrong, 0u);
  EXPECT_GT(curve.front().wrong, 10000u);
}

}  // namespace
}  // namespace helio::studies::optinc_study
