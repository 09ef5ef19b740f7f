// SPDX-License-Identifier: Apache-2.0
// What goes over the wires between a node and the switch: frames over TCP, letters over UDP.
//
//     node ──TCP── switch   frames: a header, then `length` bytes. The switch reads a frame only when it has room for it, so that a node
//                           whose light is dark waits in its own send buffer: nothing is dropped, and nobody spins.
//     node ──UDP── switch   letters of ODDL's control, one datagram each
//
// Both ends are processes of one program on one machine: structs travel as they are.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "flow/controller.h"

namespace helio::testbed {

inline constexpr std::size_t kFrameBytes = 32768;  // at most, behind the header

struct Frame {
  enum class Kind : std::uint32_t {
    kTune,      // to the switch: the transmitter of this node goes to `light`
    kData,      // to the switch, and on to node `to`: bytes of a flow
    kPassed,    // to the node: the last byte of its flow has passed
    kGo,        // to the node: begin with `step`
    kFinished,  // to the switch: this node has all sums of `step`
    kStop,      // to the node: end
  };
  Kind kind = Kind::kGo;
  std::uint32_t flow = 0;    // of the plan
  std::uint32_t to = 0;      // kData: a node
  std::uint32_t light = 0;   // kTune
  std::uint32_t length = 0;  // kData
  bool last = false;         // kData: of its flow
  std::uint64_t step = 0;
  Time at;  // when it was ready to be sent
};

struct Letter {
  flow::Agent from = 0, to = 0;
  flow::Message message;
  Time sent, delay;
};

// Frames as they come in, one by one.
class FrameReader {
 public:
  enum class State { kNothing, kFrame, kClosed };
  // Reads until a frame is whole, or there is no more. After kFrame, `frame` and what stands behind it are there until the next call.
  State next(int fd);
  const char* behind() const { return bytes_.data() + sizeof frame; }

  Frame frame;

 private:
  bool fill(int fd, char* to, std::size_t size, State& state);
  std::vector<char> bytes_;  // room for a header, then what stands behind it
  std::size_t have_ = 0;     // of both
};

// Frames on their way out, as far as the socket takes them.
class FrameWriter {
 public:
  bool empty() const { return at_ == buffer_.size(); }
  std::size_t size() const { return buffer_.size() - at_; }
  void add(const Frame& frame, const char* payload = nullptr);
  // Where the bytes of a frame go that has `length` of them.
  char* add_room(const Frame& frame);
  // The same, straight from where it is as far as the socket takes it. False: the other end is gone.
  bool send_now(int fd, const Frame& frame, const char* payload);
  // False: the other end is gone.
  bool flush(int fd);

 private:
  std::vector<char> buffer_;
  std::size_t at_ = 0;
};

// The two ends of a node's wires, on the loopback device of the network namespace that the process is in: one TCP connection and one pair of
// UDP sockets, on ports that the system chooses. Throws std::system_error.
struct Wires {
  int data = -1, control = -1;
  void close();
};
struct WirePair {
  Wires node, port;
};
WirePair make_wires();

// Goes into a new network namespace of its own, whose loopback device is up. Empty, or why that is not permitted. The first call makes a user
// namespace too where that takes it. Requires: a process with one thread.
std::string enter_namespace();

// The clock of all processes of a testbed: seconds since it was made, never zero.
class Clock {
 public:
  Clock();
  Time now() const;

 private:
  Time start_;
};

}  // namespace helio::testbed
