// SPDX-License-Identifier: Apache-2.0
// Questions of the study, asked of the product: Question ─▶ plan::answer ─▶ Answer, each once.
//
//     gradients of P parameters     optinc: 4P bytes of float32 are asked for, P·B/8 bytes of codes are sent
//                                   ring:   P·w/8 bytes, w the bits that a number of the baseline has
#pragma once

#include <compare>
#include <map>
#include <string>
#include <string_view>

#include "pipeline/run.h"

namespace helio::studies::optinc_study {

inline constexpr int kBits = 8;           // B
inline constexpr double kFloatBytes = 4;  // of a gradient as `optinc` takes it

struct Question {
  std::string fabric;
  std::string algorithm;
  double bytes = 0;
  int nodes = 0;
  std::map<std::string, std::string> settings = {};  // of the fabric, beyond nodes, rate and latency

  auto operator<=>(const Question&) const = default;
};

struct Answer {
  double seconds = 0;
  double injected = 0;  // bytes that a server sends
  Facts facts;

  double fact(std::string_view name) const;  // Requires: the fabric tells it, and it is a number.
};

class Runs {
 public:
  explicit Runs(const pipeline::RunOptions& options) : options_(options) {}
  const Answer& operator()(const Question& question);

 private:
  pipeline::RunOptions options_;
  std::map<Question, Answer> answers_;
};

// Ports of 8 x 800 Gb/s [secondary] and links without latency: serialisation alone.
Question on_optinc(double parameters, int servers);
Question on_ring(double parameters, int servers, int bits);  // ring all-reduce through an ideal electrical switch

double resnet50_parameters();  // of the product's zoo

}  // namespace helio::studies::optinc_study
