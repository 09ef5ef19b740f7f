// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "fabric/electrical/cluster_sets.h"
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
        sums_rate_(parameters.rate("sums_rate")),
        sums_start_(parameters.time("sums_start")),
        every_nic_(parameters.text("rings") == "every-nic"),
        protocols_(parameters) {
    const double each = count_.leaf * count_.nics / parameters.number("oversubscription") / count_.uplinks;
    uplink_rate_ = network_rate_ * each;
    wire_uplink_rate_ = wire_network_rate_ * each;
    capabilities_.step_overhead = parameters.time("step_overhead");
    say_what_a_server_can();
    if (count_.servers > 1) say_what_the_network_can();
    add_resources();
    show_links(parameters.text("protocol") == "none");
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
      if (spreads(from, to, carriage.schedule)) {
        // One ring of many through every NIC: an equal part each
        const float each = 1.0f / static_cast<float>(count_.nics);
        for (std::uint32_t i = 0; i < count_.nics; ++i) {
          way.cross(nics_.out(server * count_.nics + i), each);
          way.cross(nics_.in(other * count_.nics + i), each);
        }
        way.latency += network_latency_ * 2;
        pay(carriage, narrowest, way);
        return;
      }
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
    pay(carriage, narrowest, way);
  }

  // Added up and copied in the switch of one server.
  void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage&, Way& way) const override {
    for (const NodeId node : from) way.cross(ports_.out(node.value));
    for (const NodeId node : to) way.cross(ports_.in(node.value));
    way.latency += latency_ * 2;
    way.bytes_factor *= std::max(1.0, rate_ / sums_rate_);
  }

  std::optional<Refusal> object(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                                const LowerOptions& options) const override {
    if (std::optional<Refusal> refusal = RoutedFabric::object(schedule, request, options)) return refusal;
    if (!in_switch(schedule)) return std::nullopt;
    Refusal refusal{"a switch adds up and copies in its own server only",
                    "Use an endpoint algorithm, or " + advised("remedy", "endpoint") + "."};
    for (std::uint32_t g = 0; g < request.groups.size(); ++g)
      if (between_servers(request.groups[g])) refusal.groups.push_back(g);
    if (refusal.groups.empty()) return std::nullopt;
    return refusal;
  }

  // A collective is one kernel: what it takes once comes before everything.
  std::optional<Refusal> complete(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                                  const LowerOptions&, flow::Program& program, Lowered& lowered) const override {
    if (schedule.phases.empty()) return std::nullopt;
    const Errand errand = errand_of(schedule, request, 0);
    flow::Operation launch, run;
    launch.duration =
        in_switch(schedule) ? protocols_.launch() + sums_start_ : protocols_.once(errand, rate_of(errand, schedule));
    if (launch.duration.is_zero()) return std::nullopt;
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

  // Only links that share nothing are shown: messages that pay for a protocol take longer than their links say, and NPUs that have a NIC
  // together share their ways to it. Vertices: NPUs, the servers' switches, then rails, or leaves and spines.
  void show_links(bool bare) {
    if (!bare || (count_.servers > 1 && count_.nics != count_.per_server)) return;
    struct Links {
      BitRate rate;
      Time latency;
      Pairs pairs;
    };
    capabilities_.network = [c = count_, rails = rails_, inside = Links{rate_, latency_, ports_},
                             between = Links{network_rate_, network_latency_, nics_},
                             above = Links{uplink_rate_, network_latency_, uplinks_}] {
      const std::uint32_t outside = c.nodes + c.servers, leaves = rails ? c.nics : c.leaves,
                          spines = rails || c.leaves == 1 ? 0 : c.uplinks;
      schedule::Network network{
          .nodes = c.nodes, .vertices = c.servers == 1 ? outside : outside + leaves + spines, .arcs = {}};
      const auto join = [&](const Links& links, std::uint32_t i, std::uint32_t below, std::uint32_t over) {
        network.arcs.push_back({below, over, links.rate, links.latency, links.pairs.out(i).value});
        network.arcs.push_back({over, below, links.rate, links.latency, links.pairs.in(i).value});
      };
      for (std::uint32_t npu = 0; npu < c.nodes; ++npu) join(inside, npu, npu, c.nodes + npu / c.per_server);
      if (c.servers == 1) return network;
      for (std::uint32_t npu = 0; npu < c.nodes; ++npu)
        join(between, npu, npu, outside + (rails ? npu % c.nics : npu / c.per_server / c.leaf));
      for (std::uint32_t i = 0; i < leaves * spines; ++i)
        join(above, i, outside + i / spines, outside + leaves + i % spines);
      return network;
    };
  }

  static bool in_switch(const schedule::Schedule& schedule) { return !schedule.sets.empty(); }
  bool between_servers(const std::vector<NodeId>& group) const {
    return std::ranges::any_of(
        group, [&](NodeId node) { return node.value / count_.per_server != group.front().value / count_.per_server; });
  }
  // NCCL runs a ring through every NIC, each with another order of a server's NPUs: what its one ring here sends to the next server
  // is spread over all of them. A ring of one NPU in each server keeps to its rail.
  bool spreads(NodeId from, NodeId to, const schedule::Schedule& schedule) const {
    return every_nic_ && rails_ && count_.nics > 1 && schedule.algorithm == "ring" &&
           from.value % count_.per_server != to.value % count_.per_server;
  }

  // What the tuner looks at. Collectives of a group choose as one, by its first message.
  Errand errand_of(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                   std::uint32_t group) const {
    Errand errand{.rounds = static_cast<double>(std::max<std::uint64_t>(1, schedule::rounds(schedule))),
                  .message = request.bytes,
                  .part = request.bytes / schedule.ranks,
                  .exchange = schedule.algorithm == "direct"};
    if (!schedule.phases.empty() && schedule.phases.front().moves.size() > 0) {
      const auto& moves = schedule.phases.front().moves;
      const double fan = std::max(1.0, static_cast<double>(moves.size()) / schedule.ranks);
      errand.message = schedule.slot_bytes(request.bytes) * moves[0].count * fan;
    }
    if (group < request.groups.size()) {
      const std::vector<NodeId>& nodes = request.groups[group];
      errand.between = nodes.front().value / count_.per_server != nodes.back().value / count_.per_server;
    }
    return errand;
  }
  BitRate rate_of(const Errand& errand, const schedule::Schedule& schedule) const {
    if (!errand.between) return rate_;
    const double nics =
        schedule.algorithm == "ring" && count_.per_server > 1 ? count_.nics : 1.0 * count_.nics / count_.per_server;
    return std::min(rate_, network_rate_ * nics);
  }
  void pay(const Carriage& carriage, BitRate narrowest, Way& way) const {
    const Errand errand = errand_of(carriage.schedule, carriage.request, carriage.group);
    const Protocols::Cost cost = protocols_.quickest(errand, rate_of(errand, carriage.schedule)).on(narrowest, errand);
    way.latency += cost.latency;
    way.bytes_factor *= cost.factor;
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
  // Sums in the switch know no protocol.
  bool sums() const { return sums_rate_.value > 0 && count_.per_server > 1; }
  BitRate payload_inside() const { return sums() ? std::max(rate_, payload(rate_)) : payload(rate_); }
  Time start_inside() const { return sums() ? Time() : protocols_.least_latency(); }

  void say_what_a_server_can() {
    capabilities_.fabric = "cluster";
    capabilities_.nodes = count_.nodes;
    capabilities_.link_rate = capabilities_.injection = capabilities_.ejection = payload_inside();
    capabilities_.hop_latency = latency_;
    capabilities_.nearest_latency = capabilities_.farthest_latency = latency_ * 2 + start_inside();
    capabilities_.first_setup = protocols_.launch();
    capabilities_.reduces = capabilities_.multicasts = sums();
    capabilities_.adding_included = true;  // in the efficiency that nccl-tests gave

    // The servers by themselves, for algorithms that treat neighbours differently
    schedule::Capabilities::Part servers{.name = "server", .capabilities = capabilities_, .instances = {}};
    servers.capabilities.fabric = "server";
    servers.capabilities.nodes = count_.per_server;
    if (capabilities_.reduces) {  // what its switch takes to add up, for those who choose
      schedule::Capabilities sums = servers.capabilities;
      sums.fabric = "sums in the switch";
      sums.link_rate = std::min(rate_, sums_rate_);
      sums.first_setup = protocols_.launch() + sums_start_;
      servers.capabilities.parts.push_back({.name = "sums", .capabilities = std::move(sums), .instances = {}});
    }
    for (std::uint32_t first = 0; first < count_.nodes; first += count_.per_server) {
      std::vector<std::uint32_t>& npus = servers.instances.emplace_back(count_.per_server);
      std::iota(npus.begin(), npus.end(), first);
    }
    capabilities_.parts.push_back(std::move(servers));
  }

  void say_what_the_network_can() {
    // An NPU can send into the switch and out of a NIC that nobody else wants, at once
    capabilities_.injection = capabilities_.ejection = payload_inside() + payload(network_rate_);
    if (count_.per_server == 1)
      capabilities_.injection = capabilities_.ejection = capabilities_.link_rate = payload(network_rate_);

    // Whoever changes the rail crosses a switch, whoever changes the server two network hops, and handing on pays one more protocol
    const Time start = protocols_.least_latency();
    const Time inside = latency_ * 2 + start_inside(), between = network_latency_ * 2 + start;
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
  Time latency_, network_latency_;
  BitRate sums_rate_;
  Time sums_start_;
  bool every_nic_;
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
  std::vector<std::string> npus;
  for (const ClusterSet& set : cluster_sets()) npus.push_back(set.npu);
  std::vector<Parameter> parameters = {
      {.name = "npu",
       .type = ParameterType::kChoice,
       .fallback = std::string(kUsualNpu),
       .description = "what it is made of: brings defaults for links, NICs and protocols (docs/fabric.md); unset: what "
                      "the jobs name",
       .matters = {.question = one + " bytes=1MB", .other = "h100"},
       .choices = npus},
      nodes_parameter(bare + " bytes=1MB", kMostNodes, "16"),
      count_of("npus_per_node", "8", "NPUs of a server; `nodes` is a multiple, or less for one server", {two, "4", ""}),
      rate,
      latency_parameter(
          two, "300 ns",
          "per NVLink crossed, two through the switch; the default is half of an LL step in NCCL's tuning.cc (0.6 us)"),
      share("efficiency", "0.768", "share of `rate` that is payload; fitted on nccl-tests numbers of 2 to 8 A100"),
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
      {.name = "rings",
       .type = ParameterType::kChoice,
       .fallback = "every-nic",
       .description =
           "rails: what algorithm `ring` leaves a server by; NCCL has a ring through every NIC, which share the bytes",
       .matters = {.question = two, .other = "one"},
       .choices = {"every-nic", "one"}},
      {.name = "sums_rate",
       .type = ParameterType::kRate,
       .fallback = "0 b/s",
       .minimum = "0 b/s",
       .maximum = "1000 Pb/s",
       .description = "of a vector that a server's switch adds up and copies (NVLS, `in-fabric`); 0: it cannot",
       .matters = {"all-reduce fabric=cluster algorithm=in-fabric nodes=8 bytes=1GB remedy=endpoint", "2 Tb/s", ""}},
      {.name = "sums_start",
       .type = ParameterType::kTime,
       .fallback = "62400 ns",
       .minimum = "0 s",
       .maximum = "1000 s",
       .description = "start of such a sum, once; fitted on nccl-tests numbers of 8 H100",
       .matters = {"all-reduce fabric=cluster algorithm=in-fabric nodes=8 bytes=1MB fabric.sums_rate='2 Tb/s'", "1 us",
                   ""}},
      count_of(
          "leaf", "2",
          "fat-tree: servers of a leaf switch; the default is what half of the 40 ports of an HDR switch (QM8700) hold",
          {tree, "4", ""}),
      number("oversubscription", ParameterType::kNumber, "1", "1", "1000000",
             "fat-tree: NICs below a leaf switch over its uplinks; fewer of them, at full rate", {tree, "4", ""}),
      seed_parameter(tree, "fat-tree: of the hash that ECMP picks uplinks with"),
      step_overhead_parameter(two)};
  for (Parameter& parameter : parameters)
    if (parameter.name == "efficiency") parameter.fitted = true;
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
