// SPDX-License-Identifier: Apache-2.0
#include "base/other_words.h"

#include <algorithm>

namespace helio {
namespace {

struct OtherWord {
  std::string_view word, ours;  // the word in plain letters
};

constexpr OtherWord kOtherWords[] = {
    // Networks
    {"ethernet", "cluster"},
    {"infiniband", "cluster"},
    {"roce", "cluster"},
    {"nvlink", "cluster"},
    {"dgx", "cluster"},
    {"hgx", "cluster"},
    {"rails", "cluster"},
    {"railoptimized", "cluster"},
    {"nvswitch", "switch"},
    {"nvl72", "switch"},
    {"crossbar", "switch"},
    {"star", "switch"},
    {"tree", "fat-tree"},
    {"clos", "fat-tree"},
    {"leafspine", "fat-tree"},
    {"spineleaf", "fat-tree"},
    {"fullyconnected", "full-mesh"},
    {"complete", "full-mesh"},
    {"grid", "mesh"},
    {"dragonfly", "graph"},
    {"hypercube", "graph"},
    {"slimfly", "graph"},
    {"custom", "graph"},
    {"wdm", "wdm-ring"},
    {"dwdm", "wdm-ring"},
    {"optical", "wdm-ring"},
    {"fibre", "wdm-ring"},
    {"fiber", "wdm-ring"},
    {"wafer", "fred"},
    {"hierarchical", "composite"},
    // Algorithms
    {"tree", "double-binary-tree"},
    {"rabenseifner", "halving-doubling"},
    {"bucket", "dimension-ordered"},
    {"sharp", "in-fabric"},
    {"nvls", "in-fabric"},
    {"innetwork", "in-fabric"},
    // What is listed
    {"gpu", "npus"},
    {"gpus", "npus"},
    {"accelerators", "npus"},
    {"devices", "npus"},
    {"networks", "fabrics"},
    {"topologies", "fabrics"},
    {"interconnects", "fabrics"},
    {"collectives", "algorithms"},
    {"schedules", "algorithms"},
    {"components", "parts"},
    {"papers", "studies"},
    // Parameters and options
    {"bandwidth", "rate"},
    {"bw", "rate"},
    {"speed", "rate"},
    {"linkrate", "rate"},
    {"linkspeed", "rate"},
    {"delay", "latency"},
    {"hosts", "nodes"},
    {"ranks", "nodes"},
    {"gpus", "nodes"},
    {"npus", "nodes"},
    {"size", "bytes"},
    {"message", "bytes"},
    {"messagesize", "bytes"},
    {"network", "fabric"},
    {"topology", "fabric"},
    {"gpu", "npu"},
    {"device", "npu"},
    {"accelerator", "npu"},
    {"globalbatch", "batch"},
    {"batch", "global_batch"},
    {"microbatchsize", "micro_batch"},
    {"gradientaccumulation", "micro_batches"},
    {"gradaccum", "micro_batches"},
    {"tensorparallel", "tp"},
    {"pipelineparallel", "pp"},
    {"dataparallel", "dp"},
    {"expertparallel", "ep"},
    {"contextparallel", "cp"},
    {"checkpointing", "recompute"},
    {"fsdp", "zero"},
    {"dtype", "precision"},
    {"nccl", "usual"},
    {"batchsize", "batch"},
    {"output", "out"},
    // Commands
    {"run", "simulate"},
    {"sim", "simulate"},
    {"init", "new"},
    {"create", "new"},
    {"start", "new"},
    {"show", "describe"},
    {"info", "describe"},
    {"explain", "describe"},
    {"optimize", "plan"},
    {"optimise", "plan"},
    {"search", "plan"},
    {"calibrate", "fit"},
};

}  // namespace

std::string name_for(std::string_view word, const std::vector<std::string>& legal) {
  const std::string plain = plain_name(word);
  for (const OtherWord& other : kOtherWords)
    if (other.word == plain && std::ranges::find(legal, other.ours) != legal.end()) return std::string(other.ours);
  return "";
}

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != '-' && c != '_' && c != ' ') plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return plain;
}

}  // namespace helio
