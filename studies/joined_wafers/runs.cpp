// SPDX-License-Identifier: Apache-2.0
#include "studies/joined_wafers/runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "studies/asking.h"

namespace helio::studies::one_system_study {
namespace {

constexpr int kWaves = 2;  // parts of an exchange that keep both levels busy

JobQuestion job_of(const Question& question) {
  const Model& model = *question.model;
  const double exchanged = 2 * model.of_a_layer / kWaves;
  JobQuestion asked{.fabric = {{"name", "composite"}, {"levels", levels_of(question.system, question.injection)}},
                    .keys = {{"model", model.name},
                             {"npu", "fred-npu"},
                             {"tp", fmt::format("{}", model.tp)},
                             {"dp", fmt::format("{}", model.dp * kWafers)},
                             {"rank_order", "tp,pp,dp"},
                             {"micro_batch", fmt::format("{}", model.micro_batch)},
                             {"micro_batches", fmt::format("{}", model.micro_batches)},
                             {"execution", "streaming"},
                             {"recompute", "full"},
                             {"precision", "fp16"},
                             {"algorithm", "usual"},
                             {"clip", "false"}}};
  asked.tables["npu_parameters"] = {{"peak", "1000"}};
  asked.tables["compute"] = {{"utilisation", "1"}};
  asked.tables["algorithm"] = {{"dp", "by-level"},
                               {"dp.levels", algorithms_of(question.system, question.injection, exchanged)},
                               {"dp.waves", fmt::format("{}", kWaves)}};
  return asked;
}

}  // namespace

double IterationBound::seconds() const { return std::max({compute, between, streaming}); }

const char* IterationBound::binds() const {
  if (compute >= std::max(between, streaming)) return "computing";
  return between >= streaming ? "between wafers" : "streaming";
}

const pipeline::IterationResult& Runs::operator()(const Question& question) {
  if (const auto known = answers_.find(question); known != answers_.end()) return known->second;
  return answers_.emplace(question, iterated(job_of(question), options_)).first->second;
}

pipeline::IterationResult Runs::pictured(const Question& question) const {
  pipeline::RunOptions options = options_;
  options.picture = true;
  return iterated(job_of(question), options);
}

IterationBound Runs::bound(const Question& question) {
  const double bytes = 2 * question.model->parameters;  // fp16: of parameters, and of gradients
  const double compute = (*this)(question).bound_s;
  return {.compute = compute,
          .between = kForward * compute + least_sent(question.system) * bytes / (question.injection / 8),
          .streaming = 2 * bytes / kIo};
}

}  // namespace helio::studies::one_system_study
