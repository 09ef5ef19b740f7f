// SPDX-License-Identifier: Apache-2.0
// Leaps over rounds that repeat (the rule is told in engine.h).
#include <algorithm>
#include <cassert>

#include "simulate/engine.h"
#include "simulate/fold.h"
#include "simulate/last_end.h"

namespace helio::simulate {

// The resources that a template touches and the agents that it asks, by itself and by what it calls; each once.
void Engine::survey(flow::TemplateId id) {
  Facts& facts = facts_[id.value];
  if (facts.surveyed) return;
  facts.surveyed = true;
  const flow::Template& body = program_.templates[id.value];
  for (const flow::Operation& op : body.operations)
    if (op.kind == flow::OperationKind::kCall) survey(op.callee);
  survey_stamp_.resize(program_.resources.size(), 0);
  ++survey_epoch_;
  const auto add = [&](std::uint32_t resource, std::vector<std::uint32_t>& list) {
    if (survey_stamp_[resource] == survey_epoch_) return;
    survey_stamp_[resource] = survey_epoch_;
    list.push_back(resource);
  };
  for (const flow::Operation& op : body.operations) {
    if (op.route.valid())
      for (std::uint32_t r = op.route.value; r < op.route.value + op.alternatives; ++r) {
        for (const flow::LinkUse& use : program_.routes.links(flow::RouteId{r})) add(use.link.value, facts.links);
        for (flow::ResourceId channel : program_.routes.channels(flow::RouteId{r})) add(channel.value, facts.channels);
      }
    if (op.controlled) facts.agents.push_back({op.controller, op.agent});
    if (op.kind != flow::OperationKind::kCall) continue;
    const std::vector<Address>& others = facts_[op.callee.value].agents;
    facts.agents.insert(facts.agents.end(), others.begin(), others.end());
    for (std::uint32_t link : facts_[op.callee.value].links) add(link, facts.links);
    for (std::uint32_t channel : facts_[op.callee.value].channels) add(channel, facts.channels);
  }
  std::sort(facts.agents.begin(), facts.agents.end());
  facts.agents.erase(std::unique(facts.agents.begin(), facts.agents.end()), facts.agents.end());
  for (const Address& agent : facts.agents)
    if (const std::uint32_t crew = program_.resources.size() + agent.controller;
        facts.crews.empty() || facts.crews.back() != crew)
      facts.crews.push_back(crew);
}

// Remembers what the round finds.
void Engine::mark(Frame& frame) {
  survey(frame.body);
  const Facts& facts = facts_[frame.body.value];
  frame.marks.clear();
  for (std::uint32_t id : facts.channels) {
    const Channels::Channel& channel = channels_[flow::ResourceId{id}];
    frame.marks.push_back({channel.circuit, channel.held});
  }
  if (!facts.asks) return;
  const bool quiet = deliveries_.size() == free_deliveries_.size();
  frame.stirs = quiet ? stirs_ : ~std::uint64_t{0};
  if (quiet) read_minds(facts, frame.minds);
}

void Engine::read_minds(const Facts& facts, std::vector<std::uint64_t>& words) const {
  words.clear();
  for (const Address& at : facts.agents) crews_[at.controller].agents[at.agent]->encode(words);
}

bool Engine::may_leap(std::uint32_t index) {
  const Frame& frame = frames_[index];
  const Facts& facts = facts_[frame.body.value];
  if (!options_.jump || frame.disturbed || !facts.leaps) return false;
  if (facts.leaves_traces() && frame.rounds - frame.round < 2) return false;  // the last round is always simulated
  // Nobody is on its resources now or leaps over them (the mark of a caller that replays does not count), and its channels
  // are as the round found them.
  const auto foreign = [&](std::uint32_t resource) {
    return leaper_[resource] != kNone && !lineages_.inside(frame.lineage, frames_[leaper_[resource]].lineage);
  };
  for (std::uint32_t link : facts.links)
    if (sharing_.flows_on(link) != 0 || foreign(link)) return false;
  for (std::size_t i = 0; i < facts.channels.size(); ++i) {
    const Channels::Channel& channel = channels_[flow::ResourceId{facts.channels[i]}];
    if (channel.holder.valid() || !channel.line.empty() || channel.circuit != frame.marks[i].circuit ||
        foreign(facts.channels[i]))
      return false;
  }
  if (!facts.asks) return true;
  // Nor does anybody else wait for a decision; nothing was said, and those who were asked are as the round found them.
  if (std::any_of(facts.crews.begin(), facts.crews.end(), foreign)) return false;
  if (frame.stirs != stirs_ || !to_ask_.empty() || tickets_.size() != free_tickets_.size()) return false;
  read_minds(facts, minds_);
  return minds_ == frame.minds;
}

// All rounds of the call that are left at once, if a round of its template was timed before, or can be folded, and nobody is where it goes:
// the whole call, or what comes after a round that somebody disturbed. While spans are recorded, only with the ends of a round.
bool Engine::leap_from_memory(std::uint32_t index) {
  Frame& frame = frames_[index];
  const Facts& facts = facts_[frame.body.value];
  if (!options_.jump || frame.replaying || facts.asks) return false;
  if (options_.record && facts.timed && facts.ends.empty()) return false;
  if (!facts.timed && (facts.folded || facts.shows || facts.size < kManyOperations)) return false;
  survey(frame.body);
  if (!facts.channels.empty() || !may_leap(index)) return false;
  if (!facts.timed && !time_alone(frame.body)) return false;
  frame.remembered = true;
  frame.leap_start = now_;
  frame.leap_period = facts.period;
  frame.leap_rounds = frame.rounds - frame.round;
  frame.leap_path = facts.path;
  mark_and_post(index);
  return true;
}

// What a round of a large template takes that meets nobody: by bounds that meet, by running it folded (fold.h), or by the last that ends
// (last_end.h).
bool Engine::time_alone(flow::TemplateId id) {
  Facts& facts = facts_[id.value];
  facts.folded = true;
  if (options_.record) return find_ends(id);
  Options options;
  options.work_limit = options_.work_limit;
  std::optional<LastEnd> last = last_end(program_, id, options, true);
  const std::optional<Folded> few = last || folded_ ? std::nullopt : fold(program_, id, false);
  if (few) {
    const Timeline alone = Engine(few->program, options, true).run();
    facts.timed = true;
    facts.period = alone.end;
    facts.path = {alone.critical, alone.steps, Link::kNone};
    timeline_.events += alone.events;
    return true;
  }
  if (!last) last = last_end(program_, id, options);
  if (last) remember_last(*last, id);
  return last.has_value();
}

// The same, with the end of each of its operations.
bool Engine::find_ends(flow::TemplateId id) {
  Facts& facts = facts_[id.value];
  const flow::Template& body = program_.templates[id.value];
  if (!Course::runs(program_, body)) return false;
  Course course(program_, body);
  std::vector<Course::End> ends;
  ends.reserve(body.operations.size());
  while (!course.done()) {
    if (!course.advance()) return false;  // somebody stands still
    options_.check(course.events(), course.work());
    for (const std::uint32_t operation : course.ended()) ends.push_back({course.now(), operation});
    course.share();
  }
  facts.ends = std::move(ends);
  remember_last({course.last().time, course.last().operation, course.events()}, id);
  return true;
}

void Engine::remember_last(const LastEnd& last, flow::TemplateId id) {
  Facts& facts = facts_[id.value];
  const flow::Operation& op = program_.templates[id.value].operations[last.operation];
  const Time latency = program_.routes.latency(op.route);
  facts.timed = true;
  facts.period = last.end;
  facts.path = {{.overhead = op.duration, .latency = latency, .transmission = last.end - op.duration - latency},
                op.step ? 1u : 0u,
                Link::kNone};
  timeline_.events += last.events;
}

void Engine::leap(std::uint32_t index) {
  Frame& frame = frames_[index];
  frame.remembered = false;
  frame.leap_start = now_;
  frame.leap_period = now_ - frame.round_start;
  frame.leap_rounds = frame.rounds - frame.round;
  frame.leap_path = frame.best;
  mark_and_post(index);
}

void Engine::mark_and_post(std::uint32_t index) {
  Frame& frame = frames_[index];
  const Facts& facts = facts_[frame.body.value];
  frame.leaping = true;
  frame.leap_over = kNone;
  ++marks_;
  for (const auto* list : {&facts.links, &facts.channels, &facts.crews})
    for (std::uint32_t resource : *list) {
      frame.leap_over = leaper_[resource];
      leaper_[resource] = index;
    }
  ++frame.version;
  queue_.post(now_ + frame.leap_period.times(frame.leap_rounds), {Event::Kind::kLeapEnd, index, 0, frame.version});
}

// Books `rounds` rounds that were not simulated.
void Engine::account_leap(std::uint32_t index, std::uint64_t rounds) {
  Frame& frame = frames_[index];
  const Facts& facts = facts_[frame.body.value];
  const std::int64_t times = static_cast<std::int64_t>(rounds);
  frame.leaping = false;
  ++frame.version;
  frame.round += rounds;
  frame.total.split += frame.leap_path.split.scaled(times);
  frame.total.steps += frame.leap_path.steps * rounds;
  timeline_.rounds_jumped += rounds;
  if (rounds > 0 && program_.templates[frame.body.value].visible)
    frame.total.link = add_link({frame.total.link, frame.leap_path.link, frame.body, Link::kNone, rounds,
                                 frame.leap_start, frame.leap_start + frame.leap_period});
  for (std::size_t i = 0; i < facts.channels.size(); ++i) {
    Channels::Channel& channel = channels_[flow::ResourceId{facts.channels[i]}];
    channel.held += (channel.held - frame.marks[i].held) * times;
  }
  if (rounds == 0) return;
  if (frame.remembered) {
    for (const Course::End& end : facts.ends)
      record(frame, end.operation, frame.leap_start, frame.leap_start + end.time, rounds, frame.leap_period);
    return;
  }
  for (std::uint32_t i = 0; i < frame.states.size(); ++i)
    if (shown({index, i})) record({index, i}, rounds, frame.leap_period);
}

void Engine::unmark(std::uint32_t index) {
  const Frame& frame = frames_[index];
  const Facts& facts = facts_[frame.body.value];
  --marks_;
  const std::uint32_t under = frame.leap_over != kNone && frames_[frame.leap_over].replaying ? frame.leap_over : kNone;
  for (const auto* list : {&facts.links, &facts.channels, &facts.crews})
    for (std::uint32_t resource : *list)
      if (leaper_[resource] == index) leaper_[resource] = under;
}

void Engine::end_leap(std::uint32_t index) {
  Frame& frame = frames_[index];
  if (facts_[frame.body.value].leaves_traces()) return set_back(index, frame.leap_rounds - 1);
  if (frame.in_periods) {
    unmark(index);
    return resume_cycle(index);
  }
  account_leap(index, frame.leap_rounds);
  unmark(index);
  close_frame(index);
}

void Engine::break_leap(std::uint32_t index) {
  const Frame& frame = frames_[index];
  assert(frame.leaping && "only a leap can be broken");
  std::uint64_t ended = frame.leap_rounds;
  if (frame.leap_period > Time())
    ended = std::min(ended, static_cast<std::uint64_t>((now_ - frame.leap_start) / frame.leap_period));
  // Where channels are handed out and agents decide, what happened at the very end of a round may have been contested at that instant: that
  // round is replayed too.
  const bool at_an_end = frame.leap_start + frame.leap_period * static_cast<std::int64_t>(ended) == now_;
  if (facts_[frame.body.value].leaves_traces() && at_an_end && ended > 0) --ended;
  set_back(index, ended);
}

// Ends a leap after `ended` of its rounds or periods; what lies between their end and now is replayed.
void Engine::set_back(std::uint32_t index, std::uint64_t ended) {
  Frame& frame = frames_[index];
  const Time resumed = frame.leap_start + frame.leap_period * static_cast<std::int64_t>(ended);
  if (frame.in_periods) {
    frame.leaping = false;
    frame.leap_rounds = ended;
    ++frame.version;
  } else {
    account_leap(index, ended);
    if (frame.round == frame.rounds) {
      unmark(index);
      return close_frame(index);
    }
  }
  frame.replaying = true;
  queue_.post(resumed, {Event::Kind::kRound, index, 0, frame.version});
  queue_.post(now_, {Event::Kind::kCaughtUp, index, 0, 0});
}

void Engine::catch_up(std::uint32_t index) {
  frames_[index].replaying = false;
  unmark(index);
}

// Whether somebody leaps over what this operation is about to use; the leap is then broken and the operation must come back
// when that frame has caught up with the present.
bool Engine::break_leaps_on_way(Holder h) {
  if (marks_ == 0) return false;
  const flow::RouteId way = route(h);
  if (!way.valid()) return false;
  bool wait = false;
  for (const flow::LinkUse& use : program_.routes.links(way)) wait = break_leap_over(use.link.value, h) || wait;
  for (flow::ResourceId channel : program_.routes.channels(way)) wait = break_leap_over(channel.value, h) || wait;
  return wait;
}

bool Engine::break_leap_over(std::uint32_t resource, Holder h) {
  const std::uint32_t leaper = leaper_[resource];
  if (leaper == kNone || lineages_.inside(frames_[h.frame].lineage, frames_[leaper].lineage)) return false;
  if (frames_[leaper].leaping) break_leap(leaper);
  return true;
}

// Where somebody else was on a channel or asked a crew before, neither round is one that simply repeats.
void Engine::come_after(std::uint32_t& last, std::uint32_t lineage) {
  if (last == lineage) return;
  if (last != kNone) meet(lineage, last);
  lineages_.hold(lineage);
  lineages_.drop(last);
  last = lineage;
}

// Two frames share a resource: neither they nor their callers, up to the common one, run a round that simply repeats.
// Returns the common one.
std::uint32_t Engine::meet(std::uint32_t one, std::uint32_t other) {
  const std::uint32_t top = lineages_.common(one, other);
  for (std::uint32_t at : {one, other})
    for (; at != top; at = lineages_.parent(at))
      if (const std::uint32_t index = lineages_.frame(at); index != kNone) {
        frames_[index].disturbed = true;
        if (frames_[index].cycle) frames_[index].cycle->met = true;
      }
  return top;
}

}  // namespace helio::simulate
