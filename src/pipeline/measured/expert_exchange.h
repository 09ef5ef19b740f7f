// SPDX-License-Identifier: Apache-2.0
// Exchanges of a mixture of experts as kernels run them: every token goes to the GPUs that hold its experts (dispatch), and what they made of
// it comes back and is added up (combine).
//
//     DeepEP normal         one copy of a token for each GPU, and over NICs one for each server, on `sms` multiprocessors
//     DeepEP low-latency    one copy for each expert, straight to its GPU, a multiprocessor for each expert
//     one-, two-sided       TensorRT-LLM in one domain of NVLink: one copy for each GPU, written by the sender or fetched in turns
//
// With R GPUs, E experts and k of them for a token, routing uniform, a token goes to R (1 - C(E - E/R, k) / C(E, k)) GPUs.
// A kernel is an all-to-all of as many bytes, which takes `once` before and sends at the rate that its multiprocessors reach, not more
// than ports and NICs do:
//
//     normal         once = base + hidden · per_element;  (B / per_sm + tokens · per_token) / sms  against  B / port
//     low-latency    once = base + E · per_expert;        B / min(E · per_sm, port)
//     one-, two-sided   once = base + per_doubling · log2 R + tokens · per_token;   max(copies · per_copy, B / port)
//     several servers   once = base + per_doubling · log2(servers) + bytes to NICs / fill;  the above against  bytes to NICs / nic,
//                       of more than four servers (servers / 4)^crowding times as long, but for the first `quiet` bytes: many send to one,
//                       and what comes back fits in buffers until they are full
//
// All constants are fitted, on measurements of DeepEP (H100, B200, GB200) and TensorRT-LLM (GB200); those of other GPUs of a generation are
// taken from these, ports in proportion to their links (docs/validate.md). DeepSeek-AI, "DeepEP", 2025, for the two modes.
#pragma once

#include <optional>
#include <string_view>

#include "base/quantity.h"
#include "base/time.h"

namespace helio::pipeline {

enum class ExpertMode { kNormal, kLowLatency, kOneSided, kTwoSided };
enum class ExpertPhase { kDispatch, kCombine, kCombineLow, kPrepare };

struct ExpertShape {
  double gpus = 8, servers = 1;
  double tokens = 1;         // of each GPU
  double hidden = 7168;      // elements of a token
  double topk = 8;           // experts of a token
  double experts = 256;      // over all GPUs
  double element_bytes = 2;  // that travel, scales of fp8 and fp4 included
  double sms = 0;            // kNormal only
};

// GPUs that a token goes to, on average, if `places` hold the experts evenly.
double copies_of_token(double places, double experts, double topk);

// The all-to-all that a kernel amounts to.
struct ExpertKernel {
  Bytes bytes;  // that a GPU sends, its own part included
  Time once;
  BitRate port, network;  // of a GPU; 0: nothing goes there
};
// None: the kernel, or the GPU, is not known.
std::optional<ExpertKernel> expert_kernel(std::string_view npu, ExpertMode mode, ExpertPhase phase,
                                          const ExpertShape& shape);

}  // namespace helio::pipeline
