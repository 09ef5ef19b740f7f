// SPDX-License-Identifier: Apache-2.0
// What logs of clusters do not say: which model a job trains. A mapping of ours from its GPUs and the time for which it ran to models of the
// zoo, drawn with a seed (docs/job-logs.md).
//
//     GPUs     drawn evenly from                    a job that ran for more than a day is drawn from the line below
//     1        googlenet, resnet-50, alexnet
//     2, 3     resnet-50, resnet-101, vgg16
//     4 to 7   resnet-152, vgg19, bert-large
//     8, …     vgg19, bert-large, gpt2-xl
//
// All of them are data-parallel, a replica on each node. A log that names a model of the zoo is believed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/job_log.h"

namespace helio::workload {

struct JobModel {
  std::string name;  // of the zoo
  double micro_batch = 1;
};

// The models of the mapping, and what a node has of each at a time: what fits the memory of usual accelerators. Ours.
const std::vector<JobModel>& job_models();

// Of each job, its index in job_models(). Throws Error(kInput) at the job's row for a model that is none of them.
std::vector<std::size_t> models_of(const std::vector<LoggedJob>& jobs, std::uint64_t seed);

}  // namespace helio::workload
