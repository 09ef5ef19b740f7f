// SPDX-License-Identifier: Apache-2.0
// What trains: a release of a framework, as the constants of the compute model that it has (compute.h). Kernels, fusions and what
// the host does differ between releases far more than between NPUs; what an NPU's units reach stands with the NPU (npu.h).
//
// All but the first were fitted together on published steps of training (docs/compute-model.md): they share every constant but
// mixture_overhead, one for each release.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "placement/compute.h"

namespace helio::placement {

struct Software {
  std::string name, summary;
  ComputeConstants constants;
};

// What [job.compute] may hold: the software, and its constants as defaults.
std::vector<Parameter> software_parameters(const Software& software);

const std::vector<Software>& all_software();
// What trains on an NPU where nobody says: a release of its time, on hosts of its time. The first of all on V100, A100 and NPUs that are not
// for sale, whose fit they were or who are compared with them.
const Software& usual_software(std::string_view npu);
const Software& software_named(std::string_view name, const std::string& place = {});  // throws Error(kInput)

}  // namespace helio::placement
