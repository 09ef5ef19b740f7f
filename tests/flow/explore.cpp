// SPDX-License-Identifier: Apache-2.0
// Breadth-first search over situations, so that the first violation found has the shortest trail.
//
// What is rich but rare (agents' states, letters, alarms) is numbered in order of discovery. A situation is then a short
// row of words, equal rows are equal situations, and no agent's state is copied more than once:
//
//   | state number per agent | status per operation | losses left | letters: count, sorted numbers | early, armed per alarm |
//
// Because `react` is pure, each pair (state, event) is asked once and its answer reused.
//
// After the search a situation is *doomed* when no path leads from it to one in which every operation is done. A situation
// that the limit kept from being expanded, or one with a timer held back for ever, is an open door: what lies behind is not
// known, so it makes the exploration incomplete and never a deadlock.
#include "flow/explore.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

namespace helio::flow {
namespace {

using Word = std::uint32_t;

enum Status : Word { kNotReady, kReady, kRunning, kSuspended, kDone };
constexpr const char* kStatusNames[] = {"not ready", "ready", "running", "suspended", "done"};

struct Letter {  // a message in flight
  Agent from = 0, to = 0;
  Message message;
  friend auto operator<=>(const Letter&, const Letter&) = default;
};

struct Alarm {  // a timer's identity
  Agent agent = 0;
  std::uint64_t timer = 0;
  friend auto operator<=>(const Alarm&, const Alarm&) = default;
};

// Numbers things in the order in which they are first seen.
template <class Thing>
class Numbering {
 public:
  std::pair<Word, bool> number(Thing thing) {
    const auto [place, fresh] = numbers_.emplace(std::move(thing), static_cast<Word>(things_.size()));
    if (fresh) things_.push_back(&place->first);
    return {place->second, fresh};
  }
  const Thing& operator[](Word number) const { return *things_[number]; }

 private:
  std::map<Thing, Word> numbers_;
  std::vector<const Thing*> things_;
};

// One event that may happen; `subject` is an agent, an operation, a letter or an alarm.
struct Step {
  enum Kind : Word { kBegin, kBecomesReady, kCompletes, kArrives, kIsLost, kFires };
  Kind kind = kBegin;
  Word subject = 0;
};

struct Situation {
  struct Armed {
    Word early = 0, armed = 0;  // times fired early; times armed now
  };
  std::vector<Word> states;      // by agent
  std::vector<Word> operations;  // Status
  Word losses = 0;               // left
  std::vector<Word> letters;     // sorted
  std::vector<Armed> alarms;     // by alarm number; those past the end are untouched

  Armed& alarm(Word number) {
    if (number >= alarms.size()) alarms.resize(number + 1);
    return alarms[number];
  }
  bool all_done() const {
    return std::ranges::all_of(operations, [](Word status) { return status == kDone; });
  }
  // Nothing but a timer can happen.
  bool quiet() const {
    return letters.empty() &&
           std::ranges::none_of(operations, [](Word status) { return status == kNotReady || status == kRunning; });
  }
};

// Every situation seen, as rows of words in one pool.
class Archive {
 public:
  Archive() : rows_(16, Hash{this}, Equal{this}) {}
  Archive(const Archive&) = delete;

  Word size() const { return static_cast<Word>(rows_.size()); }

  // The situation's number, and whether it is new.
  std::pair<Word, bool> insert(const Situation& situation) {
    // Write the row at the end of the pool, and take it back if it was there already.
    pool_.insert(pool_.end(), situation.states.begin(), situation.states.end());
    pool_.insert(pool_.end(), situation.operations.begin(), situation.operations.end());
    pool_.push_back(situation.losses);
    pool_.push_back(static_cast<Word>(situation.letters.size()));
    pool_.insert(pool_.end(), situation.letters.begin(), situation.letters.end());
    std::size_t touched = situation.alarms.size();
    while (touched > 0 && situation.alarms[touched - 1].early == 0 && situation.alarms[touched - 1].armed == 0)
      --touched;
    for (std::size_t i = 0; i < touched; ++i)
      pool_.insert(pool_.end(), {situation.alarms[i].early, situation.alarms[i].armed});
    begin_.push_back(pool_.size());

    const auto [place, fresh] = rows_.insert(static_cast<Word>(begin_.size() - 2));
    if (!fresh) {
      begin_.pop_back();
      pool_.resize(begin_.back());
    }
    return {*place, fresh};
  }

  Situation at(Word number, std::size_t agents, std::size_t operations) const {
    Situation situation;
    std::span<const Word> rest = row(number);
    const auto take = [&](std::size_t count) {
      const std::span<const Word> part = rest.first(count);
      rest = rest.subspan(count);
      return std::vector<Word>(part.begin(), part.end());
    };
    situation.states = take(agents);
    situation.operations = take(operations);
    situation.losses = take(1)[0];
    situation.letters = take(take(1)[0]);
    for (std::size_t i = 0; i < rest.size(); i += 2) situation.alarms.push_back({rest[i], rest[i + 1]});
    return situation;
  }

