// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/code_exchange.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cassert>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace helio::train {
namespace {

std::vector<std::vector<float>> carried(const at::Tensor& residuals) {
  std::vector<std::vector<float>> rows;
  if (residuals.defined())
    for (const std::span<const float> row : rows_of(residuals)) rows.emplace_back(row.begin(), row.end());
  return rows;
}

emulate::ExchangeOptions options_of(const ExchangeSpec& spec) {
  if (spec.bucket < 1)
    throw Error(ErrorKind::kInput, fmt::format("a bucket of {} elements has no scale", spec.bucket), "",
                "a bucket has at least one element");
  return {.bucket = static_cast<std::size_t>(spec.bucket),
          .stochastic = spec.stochastic,
          .error_feedback = spec.error_feedback,
          .balanced = spec.balanced,
          .zero = spec.zero,
          .seed = spec.seed};
}

class CpuCodeExchange : public CodeExchange {
 public:
  CpuCodeExchange(const ExchangeSpec& spec, int servers, std::int64_t length, Switches switches)
      : CodeExchange(spec, servers, length, switches.averager, std::move(switches.words)),
        exchange_(std::move(switches.averager), options_) {}

  void average(at::Tensor& gradients, at::Tensor& average) override {
    assert(gradients.size(0) == servers_ && gradients.size(1) == length_ && "one row for each server");
    const std::span<float> sum(average.data_ptr<float>(), static_cast<std::size_t>(length_));
    exchange_.all_reduce(rows_of(gradients), sum);
    const float share = 1.0f / static_cast<float>(servers_);
    for (float& element : sum) element *= share;
  }

 private:
  State state() const override {
    State state{exchange_.step(), {}};
    if (exchange_.residuals().empty()) return state;
    state.residuals = at::empty({servers_, length_}, at::kFloat);
    for (int i = 0; i < servers_; ++i)
      std::memcpy(state.residuals[i].data_ptr<float>(), exchange_.residuals()[static_cast<std::size_t>(i)].data(),
                  static_cast<std::size_t>(length_) * sizeof(float));
    return state;
  }
  void set_state(const State& state) override { exchange_.resume(state.step, carried(state.residuals)); }
  const emulate::CodeAverager& averager() const override { return exchange_.averager(); }

  emulate::OpticalExchange exchange_;
};

std::unique_ptr<GradientExchange> make_code_exchange(const ExchangeSpec& spec, int servers, std::int64_t length,
                                                     const at::Device& device) {
  Switches switches = switches_of(spec, servers);
  if (device.is_cuda()) return make_cuda_code_exchange(spec, servers, length, device, std::move(switches));
  return std::make_unique<CpuCodeExchange>(spec, servers, length, std::move(switches));
}

// Of codes: what a number becomes on its way, and how averages are rounded.
std::vector<Parameter> code_parameters() {
  return {{.name = "bits",
           .type = ParameterType::kInteger,
           .fallback = "8",
           .minimum = "1",
           .maximum = "16",
           .description = "B, of a code"},
          {.name = "symbol_bits",
           .type = ParameterType::kInteger,
           .fallback = "2",
           .minimum = "1",
           .maximum = "16",
           .description = "M, of a symbol; must divide bits"},
          {.name = "rounding",
           .type = ParameterType::kChoice,
           .fallback = "half-up",
           .description = "of an average: floor, half-up, half-even or dither",
           .choices = {"floor", "half-up", "half-even", "dither"}},
          {.name = "bucket",
           .type = ParameterType::kInteger,
           .fallback = "65536",
           .minimum = "1",
           .description = "elements that share a scale"},
          {.name = "stochastic",
           .type = ParameterType::kBoolean,
           .fallback = "false",
           .description = "round gradients to codes at random"},
          {.name = "error_feedback",
           .type = ParameterType::kBoolean,
           .fallback = "false",
           .description = "add what rounding took to the next gradient"},
          {.name = "balanced",
           .type = ParameterType::kBoolean,
           .fallback = "false",
           .description = "some servers round half a code lower, against the lean of `rounding`"},
          {.name = "zero",
           .type = ParameterType::kInteger,
           .minimum = "0",
           .maximum = "65535",
           .description = "code that stands for zero; 2^(B-1) when left out; 150 spares networks their carries",
           .optional = true}};
}

// Of the switches that average them.
std::vector<Parameter> switch_parameters() {
  return {{.name = "ports",
           .type = ParameterType::kText,
           .description = "of each level of a cascade, lowest first, as 4,4; one switch when left out",
           .optional = true},
          {.name = "fraction",
           .type = ParameterType::kInteger,
           .fallback = "0",
           .minimum = "0",
           .description = "symbols below the point that a level of a cascade adds"},
          {.name = "network",
           .type = ParameterType::kText,
           .description = "a network's file for each level; constructed when left out",
           .optional = true},
          {.name = "chip",
           .type = ParameterType::kText,
           .description = "name of the chip that the networks stand on, with all its flaws and noise, drawn once: "
                          "default; without `network` they are built for it",
           .optional = true},
          {.name = "noise",
           .type = ParameterType::kNumber,
           .fallback = "0",
           .minimum = "0",
           .description = "sigma after every linear stage, in symbols"},
          {.name = "noise_draws",
           .type = ParameterType::kInteger,
           .fallback = "16",
           .minimum = "1",
           .maximum = "4096",
           .description = "tables drawn with that noise; every element and step uses one of them"},
          {.name = "error_rate",
           .type = ParameterType::kNumber,
           .minimum = "0",
           .maximum = "0.9999999999999999",
           .minimum_exclusive = true,
           .description = "share of wrong points, drawn anew with the network's own errors",
           .optional = true}};
}

}  // namespace

