// SPDX-License-Identifier: Apache-2.0
// The protocols in which NCCL runs a collective, and which of them it takes.
//
//     LL       4 bytes of data, 4 of flag, in one store of 8: the receiver polls the flag, nobody waits for a fence
//     LL128    120 bytes of data, 8 of flag, in one line of 128 that NVLink keeps together
//     Simple   data alone, in large pieces, with a fence and a handshake for each
//
//     time of a collective of r rounds, m bytes to and from each rank in each, on ways of rate R
//         = launch + start + r (latency + m max(wire / R, 1 / rate)) + local_copy part max(wire / R, 1 / rate)
//
//     time ▲      LL ╱     ╱ LL128
//          │        ╱   ╱       _ - Simple     The lower envelope is `auto`: chosen once for a collective, as NCCL's tuner does.
//          │       ╱ ╱    _ - ‾                `wire` is counted, bytes on the wire per byte. The others are fitted: `start` is what
//          │      ╱ _ - ‾                      filling the channels takes once, `rate` how fast threads store and poll flags, however
//          │ - ‾╱                              fast the wire is, and `local_copy` what the part that stays (out of place), and the last
//          └──────────────────────▶ m          receive, which sends nothing on, take of a round.
//
// What is sent from each to each (all-to-all, transfers) goes by send and receive: no LL128, starts of its own, and in Simple a share of
// the rate. Between servers a proxy posts pieces to the NICs: Simple pays `proxy_start` once more.
//
// Z. Hu et al., "Demystifying NCCL", arXiv:2507.04786, 2025, for the protocols; `src/graph/tuning.cc` of NCCL has a base latency, one per
// step and a bandwidth for each, too. Invariant: a factor is at least 1.
#pragma once

#include <string>
#include <vector>

#include "base/catalogue.h"

namespace helio::fabric {

// A collective as the tuner sees it.
struct Errand {
  double rounds = 1;
  Bytes message;          // that a rank sends in a round, all that leaves it together
  Bytes part;             // of one rank: what stays there
  bool exchange = false;  // by send and receive
  bool between = false;   // servers
};

class Protocols {
 public:
  explicit Protocols(const Parameters& parameters);

  // What a message pays on top of its way: time before its first byte, bytes on the wire per byte.
  struct Cost {
    Time latency;
    double factor = 1;
  };
  struct Protocol {
    Time latency;
    double wire = 1;
    BitRate rate;                // 0: that of the wire
    Time start, exchange_start;  // of a collective; of one that sends and receives
    Time between_start;          // on top, between servers
    double exchange_share = 1;   // of the rate, of one that sends and receives
    bool exchanges = true;       // serves send and receive
    bool leaves_servers = true;

    Cost on(BitRate way, const Errand& errand) const;
    Time start_of(const Errand& errand) const {
      return (errand.exchange ? exchange_start : start) + (errand.between ? between_start : Time());
    }
  };
  // The quickest that is allowed. Requires: rate > 0, that of the narrowest link on the ways.
  const Protocol& quickest(const Errand& errand, BitRate rate) const;
  // What the collective takes once: launch, start and what stays where it is.
  Time once(const Errand& errand, BitRate rate) const;

  // What no message can go below, for bounds.
  Time least_latency() const;
  double least_factor() const;
  Time launch() const { return launch_; }

 private:
  double local_copy_ = 0;
  Time launch_;
  std::vector<Protocol> allowed_;
};

// `protocol`, `launch`, and start, latency, wire and rate of each protocol.
// `example` is a question without a size: "all-reduce fabric=cluster nodes=8 algorithm=ring".
std::vector<Parameter> protocol_parameters(const std::string& example);

}  // namespace helio::fabric
