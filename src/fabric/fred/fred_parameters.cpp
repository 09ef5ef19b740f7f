// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/units.h"
#include "fabric/fred/fred_chiplets.h"
#include "fabric/parameters.h"

namespace helio::fabric {
namespace {

constexpr long long kMostNodes = 4096;
constexpr double kTaper = 8;  // variants A and B: 12 TB/s over 1.5 TB/s, published
constexpr std::uint32_t kPublishedMiddles = 3;
constexpr BitRate kPublishedRate{24e12};                                          // 3 TB/s
constexpr BitRate kPublishedRateOfLinks{20 * 24e12 + 5 * 96e12 + 18 * 1.024e12};  // NPUs', L1 switches', I/O channels

const std::string kExample = "all-reduce fabric=fred bytes=1GB algorithm=in-fabric";
const std::string kRing = "all-reduce fabric=fred bytes=1GB algorithm=ring";

// What `radix` and `nodes` say together.
std::vector<long long> radix_of(const Parameters& parameters) {
  if (!parameters.has("radix")) {
    const long long nodes = parameters.has("nodes") ? parameters.integer("nodes") : 20;
    if (nodes <= 4) return {nodes};
    if (nodes % 4 != 0)
      throw Error(ErrorKind::kInput, fmt::format("{} NPUs do not divide into L1 switches of 4", nodes),
                  parameters.place("nodes"),
                  fmt::format("Give fabric.radix, such as {} for one switch, or a multiple of 4.", nodes));
    return {4, nodes / 4};
  }
  const std::vector<long long> radix = parameters.dimensions("radix");
  long long nodes = 1;
  for (const long long r : radix) {
    if (r > kMostNodes / nodes)
      throw Error(ErrorKind::kInput,
                  fmt::format("a tree of {} has more than {} NPUs", fmt::join(radix, "x"), kMostNodes),
                  parameters.place("radix"), "give smaller radices");
    nodes *= r;
  }
  if (parameters.has("nodes") && parameters.integer("nodes") != nodes)
    throw Error(
        ErrorKind::kInput,
        fmt::format("a tree of {} has {} NPUs, not {}", fmt::join(radix, "x"), nodes, parameters.integer("nodes")),
        parameters.place("nodes"), fmt::format("leave nodes out, or give {}", nodes));
  return radix;
}

// The rate of one link up from every level but the last.
std::vector<BitRate> rates_of(const Parameters& parameters, const TreeLevels& levels, bool tapered) {
  std::vector<BitRate> rates{parameters.rate("rate")};
  for (std::uint32_t level = 1; level < levels.levels(); ++level)
    rates.push_back(rates.front() * (levels.span(level) / (tapered ? kTaper : 1)));
  if (!parameters.has("uplink")) return rates;
  std::vector<std::string> texts{""};
  for (const char c : parameters.text("uplink")) {
    if (c == ',')
      texts.emplace_back();
    else
      texts.back() += c;
  }
  if (texts.size() + 1 != levels.levels())
    throw Error(
        ErrorKind::kInput,
        fmt::format("{} uplink rates for {} levels of switches below the top", texts.size(), levels.levels() - 1),
        parameters.place("uplink"), "Give one rate for each, from the lowest level up, such as \"12 TB/s,30 TB/s\".");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    try {
      rates[i + 1] = parse_rate(texts[i]);
    } catch (const Error& error) {
      throw error.at(parameters.place("uplink"));
    }
    if (!(rates[i + 1] > BitRate{0}))
      throw Error(ErrorKind::kInput, "an uplink needs a rate above zero", parameters.place("uplink"), "Raise it.");
  }
  return rates;
}

// Settings that nothing would read.
void refuse_idle(const Parameters& parameters, std::initializer_list<const char*> names, const char* owner) {
  for (const char* name : names)
    if (parameters.has(name) && parameters.place(name) != "default")
      throw Error(ErrorKind::kInput, fmt::format("{} means something only with {}", name, owner),
                  parameters.place(name), "Leave it out.");
}

void check_chiplets(const FredOptions& options, const Parameters& parameters) {
  const auto refuse = [&](std::string what, std::string advice) {
    throw Error(ErrorKind::kInput, std::move(what), parameters.place("structure"), std::move(advice));
  };
  if (options.levels.levels() != 2)
    refuse("the wiring of chiplets is known for two levels of switches only", "Use structure = flat.");
  const std::uint32_t npus = options.levels.radix(1);
  if (npus % options.chips != 0)
    refuse(fmt::format("{} uplinks of a chiplet do not divide among {} chips", npus, options.chips), "Change chips.");
  if (options.rates[1] != options.rates[0] * npus)
    refuse("the wiring of chiplets is known for uplinks as wide as the NPUs below (variants C and D) only",
           "Use structure = flat.");
}

}  // namespace

