// SPDX-License-Identifier: Apache-2.0
#include "testbed/switch_daemon.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/units.h"

namespace helio::testbed {
namespace {

constexpr std::size_t kMostWaiting = 1 << 20;  // bytes for one node that its socket does not take yet
constexpr double kPatience = 30;               // seconds without any frame beyond the time that light is dark

}  // namespace

bool say(int fd, Word::Kind kind, std::uint64_t step, const std::string& text) {
  Word word{kind, step, {}};
  std::memcpy(word.text, text.data(), std::min(text.size(), sizeof word.text - 1));
  return send(fd, &word, sizeof word, MSG_NOSIGNAL) == sizeof word;
}

bool hear(int fd, Word& word) {
  ssize_t got;
  do got = recv(fd, &word, sizeof word, 0);
  while (got < 0 && errno == EINTR);
  return got == sizeof word;
}

SwitchDaemon::SwitchDaemon(const Plan& plan, Shared& shared, const Clock& clock, std::vector<Wires> ports,
                           std::vector<pid_t> nodes, int starter, bool ideal)
    : plan_(plan),
      shared_(shared),
      clock_(clock),
      nodes_(std::move(nodes)),
      starter_(starter),
      light_(plan, ideal),
      random_(plan.options.messages.seed),
      arbiters_(
          *plan.controller, plan.nodes(), plan.controller->agents() - plan.nodes(),
          [this](flow::Agent from, flow::Agent to, const flow::Message& message, Time delay) {
            post({from, to, message, now(), delay});
          },
          [](flow::Ticket) {}) {
  for (const Wires& wires : ports) ports_.push_back({wires, {}, {}, {}});
}

void SwitchDaemon::run() {
  try {
    moved_ = now();
    arbiters_.begin(now());
    while (!stopped_) {
      arbiters_.fire(now());
      deliver_letters();
      for (std::uint32_t node = 0; node < ports_.size(); ++node) advance(node);
      for (std::uint32_t node = 0; node < ports_.size(); ++node)
        if (!ports_[node].out.flush(ports_[node].wires.data)) throw Failure{fate_of(node)};
      wait();
    }
  } catch (const Failure& failure) {
    say(starter_, Word::Kind::kFailed, step_, failure.words);
  }
  for (Port& port : ports_) {
    Frame stop;
    stop.kind = Frame::Kind::kStop;
    port.out.add(stop);
    port.out.flush(port.wires.data);
    port.wires.close();
  }
}

// Sleeps until something is due or comes in.
void SwitchDaemon::wait() {
  const double patience = kPatience + 10 * plan_.options.setup().to_seconds();
  if (unfinished_ > 0 && (now() - moved_).to_seconds() > patience)
    throw Failure{fmt::format("nothing has moved for {:.0f} s in step {}", patience, step_)};
  Time next = now() + Time::seconds(1);
  if (const std::optional<Time> timer = arbiters_.next()) next = std::min(next, *timer);
  if (!post_.empty()) next = std::min(next, post_.begin()->first);
  std::vector<pollfd> ready = {{starter_, POLLIN, 0}};
  for (const Port& port : ports_) {
    // A frame that waits for its time hears no others; one for a node that is slow waits for that
    if (port.due && ports_[port.in.frame.to].out.size() < kMostWaiting) next = std::min(next, *port.due);
    const int events = POLLRDHUP | (port.due ? 0 : POLLIN) | (port.out.empty() ? 0 : POLLOUT);
    ready.push_back({port.wires.data, static_cast<short>(events), 0});
    ready.push_back({port.wires.control, POLLIN, 0});
  }
  const Time::Count left = std::max<Time::Count>((next - now()).count() / 1'000'000'000'000, 0);  // nanoseconds
  const timespec timeout{static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
  if (ppoll(ready.data(), ready.size(), &timeout, nullptr) < 0 && errno != EINTR) throw Failure{std::strerror(errno)};
  if (ready[0].revents != 0) hear_starter();
  for (std::uint32_t node = 0; node < ports_.size(); ++node) {
    // Nodes hang up when they are gone, and not before
    if ((ready[1 + 2 * node].revents & (POLLERR | POLLHUP | POLLRDHUP)) != 0) throw Failure{fate_of(node)};
    if (ready[2 + 2 * node].revents != 0) read_letters(node);
  }
}

void SwitchDaemon::hear_starter() {
  Word word;
  if (!hear(starter_, word)) {
    stopped_ = true;
    return;
  }
  step_ = word.step;
  unfinished_ = plan_.nodes();
  moved_ = now();
  shared_.step(step_) = {now(), {}};
  for (Port& port : ports_) {
    Frame go;
    go.kind = Frame::Kind::kGo;
    go.step = step_;
    port.out.add(go);
  }
}

// Everything of one node that may pass by now.
void SwitchDaemon::advance(std::uint32_t node) {
  Port& port = ports_[node];
  for (;;) {
    if (!port.due) {
      const FrameReader::State state = port.in.next(port.wires.data);
      if (state == FrameReader::State::kClosed) throw Failure{fate_of(node)};
      if (state == FrameReader::State::kNothing) return;
      take(node, port.in.frame);
      continue;
    }
    if (*port.due > now() || ports_[port.in.frame.to].out.size() >= kMostWaiting) return;
    forward(node);
  }
}

void SwitchDaemon::take(std::uint32_t node, const Frame& frame) {
  switch (frame.kind) {
    case Frame::Kind::kTune: {
      const auto lit = light_.tune({node}, frame.light, frame.at);
      if (const auto* words = std::get_if<std::string>(&lit)) throw Failure{*words};
      const auto& circuit = std::get<LitSwitch::Lit>(lit);
      shared_.flow(frame.step, frame.flow).lit = circuit.from;
      shared_.lit(frame.step, frame.flow) = {frame.flow,   frame.light, circuit.changed, frame.step, frame.at,
                                             circuit.from, {}};
      shared_.counts().circuits += circuit.changed;
      return;
    }
    case Frame::Kind::kData: {
      const auto due = light_.pass({node}, {frame.to}, frame.length, frame.at);
      if (const auto* words = std::get_if<std::string>(&due)) throw Failure{*words};
      ports_[node].due = std::get<Time>(due);
      return;
    }
    case Frame::Kind::kFinished:
      shared_.step(step_).finished = std::max(shared_.step(step_).finished, frame.at);
      if (--unfinished_ == 0 && !say(starter_, Word::Kind::kDone, step_)) stopped_ = true;
      return;
    default: throw Failure{fmt::format("node {} sends a frame of no kind", node)};
  }
}

// The frame that was read goes on to its node.
void SwitchDaemon::forward(std::uint32_t node) {
  Port& port = ports_[node];
  const Frame& frame = port.in.frame;
  if (!ports_[frame.to].out.send_now(ports_[frame.to].wires.data, frame, port.in.behind()))
    throw Failure{fate_of(frame.to)};
  ++shared_.counts().frames;
  shared_.counts().bytes += frame.length;
  moved_ = now();
  shared_.counts().late += moved_ - *port.due;
  if (frame.last) {
    light_.release({node}, *port.due);
    shared_.flow(frame.step, frame.flow).passed = *port.due;
    shared_.lit(frame.step, frame.flow).until = *port.due;
    Frame passed;
    passed.kind = Frame::Kind::kPassed;
    passed.flow = frame.flow;
    passed.step = frame.step;
    port.out.add(passed);
  }
  port.due.reset();
}

void SwitchDaemon::read_letters(std::uint32_t node) {
  Letter letter;
  while (recv(ports_[node].wires.control, &letter, sizeof letter, 0) == sizeof letter) post(letter);
}

// As the engine's channel of messages: lost with the probability of the fabric's `loss`, late by up to its `jitter`.
void SwitchDaemon::post(const Letter& letter) {
  const flow::MessageChannel& channel = plan_.options.messages;
  ++shared_.counts().messages;
  if (channel.loss > 0 && random_.uniform() < channel.loss) {
    ++shared_.counts().lost;
    return;
  }
  Time late;
  if (channel.jitter > Time()) late = Time::seconds(random_.uniform() * channel.jitter.to_seconds());
  post_.emplace(letter.sent + letter.delay + late, letter);
}

void SwitchDaemon::deliver_letters() {
  while (!post_.empty() && post_.begin()->first <= now()) {
    const Letter letter = post_.begin()->second;
    post_.erase(post_.begin());
    if (letter.to < plan_.nodes()) {
      send(ports_[letter.to].wires.control, &letter, sizeof letter, MSG_NOSIGNAL);
      continue;
    }
    flow::Event event;
    event.kind = flow::Event::Kind::kMessage;
    event.from = letter.from;
    event.message = letter.message;
    arbiters_.hear(letter.to, event, now());
  }
}

// How the process of a node ended, in words.
std::string SwitchDaemon::fate_of(std::uint32_t node) const {
  std::string words = "hung up";
  for (int i = 0, status = 0; i < 100; ++i, usleep(1000)) {
    if (waitpid(nodes_[node], &status, WNOHANG) != nodes_[node]) continue;
    words = WIFSIGNALED(status) ? fmt::format("was killed by signal {}", WTERMSIG(status))
                                : fmt::format("ended with {}", WEXITSTATUS(status));
    break;
  }
  return fmt::format("node {} {}{}; the other nodes were ended", node, words,
                     unfinished_ > 0 ? fmt::format(" in step {}", step_) : "");
}

}  // namespace helio::testbed
