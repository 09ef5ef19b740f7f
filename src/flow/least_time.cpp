// SPDX-License-Identifier: Apache-2.0
#include "flow/least_time.h"

#include <algorithm>

namespace helio::flow {
namespace {

class LeastTime {
 public:
  explicit LeastTime(const Program& program)
      : program_(program), known_(program.templates.size(), -1), loads_(program.resources.size()) {}

  double of(TemplateId where) {
    double& known = known_[where.value];
    if (known >= 0) return known;
    const Template& body = program_.templates[where.value];
    std::vector<double> seconds;
    for (const Operation& op : body.operations) seconds.push_back(of(op));
    return known = std::max(longest_chain(body, seconds), largest_load(body));
  }

  double of_all() {
    double most = of(program_.entry);
    if (chosen_at_run_time_) return most;
    const std::vector<double> bytes = traffic(program_);
    for (std::uint32_t i = 0; i < bytes.size(); ++i)
      if (bytes[i] > 0) most = std::max(most, bytes[i] * per_byte(ResourceId{i}));
    return most;
  }

 private:
  struct Load {
    double seconds = 0, head = 0;
  };

  // 0 where it does not limit.
  double per_byte(ResourceId id) const {
    const double rate = program_.resources.rate(id).value / 8;
    return rate > 0 ? 1 / rate : 0;
  }

  template <class Visit>
  void for_each_use(const Operation& op, Visit visit) const {
    for (const LinkUse& use : program_.routes.links(op.route)) visit(use.link, per_byte(use.link) * use.weight);
    for (const ResourceId channel : program_.routes.channels(op.route)) visit(channel, per_byte(channel));
  }

  bool has_known_way(const Operation& op) {
    if (op.alternatives > 1) chosen_at_run_time_ = true;
    return op.kind == OperationKind::kTransfer && op.route.valid() && op.alternatives == 1;
  }

  double head_of(const Operation& op) const {
    return op.duration.to_seconds() + program_.routes.latency(op.route).to_seconds();
  }

  double of(const Operation& op) {
    double once = op.duration.to_seconds();
    if (op.kind == OperationKind::kCall) {
      once = static_cast<double>(op.rounds) * of(op.callee);
    } else if (has_known_way(op)) {
      double slowest = 0;
      for_each_use(op, [&](ResourceId, double per_byte) { slowest = std::max(slowest, per_byte); });
      once = head_of(op) + op.bytes * slowest;
    }
    return op.repeat * once;
  }

  // Along edges that lead onwards between operations with one instance each; others are left out.
  static double longest_chain(const Template& body, std::vector<double> ends) {
    std::vector<Edge> edges;
    for (const Edge& edge : body.edges)
      if (edge.from < edge.to && edge.offset == 0 && edge.first == 0 && body.operations[edge.from].repeat == 1 &&
          body.operations[edge.to].repeat == 1)
        edges.push_back(edge);
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.to < b.to; });
    for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
      double ready = 0;
      for (end = begin; end < edges.size() && edges[end].to == edges[begin].to; ++end)
        ready = std::max(ready, ends[edges[end].from]);
      ends[edges[begin].to] += ready;
    }
    return ends.empty() ? 0 : *std::max_element(ends.begin(), ends.end());
  }

  double largest_load(const Template& body) {
    std::vector<ResourceId> touched;
    for (const Operation& op : body.operations) {
      if (!has_known_way(op)) continue;
      const double head = head_of(op), bytes = op.repeat * op.bytes;
      for_each_use(op, [&](ResourceId id, double per_byte) {
        Load& load = loads_[id.value];
        if (load.seconds == 0) {
          load.head = head;
          touched.push_back(id);
        }
        load.seconds += bytes * per_byte;
        load.head = std::min(load.head, head);
      });
    }
    double most = 0;
    for (const ResourceId id : touched) {
      Load& load = loads_[id.value];
      most = std::max(most, load.head + load.seconds);
      load = {};
    }
    return most;
  }

  const Program& program_;
  std::vector<double> known_;  // by template; below 0: not yet
  std::vector<Load> loads_;    // by resource, of the template at hand
  bool chosen_at_run_time_ = false;
};

}  // namespace

double least_time(const Program& program) { return LeastTime(program).of_all(); }

}  // namespace helio::flow
