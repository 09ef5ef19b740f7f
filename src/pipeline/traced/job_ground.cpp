// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traced/job_ground.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "base/units.h"
#include "fabric/oddl/oddl.h"
#include "fabric/oddl/oddl_slice_planner.h"
#include "fabric/routed.h"

namespace helio::pipeline {
namespace {

constexpr std::uint32_t kBlock = 32;  // nodes, where a fabric has no groups of its own

// Nodes by number: who has each.
class Nodes {
 public:
  explicit Nodes(std::uint32_t count) : owner_(count, kFree), free_(count) {}

  std::uint32_t free() const { return free_; }

  // The shortest run of free nodes that is long enough; without one, where pieces are allowed, the longest runs together. Empty: no.
  std::vector<NodeId> found(std::uint32_t count, bool pieces) const {
    if (count > free_) return {};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;  // length, first
    for (std::uint32_t i = 0, end; i < owner_.size(); i = end) {
      for (end = i; end < owner_.size() && owner_[end] == kFree;) ++end;
      if (end > i) runs.emplace_back(end - i, i);
      if (end == i) ++end;
    }
    const std::pair<std::uint32_t, std::uint32_t>* best = nullptr;
    for (const auto& run : runs)
      if (run.first >= count && (!best || run.first < best->first)) best = &run;
    std::vector<NodeId> nodes;
    const auto take = [&](const std::pair<std::uint32_t, std::uint32_t>& run) {
      for (std::uint32_t i = 0; i < run.first && nodes.size() < count; ++i) nodes.push_back({run.second + i});
    };
    if (best) {
      take(*best);
    } else if (pieces) {
      std::ranges::stable_sort(runs, [](const auto& a, const auto& b) { return a.first > b.first; });
      for (const auto& run : runs) take(run);
      std::ranges::sort(nodes);
    }
    return nodes;
  }

  // Any free nodes, in the order of their numbers. Empty: no.
  std::vector<NodeId> drawn(std::uint32_t count, Random& random) const {
    std::vector<NodeId> nodes;
    for (std::uint32_t i = 0; count <= free_ && i < owner_.size(); ++i)
      if (owner_[i] == kFree) nodes.push_back({i});
    if (nodes.empty()) return nodes;
    random.shuffle(nodes);
    nodes.resize(count);
    std::ranges::sort(nodes);
    return nodes;
  }

  void give(const std::vector<NodeId>& nodes, std::uint32_t job) {
    for (const NodeId node : nodes) owner_[node.value] = job;
    free_ -= static_cast<std::uint32_t>(nodes.size());
  }
  void release(const std::vector<NodeId>& nodes) {
    for (const NodeId node : nodes) owner_[node.value] = kFree;
    free_ += static_cast<std::uint32_t>(nodes.size());
  }

  double fragmented() const {
    std::uint32_t pieces = 0;
    for (std::uint32_t block = 0; block < owner_.size(); block += kBlock) {
      const auto end = std::min<std::size_t>(block + kBlock, owner_.size());
      const auto open = static_cast<std::uint32_t>(
          std::count(owner_.begin() + block, owner_.begin() + static_cast<std::ptrdiff_t>(end), kFree));
      if (open < end - block) pieces += open;
    }
    return static_cast<double>(pieces) / static_cast<double>(owner_.size());
  }

 private:
  static constexpr std::uint32_t kFree = 0xffffffffu;
  std::vector<std::uint32_t> owner_;
  std::uint32_t free_;
};

class Slices : public Ground {
 public:
  Slices(const fabric::OddlGeometry& geometry, Time wss)
      : planner_(geometry, {.wss = wss, .two_level = false, .split = false}), lights_(geometry.lights()) {}

  std::optional<Stand> enter(std::uint32_t job, std::uint32_t nodes, double) override {
    if (nodes > planner_.free_nodes()) return std::nullopt;
    const fabric::SliceReport report = planner_.admit({.wanted = nodes, .algorithm = "ring"});
    if (!report.done) return std::nullopt;
    ids_[job] = report.job;
    held_ += planner_.slice(report.job).size();
    return Stand{report.wss_time.to_seconds(), report.wss_changes, report.isolation == fabric::Isolation::kMasked};
  }
  void leave(std::uint32_t job) override {
    const fabric::JobId id = ids_.at(job);
    held_ -= planner_.slice(id).size();
    planner_.leave(id);
    ids_.erase(job);
  }
  std::uint32_t free_nodes() const override { return planner_.free_nodes(); }
  double fragmented() const override { return planner_.fragmented(); }
  std::optional<double> lit() const override { return static_cast<double>(held_) / lights_; }

