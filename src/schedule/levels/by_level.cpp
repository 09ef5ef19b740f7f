// SPDX-License-Identifier: Apache-2.0
#include "schedule/levels/by_level.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "schedule/levels/averaged_twice.h"
#include "schedule/levels/level_algorithms.h"
#include "schedule/levels/level_slots.h"

namespace helio::schedule {
namespace {

constexpr FactKind kLevelAlgorithmsFact = {"level_algorithms", "", "by-level: what each level runs, the lowest first"};
constexpr FactKind kWavesFact = {"waves", "", "by-level: parts of the vector that follow each other over the levels"};
constexpr FactKind kHoldersFact = {"holders", "", "by-level: nodes of a unit that hold its part of the level above"};
constexpr FactKind kAboveFirstFact = {"above_first", "",
                                      "by-level: share of the vector that is added up on the highest level first"};

constexpr std::uint32_t kMostWaves = 65536;
constexpr double kUsualWave = 4e6;     // bytes of one of the parts that follow each other, where nobody says
constexpr std::uint32_t kShares = 64;  // of the vector, that go one way or the other
constexpr std::uint64_t kMostSlots = 1u << 30;

[[noreturn]] void refuse(std::string what, Advice advice) {
  throw Error(ErrorKind::kInfeasible, std::move(what), "", std::move(advice));
}

// How the sums of a unit get to those who hold them for the level above.
enum class Below : std::uint8_t { kSpread, kAtGateways, kAtOne };

// What a level runs for one part of the vector.
struct Step {
  std::size_t k = 0;
  Kind kind = Kind::kAllReduce;
  double share = 1;     // of the part: what its units have together
  bool pieces = false;  // of a rooted kind: every unit gets, or gives, its own block only, and only around the root
};

// A part of the vector and the order in which it visits the levels.
struct Chain {
  std::vector<std::size_t> order;
  std::uint32_t shares = kShares;  // of kShares
  std::vector<Step> steps = {};
  std::vector<std::uint32_t> chunks = {};  // by level
  std::uint64_t slots() const {
    std::uint64_t total = 1;
    for (const std::uint32_t count : chunks) total *= count;
    return total;
  }
};

std::vector<std::size_t> upwards(std::size_t levels) {
  std::vector<std::size_t> order(levels);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

// Makes the stages of one request, and the moves that they stand for.
class Builder {
 public:
  Builder(const CollectiveRequest& request, const Capabilities& capabilities, const Parameters& parameters)
      : request_(request),
        capabilities_(capabilities),
        parameters_(parameters),
        levels_(levels_spanned(request, capabilities)),
        tree_(request.groups.front(), capabilities, levels_),
        algorithms_(request, capabilities, parameters, levels_) {
    for (const std::vector<NodeId>& group : request.groups)
      if (!LevelTree(group, capabilities, levels_).lies_like(tree_))
        refuse("by-level needs groups that lie alike on the levels, and these do not",
               "ask for them one by one, or use an algorithm that knows no levels, such as ring");
  }

  Schedule build() {
    schedule_ = {.algorithm = kByLevel, .kind = request_.kind, .ranks = request_.ranks(), .root = request_.root};
    schedule_.order = Order::kDataflow;
    switch (below()) {
      case Below::kSpread: spread(); break;
      case Below::kAtGateways: at_gateways(); break;
      case Below::kAtOne: at_one(); break;
    }
    schedule_.waves = schedule_.stages.size() > 1 ? waves() : 1;  // alone, a level gains nothing
    note_facts();
    return std::move(schedule_);
  }

 private:
  const Capabilities::Part& level(std::size_t k) const { return capabilities_.parts[k]; }
  std::size_t top() const { return levels_ - 1; }

  Below below() const {
    const std::string& asked = parameters_.text("holders");
    const Kind kind = request_.kind;
    const auto want = [&](const char* name) { return asked == name; };
    if (!tree_.even() && (kind == Kind::kAllGather || kind == Kind::kAllToAll))
      refuse(fmt::format("by-level {} needs as many ranks in every unit of a level", name_of(kind)),
             "use direct or ring, or other groups");
    if (parameters_.number("above_first") > 0) {
      refuse_above_first(asked);
      return Below::kSpread;
    }
    if (!tree_.even()) return Below::kAtOne;
    if (has_root(kind) && !want("members")) return Below::kAtOne;
    if (has_root(kind)) refuse_unless_passable();
    if (kind != Kind::kAllReduce) return Below::kSpread;
    if (want("one")) return Below::kAtOne;
    if (want("gateways") && !can_add_at_gateways())
      refuse("holders = gateways needs a lowest level that adds and copies, and gateways among the ranks of every unit",
             "use holders = members");
    if (want("gateways") || (want("auto") && can_add_at_gateways() && !gateways_are_all())) return Below::kAtGateways;
    if (want("members")) refuse_unless_passable();
    return blocked() ? Below::kAtOne : Below::kSpread;
  }

  // Where no share of the vector can go the other way around.
  void refuse_above_first(const std::string& holders) const {
    if (request_.kind != Kind::kAllReduce)
      throw Error(ErrorKind::kInput,
                  fmt::format("above_first is for all-reduce, and this is {}", name_of(request_.kind)),
                  parameters_.place("above_first"), "leave it out");
    if (!tree_.even())
      refuse("above_first needs as many ranks in every unit of a level", "leave it out, or use other groups");
    if (holders == "gateways" || holders == "one")
      refuse(fmt::format("above_first lets every node of a unit send upwards, and holders = {} does not", holders),
             "use holders = members, or leave one of them out");
    refuse_unless_passable();
  }

  bool gateways_are_all() const {
    return std::all_of(capabilities_.parts.begin(), capabilities_.parts.begin() + static_cast<std::ptrdiff_t>(levels_),
                       [](const Capabilities::Part& part) { return part.gateways.empty(); });
  }
  // The first level through which a node would have to pass on its way to a gateway, and cannot.
  const Capabilities::Part* blocked() const {
    for (std::size_t k = 1; k < levels_; ++k)
      if (!level(k).gateways.empty())
        for (std::size_t j = 0; j < k; ++j)
          if (!level(j).open) return &level(j);
    return nullptr;
  }
  void refuse_unless_passable() const {
    if (const Capabilities::Part* closed = blocked())
      refuse(fmt::format("nodes that are no gateways cannot reach the level above through '{}'", closed->name),
             "use holders = one, or gateways = all");
  }

  bool is_gateway(std::size_t k, NodeId node) const {
    const Capabilities::Part& part = level(k);
    if (part.gateways.empty()) return true;
    return std::ranges::binary_search(part.gateways, static_cast<std::uint32_t>(node.value % part.unit));
  }
  bool is_gateway(std::size_t k, Position p) const {
    return is_gateway(k, request_.groups.front()[static_cast<std::size_t>(p)]);
  }
  // Two levels, the lower of which adds, and as many gateways among the members of every unit.
  bool can_add_at_gateways() const {
    if (levels_ != 2 || tree_.width()[0] < 2) return false;
    const Capabilities& lowest = level(0).capabilities;
    if (!lowest.reduces || !lowest.multicasts || lowest.averaging) return false;
    if (!algorithms_.asked_for(0).empty() && algorithms_.asked_for(0) != "in-fabric") return false;
    std::map<std::uint64_t, std::size_t> count;  // by unit
    for (Position p = 0; p < request_.ranks(); ++p) count[tree_.unit(1, p)] += is_gateway(1, p);
    for (const auto& [unit, gateways] : count)
      if (gateways == 0 || gateways != count.begin()->second) return false;
    // In every group the same positions
    for (const std::vector<NodeId>& group : request_.groups)
      for (std::size_t p = 0; p < group.size(); ++p)
        if (is_gateway(1, group[p]) != is_gateway(1, static_cast<Position>(p))) return false;
    return true;
  }

  std::shared_ptr<const Schedule> inner(std::size_t k, Kind kind, const std::vector<NodeId>& units, Position root,
                                        double share) {
    return algorithms_.among(k, kind, units, root, request_.bytes * share / waves());
  }

  // Adds a stage of level k on these teams: one for each schedule that they need.
  void add(std::size_t k, const std::vector<LevelMembers>& teams, const LevelSlots& slots, double share,
           const std::function<std::shared_ptr<const Schedule>(const LevelMembers&)>& schedule_of) {
    const std::size_t first = schedule_.stages.size();
    for (const LevelMembers& members : teams) {
      if (members.units.size() < 2) continue;
      std::shared_ptr<const Schedule> made = schedule_of(members);
      if (!made) continue;
      const auto same =
          std::find_if(schedule_.stages.begin() + static_cast<std::ptrdiff_t>(first), schedule_.stages.end(),
                       [&](const LevelStage& stage) { return stage.schedule == made; });
      if (same != schedule_.stages.end())
        same->teams.push_back(members.team);
      else
        schedule_.stages.push_back({.part = static_cast<std::uint32_t>(k),
                                    .schedule = std::move(made),
                                    .share = share,
                                    .teams = {members.team},
                                    .chain = chain_,
                                    .wire = wire_});
    }
    for (std::size_t s = first; s < schedule_.stages.size(); ++s)
      slots.append(schedule_.stages[s], level(k).name, schedule_);
    // From an averaging level on codes may travel instead of numbers
    if (const auto& averaging = level(k).capabilities.averaging; averaging && parameters_.boolean("codes_below"))
      wire_ = level(k).capabilities.least_wire_factor;
  }

  void begin_chain() {
    chain_ = schedule_.stages.empty() ? 0 : schedule_.stages.back().chain + 1;
    wire_ = 1;
  }

  // What each level runs on the way of an order to its end, and back.
  std::vector<Step> steps_along(const std::vector<std::size_t>& order) const {
    const Kind kind = request_.kind;
    const bool sums = kind == Kind::kAllReduce || kind == Kind::kReduceScatter || kind == Kind::kReduce;
    const bool copies = kind == Kind::kAllReduce || kind == Kind::kAllGather || kind == Kind::kBroadcast;
    std::vector<double>
        share;  // what a unit's nodes have together: all levels below that have not been visited count, those above divide
    for (std::size_t i = 0; i < order.size(); ++i) {
      double have = 1;
      for (std::size_t j = 0; j < order.size(); ++j) {
        if (kind == Kind::kAllToAll ? order[j] < order[i] : order[j] < order[i] && j > i)
          have *= tree_.width()[order[j]];
        if (order[j] > order[i] && j < i && kind != Kind::kAllToAll) have /= tree_.width()[order[j]];
      }
      share.push_back(have);
    }
    std::vector<Step> steps;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool last = i + 1 == order.size();
      if (kind == Kind::kAllToAll)
        steps.push_back({order[i], kind, share[i]});
      else if (sums)
        steps.push_back({order[i], last && kind != Kind::kReduceScatter ? kind : Kind::kReduceScatter, share[i]});
      else if (kind == Kind::kBroadcast)
        steps.push_back({order[i], kind, share[i], !last});
    }
    for (std::size_t i = order.size(); i-- > 0;) {
      const bool last = i + 1 == order.size();
      if (copies && (kind == Kind::kAllGather || !last))
        steps.push_back({order[i], Kind::kAllGather, share[i]});
      else if (kind == Kind::kReduce && !last)
        steps.push_back({order[i], kind, share[i], true});
    }
    return steps;
  }

  // Where the root is, among the units of a team; nowhere: -1.
  Position root_among(std::size_t k, const LevelMembers& members) const {
    for (std::size_t a = 0; a < members.team.holders.size(); ++a)
      if (tree_.unit(k, members.team.holders[a].front()) == tree_.unit(k, request_.root))
        return static_cast<Position>(a);
    return -1;
  }

  std::shared_ptr<const Schedule> schedule_of(const Step& step, const LevelMembers& members, double part) {
    if (!has_root(step.kind)) return inner(step.k, step.kind, members.units, 0, step.share * part);
    const Position root = root_among(step.k, members);
    if (root < 0) return nullptr;
    if (!step.pieces) return inner(step.k, step.kind, members.units, root, step.share * part);
    auto& made = in_pieces_[{step.k, step.kind, root, members.units.size()}];
    if (!made) made = in_pieces(static_cast<Position>(members.units.size()), root, step.kind);
    algorithms_.note(step.k, "direct");
    return made;
  }

  // The root hands every rank its block, or takes it from there.
  static std::shared_ptr<const Schedule> in_pieces(Position n, Position root, Kind kind) {
    auto made = std::make_shared<Schedule>(Schedule{
        .algorithm = "direct", .kind = kind, .ranks = n, .root = root, .chunks = static_cast<std::uint32_t>(n)});
    Phase phase{.name = kind == Kind::kBroadcast ? "blocks from the root" : "blocks to the root", .moves = {}};
    for (Position p = 0; p < n; ++p) {
      if (p == root) continue;
      phase.moves.push_back({.source = kind == Kind::kBroadcast ? root : p,
                             .destination = kind == Kind::kBroadcast ? p : root,
                             .source_slot = static_cast<std::uint32_t>(p),
                             .destination_slot = static_cast<std::uint32_t>(p)});
    }
    made->phases.push_back(std::move(phase));
    check(*made);
    return made;
  }

  // Everybody holds a part: kinds whose parts are ranks' own, all-reduce, and rooted kinds by many ways at once.
  void spread() {
    std::vector<std::vector<LevelMembers>> teams;
    for (std::size_t k = 0; k < levels_; ++k) teams.push_back(tree_.teams(k, [](Position) { return true; }));
    holders_ = request_.ranks() / tree_.width()[top()];

    // Which part of the vector goes in which order, and the slots that it needs
    const std::uint32_t other_way = shares_above_first();
    const bool twice = other_way > 0 && level(top()).capabilities.averaging.has_value();
    std::vector<Chain> chains;
    if (other_way < kShares) chains.push_back({upwards(levels_), kShares - other_way});
    if (other_way > 0 && !twice) {
      std::vector<std::size_t> order = upwards(levels_);
      std::rotate(order.begin(), order.end() - 1, order.end());
      chains.push_back({std::move(order), other_way});
    }
    for (Chain& chain : chains) {
      chain.steps = steps_along(chain.order);
      chain.chunks.assign(levels_, 1);
      for (const Step& step : chain.steps)
        for (const LevelMembers& members : teams[step.k])
          if (members.units.size() > 1)
            if (const auto made = schedule_of(step, members, part_of(chain.shares)))
              chain.chunks[step.k] = std::lcm(chain.chunks[step.k], made->chunks);
    }
    if (is_rank_indexed(request_.kind)) {
      const LevelSlots slots = LevelSlots::by_rank(tree_.width(), chains.front().chunks, tree_.coordinates());
      schedule_.chunks = slots.total();
      run(chains.front(), teams, slots);
      return;
    }
    const LevelMembers& across = teams[top()].front();
    std::vector<std::pair<std::uint32_t, std::uint64_t>> needs;
    for (const Chain& chain : chains) needs.emplace_back(chain.shares, chain.slots());
    if (twice) needs.emplace_back(other_way, request_.ranks());
    const std::vector<Stretch> where = divide(needs);

    for (std::size_t c = 0; c < chains.size(); ++c)
      run(chains[c], teams,
          LevelSlots::by_digits(chains[c].order, tree_.width(), chains[c].chunks, tree_.coordinates())
              .inside(where[c].first, where[c].each));
    if (twice) {
      begin_chain();
      const double part = part_of(other_way), m = static_cast<double>(holders_);
      append_averaged_twice({.level = static_cast<std::uint32_t>(top()),
                             .chain = chain_,
                             .first = where.back().first,
                             .each = where.back().each,
                             .part = part,
                             .sums = inner(top(), Kind::kReduceScatter, across.units, 0, part * (m - 1)),
                             .averages = inner(top(), Kind::kAllReduce, across.units, 0, part * m)},
                            across.team, level(top()).name, schedule_);
    }
    above_first_ = part_of(other_way);
  }

  void run(const Chain& chain, const std::vector<std::vector<LevelMembers>>& teams, const LevelSlots& slots) {
    begin_chain();
    const double part = part_of(chain.shares);
    for (const Step& step : chain.steps)
      add(step.k, teams[step.k], slots, step.share * part,
          [&](const LevelMembers& members) { return schedule_of(step, members, part); });
  }

  static double part_of(std::uint32_t shares) { return static_cast<double>(shares) / kShares; }

  // 64ths of the vector that are added up on the highest level first.
  std::uint32_t shares_above_first() const {
    const auto shares = static_cast<std::uint32_t>(std::lround(parameters_.number("above_first") * kShares));
    return levels_ > 1 && tree_.width()[top()] > 1 && holders_ > 1 ? shares : 0;
  }

  // Slots of equal bytes for all parts: the first of each, and how many are one of those that it needs. Sets schedule_.chunks.
  struct Stretch {
    std::uint32_t first = 0, each = 1;
  };
  std::vector<Stretch> divide(const std::vector<std::pair<std::uint32_t, std::uint64_t>>& needs) {
    std::uint32_t common = 0;
    for (const auto& [shares, slots] : needs) common = std::gcd(common, shares);
    std::uint64_t unit = 1;  // slots of one share
    for (const auto& [shares, slots] : needs)
      unit = std::lcm(unit, slots / std::gcd<std::uint64_t>(slots, shares / common));
    std::vector<Stretch> where;
    std::uint64_t next = 0;
    for (const auto& [shares, slots] : needs) {
      where.push_back({static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(shares / common * unit / slots)});
      if ((next += shares / common * unit) > kMostSlots)
        refuse("the levels cut the vector into more slots than can be told apart",
               "choose algorithms with fewer slots, or leave above_first out");
    }
    schedule_.chunks = static_cast<std::uint32_t>(next);
    return where;
  }

  // The lowest level adds up at the gateways, one of which after the other, and copies from them.
  void at_gateways() {
    std::vector<LevelMembers> inside = tree_.teams(0, [](Position) { return true; }),
                              across = tree_.teams(1, [&](Position p) { return is_gateway(1, p); });
    const auto h = static_cast<std::uint32_t>(across.front().team.holders.front().size());
    std::vector<Position> identity(static_cast<std::size_t>(request_.ranks()), 0);
    // By holders: digit 0 is which of them
    std::vector<std::vector<Position>> digits(2, identity);
    for (const LevelMembers& members : across)
      for (const std::vector<Position>& holders : members.team.holders)
        for (std::size_t j = 0; j < holders.size(); ++j)
          digits[0][static_cast<std::size_t>(holders[j])] = static_cast<Position>(j);
    const auto above = [&](const LevelMembers& members) { return inner(1, Kind::kAllReduce, members.units, 0, 1); };
    std::vector<std::uint32_t> chunks{h, 1};
    for (const LevelMembers& members : across) chunks[1] = std::lcm(chunks[1], above(members)->chunks);
    const LevelSlots slots = LevelSlots::by_digits(upwards(2), {static_cast<Position>(h), 1}, chunks, digits);
    schedule_.chunks = slots.total();
    // One schedule for wafers whose gateways are at the same places
    const auto through_the_fabric = [&](bool sums) {
      std::map<std::pair<std::size_t, std::vector<Position>>, std::shared_ptr<const Schedule>> known;
      add(0, inside, slots, 1, [&](const LevelMembers& members) {
        std::vector<Position> ends;
        for (std::size_t a = 0; a < members.team.holders.size(); ++a)
          if (is_gateway(1, members.team.holders[a].front())) ends.push_back(static_cast<Position>(a));
        auto& made = known[{members.units.size(), ends}];
        if (!made) made = in_flight(static_cast<Position>(members.units.size()), ends, sums);
        return made;
      });
    };
    through_the_fabric(true);
    add(1, across, slots, 1, above);
    through_the_fabric(false);
    algorithms_.note(0, "in-fabric");
    holders_ = static_cast<Position>(h);
  }

  // Slot j is added up at ends[j], or copied from there to all, in round j.
  static std::shared_ptr<const Schedule> in_flight(Position n, const std::vector<Position>& ends, bool sums) {
    auto made = std::make_shared<Schedule>(Schedule{.algorithm = "in-fabric",
                                                    .kind = sums ? Kind::kReduce : Kind::kBroadcast,
                                                    .ranks = n,
                                                    .root = ends.front(),
                                                    .chunks = static_cast<std::uint32_t>(ends.size())});
    Phase phase{.name = sums ? "sums at gateways" : "copies from gateways", .repeat = made->chunks, .moves = {}};
    for (std::uint32_t j = 0; j < made->chunks; ++j) {
      std::vector<Position> others(static_cast<std::size_t>(n));
      std::iota(others.begin(), others.end(), 0);
      if (!sums) others.erase(others.begin() + ends[j]);
      made->sets.push_back(std::move(others));
      const Position set = ~static_cast<Position>(made->sets.size() - 1);
      phase.moves.push_back({.source = sums ? set : ends[j],
                             .destination = sums ? ends[j] : set,
                             .source_slot = j,
                             .destination_slot = j,
                             .first_round = j,
                             .last_round = j + 1});
    }
    made->phases.push_back(std::move(phase));
    check(*made);
    return made;
  }

  // One node of each unit speaks for it: the root for its own, elsewhere the first gateway, or the first.
  void at_one() {
    const bool rooted = has_root(request_.kind);
    std::vector<std::vector<LevelMembers>> teams(levels_);
    std::vector<bool> speaks(static_cast<std::size_t>(request_.ranks()), true);
    const auto better = [&](std::size_t k, Position a, Position b) {
      if (rooted && (a == request_.root || b == request_.root)) return a == request_.root;
      const auto gateway = [&](Position p) { return k + 1 < levels_ && is_gateway(k + 1, p); };
      return gateway(a) != gateway(b) ? gateway(a) : a < b;
    };
    std::vector<std::vector<bool>> chosen;  // by level: who speaks for its instance
    for (std::size_t k = 0; k < levels_; ++k) {
      teams[k] = tree_.teams(k, [&](Position p) { return speaks[static_cast<std::size_t>(p)]; });
      std::vector<bool> next(speaks.size(), false);
      for (const LevelMembers& members : teams[k]) {
        Position best = members.team.holders.front().front();
        for (const std::vector<Position>& holders : members.team.holders)
          if (better(k, holders.front(), best)) best = holders.front();
        next[static_cast<std::size_t>(best)] = true;
      }
      chosen.push_back(next);
      speaks = std::move(next);
    }
    const auto made_for = [&](const Step& step) {
      return [&, step](const LevelMembers& members) {
        Position root = 0;
        for (std::size_t a = 0; a < members.team.holders.size() && step.kind != Kind::kAllReduce; ++a)
          if (chosen[step.k][static_cast<std::size_t>(members.team.holders[a].front())])
            root = static_cast<Position>(a);
        return inner(step.k, step.kind, members.units, root, 1);
      };
    };
    std::vector<Step> steps;
    const bool all = !rooted;  // all-reduce; what a reduce-scatter leaves with others is theirs to ignore
    if (all || request_.kind == Kind::kReduce)
      for (std::size_t k = 0; k < levels_; ++k)
        steps.push_back({k, all && k == top() ? Kind::kAllReduce : Kind::kReduce});
    if (all || request_.kind == Kind::kBroadcast)
      for (std::size_t k = levels_; k-- > 0;)
        if (!all || k != top()) steps.push_back({k, Kind::kBroadcast});
    std::uint32_t chunks = is_rank_indexed(request_.kind) ? static_cast<std::uint32_t>(request_.ranks()) : 1;
    for (const Step& step : steps)
      for (const LevelMembers& members : teams[step.k])
        if (members.units.size() > 1) chunks = std::lcm(chunks, made_for(step)(members)->chunks);
    const LevelSlots slots = LevelSlots::whole(chunks);
    schedule_.chunks = slots.total();
    for (const Step& step : steps) add(step.k, teams[step.k], slots, 1, made_for(step));
    holders_ = 1;
  }

  // Parts of the vector that follow each other.
  std::uint32_t waves() const {
    if (parameters_.has("waves")) return static_cast<std::uint32_t>(parameters_.integer("waves"));
    return static_cast<std::uint32_t>(std::clamp(request_.bytes.value / kUsualWave, 1.0, 64.0));
  }

  void note_facts() {
    schedule_.facts.push_back({kLevelAlgorithmsFact, algorithms_.in_words()});
    schedule_.facts.push_back({kHoldersFact, static_cast<double>(holders_)});
    schedule_.facts.push_back({kWavesFact, static_cast<double>(schedule_.waves)});
    if (above_first_ > 0) schedule_.facts.push_back({kAboveFirstFact, above_first_});
  }

  const CollectiveRequest& request_;
  const Capabilities& capabilities_;
  const Parameters& parameters_;
  const std::size_t levels_;
  const LevelTree tree_;
  LevelAlgorithms algorithms_;
  std::map<std::tuple<std::size_t, Kind, Position, std::size_t>, std::shared_ptr<const Schedule>> in_pieces_;
  std::uint32_t chain_ = 0;
  double wire_ = 1;  // of LevelStage, from here on
  Position holders_ = 1;
  double above_first_ = 0;
  Schedule schedule_;
};

Schedule build_by_level(const CollectiveRequest& request, const Capabilities& capabilities,
                        const Parameters& parameters) {
  if (count_levels(capabilities) == 0)
    refuse(fmt::format("by-level needs a fabric made of levels, and '{}' has none", capabilities.fabric),
           "use fabric composite, or another algorithm");
  return Builder(request, capabilities, parameters).build();
}

}  // namespace

AlgorithmEntry by_level() {
  static const std::string kBare = "all-reduce fabric=composite bytes=1MB algorithm=by-level",
                           kWafers = kBare + " fabric.levels='switch:nodes=4/ring:nodes=4'";
  return {{.name = kByLevel,
           .summary =
               "on fabrics made of fabrics: an algorithm for each level, parts of the vector overlapping between them",
           .reference = "ours; after hierarchical collectives (Jia et al. 2018; Cho et al., BlueConnect, 2019)",
           .parameters =
               {{.name = "levels",
                 .type = ParameterType::kText,
                 .description = "an algorithm for each level that the group spans, the lowest first: "
                                "in-fabric/wrht:group=3; auto, or unset: what its fabric is good at",
                 .matters = {.question = kWafers, .other = "ring/ring"},
                 .optional = true},
                {.name = "waves",
                 .type = ParameterType::kInteger,
                 .minimum = "1",
                 .maximum = fmt::format("{}", kMostWaves),
                 .description = "parts of the vector that follow each other over the levels; unset: the fastest number",
                 .matters = {.question = kWafers, .other = "7", .value = "1"},
                 .optional = true},
                {.name = "holders",
                 .type = ParameterType::kChoice,
                 .fallback = "auto",
                 .description = "who holds a unit's part of the level above: all its members, its gateways (where the "
                                "lowest level adds in flight), or one; broadcast and reduce: one by default",
                 .matters = {.question = kWafers, .other = "one"},
                 .choices = {"auto", "members", "gateways", "one"}},
                {.name = "above_first",
                 .type = ParameterType::kNumber,
                 .fallback = "0",
                 .minimum = "0",
                 .maximum = "1",
                 .description = "share of an all-reduce, in 64ths, that is added up on the highest level before it "
                                "is on those below: good where the highest has room",
                 .matters = {.question = kWafers, .other = "0.25"}},
                {.name = "codes_below",
                 .type = ParameterType::kBoolean,
                 .fallback = "false",
                 .description = "whether averages of a level that averages (optinc) travel as its codes on the levels "
                                "below; false: as numbers",
                 .matters = {.question = kBare + " fabric.levels='switch:nodes=4/optinc:nodes=4'", .other = "true"}}},
           .facts = {kLevelAlgorithmsFact, kHoldersFact, kWavesFact, kAboveFirstFact}},
          {.kinds = {std::begin(kAllKinds), std::end(kAllKinds)}, .build = build_by_level}};
}

}  // namespace helio::schedule
