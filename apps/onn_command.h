// SPDX-License-Identifier: Apache-2.0
// `helio onn`: averaging optical networks. build (by construction, or the best of a family), train (in helio-train), evaluate (all inputs
// there are, with imperfections), decompose (a matrix to a mesh), describe (what a network costs, and a picture of its meshes).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/averaging.h"

namespace CLI {
class App;
}

namespace helio::apps {

struct OnnBuildOptions {
  AveragingTask task;
  std::string rounding = "half-up", encoding = "amplitude", out, best;
  std::optional<std::string> method, activation;
  std::optional<double> slope;
};

struct OnnEvaluateOptions {
  std::string file, phase_error = "0", splitter_error = "0", mzi_loss = "0", compilation;
  int phase_bits = 0, draws = 1;
  double noise = 0, crosstalk = 0;
  bool noisy_wires = false;  // noise on wires that a layer only passes on, too
  std::optional<long long> points;
  long long seed = 1;
};

struct OnnDecomposeOptions {
  std::optional<int> modes;
  std::optional<long long> seed;
  std::string layout = "rectangular", matrix, svg;
  std::string report, command;  // a folder for a page; what was typed
  bool real = false;
};

struct OnnDescribeOptions {
  std::string file, compilation, svg;
  std::string report, command;  // a folder for a page; what was typed
  std::optional<int> layer;     // from 1
};

// What is printed. Throw Error.
std::string onn_build(const OnnBuildOptions& options, bool json);
std::string onn_evaluate(const OnnEvaluateOptions& options, bool json);
std::string onn_decompose(const OnnDecomposeOptions& options, bool json);
std::string onn_describe(const OnnDescribeOptions& options, bool json);

// "3mrad", "0.01 rad", "1 deg" as radians; a plain 0 needs no unit. Throws Error(kInput).
double parse_angle(const std::string& text);

// The command line of all of them.
class OnnCommand {
 public:
  // `typed`: the whole line that was typed, for pages.
  explicit OnnCommand(CLI::App& app, const std::string& typed = {});
  ~OnnCommand();
  // Whether it was asked for. Requires: parsed.
  bool asked() const;
  std::string run() const;

 private:
  struct Parsed;
  std::unique_ptr<Parsed> parsed_;
};

}  // namespace helio::apps