 private:
  fabric::SlicePlanner planner_;
  double lights_;
  std::size_t held_ = 0;
  std::unordered_map<std::uint32_t, fabric::JobId> ids_;
};

// Runs of nodes that nobody else's bytes touch: arcs of a ring of light, or what a patch panel joins.
class Apart : public Ground {
 public:
  Apart(std::uint32_t nodes, bool pieces, double setup_s, bool patched)
      : nodes_(nodes), pieces_(pieces), setup_s_(setup_s), patched_(patched) {}

  std::optional<Stand> enter(std::uint32_t job, std::uint32_t nodes, double) override {
    std::vector<NodeId> found = nodes_.found(nodes, pieces_);
    if (found.empty()) return std::nullopt;
    nodes_.give(found, job);
    jobs_[job] = std::move(found);
    return nodes > 1 && patched_ ? Stand{setup_s_, 1, false} : Stand{};
  }
  void leave(std::uint32_t job) override {
    nodes_.release(jobs_.at(job));
    jobs_.erase(job);
  }
  std::uint32_t free_nodes() const override { return nodes_.free(); }
  double fragmented() const override { return nodes_.fragmented(); }

 private:
  Nodes nodes_;
  bool pieces_;
  double setup_s_;
  bool patched_;
  std::unordered_map<std::uint32_t, std::vector<NodeId>> jobs_;
};

// Jobs that meet on links.
class Shared : public Ground {
 public:
  Shared(ChosenFabric fabric, std::uint32_t nodes, const GroundOptions& options)
      : assembly_(std::move(fabric)), nodes_(nodes), random_(options.seed), scattered_(options.scattered) {
    schedule_.ranks = 2;
    schedule_.phases.push_back({.name = "ring"});
    schedule_.phases.front().moves.push_back({.source = 0, .destination = 1});
    request_ = schedule::request_on_all(schedule::Kind::kAllReduce, Bytes{1}, 2);
    line_rate_ = assembly_.fabric().parameters().rate("rate").value;
  }

  std::optional<Stand> enter(std::uint32_t job, std::uint32_t nodes, double duty) override {
    std::vector<NodeId> found = scattered_ ? nodes_.drawn(nodes, random_) : nodes_.found(nodes, true);
    if (found.empty()) return std::nullopt;
    nodes_.give(found, job);
    Standing standing{.nodes = std::move(found), .uses = {}, .duty = duty, .first = on_first(nodes)};
    standing.uses = uses_of(standing.nodes);
    gather(standing, job);
    for (const Use& use : standing.uses) {
      Link& link = links_[use.link];
      link.wanted += duty * use.weight;
      link.jobs.push_back(job);
    }
    jobs_.emplace(job, std::move(standing));
    return Stand{};
  }

  void leave(std::uint32_t job) override {
    const auto at = jobs_.find(job);
    for (const Use& use : at->second.uses) {
      Link& link = links_[use.link];
      link.wanted -= at->second.duty * use.weight;
      std::erase(link.jobs, job);
      if (link.jobs.empty()) links_.erase(use.link);
    }
    gather(at->second, job);
    nodes_.release(at->second.nodes);
    jobs_.erase(at);
  }

  Slower slower(std::uint32_t job) const override {
    const Standing& standing = jobs_.at(job);
    double share = 1, by_itself = 1;
    for (const Use& use : standing.uses) {
      const Link& link = links_.at(use.link);
      const double others = link.jobs.size() == 1 ? 0 : std::max(0.0, link.wanted - standing.duty * use.weight);
      share = std::min(share, use.capacity / (use.weight + others));
      by_itself = std::min(by_itself, use.capacity / use.weight);
    }
    return {standing.first / share, standing.first / by_itself};
  }
  std::uint32_t free_nodes() const override { return nodes_.free(); }
  double fragmented() const override { return nodes_.fragmented(); }

 private:
  struct Use {
    std::uint32_t link = 0;
    double weight = 0;    // flows of the job that cross it, in line rates
    double capacity = 0;  // of the link, in line rates
  };
  struct Standing {
    std::vector<NodeId> nodes;
    std::vector<Use> uses;
    double duty = 0;
    double first = 1;  // share that its ring has by itself on the first nodes, which its pace knows of
  };
  struct Link {
    double wanted = 0;  // in line rates, on average over all jobs
    std::vector<std::uint32_t> jobs;
  };