std::vector<Parameter> fred_parameters() {
  Parameter nodes = nodes_parameter(kExample, fmt::format("{}", kMostNodes), "16");
  nodes.optional = true;
  nodes.description += "; must agree with radix where both are given; unset: 20";
  nodes.matters = {kRing, "16", "20"};
  Parameter rate = rate_parameter(kExample, "one direction of one NPU's link");
  rate.fallback = "3 TB/s";
  rate.description = "one direction of one NPU's link; the default is published (half of 6 TB/s for the network)";
  rate.matters = {kExample, "1 TB/s", ""};
  Parameter latency =
      latency_parameter(kRing, "0 s",
                        "per link crossed: 2 through an L1, 4 through the L2; what a switch takes is not "
                        "published, and 20 ns for a wire only by a secondary source");
  Parameter io_rate = named("io_rate", ParameterType::kRate, "128 GB/s", "one I/O channel, each direction; published",
                            {kExample, "512 GB/s", ""});
  io_rate.minimum = "0 b/s";
  io_rate.minimum_exclusive = true;
  io_rate.maximum = "1000 Pb/s";
  Parameter energy =
      named("wire_energy", ParameterType::kNumber, "0.063",
            "pJ to move one bit over one link; the default is from a secondary source", {kExample, "0.1", ""});
  energy.minimum = "0";
  energy.maximum = "1000000";
  Parameter reconfigure =
      named("reconfigure", ParameterType::kTime, "0 s",
            "before a port carries another in-switch flow than its last; not published", {kExample, "1 us", ""});
  reconfigure.minimum = "0 s";
  reconfigure.maximum = "1 s";
  const std::string dp = "all-reduce fabric=fred bytes=1GB algorithm=in-fabric strategy=5-4-1 phase=dp";
  std::vector<Parameter> all = {
      nodes,
      named("radix", ParameterType::kDimensions, "",
            "what is below a switch, level by level: 4x5 is 5 L1 switches of 4 NPUs under one L2; unset: 4x(nodes/4)",
            {kRing + " fabric.variant=A", "5x4", "4x5"}),
      choice("variant", {"A", "B", "C", "D"}, "D",
             "of the paper: A and B have uplinks of 1.5 TB/s (an eighth of the NPUs below), C and D of 12 TB/s; B and "
             "D add "
             "in the switches",
             {kRing, "A", ""}),
      rate,
      named("uplink", ParameterType::kText, "",
            "one direction of one link up from each level of switches, lowest first, such as \"12 TB/s\"; unset: by "
            "variant",
            {kRing, "1 TB/s", ""}),
      named("reduces", ParameterType::kBoolean, "", "whether switches add; unset: by variant",
            {kExample + " remedy=endpoint", "false", ""}),
      named("multicasts", ParameterType::kBoolean, "true",
            "whether switches copy; all published variants do in the pipeline phase",
            {"broadcast fabric=fred bytes=1GB algorithm=in-fabric remedy=endpoint", "false", ""}),
      count("middle", "3", "2", "64", "middle switches of each Fred_m: what routes at once; the paper has 3 everywhere",
            {"all-reduce fabric=fred bytes=1GB algorithm=in-fabric strategy=1-2-3 phase=dp remedy=block", "2", ""}),
      choice("structure", {"flat", "chiplets"}, "flat",
             "what must route: one switch over all NPUs (the paper's claim), or every chiplet of every plane (derived "
             "wiring)",
             {dp, "chiplets", ""}),
      count("planes", "5", "1", "64",
            "chiplets: planes that every NPU link is split over; derived from the published areas",
            {dp + " fabric.structure=chiplets", "4", ""}),
      count("chips", "2", "1", "64", "chiplets: L2 chips per plane; derived from the published areas",
            {dp + " fabric.structure=chiplets", "1", ""}),
      named("partial", ParameterType::kBoolean, "true",
            "chiplets: what does not fit at full rate goes on fewer planes; false: it is refused, and remedies apply",
            {dp + " fabric.structure=chiplets remedy=block", "false", ""}),
      latency,
      step_overhead_parameter(kRing),
      reconfigure,
      count("io_channels", "18", "0", "100000", "I/O channels, spread over the L1 switches; published",
            {kExample + " fabric.variant=B", "36", ""}),
      io_rate,
      energy,
      named(
          "static_power", ParameterType::kPower, "",
          "of all switches; unset: 179.35 W for the wafer as published (4x5, m = 3, C and D), for others half to twice "
          "that in proportion to the rates of their links, ours",
          {kExample, "100 W", ""}),
  };
  for (Parameter& p : compression_parameters(kExample)) all.push_back(std::move(p));
  return all;
}

