// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/units.h"
#include "fabric/parameters.h"
#include "photonics/bit_error.h"

namespace helio::fabric {
namespace {

constexpr std::uint64_t kMostLights = 1u << 24;  // of all groups, planes and channels
constexpr std::uint32_t kMostTransceivers = 16;
constexpr std::int64_t kMostRepeats = 10'000;   // of one message, until it arrives
const Time kFibreDelay = Time::nanoseconds(5);  // of one metre; papers/oddl.md 4.2, recalled

const std::string kFew = "all-reduce fabric=oddl nodes=8 bytes=1MB algorithm=halving-doubling";
const std::string kTwoGroups = "all-reduce fabric=oddl nodes=64 bytes=1MB algorithm=halving-doubling";
// All flows at once, several for each receiver
const std::string kMelee = "all-to-all fabric=oddl nodes=8 bytes=1MB algorithm=direct";
const std::string kLossy = kMelee + " fabric.loss=0.2";

Parameter named(std::string name, ParameterType type, std::string fallback, std::string least, std::string most,
                std::string description, Situation matters) {
  Parameter p;
  p.name = std::move(name);
  p.type = type;
  p.fallback = std::move(fallback);
  p.optional = p.fallback.empty();
  p.minimum = std::move(least);
  p.maximum = std::move(most);
  p.description = std::move(description);
  p.matters = std::move(matters);
  return p;
}

Parameter count(std::string name, std::string fallback, std::string least, std::string most, std::string description,
                Situation matters) {
  return named(std::move(name), ParameterType::kInteger, std::move(fallback), std::move(least), std::move(most),
               std::move(description), std::move(matters));
}

Parameter time(std::string name, std::string fallback, std::string description, Situation matters,
               std::string least = "0 s", std::string most = "1000 s") {
  return named(std::move(name), ParameterType::kTime, std::move(fallback), std::move(least), std::move(most),
               std::move(description), std::move(matters));
}

Parameter choice(std::string name, std::vector<std::string> choices, std::string description, Situation matters) {
  Parameter p = named(std::move(name), ParameterType::kChoice, choices.front(), "", "", std::move(description),
                      std::move(matters));
  p.choices = std::move(choices);
  return p;
}

Parameter flag(std::string name, std::string description, Situation matters) {
  return named(std::move(name), ParameterType::kBoolean, "false", "", "", std::move(description), std::move(matters));
}

// Groups, nodes in them, channels, planes.
std::vector<Parameter> shape_parameters() {
  Parameter nodes =
      nodes_parameter("all-reduce fabric=oddl bytes=1MB algorithm=ring", fmt::format("{}", OddlClaim::kReceivers));
  nodes.optional = true;
  nodes.description += "; unset: groups times nodes_per_group";
  Parameter rate = rate_parameter(kFew, "one transceiver");
  rate.fallback = "100 Gb/s";
  rate.description = "one transceiver; the default is the abstract's";
  rate.matters = {kFew, "25 Gb/s", ""};
  return {
      nodes,
      count("groups", "", "1", "65536", "each with one WSS; unset: as many as the nodes fill, 32 without nodes",
            {kTwoGroups, "4", ""}),
      count("nodes_per_group", "32", "1", "4096", "whose transmitters share a fibre", {kTwoGroups, "16", ""}),
      count("planes", "", "1", "4096",
            "parallel copies of fibre, WSS and demultiplexer; unset: as many as the "
            "collectives need, which is reported",
            {kTwoGroups + " fabric.channels=32", "1", "", true}),
      count("channels", "96", "1", "4096", "wavelengths of one fibre; 96 of 50 GHz", {kTwoGroups, "32", ""}),
      count("trx", "1", "1", fmt::format("{}", kMostTransceivers),
            "transceivers of a node, on planes of their own; a flow is spread over all of them", {kFew, "2", ""}),
      flag("alternate", "two transceivers take turns behind one port of `rate`: one is tuned while the other sends",
           {kFew + " fabric.trx=2", "true", ""}),
      flag("tunable_receivers",
           "receivers hear any channel that reaches their group, through a splitter in place of the AWG: no wavelength "
           "classes, more loss",
           {kTwoGroups, "true", ""}),
      rate,
  };
}

// How long the dark lasts.
std::vector<Parameter> time_parameters() {
  return {
      time("wss", "50 ms", "to set a slice, before the job's first byte; reported, not part of the collective's time",
           {kFew, "10 ms", ""}, "1 ms", "500 ms"),
      time("tune", "100 ns", "of a transmitter, to another channel", {kFew, "1 us", ""}),
      named("hold", ParameterType::kBoolean, "true", "", "",
            "a circuit stays until another needs its ends; false: it is given up after every flow",
            {kFew, "false", ""}),
      time("lock", "100 ns", "of a receiver, to another transmitter", {kFew, "1 us", ""}),
      time("guard", "20 ns", "between two flows", {kFew, "50 ns", ""}),
      latency_parameter(kFew, "0 s",
                        "of the data from node to node; the default leaves it out, as the cost formulas of "
                        "papers/oddl.md 2.5 do"),
      step_overhead_parameter(kFew),
  };
}

// Requests, grants and who goes first.
std::vector<Parameter> control_parameters() {
  const std::string cut = kMelee + " fabric.quantum=4kB", dead = kMelee + " fabric.dead_arbiter=0";
  Parameter control_rate = rate_parameter(kFew, "of control messages");
  control_rate.name = "control_rate";
  control_rate.fallback = "10 Gb/s";
  control_rate.description = "of control messages";
  control_rate.matters = {kFew, "1 Gb/s", ""};
  Parameter seed = seed_parameter(kLossy, "of the draws of loss and jitter");
  return {
      choice("control", {"distributed", "central", "slotted"},
             "an arbiter for each group, one for all that takes messages one by one, or one for each group that starts "
             "flows at slot boundaries",
             {kMelee, "central", ""}),
      choice("policy", {"srpt", "fifo", "round-robin", "coflow", "planned"},
             "which flow gets a receiver first; planned: nobody asks, the schedule's order stands and is only checked",
             {kFew, "planned", ""}),
      named("fibre", ParameterType::kNumber, "50", "0", "100000",
            "metres from a node to an arbiter, 5 ns each (recalled)", {kFew, "10", ""}),
      named("message_bytes", ParameterType::kNumber, "64", "1", "1000000", "of a control message", {kFew, "1500", ""}),
      control_rate,
      count("arbiter_cycles", "3", "0", "1000000", "of an arbiter, for one message", {kFew, "30", ""}),
      time("clock", "5 ns", "one cycle of an arbiter", {kFew, "10 ns", ""}),
      time("clock_error", "0 s",
           "by which clocks differ; a round trip of messages or more, and a grant means now, not then",
           {kMelee, "1 us", ""}),
      count("lookahead", "1", "0", "2", "requests of a transmitter beyond the flow that it sends", {kMelee, "0", ""}),
      time("grant_timeout", "",
           "of silence, after which a message is repeated; unset: 5 us, or two round trips of control messages where "
           "fibres "
           "are so long (or messages, or arbiters so slow) that these take longer",
           {kLossy, "20 us", ""}),
      count("silences", "3", "0", "1000",
            "repetitions without answer, after which the next group's arbiter is asked; 0: never", {dead, "1", ""}),
      time("aging", "1 ms", "who has waited so long goes first",
           {kMelee + " fabric.policy=round-robin fabric.lookahead=2", "1 ns", ""}),
      time("min_hold", "10 us", "a flow is not cut before", {cut, "1 us", ""}),
      named("quantum", ParameterType::kBytes, "0 B", "0 B", "1 TB",
            "of a flow, after which it is cut if others wait for its receiver; 0: never", {kMelee, "100 kB", ""}),
      time("slot", "1 us", "control = slotted: from one possible start to the next",
           {kMelee + " fabric.control=slotted", "3 us", ""}, "1 ns"),
      named("loss", ParameterType::kNumber, "0", "0", "0.9", "part of the control messages that gets lost",
            {kMelee, "0.2", ""}),
      time("jitter", "0 s", "most by which a control message is late, drawn evenly; what reorders them",
           {kMelee, "1 us", ""}),
      seed,
      count("dead_arbiter", "", "0", "65535", "the group whose arbiter dies; its neighbour stands in",
            {kMelee, "0", ""}),
      time("dead_at", "0 s", "when the dead arbiter dies", {dead, "50 us", ""}),
  };
}

[[noreturn]] void refuse(const Parameters& parameters, const char* name, std::string what, std::string advice) {
  throw Error(ErrorKind::kInput, std::move(what), parameters.place(name), std::move(advice));
}

void read_shape(const Parameters& parameters, OddlOptions& options) {
  const auto integer = [&](const char* name) { return static_cast<std::uint32_t>(parameters.integer(name)); };
  OddlGeometry& g = options.geometry;
  g.nodes_per_group = integer("nodes_per_group");
  const std::uint32_t n = g.nodes_per_group;
  if (parameters.has("groups"))
    g.groups = integer("groups");
  else if (parameters.has("nodes"))
    g.groups = (integer("nodes") + n - 1) / n;
  if (g.nodes() > OddlClaim::kReceivers)
    refuse(parameters, "groups", fmt::format("{} groups of {} nodes are too many", g.groups, n),
           fmt::format("{} nodes are the most", OddlClaim::kReceivers));
  options.nodes = parameters.has("nodes") ? integer("nodes") : g.nodes();
  if (options.nodes > g.nodes())
    refuse(parameters, "nodes", fmt::format("{} nodes are more than {} groups of {} hold", options.nodes, g.groups, n),
           "Raise groups, or leave it out.");
  g.channels = integer("channels");
  options.tunable_receivers = parameters.boolean("tunable_receivers");
  if (g.channels < n && !options.tunable_receivers)
    refuse(parameters, "channels",
           fmt::format("{} channels leave some of the {} nodes of a group without one", g.channels, n),
           "A group has no more nodes than a fibre has channels, unless receivers are tunable.");

  // Transceivers and their planes
  options.trx = integer("trx");
  options.alternate = parameters.boolean("alternate");
  if (options.alternate && options.trx != 2)
    refuse(parameters, "alternate", fmt::format("two transceivers take turns, and a node has {}", options.trx),
           "Set trx = 2.");
  if (parameters.has("planes")) {
    if (integer("planes") % options.trx != 0)
      refuse(parameters, "planes",
             fmt::format("{} planes do not divide among {} transceivers", integer("planes"), options.trx),
             "Give each transceiver equally many planes.");
    g.planes = integer("planes") / options.trx;
  } else {
    // What any-to-any needs: each class has a node in every group
    const std::uint32_t orders = options.tunable_receivers ? 1 : g.channels / n;
    g.planes =
        options.tunable_receivers ? (options.nodes + g.channels - 1) / g.channels : (g.groups + orders - 1) / orders;
    const std::uint64_t each = std::uint64_t{g.groups} * g.channels * options.trx;
    g.planes = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kMostLights / each, 1, g.planes));
  }
  if (std::uint64_t{g.groups} * g.planes * g.channels > kMostLights / options.trx)
    refuse(parameters, "channels",
           fmt::format("{} groups with {} channels on {} planes are too many", g.groups, g.channels,
                       g.planes * options.trx),
           fmt::format("channels of all groups and planes may be {} at most", kMostLights));
}

