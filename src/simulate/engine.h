// SPDX-License-Identifier: Apache-2.0
// The engine behind simulate(): frames, the life of an operation, leaps over repeated rounds, the controller's runtime.
//
// A frame is a running call. It owns the state of its template's operations for the round that is running. The engine takes
// all events of one time, follows their consequences until nothing more happens at that time, and only then lets the links
// be shared anew (sharing.h).
//
// Leaps. A round that met nobody else on its resources and left its channels as it found them will repeat exactly. The frame
// then posts one event at the end of its last round and marks its resources. Whoever touches a marked resource earlier breaks
// the leap: the frame is set back to the start of the round in which that happens, whose events are then taken first, although
// they lie in the past. That is sound because until the touch the frame and the rest of the program could not affect each
// other; and it stays so because the marks stay, and everyone else who comes to them waits, until the frame has caught up.
//
// Rounds that ask controllers repeat where these say so (flow::Controller::repeats), if nothing was said, no timer was set, and every agent
// that was asked knows at the end what it knew at the start. Such a frame marks the crew, too: whoever asks one of it breaks the leap.
//
// Waves. In a round of transfers over links alone, where nobody waits for anybody, those of one latency set out by one event. Those that
// find their links empty and will take as long end by one event, too, and the links need not know them until somebody joins them there.
//
// Calls. What a round took that met nobody is remembered with its template. The next call of a template without channels, if
// nobody is on its links, is a leap from its very first round on. A template of many operations need not run even once: it is folded,
// and what is left of it runs by itself (fold.h); or, where nobody waits for anybody, only those run that may end last (last_end.h), or,
// where all ends are asked for, as full links tell them (course.h).
//
// In dataflow order there is no round whose end leaves nothing behind. There the whole state of the frame (how far each
// operation is, what it does, when it will be done) is compared with an earlier one; when all operations that moved did so by
// the same number of instances and everything else is the same relative to the clock, the frame leaps over periods (cycle.cpp).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.h"
#include "flow/program.h"
#include "simulate/channels.h"
#include "simulate/course.h"
#include "simulate/event_queue.h"
#include "simulate/last_end.h"
#include "simulate/lineage.h"
#include "simulate/sharing.h"
#include "simulate/simulate.h"

namespace helio::simulate {

class Engine {
 public:
  Time now() const { return now_; }
  // `folded`: the program was, and so are its large templates.
  Engine(const flow::Program& program, const Options& options, bool folded = false);
  Timeline run();

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::uint32_t kTogether = 0xffffffffu;  // for an operation: all of the frame
  static constexpr std::uint64_t kManyOperations = 1024;   // of a template from which on it is folded
  static constexpr std::size_t kManyFrames = 10'000;       // whose states are in no cache
  static constexpr std::size_t kManyLinks = 100'000;       // from which on those are looked for that are left behind

  enum class Stage : std::uint8_t {
    kWaiting,  // for dependencies
    kAsking,   // for the controller
    kOverhead,
    kRequesting,  // channels, or a leap in the way to be broken
    kInLine,
    kSetup,
    kLatency,
    kRunning,  // bytes flow, a compute or delay runs, a call's template runs
    kSuspended,
    kDone,
  };

  struct State {  // what is looked at most often first
    Stage stage = Stage::kWaiting;
    bool passed_overhead = false;
    std::uint16_t alternative = 0;
    std::uint32_t instance = 0;
    std::uint32_t unmet = 0;  // dependencies; of who set out alone: his version then, kNone until links are shared
    std::uint32_t version = 0;
    std::uint32_t flow = kNone;    // in Sharing
    std::uint32_t callee = kNone;  // frame
    double bytes = 0;              // left
    Time ready;                    // dependencies met
    Time since;                    // the stage began; at the end: when it was done
    flow::Ticket ticket = 0;       // the controller's
    Time asked;                    // for channels
    Time left;                     // of a compute or delay
    Time waited, setup, decided;   // so far; decided: waited for the controller alone
    std::uint32_t holds = kNone;   // in holds_, while the controller is asked for the first time
  };

  // How long the channels of an operation had been held in all when it asked the controller.
  struct Holds {
    flow::RouteId route;
    std::vector<Time> held;
  };

  // More of an operation, kept only where operations wait for each other.
  struct Clock {
    Time until;     // the stage ends, where that is known and no link decides it
    Time finished;  // the last instance ended
  };

  // What led to an end: time by cause, and step operations.
  struct Path {
    Split split;
    std::uint64_t steps = 0;
    std::uint32_t link = Link::kNone;  // the last one of visible templates
  };