std::vector<std::span<const float>> rows_of(const at::Tensor& tensor) {
  assert(tensor.is_contiguous() && tensor.device().is_cpu() && "rows of a contiguous tensor on the CPU");
  const float* data = tensor.data_ptr<float>();
  const auto length = static_cast<std::size_t>(tensor.size(1));
  std::vector<std::span<const float>> rows;
  for (std::int64_t i = 0; i < tensor.size(0); ++i)
    rows.emplace_back(data + static_cast<std::size_t>(i) * length, length);
  return rows;
}

CodeExchange::CodeExchange(const ExchangeSpec& spec, int servers, std::int64_t length,
                           const emulate::CodeAverager& averager, std::string words)
    : spec_(spec), servers_(servers), length_(length), options_(options_of(spec)), words_(std::move(words)) {
  assert(averager.servers() == static_cast<std::uint32_t>(servers));
  if (spec.balanced && emulate::balance_of(averager).servers == 0)
    throw Error(ErrorKind::kInput,
                fmt::format("averages of {} servers, rounded {}, do not lean: there is nothing to balance", servers,
                            name_of(spec.task.rounding)),
                spec.place("balanced"), "leave it out");
}

nlohmann::ordered_json CodeExchange::measured(const at::Tensor& gradients) {
  if (!meter_) {
    emulate::ExchangeOptions options = options_;
    options.measure = true;
    meter_ = std::make_unique<emulate::OpticalExchange>(averager(), options);
  }
  const State now = state();
  meter_->resume(options_.error_feedback || now.step == 0 ? now.step : now.step - 1, carried(now.residuals));
  const at::Tensor here = gradients.to(at::kCPU).contiguous();
  std::vector<float> sum(static_cast<std::size_t>(length_));
  const emulate::ExchangeReport report = meter_->all_reduce(rows_of(here), sum);
  const double elements = static_cast<double>(report.elements);
  return {{"elements", report.elements},
          {"buckets", report.buckets},
          {"wrong", report.wrong},
          {"wrong_share", elements > 0 ? static_cast<double>(report.wrong) / elements : 0},
          {"mean_error_codes", report.mean_error_codes},
          {"relative_error", report.relative_error}};
}

std::string CodeExchange::describe() const {
  std::string text = fmt::format("{}-bit codes, buckets of {}, {}", spec_.task.bits, spec_.bucket, words_);
  if (spec_.task.rounding != Rounding::kHalfUp) text += fmt::format(", rounding {}", name_of(spec_.task.rounding));
  if (spec_.stochastic) text += ", codes rounded at random";
  if (spec_.error_feedback) text += ", error feedback";
  if (spec_.balanced) text += ", balanced";
  if (spec_.zero) text += fmt::format(", zero at code {}", *spec_.zero);
  return text;
}

void CodeExchange::write(Checkpoint& checkpoint) const {
  const State now = state();
  checkpoint.numbers["exchange_steps"] = now.step;
  if (now.residuals.defined()) checkpoint.tensors["exchange_residuals"] = now.residuals;
}

void CodeExchange::read(const Checkpoint& checkpoint, const std::string& path, std::string_view place) {
  State found;
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  found.step = static_cast<std::uint64_t>(whole_number_of(checkpoint, "exchange_steps", kMost, path, place));
  if (options_.error_feedback && found.step > 0)
    found.residuals =
        tensor_of(checkpoint, "exchange_residuals", {servers_, length_}, at::kFloat, path, place).contiguous();
  set_state(found);
}

ExchangeEntry quantised() {
  return {{.name = "quantised",
           .summary =
               "codes of B bits, a shared scale per bucket, the exactly rounded average: what quantisation alone costs",
           .reference = "papers/optinc.md 2.1",
           .parameters = code_parameters()},
          make_code_exchange};
}

ExchangeEntry optinc() {
  std::vector<Parameter> parameters = code_parameters();
  for (Parameter& parameter : switch_parameters()) parameters.push_back(std::move(parameter));
  return {{.name = "optinc",
           .summary = "the same through optical networks: constructed, from files, with errors and noise, cascaded",
           .reference = "papers/optinc.md 2.2, 2.5, 2.6",
           .parameters = std::move(parameters)},
          make_code_exchange};
}

#ifndef HELIO_CUDA_KERNELS
std::unique_ptr<GradientExchange> make_cuda_code_exchange(const ExchangeSpec& spec, int, std::int64_t,
                                                          const at::Device&, Switches) {
  throw Error(ErrorKind::kInfeasible,
              fmt::format("this helio-train was built without kernels for '{}' on CUDA devices", spec.name), "",
              "configure it where a CUDA compiler is found (CMAKE_CUDA_COMPILER=…/nvcc), or use --device cpu");
}
#endif

}  // namespace helio::train
