// SPDX-License-Identifier: Apache-2.0
#include "placement/program.h"

namespace helio::placement {

std::string_view name_of(Activity activity) {
  switch (activity) {
    case Activity::kCompute: return "compute";
    case Activity::kTp: return "tp";
    case Activity::kPp: return "pp";
    case Activity::kDp: return "dp";
    case Activity::kEp: return "ep";
    case Activity::kLoad: return "load";
    case Activity::kStreaming: return "streaming";
    case Activity::kCp: return "cp";
  }
  return "";
}

std::string_view name_of(Verb verb) {
  switch (verb) {
    case Verb::kLayer: return "layer";
    case Verb::kHost: return "issuing kernels";
    case Verb::kExchange: return "exchange";
    case Verb::kForward: return "forward";
    case Verb::kBackward: return "backward";
    case Verb::kSendForward: return "send activations";
    case Verb::kSendBackward: return "send gradients back";
    case Verb::kReduceGradients: return "reduce gradients";
    case Verb::kGatherParameters: return "gather parameters";
    case Verb::kOptimiser: return "optimiser";
    case Verb::kLoadSamples: return "load samples";
    case Verb::kStreamIn: return "stream parameters in";
    case Verb::kStreamOut: return "stream gradients out";
  }
  return "";
}

}  // namespace helio::placement
