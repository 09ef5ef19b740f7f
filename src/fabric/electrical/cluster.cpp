// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "fabric/electrical/flow_hash.h"
#include "fabric/electrical/protocols.h"
#include "fabric/parameters.h"
#include "fabric/routed.h"

namespace helio::fabric {
namespace {

constexpr const char* kMostNodes = "1048576";

// How many there are of everything.
struct Counts {
  std::uint32_t nodes, per_server, servers, nics;  // nics: of a server
  std::uint32_t leaf, leaves, uplinks;             // servers of a leaf switch, leaf switches, uplinks of each
};

Counts count(const Parameters& parameters) {
  const auto integer = [&](const char* name) { return static_cast<std::uint32_t>(parameters.integer(name)); };
  Counts c{};
  c.nodes = integer("nodes");
  const std::uint32_t room = integer("npus_per_node");
  c.per_server = std::min(c.nodes, room);
  c.servers = c.nodes / c.per_server;
  if (c.nodes % c.per_server != 0)
    throw Error(
        ErrorKind::kInput, fmt::format("{} NPUs do not fill servers of {}", c.nodes, room), parameters.place("nodes"),
        fmt::format("give a multiple of fabric.npus_per_node, such as {}, or at most {} for a part of one server",
                    (c.servers + 1) * room, room));
  c.nics = parameters.has("nics") ? integer("nics") : room;
  if (room % c.nics != 0)
    throw Error(ErrorKind::kInput, fmt::format("{} NICs cannot be shared evenly by {} NPUs", c.nics, room),
                parameters.place("nics"), "give a divisor of fabric.npus_per_node");
  c.nics = std::min(c.nics, c.per_server);
  c.leaf = std::min(integer("leaf"), c.servers);
  c.leaves = (c.servers + c.leaf - 1) / c.leaf;
  c.uplinks =
      std::max(1u, static_cast<std::uint32_t>(std::ceil(c.leaf * c.nics / parameters.number("oversubscription"))));
  return c;
}

class Cluster : public RoutedFabric {
 public:
  explicit Cluster(const Parameters& parameters)
      : count_(count(parameters)),
        rails_(parameters.text("network") == "rails"),
        seed_(static_cast<std::uint64_t>(parameters.integer("seed"))),
        wire_rate_(parameters.rate("rate")),
        wire_network_rate_(parameters.rate("network_rate")),
        rate_(wire_rate_ * parameters.number("efficiency")),
        network_rate_(wire_network_rate_ * parameters.number("network_efficiency")),
        latency_(parameters.time("latency")),
        network_latency_(parameters.time("network_latency")),
        launch_(parameters.time("launch")),
        protocols_(parameters) {
    const double each = count_.leaf * count_.nics / parameters.number("oversubscription") / count_.uplinks;
    uplink_rate_ = network_rate_ * each;
    wire_uplink_rate_ = wire_network_rate_ * each;
    capabilities_.step_overhead = parameters.time("step_overhead");
    say_what_a_server_can();
    if (count_.servers > 1) say_what_the_network_can();
    add_resources();
  }

  // At the rates on the wire; what moves is payload.
  Bill bill() const override {
    const Counts& c = count_;
    Bill bill;
    const std::uint32_t ports = bill.add({"serdes", 1.0 * c.nodes, "an NPU's NVLink ports", 2 * wire_rate_}),
                        inside = bill.add({"nvlink-switch", 1.0 * c.servers, "each server", c.per_server * wire_rate_});
    bill.cross(ports_.first_out, c.nodes, {{ports}, {inside}});
    bill.cross(ports_.first_in, c.nodes, {{ports}});
    if (c.servers == 1) return bill;
    const double nics = static_cast<double>(c.servers) * c.nics, leaves = rails_ ? c.nics : c.leaves;
    const BitRate rate = wire_network_rate_, below = rails_ ? c.servers * rate : c.leaf * c.nics * rate;
    const bool spines = !rails_ && c.leaves > 1;
    const std::uint32_t adapters = bill.add({"nic", nics, "each NIC", 2 * rate}),
                        modules = bill.add({"optical-module", 2 * nics, "NIC to switch, both ends", 2 * rate});
    const std::uint32_t leaf = bill.add({"switch-chip", leaves, rails_ ? "each rail" : "leaf switches",
                                         spines ? below + c.uplinks * wire_uplink_rate_ : below});
    bill.cross(nics_.first_out, c.servers * c.nics, {{adapters}, {modules, 2}, {leaf}});
    bill.cross(nics_.first_in, c.servers * c.nics, {{adapters}, {modules, 2}});
    if (!spines) return bill;
    const std::uint32_t links = c.leaves * c.uplinks,
                        fibres = bill.add(
                            {"optical-module", 2.0 * links, "leaf to spine, both ends", 2 * wire_uplink_rate_}),
                        spine =
                            bill.add({"switch-chip", 1.0 * c.uplinks, "spine switches", c.leaves * wire_uplink_rate_});
    bill.cross(uplinks_.first_out, links, {{fibres, 2}, {spine}});
    bill.cross(uplinks_.first_in, links, {{fibres, 2}, {leaf}});
    return bill;
  }