 private:
  struct Hash {
    const Archive* archive;
    std::size_t operator()(Word number) const {
      std::uint64_t hash = 0x9e3779b97f4a7c15;
      for (const Word word : archive->row(number)) {
        hash = (hash ^ word) * 0xff51afd7ed558ccd;  // as in MurmurHash3's finaliser
        hash ^= hash >> 32;
      }
      return hash;
    }
  };
  struct Equal {
    const Archive* archive;
    bool operator()(Word a, Word b) const { return std::ranges::equal(archive->row(a), archive->row(b)); }
  };
  std::span<const Word> row(Word number) const {
    return {pool_.data() + begin_[number], begin_[number + 1] - begin_[number]};
  }

  std::vector<Word> pool_;
  std::vector<std::size_t> begin_{0};
  std::unordered_set<Word, Hash, Equal> rows_;
};

class Explorer {
 public:
  Explorer(const Controller& controller, const std::vector<ExploredOperation>& operations,
           const ExploreOptions& options)
      : controller_(controller), operations_(operations), options_(options) {
    for ([[maybe_unused]] const ExploredOperation& operation : operations)
      assert(operation.agent < controller.agents() && "an explored operation belongs to an agent of the controller");
  }

  Exploration run() {
    // Begin: every agent hears kStart before anything else happens; what they send is in flight afterwards.
    Situation first;
    first.operations.assign(operations_.size(), kNotReady);
    first.losses = options_.losses;
    for (Agent agent = 0; agent < controller_.agents(); ++agent)
      first.states.push_back(number_state(agent, controller_.initial(agent)));
    for (Agent agent = 0; agent < controller_.agents(); ++agent) {
      if (const std::string wrong = take({Step::kBegin, agent}, first); !wrong.empty()) {
        result_.double_grant = wrong + "\n  while the agents began";
        return result_;
      }
    }
    insert(first, 0, {});

    // Expand situations in the order of their discovery, until a violation, the limit or the end.
    while (expanded() < archive_.size() && archive_.size() <= options_.situation_limit && result_.double_grant.empty())
      expand(expanded());
    result_.situations = archive_.size();
    result_.complete = expanded() == archive_.size() && result_.double_grant.empty();

    // Judge what was seen: only situations whose whole future is known can be doomed.
    if (result_.double_grant.empty()) judge();
    return result_;
  }

 private:
  struct Origin {
    Word parent = 0;
    Step step;
  };
  struct Facts {
    bool done = false;  // every operation is
    bool quiet = false;
    bool withheld = false;  // the bound kept an armed timer from firing
  };
  struct Reaction {
    Word state = 0;
    std::vector<Action> actions;
  };

  Word expanded() const { return static_cast<Word>(edge_begin_.size() - 1); }
  Situation situation(Word number) const { return archive_.at(number, controller_.agents(), operations_.size()); }

  Word insert(const Situation& situation, Word parent, Step step) {
    const auto [number, fresh] = archive_.insert(situation);
    if (fresh) {
      origins_.push_back({parent, step});
      facts_.push_back({situation.all_done(), situation.quiet(), false});
    }
    return number;
  }

  Word number_state(Agent agent, std::unique_ptr<AgentState> state) {
    std::vector<std::uint64_t> words{agent};
    state->encode(words);
    const auto [number, fresh] = state_numbers_.number(std::move(words));
    if (fresh) states_.push_back(std::move(state));
    return number;
  }

  void expand(Word number) {
    const Situation here = situation(number);
    for (const Step step : possible(here, facts_[number].withheld)) {
      Situation next = here;
      if (const std::string wrong = take(step, next); !wrong.empty()) {
        result_.double_grant = fmt::format("{}\n{}  {}", wrong, trail(number), words(step));
        break;
      }
      edges_.push_back(insert(next, number, step));
    }
    edge_begin_.push_back(edges_.size());
  }

  // Every event that may come next. `withheld` tells whether the bound kept an armed timer from firing.
  std::vector<Step> possible(const Situation& here, bool& withheld) const {
    std::vector<Step> steps;
    for (Word i = 0; i < here.operations.size(); ++i) {
      if (here.operations[i] == kNotReady) steps.push_back({Step::kBecomesReady, i});
      if (here.operations[i] == kRunning) steps.push_back({Step::kCompletes, i});
    }
    for (std::size_t i = 0; i < here.letters.size(); ++i) {
      if (i > 0 && here.letters[i] == here.letters[i - 1]) continue;  // equal letters are interchangeable
      steps.push_back({Step::kArrives, here.letters[i]});
      if (here.losses > 0) steps.push_back({Step::kIsLost, here.letters[i]});
    }
    for (Word i = 0; i < here.alarms.size(); ++i) {
      if (here.alarms[i].armed == 0) continue;
      if (here.quiet() || here.alarms[i].early < options_.timers_at_most)
        steps.push_back({Step::kFires, i});
      else
        withheld = true;
    }
    return steps;
  }