  struct ChannelMark {
    flow::Circuit circuit;
    Time held;
  };

  // A frame in dataflow order as it was at some time.
  struct Checkpoint {
    struct Mark {
      std::uint32_t instance;
      Stage stage;
      Time ready, until;  // from then on
    };
    Time at;
    std::vector<Mark> marks;
    std::vector<Path> paths;
    std::vector<ChannelMark> channels;
  };

  // Its search for a period (Brent 1980): the present is compared with a checkpoint that is renewed at powers of two.
  struct Cycle {
    std::uint32_t reference = kNone;  // the operation whose ends are the moments of comparison
    std::uint64_t seen = 0, renew = 1;
    bool met = false;             // somebody else since the checkpoint
    bool tied = false;            // paths of different origin ended at the same time since the checkpoint
    std::uint32_t instances = 0;  // per period, of every operation that moves
    Checkpoint checkpoint;
    std::vector<std::uint32_t> origin;  // the operation whose path at the checkpoint this one's continues
  };

  struct Frame {
    flow::TemplateId body;
    std::uint32_t parent = kNone, call = 0;  // the call that this frame runs
    std::uint32_t depth = 0;
    std::uint32_t lineage = kNone;
    std::uint64_t place = 0;  // in the program: the same in every run, later calls of a template have larger ones
    std::uint64_t rounds = 1, round = 0;  // asked for; ended
    std::uint32_t unfinished = 0;
    std::uint32_t version = 0;
    bool disturbed = false;  // met somebody else in this round
    bool leaping = false;
    bool in_periods = false;  // the leap is over periods of a dataflow, not over rounds
    bool remembered = false;  // the leap is over rounds of an earlier call of the template
    bool replaying = false;   // a leap was broken and the present is not reached again yet
    Time start, round_start, last_finish;
    Path total;  // of the rounds that ended
    Path best;   // of the operation that ended last in this round
    std::vector<State> states;
    std::vector<Path> paths;           // where operations wait for each other
    std::vector<Clock> clocks;         // there, too
    std::vector<ChannelMark> marks;    // the channels as the round found them
    std::vector<std::uint64_t> minds;  // so of the agents that it asks
    std::uint64_t stirs = 0;           // and how much had been said
    Time leap_start, leap_period;
    std::uint64_t leap_rounds = 0;
    std::uint32_t leap_over = kNone;  // the replaying caller whose marks are covered meanwhile
    Path leap_path;
    std::unique_ptr<Cycle> cycle;  // dataflow order only
  };

  // An agent of one of the program's controllers.
  struct Address {
    std::uint16_t controller = 0;
    flow::Agent agent = 0;
    friend auto operator<=>(const Address&, const Address&) = default;
  };

  // What sets out in a round in which nobody waits for anybody.
  struct Departure {
    double bytes;
    flow::RouteId route;
    std::uint32_t operation;
    float share;
    std::uint8_t priority;
    bool may_be_alone = false;
  };
  struct Wave {
    Time latency;
    std::uint32_t first, last;              // departures
    std::uint32_t first_group, last_group;  // of those
  };
  // Departures of a wave that take as long if nobody joins them.
  struct Group {
    Time period;
    std::vector<std::uint32_t> departures;
  };

  // What is known of a template before it runs.
  struct Facts {
    std::vector<std::uint32_t> out_begin, in_begin;  // edges by operation
    std::vector<std::uint32_t> out, in;
    std::vector<std::uint32_t> unmet;   // of the first instances
    bool tracks = false;                // operations wait for each other, so paths are kept
    bool leaps = true;                  // nothing in it is decided at run time but by those who repeat themselves
    bool asks = false;                  // controllers, it or what it calls
    bool cycles = false;                // has operations with many instances, and no calls
    bool in_waves = false;              // transfers over links alone, of one overhead, and nobody waits for anybody:
    std::vector<Departure> departures;  // by latency, once it runs,
    std::vector<Wave> waves;            // those of one latency together
    std::vector<Group> groups;
    bool surveyed = false;                       // the lists below are made
    std::vector<std::uint32_t> links, channels;  // touched, by it and what it calls
    std::vector<std::uint32_t> crews;            // so of controllers, numbered behind the resources
    std::vector<Address> agents;                 // and of their agents
    std::vector<std::uint32_t> idle;             // frames to use again
    std::uint64_t size = 0;                      // operations, of it and of what it calls
    bool shows = false;                          // it, or what it calls, is visible
    bool folded = false;                         // or was tried to be
    bool timed = false;                          // a round ran that met nobody else:
    Time period;                                 // it took so long,
    Path path;                                   // and this was its path,
    std::vector<Course::End> ends;               // and where all are recorded, these were the ends of its operations