  void route(NodeId from, NodeId to, const Carriage& carriage, Way& way) const override {
    const std::uint32_t server = from.value / count_.per_server, other = to.value / count_.per_server;
    BitRate narrowest = rate_;
    if (server == other) {
      cross_switch(from.value, to.value, way);
    } else {
      narrowest = network_rate_;
      std::uint32_t sender = from.value;
      // To another rail by way of the neighbour that sits where the receiver does
      if (rails_ && nic_of(sender) % count_.nics != nic_of(to.value) % count_.nics) {
        sender = server * count_.per_server + to.value % count_.per_server;
        cross_switch(from.value, sender, way);
        narrowest = std::min(narrowest, rate_);
      }
      way.cross(nics_.out(nic_of(sender)));
      way.latency += network_latency_ * 2;
      if (const std::uint32_t leaf = server / count_.leaf, last = other / count_.leaf; !rails_ && leaf != last) {
        const std::uint32_t spine = FlowHash(seed_, from, to).pick(0, count_.uplinks);
        way.cross(uplinks_.out(leaf * count_.uplinks + spine));
        way.cross(uplinks_.in(last * count_.uplinks + spine));
        way.latency += network_latency_ * 2;
        narrowest = std::min(narrowest, uplink_rate_);
      }
      way.cross(nics_.in(nic_of(to.value)));
    }
    const Bytes message = carriage.schedule.slot_bytes(carriage.request.bytes) * carriage.move.count;
    const Protocols::Cost cost = protocols_.quickest(message, narrowest);
    way.latency += cost.latency;
    way.bytes_factor *= cost.factor;
  }

  // A collective is one kernel: its launch comes before everything, once.
  std::optional<Refusal> complete(const schedule::Schedule& schedule, const LowerOptions&, flow::Program& program,
                                  Lowered& lowered) const override {
    if (launch_.is_zero()) return std::nullopt;
    flow::Operation launch, run;
    launch.duration = launch_;
    run.kind = flow::OperationKind::kCall;
    run.callee = lowered.entry;
    lowered.entry =
        program.add({.name = "launch of " + schedule.algorithm, .operations = {launch, run}, .edges = {{0, 1}}});
    return std::nullopt;
  }

 private:
  // Links that come in pairs: out of a port and into it, up and down.
  struct Pairs {
    flow::ResourceId first_out, first_in;
    flow::ResourceId out(std::uint32_t i) const { return {first_out.value + i}; }
    flow::ResourceId in(std::uint32_t i) const { return {first_in.value + i}; }
  };
  template <class Name>
  Pairs both_ways(std::uint32_t count, BitRate rate, std::string out, std::string in, Name name) {
    Pairs pairs;
    pairs.first_out =
        resources_.add_links(count, rate, {[name](std::uint32_t i) { return name(i, true); }, std::move(out)});
    pairs.first_in =
        resources_.add_links(count, rate, {[name](std::uint32_t i) { return name(i, false); }, std::move(in)});
    return pairs;
  }

  void add_resources() {
    const Counts c = count_;
    ports_ = both_ways(
        c.nodes, rate_, "NVLink port of NPU, out", "NVLink port of NPU, in",
        [=](std::uint32_t i, bool out) { return fmt::format("NVLink port of NPU {}, {}", i, out ? "out" : "in"); });
    if (c.servers == 1) return;
    nics_ = both_ways(c.servers * c.nics, network_rate_, "NIC of server, out", "NIC of server, in",
                      [=](std::uint32_t i, bool out) {
                        return fmt::format("NIC {} of server {}, {}", i % c.nics, i / c.nics, out ? "out" : "in");
                      });
    if (rails_ || c.leaves == 1) return;
    uplinks_ = both_ways(
        c.leaves * c.uplinks, uplink_rate_, "uplink of leaf", "downlink of leaf", [=](std::uint32_t i, bool up) {
          return fmt::format("{} {} of leaf {}", up ? "uplink" : "downlink", i % c.uplinks, i / c.uplinks);
        });
  }

