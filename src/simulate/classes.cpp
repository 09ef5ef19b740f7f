// SPDX-License-Identifier: Apache-2.0
#include "simulate/classes.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/budget.h"

namespace helio::simulate {
namespace {

using flow::Operation;
using flow::OperationKind;

constexpr std::uint32_t kNone = 0xffffffffu;

std::uint64_t mixed(std::uint64_t x) {  // splitmix64's finaliser
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return mixed(a ^ mixed(b)); }

// Items by colour. A colour is a number from 0, in the order in which colours are first seen; the hash is what it was made of.
struct Painting {
  std::vector<std::uint32_t> colour;  // of each item
  std::vector<std::uint32_t> first;   // item of each colour
  std::vector<std::uint32_t> size;    // of each colour

  std::size_t colours() const { return first.size(); }

  // Colours anew by `hash` of each item.
  void paint(const std::vector<std::uint64_t>& hash) {
    colour.resize(hash.size());
    first.clear();
    size.clear();
    std::unordered_map<std::uint64_t, std::uint32_t> seen;
    std::uint64_t last = 0;
    std::uint32_t last_colour = kNone;
    for (std::uint32_t i = 0; i < hash.size(); ++i) {
      if (last_colour == kNone || hash[i] != last) {
        const auto [at, fresh] = seen.try_emplace(hash[i], static_cast<std::uint32_t>(first.size()));
        if (fresh) {
          first.push_back(i);
          size.push_back(0);
        }
        last = hash[i];
        last_colour = at->second;
      }
      colour[i] = last_colour;
      ++size[last_colour];
    }
  }
};

class Classes {
 public:
  Classes(const flow::Program& program, flow::TemplateId top) : program_(program) { collect(top); }

  std::optional<flow::Program> quotient() {
    if (!possible_ || operations_.size() < kLeast) return std::nullopt;
    if (!refine() || !operations_alike() || !links_alike() || !calls_alike()) return std::nullopt;
    return build();
  }

 private:
  static constexpr std::size_t kLeast = 64;  // operations that are worth the trouble
  static constexpr int kMostRounds = 64;     // of painting; a partition that is still changing is given up

  struct Item {
    const Operation* op;
    std::uint32_t where;  // index in templates_
  };

  // What the top runs, each template once, callees first.
  void collect(flow::TemplateId id) {
    if (!possible_ || number_.contains(id.value)) return;
    const flow::Template& body = program_.templates[id.value];
    if (body.visible) possible_ = false;
    for (const Operation& op : body.operations) {
      if (op.controlled || op.alternatives != 1) possible_ = false;
      if (op.route.valid() && !program_.routes.channels(op.route).empty()) possible_ = false;
      if (!possible_) return;
      if (op.kind == OperationKind::kCall) collect(op.callee);
    }
    number_[id.value] = static_cast<std::uint32_t>(templates_.size());
    templates_.push_back(id);
    begin_.push_back(static_cast<std::uint32_t>(operations_.size()));
    for (const Operation& op : body.operations)
      operations_.push_back({&op, static_cast<std::uint32_t>(templates_.size() - 1)});
  }

  std::span<const flow::LinkUse> uses(std::uint32_t i) const {
    const flow::RouteId route = operations_[i].op->route;
    return route.valid() ? program_.routes.links(route) : std::span<const flow::LinkUse>{};
  }
  Time latency(std::uint32_t i) const {
    const flow::RouteId route = operations_[i].op->route;
    return route.valid() ? program_.routes.latency(route) : Time();
  }
  std::uint32_t callee(std::uint32_t i) const { return number_.at(operations_[i].op->callee.value); }

  // What tells two operations apart whatever is around them.
  auto nature(std::uint32_t i) const {
    const Operation& op = *operations_[i].op;
    return std::tuple(op.kind, op.priority, op.step, op.share, op.repeat, op.rounds, op.bytes, op.duration, latency(i),
                      uses(i).size(), op.route.valid());
  }
  std::uint64_t nature_hash(std::uint32_t i) const {
    const Operation& op = *operations_[i].op;
    std::uint64_t h =
        mixed(static_cast<std::uint64_t>(op.kind) | std::uint64_t{op.priority} << 8 | std::uint64_t{op.step} << 16 |
              std::uint64_t{op.route.valid()} << 17 | std::uint64_t{op.repeat} << 32);
    h = mixed(h, std::bit_cast<std::uint64_t>(op.bytes));
    h = mixed(h, std::bit_cast<std::uint32_t>(op.share) | std::uint64_t{uses(i).size()} << 32);
    h = mixed(h, op.rounds);
    for (const Time time : {op.duration, latency(i)}) {
      h = mixed(h, static_cast<std::uint64_t>(time.count()));
      h = mixed(h, static_cast<std::uint64_t>(time.count() >> 64));
    }
    return h;
  }