    bool leaves_traces() const { return asks || !channels.empty(); }  // for those who come after it
  };

  // A message or a timer under way.
  struct Delivery {
    Address to;
    flow::Event::Kind kind = flow::Event::Kind::kMessage;
    flow::Agent from = 0;
    flow::Message message;
    std::uint64_t timer = 0;
  };

  // The agents of one controller, and how they hear each other.
  struct Crew {
    const flow::Controller& controller;
    flow::MessageChannel messages;
    Random random;
    std::vector<std::unique_ptr<flow::AgentState>> agents;
    std::uint32_t last_lineage = kNone;  // whose operation asked last
  };

  // engine.cpp: events and the life of an operation; frames.cpp: learn to close_frame
  const flow::Operation& operation(Holder h) const {
    return program_.templates[frames_[h.frame].body.value].operations[h.operation];
  }
  State& state(Holder h) { return frames_[h.frame].states[h.operation]; }
  flow::RouteId route(Holder h) {
    const flow::Operation& op = operation(h);
    return op.route.valid() ? flow::RouteId{op.route.value + state(h).alternative} : op.route;
  }
  std::span<const flow::ResourceId> channels_of(Holder h) {
    const flow::RouteId r = route(h);
    return r.valid() ? program_.routes.channels(r) : std::span<const flow::ResourceId>{};
  }
  void learn(flow::TemplateId id);
  std::uint32_t open_frame(flow::TemplateId body, std::uint64_t rounds, std::uint32_t parent, std::uint32_t call);
  bool goes_in_waves(const flow::Template& body) const;
  void plan_waves(flow::TemplateId id);
  void make_room(Frame& frame);
  void start_round(std::uint32_t frame);
  void end_round(std::uint32_t frame);
  void close_frame(std::uint32_t frame);
  void handle(const Event& event);
  void settle();
  void follow_up();
  void begin(Holder h);
  void begin_together(std::uint32_t frame);
  void request_together(std::uint32_t frame);
  void set_out(std::uint32_t frame, std::uint32_t wave);
  void count_wave(std::size_t events);
  bool set_out_alone(Holder h, std::span<const flow::LinkUse> links);
  void end_alone_later();
  void end_alone(std::uint32_t frame, std::uint32_t group);
  void join(Holder alone);
  void flow_over(std::span<const flow::LinkUse> links, Holder h, double cap, Sharing::Claim claim);
  void admit(Holder h);
  void request(Holder h);
  void launch(Holder h);
  void flow_bytes(Holder h);
  void finish(Holder h);
  void finish_together(Holder h);
  void count_down_successors(Holder h);
  void continue_path(Frame& frame, std::uint32_t from, std::uint32_t to);
  void post(Holder h, Time time, bool due = true);
  void post_end(Holder h, Time time, bool due);
  bool ends_now(const Event& event);
  Split own_split(Holder h);
  void record(Holder h, std::uint64_t rounds, Time period);
  void record(const Frame& frame, std::uint32_t operation, Time start, Time end, std::uint64_t rounds, Time period);
  bool shown(Holder h) const;
  [[noreturn]] void report_deadlock();

  // critical_links.cpp
  std::uint32_t add_link(const Link& link);
  template <class Visit>
  void for_each_path(Visit visit);
  void drop_links();

  // exclusive.cpp: channels, lines, pre-emption
  Waiter waiter(Holder h);
  void serve_requests();
  bool try_take(Waiter waiter);
  void push_aside(const Waiter& waiter, std::span<const flow::ResourceId> wanted);
  void let_go(Holder h);
  void suspend(Holder h);

  // leap.cpp
  void survey(flow::TemplateId id);
  void mark(Frame& frame);
  void read_minds(const Facts& facts, std::vector<std::uint64_t>& words) const;
  bool may_leap(std::uint32_t frame);
  void leap(std::uint32_t frame);
  bool leap_from_memory(std::uint32_t frame);
  bool time_alone(flow::TemplateId id);
  bool find_ends(flow::TemplateId id);
  void remember_last(const LastEnd& last, flow::TemplateId id);
  void mark_and_post(std::uint32_t frame);
  void account_leap(std::uint32_t frame, std::uint64_t rounds);
  void unmark(std::uint32_t frame);
  void end_leap(std::uint32_t frame);
  void break_leap(std::uint32_t frame);
  void set_back(std::uint32_t frame, std::uint64_t ended);
  void catch_up(std::uint32_t frame);
  bool break_leaps_on_way(Holder h);
  bool break_leap_over(std::uint32_t resource, Holder h);
  void come_after(std::uint32_t& last, std::uint32_t lineage);
  std::uint32_t meet(std::uint32_t one, std::uint32_t other);

