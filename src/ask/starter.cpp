// SPDX-License-Identifier: Apache-2.0
#include "ask/starter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace helio::ask {
namespace {

constexpr std::string_view kCollective = R"(# How fast is this collective on this network, and how far from the limit?
#
#     {}
#
# Keys: docs/experiment-file.md

[fabric]
name = "switch"           # helio list fabrics; helio describe switch
nodes = 64                # GPUs
rate = "400 Gb/s"         # of a port, each way
latency = "500 ns"        # of a link: two of them lie between two GPUs
step_overhead = "1 us"    # what starting a message costs at its ends

[[collective]]            # one table for each question
name = "gradients"
kind = "all-reduce"       # or reduce-scatter, all-gather, broadcast, reduce, all-to-all
bytes = "100 MB"          # the whole vector of each GPU
# algorithm = "ring"      # without it the fastest of all is taken: helio list algorithms
verify = true             # prove that the result is the sum

[[collective]]
name = "experts"
kind = "all-to-all"
bytes = "16 MB"
)";

constexpr std::string_view kJob =
    R"(# How long is a training step of this model on this cluster, and what waits for the network?
#
#     {}
#
# Keys: helio describe job, docs/experiment-file.md

[fabric]
name = "cluster"          # servers with NVLink inside and a NIC for each GPU; the NPU below brings their rates
nodes = 64                # GPUs

[[job]]
model = "llama-7b"        # helio list models, or the path of a config.json
npu = "h100"              # helio list npus
algorithm = "usual"       # as communication libraries choose; without it the fastest are searched
tp = 2                    # GPUs that share each layer
dp = 32                   # replicas: tp x pp x dp GPUs
micro_batch = 1           # sequences of a GPU at once
micro_batches = 4         # of them in a step
zero = 1                  # the optimiser is divided among replicas
)";

constexpr std::string_view kSlices =
    R"(# Jobs arrive and leave on an optical network that gives each job light of its own (ODDL).
#
#     {}
#
# Keys: docs/oddl-slices.md

[fabric]
groups = 4
nodes_per_group = 8
channels = 16             # wavelengths on the fibres of a group
wss = "50 ms"             # one change of a switch that selects wavelengths

[run]
until = "60 s"

[[event]]                 # what happens, in order of time
admit = "first"
nodes = 16
bytes = "100 MB"          # of gradients, each step

[[event]]
at = "10 s"
admit = "second"
nodes = 8
bytes = "25 MB"
compute = "3 ms"          # before each exchange

[[event]]
at = "30 s"
leave = "first"
)";

constexpr std::string_view kSweep =
    R"(# One question for many values: each answer is a row of a database, and a run that was stopped goes on.
#
#     {}
#     helio sweep show results.db --best 5
#
# Keys: docs/sweep.md

command = "collective all-reduce --fabric torus --bytes 100MB --algorithm {algorithm}"
value = "time_s"          # of its JSON: what the best has least of

[vary]                    # every combination
algorithm = ["ring", "dimension-ordered"]
fabric.dimensions = ["8x8", "4x4x4"]
fabric.rate = ["100 Gb/s", "400 Gb/s"]
)";

constexpr std::string_view kPlan =
    R"(# Which network for this model, and how to spread it: everything is searched within the limits below.
#
#     {}
#
# Keys: docs/model-plan.md

[plan]
model = "gpt2-xl"         # helio list models, or the path of a config.json
npus = 16
npu = "a100-80"           # helio list npus
batch = 64                # sequences of a step
fabric = ["switch", "torus"]
injection = "2.4 Tb/s"    # what a GPU can send in all, alike on every network
tp = [1, 2]               # GPUs that share a layer: values to try
pp = [1]                  # stages
runs = 4                  # simulations; the others are judged by a bound
)";

}  // namespace

const std::vector<Starter>& starters() {
  static const std::vector<Starter> all = {{"collective", "helio simulate", kCollective},
                                           {"job", "helio simulate", kJob},
                                           {"slices", "helio slices", kSlices},
                                           {"sweep", "helio sweep", kSweep},
                                           {"plan", "helio plan", kPlan}};
  return all;
}

std::string starter(const std::string& kind, const std::string& file, const std::string& place) {
  const auto found = std::ranges::find(starters(), kind, &Starter::kind);
  if (found == starters().end()) {
    std::vector<std::string> names;
    for (const Starter& one : starters()) names.emplace_back(one.kind);
    throw unknown_name("kind of file", kind, names, place);
  }
  std::string text(found->text);
  const std::string command = fmt::format("{} {}{}", found->command, file, kind == "sweep" ? " --out results.db" : "");
  return text.replace(text.find("{}"), 2, command);
}

}  // namespace helio::ask
