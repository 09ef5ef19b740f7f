// SPDX-License-Identifier: Apache-2.0
#include "fabric/wdm/rotor.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "fabric/carrier.h"
#include "fabric/parameters.h"
#include "fabric/wdm/rotor_control.h"
#include "fabric/wdm/wdm_facts.h"

namespace helio::fabric {
namespace {

class Rotor : public Fabric {
 public:
  explicit Rotor(const Parameters& parameters)
      : calendar_{static_cast<std::uint32_t>(parameters.integer("nodes")),
                  static_cast<std::uint32_t>(parameters.integer("uplinks")), parameters.time("slot"),
                  parameters.time("retune")},
        rate_(parameters.rate("rate")),
        latency_(parameters.time("latency")),
        direct_(parameters.text("routing") == "direct") {
    if (calendar_.open() <= Time())
      throw Error(
          ErrorKind::kInput,
          fmt::format("a slot of {} is dark for {}, all of it", format(calendar_.slot), format(calendar_.retune)),
          parameters.place("slot"), "Give a slot that is longer than fabric.retune.");
    if (direct_ && calendar_.nodes > kMostDirect)
      throw Error(ErrorKind::kInput, fmt::format("{} nodes have too many pairs to be told apart", calendar_.nodes),
                  parameters.place("nodes"), fmt::format("Give {} at most, or two hops.", kMostDirect));
    const BitRate uplinks = rate_ * calendar_.uplinks;
    capabilities_.fabric = "rotor";
    capabilities_.nodes = calendar_.nodes;
    capabilities_.step_overhead = parameters.time("step_overhead");
    if (direct_) {
      // A slot that is open has the whole rate; what is dark is between slots, so that no rate below that is a bound
      capabilities_.link_rate = rate_;
      capabilities_.injection = capabilities_.ejection = uplinks;
      capabilities_.hop_latency = latency_;
      gives_ways_ = false;
    } else {
      capabilities_.lit_share = calendar_.lit_share() / 2;
      capabilities_.link_rate = capabilities_.injection = capabilities_.ejection = uplinks * capabilities_.lit_share;
      capabilities_.hop_latency = latency_ * 2 + calendar_.cycle();
    }
    capabilities_.nearest_latency = capabilities_.farthest_latency = capabilities_.hop_latency;
    if (calendar_.nodes > 1) add_resources();
  }

  Bill bill() const override {
    Bill bill;
    const double lights = 1.0 * calendar_.nodes * calendar_.uplinks;
    const std::uint32_t ends = bill.add({"serdes", lights, "each transceiver's node side", 2 * rate_}),
                        modules = bill.add({"optical-module", lights, "each transceiver", 2 * rate_});
    bill.cross({0}, direct_ ? resources_.size() : calendar_.nodes, {{ends, 2}, {modules, 2}});
    return bill;
  }

  std::unique_ptr<Carrier> install(flow::Program& program, Site site = {}) const override;

  const RotorCalendar& calendar() const { return calendar_; }
  BitRate rate() const { return rate_; }
  bool direct() const { return direct_; }

  void route(NodeId from, NodeId to, Way& way) const {
    if (direct_) {
      const std::uint32_t skip = to.value < from.value ? to.value : to.value - 1;
      way.cross({from.value * (calendar_.nodes - 1) + skip});
      way.claim = to.value;
    } else {
      way.cross({from.value});
      way.cross({calendar_.nodes + to.value});
    }
    way.latency += capabilities_.hop_latency;
  }

 private:
  static constexpr std::uint32_t kMostDirect = 4096;

  void add_resources() {
    if (direct_) {
      const auto name = [n = calendar_.nodes](std::uint32_t i) {
        const std::uint32_t from = i / (n - 1), skip = i % (n - 1);
        return fmt::format("light {} to {}", from, skip < from ? skip : skip + 1);
      };
      resources_.add_links(calendar_.nodes * (calendar_.nodes - 1), rate_, {name, "light node to node"});
      return;
    }
    const BitRate half = capabilities_.injection;
    resources_.add_links(calendar_.nodes, half,
                         {[](std::uint32_t i) { return fmt::format("light out of {}", i); }, "light out of node"});
    resources_.add_links(calendar_.nodes, half,
                         {[](std::uint32_t i) { return fmt::format("light into {}", i); }, "light into node"});
  }

  RotorCalendar calendar_;
  BitRate rate_;
  Time latency_;
  bool direct_;
};

// Has the number of its controller.
class RotorCarrier : public Carrier {
 public:
  RotorCarrier(const Rotor& rotor, flow::Program& program, Site site)
      : Carrier(rotor, program, std::move(site)),
        rotor_(rotor),
        control_(static_cast<std::uint16_t>(program.controls.size())) {
    if (rotor.direct())
      program.controls.push_back(
          {std::make_shared<RotorController>(rotor.calendar(), rotor.rate(), rotor.capabilities().step_overhead)});
  }

 protected:
  void route(NodeId from, NodeId to, const Carriage&, Way& way) override {
    rotor_.route(from, to, way);
    if (!rotor_.direct()) return;
    way.controlled = true;
    way.controller = control_;
    way.agent = from.value;
  }

  std::optional<Refusal> complete(const schedule::Schedule&, const schedule::CollectiveRequest&, const LowerOptions&,
                                  std::size_t, Lowered& lowered) override {
    lowered.facts.push_back({rotor_facts::kCycle, rotor_.calendar().cycle().to_seconds()});
    lowered.facts.push_back({rotor_facts::kLit, rotor_.calendar().lit_share()});
    return std::nullopt;
  }

 private:
  const Rotor& rotor_;
  const std::uint16_t control_;
};

std::unique_ptr<Carrier> Rotor::install(flow::Program& program, Site site) const {
  return std::make_unique<RotorCarrier>(*this, program, std::move(site));
}

}  // namespace

Description describe_rotor() {
  const std::string bare = "all-reduce fabric=rotor bytes=1MB algorithm=direct", example = bare + " nodes=8";
  Parameter latency = latency_parameter(example, "0 s", "propagation of one hop; the default leaves it out");
  Parameter rate = rate_parameter(example, "one uplink of a node, while it is not dark");
  return {
      "rotor",
      "light that follows a calendar whoever wants what: each pair of nodes has a slot of every cycle",
      "Mellette et al., RotorNet, SIGCOMM 2017; Ballani et al., Sirius, SIGCOMM 2020; the model is ours",
      {nodes_parameter(bare, "65536"), rate,
       count("uplinks", "1", "1", "1024", "of a node; the shifts of a cycle are divided among them",
             {example, "3", ""}),
       bounded(named("slot", ParameterType::kTime, "200 us",
                     "from one setting to the next, what is dark of it included; the default has RotorNet's share of "
                     "light, 90 % (recalled)",
                     {example, "100 us", ""}),
               "0 s", "1000 s", true),
       bounded(
           named("retune", ParameterType::kTime, "20 us",
                 "dark at the beginning of each slot; the default is RotorNet's (recalled)", {example, "40 us", ""}),
           "0 s", "1000 s"),
       choice("routing", {"direct", "two-hop"}, "direct",
              "flows wait for the slots of their pair, or go over whoever is there, twice", {example, "two-hop", ""}),
       latency, step_overhead_parameter(example + " fabric.routing=two-hop")},
      rotor_facts::kinds()};
}

std::unique_ptr<Fabric> make_rotor(const Parameters& parameters) { return std::make_unique<Rotor>(parameters); }

}  // namespace helio::fabric
