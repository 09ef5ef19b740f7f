// SPDX-License-Identifier: Apache-2.0
// A placed iteration: what every NPU computes and which collectives it takes part in, with who waits for whom.
//
// It has the shape of a flow program with one difference: collectives are still requests, because only a fabric knows how
// they are carried. A Body is a small graph of tasks; a task computes, asks for a collective, moves bytes in or out through
// I/O, or runs another body `rounds` times. Ranks that run in lock-step (the tensor- and expert-parallel ranks of one stage
// and replica: a *cell*) share one task, which takes as long as the slowest of them.
//
//     iteration:   F(stage 0, 0) ─▶ send ─▶ F(stage 1, 0) ─▶ …            F: run body "forward, stage 0, replica 0"
//     forward:     [ layer x 6 ]                                          layer: compute ─▶ all-reduce ─▶ compute ─▶ …
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"
#include "base/time.h"
#include "schedule/request.h"

namespace helio::placement {

// What time is spent on, as results break it down.
enum class Activity : std::uint8_t { kCompute, kTp, kPp, kDp, kEp, kLoad, kStreaming, kCp };
inline constexpr int kActivities = 8;
std::string_view name_of(Activity activity);  // "compute", "tp", …

enum class TaskKind : std::uint8_t { kCompute, kCollective, kInput, kOutput, kBody };

// What the task is for its reader.
enum class Verb : std::uint8_t {
  kLayer,
  kHost,
  kExchange,
  kForward,
  kBackward,
  kSendForward,
  kSendBackward,
  kReduceGradients,
  kGatherParameters,
  kOptimiser,
  kLoadSamples,
  kStreamIn,
  kStreamOut,
};
std::string_view name_of(Verb verb);  // "forward", "send activations", …

struct Task {
  TaskKind kind = TaskKind::kCompute;
  Activity activity = Activity::kCompute;
  Verb verb = Verb::kLayer;
  std::uint32_t index = 0;   // kCollective: of the request; kBody: of the body; kInput, kOutput: of the stream
  std::uint32_t row = 0;     // where it runs: of Program::rows
  std::uint32_t number = 0;  // micro-batch, bucket, layer
  std::uint64_t rounds = 1;  // kBody
  Bytes bytes;               // kInput, kOutput
  Time duration;             // kCompute
};

struct Dependency {
  std::uint32_t from = 0, to = 0;
};

struct Body {
  std::string name;
  std::vector<Task> tasks;
  std::vector<Dependency> dependencies;

  std::uint32_t add(const Task& task) {
    tasks.push_back(task);
    return static_cast<std::uint32_t>(tasks.size() - 1);
  }
};

struct Request {
  Activity activity = Activity::kTp;
  schedule::CollectiveRequest request;
};

// Bytes on one NPU of the fullest stage.
struct Memory {
  Bytes parameters, gradients, optimiser, activations, total;
  std::uint32_t stage = 0;
};

struct Program {
  std::string name;
  std::vector<Body> bodies;
  std::vector<Request> requests;
  std::vector<std::string> rows;
  // What goes through I/O, in equal shares: each comes to all nodes of its list, or is added up from them.
  std::vector<std::vector<std::vector<NodeId>>> streams;
  std::uint32_t entry = 0;  // a body: one iteration
  std::uint64_t npus = 0;
  double samples = 0;      // of one iteration
  double model_flops = 0;  // of one iteration: forward and backward, nothing recomputed
  double done_flops = 0;   // really done by all NPUs, recomputation included
  Time busiest;            // the most that one cell computes in an iteration: no iteration is shorter
  Time computing;          // mean over cells of what they compute
  BitRate io_rate;         // of all I/O channels together, one direction, as links of the job's own; 0: the fabric's
  Memory memory;
};

}  // namespace helio::placement
