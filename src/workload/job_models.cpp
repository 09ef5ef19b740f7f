// SPDX-License-Identifier: Apache-2.0
#include "workload/job_models.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/random.h"

namespace helio::workload {
namespace {

constexpr double kLong = 86400;  // seconds
constexpr std::size_t kPerLine = 3;
constexpr std::array<std::array<const char*, kPerLine>, 4> kLines = {{{"googlenet", "resnet-50", "alexnet"},
                                                                      {"resnet-50", "resnet-101", "vgg16"},
                                                                      {"resnet-152", "vgg19", "bert-large"},
                                                                      {"vgg19", "bert-large", "gpt2-xl"}}};

std::size_t line_of(const LoggedJob& job) {
  const std::size_t line = job.gpus >= 8 ? 3 : job.gpus >= 4 ? 2 : job.gpus >= 2 ? 1 : 0;
  return std::min<std::size_t>(line + (job.duration_s > kLong), kLines.size() - 1);
}

std::size_t index_of(const std::string& name, const std::string& place) {
  const auto& all = job_models();
  const auto found = std::ranges::find(all, name, &JobModel::name);
  if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  std::vector<std::string> legal;
  for (const JobModel& model : all) legal.push_back(model.name);
  throw unknown_name("model of a job", name, legal, place);
}

}  // namespace

const std::vector<JobModel>& job_models() {
  static const std::vector<JobModel> models = {{"alexnet", 128},   {"googlenet", 64},  {"resnet-50", 64},
                                               {"resnet-101", 32}, {"resnet-152", 32}, {"vgg16", 32},
                                               {"vgg19", 32},      {"bert-large", 8},  {"gpt2-xl", 1}};
  return models;
}

std::vector<std::size_t> models_of(const std::vector<LoggedJob>& jobs, std::uint64_t seed) {
  std::vector<std::size_t> found;
  const Random random(seed);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const LoggedJob& job = jobs[i];
    found.push_back(job.model.empty() ? index_of(kLines[line_of(job)][random.split(i).below(kPerLine)], job.place)
                                      : index_of(job.model, job.place));
  }
  return found;
}

}  // namespace helio::workload
