// SPDX-License-Identifier: Apache-2.0
// Averaging optical networks: build (by construction, or the best of a family), evaluate (all inputs there are, with imperfections),
// decompose (a matrix to a mesh), describe (what a network costs, and a picture of its meshes). docs/onn.md, docs/meshes.md.
#pragma once

#include <optional>
#include <string>

#include "ask/front_end.h"
#include "base/averaging.h"
#include "base/json_dump.h"
#include "photonics/onn_compile.h"
#include "report/json/json_values.h"
#include "report/pages/folder.h"

namespace helio::ask {

struct OnnBuildQuestion {
  AveragingTask task;
  std::string rounding = "half-up", encoding = "amplitude";
  std::string best = {};  // mzis, depth or margin: searched, in place of method, activation and slope
  std::optional<std::string> method = {}, activation = {};
  std::optional<double> slope = {};
  std::string chip = {};     // built for this one and tried on it, in place of best, method and activation
  std::string out = {};      // a file for the network
  std::string command = {};  // how to build it again, for that file
  Naming called = as_it_is;
};

struct OnnEvaluateQuestion {
  std::string file, phase_error = {}, splitter_error = {}, mzi_loss = {}, compile = {};
  std::string chip = {};  // named: all imperfections at once, after calibration; those that are given replace its own
  std::optional<int> chips = {}, phase_bits = {};
  std::optional<int> draws = {};  // chips and noises together; of a named chip noises of each
  std::optional<double> noise = {}, crosstalk = {}, chip_scale = {};
  bool noisy_wires = false;   // noise on wires that a layer only passes on, too
  bool uncalibrated = false;  // the chip as it is when each shifter was set alone
  std::optional<long long> points = {};
  long long seed = 1;
  Naming called = as_it_is;
};

struct OnnDecomposeQuestion {
  std::optional<int> modes = {};       // of a random matrix,
  std::optional<long long> seed = {};  // with this seed,
  bool real = false;                   // orthogonal;
  std::string matrix = {};             // or a file with one
  std::string layout = "rectangular", svg = {};
  bool report = false;  // fill OnnAnswer::report
  Naming called = as_it_is;
};

struct OnnDescribeQuestion {
  std::string file, compile = {}, svg = {};
  std::optional<int> layer = {};  // drawn alone; from 1
  bool report = false;            // fill OnnAnswer::report
  Naming called = as_it_is;
};

struct OnnAnswer {
  report::Json json;           // keys: `helio describe keys`
  std::string text;            // the same for people
  report::Report report = {};  // heat-maps of the meshes, where a page was asked for

  std::string to_json() const { return json_dump(json, 2) + "\n"; }
};

// Throw Error at the field that is wrong, or at the file.
OnnAnswer onn_build(const OnnBuildQuestion& question);
OnnAnswer onn_evaluate(const OnnEvaluateQuestion& question);
OnnAnswer onn_decompose(const OnnDecomposeQuestion& question);
OnnAnswer onn_describe(const OnnDescribeQuestion& question);

// As the network is made (photonics::compilation_of), unless `named` says how.
photonics::Compilation compilation_for(const photonics::Onn& onn, const std::string& named, const std::string& place);

}  // namespace helio::ask
