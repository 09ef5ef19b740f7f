// SPDX-License-Identifier: Apache-2.0
// The switch of the testbed, a process: carries frames along lit circuits only, delays and loses letters of control, and hosts ODDL's arbiters.
//
//     node 0 ═══ port ┐                 ┌ LitSwitch (lit_switch.h): may it pass, and when?
//     node 1 ═══ port ┼── SwitchDaemon ─┤ Agents (agents.h): arbiters, the simulator's own
//     node 2 ═══ port ┘                 └ post: letters under way, each to be lost or handed over at its time
//
// It holds one frame of each node at most and reads the next when that one has passed, so that a node in the dark is held back by its own
// socket. It sleeps until the next frame, letter or timer is due. Due times are counted from when a node or an agent acted, not from when the
// switch was woken: on a busy machine it is late by moments, and never by their sum.
//
// A node that is gone, a frame that light does not carry, or a step in which nothing moves ends the testbed with a message.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "testbed/agents.h"
#include "testbed/lit_switch.h"
#include "testbed/shared.h"
#include "testbed/wire.h"

namespace helio::testbed {

// Between whoever started the testbed and its switch, one packet each.
struct Word {
  enum class Kind : std::uint32_t {
    kReady,   // from the switch: all nodes are there; text: how they are kept apart
    kStep,    // to the switch: exchange
    kDone,    // from the switch: all nodes have their sums
    kFailed,  // from the switch: text says why; it ends
  };
  Kind kind = Kind::kReady;
  std::uint64_t step = 0;
  char text[512] = {};
};
// False: nobody is there any more.
bool hear(int fd, Word& word);
bool say(int fd, Word::Kind kind, std::uint64_t step, const std::string& text = {});

class SwitchDaemon {
 public:
  SwitchDaemon(const Plan& plan, Shared& shared, const Clock& clock, std::vector<Wires> ports, std::vector<pid_t> nodes,
               int starter, bool ideal);

  // Until whoever started it is gone, or something fails, which is told then.
  void run();

 private:
  struct Port {
    Wires wires;
    FrameReader in;
    FrameWriter out;
    std::optional<Time> due;  // of the frame that was read and waits
  };
  struct Failure {
    std::string words;
  };

  void wait();
  void hear_starter();
  void advance(std::uint32_t node);
  void take(std::uint32_t node, const Frame& frame);
  void forward(std::uint32_t node);
  void read_letters(std::uint32_t node);
  void post(const Letter& letter);
  void deliver_letters();
  std::string fate_of(std::uint32_t node) const;
  Time now() const { return clock_.now(); }

  const Plan& plan_;
  Shared& shared_;
  const Clock& clock_;
  std::vector<Port> ports_;
  const std::vector<pid_t> nodes_;
  const int starter_;
  LitSwitch light_;
  Random random_;
  Agents arbiters_;
  std::multimap<Time, Letter> post_;
  std::uint64_t step_ = 0;
  std::uint32_t unfinished_ = 0;  // nodes, of the step that runs
  Time moved_;                    // something did last
  bool stopped_ = false;
};

}  // namespace helio::testbed