void read_control(const Parameters& parameters, OddlOptions& options) {
  const auto integer = [&](const char* name) { return static_cast<std::uint32_t>(parameters.integer(name)); };
  OddlControlOptions& c = options.control;
  const std::uint32_t askers = options.askers_per_node();
  c.nodes = options.nodes * askers;
  c.receivers = options.geometry.nodes() * askers;
  c.groups = options.geometry.groups;
  c.mode = oddl_control_mode(parameters.text("control"));
  c.policy = oddl_policy(parameters.text("policy"));
  c.propagation = Time::seconds(kFibreDelay.to_seconds() * parameters.number("fibre"));
  c.message_bytes = parameters.number("message_bytes");
  c.control_rate = parameters.rate("control_rate");
  c.arbiter_cycles = integer("arbiter_cycles");
  c.arbiter_clock = parameters.time("clock");
  c.clock_error = parameters.time("clock_error");
  c.lookahead = integer("lookahead");
  c.grant_timeout = parameters.has("grant_timeout") ? parameters.time("grant_timeout")
                                                    : std::max(c.grant_timeout, c.round_trip() * 2);
  c.silences = integer("silences");
  c.aging = parameters.time("aging");
  c.min_hold = parameters.time("min_hold");
  c.quantum_bytes = parameters.bytes("quantum").value;
  c.slot = parameters.time("slot");
  c.dark = options.dark();
  c.lead = options.step_overhead + options.latency;
  c.rate = options.alternate ? BitRate{0} : options.rate;  // behind a shared port nobody knows when a flow ends
  if (parameters.has("dead_arbiter"))
    c.dead_arbiter = OddlControlOptions::Death{integer("dead_arbiter"), parameters.time("dead_at")};
  if (c.grant_timeout <= c.round_trip())
    refuse(parameters, "grant_timeout",
           fmt::format("an answer takes {}, and by then the request was repeated", format(c.round_trip())),
           "Raise fabric.grant_timeout above a round trip of control messages.");
  const auto refuse_idle = [&](const char* name, bool idle, const char* owner) {
    if (idle && parameters.place(name) != "default")
      refuse(parameters, name, fmt::format("{} means something only with {}", name, owner), "Leave it out.");
  };
  refuse_idle("dead_at", !c.dead_arbiter, "dead_arbiter");
  refuse_idle("slot", c.mode != OddlControlMode::kSlotted, "control = slotted");
  for (const char* name : {"slot", "clock_error"})
    refuse_idle(name, c.policy == OddlPolicy::kPlanned, "a policy that asks (planned follows its schedule)");
  refuse_idle("seed", parameters.number("loss") == 0 && parameters.time("jitter").is_zero(), "loss or jitter");
  if (c.dead_arbiter && c.silences == 0 && c.policy != OddlPolicy::kPlanned)
    refuse(parameters, "silences", "nobody would ever turn from the dead arbiter to another", "Give 1 or more.");
  if (c.dead_arbiter && c.dead_arbiter->arbiter >= c.offices())
    refuse(parameters, "dead_arbiter", fmt::format("there are {} arbiters, numbered from 0", c.offices()),
           "Name one of them.");
  // Until a message arrives it is repeated, and each of the many asks for an answer
  const Time jitter = parameters.time("jitter");
  if (jitter > c.grant_timeout * kMostRepeats)
    refuse(
        parameters, "jitter",
        fmt::format("a message that is late by up to {} and repeated every {} is sent {:.0f} times", format(jitter),
                    format(c.grant_timeout), jitter.to_seconds() / c.grant_timeout.to_seconds()),
        fmt::format("Give at most {}, or raise fabric.grant_timeout above {}.", format(c.grant_timeout * kMostRepeats),
                    format(Time::seconds(jitter.to_seconds() / kMostRepeats))));
  options.messages = {jitter, parameters.number("loss"), static_cast<std::uint64_t>(parameters.integer("seed"))};
}