  std::uint32_t nic_of(std::uint32_t npu) const {
    return npu / count_.per_server * count_.nics + npu % count_.per_server * count_.nics / count_.per_server;
  }
  void cross_switch(std::uint32_t from, std::uint32_t to, Way& way) const {
    way.cross(ports_.out(from));
    way.cross(ports_.in(to));
    way.latency += latency_ * 2;
  }

  // Promises for the bound hold for the best of all protocols: the least latency, the fewest bytes on the wire.
  BitRate payload(BitRate rate) const { return rate / protocols_.least_factor(); }

  void say_what_a_server_can() {
    capabilities_.fabric = "cluster";
    capabilities_.nodes = count_.nodes;
    capabilities_.link_rate = capabilities_.injection = capabilities_.ejection = payload(rate_);
    capabilities_.hop_latency = latency_;
    capabilities_.nearest_latency = capabilities_.farthest_latency = latency_ * 2 + protocols_.least_latency();
    capabilities_.first_setup = launch_;
    capabilities_.adding_included = true;  // in the efficiency that nccl-tests gave

    // The servers by themselves, for algorithms that treat neighbours differently
    schedule::Capabilities::Part servers{.name = "server", .capabilities = capabilities_, .instances = {}};
    servers.capabilities.fabric = "server";
    servers.capabilities.nodes = count_.per_server;
    for (std::uint32_t first = 0; first < count_.nodes; first += count_.per_server) {
      std::vector<std::uint32_t>& npus = servers.instances.emplace_back(count_.per_server);
      std::iota(npus.begin(), npus.end(), first);
    }
    capabilities_.parts.push_back(std::move(servers));
  }

  void say_what_the_network_can() {
    // An NPU can send into the switch and out of a NIC that nobody else wants, at once
    capabilities_.injection = capabilities_.ejection = payload(rate_ + network_rate_);
    if (count_.per_server == 1)
      capabilities_.injection = capabilities_.ejection = capabilities_.link_rate = payload(network_rate_);

    // Whoever changes the rail crosses a switch, whoever changes the server two network hops, and handing on pays one more protocol
    const Time start = protocols_.least_latency();
    const Time inside = latency_ * 2 + start, between = network_latency_ * 2 + start;
    capabilities_.nearest_latency = count_.per_server == 1 ? between : std::min(inside, between);
    if (rails_ && count_.nics > 1)
      capabilities_.farthest_latency = latency_ * 2 + between;
    else
      capabilities_.farthest_latency = std::max(!rails_ && count_.leaves > 1 ? network_latency_ * 2 + between : between,
                                                count_.per_server == 1 ? between : std::min(inside, between * 2));

    const BitRate server = payload(count_.nics * network_rate_), leaf = payload(count_.uplinks * uplink_rate_);
    capabilities_.cuts.push_back({"NICs of a server", count_.per_server, server, server});
    if (rails_ || count_.leaves == 1) return;
    for (const std::uint32_t servers : {count_.leaf, count_.servers % count_.leaf})
      if (servers > 0) {
        const BitRate out = std::min(leaf, servers * server);
        capabilities_.cuts.push_back(
            {fmt::format("uplinks of a leaf of {} servers", servers), servers * count_.per_server, out, out});
      }
  }

