// SPDX-License-Identifier: Apache-2.0
#include "simulate/fold.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/budget.h"
#include "base/mix.h"

namespace helio::simulate {

using flow::Operation;
using flow::OperationKind;
using flow::TemplateId;

namespace {

constexpr int kMostSweeps = 64;  // a class that falls apart from its ends takes as many as it is long: too many to pay
constexpr std::size_t kWorthFolding = 2;  // members of a class, in the mean
constexpr double kRounding = 1e-13;       // of sums of weights, in whatever order

using Colour = std::uint64_t;
using Class = std::uint32_t;
constexpr Class kNoClass = 0xffffffffu;

Colour with(Colour colour, Colour more) { return mixed(colour ^ mixed(more + kGolden)); }
Colour of_time(Time time) { return with(static_cast<Colour>(time.count()), static_cast<Colour>(time.count() >> 64)); }

// The first that has each colour. Colours are hashes already, so each is looked for from where it says on.
class Firsts {
 public:
  std::size_t size() const { return size_; }
  void clear() {
    std::ranges::fill(slots_, Slot{});
    size_ = 0;
  }
  Class find_or_add(Colour colour, Class member) {
    if (2 * size_ >= slots_.size()) grow();
    Slot& slot = slot_of(colour);
    if (slot.first != kNoClass) return slot.first;
    slot = {colour, member};
    ++size_;
    return member;
  }

 private:
  struct Slot {
    Colour colour = 0;
    Class first = kNoClass;
  };
  Slot& slot_of(Colour colour) {
    std::size_t at = colour & (slots_.size() - 1);
    while (slots_[at].first != kNoClass && slots_[at].colour != colour) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void grow() {
    std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(std::max<std::size_t>(1024, 2 * slots_.size())));
    for (const Slot& slot : before)
      if (slot.first != kNoClass) slot_of(slot.colour) = slot;
  }

  std::vector<Slot> slots_;  // a power of two
  std::size_t size_ = 0;
};

}  // namespace

class Folding {
 public:
  Folding(const flow::Program& program, TemplateId top, bool spans) : program_(program), top_(top), spans_(spans) {}

  std::optional<Folded> run() {
    if (!program_.controls.empty() || !order_templates() || !colour_first()) return std::nullopt;
    std::size_t classes = 0;
    for (int sweep = 0;; ++sweep) {
      if (sweep == kMostSweeps) return std::nullopt;
      refine();
      const std::size_t now = divide();
      if (op_count_ < kWorthFolding * op_classes_) return std::nullopt;
      if (now == classes) break;
      classes = now;
    }
    if (!is_equitable()) return std::nullopt;
    return folded();
  }

 private:
  // Those that run, callers before callees.
  bool order_templates() {
    const std::size_t count = program_.templates.size();
    std::vector<std::uint32_t> callers(count, 0);
    std::vector<bool> seen(count, false);
    std::vector<std::uint32_t> open{top_.value};
    seen[top_.value] = true;
    const auto for_each_callee = [&](std::uint32_t t, auto visit) {
      for (const Operation& op : program_.templates[t].operations)
        if (op.kind == OperationKind::kCall) visit(op.callee.value);
    };
    while (!open.empty()) {
      const std::uint32_t t = open.back();
      open.pop_back();
      for_each_callee(t, [&](std::uint32_t callee) {
        ++callers[callee];
        if (!seen[callee]) seen[callee] = true, open.push_back(callee);
      });
    }
    base_.assign(count, 0);
    for (open = {top_.value}; !open.empty();) {
      const std::uint32_t t = open.back();
      open.pop_back();
      order_.push_back(t);
      base_[t] = static_cast<std::uint32_t>(op_count_);
      op_count_ += program_.templates[t].operations.size();
      for_each_callee(t, [&](std::uint32_t callee) {
        if (--callers[callee] == 0) open.push_back(callee);
      });
    }
    return op_count_ < kNoClass;
  }