  // Paints until nothing changes; false: too many colours to be of use.
  bool refine() {
    const std::size_t n = operations_.size();
    std::vector<std::uint64_t> of_op(n), of_link, of_template(templates_.size(), 0), next;
    for (std::uint32_t i = 0; i < n; ++i) of_op[i] = nature_hash(i);
    std::vector<std::uint32_t> dense(program_.resources.size(), kNone);
    for (std::uint32_t i = 0; i < n; ++i) {
      Budget::spend(static_cast<std::int64_t>(4 + uses(i).size()));
      for (const flow::LinkUse& use : uses(i))
        if (std::uint32_t& at = dense[use.link.value]; at == kNone) {
          at = static_cast<std::uint32_t>(links_.size());
          links_.push_back(use.link);
          of_link.push_back(mixed(std::bit_cast<std::uint64_t>(program_.resources.rate(use.link).value)));
        }
    }
    dense_ = std::move(dense);
    ops_.paint(of_op);
    of_.paint(of_link);
    bodies_.paint(of_template);
    for (int round = 0; round < kMostRounds; ++round) {
      const std::size_t before = ops_.colours() + of_.colours() + bodies_.colours();
      if (2 * ops_.colours() > n) return false;
      const auto weighed = [](std::uint64_t colour, float weight) {
        return mixed(colour << 32 | std::bit_cast<std::uint32_t>(weight));
      };

      // Links by who crosses them
      for (std::uint32_t l = 0; l < links_.size(); ++l) of_link[l] = mixed(of_.colour[l]);
      for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t colour = ops_.colour[i];
        float last = 1;
        std::uint64_t added = weighed(colour, last);
        Budget::spend(static_cast<std::int64_t>(uses(i).size()));
        for (const flow::LinkUse& use : uses(i)) {
          if (use.weight != last) added = weighed(colour, last = use.weight);
          of_link[dense_[use.link.value]] += added;
        }
      }
      of_.paint(of_link);

      // Operations by what they cross, and by what is before, behind, around and under them
      for (std::uint32_t i = 0; i < n; ++i) of_op[i] = mixed(ops_.colour[i], bodies_.colour[operations_[i].where]);
      std::vector<std::uint64_t> plain(of_.colours());
      for (std::uint32_t c = 0; c < plain.size(); ++c) plain[c] = weighed(c, 1);
      for (std::uint32_t i = 0; i < n; ++i) {
        std::uint64_t sum = 0;
        for (const flow::LinkUse& use : uses(i)) {
          const std::uint32_t colour = of_.colour[dense_[use.link.value]];
          sum += use.weight == 1 ? plain[colour] : weighed(colour, use.weight);
        }
        of_op[i] = mixed(of_op[i], sum);
        if (operations_[i].op->kind == OperationKind::kCall) of_op[i] = mixed(of_op[i], bodies_.colour[callee(i)]);
      }
      next.assign(n, 0);
      for (std::uint32_t t = 0; t < templates_.size(); ++t)
        for (const flow::Edge& edge : program_.templates[templates_[t].value].edges) {
          const std::uint32_t from = begin_[t] + edge.from, to = begin_[t] + edge.to;
          const std::uint64_t kind = mixed(mixed(static_cast<std::uint32_t>(edge.offset), edge.first), edge.last);
          next[from] += mixed(2 * std::uint64_t{ops_.colour[to]}, kind);
          next[to] += mixed(2 * std::uint64_t{ops_.colour[from]} + 1, kind);
        }
      for (std::uint32_t i = 0; i < n; ++i)
        if (next[i] != 0) of_op[i] = mixed(of_op[i], next[i]);
      ops_.paint(of_op);

      // Templates by what they hold and who calls them
      for (std::uint32_t t = 0; t < templates_.size(); ++t) of_template[t] = mixed(bodies_.colour[t]);
      for (std::uint32_t i = 0; i < n; ++i) {
        of_template[operations_[i].where] += mixed(ops_.colour[i]);
        if (operations_[i].op->kind == OperationKind::kCall)
          of_template[callee(i)] += mixed(~std::uint64_t{ops_.colour[i]});
      }
      bodies_.paint(of_template);
      if (ops_.colours() + of_.colours() + bodies_.colours() == before) return 2 * ops_.colours() <= n;
    }
    return false;
  }

