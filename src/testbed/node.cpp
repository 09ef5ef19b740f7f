// SPDX-License-Identifier: Apache-2.0
#include "testbed/node.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace helio::testbed {
namespace {

// Frames that a node hands to its socket ahead of what went out.
constexpr std::size_t kAhead = 4 * kFrameBytes;

// Bytes [from, from + size) of a flow that stand in `row`, piece by piece: visit(element, count, offset in bytes).
template <class Visit>
void over_runs(const Flow& flow, std::size_t from, std::size_t size, const Visit& visit) {
  std::size_t at = 0;
  for (const Flow::Run& run : flow.runs) {
    const std::size_t length = run.count * sizeof(float);
    const std::size_t begin = std::max(at, from), end = std::min(at + length, from + size);
    if (begin < end) visit(run.first + (begin - at) / sizeof(float), (end - begin) / sizeof(float), begin - from);
    at += length;
  }
}

}  // namespace

Node::Node(const Plan& plan, Shared& shared, const Clock& clock, NodeId id, Wires wires, bool ideal,
           std::optional<Death> death)
    : plan_(plan),
      shared_(shared),
      clock_(clock),
      id_(id),
      wires_(wires),
      ideal_(ideal),
      death_(death),
      agents_(
          *plan.controller, id.value, 1,
          [this](flow::Agent from, flow::Agent to, const flow::Message& message, Time delay) {
            const Letter letter{from, to, message, clock_.now(), delay};
            send(wires_.control, &letter, sizeof letter, MSG_NOSIGNAL);  // may be lost, as any
          },
          [this](flow::Ticket started) { start(started); }) {}

int Node::run() {
  agents_.begin(clock_.now());
  while (!stopped_) {
    agents_.fire(clock_.now());
    fill_writer();
    if (!writer_.flush(wires_.data)) return 1;
    const bool more = !writer_.empty() || !sending_.empty();
    pollfd ready[] = {{wires_.data, static_cast<short>(POLLIN | (more ? POLLOUT : 0)), 0}, {wires_.control, POLLIN, 0}};
    int wait = -1;
    if (const std::optional<Time> next = agents_.next())
      wait = static_cast<int>(std::clamp(std::ceil((*next - clock_.now()).to_seconds() * 1e3), 0.0, 1e6));
    poll(ready, 2, wait);
    read_letters();
    if (!read_frames()) return 1;
  }
  return 0;
}

bool Node::read_frames() {
  for (;;) switch (reader_.next(wires_.data)) {
      case FrameReader::State::kNothing: return true;
      case FrameReader::State::kClosed: return false;
      case FrameReader::State::kFrame: hear(reader_.frame, reader_.behind()); break;
    }
}

void Node::hear(const Frame& frame, const char* bytes) {
  switch (frame.kind) {
    case Frame::Kind::kStop: stopped_ = true; return;
    case Frame::Kind::kGo:
      step_ = frame.step;
      round_ = next_flow_ = 0;
      running_ = true;
      begin_round();
      return end_rounds();
    case Frame::Kind::kPassed:
      --to_send_;
      if (!ideal_) tell_agent(flow::Event::Kind::kDone, frame.flow);
      return end_rounds();
    case Frame::Kind::kData: {
      std::vector<char>& buffer = arriving_[{frame.step, frame.flow}];
      if (buffer.empty()) buffer.reserve(plan_.flows[frame.flow].bytes);
      buffer.insert(buffer.end(), bytes, bytes + frame.length);
      if (!frame.last) return;
      shared_.flow(frame.step, frame.flow).ended = clock_.now();
      return end_rounds();
    }
    default: return;
  }
}

void Node::read_letters() {
  Letter letter;
  while (recv(wires_.control, &letter, sizeof letter, 0) == sizeof letter) {
    flow::Event event;
    event.kind = flow::Event::Kind::kMessage;
    event.from = letter.from;
    event.message = letter.message;
    agents_.hear(id_.value, event, clock_.now());
  }
}

void Node::tell_agent(flow::Event::Kind kind, std::uint32_t number) {
  flow::Event event;
  event.kind = kind;
  event.ticket = ticket(number);
  event.claim = plan_.flows[number].claim;
  event.bytes = static_cast<double>(plan_.flows[number].bytes);
  agents_.hear(id_.value, event, clock_.now());
}

