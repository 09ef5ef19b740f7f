// SPDX-License-Identifier: Apache-2.0
#include "placement/strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/id.h"
#include "base/split.h"
#include "base/units.h"

namespace helio::placement {
namespace {

constexpr std::array<std::string_view, 3> kDimensions = {"tp", "dp", "pp"};

Error wrong(std::string what, const std::string& place, std::string advice) {
  return Error(ErrorKind::kInput, std::move(what), place, std::move(advice));
}

// "3" or "3-7" as first and last.
std::pair<std::uint32_t, std::uint32_t> range_in(const std::string& text, const std::string& place) {
  const auto ends = split(text, '-');
  try {
    const long long first = parse_integer(ends.front()), last = parse_integer(ends.back());
    if (ends.size() > 2 || first < 0 || last < first || last >= NodeId::kNone) throw Error(ErrorKind::kInput, "");
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
  } catch (const Error&) {
    throw wrong(fmt::format("'{}' is neither a node nor a range of nodes", text), place, "Write 3 or 3-7.");
  }
}

std::vector<int> order_in(const std::string& text, const std::string& place) {
  std::vector<int> order;
  for (const std::string& name : split(without_blanks(text), ',')) {
    const auto found = std::find(kDimensions.begin(), kDimensions.end(), name);
    if (found == kDimensions.end()) throw unknown_name("dimension", name, {"tp", "dp", "pp"}, place);
    order.push_back(static_cast<int>(found - kDimensions.begin()));
  }
  if (order.size() != 3 || std::set<int>(order.begin(), order.end()).size() != 3)
    throw wrong(fmt::format("'{}' does not name each of tp, dp and pp once", text), place,
                "Write tp,dp,pp in the order you want, the fastest first.");
  return order;
}

std::map<std::uint32_t, double> speed_in(const std::string& text, const std::string& place) {
  std::map<std::uint32_t, double> speed;
  for (const std::string& item : split(without_blanks(text), ',')) {
    const auto sides = split(item, '=');
    if (sides.size() != 2)
      throw wrong(fmt::format("'{}' is no speed of a node", item), place, "Write 17=0.5,40-47=0.8.");
    const auto [first, last] = range_in(sides[0], place);
    double value = 0;
    try {
      value = parse_number(sides[1]);
    } catch (const Error& error) {
      throw error.at(place);
    }
    if (!(value > 0) || value > 1)
      throw wrong(fmt::format("a speed of {} is not above 0 and at most 1", sides[1]), place,
                  "1 is the speed of the others.");
    if (last - first > 10'000'000) throw wrong("too many nodes", place, "Name fewer.");
    for (std::uint32_t node = first; node <= last; ++node) speed[node] = value;
  }
  return speed;
}

Parameter count(std::string name, std::string fallback, std::string description) {
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.type = ParameterType::kInteger;
  parameter.fallback = std::move(fallback);
  parameter.minimum = "1";
  parameter.maximum = "1000000";
  parameter.description = std::move(description);
  parameter.optional = parameter.fallback.empty();
  return parameter;
}

Parameter flag(std::string name, std::string fallback, std::string description) {
  return {.name = std::move(name),
          .type = ParameterType::kBoolean,
          .fallback = std::move(fallback),
          .description = std::move(description)};
}

Parameter choice(std::string name, std::string fallback, std::vector<std::string> choices, std::string description) {
  return {.name = std::move(name),
          .type = ParameterType::kChoice,
          .fallback = std::move(fallback),
          .description = std::move(description),
          .choices = std::move(choices)};
}

std::vector<Parameter> declared() {
  Parameter zero = count("zero", "0",
                         "ZeRO stage: 1 divides the optimiser among replicas, 2 the gradients, 3 the parameters "
                         "(Rajbhandari et al. 2020)");
  zero.minimum = "0";
  zero.maximum = "3";
  Parameter first = count("first_node", "0", "the node of rank 0; jobs on one fabric stand on different nodes");
  first.minimum = "0";
  first.maximum = "100000000";
  Parameter micro = {.name = "micro_batch",
                     .type = ParameterType::kNumber,
                     .fallback = "1",
                     .minimum = "0",
                     .maximum = "1000000",
                     .minimum_exclusive = true,
                     .description = "samples that a stage works on at once"};
  Parameter optimiser = {
      .name = "optimiser_bytes",
      .type = ParameterType::kNumber,
      .fallback = "12",
      .minimum = "0",
      .maximum = "64",
      .description = "bytes that the optimiser keeps per parameter; 12: Adam with an fp32 copy and two moments"};
  return {
      count("tp", "1", "tensor parallelism: ranks that share every layer (Shoeybi et al., Megatron-LM 2019)"),
      count("pp", "1", "pipeline parallelism: stages"),
      count("dp", "", "data parallelism: replicas; unset: what is left of the job's NPUs"),
      count("cp", "1",
            "context parallelism: so many ranks share each sequence and exchange keys and values (Liu et al., Ring "
            "attention, 2023)"),
      choice("context", "ring", {"ring", "all-gather"},
             "how: keys and values go round while attention runs, or are gathered before it"),
      count("ep", "1", "expert parallelism: so many ranks hold different experts, out of those of tp, cp and dp"),
      count("etp", "", "ranks that share each expert; unset: as many as tp"),
      count("npus", "", "NPUs of the job; unset: all nodes of the fabric"),
      first,
      micro,
      count("micro_batches", "", "micro-batches per replica and iteration; unset: from global_batch, or 1"),
      {.name = "global_batch",
       .type = ParameterType::kNumber,
       .minimum = "0",
       .maximum = "1000000000",
       .minimum_exclusive = true,
       .description = "samples of one iteration over all replicas",
       .optional = true},
      choice("schedule", "1f1b", {"gpipe", "1f1b", "interleaved"}, "order of passes in a pipeline stage"),
      count("chunks", "1", "model parts per stage, taken in turns; more than one only with schedule = \"interleaved\""),
      flag("blocking_sends", "true", "a stage goes on when what it sent has arrived, as in Megatron-LM"),
      flag("scattered_sends", "true",
           "each tensor-parallel rank sends its share to the next stage, which gathers it (Narayanan et al. 2021, "
           "section 4.1)"),
      flag("multicast_sends", "false",
           "one tensor-parallel rank sends the whole output to every rank of the next stage, copied by the fabric "
           "(FRED, "
           "section 2.8 of its notes)"),
      flag("uneven", "false", "tp need not divide the attention heads; work is counted as if it did"),
      flag("sequence_parallel", "false",
           "norms and residuals divided along the sequence; all-reduce becomes reduce-scatter and all-gather "
           "(Korthikanti et al. 2022)"),
      zero,
      flag("gather_ahead", "false",
           "zero 1 and 2: parameters are gathered piece by piece while the first micro-batch goes forward, as Megatron "
           "can; "
           "otherwise all at once after the optimiser"),
      count(
          "zero_group", "",
          "zero 3: parameters are divided among so many replicas, and such groups hold copies (FSDP in groups); unset: "
          "among all"),
      choice("recompute", "none", {"none", "selective", "full"},
             "activations computed again in backward: none, the attention core, everything"),
      {.name = "recompute_share",
       .type = ParameterType::kNumber,
       .fallback = "1",
       .minimum = "0",
       .maximum = "1",
       .minimum_exclusive = true,
       .description =
           "of a layer's operations, those that recompute = \"full\" computes again; what it keeps is not counted"},
      choice("ends_count", "false", {"false", "true", "light"},
             "true: embedding and head count as a block each where blocks are dealt out to stages, as Megatron can; "
             "light: "
             "the last stage takes what even numbers of blocks leave, as DeepSeek-V3's layouts have it"),
      {.name = "bucket",
       .type = ParameterType::kBytes,
       .fallback = "25 MiB",
       .minimum = "1 B",
       .maximum = "1 PB",
       .description = "gradients that are reduced together while backward goes on; the default is PyTorch DDP's"},
      flag("overlap", "true", "gradients are reduced while backward still runs; otherwise all at once after it"),
      flag("clip", "true", "the optimiser waits for all gradients, because it clips them by their norm"),
      flag("lock_step", "false",
           "all replicas of a stage compute and exchange at once, as one: far less to follow, and the same time where "
           "they and their ways are alike"),
      choice("execution", "stationary", {"stationary", "streaming"},
             "where parameters live: on the NPUs, or outside, from where they stream in"),
      {.name = "io_rate",
       .type = ParameterType::kRate,
       .description = "all I/O channels of the job together, one direction, as links of its own; unset: the fabric's "
                      "I/O, where it has any",
       .optional = true},
      {.name = "sample_bytes",
       .type = ParameterType::kBytes,
       .fallback = "0 B",
       .minimum = "0 B",
       .maximum = "1 TB",
       .description = "bytes that come in through I/O for each sample"},
      choice("precision", "bf16", precision_names(),
             "of matrix products; parameters and activations have as many bits, but at least 16"),
      {.name = "gradient_precision",
       .type = ParameterType::kChoice,
       .description = "of reduced gradients; unset: as parameters have",
       .choices = precision_names(),
       .optional = true},
      optimiser,
      {.name = "rank_order",
       .type = ParameterType::kText,
       .fallback = "tp,dp,pp",
       .description = "dimensions over the nodes, the fastest first; tp,dp,pp is Megatron's"},
      {.name = "ranks",
       .type = ParameterType::kText,
       .description = "explicit map: the node of each rank, such as 0-7,16-23",
       .optional = true},
      {.name = "speed", .type = ParameterType::kText, .description = "slow nodes: 17=0.5,40-47=0.8", .optional = true},
  };
}

// Fills the degrees of parallelism.
void read_degrees(const Parameters& p, std::uint64_t nodes, Strategy& s) {
  s.tp = static_cast<int>(p.integer("tp"));
  s.pp = static_cast<int>(p.integer("pp"));
  s.cp = static_cast<int>(p.integer("cp"));
  s.ep = static_cast<int>(p.integer("ep"));
  if (p.has("etp")) s.etp = static_cast<int>(p.integer("etp"));
  const std::uint64_t npus = p.has("npus") ? static_cast<std::uint64_t>(p.integer("npus")) : nodes;
  const std::uint64_t cell =
      static_cast<std::uint64_t>(s.tp) * static_cast<std::uint64_t>(s.pp) * static_cast<std::uint64_t>(s.cp);
  if (p.has("dp"))
    s.dp = static_cast<int>(p.integer("dp"));
  else if (npus % cell == 0 && npus >= cell)
    s.dp = static_cast<int>(npus / cell);
  const std::string& blamed = p.has("dp") ? p.place("dp") : p.place(s.tp > 1 || s.pp == 1 ? "tp" : "pp");
  if (s.npus() != npus)
    throw wrong(fmt::format("tp {} x pp {} x {}dp {} = {} NPUs, but the job has {}", s.tp, s.pp,
                            s.cp > 1 ? fmt::format("cp {} x ", s.cp) : "",
                            p.has("dp") ? fmt::format("{}", s.dp) : "(any)", p.has("dp") ? s.npus() : cell, npus),
                blamed, "Choose degrees whose product is the number of NPUs, or set npus.");
  if (s.tp % s.of_expert() != 0)
    throw wrong(fmt::format("etp {} does not divide tp {}", s.etp, s.tp), p.place("etp"), "Choose a divisor.");
  if (s.of_expert() == s.tp && s.replicas() % s.ep != 0)
    throw wrong(fmt::format("ep {} does not divide {} {}", s.ep, s.cp > 1 ? "cp x dp" : "dp", s.replicas()),
                p.place("ep"), "Experts are shared by whole replicas.");
  if (s.tp % s.expert_ranks() != 0 && (s.expert_ranks() % s.tp != 0 || s.replicas() % s.block() != 0))
    throw wrong(
        fmt::format("ep {} x etp {} = {} ranks hold the experts, and tp {} x cp {} x dp {} are not so many times that",
                    s.ep, s.of_expert(), s.expert_ranks(), s.tp, s.cp, s.dp),
        p.place("ep"), "Choose divisors.");
}

void read_batches(const Parameters& p, Strategy& s) {
  s.micro_batch = p.number("micro_batch");
  if (p.has("micro_batches")) s.micro_batches = static_cast<std::uint64_t>(p.integer("micro_batches"));
  if (!p.has("global_batch")) return;
  const double each = p.number("global_batch") / s.micro_batch / s.dp;
  const double rounded = std::round(each);
  if (rounded < 1 || rounded > 1e6 || std::abs(each - rounded) > 1e-9 * each)
    throw wrong(fmt::format("global_batch {} is no whole number of micro-batches of {} samples on {} replicas",
                            p.number("global_batch"), s.micro_batch, s.dp),
                p.place("global_batch"), "Make it a multiple of micro_batch times dp.");
  if (p.has("micro_batches") && s.micro_batches != static_cast<std::uint64_t>(rounded))
    throw wrong(fmt::format("global_batch gives {} micro-batches, micro_batches says {}", rounded, s.micro_batches),
                p.place("global_batch"), "Leave one of them out.");
  s.micro_batches = static_cast<std::uint64_t>(rounded);
}

void read_nodes(const Parameters& p, std::uint64_t nodes, Strategy& s) {
  s.rank_order = order_in(p.text("rank_order"), p.place("rank_order"));
  s.first = static_cast<std::uint32_t>(p.integer("first_node"));
  if (p.has("speed")) s.speed = speed_in(p.text("speed"), p.place("speed"));
  for (const auto& [node, ignored] : s.speed)
    if (node >= nodes)
      throw wrong(fmt::format("the fabric has no node {}", node), p.place("speed"),
                  fmt::format("numbers run from 0 to {}", nodes - 1));
  const auto check_speed = [&](auto is_member) {
    for (const auto& [node, ignored] : s.speed)
      if (!is_member(node))
        throw wrong(fmt::format("node {} is none of the job's", node), p.place("speed"),
                    "Name nodes of this job only.");
  };
  if (!p.has("ranks")) {
    check_speed([&](std::uint32_t node) { return node >= s.first && node - s.first < s.npus(); });
    if (s.first + s.npus() > nodes)
      throw wrong(fmt::format("{} NPUs from node {} on do not fit on {} nodes", s.npus(), s.first, nodes),
                  p.place(s.first > 0 ? "first_node" : "tp"), "Make the fabric larger or the job smaller.");
    return;
  }
  const std::string& place = p.place("ranks");
  if (s.first > 0)
    throw wrong("first_node and ranks contradict each other", p.place("first_node"), "Leave one of them out.");
  std::set<std::uint32_t> seen;
  for (const std::string& item : split(without_blanks(p.text("ranks")), ',')) {
    const auto [first, last] = range_in(item, place);
    if (last >= nodes)
      throw wrong(fmt::format("the fabric has no node {}", last), place,
                  fmt::format("numbers run from 0 to {}", nodes - 1));
    for (std::uint32_t node = first; node <= last; ++node) {
      if (!seen.insert(node).second)
        throw wrong(fmt::format("node {} stands twice", node), place, "Each rank needs a node of its own.");
      s.ranks.push_back(node);
    }
  }
  check_speed([&](std::uint32_t node) { return seen.contains(node); });
  if (s.ranks.size() != s.npus())
    throw wrong(fmt::format("ranks names {} nodes, the job has {} NPUs", s.ranks.size(), s.npus()), place,
                "Name one node for each rank.");
}

}  // namespace

const std::vector<Parameter>& strategy_parameters() {
  static const std::vector<Parameter> parameters = declared();
  return parameters;
}

Strategy strategy_from(const Parameters& p, std::uint64_t nodes, bool io) {
  Strategy s;
  read_degrees(p, nodes, s);
  read_batches(p, s);
  read_nodes(p, nodes, s);

  // How passes follow each other
  const std::string& order = p.text("schedule");
  s.order = order == "gpipe"  ? PipelineOrder::kGpipe
            : order == "1f1b" ? PipelineOrder::k1f1b
                              : PipelineOrder::kInterleaved;
  s.chunks = static_cast<int>(p.integer("chunks"));
  if (s.chunks > 1 && s.order != PipelineOrder::kInterleaved)
    throw wrong(fmt::format("{} chunks need schedule = \"interleaved\"", s.chunks), p.place("chunks"),
                "Set it, or leave chunks out.");
  if (s.order == PipelineOrder::kInterleaved && s.micro_batches % static_cast<std::uint64_t>(s.pp) != 0)
    throw wrong(fmt::format("the interleaved schedule takes micro-batches in turns of pp = {}, and there are {}", s.pp,
                            s.micro_batches),
                p.place("schedule"), "Make micro_batches a multiple of pp.");
  s.blocking_sends = p.boolean("blocking_sends");
  s.scattered_sends = p.boolean("scattered_sends");
  s.multicast_sends = p.boolean("multicast_sends");
  if (s.multicast_sends && p.boolean("sequence_parallel"))
    throw wrong("with sequence_parallel no rank has the whole output to multicast", p.place("multicast_sends"),
                "Leave one of them out.");
  s.uneven = p.boolean("uneven");
  s.sequence_parallel = p.boolean("sequence_parallel");
  const std::string& recompute = p.text("recompute");
  s.recompute_share = p.number("recompute_share");
  if (s.recompute_share < 1 && recompute != "full")
    throw wrong("recompute_share is a part of what recompute = \"full\" computes again", p.place("recompute_share"),
                "Set recompute, or leave it out.");
  s.ring_attention = p.text("context") == "ring";
  const std::string& ends = p.text("ends_count");
  s.ends = ends == "light" ? Ends::kLight : ends == "true" ? Ends::kCount : Ends::kBeside;
  s.recompute = recompute == "none" ? Recompute::kNone : recompute == "full" ? Recompute::kFull : Recompute::kSelective;

  // What becomes of gradients and parameters
  s.zero = static_cast<int>(p.integer("zero"));
  s.gather_ahead = p.boolean("gather_ahead");
  if (s.gather_ahead && (s.zero == 0 || s.zero == 3))
    throw wrong("gather_ahead is about parameters that zero 1 or 2 gathers once an iteration", p.place("gather_ahead"),
                "Set zero to 1 or 2, or leave it out.");
  if (p.has("zero_group")) {
    s.zero_group = static_cast<int>(p.integer("zero_group"));
    if (s.zero != 3 || s.replicas() % s.zero_group != 0)
      throw wrong(fmt::format("zero_group {} divides parameters among {} replicas", s.zero_group, s.replicas()),
                  p.place("zero_group"), "Set zero = 3 and choose a divisor of dp x cp.");
    if (s.zero_group == s.replicas()) s.zero_group = 0;
  }
  s.bucket = p.bytes("bucket");
  s.overlap = p.boolean("overlap");
  s.clip = p.boolean("clip");
  s.lock_step = p.boolean("lock_step");
  s.precision = precision_named(p.text("precision"), p.place("precision"));
  s.gradient_precision = p.has("gradient_precision")
                             ? precision_named(p.text("gradient_precision"), p.place("gradient_precision"))
                         : below_16_bits(s.precision) ? Precision::kBf16
                                                      : s.precision;
  s.optimiser_bytes = p.number("optimiser_bytes");
  s.streaming = p.text("execution") == "streaming";
  if (p.has("io_rate")) s.io_rate = p.rate("io_rate");
  s.sample_bytes = p.bytes("sample_bytes");
  s.fabric_io = io && !p.has("io_rate");
  if ((s.streaming || s.sample_bytes > Bytes{0}) && !(s.io_rate > BitRate{0}) && !s.fabric_io)
    throw wrong("bytes come in through I/O, and io_rate is not set",
                p.place(s.streaming ? "execution" : "sample_bytes"),
                "Set io_rate to what all I/O channels carry together, such as \"18432 Gb/s\".");
  if (s.streaming && s.chunks > 1)
    throw wrong("weight streaming takes consecutive layers in turns by itself, so chunks have no meaning",
                p.place("chunks"), "Leave chunks out.");
  if (s.streaming && p.place("schedule") != "default")
    throw wrong("weight streaming has an order of its own, so schedule has no meaning", p.place("schedule"),
                "Leave schedule out.");
  if (s.streaming && s.zero > 0)
    throw wrong("with weight streaming nothing of the optimiser is on the NPUs, so zero has no meaning",
                p.place("zero"), "Leave zero out.");
  return s;
}

}  // namespace helio::placement