  Counts count_;
  bool rails_;
  std::uint64_t seed_;
  BitRate wire_rate_, wire_network_rate_, wire_uplink_rate_;
  BitRate rate_, network_rate_, uplink_rate_;  // of payload
  Time latency_, network_latency_, launch_;
  Protocols protocols_;
  Pairs ports_, nics_, uplinks_;  // of NPUs; of servers; of leaf switches
};

// What is at most 1 is a share, and more than its minimum.
Parameter number(const std::string& name, ParameterType type, const std::string& fallback, const std::string& minimum,
                 const std::string& maximum, const std::string& description, Situation matters) {
  return {.name = name,
          .type = type,
          .fallback = fallback,
          .minimum = minimum,
          .maximum = maximum,
          .minimum_exclusive = maximum == "1",
          .description = description,
          .matters = std::move(matters),
          .optional = fallback.empty()};
}

}  // namespace

Description describe_cluster() {
  const std::string bare = "all-reduce fabric=cluster algorithm=ring", one = bare + " nodes=8",
                    two = bare + " nodes=16 bytes=1MB";
  const std::string tree = "all-to-all fabric=cluster algorithm=direct nodes=32 bytes=100MB fabric.network=fat-tree";

  Parameter rate = rate_parameter(two, "");
  rate.fallback = "2.4 Tb/s";
  rate.description =
      "one direction of an NPU's port into the NVLink switch; the default is A100's 12 links of 25 GB/s (NVIDIA A100 "
      "whitepaper, 2020)";
  Parameter network_rate = rate_parameter(two, "");
  network_rate.name = "network_rate";
  network_rate.fallback = "200 Gb/s";
  network_rate.description = "one direction of one NIC; the default is InfiniBand HDR, as in DGX A100";
  Parameter network_latency =
      latency_parameter(two, "1350 ns",
                        "per network link crossed; the default makes a step between servers 2.1 us longer than one "
                        "over NVLink, as in NCCL's tuning.cc (2.7 and 0.6 us)");
  network_latency.name = "network_latency";
  const auto share = [&](const char* name, const char* fallback, const char* description) {
    return number(name, ParameterType::kNumber, fallback, "0", "1", description, {two, "0.5", ""});
  };
  const auto count_of = [](const char* name, const char* fallback, const char* description, Situation matters) {
    return number(name, ParameterType::kInteger, fallback, "1", kMostNodes, description, std::move(matters));
  };
  std::vector<Parameter> parameters = {
      nodes_parameter(bare + " bytes=1MB", kMostNodes, "16"),
      count_of("npus_per_node", "8", "NPUs of a server; `nodes` is a multiple, or less for one server", {two, "4", ""}),
      rate,
      latency_parameter(
          two, "300 ns",
          "per NVLink crossed, two through the switch; the default is half of an LL step in NCCL's tuning.cc (0.6 us)"),
      share("efficiency", "0.775",
            "share of `rate` that is payload; fitted on published nccl-tests numbers of one node of 8 A100"),
      count_of("nics", "", "NICs of a server, a divisor of npus_per_node; unset: as many, 8 in DGX A100",
               {two, "2", ""}),
      network_rate,
      network_latency,
      share("network_efficiency", "0.99",
            "share of `network_rate` that is payload; the default is 4096 of 4122 bytes, packets with their headers "
            "(InfiniBand Architecture Specification, volume 1)"),
      {.name = "network",
       .type = ParameterType::kChoice,
       .fallback = "rails",
       .description =
           "how servers are joined: NIC i of all on a switch of its own, or leaf and spine switches with ECMP",
       .matters = {.question = "all-to-all fabric=cluster algorithm=direct nodes=32 bytes=100MB", .other = "fat-tree"},
       .choices = {"rails", "fat-tree"}},
      count_of(
          "leaf", "2",
          "fat-tree: servers of a leaf switch; the default is what half of the 40 ports of an HDR switch (QM8700) hold",
          {tree, "4", ""}),
      number("oversubscription", ParameterType::kNumber, "1", "1", "1000000",
             "fat-tree: NICs below a leaf switch over its uplinks; fewer of them, at full rate", {tree, "4", ""}),
      seed_parameter(tree, "fat-tree: of the hash that ECMP picks uplinks with"),
      step_overhead_parameter(two)};
  for (Parameter& parameter : parameters) parameter.fitted = parameter.name == "efficiency";
  for (Parameter& parameter : protocol_parameters(one)) parameters.push_back(std::move(parameter));
  return {"cluster", "servers of NPUs on an NVLink-class switch, joined by rails or a fat-tree; NCCL's protocols",
          "NVIDIA DGX A100; NCCL 2.12 (PXN), tuning.cc; Hu et al., Demystifying NCCL, 2025", std::move(parameters)};
}

std::unique_ptr<Fabric> make_cluster(const Parameters& parameters) { return std::make_unique<Cluster>(parameters); }

Settings footing_of_cluster(Settings given, const Footing& footing) {
  if (footing.latency) set_unless_given(given, "network_latency", exactly(*footing.latency));
  if (footing.overhead && !given.contains("protocol")) {
    set_unless_given(given, "protocol", "none");
    set_unless_given(given, "launch", "0 s");
  }
  if (!footing.injection) return given;
  const Parameters usual = fabrics().resolve(fabrics().at("cluster"), given);
  if (usual.integer("npus_per_node") == 1) {
    set_unless_given(given, "network_rate", exactly(*footing.injection));
  } else {
    set_unless_given(given, "network_rate",
                     exactly(*footing.injection * (usual.rate("network_rate") / usual.rate("rate"))));
  }
  set_unless_given(given, "rate", exactly(*footing.injection));
  return given;
}

}  // namespace helio::fabric