// The path of the light. Receivers that tune hear all channels of their group: a splitter takes the place of the AWG.
photonics::AmplifiedPath light_of(const Parameters& parameters, const OddlOptions& options) {
  const photonics::OddlPath parts = photonics::oddl_path_from(parameters, options.rate);
  const auto n = static_cast<int>(options.geometry.nodes_per_group);
  photonics::AmplifiedPath path = photonics::oddl_path(parts, n, static_cast<int>(options.geometry.groups));
  if (!options.tunable_receivers) return path;
  for (auto& part : path.parts)
    if (auto* passive = std::get_if<photonics::PassivePart>(&part); passive && passive->name == "AWG")
      *passive = {fmt::format("1:{} splitter", n), photonics::in_decibels(n) + parts.combiner_excess};
  return path;
}

}  // namespace

std::vector<Parameter> oddl_parameters() {
  std::vector<Parameter> all = shape_parameters();
  for (auto&& more : {time_parameters(), control_parameters(), photonics::oddl_path_parameters(kFew, kTwoGroups)})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

OddlOptions oddl_options(const Parameters& parameters) {
  OddlOptions options;
  read_shape(parameters, options);
  options.rate = parameters.rate("rate");
  options.tune = parameters.time("tune");
  options.lock = parameters.time("lock");
  options.guard = parameters.time("guard");
  options.hold = parameters.boolean("hold");
  options.wss = parameters.time("wss");
  options.latency = parameters.time("latency");
  options.step_overhead = parameters.time("step_overhead");
  read_control(parameters, options);
  options.arrival = photonics::require_arrival(light_of(parameters, options));
  return options;
}

}  // namespace helio::fabric
