// SPDX-License-Identifier: Apache-2.0
// What `helio describe` says about the parts of a job: a model with its layers, an NPU with its peaks, the keys of [[job]].
#pragma once

#include <string>

#include "placement/npu.h"
#include "workload/zoo.h"

namespace helio::report {

// The name under which describe_job() is found.
inline constexpr std::string_view kJob = "job";

// A name of the zoo, or a path that ends in .toml or .json.
bool names_a_model(const std::string& name);
// Throws Error(kInput) for a file that cannot be read, or is wrong.
std::string describe_model(const std::string& name, const std::string& place);

// In a line: peak, memory and how fast it is.
std::string numbers_of(const placement::Npu& npu);

std::string describe_npu(const Catalogue<placement::NpuFactory>::Entry& entry);

std::string describe_job();

}  // namespace helio::report
