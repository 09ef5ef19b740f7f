// SPDX-License-Identifier: Apache-2.0
// The protocols in which NCCL sends a message, and which of them it is sent in.
//
//     LL       4 bytes of data, 4 of flag, in one store of 8: the receiver polls the flag, nobody waits for a fence
//     LL128    120 bytes of data, 8 of flag, in one line of 128 that NVLink keeps together
//     Simple   data alone, in large pieces, with a fence and a handshake for each
//
//     time of a message of m bytes on a way of rate R = latency + m max(wire / R, 1 / rate)
//
//     time ▲      LL ╱     ╱ LL128
//          │        ╱   ╱       _ - Simple     The lower envelope is `auto`: the quickest for the size. `wire` is counted,
//          │       ╱ ╱    _ - ‾                bytes on the wire per byte. `latency` is fitted, and so is `rate`: flags are
//          │      ╱ _ - ‾                      stored and polled by threads that copy no faster, however fast the wire is.
//          │ - ‾╱
//          └──────────────────────▶ m
//
// Z. Hu et al., "Demystifying NCCL", arXiv:2507.04786, 2025, for the protocols; `src/graph/tuning.cc` of NCCL has the same
// three numbers for each. NCCL chooses once per collective, here each message is looked at alone. Invariant: a factor is at
// least 1.
#pragma once

#include <string>
#include <vector>

#include "base/catalogue.h"

namespace helio::fabric {

class Protocols {
 public:
  explicit Protocols(const Parameters& parameters);

  // What a message pays on top of its way: time before its first byte, bytes on the wire per byte.
  struct Cost {
    Time latency;
    double factor = 1;
  };
  // Of the quickest protocol that is allowed. Requires: rate > 0, that of the narrowest link on the way.
  Cost quickest(Bytes message, BitRate rate) const;

  // What no message can go below, for bounds.
  Time least_latency() const;
  double least_factor() const;

 private:
  struct Protocol {
    Time latency;
    double wire = 1;
    BitRate rate;  // 0: that of the wire
    Cost on(BitRate way) const;
  };
  std::vector<Protocol> allowed_;
};

// `protocol`, `launch` (what a collective pays once, whoever lowers it), and latency, wire and rate of each protocol.
// `example` is a question without a size: "all-reduce fabric=cluster nodes=8 algorithm=ring".
std::vector<Parameter> protocol_parameters(const std::string& example);

}  // namespace helio::fabric
