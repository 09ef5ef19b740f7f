// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/step_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>
#include <utility>

#include "placement/stages.h"
#include "studies/asking.h"
#include "studies/optinc/assumption.h"
#include "workload/zoo.h"

namespace helio::studies::optinc_study {
namespace {

constexpr double kServerRate = 6.4e12;      // bit/s: 8 x 800 Gb/s [secondary]
constexpr int kWavelengths = 8;             // each way round
constexpr double kWavelengthRate = 0.8e12;  // bit/s
constexpr int kStripe = 4, kGroup = 5;      // of the striped one: two wavelengths to a side, four times
constexpr double kRetune = 25e-6;           // s: the product's default for micro-rings (recalled)
constexpr double kBucket = 6'553'600;       // gradients that travel together: 25 MiB of float32, as PyTorch DDP has it

struct Model {
  const char* name;
  const char* title;
  const char* samples;  // of a server in a step
};
constexpr std::array kModels = {Model{"resnet-50", "ResNet-50", "64"}, Model{"llama-7b", "LLaMA-7B", "1"}};

const Model& model_of(const StepQuestion& question) {
  return *std::ranges::find(kModels, std::string_view(question.model),
                            [](const Model& m) { return std::string_view(m.name); });
}

bool is_wrht(Carrier carrier) { return carrier == Carrier::kWrht || carrier == Carrier::kWrhtStriped; }

Words fabric_of(const StepQuestion& question) {
  Words fabric = {{"nodes", fmt::format("{}", question.servers)}, {"latency", "0 s"}};
  if (is_wrht(question.carrier))
    fabric.merge(Words{{"name", "wdm-ring"},
                       {"wavelengths", fmt::format("{}", kWavelengths)},
                       {"rate", "800 Gb/s"},
                       {"retune", "25 us"}});
  else
    fabric.merge(Words{{"name", question.carrier == Carrier::kRing ? "switch" : "optinc"}, {"rate", "6400 Gb/s"}});
  if (question.carrier == Carrier::kOptinc) fabric["network"] = "constructed";
  return fabric;
}

const char* algorithm_of(Carrier carrier) {
  switch (carrier) {
    case Carrier::kRing: return "ring";
    case Carrier::kWrht:
    case Carrier::kWrhtStriped: return "wrht";
    case Carrier::kOptinc: break;
  }
  return "in-fabric";
}

std::string name_of(const StepQuestion& question) {
  switch (question.carrier) {
    case Carrier::kRing: return fmt::format("ring of {} bits", question.bits);
    case Carrier::kWrht: return fmt::format("WRHT of {} bits", question.bits);
    case Carrier::kWrhtStriped:
      return fmt::format("WRHT of {} bits, {} wavelengths a transfer", question.bits, kStripe);
    case Carrier::kOptinc: break;
  }
  return fmt::format("OptINC of {} bits", question.bits);
}

double parameters_of(const workload::Workload& workload, const placement::Part& part) {
  double sum = 0;
  for (const placement::Slice& slice : part)
    sum += static_cast<double>(slice.count * workload.layers[slice.layer].parameters);
  return sum;
}

Assumptions rests_on(const StepQuestion& question) {
  Assumptions all =
      literally("8 x 800 Gb/s a server and H100 [secondary]") +
      ours(fmt::format("one H100 a server, {} sample{} a step, bf16, gradients in buckets of {:g} M; links without "
                       "latency; compute by the product's model, which was fitted on other clusters "
                       "(docs/compute-model.md)",
                       model_of(question).samples, model_of(question).samples == std::string_view("1") ? "" : "s",
                       kBucket / 1e6)) +
      ours("communication takes nothing from computing that runs beside it; quantising takes no time");
  if (question.model == std::string_view("llama-7b"))
    all =
        all +
        ours(
            "parameters, gradients and optimiser are whole on every server, more than 80 GB hold: memory is not asked");
  if (is_wrht(question.carrier))
    all = all + ours(fmt::format(
                    "{} wavelengths of 800 Gb/s each way round, {} for each transfer; a lightpath that the step before "
                    "did not have is dark for {:g} us",
                    kWavelengths, question.carrier == Carrier::kWrht ? 1 : kStripe, 1e6 * kRetune));
  if (question.carrier == Carrier::kOptinc) all = all + ours("one switch; the scale is that of the last step");
  return all;
}

}  // namespace

StepTime step_time(const StepQuestion& question, const pipeline::RunOptions& options) {
  assert((question.bits == 32 || (question.bits == 8)) &&
         (question.carrier != Carrier::kOptinc || question.bits == kBits));
  // The model on every server; OptINC takes float32 and sends codes, others send what they are given
  const bool floats = question.bits == 32 || question.carrier == Carrier::kOptinc;
  Words algorithm = {{"dp", algorithm_of(question.carrier)}};
  if (question.carrier == Carrier::kWrhtStriped)
    algorithm.merge(Words{{"dp.stripe", fmt::format("{}", kStripe)}, {"dp.group", fmt::format("{}", kGroup)}});
  const pipeline::IterationResult result =
      iterated({.fabric = fabric_of(question),
                .keys = {{"model", question.model},
                         {"npu", "h100"},
                         {"micro_batch", model_of(question).samples},
                         {"algorithm", "usual"},
                         {"gradient_precision", floats ? "fp32" : "fp8"},
                         {"bucket", fmt::format("{} B", kBucket * (floats ? 4 : 1))},
                         {"overlap", question.overlap ? "true" : "false"}},
                .tables = {{"npu_parameters", {{"memory", "1 PB"}}}, {"algorithm", algorithm}}},
               options);
  return {.asked = question,
          .seconds = result.time_s,
          .computed = result.bound_s,
          .least = least_exposed(question, result.bound_s)};
}

std::vector<StepTime> step_times(const pipeline::RunOptions& options) {
  std::vector<StepTime> steps;
  for (const Model& model : kModels)
    for (const int servers : {4, 16})
      for (const bool overlap : {false, true})
        for (const auto& [carrier, bits] : {std::pair{Carrier::kRing, 32},
                                            {Carrier::kRing, kBits},
                                            {Carrier::kWrht, 32},
                                            {Carrier::kWrht, kBits},
                                            {Carrier::kWrhtStriped, kBits},
                                            {Carrier::kOptinc, kBits}})
          steps.push_back(step_time({model.name, servers, carrier, bits, overlap}, options));
  return steps;
}

double exchange_seconds(const StepQuestion& question, double gradients, bool retuned) {
  const double bits = gradients * question.bits, servers = question.servers;
  switch (question.carrier) {
    case Carrier::kRing: return 2 * (servers - 1) / servers * bits / kServerRate;
    case Carrier::kWrht: return 2 * (bits / kWavelengthRate + (retuned ? kRetune : 0));
    case Carrier::kWrhtStriped:
      return (question.servers > kGroup ? 3 : 2) * (bits / (kStripe * kWavelengthRate) + (retuned ? kRetune : 0));
    case Carrier::kOptinc: break;
  }
  return bits / kServerRate;
}

double least_exposed(const StepQuestion& question, double computed) {
  const workload::Workload model = workload::load(question.model, {}, "studies/optinc");
  const double all = static_cast<double>(model.parameters());
  if (!question.overlap) return exchange_seconds(question, all);
  const placement::Part first = placement::pieces_of(placement::cut(model, 1).front(), model, kBucket).front();
  return std::max(exchange_seconds(question, parameters_of(model, first), false),
                  exchange_seconds(question, all, false) - computed);
}

Rows step_time_rows(std::span<const StepTime> steps) {
  Rows rows;
  for (const StepTime& step : steps) {
    const StepQuestion& asked = step.asked;
    rows.push_back(
        derived_row(fmt::format("exposed communication, {}, {} servers, {}, overlap {} (us)", model_of(asked).title,
                                asked.servers, name_of(asked), asked.overlap ? "on" : "off"),
                    1e6 * step.least, 1e6 * step.exposed(), rests_on(asked),
                    asked.overlap ? "at least: the last bucket alone, and all exchanges less all computing"
                                  : "closed form: bytes over rate, and retuning"));
  }

  // What OptINC saves of a step
  for (const StepTime& optinc : steps) {
    if (optinc.asked.carrier != Carrier::kOptinc) continue;
    for (const StepTime& other : steps) {
      const StepQuestion &a = optinc.asked, &b = other.asked;
      if (b.carrier != Carrier::kRing || a.model != b.model || a.servers != b.servers || a.overlap != b.overlap)
        continue;
      rows.push_back(reported_row(
          fmt::format("training step saved by OptINC, {}, {} servers, over a {}, overlap {} (%)", model_of(a).title,
                      a.servers, name_of(b), a.overlap ? "on" : "off"),
          kSaved17, 100 * (1 - optinc.seconds / other.seconds),
          rests_on(a) + ours("17 % is the lower end of what is reported; batch, model size and the ring's bits "
                             "behind it are not known")));
    }
  }
  return rows;
}

report::Chart step_time_chart(std::span<const StepTime> steps) {
  report::Chart chart{.name = "optinc-step-time",
                      .title = "Communication that a training step waits for, 8 x 800 Gb/s a server",
                      .x_label = "model, servers, overlap",
                      .y_label = "exposed (us)",
                      .log_y = true};
  for (const StepTime& step : steps) {
    const StepQuestion& asked = step.asked;
    const std::string one =
        fmt::format("{}, {}, {}", model_of(asked).title, asked.servers, asked.overlap ? "on" : "off");
    auto at = std::ranges::find(chart.cases, one);
    if (at == chart.cases.end()) at = chart.cases.insert(at, one);
    const auto x = static_cast<double>(at - chart.cases.begin() + 1);
    auto series = std::ranges::find(chart.series, name_of(asked), &report::Series::name);
    if (series == chart.series.end()) series = chart.series.insert(series, {.name = name_of(asked), .joined = false});
    series->points.emplace_back(x, 1e6 * step.exposed());
  }
  return chart;
}

}  // namespace helio::studies::optinc_study