  // By what they are; and who waits for whom, so that a sweep can go from the first to the last.
  bool colour_first() {
    ops_.resize(op_count_);
    callee_.assign(op_count_, kNoClass);
    templates_.assign(program_.templates.size(), 0);
    links_.resize(program_.resources.size());
    in_begin_.assign(op_count_ + 1, 0);
    walk_.reserve(op_count_);
    for (std::uint32_t l = 0; l < links_.size(); ++l)
      links_[l] = std::bit_cast<Colour>(program_.resources.rate(flow::ResourceId{l}).value);
    for (const std::uint32_t t : order_) {
      const flow::Template& body = program_.templates[t];
      Budget::spend(static_cast<std::int64_t>(8 * (body.operations.size() + body.edges.size())));
      templates_[t] = body.visible ? 1 : 2;
      for (std::uint32_t i = 0; i < body.operations.size(); ++i) {
        const Operation& op = body.operations[i];
        if (op.controlled || op.alternatives != 1) return false;
        Colour colour = static_cast<Colour>(op.kind) << 16 | static_cast<Colour>(op.priority) << 8 | (op.step ? 1 : 0);
        for (const Colour word : {Colour{op.repeat}, Colour{op.rounds}, std::bit_cast<Colour>(op.bytes),
                                  of_time(op.duration), Colour{std::bit_cast<std::uint32_t>(op.share)}})
          colour = with(colour, word);
        if (op.route.valid()) {
          if (!program_.routes.channels(op.route).empty()) return false;
          colour = with(colour, of_time(program_.routes.latency(op.route)));
        }
        const std::uint32_t o = base_[t] + i;
        ops_[o] = colour;
        if (op.kind == OperationKind::kCall) callee_[o] = op.callee.value;
        if (op.kind == OperationKind::kTransfer && op.route.valid()) transfers_.push_back({o, op.route});
      }
      order_operations(t);
    }
    for (std::size_t i = 0; i < op_count_; ++i) in_begin_[i + 1] += in_begin_[i];
    waits_.resize(in_begin_.back());
    std::vector<std::uint32_t> at(in_begin_.begin(), in_begin_.end() - 1);
    for (const std::uint32_t t : order_)
      for (const flow::Edge& edge : program_.templates[t].edges)
        waits_[at[base_[t] + edge.to]++] = {base_[t] + edge.from, range_named(edge)};
    return true;
  }

  std::uint32_t range_named(const flow::Edge& edge) {
    const auto same = [&](const flow::Edge& range) {
      return range.offset == edge.offset && range.first == edge.first && range.last == edge.last;
    };
    if (ranges_.empty() || !same(ranges_[last_range_])) {
      const auto key = std::tuple(edge.offset, edge.first, edge.last);
      const auto [known, fresh] = range_ids_.try_emplace(key, static_cast<std::uint32_t>(ranges_.size()));
      if (fresh) ranges_.push_back({0, 0, edge.offset, edge.first, edge.last});
      last_range_ = known->second;
    }
    return last_range_;
  }

  // What runs in circles, each instance after one of an earlier round, comes last.
  void order_operations(std::uint32_t t) {
    const flow::Template& body = program_.templates[t];
    const std::uint32_t base = base_[t];
    const std::size_t begin = walk_.size();
    if (body.edges.empty()) {
      for (std::uint32_t i = 0; i < body.operations.size(); ++i) walk_.push_back(base + i);
      return;
    }
    std::vector<std::uint32_t> out_begin(body.operations.size() + 1, 0), unmet(body.operations.size(), 0);
    for (const flow::Edge& edge : body.edges) {
      ++out_begin[edge.from + 1];
      ++unmet[edge.to];
      ++in_begin_[base + edge.to + 1];
    }
    for (std::size_t i = 0; i < body.operations.size(); ++i) out_begin[i + 1] += out_begin[i];
    std::vector<std::uint32_t> out(body.edges.size()), at(out_begin.begin(), out_begin.end() - 1);
    for (const flow::Edge& edge : body.edges) out[at[edge.from]++] = edge.to;
    for (std::uint32_t i = 0; i < body.operations.size(); ++i)
      if (unmet[i] == 0) walk_.push_back(base + i);
    for (std::size_t next = begin; next < walk_.size(); ++next) {
      const std::uint32_t i = walk_[next] - base;
      for (std::uint32_t k = out_begin[i]; k < out_begin[i + 1]; ++k)
        if (--unmet[out[k]] == 0) walk_.push_back(base + out[k]);
    }
    for (std::uint32_t i = 0; i < body.operations.size(); ++i) {
      if (unmet[i] == 0) continue;
      walk_.push_back(base + i);
      circles_.resize(op_count_, false);
      circles_[base + i] = true;
    }
  }

