// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/exchange_check.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "train/device.h"

namespace helio::train {
namespace {

constexpr int kSteps = 3;  // of each comparison: draws and residuals change from one to the next

// Waits until all that was enqueued is done.
void wait_for(const at::Tensor& tensor) { tensor.flatten()[0].item(); }

double seconds_of(int repeats, const at::Tensor& last, const std::function<void()>& action) {
  for (int warm = 0; warm < 3; ++warm) action();
  wait_for(last);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) action();
  wait_for(last);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / repeats;
}

// Gradients whose size changes a thousandfold along the vector, on the CPU.
at::Tensor gradients_of(int servers, std::int64_t elements, std::uint64_t seed) {
  at::Tensor gradients = at::empty({servers, elements}, at::kFloat);
  Random random(seed);
  float* g = gradients.data_ptr<float>();
  for (std::int64_t k = 0; k < servers * elements; ++k) {
    const double size = std::pow(10.0, -static_cast<double>(k % elements / 5000 % 4));
    g[k] = static_cast<float>(random.normal() * size);
  }
  // Elements without a scale of their own, if a bucket has no others
  for (int i = 0; i < servers; ++i)
    for (std::int64_t k = 20'000; k < std::min<std::int64_t>(22'000, elements); ++k) g[i * elements + k] *= 1e-38f;
  return gradients;
}

struct Case {
  std::string name;
  ExchangeSpec spec;
  int servers = 4;
  std::int64_t elements = 0;  // 0: as many as asked for
};