  // Whether each operation is what the first of its colour is, and crosses what that one crosses.
  bool operations_alike() {
    std::vector<double> count(of_.colours(), 0);
    const auto add = [&](std::uint32_t i, double sign) {
      for (const flow::LinkUse& use : uses(i)) count[of_.colour[dense_[use.link.value]]] += sign * use.weight;
    };
    for (std::uint32_t i = 0; i < operations_.size(); ++i) {
      const std::uint32_t first = ops_.first[ops_.colour[i]];
      if (i == first) continue;
      if (nature(i) != nature(first)) return false;
      if (bodies_.colour[operations_[i].where] != bodies_.colour[operations_[first].where]) return false;
      if (operations_[i].op->kind == OperationKind::kCall && bodies_.colour[callee(i)] != bodies_.colour[callee(first)])
        return false;
      add(first, 1);
      add(i, -1);
      for (const std::uint32_t each : {first, i})
        for (const flow::LinkUse& use : uses(each))
          if (count[of_.colour[dense_[use.link.value]]] != 0) return false;
    }
    return edges_alike();
  }

  // Whether each operation waits for, and is waited for by, what the first of its colour does.
  bool edges_alike() {
    using Wait = std::tuple<std::uint32_t, bool, std::uint32_t, std::int32_t, std::uint32_t, std::uint32_t>;
    std::vector<Wait> waits;  // operation, whether it is the one that waits, colour of the other, edge
    for (std::uint32_t t = 0; t < templates_.size(); ++t)
      for (const flow::Edge& edge : program_.templates[templates_[t].value].edges) {
        const std::uint32_t from = begin_[t] + edge.from, to = begin_[t] + edge.to;
        waits.emplace_back(from, false, ops_.colour[to], edge.offset, edge.first, edge.last);
        waits.emplace_back(to, true, ops_.colour[from], edge.offset, edge.first, edge.last);
      }
    if (waits.empty()) return true;
    Budget::spend(static_cast<std::int64_t>(32 * waits.size()));
    std::ranges::sort(waits);
    const auto of = [&](std::uint32_t i) {
      return std::ranges::equal_range(waits, i, {}, [](const Wait& wait) { return std::get<0>(wait); });
    };
    for (std::uint32_t i = 0; i < operations_.size(); ++i) {
      const std::uint32_t first = ops_.first[ops_.colour[i]];
      if (i == first) continue;
      if (!std::ranges::equal(of(i), of(first), [](Wait a, Wait b) {
            std::get<0>(a) = std::get<0>(b);
            return a == b;
          }))
        return false;
    }
    return true;
  }

  // Whether each link carries of every colour what the first link of its own does; finds those weights.
  bool links_alike() {
    std::vector<std::uint32_t> order(operations_.size()), begin(ops_.colours() + 1, 0);
    for (const std::uint32_t colour : ops_.colour) ++begin[colour + 1];
    for (std::size_t c = 0; c < ops_.colours(); ++c) begin[c + 1] += begin[c];
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < operations_.size(); ++i) order[at[ops_.colour[i]]++] = i;

