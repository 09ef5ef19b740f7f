// SPDX-License-Identifier: Apache-2.0
// A [[job]] as it was written, and what it means: the half of a draft that asks for whole iterations.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.h"
#include "pipeline/experiment.h"

namespace helio::pipeline {

// [[job]] and its tables: [job.model_parameters], [job.npu_parameters], [job.compute], [job.algorithm]. `algorithm` may also be a key: a
// word for all classes of traffic.
struct JobBlock {
  std::string place;
  Settings
      keys;  // name, model, npu, iterations, algorithm, bandwidth, priorities, shares, and those of placement/strategy.h
  std::map<std::string, Settings, std::less<>> tables;
};

inline constexpr std::string_view kAlgorithmTable = "algorithm";
inline constexpr std::array<std::string_view, 4> kJobTables = {"model_parameters", "npu_parameters", "compute",
                                                               kAlgorithmTable};

// What may stand in [[job]].
const std::vector<Parameter>& job_parameters();

std::string name_of(const JobBlock& block, std::size_t index);

// Changes one value: parts of "job.KEY", "job.TABLE.KEY" (every job), "job.NAME.KEY", "job.NAME.TABLE.KEY".
void set(std::vector<JobBlock>& jobs, const std::vector<std::string>& parts, const Setting& setting);

Job interpret(const JobBlock& block, std::size_t index);

// The job's model as workload::load takes it. A file that is not found from the working directory is looked for beside the
// experiment file `source`.
std::string model_source(const Job& job, const std::string& source);

}  // namespace helio::pipeline