std::vector<Case> cases() {
  const auto optinc = [](const std::function<void(ExchangeSpec&)>& change) {
    ExchangeSpec spec{.name = "optinc"};
    change(spec);
    return spec;
  };
  const ExchangeSpec quantised{.name = "quantised"};
  std::vector<Case> all{
      {"exact", {}},
      {"quantised", quantised},
      {"quantised, 16 bits", {.name = "quantised", .task = {.bits = 16}}},
      {"quantised, 16 bits, half-even, 5 servers",
       {.name = "quantised", .task = {.bits = 16, .rounding = Rounding::kHalfEven}},
       5},
      {"optinc", optinc([](ExchangeSpec&) {})},
      {"optinc, 4 bits", optinc([](ExchangeSpec& s) { s.task.bits = 4; })},
      {"optinc, symbols of 4 bits", optinc([](ExchangeSpec& s) { s.task.symbol_bits = 4; })},
      {"optinc, floor", optinc([](ExchangeSpec& s) { s.task.rounding = Rounding::kFloor; })},
      {"optinc, half-even", optinc([](ExchangeSpec& s) { s.task.rounding = Rounding::kHalfEven; })},
      {"optinc, dither", optinc([](ExchangeSpec& s) { s.task.rounding = Rounding::kDither; })},
      {"optinc, stochastic", optinc([](ExchangeSpec& s) { s.stochastic = true; })},
      {"optinc, error feedback", optinc([](ExchangeSpec& s) { s.error_feedback = true; })},
      {"optinc, balanced", optinc([](ExchangeSpec& s) { s.balanced = true; })},
      {"optinc, balanced, zero at 150", optinc([](ExchangeSpec& s) { s.balanced = true, s.zero = 150; })},
      {"optinc, balanced, zero at 100", optinc([](ExchangeSpec& s) { s.balanced = true, s.zero = 100; })},
      {"optinc, zero at 149", optinc([](ExchangeSpec& s) { s.zero = 149; })},
      {"optinc, floor, balanced",
       optinc([](ExchangeSpec& s) { s.task.rounding = Rounding::kFloor, s.balanced = true; })},
      {"optinc, balanced, 8 servers, stochastic, error feedback",
       optinc([](ExchangeSpec& s) { s.balanced = s.stochastic = s.error_feedback = true; }), 8},
      {"optinc, noise", optinc([](ExchangeSpec& s) { s.noise = 0.1, s.noise_draws = 4; })},
      {"optinc, all of them", optinc([](ExchangeSpec& s) {
         s.task.rounding = Rounding::kDither, s.stochastic = s.error_feedback = true, s.noise = 0.1, s.noise_draws = 4;
       })},
      {"optinc, buckets of 1000", optinc([](ExchangeSpec& s) { s.bucket = 1000; })},
      {"optinc, buckets of 1,000,000", optinc([](ExchangeSpec& s) { s.bucket = 1'000'000; })},
      {"optinc, buckets of 7", optinc([](ExchangeSpec& s) { s.bucket = 7; }), 4, 100'001},
      {"optinc, error feedback, a length that 4 does not divide",
       optinc([](ExchangeSpec& s) { s.error_feedback = true; }), 4, 1'000'003},
      {"optinc, fewer elements than a bucket", optinc([](ExchangeSpec&) {}), 4, 1028},
      {"optinc, 2 servers", optinc([](ExchangeSpec&) {}), 2},
      {"optinc, 5 servers", optinc([](ExchangeSpec&) {}), 5},
      {"optinc, 8 servers", optinc([](ExchangeSpec&) {}), 8},
      {"optinc, 8 servers, error feedback", optinc([](ExchangeSpec& s) { s.error_feedback = true; }), 8},
      {"quantised, 16 servers", quantised, 16, 500'000},
      {"optinc, 4 x 4 servers", optinc([](ExchangeSpec& s) {
         s.ports = {4, 4};
       }),
       16, 500'000},
      {"optinc, 4 x 4 servers, balanced", optinc([](ExchangeSpec& s) {
         s.ports = {4, 4}, s.balanced = true;
       }),
       16, 500'000},
      {"optinc, 4 x 4 servers, a fraction symbol", optinc([](ExchangeSpec& s) {
         s.ports = {4, 4}, s.fraction = 1;
       }),
       16, 500'000},
      {"optinc, 2 x 2 x 2 servers, noise and dither", optinc([](ExchangeSpec& s) {
         s.ports = {2, 2, 2}, s.fraction = 1, s.noise = 0.1, s.noise_draws = 3, s.task.rounding = Rounding::kDither,
         s.task.bits = 4;
       }),
       8, 500'000}};
  for (const char* name : {"ring", "wrht", "halving-doubling"}) all.push_back({name, {.name = name}});
  return all;
}

// Elements of all steps that are not the same bits on both devices.
std::int64_t differing(const Case& c, std::int64_t elements, const at::Device& device) {
  const auto here = make_exchange(c.spec, c.servers, elements, at::kCPU);
  const auto there = make_exchange(c.spec, c.servers, elements, device);
  at::Tensor average_here = at::empty({elements}, at::kFloat), average_there = average_here.to(device);
  std::int64_t different = 0;
  for (int step = 0; step < kSteps; ++step) {
    at::Tensor mine = gradients_of(c.servers, elements, static_cast<std::uint64_t>(step + 1));
    at::Tensor others = mine.to(device);
    here->average(mine, average_here);
    there->average(others, average_there);
    different += average_here.view(at::kInt).ne(average_there.to(at::kCPU).view(at::kInt)).sum().item<std::int64_t>();
  }
  return different;
}

std::string complaint_of(const Case& c, const at::Tensor& gradients, const at::Device& device) {
  try {
    const std::int64_t elements = gradients.size(1);
    const auto exchange = make_exchange(c.spec, c.servers, elements, device);
    at::Tensor mine = gradients.to(device, at::kFloat, false, true);
    at::Tensor average = at::empty({elements}, mine.options());
    exchange->average(mine, average);
    exchange->measured(mine);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// What cannot be averaged is refused with the same words. 0: it is.
std::int64_t differing_complaints(const at::Device& device) {
  const Case c{"", {.name = "optinc", .bucket = 1000}};
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::int64_t different = 0;
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -kInfinity, 3e38f}) {
    at::Tensor gradients = gradients_of(c.servers, 10'000, 1);
    gradients[2][3500] = bad;
    if (!std::isfinite(bad)) gradients[1][3700] = bad, gradients[0][8000] = bad;
    const std::string mine = complaint_of(c, gradients, at::kCPU);
    different += mine.empty() || complaint_of(c, gradients, device) != mine;
  }
  return different;
}

}  // namespace

nlohmann::ordered_json check_exchange(const ExchangeCheck& check, const at::Device& device) {
  const auto tell = [&](const std::string& what) {
    if (check.tell) check.tell(what);
  };
  if (check.repeats < 1) throw Error(ErrorKind::kInput, fmt::format("{} averages to be timed", check.repeats));

  // Speed, against a copy of the same gradients
  tell(fmt::format("{} elements of {} servers", check.elements, check.servers));
  const auto exchange = make_exchange(check.spec, check.servers, check.elements, device);
  at::Tensor gradients = at::randn({check.servers, check.elements}, at::TensorOptions(at::kFloat).device(device));
  at::Tensor average = at::empty({check.elements}, gradients.options());
  at::Tensor copy = at::empty_like(gradients);
  const double floats = static_cast<double>(check.elements) * 4e-9;
  const double seconds = seconds_of(check.repeats, average, [&] { exchange->average(gradients, average); });
  const double copying = seconds_of(check.repeats, copy, [&] { copy.copy_(gradients); });
  const double necessary = check.servers * (check.spec.error_feedback ? 3 : 1) + 1;
  const double rate = necessary * floats / seconds, copy_rate = 2 * check.servers * floats / copying;
  copy.reset();
  nlohmann::ordered_json result = {{"device", describe(device)},
                                   {"exchange", exchange->describe()},
                                   {"servers", check.servers},
                                   {"elements", check.elements},
                                   {"seconds", seconds},
                                   {"gigabytes_per_s", rate},
                                   {"copy_gigabytes_per_s", copy_rate},
                                   {"share_of_copy", rate / copy_rate},
                                   {"comparisons", nlohmann::ordered_json::array()}};

  // Bits, against the CPU
  bool same = true;
  const auto add = [&](const std::string& name, std::int64_t elements, std::int64_t different) {
    result["comparisons"].push_back({{"case", name}, {"elements", elements}, {"differing", different}});
    same = same && different == 0;
  };
  if (check.compared > 0) {
    for (const Case& c : cases()) {
      tell(c.name);
      const std::int64_t elements = c.elements > 0 ? std::min(c.elements, check.compared) : check.compared;
      add(c.name, elements * kSteps, differing(c, elements, device));
    }
    tell("numbers that cannot be averaged");
    add("numbers that cannot be averaged", 3, differing_complaints(device));
    result["same_bits"] = same;
  }
  return result;
}

}  // namespace helio::train
