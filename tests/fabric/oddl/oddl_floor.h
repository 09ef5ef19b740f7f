// SPDX-License-Identifier: Apache-2.0
// A floor of ODDL nodes for the tests of its control: channels as the path rule has them, flows that arrive by the clock, and a
// log of what the controller really started and when.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fabric/oddl/oddl_control.h"
#include "simulate/simulate.h"

namespace helio::fabric {

// The controller with a log: every stretch of time during which a transmitter was told to light a receiver.
class LoggedOddl : public OddlController {
 public:
  struct Stretch {
    flow::Ticket ticket = 0;
    flow::Agent source = 0;
    std::uint32_t transmitter = 0;  // of all sources' ones
    std::uint32_t receiver = 0;
    Time ready, start, end;
  };
  using OddlController::OddlController;

  void react(flow::Agent agent, flow::AgentState& state, const flow::Event& event,
             std::vector<flow::Action>& actions) const override {
    if (event.kind == flow::Event::Kind::kReady)
      open_[event.ticket] = {event.ticket, agent,  0,     OddlClaim::unpack(event.claim).receiver,
                             event.now,    Time(), Time()};
    if (event.kind == flow::Event::Kind::kDone) close(event.ticket, event.now);
    OddlController::react(agent, state, event, actions);
    for (const flow::Action& action : actions) {
      if (action.kind == flow::Action::Kind::kStart || action.kind == flow::Action::Kind::kResume)
        open_[action.ticket].start = event.now;
      if (action.kind == flow::Action::Kind::kStart)
        open_[action.ticket].transmitter = agent * options().transmitters + action.alternative;
      if (action.kind == flow::Action::Kind::kSuspend) close(action.ticket, event.now);
    }
  }
  const std::vector<Stretch>& log() const { return log_; }

  // Two stretches at one receiver, or of one transmitter, that overlap: "" when there are none.
  std::string collision() const {
    std::string found;
    for (const bool at_receiver : {true, false}) {
      std::map<std::uint32_t, std::map<Time, Time>> busy;
      for (const Stretch& s : log_) {
        auto& [begin, end] = *busy[at_receiver ? s.receiver : s.transmitter].emplace(s.start, s.end).first;
        if (end < s.end) end = s.end;
      }
      for (const auto& [place, stretches] : busy) {
        Time until;
        for (const auto& [begin, end] : stretches) {
          if (begin < until) found += (at_receiver ? "receiver " : "transmitter ") + std::to_string(place) + "; ";
          until = std::max(until, end);
        }
      }
    }
    return found;
  }

 private:
  void close(flow::Ticket ticket, Time now) const {
    open_[ticket].end = now;
    log_.push_back(open_[ticket]);
  }
  mutable std::map<flow::Ticket, Stretch> open_;
  mutable std::vector<Stretch> log_;
};

// Every way holds three channels: the transmitter (one way for each of the source's), the receiver, and the destination's channel on the fibre of the source's
// group. All are dark for `dark` when their circuit changes; the bytes then flow at 100 Gb/s.
class OddlFloor {
 public:
  explicit OddlFloor(OddlControlOptions options) : OddlFloor(options, std::make_shared<LoggedOddl>(options)) {}
  // With a controller of these options that logs more.
  OddlFloor(OddlControlOptions options, std::shared_ptr<const LoggedOddl> controller)
      : options_(options), log(std::move(controller)) {
    const auto channels = [&](std::uint32_t count, const char* name) {
      return program_.resources.add_channels(count, options.rate.value > 0 ? options.rate : BitRate{100e9},
                                             {Time::nanoseconds(220), false},
                                             [name](std::uint32_t) { return std::string(name); });
    };
    const std::uint32_t n = options.nodes;
    const std::uint32_t transmitter = channels(n * options.transmitters, "transmitter").value;
    const std::uint32_t receiver = channels(n, "receiver").value;
    const std::uint32_t fibre = channels(options.groups * n, "fibre").value;
    for (std::uint32_t from = 0; from < n; ++from)
      for (std::uint32_t to = 0; to < n; ++to) {
        const std::uint32_t group = from / ((n + options.groups - 1) / options.groups);
        for (std::uint32_t t = 0; t < options.transmitters; ++t) {
          const flow::ResourceId way[] = {
              {transmitter + from * options.transmitters + t}, {receiver + to}, {fibre + group * n + to}};
          program_.routes.add({}, way, Time());
        }
      }
  }

  // Ready at `at`. Returns its number, which is its place among all flows.
  std::uint32_t flow(Time at, std::uint32_t from, std::uint32_t to, double bytes, std::uint8_t priority = 0,
                     bool keep = false, std::uint32_t coflow = 0) {
    flow::Operation arrival;
    arrival.duration = at;
    return add(arrival, from, to, bytes, priority, keep, coflow);
  }

  // Ready when `before` is done.
  std::uint32_t flow_after(std::uint32_t before, std::uint32_t from, std::uint32_t to, double bytes,
                           bool keep = false) {
    const std::uint32_t number = add({}, from, to, bytes, 0, keep, 0);
    body_.edges.push_back({2 * before + 1, 2 * number});
    return number;
  }

  simulate::Timeline run(flow::MessageChannel messages = {}) {
    program_.controls = {{log, messages}};
    program_.entry = program_.add(body_);
    flow::check(program_);
    simulate::Options options;
    options.record = true;
    timeline_ = simulate::simulate(program_, options);
    return timeline_;
  }

  // When a flow's last byte arrived, and when its first one left.
  Time end(std::uint32_t number) const {
    for (const simulate::Span& span : timeline_.spans)
      if (span.where == program_.entry && span.operation == 2 * number + 1) return span.end;
    return Time::max();
  }
  Time first_byte(std::uint32_t number) const { return end(number) - time_of(body_.operations[2 * number + 1].bytes); }
  static Time time_of(double bytes) { return Time::seconds(bytes / 12.5e9); }

  std::string collision() const { return log->collision(); }

 private:
  std::uint32_t add(const flow::Operation& arrival, std::uint32_t from, std::uint32_t to, double bytes,
                    std::uint8_t priority, bool keep, std::uint32_t coflow) {
    flow::Operation op;
    op.kind = flow::OperationKind::kTransfer;
    op.controlled = true;
    op.agent = from;
    op.claim = OddlClaim{to, keep, coflow}.pack();
    op.route = flow::RouteId{(from * options_.nodes + to) * options_.transmitters};
    op.alternatives = static_cast<std::uint16_t>(options_.transmitters);
    op.bytes = bytes;
    op.priority = priority;
    const auto first = static_cast<std::uint32_t>(body_.operations.size());
    body_.operations.push_back(arrival);
    body_.operations.push_back(op);
    body_.edges.push_back({first, first + 1});
    return first / 2;
  }

  OddlControlOptions options_;
  flow::Program program_;
  flow::Template body_;
  simulate::Timeline timeline_;

 public:
  const std::shared_ptr<const LoggedOddl> log;
};

}  // namespace helio::fabric