FredOptions fred_options(const Parameters& parameters) {
  FredOptions options;
  options.levels = TreeLevels(radix_of(parameters));
  const std::string& variant = parameters.text("variant");
  options.rates = rates_of(parameters, options.levels, variant == "A" || variant == "B");
  options.reduces = parameters.has("reduces") ? parameters.boolean("reduces") : variant == "B" || variant == "D";
  options.multicasts = parameters.boolean("multicasts");
  options.middles = static_cast<std::uint32_t>(parameters.integer("middle"));
  options.chiplets = parameters.text("structure") == "chiplets";
  options.planes = static_cast<std::uint32_t>(parameters.integer("planes"));
  options.chips = static_cast<std::uint32_t>(parameters.integer("chips"));
  options.partial = parameters.boolean("partial");
  options.latency = parameters.time("latency");
  options.step_overhead = parameters.time("step_overhead");
  options.reconfigure = parameters.time("reconfigure");
  options.io_channels = static_cast<std::uint32_t>(parameters.integer("io_channels"));
  options.io_rate = parameters.rate("io_rate");
  options.compression = compression_from(parameters);
  options.joules_per_bit = 1e-12 * parameters.number("wire_energy");
  const bool published = options.levels.words() == "4x5" && options.middles == kPublishedMiddles &&
                         options.rates == std::vector{kPublishedRate, kPublishedRate * 4} && options.planes == 5 &&
                         options.chips == 2;
  const double watts = parameters.has("static_power") ? parameters.power("static_power").value : kFredWaferPower.value;
  options.static_watts = {watts, watts};
  if (!parameters.has("static_power") && !published) {
    const double share = options.rate_of_links() / kPublishedRateOfLinks;
    options.static_watts = {share * watts / 2, share * watts * 2};
  }
  if (options.chiplets) check_chiplets(options, parameters);
  if (!options.chiplets) refuse_idle(parameters, {"planes", "chips", "partial"}, "structure = chiplets");
  if (options.compression.format != schedule::WireFormat::kTopK)
    refuse_idle(parameters, {"keep", "error"}, "compression = top-k");
  if (options.compression.format == schedule::WireFormat::kPlain)
    refuse_idle(parameters, {"codec_delay"}, "compression");
  return options;
}

}  // namespace helio::fabric