  // One sweep: every colour takes in those around it.
  void refine() {
    Budget::spend(static_cast<std::int64_t>(4 * (op_count_ + waits_.size() + program_.routes.uses())));
    // Links: who crosses them; and those, what they cross
    std::vector<Colour> sums(links_.size(), 0);
    for (const auto& [o, route] : transfers_)
      for (const flow::LinkUse& use : program_.routes.links(route))
        sums[use.link.value] += with(ops_[o], std::bit_cast<std::uint32_t>(use.weight));
    for (std::size_t l = 0; l < links_.size(); ++l) links_[l] = with(links_[l], sums[l]);
    for (const auto& [o, route] : transfers_) {
      Colour crossed = 0;
      for (const flow::LinkUse& use : program_.routes.links(route))
        crossed += with(links_[use.link.value], std::bit_cast<std::uint32_t>(use.weight));
      ops_[o] = with(ops_[o], crossed);
    }

    // Templates, callers first, and their operations in the order of time; in circles nobody is first, so all look at what was
    std::vector<Colour> calls(templates_.size(), 0), before;
    if (!circles_.empty()) before = ops_;
    std::size_t next = 0;
    for (const std::uint32_t t : order_) {
      const std::size_t count = program_.templates[t].operations.size();
      Colour inside = 0;
      for (std::size_t i = 0; i < count; ++i) inside += mixed(ops_[base_[t] + i]);
      templates_[t] = with(with(templates_[t], inside), calls[t]);
      for (const std::size_t end = next + count; next < end; ++next) {
        const std::uint32_t o = walk_[next], callee = callee_[o];
        Colour sum = callee != kNoClass ? mixed(templates_[callee]) : 0;
        for (std::uint32_t k = in_begin_[o]; k < in_begin_[o + 1]; ++k)
          sum += with((!circles_.empty() && circles_[o] ? before : ops_)[waits_[k].from], waits_[k].range);
        ops_[o] = with(with(ops_[o], templates_[t]), sum);
        if (callee != kNoClass) calls[callee] += mixed(ops_[o]);
      }
    }
  }

  // Classes of equal colours, named by their first members; returns how many there are.
  std::size_t divide() {
    std::size_t total = 0;
    const auto name = [&](const std::vector<Colour>& colours, std::vector<Class>& classes, const auto& takes_part) {
      firsts_.clear();
      classes.assign(colours.size(), kNoClass);
      std::uint32_t last = kNoClass;  // most often it is like the one before it
      for (std::uint32_t i = 0; i < colours.size(); ++i) {
        if (!takes_part(i)) continue;
        classes[i] =
            last != kNoClass && colours[last] == colours[i] ? classes[last] : firsts_.find_or_add(colours[i], i);
        last = i;
      }
      total += firsts_.size();
      return firsts_.size();
    };
    op_classes_ = name(ops_, op_class_, [](std::uint32_t) { return true; });
    name(links_, link_class_, [](std::uint32_t) { return true; });
    name(templates_, template_class_, [&](std::uint32_t t) { return templates_[t] != 0; });
    return total;
  }

  using Label = std::pair<Class, std::uint32_t>;  // with the number of a range

