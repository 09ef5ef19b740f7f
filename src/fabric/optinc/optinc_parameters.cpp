// SPDX-License-Identifier: Apache-2.0
#include "fabric/optinc/optinc_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "fabric/parameters.h"

namespace helio::fabric {
namespace {

constexpr long long kMostNodes = 65536;
constexpr double kMostInstances = 1e6;
constexpr std::uint32_t kMostPorts = 16;  // of a switch that we choose: constructed networks are proven up to here

const std::string kExample = "all-reduce fabric=optinc nodes=8 bytes=100MB algorithm=in-fabric";
const std::string kCascade = "all-reduce fabric=optinc nodes=16 bytes=100MB algorithm=in-fabric";

// Ports of a switch, level by level.
std::vector<long long> ports_of(const Parameters& parameters, long long nodes, bool on_chip) {
  if (parameters.has("ports")) {
    const std::vector<long long> ports = parameters.dimensions("ports");
    long long all = 1;
    for (const long long p : ports) {
      if (p < 2)
        throw Error(ErrorKind::kInput, "a switch of one port averages nothing", parameters.place("ports"),
                    "give 2 ports or more");
      if (p > kMostNodes / all)
        throw Error(ErrorKind::kInput, fmt::format("a cascade of more than {} servers", kMostNodes),
                    parameters.place("ports"), "give fewer ports");
      all *= p;
    }
    if (all < nodes)
      throw Error(ErrorKind::kInput, fmt::format("{} servers do not fit on {} ports", nodes, all),
                  parameters.place("ports"), "give more ports or levels, such as 4x4 for 16 servers");
    return ports;
  }
  // Networks for chips divide by shifts: ports are then a power of two, and those without a server are dark
  const auto whole = [&](long long p) {
    return on_chip ? static_cast<long long>(std::bit_ceil(static_cast<std::uint32_t>(p))) : p;
  };
  if (nodes <= kMostPorts) return {whole(std::max(nodes, 2LL))};
  // As few levels as switches of 16 allow, all alike
  std::size_t levels = 1;
  for (long long all = kMostPorts; all < nodes; all *= kMostPorts) ++levels;
  long long ports = 2;
  const auto reach = [&] { return std::pow(static_cast<double>(ports), static_cast<double>(levels)); };
  while (reach() < static_cast<double>(nodes)) ++ports;
  return std::vector<long long>(levels, whole(ports));
}

// Symbols that hold all that an average of `ports` numbers can have below the point; one more where no number of them does.
int exact_fraction(std::uint32_t ports, int symbol_bits) {
  const int whole = static_cast<int>((std::bit_width(ports - 1) + symbol_bits - 1) / symbol_bits);
  return std::has_single_bit(ports) ? whole : whole + 1;
}

}  // namespace

std::vector<Parameter> optinc_parameters() {
  Parameter nodes =
      nodes_parameter("all-reduce fabric=optinc bytes=1MB algorithm=in-fabric", fmt::format("{}", kMostNodes));
  Parameter rate = rate_parameter(kExample, "one direction of one server's port");
  rate.fallback = "6400 Gb/s";
  rate.description = "one direction of one server's port; the default is 8 x 800 Gb/s, from a secondary source";
  Parameter energy =
      bounded(named("wire_energy", ParameterType::kNumber, "9.4",
                    "pJ for one bit at one end of a server's link; the default is half of a pluggable 800G module of "
                    "15 W (vendors give 13 to 18 W), ours",
                    {kExample, "5", ""}),
              "0", "1000000");
  Parameter heater =
      bounded(named("heater_power", ParameterType::kNumber, "24.77",
                    "mW that a phase shifter takes for a phase of pi (Harris et al., Opt. Express 22(9), 2014); an MZI "
                    "has two, each at pi on average",
                    {kExample, "10", ""}),
              "0", "1000000");
  return {
      nodes,
      rate,
      latency_parameter(kExample, "50 ns",
                        "per link crossed: 2 for each level of switches; the default is 10 m of fibre, ours"),
      step_overhead_parameter(kExample),
      bounded(named("bits", ParameterType::kInteger, "8", "B, of a gradient's code: what is sent is bytes x B / 32",
                    {kExample, "16", ""}),
              "2", "16"),
      bounded(named("symbol_bits", ParameterType::kInteger, "2", "M, of a symbol; 2 is PAM4; must divide bits",
                    {kExample, "4", ""}),
              "1", "4"),
      named("ports", ParameterType::kDimensions, "",
            "servers under a switch, level by level: 4x4 is 16 servers in two levels; unset: one switch up to 16 "
            "servers, then as few "
            "levels of equal switches as it takes; of fabric.network = chip the next power of two",
            {kCascade, "4x4", ""}),
      bounded(named("fraction", ParameterType::kInteger, "",
                    "symbols below the point that each level adds to what it hands on; unset: as many as make the "
                    "cascade exact "
                    "(where ports are a power of two)",
                    {kCascade + " fabric.ports=4x4", "0", "1"}),
              "0", "16"),
      choice("rounding", {"half-up", "floor", "half-even", "dither"}, "half-up",
             "of the average, in the switch; the paper's rule is not known", {kExample, "floor", ""}),
      bounded(
          named("symbol_rate", ParameterType::kNumber, "53.125", "GBd, of one lane; ours", {kExample, "26.5625", ""}),
          "0", "1000000", true),
      bounded(named("instances", ParameterType::kInteger, "",
                    "optical networks side by side in a switch; unset: as many as the line rate takes",
                    {kExample, "1", ""}),
              "1", "1000000"),
      choice("network", {"chip", "constructed", "paper", "paper-ud"}, "chip",
             "what the switch is made of: the network that bears a chip with all its flaws, whose mistakes are in "
             "value_error; or, as if optics had none, the one with few MZIs by construction, or the reported layers "
             "4-64-128-256-128-64-4 as full meshes or as blocks of diagonal and unitary",
             {kExample, "paper", ""}),
      bounded(named("mzi_length", ParameterType::kNumber, "0.2", "mm, of one MZI; recalled", {kExample, "0.5", ""}),
              "0", "1000"),
      bounded(named("group_index", ParameterType::kNumber, "4.2", "of its waveguides; recalled", {kExample, "2", ""}),
              "1", "100"),
      bounded(named("mzi_loss", ParameterType::kDecibel, "0.2 dB",
                    "of one MZI; recalled, published values are 0.1 to 0.5 dB", {kExample, "0.5 dB", ""}),
              "0 dB", "100 dB"),
      bounded(named("activation_delay", ParameterType::kTime, "0 s", "of one layer's activation; not known",
                    {kExample, "1 ns", ""}),
              "0 s", "1 s"),
      choice("scale", {"last", "exchanged"}, "last",
             "the scale that all servers share: that of the last step, which costs nothing, or asked for beforehand by "
             "a round trip over the "
             "links",
             {kExample, "exchanged", ""}),
      energy,
      heater,
  };
}

OptincOptions optinc_options(const Parameters& parameters) {
  OptincOptions options;
  const long long nodes = parameters.integer("nodes");
  options.nodes = static_cast<std::uint32_t>(nodes);
  const std::string& kind = parameters.text("network");
  const std::vector<long long> ports = ports_of(parameters, nodes, kind == "chip");
  if (kind == "chip") options.chip = "default";
  options.levels = TreeLevels(ports);

  // What a switch computes
  const AveragingTask each{.bits = static_cast<int>(parameters.integer("bits")),
                           .symbol_bits = static_cast<int>(parameters.integer("symbol_bits")),
                           .rounding = rounding_named(parameters.text("rounding"))};
  if (each.bits % each.symbol_bits != 0)
    throw Error(ErrorKind::kInput, fmt::format("symbols of {} bits do not fill {} bits", each.symbol_bits, each.bits),
                parameters.place("symbol_bits"), "give a divisor of bits");
  int fraction = 0;
  if (ports.size() > 1) {
    if (parameters.has("fraction"))
      fraction = static_cast<int>(parameters.integer("fraction"));
    else
      for (const long long p : ports)
        fraction = std::max(fraction, exact_fraction(static_cast<std::uint32_t>(p), each.symbol_bits));
  } else if (parameters.has("fraction")) {
    throw Error(ErrorKind::kInput, "one level of switches hands nothing on, and has no fraction",
                parameters.place("fraction"), "leave it out, or give ports of several levels");
  }

  options.tasks = cascade_of(each, std::vector<std::uint32_t>(ports.begin(), ports.end()), fraction);

  // How fast
  options.rate = parameters.rate("rate");
  const BitRate one{parameters.number("symbol_rate") * 1e9 * each.bits};  // K symbols of M bits a symbol time
  const double needed = std::max(1.0, std::ceil(options.rate / one - 1e-9));
  if (!parameters.has("instances") && needed > kMostInstances)
    throw Error(ErrorKind::kInfeasible, fmt::format("the line rate takes {:.3g} optical networks side by side", needed),
                parameters.place("rate"),
                "lower fabric.rate, raise fabric.symbol_rate, or say how many instances there are");
  options.instances = static_cast<std::uint32_t>(
      parameters.has("instances") ? static_cast<double>(parameters.integer("instances")) : needed);
  options.onn_rate = one * options.instances;
  options.latency = parameters.time("latency");
  options.step_overhead = parameters.time("step_overhead");
  if (parameters.text("scale") == "exchanged") options.scale_exchange = options.latency * (2 * options.levels.levels());

  // Of what
  photonics::MziParameters mzi;
  mzi.length_mm = parameters.number("mzi_length");
  mzi.group_index = parameters.number("group_index");
  mzi.loss_db = parameters.decibel("mzi_loss").value;
  for (std::uint32_t l = 1; l <= options.levels.levels(); ++l) {
    const AveragingTask& task = options.tasks[l - 1];
    try {
      task.check();
    } catch (const Error& error) {
      throw Error(ErrorKind::kInfeasible, fmt::format("level {} of the cascade: {}", l, error.message()),
                  parameters.place("bits"),
                  "use fewer bits, fewer levels (fabric.ports), or a smaller fabric.fraction");
    }
    OptincNetwork network = network_for(kind == "chip"       ? OptincNetworkKind::kChip
                                        : kind == "paper"    ? OptincNetworkKind::kPaper
                                        : kind == "paper-ud" ? OptincNetworkKind::kPaperUd
                                                             : OptincNetworkKind::kConstructed,
                                        task, mzi);
    network.flight = network.flight + parameters.time("activation_delay") * network.activations;
    options.networks.push_back(network);
  }
  options.joules_per_bit = 1e-12 * parameters.number("wire_energy");
  options.heater_watts = 1e-3 * parameters.number("heater_power");
  return options;
}

}  // namespace helio::fabric
