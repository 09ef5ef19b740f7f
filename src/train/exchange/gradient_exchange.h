// SPDX-License-Identifier: Apache-2.0
// The plug between backward pass and optimiser: N gradients in, their average out, as a network would carry it.
//
//     exact       float sum, server by server, over N
//     quantised   codes of B bits, shared scale per bucket, the exactly rounded average: what quantisation alone costs
//     optinc      the same through optical networks: constructed, from files, with errors and noise, cascaded (code_averager.h)
//     any name of the schedule catalogue (ring, wrht, halving-doubling, …): that schedule, verified once, run step by step
//     testbed     a schedule between processes, real bytes along light (testbed_exchange.h)
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/averaging.h"
#include "base/catalogue.h"
#include "train/checkpoint.h"

namespace helio::train {

// An exchange by name, with its parameters. Those that the catalogue does not declare for it stay as they are here.
struct ExchangeSpec {
  std::string name = "exact";
  // quantised and optinc
  AveragingTask task;  // its bits, symbols and rounding; servers and fractions follow from the exchange (averaging_of)
  std::int64_t bucket = 65536;  // elements that share a scale
  bool stochastic = false, error_feedback = false;
  bool balanced = false;  // some servers round half a code lower, against the lean of the average's rounding
  std::optional<std::uint32_t> zero;  // the code of zero; not set: in the middle
  std::uint64_t seed = 1;             // of stochastic rounding, dither, noise and drawn errors
  // optinc
  std::vector<std::uint32_t> ports;   // of each level of a cascade, lowest first; empty: one switch of N ports
  int fraction = 0;                   // symbols below the point that a level adds
  std::vector<std::string> networks;  // a file for each level; empty: constructed networks
  std::string chip;      // that the networks stand on, with all its flaws (photonics/onn_chip.h); empty: none
  double noise = 0;      // σ after every linear stage, in symbols; with a chip in place of its own
  int noise_draws = 16;  // tables drawn with that noise; every element and step uses one of them
  std::optional<double> error_rate;  // draw wrong points anew at this rate, with errors as large as the network's
  // schedules and testbed
  std::map<std::string, std::string> settings;  // parameters of the algorithm, or of the testbed

  // Where the name ("exchange") and the parameters were given, for errors: "bits" at "--bits".
  std::map<std::string, std::string> places;

  nlohmann::json words() const;                           // for checkpoints and metrics
  std::string place(const std::string& parameter) const;  // "" where nobody said
};

class GradientExchange {
 public:
  virtual ~GradientExchange() = default;

  // average[P] = what every server holds after the exchange of gradients[N × P]; float, on one device, which may be that of the call
  // before only. `gradients` may be overwritten. Enqueues kernels and does not wait for the device where it can help it.
  virtual void average(at::Tensor& gradients, at::Tensor& average) = 0;

  // How often and how far the last average was off (quantised, optinc: wrong share of averages, relative error of the result; the same
  // numbers as emulate::ExchangeReport). Runs on the CPU from a copy of the gradients; nothing for exact and schedules.
  virtual nlohmann::ordered_json measured(const at::Tensor& gradients) = 0;

  // In words, for people: "8-bit codes, buckets of 65536, trained network n4b8.json (wrong on 12 of 28,561 points)".
  virtual std::string describe() const = 0;

  // What a later average depends on: residuals, the number of steps.
  virtual void write(Checkpoint& checkpoint) const = 0;
  virtual void read(const Checkpoint& checkpoint, const std::string& path, std::string_view place) = 0;
};

// How an exchange is made. Requires: what its entry does not declare is not set, and all else is within bounds.
using ExchangeFactory = std::function<std::unique_ptr<GradientExchange>(const ExchangeSpec& spec, int servers,
                                                                        std::int64_t length, const at::Device& device)>;
// What the file pair of an exchange exports.
using ExchangeEntry = Catalogue<ExchangeFactory>::Entry;

// All that can stand for "exchange". A new one is a pair, a test and a line in gradient_exchange.cpp.
const Catalogue<ExchangeFactory>& exchanges();
// Its entry. Throws Error(kInput) for unknown names, Error(kInfeasible) for algorithms that are no exchange.
const ExchangeEntry& exchange_named(const std::string& name, const std::string& place = {});
// The parameter that an exchange declares, or none.
const Parameter* parameter_of(const ExchangeEntry& entry, std::string_view name);
// Whether it is an algorithm of the schedule catalogue, with ExchangeSpec::settings.
bool is_schedule(const ExchangeEntry& entry);
// Whether its parameters are in ExchangeSpec::settings.
bool takes_settings(const ExchangeEntry& entry);

// `length` is P. Throws Error(kInput) for unknown names and what does not fit N and B; Error(kInfeasible) for what a device cannot do
// (networks without a table on CUDA).
std::unique_ptr<GradientExchange> make_exchange(const ExchangeSpec& spec, int servers, std::int64_t length,
                                                const at::Device& device);

}  // namespace helio::train