  // Lets `step` happen in `here`. Returns what was wrong with it, or "".
  std::string take(Step step, Situation& here) {
    Event event;
    Agent agent = step.subject;
    switch (step.kind) {
      case Step::kBegin: break;
      case Step::kBecomesReady:
      case Step::kCompletes:
        here.operations[step.subject] = step.kind == Step::kCompletes ? kDone : kReady;
        event.kind = step.kind == Step::kCompletes ? Event::Kind::kDone : Event::Kind::kReady;
        event.ticket = step.subject;
        event.claim = operations_[step.subject].claim;
        agent = operations_[step.subject].agent;
        break;
      case Step::kArrives:
      case Step::kIsLost: {
        here.letters.erase(std::ranges::lower_bound(here.letters, step.subject));
        if (step.kind == Step::kIsLost) return --here.losses, std::string();
        const Letter& letter = letters_[step.subject];
        event.kind = Event::Kind::kMessage;
        event.from = letter.from;
        event.message = letter.message;
        agent = letter.to;
        break;
      }
      case Step::kFires: {
        Situation::Armed& alarm = here.alarm(step.subject);
        --alarm.armed;
        if (!here.quiet()) ++alarm.early;
        event.kind = Event::Kind::kTimer;
        event.timer = alarms_[step.subject].timer;
        agent = alarms_[step.subject].agent;
        break;
      }
    }
    const Reaction& reaction = react(agent, here.states[agent], step, event);
    here.states[agent] = reaction.state;
    return perform(agent, reaction.actions, here);
  }

  const Reaction& react(Agent agent, Word state, Step step, const Event& event) {
    assert(step.subject < (1u << 29) && "an explored case has fewer than 2^29 different letters");
    const std::uint64_t key = std::uint64_t{state} << 32 | step.subject << 3 | step.kind;
    const auto [place, fresh] = reactions_.try_emplace(key);
    if (fresh) {
      std::unique_ptr<AgentState> next = states_[state]->clone();
      controller_.react(agent, *next, event, place->second.actions);
      place->second.state = number_state(agent, std::move(next));
    }
    return place->second;
  }

  std::string perform(Agent agent, const std::vector<Action>& actions, Situation& here) {
    for (const Action& action : actions) {
      switch (action.kind) {
        case Action::Kind::kSend: {
          assert(action.to < controller_.agents() && "a message goes to an agent of the controller");
          const Word letter = letters_.number({agent, action.to, action.message}).first;
          here.letters.insert(std::ranges::upper_bound(here.letters, letter), letter);
          break;
        }
        case Action::Kind::kTimer: ++here.alarm(alarms_.number({agent, action.timer}).first).armed; break;
        case Action::Kind::kStart:
        case Action::Kind::kSuspend:
        case Action::Kind::kResume:
          if (std::string wrong = command(agent, action, here); !wrong.empty()) return wrong;
          break;
      }
    }
    return {};
  }

  // Starts, suspends or resumes an operation, as the engine would.
  std::string command(Agent agent, const Action& action, Situation& here) const {
    const bool starts = action.kind == Action::Kind::kStart;
    const char* verb = starts ? "starts" : action.kind == Action::Kind::kSuspend ? "suspends" : "resumes";
    if (action.ticket >= operations_.size())
      return fmt::format("agent {} {} unknown ticket {}", agent, verb, action.ticket);
    const Word number = static_cast<Word>(action.ticket);
    Word& status = here.operations[number];
    if (status == kNotReady || status == kDone || (starts && status != kReady))
      return fmt::format("agent {} {} operation {}, which is {}", agent, verb, number, kStatusNames[status]);

    if (starts || (action.kind == Action::Kind::kResume && status == kSuspended))
      return set_running(agent, number, here);
    if (action.kind == Action::Kind::kSuspend && status == kRunning) status = kSuspended;
    return {};
  }

  std::string set_running(Agent agent, Word started, Situation& here) const {
    for (Word other = 0; other < operations_.size(); ++other) {
      if (here.operations[other] != kRunning) continue;
      for (const std::uint32_t resource : operations_[started].exclusive)
        if (std::ranges::count(operations_[other].exclusive, resource) > 0)
          return fmt::format("agent {} starts operation {} on resource {}, where operation {} is running", agent,
                             started, resource, other);
    }
    here.operations[started] = kRunning;
    return {};
  }