// Its flows of the round are ready, all at once.
void Node::begin_round() {
  first_flow_ = next_flow_;
  while (next_flow_ < plan_.flows.size() && plan_.flows[next_flow_].round == round_) ++next_flow_;
  std::vector<std::uint32_t> mine;
  for (std::uint32_t i = first_flow_; i < next_flow_; ++i)
    if (plan_.flows[i].source == id_) mine.push_back(i);
  to_send_ = static_cast<std::uint32_t>(mine.size());
  // Where nobody decides, all go from one destination to the next in step, and do not meet
  const auto distance = [&](std::uint32_t i) {
    return (plan_.flows[i].destination.value + plan_.nodes() - id_.value) % plan_.nodes();
  };
  if (ideal_) std::ranges::stable_sort(mine, {}, distance);
  for (const std::uint32_t i : mine) {
    shared_.flow(step_, i).ready = clock_.now();
    if (ideal_)
      start(ticket(i));
    else
      tell_agent(flow::Event::Kind::kReady, i);
  }
}

// As many rounds as have nothing left to wait for.
void Node::end_rounds() {
  while (running_ && to_send_ == 0) {
    for (std::uint32_t i = first_flow_; i < next_flow_; ++i) {
      if (plan_.flows[i].destination != id_) continue;
      const auto found = arriving_.find({step_, i});
      if (found == arriving_.end() || found->second.size() < plan_.flows[i].bytes) return;
    }
    add_up();
    if (++round_ < plan_.rounds) {
      begin_round();
      continue;
    }
    running_ = false;
    Frame frame;
    frame.kind = Frame::Kind::kFinished;
    frame.step = step_;
    frame.at = clock_.now();
    writer_.add(frame);
  }
}

void Node::add_up() {
  const std::span<float> row = shared_.row(id_.value);
  for (std::uint32_t i = first_flow_; i < next_flow_; ++i) {
    const Flow& flow = plan_.flows[i];
    if (flow.destination != id_) continue;
    const std::vector<char>& arrived = arriving_[{step_, i}];
    over_runs(flow, 0, flow.bytes, [&](std::size_t element, std::size_t count, std::size_t offset) {
      const auto* from = reinterpret_cast<const float*>(arrived.data() + offset);
      if (flow.adds)
        for (std::size_t e = 0; e < count; ++e) row[element + e] += from[e];
      else
        std::memcpy(&row[element], from, count * sizeof(float));
    });
    arriving_.erase({step_, i});
  }
}

void Node::start(flow::Ticket started) {
  const auto number = static_cast<std::uint32_t>((started - 1) % plan_.flows.size());
  shared_.flow(step_, number).started = clock_.now();
  if (!ideal_) {
    Frame frame;
    frame.kind = Frame::Kind::kTune;
    frame.flow = number;
    frame.light = plan_.flows[number].light;
    frame.step = step_;
    frame.at = clock_.now();
    writer_.add(frame);
  }
  sending_.push_back({number, 0});
}

// Flow after flow.
void Node::fill_writer() {
  while (!sending_.empty() && writer_.size() < kAhead) {
    send_some(sending_.front());
    if (sending_.front().sent == plan_.flows[sending_.front().flow].bytes) sending_.pop_front();
  }
}

void Node::send_some(Sending& sending) {
  const Flow& flow = plan_.flows[sending.flow];
  Frame frame;
  frame.kind = Frame::Kind::kData;
  frame.flow = sending.flow;
  frame.to = flow.destination.value;
  frame.length = static_cast<std::uint32_t>(std::min(kFrameBytes, flow.bytes - sending.sent));
  frame.last = sending.sent + frame.length == flow.bytes;
  frame.step = step_;
  frame.at = clock_.now();
  char* room = writer_.add_room(frame);
  const std::span<const float> row = shared_.row(id_.value);
  over_runs(flow, sending.sent, frame.length, [&](std::size_t element, std::size_t count, std::size_t offset) {
    std::memcpy(room + offset, &row[element], count * sizeof(float));
  });
  sending.sent += frame.length;
  if (death_ && death_->node == id_.value && death_->step == step_ && 2 * sending.sent >= flow.bytes)
    kill(getpid(), SIGKILL);
}

}  // namespace helio::testbed