  std::span<const flow::LinkUse> uses(const Operation& op) const {
    if (op.kind != OperationKind::kTransfer || !op.route.valid()) return {};
    return program_.routes.links(op.route);
  }
  void waits_of(std::uint32_t o, std::vector<Label>& labels) const {
    labels.clear();
    for (std::uint32_t k = in_begin_[o]; k < in_begin_[o + 1]; ++k)
      labels.emplace_back(op_class_[waits_[k].from], waits_[k].range);
    std::sort(labels.begin(), labels.end());
  }

  static bool are_equal(const Operation& a, const Operation& b) {
    return a.kind == b.kind && a.priority == b.priority && a.step == b.step && a.route.valid() == b.route.valid() &&
           a.share == b.share && a.repeat == b.repeat && a.rounds == b.rounds && a.bytes == b.bytes &&
           a.duration == b.duration;
  }

  const Operation& operation(std::uint32_t o) const {
    return program_.templates[where_[o]].operations[o - base_[where_[o]]];
  }

  bool is_equitable() {
    where_.resize(op_count_);
    for (const std::uint32_t t : order_)
      std::fill_n(where_.begin() + base_[t], program_.templates[t].operations.size(), t);
    return operations_are_alike() && links_are_alike() && templates_are_alike();
  }

  // Each operation is what the first of its class is, crosses what that crosses, and waits for what that waits for.
  bool operations_are_alike() {
    std::vector<Label> mine, theirs;
    more_.assign(links_.size(), 0);
    for (std::uint32_t o = 0; o < op_count_; ++o) {
      const std::uint32_t first = op_class_[o];
      if (first == o) continue;
      const Operation &op = operation(o), &other = operation(first);
      if (!are_equal(op, other) || template_class_[where_[o]] != template_class_[where_[first]]) return false;
      if (op.kind == OperationKind::kCall && template_class_[op.callee.value] != template_class_[other.callee.value])
        return false;
      if (op.route.valid() && program_.routes.latency(op.route) != program_.routes.latency(other.route)) return false;
      for (const flow::LinkUse& use : uses(op)) more_[link_class_[use.link.value]] += use.weight;
      for (const flow::LinkUse& use : uses(other)) more_[link_class_[use.link.value]] -= use.weight;
      for (const Operation* each : {&op, &other})
        for (const flow::LinkUse& use : uses(*each))
          if (std::abs(more_[link_class_[use.link.value]]) > kRounding) return false;
      for (const flow::LinkUse& use : uses(op)) more_[link_class_[use.link.value]] = 0;
      if (waits_.empty()) continue;
      waits_of(o, mine);
      waits_of(first, theirs);
      if (mine != theirs) return false;
    }
    return true;
  }

  // Each link has the rate of the first of its class, and carries what that carries of every class of operations. Finds what that is.
  bool links_are_alike() {
    for (std::uint32_t l = 0; l < links_.size(); ++l)
      if (program_.resources.rate(flow::ResourceId{l}).value !=
          program_.resources.rate(flow::ResourceId{link_class_[l]}).value)
        return false;
    std::vector<std::uint32_t> members(links_.size(), 0), met(links_.size(), 0);
    for (const Class of : link_class_) ++members[of];

    // Operations class by class
    std::vector<std::uint32_t> begin(op_count_ + 1, 0), order(op_count_);
    for (const Class of : op_class_) ++begin[of + 1];
    for (std::size_t i = 0; i < op_count_; ++i) begin[i + 1] += begin[i];
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::uint32_t o = 0; o < op_count_; ++o) order[at[op_class_[o]]++] = o;
    std::vector<double> carried(links_.size(), 0);
    std::vector<std::uint32_t> touched;
    for (Class of = 0; of < op_count_; ++of) {
      if (begin[of] == begin[of + 1]) continue;
      touched.clear();
      for (std::uint32_t k = begin[of]; k < begin[of + 1]; ++k)
        for (const flow::LinkUse& use : uses(operation(order[k]))) {
          if (carried[use.link.value] == 0) touched.push_back(use.link.value);
          carried[use.link.value] += use.weight;
        }
      bool alike = true;
      for (const std::uint32_t link : touched) {
        const Class kind = link_class_[link];
        if (met[kind]++ == 0) weights_[of].push_back({kind, carried[kind]});
        alike = alike && std::abs(carried[link] - carried[kind]) <= kRounding * carried[kind];
      }
      for (const Weight& weight : weights_[of]) {
        alike = alike && met[weight.link] == members[weight.link];
        met[weight.link] = 0;
      }
      for (const std::uint32_t link : touched) carried[link] = 0;
      if (!alike) return false;
    }
    return true;
  }