  // The situations from which one that satisfies `end` can be reached.
  std::vector<bool> leading_to(const std::function<bool(Word)>& end) const {
    std::vector<bool> leads(archive_.size(), false);
    std::vector<Word> pending;
    const auto mark = [&](Word number) {
      if (leads[number]) return;
      leads[number] = true;
      pending.push_back(number);
    };
    for (Word number = 0; number < archive_.size(); ++number)
      if (end(number)) mark(number);
    while (!pending.empty()) {
      const Word at = pending.back();
      pending.pop_back();
      for (std::size_t i = source_begin_[at]; i < source_begin_[at + 1]; ++i) mark(sources_[i]);
    }
    return leads;
  }

  // Turns the edges round, to walk from an end back to all that leads there.
  void turn_edges() {
    source_begin_.assign(archive_.size() + 1, 0);
    for (const Word to : edges_) ++source_begin_[to + 1];
    std::partial_sum(source_begin_.begin(), source_begin_.end(), source_begin_.begin());
    sources_.resize(edges_.size());
    std::vector<std::size_t> next = source_begin_;
    for (Word from = 0; from < expanded(); ++from)
      for (std::size_t i = edge_begin_[from]; i < edge_begin_[from + 1]; ++i) sources_[next[edges_[i]]++] = from;
  }

  void judge() {
    turn_edges();
    const auto unexpanded = [&](Word number) { return number >= expanded(); };
    const std::vector<bool> finishing = leading_to([&](Word number) { return facts_[number].done; });

    // Open doors: a timer that was held back only counts where it will never be quiet, and so never its turn.
    const std::vector<bool> settling =
        leading_to([&](Word number) { return facts_[number].quiet || unexpanded(number); });
    const std::vector<bool> unknown =
        leading_to([&](Word number) { return unexpanded(number) || (facts_[number].withheld && !settling[number]); });

    // The first doomed situation is where things went wrong.
    Word number = archive_.size();
    for (Word i = archive_.size(); i-- > 0;) {
      if (finishing[i]) continue;
      if (unknown[i])
        result_.complete = false;
      else
        number = i;
    }
    if (number == archive_.size()) return;
    const Situation here = situation(number);
    for (Word i = 0; i < here.operations.size(); ++i)
      if (here.operations[i] != kDone)
        result_.deadlock += fmt::format("operation {} is {}; ", i, kStatusNames[here.operations[i]]);
    const bool nothing = edge_begin_[number] == edge_begin_[number + 1];
    result_.deadlock += nothing ? "nothing more can happen\n" : "nothing that can still happen completes them all\n";
    result_.deadlock += trail(number);
  }

  // The events that lead to a situation, one a line.
  std::string trail(Word number) const {
    std::vector<Step> steps;
    for (; number != 0; number = origins_[number].parent) steps.push_back(origins_[number].step);
    std::string text;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) text += "  " + words(*step) + "\n";
    return text;
  }

  std::string words(Step step) const {
    switch (step.kind) {
      case Step::kBegin: return fmt::format("agent {} begins", step.subject);
      case Step::kBecomesReady:
        return fmt::format("operation {} becomes ready at agent {}", step.subject, operations_[step.subject].agent);
      case Step::kCompletes: return fmt::format("operation {} completes", step.subject);
      case Step::kArrives:
      case Step::kIsLost: {
        const Letter& letter = letters_[step.subject];
        return fmt::format("{} from agent {} to agent {} {}", controller_.describe(letter.message), letter.from,
                           letter.to, step.kind == Step::kArrives ? "arrives" : "is lost");
      }
      case Step::kFires:
        return fmt::format("timer {} of agent {} fires", alarms_[step.subject].timer, alarms_[step.subject].agent);
    }
    return {};
  }

  const Controller& controller_;
  const std::vector<ExploredOperation>& operations_;
  const ExploreOptions options_;

  Numbering<std::vector<std::uint64_t>> state_numbers_;
  std::vector<std::unique_ptr<AgentState>> states_;
  Numbering<Letter> letters_;
  Numbering<Alarm> alarms_;
  std::unordered_map<std::uint64_t, Reaction> reactions_;

  // By situation; edges lead out of those expanded, sources back into all.
  Archive archive_;
  std::vector<Origin> origins_;
  std::vector<Facts> facts_;
  std::vector<std::size_t> edge_begin_{0}, source_begin_;
  std::vector<Word> edges_, sources_;
  Exploration result_;
};

}  // namespace

Exploration explore(const Controller& controller, const std::vector<ExploredOperation>& operations,
                    const ExploreOptions& options) {
  return Explorer(controller, operations, options).run();
}

}  // namespace helio::flow