  // cycle.cpp
  void watch_cycle(Holder h);
  Time until(const Frame& frame, std::uint32_t operation) const;
  void compare_cycles();
  void set_checkpoint(Frame& frame);
  bool same_as_checkpoint(Frame& frame);
  bool paths_are_certain(const Frame& frame);
  std::uint64_t periods_ahead(const Frame& frame);
  void record_periods(Holder h);
  void leap_periods(std::uint32_t frame, std::uint64_t periods);
  void resume_cycle(std::uint32_t frame);
  Time held_until_now(flow::ResourceId channel);

  // control.cpp; remember_holds and waited_for_decision: exclusive.cpp
  void start_control();
  void ask_controllers();
  void deliver(Address to, flow::Event& event);
  void arrive(std::uint32_t slot);
  void remember_holds(Holder h);
  Time waited_for_decision(Holder h);
  void apply(Address from, const flow::Action& action);
  flow::Ticket open_ticket(Holder h);
  void close_ticket(flow::Ticket ticket);
  Holder holder_of(flow::Ticket ticket) const;
  void expect_next() const;

  const flow::Program& program_;
  const Options& options_;
  const bool folded_;
  Timeline timeline_;
  Time now_;
  EventQueue queue_;
  Sharing sharing_;
  Channels channels_;
  std::vector<Facts> facts_;
  std::deque<Frame> frames_;  // references stay valid while frames are opened
  bool finished_ = false;
  std::size_t most_links_ = kManyLinks;

  // Consequences at the present time that are still to be followed.
  std::vector<Holder> to_begin_;
  std::vector<Holder> to_admit_;
  std::vector<Holder> batch_;  // of either, while it is gone through
  std::vector<bool> wait_;     // of the operations that begin together: for somebody who leaps over what they will use
  std::vector<std::uint32_t> to_end_;
  std::vector<Waiter> to_serve_, asking_;  // asking_: those that are served now
  std::vector<Waiter> to_ask_;             // controllers, at the present time
  std::vector<std::uint32_t> to_compare_;  // frames in dataflow order whose reference moved
  std::vector<Holder> alone_;              // waves (as operations) of which some set out alone at the present time
  struct HeldBack {
    std::vector<Waiter> requests, asks;
    Sharing::Pending pending;
    std::vector<Holder> alone;
  };
  std::map<Time, HeldBack> held_back_;  // what is still to be done at a time to which the engine will come back

  std::uint32_t marks_ = 0;            // frames that have marked their resources
  std::vector<std::uint32_t> leaper_;  // per resource, and per crew behind them: the frame that leaps over it
  Lineages lineages_;
  // When a flow will end, and when the event for it comes: not later. Who is held up again and again has one event so, not one for each time.
  struct End {
    Time time = Time::max();    // none: need not be known
    Time posted = Time::max();  // none: not posted
    std::uint64_t place = 0;    // in the order of posting
  };
  std::vector<End> ends_;            // by flow
  std::vector<Holder> lone_;         // per link that is lent: to whom
  std::vector<std::uint32_t> user_;  // per link: the lineage whose flows are on it, or the common caller of all of them
  std::vector<std::uint32_t> survey_stamp_;
  std::uint32_t survey_epoch_ = 0;

  std::vector<Crew> crews_;  // by controller of the program
  std::uint64_t stirs_ = 0;  // messages and timers so far
  std::vector<std::uint64_t> minds_;
  std::vector<Delivery> deliveries_;
  std::vector<std::uint32_t> free_deliveries_;
  std::vector<flow::Action> actions_;
  std::vector<Holds> holds_;
  std::vector<std::uint32_t> free_holds_;
  // The lower half of a ticket is a place here, from 1 on; the upper half tells how often that was given before, so that one that was closed
  // is never given again.
  struct Open {
    Holder holder;
    std::uint32_t before = 0;
  };
  std::vector<Open> tickets_;
  std::vector<std::uint32_t> free_tickets_;
};

}  // namespace helio::simulate
