// SPDX-License-Identifier: Apache-2.0
// The questions of the study.
//
// The machine is that of WRHT unless a question says otherwise: 64 wavelengths each way, 25 us of retuning before every step, one
// wavelength per transfer, nothing else costs time (papers/wrht.md 2.1, 3; all recalled).
#pragma once

#include <cstdint>
#include <string>

#include "studies/asking.h"

namespace helio::studies::wrht_study {

// Bytes per second of one wavelength: "40 Gb/s" as it is written, and the rate at which the published numbers reproduce.
inline constexpr double kLiteralRate = 5e9, kFittedRate = 40e9;
inline constexpr double kRetune = 25e-6;  // seconds
inline constexpr int kWavelengths = 64;

// 4 bytes for each parameter (papers/wrht.md 3)
struct Model {
  const char* name;
  double bytes;
};
inline constexpr Model kBeit{"BEiT-L", 1228e6}, kVgg{"VGG16", 552e6}, kAlexnet{"AlexNet", 249.2e6},
    kResnet{"ResNet50", 100e6}, kGooglenet{"GoogLeNet", 27.19e6};
inline constexpr Model kModels[] = {kBeit, kVgg, kAlexnet, kResnet, kGooglenet};

struct Question {
  std::string algorithm = "wrht";
  std::uint64_t nodes = 1024;
  double bytes = kAlexnet.bytes;
  double rate = kLiteralRate;  // bytes per second: of a wavelength, of a link, of a port
  std::string kind = "all-reduce";
  std::string fabric = "wdm-ring";

  // wdm-ring
  int wavelengths = kWavelengths;
  bool every_step = true;          // retune_rule
  std::string light = "generous";  // how the link budget is read; wdm-planned keeps a physical one
  int stripe = 1;

  // wrht
  bool shortcut = true;
  int group = 0;  // 0: the largest that the wavelengths allow

  double step_overhead = 0;  // seconds
  std::string npu = {};      // whose memory adds; empty: adding takes no time
  std::string engine = "helio";

  operator studies::Question() const;
};

// The recalled electrical network, as near as `fat-tree` comes: 40 Gb/s, switches of 32 ports, 25 us for each link crossed.
Question on_fat_tree(std::string algorithm, std::uint64_t nodes, double bytes);

using Runs = RunsOf<Question>;

// The payload at which two questions take equally long. Both times are affine in the payload (whole steps of payload / rate +
// constant), so two runs of each, at the smallest and the largest model, decide. Requires: they do cross.
double crossing(Runs& runs, Question one, Question other);

}  // namespace helio::studies::wrht_study
