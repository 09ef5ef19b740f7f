// SPDX-License-Identifier: Apache-2.0
// An exchange on its device, tried before it is trained with: how fast it is against a plain copy, and whether it gives the CPU's bits.
//
//     necessary bytes   N·4 read and 4 written for each element (error feedback: N·8 more), over the time of one average
//     copy              a device-to-device copy in the same run, bytes read and written
//
// The comparison goes through every option on a CUDA device: rounding, stochastic codes, error feedback, noise, cascades, odd sizes,
// numbers that are not finite.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "train/exchange/gradient_exchange.h"

namespace helio::train {

struct ExchangeCheck {
  ExchangeSpec spec{.name = "optinc"};
  int servers = 4;
  std::int64_t elements = 100'000'000;
  int repeats = 20;                              // averages that are timed, after three that are not
  std::int64_t compared = 2'000'000;             // elements of each comparison; 0: none
  std::function<void(const std::string&)> tell;  // what is being tried; may be empty
};

// {"device", "exchange", "servers", "elements", "seconds", "gigabytes_per_s", "copy_gigabytes_per_s", "share_of_copy",
//  "comparisons": [{"case", "elements", "differing"}…], "same_bits"}. Throws what make_exchange throws.
nlohmann::ordered_json check_exchange(const ExchangeCheck& check, const at::Device& device);

}  // namespace helio::train