    std::vector<double> carried(links_.size(), 0);
    std::vector<std::uint32_t> touched, met(of_.colours(), 0);
    weights_.resize(ops_.colours());
    for (std::uint32_t c = 0; c < ops_.colours(); ++c) {
      touched.clear();
      for (std::uint32_t k = begin[c]; k < begin[c + 1]; ++k)
        for (const flow::LinkUse& use : uses(order[k])) {
          const std::uint32_t link = dense_[use.link.value];
          if (carried[link] == 0) touched.push_back(link);
          carried[link] += use.weight;
        }
      bool alike = true;
      for (const std::uint32_t link : touched) {
        const std::uint32_t kind = of_.colour[link];
        const double weight = carried[link];
        if (met[kind]++ == 0) weights_[c].push_back({flow::ResourceId{kind}, static_cast<float>(weight)});
        if (weight != carried[of_.first[kind]]) alike = false;
      }
      for (const flow::LinkUse& use : weights_[c]) {
        const std::uint32_t kind = use.link.value;
        if (met[kind] != of_.size[kind] || use.weight != carried[of_.first[kind]]) alike = false;  // nor rounded
        met[kind] = 0;
      }
      for (const std::uint32_t link : touched) carried[link] = 0;
      if (!alike) return false;
      std::ranges::sort(weights_[c], {}, [](const flow::LinkUse& use) { return use.link.value; });
    }
    for (std::uint32_t l = 0; l < links_.size(); ++l)
      if (program_.resources.rate(links_[l]).value != program_.resources.rate(links_[of_.first[of_.colour[l]]]).value)
        return false;
    return true;
  }

  // Whether the calls of a colour call each template of theirs once.
  bool calls_alike() {
    std::vector<std::uint64_t> calls;
    for (std::uint32_t i = 0; i < operations_.size(); ++i) {
      if (operations_[i].op->kind != OperationKind::kCall) continue;
      calls.push_back(std::uint64_t{ops_.colour[i]} << 32 | callee(i));
      if (ops_.size[ops_.colour[i]] != bodies_.size[bodies_.colour[callee(i)]]) return false;
    }
    std::ranges::sort(calls);
    return std::ranges::adjacent_find(calls) == calls.end();
  }

  flow::Program build() {
    flow::Program made;
    for (std::uint32_t c = 0; c < of_.colours(); ++c)
      made.resources.add_links(1, program_.resources.rate(links_[of_.first[c]]), nullptr);

    // One template of each colour, callees first, with one operation of each colour
    std::vector<flow::TemplateId> id(bodies_.colours());
    for (std::uint32_t t = 0; t < templates_.size(); ++t) {
      const std::uint32_t body_colour = bodies_.colour[t];
      if (bodies_.first[body_colour] != t) continue;
      const flow::Template& body = program_.templates[templates_[t].value];
      flow::Template few{.name = body.name};
      std::unordered_map<std::uint32_t, std::uint32_t> place;  // of a colour
      for (std::uint32_t i = begin_[t]; i < begin_[t] + body.operations.size(); ++i) {
        const std::uint32_t colour = ops_.colour[i];
        if (!place.try_emplace(colour, static_cast<std::uint32_t>(few.operations.size())).second) continue;
        Operation op = *operations_[i].op;
        if (op.route.valid()) op.route = made.routes.add(weights_[colour], {}, latency(i));
        if (op.kind == OperationKind::kCall) op.callee = id[bodies_.colour[callee(i)]];
        few.operations.push_back(op);
      }
      std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int32_t, std::uint32_t, std::uint32_t>> edges;
      for (const flow::Edge& edge : body.edges) {
        const std::uint32_t from = place.at(ops_.colour[begin_[t] + edge.from]);
        const std::uint32_t to = place.at(ops_.colour[begin_[t] + edge.to]);
        if (from != to)
          edges.emplace_back(from, to, edge.offset, edge.first, edge.last);  // itself: it waits for its own last
      }
      std::ranges::sort(edges);
      edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
      for (const auto& [from, to, offset, first, last] : edges) few.edges.push_back({from, to, offset, first, last});
      id[body_colour] = made.add(std::move(few));
    }
    made.entry = id[bodies_.colour.back()];
    return made;
  }

  const flow::Program& program_;
  bool possible_ = true;
  std::unordered_map<std::uint32_t, std::uint32_t> number_;  // of a template of the program
  std::vector<flow::TemplateId> templates_;                  // the top is the last
  std::vector<std::uint32_t> begin_;                         // of the operations of each
  std::vector<Item> operations_;
  std::vector<flow::ResourceId> links_;
  std::vector<std::uint32_t> dense_;  // by resource: its number in links_
  Painting ops_, of_, bodies_;        // of operations, links, templates
  std::vector<std::vector<flow::LinkUse>> weights_;
};

}  // namespace

std::optional<flow::Program> by_classes(const flow::Program& program, flow::TemplateId top) {
  return Classes(program, top).quotient();
}

}  // namespace helio::simulate
