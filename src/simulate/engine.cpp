// SPDX-License-Identifier: Apache-2.0
// Events and what follows from them, and the life of an operation from its dependencies to its end.
#include "simulate/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/budget.h"
#include "base/error.h"
#include "simulate/fold.h"

namespace helio::simulate {

Engine::Engine(const flow::Program& program, const Options& options, bool folded)
    : program_(program),
      options_(options),
      folded_(folded),
      sharing_(program.resources),
      channels_(program.resources),
      facts_(program.templates.size()),
      leaper_(program.resources.size() + program.controls.size(), kNone),
      lone_(program.resources.size()),
      user_(program.resources.size(), kNone) {
  Budget::spend(8 * static_cast<std::int64_t>(program.resources.size()));
  if (options.fold) facts_[program.entry.value].folded = true;  // as far as it can be
}

Timeline Engine::run() {
  start_control();
  const std::uint32_t root = open_frame(program_.entry, 1, kNone, 0);
  start_round(root);
  follow_up();

  std::vector<Event> batch;
  std::uint64_t told = 0;
  while (!finished_ && !queue_.empty()) {
    // Everything that happens at the next time, and what follows from it at that time.
    now_ = queue_.take(batch);
    if (!crews_.empty() || frames_.size() > kManyFrames) expect_next();
    if (const auto held = held_back_.find(now_); held != held_back_.end()) {
      to_serve_.insert(to_serve_.end(), held->second.requests.begin(), held->second.requests.end());
      to_ask_.insert(to_ask_.end(), held->second.asks.begin(), held->second.asks.end());
      sharing_.put_pending(held->second.pending);
      alone_.insert(alone_.end(), held->second.alone.begin(), held->second.alone.end());
      held_back_.erase(held);
    }
    Budget::spend(static_cast<std::int64_t>(8 * batch.size()));
    for (const Event& event : batch) handle(event);
    timeline_.events += batch.size();
    follow_up();
    if (timeline_.links.size() > most_links_) drop_links();

    options_.check(timeline_.events, sharing_.work());
    if (options_.progress && timeline_.events - told > 100'000) {
      told = timeline_.events;
      options_.progress(now_, timeline_.events);
    }
  }
  if (!finished_) report_deadlock();

  // How busy every resource was.
  timeline_.busy_seconds = flow::traffic(program_);
  for (std::uint32_t i = 0; i < program_.resources.size(); ++i) {
    const flow::ResourceId id{i};
    double& busy = timeline_.busy_seconds[i];
    if (!program_.resources.is_channel(id))
      busy = busy * 8 / program_.resources.rate(id).value;
    else
      busy = channels_.used() ? channels_[id].held.to_seconds() : 0;
  }
  return std::move(timeline_);
}

// Events and their consequences.

void Engine::handle(const Event& event) {
  if (event.kind == Event::Kind::kControl) return arrive(event.frame);
  Frame& frame = frames_[event.frame];
  if (event.kind == Event::Kind::kOperation) {
    const Holder h{event.frame, event.operation};
    State& s = frame.states[event.operation];
    if (s.version != event.version) return;
    switch (s.stage) {
      case Stage::kOverhead: s.passed_overhead = true; return request(h);
      case Stage::kRequesting: return request(h);
      case Stage::kSetup: s.setup += now_ - s.since; return launch(h);
      case Stage::kLatency: return flow_bytes(h);
      case Stage::kRunning: return s.flow == kNone || ends_now(event) ? finish(h) : void();
      default: assert(false && "no event is posted in this stage");
    }
    return;
  }
  if (event.kind == Event::Kind::kCaughtUp) return catch_up(event.frame);
  if (frame.version != event.version) return;
  if (event.kind == Event::Kind::kWave) {
    if (event.operation == kTogether) {
      count_wave(frame.states.size());
      return request_together(event.frame);
    }
    const Wave& wave = facts_[frame.body.value].waves[event.operation];
    count_wave(wave.last - wave.first);
    return set_out(event.frame, event.operation);
  }
  if (event.kind == Event::Kind::kAlone) return end_alone(event.frame, event.operation);
  if (event.kind == Event::Kind::kLeapEnd)
    end_leap(event.frame);
  else if (frame.in_periods)
    resume_cycle(event.frame);
  else
    start_round(event.frame);
}

// What follows from the events of a time: controllers are asked and channels handed out when everyone who asks at this time is known, and links
// are shared anew when nothing more happens at it.
void Engine::follow_up() {
  for (;;) {
    settle();
    if (!queue_.empty() && queue_.next_time() == now_) return;
    if (!queue_.empty() && queue_.next_time() < now_) {
      held_back_[now_] = {std::exchange(to_serve_, {}), std::exchange(to_ask_, {}), sharing_.take_pending(),
                          std::exchange(alone_, {})};
      to_compare_.clear();
      return;
    }
    if (!to_ask_.empty()) {
      ask_controllers();
      continue;
    }
    if (to_serve_.empty()) break;
    serve_requests();
  }
  if (!alone_.empty()) end_alone_later();
  if (sharing_.dirty())
    for (const Sharing::Change& change : sharing_.solve(now_))
      post({change.owner, change.owner_part}, change.done, change.due);
  if (!to_compare_.empty()) compare_cycles();
}

// Follows consequences at the present time until only requests for channels are left.
void Engine::settle() {
  std::vector<Holder>& batch = batch_;
  for (;;) {
    if (!to_begin_.empty()) {
      batch.swap(to_begin_);
      for (Holder h : batch) begin(h);
      batch.clear();
    } else if (!to_admit_.empty()) {
      batch.swap(to_admit_);
      for (Holder h : batch)
        if (state(h).stage == Stage::kRequesting) admit(h);  // not suspended meanwhile
      batch.clear();
    } else if (!to_end_.empty()) {
      const std::uint32_t frame = to_end_.back();
      to_end_.pop_back();
      end_round(frame);
    } else {
      return;
    }
  }
}

// The stage ends at a time that is known. `due`: unless something happens before, which is not what others wait for.
void Engine::post(Holder h, Time time, bool due) {
  State& s = state(h);
  if (s.flow != kNone) return post_end(h, time, due);
  ++s.version;
  if (Frame& frame = frames_[h.frame]; !frame.clocks.empty()) frame.clocks[h.operation].until = time;
  if (due && time != Time::max()) queue_.post(time, {Event::Kind::kOperation, h.frame, h.operation, s.version});
}

// The same of a flow. An event that comes too early is posted again, at the place that it would have had.
void Engine::post_end(Holder h, Time time, bool due) {
  State& s = state(h);
  if (s.flow >= ends_.size()) ends_.resize(s.flow + 1);
  End& end = ends_[s.flow];
  end.time = due ? time : Time::max();
  if (end.posted < end.time) {
    end.place = queue_.take_place();
    return;
  }
  ++s.version;
  end.posted = end.time;
  if (end.time != Time::max()) queue_.post(time, {Event::Kind::kOperation, h.frame, h.operation, s.version});
}

bool Engine::ends_now(const Event& event) {
  End& end = ends_[frames_[event.frame].states[event.operation].flow];
  end.posted = end.time;
  if (end.time > now_ && end.time != Time::max()) queue_.post(end.time, event, end.place);
  return end.time <= now_;
}

// The life of an operation.

void Engine::begin(Holder h) {
  if (h.operation == kTogether) return begin_together(h.frame);
  State& s = state(h);
  const flow::Operation& op = operation(h);
  s.ready = s.since = now_;
  s.bytes = op.bytes;
  s.left = op.kind == flow::OperationKind::kTransfer ? Time() : op.duration;
  s.waited = s.setup = s.decided = Time();
  s.passed_overhead = false;
  if (!op.controlled) return admit(h);
  s.stage = Stage::kAsking;
  s.asked = now_;
  to_ask_.push_back(waiter(h));
}

void Engine::admit(Holder h) {
  State& s = state(h);
  const flow::Operation& op = operation(h);
  const Time alone = s.holds != kNone ? waited_for_decision(h) : Time();
  s.decided += alone;
  s.waited += now_ - s.since - alone;
  s.since = now_;
  if (op.kind == flow::OperationKind::kTransfer && op.duration > Time()) {
    s.stage = Stage::kOverhead;
    return post(h, now_ + op.duration);
  }
  s.passed_overhead = true;
  request(h);
}

void Engine::request(Holder h) {
  State& s = state(h);
  s.stage = Stage::kRequesting;
  s.since = s.asked = now_;
  if (break_leaps_on_way(h)) return post(h, now_);
  if (channels_of(h).empty()) return launch(h);
  to_serve_.push_back(waiter(h));
}

// Channels are held and set up: off it goes.
void Engine::launch(Holder h) {
  State& s = state(h);
  const flow::Operation& op = operation(h);
  s.since = now_;
  switch (op.kind) {
    case flow::OperationKind::kDelay:
    case flow::OperationKind::kCompute: s.stage = Stage::kRunning; return post(h, now_ + s.left);
    case flow::OperationKind::kCall: {
      s.stage = Stage::kRunning;
      const std::uint32_t frame = open_frame(op.callee, op.rounds, h.frame, h.operation);
      state(h).callee = frame;
      return start_round(frame);
    }
    case flow::OperationKind::kTransfer: {
      const flow::RouteId way = route(h);
      const Time latency = way.valid() ? program_.routes.latency(way) : Time();
      if (latency.is_zero()) return flow_bytes(h);
      s.stage = Stage::kLatency;
      return post(h, now_ + latency);
    }
  }
}

void Engine::flow_bytes(Holder h) {
  State& s = state(h);
  const flow::Operation& op = operation(h);
  const flow::RouteId way = route(h);
  const auto links = way.valid() ? program_.routes.links(way) : std::span<const flow::LinkUse>{};
  s.stage = Stage::kLatency;
  if (break_leaps_on_way(h)) return post(h, now_);
  s.stage = Stage::kRunning;
  s.since = now_;
  const double cap = channels_.rate(channels_of(h));
  if (s.bytes <= 0 || (links.empty() && cap == 0)) return post(h, now_);
  if (links.empty()) return post(h, now_ + Time::seconds(s.bytes / cap));
  flow_over(links, h, cap > 0 ? cap : Sharing::kNoCap, {op.priority, op.share});
}

void Engine::flow_over(std::span<const flow::LinkUse> links, Holder h, double cap, Sharing::Claim claim) {
  State& s = state(h);
  const std::uint32_t lineage = frames_[h.frame].lineage;
  for (const flow::LinkUse& use : links) {
    std::uint32_t& user = user_[use.link.value];
    if (sharing_.lent(use.link.value)) join(lone_[use.link.value]);
    if (sharing_.flows_on(use.link.value) == 0)
      user = lineage;
    else if (user != lineage)
      user = meet(lineage, user);
  }
  s.flow = sharing_.add(links, s.bytes, cap, claim, h.frame, h.operation, now_);
  if (s.flow < ends_.size()) ends_[s.flow] = {};
}

Split Engine::own_split(Holder h) {
  const State& s = state(h);
  const flow::Operation& op = operation(h);
  Split split;
  split.waiting = s.waited;
  split.setup = s.setup;
  split.control = s.decided;
  const Time rest = now_ - s.ready - s.waited - s.setup - s.decided;
  switch (op.kind) {
    case flow::OperationKind::kTransfer: {
      const flow::RouteId way = route(h);
      split.overhead = op.duration;
      split.latency = way.valid() ? program_.routes.latency(way) : Time();
      split.transmission = rest - split.overhead - split.latency;
      break;
    }
    case flow::OperationKind::kCall: split += frames_[s.callee].total.split; break;
    default: split.compute = rest;
  }
  return split;
}

void Engine::finish(Holder h) {
  Frame& frame = frames_[h.frame];
  State& s = frame.states[h.operation];
  if (facts_[frame.body.value].in_waves) return finish_together(h);
  const flow::Operation& op = operation(h);
  const bool tracks = !frame.paths.empty();
  const std::uint64_t steps = op.kind == flow::OperationKind::kCall ? frames_[s.callee].total.steps : (op.step ? 1 : 0);

  // The path that ended here; the round remembers the one that ended last.
  if (tracks) {
    Path& path = frame.paths[h.operation];
    path.split += own_split(h);
    path.steps += steps;
    if (program_.templates[frame.body.value].visible)
      path.link =
          add_link({path.link, op.kind == flow::OperationKind::kCall ? frames_[s.callee].total.link : Link::kNone,
                    frame.body, h.operation, 1, s.ready, now_});
    if (now_ > frame.last_finish || path.steps > frame.best.steps) frame.best = path;
  } else if (now_ > frame.last_finish || steps > frame.best.steps) {
    frame.best = {own_split(h), steps, Link::kNone};
  }
  frame.last_finish = now_;

  // Give back what it held.
  if (s.flow != kNone) {
    sharing_.remove(s.flow);
    s.flow = kNone;
  }
  if (!channels_of(h).empty()) let_go(h);
  s.stage = Stage::kDone;
  s.since = now_;
  if (tracks) frame.clocks[h.operation].finished = now_;
  ++s.version;
  if (shown(h)) record(h, 1, Time());
  if (op.controlled) {
    flow::Event event;
    event.kind = flow::Event::Kind::kDone;
    event.ticket = s.ticket;
    event.claim = op.claim;
    close_ticket(s.ticket);
    deliver({op.controller, op.agent}, event);
  }

  // Who waited for this, then the next instance, then the end of the round.
  ++s.instance;
  const bool last = s.instance == op.repeat;
  if (last && --frame.unfinished == 0) {
    to_end_.push_back(h.frame);
    return;
  }
  if (!tracks) return;
  count_down_successors(h);
  if (frame.cycle) watch_cycle(h);
  if (last) return;
  const Facts& facts = facts_[frame.body.value];
  s.stage = Stage::kWaiting;
  s.ready = now_;
  s.unmet = 0;
  if (!facts.in.empty())
    for (std::uint32_t i = facts.in_begin[h.operation]; i < facts.in_begin[h.operation + 1]; ++i) {
      const flow::Edge& edge = program_.templates[frame.body.value].edges[facts.in[i]];
      if (s.instance < edge.first || s.instance >= edge.last) continue;
      const std::int64_t needed = static_cast<std::int64_t>(s.instance) + edge.offset;
      const State& from = frame.states[edge.from];
      if (from.instance <= needed)
        ++s.unmet;
      else if (from.instance == needed + 1 && frame.clocks[edge.from].finished == now_)
        continue_path(frame, edge.from, h.operation);
    }
  if (s.unmet == 0) to_begin_.push_back(h);
}

// `from`, which ended now, lets `to` go on: the last to end decides the path; of several at one time, the one with most steps.
void Engine::continue_path(Frame& frame, std::uint32_t from, std::uint32_t to) {
  const bool tie = frame.states[to].ready == now_;
  Cycle* cycle = frame.cycle && !frame.cycle->origin.empty() ? frame.cycle.get() : nullptr;
  if (tie && cycle && cycle->origin[from] != cycle->origin[to]) cycle->tied = true;
  if (tie && frame.paths[from].steps <= frame.paths[to].steps) return;
  frame.paths[to] = frame.paths[from];
  if (cycle) cycle->origin[to] = cycle->origin[from];
}

void Engine::count_down_successors(Holder h) {
  Frame& frame = frames_[h.frame];
  const Facts& facts = facts_[frame.body.value];
  if (facts.out.empty()) return;
  const std::uint32_t ended = frame.states[h.operation].instance - 1;
  for (std::uint32_t i = facts.out_begin[h.operation]; i < facts.out_begin[h.operation + 1]; ++i) {
    const flow::Edge& edge = program_.templates[frame.body.value].edges[facts.out[i]];
    State& waiting = frame.states[edge.to];
    const std::int64_t instance = static_cast<std::int64_t>(ended) - edge.offset;
    if (waiting.stage != Stage::kWaiting || instance != waiting.instance || instance < edge.first ||
        instance >= edge.last)
      continue;
    continue_path(frame, h.operation, edge.to);
    waiting.ready = now_;
    if (--waiting.unmet == 0) to_begin_.push_back({h.frame, edge.to});
  }
}

void Engine::record(Holder h, std::uint64_t rounds, Time period) {
  const Frame& frame = frames_[h.frame];
  const State& s = frame.states[h.operation];
  record(frame, h.operation, s.ready + period, s.since + period, rounds, period);
}

void Engine::record(const Frame& frame, std::uint32_t operation, Time start, Time end, std::uint64_t rounds,
                    Time period) {
  if (frame.depth > options_.span_depth) return;
  if (timeline_.spans.size() >= options_.span_limit) {
    timeline_.spans_cut = true;
    return;
  }
  timeline_.spans.push_back({frame.body, operation, frame.depth, start, end, rounds, period});
}

bool Engine::shown(Holder h) const {
  return options_.record || operation(h).kind == flow::OperationKind::kCall ||
         program_.templates[frames_[h.frame].body.value].visible;
}

void Engine::report_deadlock() {
  std::string stuck;
  int shown = 0;
  for (std::uint32_t f = 0; f < frames_.size() && shown < 3; ++f)
    for (std::uint32_t i = 0; i < frames_[f].states.size() && shown < 3; ++i) {
      const Stage stage = frames_[f].states[i].stage;
      const char* why = stage == Stage::kInLine      ? "waits for a channel that nobody releases"
                        : stage == Stage::kAsking    ? "waits for the controller"
                        : stage == Stage::kSuspended ? "is suspended and nobody resumes it"
                        : stage == Stage::kRunning && frames_[f].states[i].flow != kNone
                            ? (sharing_.rate(frames_[f].states[i].flow) > 0 ? "would take longer than 30 million years"
                                                                            : "gets no share of its links")
                            : nullptr;
      if (why == nullptr) continue;
      stuck += fmt::format("{}operation {} of '{}' {}", shown++ > 0 ? "; " : "", i,
                           program_.templates[frames_[f].body.value].name, why);
    }
  if (stuck.empty()) stuck = "operations wait for each other in a circle";
  throw Error(ErrorKind::kInfeasible, fmt::format("the program stops before its end: {}", stuck));
}

void Options::check(std::uint64_t events, std::uint64_t work) const {
  if (event_limit != 0 && events > event_limit)
    throw WorkLimitError(fmt::format("the simulation passed its limit of {} events", event_limit));
  if (work_limit != 0 && work > work_limit)
    throw WorkLimitError(fmt::format("sharing its links takes more than {:.3g} steps of work", 1.0 * work_limit));
}

Split& Split::operator+=(const Split& other) {
  overhead += other.overhead;
  setup += other.setup;
  latency += other.latency;
  transmission += other.transmission;
  compute += other.compute;
  waiting += other.waiting;
  control += other.control;
  return *this;
}

Split Split::scaled(std::int64_t times) const {
  return {overhead * times, setup * times,   latency * times, transmission * times,
          compute * times,  waiting * times, control * times};
}

namespace {

Timeline run(const flow::Program& program, const Options& options) {
  Engine engine(program, options);
  try {
    return engine.run();
  } catch (BudgetSpent& spent) {
    const Time now = engine.now();
    if (options.expected > Time()) spent.share = now.to_seconds() / options.expected.to_seconds();
    spent.known = fmt::format(
        "the simulation had come to {:.3g} s{}", now.to_seconds(),
        spent.share > 0 && spent.share < 1 ? fmt::format(" of at least {:.3g} s", options.expected.to_seconds()) : "");
    throw;
  }
}

// Calls `spare` when the whole program is not needed any more.
template <class Spare>
Timeline run_folded(const flow::Program& program, const Options& options, Spare spare) {
  const std::optional<Folded> folded =
      options.fold ? fold(program, program.entry, options.span_limit > 0) : std::nullopt;
  if (!folded) return run(program, options);
  std::vector<double> traffic = flow::traffic(program);
  spare();
  Timeline timeline = run(folded->program, options);
  folded->unfold(std::move(traffic), timeline);
  return timeline;
}

}  // namespace

Timeline simulate(const flow::Program& program, const Options& options) {
  return run_folded(program, options, [] {});
}

Timeline simulate(flow::Program&& program, const Options& options) {
  return run_folded(program, options, [&] { program.templates = {}, program.routes = {}; });
}

}  // namespace helio::simulate