  // Links of the ring over these nodes, each once; ports that only one node has bind nobody else and are its pace's matter.
  std::vector<Use> uses_of(const std::vector<NodeId>& nodes) {
    std::map<std::uint32_t, double> weights;
    const fabric::Carriage carriage{schedule_, request_, schedule_.phases.front().moves.front()};
    for (std::size_t i = 0; nodes.size() > 1 && i < nodes.size(); ++i) {
      way_.clear();
      assembly_.carrier().add_way(nodes[i], nodes[(i + 1) % nodes.size()], carriage, way_);
      for (const flow::LinkUse& use : way_.links) weights[use.link.value] += use.weight;
    }
    std::vector<Use> uses;
    for (const auto& [link, weight] : weights)
      uses.push_back({link, weight, assembly_.program.resources.rate({link}).value / line_rate_});
    return uses;
  }

  double on_first(std::uint32_t nodes) {
    const auto [at, fresh] = on_first_.try_emplace(nodes, 1.0);
    if (!fresh) return at->second;
    std::vector<NodeId> first(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) first[i] = {i};
    for (const Use& use : uses_of(first)) at->second = std::min(at->second, use.capacity / use.weight);
    return at->second;
  }

  void gather(const Standing& standing, std::uint32_t job) {
    touched_.clear();
    for (const Use& use : standing.uses)
      if (const auto at = links_.find(use.link); at != links_.end())
        for (const std::uint32_t other : at->second.jobs)
          if (other != job) touched_.push_back(other);
    std::ranges::sort(touched_);
    const auto last = std::unique(touched_.begin(), touched_.end());
    touched_.erase(last, touched_.end());
  }

  Assembly assembly_;
  Nodes nodes_;
  Random random_;
  bool scattered_;
  schedule::Schedule schedule_{.algorithm = "ring", .kind = schedule::Kind::kAllReduce};
  schedule::CollectiveRequest request_;
  double line_rate_ = 1;
  fabric::Way way_;
  std::unordered_map<std::uint32_t, Link> links_;  // that a job uses
  std::unordered_map<std::uint32_t, Standing> jobs_;
  std::map<std::uint32_t, double> on_first_;
};

}  // namespace

std::string_view name_of(Footing footing) {
  switch (footing) {
    case Footing::kSlices: return "slices";
    case Footing::kLinks: return "links";
    case Footing::kArcs: return "arcs";
    case Footing::kPatched: break;
  }
  return "patched";
}

Footing footing_on(const ChosenFabric& fabric) {
  if (dynamic_cast<const fabric::OddlFabric*>(&fabric.fabric())) return Footing::kSlices;
  if (fabric.name() == "sip-ring" || fabric.name() == "wdm-ring") return Footing::kArcs;
  if ((dynamic_cast<const fabric::RoutedFabric*>(&fabric.fabric()) || fabric.name() == "rotor") &&
      fabric.fabric().gives_ways())
    return Footing::kLinks;
  throw Error(ErrorKind::kInput, fmt::format("how jobs that come and go share '{}' is not known", fabric.name()),
              fabric.place(), "Take oddl, sip-ring, wdm-ring, patch-panel, or a network of links such as fat-tree.");
}

std::unique_ptr<Ground> make_ground(Footing footing, const ChosenFabric& fabric, std::uint32_t nodes,
                                    const GroundOptions& options) {
  switch (footing) {
    case Footing::kSlices: {
      const auto& oddl = dynamic_cast<const fabric::OddlFabric&>(fabric.fabric());
      fabric::OddlGeometry geometry = oddl.geometry();
      if (!fabric.parameters().has("planes")) geometry.planes = 1;
      if (geometry.nodes() != nodes)
        throw Error(ErrorKind::kInput,
                    fmt::format("{} nodes do not fill groups of {}", nodes, geometry.nodes_per_group), fabric.place(),
                    "Take a multiple of fabric.nodes_per_group.");
      return std::make_unique<Slices>(geometry, oddl.wss());
    }
    case Footing::kLinks: return std::make_unique<Shared>(fabric, nodes, options);
    case Footing::kArcs: return std::make_unique<Apart>(nodes, false, 0, false);
    case Footing::kPatched: break;
  }
  return std::make_unique<Apart>(nodes, true, options.setup_s, true);
}

}  // namespace helio::pipeline