  // Each template holds what the first of its class holds, and is called by what calls that, once by each class.
  bool templates_are_alike() const {
    // Classes of what is in each, and of what calls each, in order
    std::vector<Class> inside = op_class_, calls;
    std::vector<std::uint32_t> begin(templates_.size() + 1, 0);
    for (const std::uint32_t callee : callee_)
      if (callee != kNoClass) ++begin[callee + 1];
    for (std::size_t t = 0; t < templates_.size(); ++t) begin[t + 1] += begin[t];
    calls.resize(begin.back());
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::uint32_t o = 0; o < op_count_; ++o)
      if (callee_[o] != kNoClass) calls[at[callee_[o]]++] = op_class_[o];
    const auto inside_of = [&](std::uint32_t t) {
      return std::span(inside).subspan(base_[t], program_.templates[t].operations.size());
    };
    const auto calls_of = [&](std::uint32_t t) { return std::span(calls).subspan(begin[t], begin[t + 1] - begin[t]); };
    for (const std::uint32_t t : order_) {
      std::ranges::sort(inside_of(t));
      std::ranges::sort(calls_of(t));
    }
    return std::ranges::all_of(order_, [&](std::uint32_t t) {
      const std::uint32_t first = template_class_[t];
      return std::ranges::equal(inside_of(t), inside_of(first)) && std::ranges::equal(calls_of(t), calls_of(first)) &&
             std::ranges::adjacent_find(calls_of(t)) == calls_of(t).end() &&
             program_.templates[t].visible == program_.templates[first].visible;
    });
  }

  Folded folded() const {
    Folded result;
    result.program.resources = program_.resources;
    std::map<Class, TemplateId> made;  // of each class of templates
    for (const std::uint32_t t : order_) made[template_class_[t]] = TemplateId{};
    std::uint32_t count = 0;
    for (auto& [of, id] : made) id = TemplateId{count++};
    result.program.templates.resize(count);
    result.first_.resize(count);
    result.members_.resize(count);
    result.program.entry = made.at(template_class_[top_.value]);
    std::vector<std::uint32_t> place(op_count_, kNoClass);  // of a class of operations in its template
    for (const auto& [of, id] : made) fold_template(of, id, made, place, result);
    if (!spans_) return result;
    for (const std::uint32_t t : order_)
      for (std::uint32_t i = 0; i < program_.templates[t].operations.size(); ++i) {
        auto& members = result.members_[made.at(template_class_[t]).value][place[op_class_[base_[t] + i]]];
        if (members.front().where != TemplateId{t} || members.front().operation != i)
          members.push_back({TemplateId{t}, i});
      }
    return result;
  }

  void fold_template(std::uint32_t t, TemplateId id, const std::map<Class, TemplateId>& made,
                     std::vector<std::uint32_t>& place, Folded& result) const {
    const flow::Template& whole = program_.templates[t];
    flow::Template& body = result.program.templates[id.value];
    body.name = whole.name;
    body.visible = whole.visible;
    result.first_[id.value] = TemplateId{t};
    std::vector<std::uint32_t> left;
    for (std::uint32_t i = 0; i < whole.operations.size(); ++i) {
      const std::uint32_t o = base_[t] + i;
      if (place[op_class_[o]] != kNoClass) continue;
      place[op_class_[o]] = static_cast<std::uint32_t>(left.size());
      left.push_back(i);
      Operation op = whole.operations[i];
      if (op.kind == OperationKind::kCall) op.callee = made.at(template_class_[op.callee.value]);
      if (op.route.valid()) op.route = fold_route(o, op, result.program.routes);
      body.operations.push_back(op);
      result.members_[id.value].push_back({{TemplateId{t}, i}});
    }
    std::vector<Label> waits;
    for (std::uint32_t k = 0; k < left.size(); ++k) {
      waits_of(base_[t] + left[k], waits);
      waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
      for (const auto& [from, range] : waits) {
        flow::Edge edge = ranges_[range];
        edge.from = place[from];
        edge.to = k;
        body.edges.push_back(edge);
      }
    }
  }

  // A sum of weights may need more digits than a weight has: then it is told in two.
  flow::RouteId fold_route(std::uint32_t o, const Operation& op, flow::RouteTable& routes) const {
    std::vector<flow::LinkUse> crossed;
    if (const auto weights = weights_.find(op_class_[o]); weights != weights_.end())
      for (const auto& [link, weight] : weights->second)
        for (double rest = weight; rest > kRounding * weight;) {
          float part = static_cast<float>(rest);
          if (part > rest) part = std::nextafterf(part, 0);
          crossed.push_back({flow::ResourceId{link}, part});
          rest -= part;
        }
    return routes.add(crossed, {}, program_.routes.latency(op.route));
  }

  const flow::Program& program_;
  const TemplateId top_;
  const bool spans_;
  std::vector<std::uint32_t> order_;  // templates
  std::vector<std::uint32_t> base_;   // of each template: the number of its first operation
  std::size_t op_count_ = 0, op_classes_ = 0;
  std::vector<std::uint32_t> walk_;  // operations, template by template, those that others wait for first
  struct Wait {
    std::uint32_t from, range;
  };
  std::vector<bool> circles_;  // those that wait for each other round in circles, or for such; empty: none
  std::vector<std::uint32_t> in_begin_;
  std::vector<Wait> waits_;         // what each operation waits for, in ranges of instances:
  std::vector<flow::Edge> ranges_;  // these, without their ends
  std::map<std::tuple<std::int32_t, std::uint32_t, std::uint32_t>, std::uint32_t> range_ids_;
  std::uint32_t last_range_ = 0;
  struct Transfer {
    std::uint32_t operation;
    flow::RouteId route;
  };
  std::vector<Transfer> transfers_;
  std::vector<std::uint32_t> callee_;
  std::vector<Colour> ops_, links_, templates_;
  std::vector<Class> op_class_, link_class_, template_class_;
  Firsts firsts_;                     // of what is divided at hand
  std::vector<std::uint32_t> where_;  // the template of each operation
  std::vector<double> more_;          // by class of links: what an operation weighs there beyond the first of its class
  struct Weight {
    Class link;
    double weight;
  };
  std::unordered_map<Class, std::vector<Weight>> weights_;  // of a class of operations on each link of a class
};

std::optional<Folded> fold(const flow::Program& program, TemplateId top, bool spans) {
  return Folding(program, top, spans).run();
}

void Folded::unfold(std::vector<double> traffic, Timeline& timeline) const {
  for (Link& link : timeline.links) {
    if (link.operation != Link::kNone) link.operation = members_[link.where.value][link.operation].front().operation;
    link.where = first_[link.where.value];
  }
  std::vector<Span> spans;
  spans.swap(timeline.spans);
  for (Span& span : spans)
    for (const Member& member : members_[span.where.value][span.operation]) {
      Span& one = timeline.spans.emplace_back(span);
      one.where = member.where;
      one.operation = member.operation;
    }
  timeline.busy_seconds = std::move(traffic);
  for (std::uint32_t i = 0; i < program.resources.size(); ++i)
    if (const flow::ResourceId id{i}; !program.resources.is_channel(id))
      timeline.busy_seconds[i] = timeline.busy_seconds[i] * 8 / program.resources.rate(id).value;
}

}  // namespace helio::simulate
