// SPDX-License-Identifier: Apache-2.0
#include "schedule/by_level.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/split.h"
#include "schedule/level_slots.h"

namespace helio::schedule {
namespace {

constexpr FactKind kLevelAlgorithmsFact = {"level_algorithms", "", "by-level: what each level runs, the lowest first"};
constexpr FactKind kWavesFact = {"waves", "", "by-level: parts of the vector that follow each other over the levels"};
constexpr FactKind kHoldersFact = {"holders", "", "by-level: nodes of a unit that hold its part of the level above"};

constexpr std::uint32_t kMostWaves = 65536;
constexpr double kUsualWave = 4e6;  // bytes of one of the parts that follow each other, where nobody says

[[noreturn]] void refuse(std::string what, Advice advice) {
  throw Error(ErrorKind::kInfeasible, std::move(what), "", std::move(advice));
}

std::size_t count_levels(const Capabilities& capabilities) {
  return capabilities.parts.empty() || capabilities.parts.front().unit == 0 ? 0 : capabilities.parts.size();
}

// Where nodes lie.
std::uint64_t unit_of(const Capabilities::Part& level, NodeId node) { return node.value / level.unit; }
std::uint64_t instance_of(const Capabilities::Part& level, NodeId node) {
  return node.value / (level.unit * level.capabilities.nodes);
}

// The positions of a group in a tree of units. Units of a level are told by their number in the fabric, within one group.
struct Tree {
  std::size_t levels = 0;                          // those that the group spans
  std::vector<std::vector<std::uint64_t>> unit;    // by level, by position
  std::vector<std::vector<std::uint64_t>> inside;  // by level, by position: the instance
  std::vector<std::vector<Position>>
      coordinate;               // by level, by position: its unit among those of the instance that have members
  std::vector<Position> width;  // by level: units of an instance; 0: they differ
  bool even = false;            // coordinates name positions, and every combination is one

  bool operator==(const Tree& other) const {
    return levels == other.levels && coordinate == other.coordinate && width == other.width;
  }
};

Tree tree_of(const std::vector<NodeId>& group, const Capabilities& capabilities, std::size_t levels) {
  Tree tree{.levels = levels};
  const std::size_t n = group.size();
  std::uint64_t combinations = 1;
  bool same = true;
  for (std::size_t k = 0; k < levels; ++k) {
    const Capabilities::Part& level = capabilities.parts[k];
    auto& unit = tree.unit.emplace_back(n);
    auto& inside = tree.inside.emplace_back(n);
    auto& coordinate = tree.coordinate.emplace_back(n);
    std::map<std::uint64_t, std::map<std::uint64_t, Position>> members;  // by instance and unit
    for (std::size_t p = 0; p < n; ++p) {
      unit[p] = unit_of(level, group[p]);
      inside[p] = instance_of(level, group[p]);
      members[inside[p]][unit[p]] = 0;
    }
    Position width = 0;
    for (auto& [instance, units] : members) {
      Position next = 0;
      for (auto& [number, index] : units) index = next++;
      same = same && (width == 0 || width == next);
      width = next;
    }
    for (std::size_t p = 0; p < n; ++p) coordinate[p] = members[inside[p]][unit[p]];
    tree.width.push_back(width);
    combinations *= static_cast<std::uint64_t>(width);
  }
  tree.even = same && combinations == n;
  return tree;
}

// What a level runs, as it was asked for: "in-fabric", "wrht:group=3,stripe=2", "" for the usual.
struct LevelChoice {
  std::string algorithm;
  Settings settings;
};

// Of each level that the group spans; words for all levels of the fabric suit every group.
std::vector<LevelChoice> choices_in(const Parameters& parameters, std::size_t levels, std::size_t all) {
  std::vector<LevelChoice> choices(levels);
  if (!parameters.has("levels")) return choices;
  const std::string& text = parameters.text("levels");
  const std::string& place = parameters.place("levels");
  const std::vector<std::string> words = split(text, '/');
  if (words.size() != levels && words.size() != all)
    throw Error(ErrorKind::kInput,
                fmt::format("'{}' names {} algorithms, and the group spans {} levels", text, words.size(), levels),
                place, "name one for each level, the lowest first, such as in-fabric/ring; auto takes the usual one");
  for (std::size_t k = 0; k < levels; ++k) {
    const std::size_t colon = words[k].find(':');
    choices[k].algorithm = without_blanks(words[k].substr(0, colon));
    if (choices[k].algorithm == "auto") choices[k].algorithm.clear();
    if (colon == std::string::npos) continue;
    for (const std::string& setting : split(words[k].substr(colon + 1), ',')) {
      const std::size_t equals = setting.find('=');
      if (equals == std::string::npos)
        throw Error(ErrorKind::kInput, fmt::format("'{}' is no setting of an algorithm", setting), place,
                    "write NAME:parameter=value,parameter=value");
      choices[k].settings[without_blanks(setting.substr(0, equals))] = {setting.substr(equals + 1), place};
    }
  }
  return choices;
}

// How the sums of a unit get to those who hold them for the level above.
enum class Below : std::uint8_t { kSpread, kAtGateways, kAtOne };

// Makes the stages of one request, and the moves that they stand for.
class Builder {
 public:
  Builder(const CollectiveRequest& request, const Capabilities& capabilities, const Parameters& parameters)
      : request_(request),
        capabilities_(capabilities),
        parameters_(parameters),
        levels_(levels_spanned(request, capabilities)),
        choices_(choices_in(parameters, levels_, capabilities.parts.size())),
        used_(levels_) {
    tree_ = tree_of(request.groups.front(), capabilities, levels_);
    for (const std::vector<NodeId>& group : request.groups)
      if (!(tree_of(group, capabilities, levels_) == tree_))
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
    if (!tree_.even && (kind == Kind::kAllGather || kind == Kind::kAllToAll))
      refuse(fmt::format("by-level {} needs as many ranks in every unit of a level", name_of(kind)),
             "use direct or ring, or other groups");
    if (has_root(kind) || !tree_.even || (want("one") && kind == Kind::kAllReduce)) return Below::kAtOne;
    if (kind != Kind::kAllReduce) return Below::kSpread;
    if (want("gateways") && !can_add_at_gateways())
      refuse("holders = gateways needs a lowest level that adds and copies, and gateways among the ranks of every unit",
             "use holders = members");
    if (want("gateways") || (want("auto") && can_add_at_gateways() && !gateways_are_all())) return Below::kAtGateways;
    if (!passable()) {
      if (want("members"))
        refuse(fmt::format("nodes that are no gateways cannot reach the level above through '{}'", blocked()->name),
               "use holders = one, or gateways = all");
      return Below::kAtOne;
    }
    return Below::kSpread;
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
  bool passable() const { return blocked() == nullptr; }

  bool is_gateway(std::size_t k, NodeId node) const {
    const Capabilities::Part& part = level(k);
    if (part.gateways.empty()) return true;
    return std::ranges::binary_search(part.gateways, static_cast<std::uint32_t>(node.value % part.unit));
  }
  // Two levels, the lower of which adds, and as many gateways among the members of every unit.
  bool can_add_at_gateways() const {
    if (levels_ != 2 || tree_.width[0] < 2) return false;
    const Capabilities& lowest = level(0).capabilities;
    if (!lowest.reduces || !lowest.multicasts || lowest.averaging) return false;
    if (!choices_[0].algorithm.empty() && choices_[0].algorithm != "in-fabric") return false;
    std::map<std::uint64_t, std::size_t> count;  // by unit
    for (std::size_t p = 0; p < request_.groups.front().size(); ++p)
      count[tree_.unit[1][p]] += is_gateway(1, request_.groups.front()[p]);
    for (const auto& [unit, gateways] : count)
      if (gateways == 0 || gateways != count.begin()->second) return false;
    // In every group the same positions
    for (const std::vector<NodeId>& group : request_.groups)
      for (std::size_t p = 0; p < group.size(); ++p)
        if (is_gateway(1, group[p]) != is_gateway(1, request_.groups.front()[p])) return false;
    return true;
  }

  // The schedule of a level among the units of one team, given by their numbers in the instance.
  std::shared_ptr<const Schedule> inner(std::size_t k, Kind kind, const std::vector<NodeId>& units, Position root,
                                        double share) {
    auto& known = inner_[{k, kind, root}];
    for (const auto& [who, made] : known)
      if (who == units) return made;
    CollectiveRequest among{.kind = kind,
                            .bytes = request_.bytes * share / waves(),
                            .groups = {units},
                            .root = root,
                            .element_bytes = request_.element_bytes};
    const Capabilities& can = level(k).capabilities;
    std::shared_ptr<Schedule> made;
    try {
      if (const LevelChoice& choice = choices_[k];
          !choice.algorithm.empty() &&
          std::ranges::count(algorithms().at(choice.algorithm, parameters_.place("levels")).factory.kinds, kind))
        made = std::make_shared<Schedule>(schedule::build(choice.algorithm, among, can, choice.settings));
      else
        made = std::make_shared<Schedule>(usual_schedule(among, can));
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("level '{}': {}", level(k).name, error.message()), error.place(),
                  error.advice());
    }
    if (made->scratch > 0 || !made->stages.empty())
      refuse(fmt::format("level '{}': {} does not work in place", level(k).name, made->algorithm),
             "choose another algorithm for it");
    used_[k].push_back(made->algorithm);
    known.emplace_back(units, made);
    return made;
  }

  // A team of level k: one instance with some of its units, each with those who hold its part.
  struct Members {
    std::vector<NodeId> units;  // numbers in the instance
    LevelStage::Team team;
  };
  NodeId unit_number(std::size_t k, Position p) const {
    return NodeId{static_cast<std::uint32_t>(tree_.unit[k][static_cast<std::size_t>(p)] % level(k).capabilities.nodes)};
  }
  // Teams of level k, of the positions for which `holds`, in their order.
  template <class Holds>
  std::vector<Members> teams_of(std::size_t k, Holds holds) const {
    std::map<std::uint64_t, std::map<std::uint64_t, std::vector<Position>>> found;  // by instance and unit
    for (Position p = 0; p < request_.ranks(); ++p)
      if (holds(p))
        found[tree_.inside[k][static_cast<std::size_t>(p)]][tree_.unit[k][static_cast<std::size_t>(p)]].push_back(p);
    std::vector<Members> teams;
    for (auto& [instance, units] : found) {
      Members& members = teams.emplace_back();
      for (auto& [unit, positions] : units) {
        members.units.push_back(unit_number(k, positions.front()));
        members.team.holders.push_back(std::move(positions));
      }
    }
    return teams;
  }

  // Adds a stage of level k on these teams: one for each schedule that they need.
  void add(
      std::size_t k, Kind kind, const std::vector<Members>& teams, const LevelSlots& slots, double share = 1,
      const std::function<Position(const Members&)>& root_of = [](const Members&) { return Position{0}; }) {
    const std::size_t first = schedule_.stages.size();
    for (const Members& members : teams) {
      if (members.units.size() < 2) continue;
      std::shared_ptr<const Schedule> made = inner(k, kind, members.units, root_of(members), share);
      const auto same =
          std::find_if(schedule_.stages.begin() + static_cast<std::ptrdiff_t>(first), schedule_.stages.end(),
                       [&](const LevelStage& stage) { return stage.schedule == made; });
      if (same != schedule_.stages.end())
        same->teams.push_back(members.team);
      else
        schedule_.stages.push_back({static_cast<std::uint32_t>(k), made, share * below_codes_, {members.team}});
    }
    for (std::size_t s = first; s < schedule_.stages.size(); ++s)
      slots.append(schedule_.stages[s], level(k).name, schedule_);
    // From an averaging level on codes may travel instead of numbers
    if (const auto& averaging = level(k).capabilities.averaging; averaging && parameters_.boolean("codes_below"))
      below_codes_ = level(k).capabilities.least_wire_factor;
  }

  // Everybody holds a part: kinds whose parts are ranks' own, and all-reduce.
  void spread() {
    const Kind kind = request_.kind;
    const bool sums = kind == Kind::kAllReduce || kind == Kind::kReduceScatter;
    std::vector<std::vector<Members>> teams;
    for (std::size_t k = 0; k < levels_; ++k) teams.push_back(teams_of(k, [](Position) { return true; }));
    for (std::size_t k = 0; k < levels_; ++k)
      for (Members& members : teams[k])
        for (std::vector<Position>& holders : members.team.holders) sort_by_lower(k, holders);

    // What each level runs on its way up, and down; the slots that all of them need
    struct Step {
      std::size_t k;
      Kind kind;
      double share;
    };
    std::vector<Step> steps;
    double ranks_below = 1;
    for (std::size_t k = 0; k < levels_; ++k) {
      if (kind == Kind::kAllToAll) steps.push_back({k, kind, ranks_below});
      if (sums) steps.push_back({k, kind == Kind::kAllReduce && k == top() ? kind : Kind::kReduceScatter, 1});
      ranks_below *= tree_.width[k];
    }
    if (kind == Kind::kAllReduce || kind == Kind::kAllGather)
      for (std::size_t k = levels_; k-- > 0;)
        if (kind == Kind::kAllGather || k != top()) steps.push_back({k, Kind::kAllGather, 1});
    std::vector<std::uint32_t> chunks(levels_, 1);
    for (const Step& step : steps)
      for (const Members& members : teams[step.k])
        if (members.units.size() > 1)
          chunks[step.k] = std::lcm(chunks[step.k], inner(step.k, step.kind, members.units, 0, step.share)->chunks);
    const LevelSlots slots = kind == Kind::kAllReduce ? LevelSlots::by_digits(tree_.width, chunks, tree_.coordinate)
                                                      : LevelSlots::by_rank(tree_.width, chunks, tree_.coordinate);
    schedule_.chunks = slots.total();
    for (const Step& step : steps) add(step.k, step.kind, teams[step.k], slots, step.share);
    holders_ = request_.ranks() / tree_.width[top()];
  }

  // Holders of two units in the same order: by where they are on the levels below.
  void sort_by_lower(std::size_t k, std::vector<Position>& holders) const {
    std::ranges::sort(holders, [&](Position a, Position b) {
      for (std::size_t j = k; j-- > 0;) {
        const Position x = tree_.coordinate[j][static_cast<std::size_t>(a)],
                       y = tree_.coordinate[j][static_cast<std::size_t>(b)];
        if (x != y) return x < y;
      }
      return false;
    });
  }

  // The lowest level adds up at the gateways, one of which after the other, and copies from them.
  void at_gateways() {
    const auto is_holder = [&](Position p) {
      return is_gateway(1, request_.groups.front()[static_cast<std::size_t>(p)]);
    };
    std::vector<Members> inside = teams_of(0, [](Position) { return true; }), across = teams_of(1, is_holder);
    const auto h = static_cast<std::uint32_t>(across.front().team.holders.front().size());
    std::vector<Position> identity(static_cast<std::size_t>(request_.ranks()), 0);
    // By holders: digit 0 is which of them
    std::vector<std::vector<Position>> digits(2, identity);
    for (const Members& members : across)
      for (const std::vector<Position>& holders : members.team.holders)
        for (std::size_t j = 0; j < holders.size(); ++j)
          digits[0][static_cast<std::size_t>(holders[j])] = static_cast<Position>(j);
    std::vector<std::uint32_t> chunks{h, 1};
    for (const Members& members : across)
      chunks[1] = std::lcm(chunks[1], inner(1, Kind::kAllReduce, members.units, 0, 1)->chunks);
    const LevelSlots slots = LevelSlots::by_digits({static_cast<Position>(h), 1}, chunks, digits);
    schedule_.chunks = slots.total();
    const auto through_the_fabric = [&](bool sums) {
      const std::size_t first = schedule_.stages.size();
      for (const Members& members : inside) {
        std::vector<Position> ends;
        for (std::size_t a = 0; a < members.team.holders.size(); ++a)
          if (is_holder(members.team.holders[a].front())) ends.push_back(static_cast<Position>(a));
        std::shared_ptr<const Schedule> made;
        for (std::size_t s = first; s < schedule_.stages.size() && !made; ++s)
          if (ends_of_[s] == ends &&
              schedule_.stages[s].schedule->ranks == static_cast<Position>(members.units.size())) {
            schedule_.stages[s].teams.push_back(members.team);
            made = schedule_.stages[s].schedule;
          }
        if (made) continue;
        made = in_flight(static_cast<Position>(members.units.size()), ends, sums);
        ends_of_.resize(schedule_.stages.size() + 1);
        ends_of_.back() = ends;
        schedule_.stages.push_back({0, made, below_codes_, {members.team}});
      }
      for (std::size_t s = first; s < schedule_.stages.size(); ++s)
        slots.append(schedule_.stages[s], level(0).name, schedule_);
    };
    through_the_fabric(true);
    add(1, Kind::kAllReduce, across, slots);
    ends_of_.resize(schedule_.stages.size());
    through_the_fabric(false);
    used_[0].push_back("in-fabric");
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
    std::vector<std::vector<Members>> teams(levels_);
    std::vector<bool> speaks(static_cast<std::size_t>(request_.ranks()), true);
    const auto better = [&](std::size_t k, Position a, Position b) {
      if (rooted && (a == request_.root || b == request_.root)) return a == request_.root;
      const auto gateway = [&](Position p) {
        return k + 1 < levels_ && is_gateway(k + 1, request_.groups.front()[static_cast<std::size_t>(p)]);
      };
      return gateway(a) != gateway(b) ? gateway(a) : a < b;
    };
    std::vector<std::vector<bool>> chosen;  // by level: who speaks for its instance
    for (std::size_t k = 0; k < levels_; ++k) {
      teams[k] = teams_of(k, [&](Position p) { return speaks[static_cast<std::size_t>(p)]; });
      std::vector<bool> next(speaks.size(), false);
      for (const Members& members : teams[k]) {
        Position best = members.team.holders.front().front();
        for (const std::vector<Position>& holders : members.team.holders)
          if (better(k, holders.front(), best)) best = holders.front();
        next[static_cast<std::size_t>(best)] = true;
      }
      chosen.push_back(next);
      speaks = std::move(next);
    }
    const auto root_at = [&](std::size_t k) {
      return [&, k](const Members& members) {
        for (std::size_t a = 0; a < members.team.holders.size(); ++a)
          if (chosen[k][static_cast<std::size_t>(members.team.holders[a].front())]) return static_cast<Position>(a);
        return Position{0};
      };
    };
    struct Step {
      std::size_t k;
      Kind kind;
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
      for (const Members& members : teams[step.k])
        if (members.units.size() > 1)
          chunks = std::lcm(chunks, inner(step.k, step.kind, members.units,
                                          step.kind == Kind::kAllReduce ? 0 : root_at(step.k)(members), 1)
                                        ->chunks);
    const LevelSlots slots = LevelSlots::whole(chunks);
    schedule_.chunks = slots.total();
    for (const Step& step : steps)
      add(step.k, step.kind, teams[step.k], slots, 1,
          [&](const Members& members) { return step.kind == Kind::kAllReduce ? 0 : root_at(step.k)(members); });
    holders_ = 1;
  }

  // Parts of the vector that follow each other.
  std::uint32_t waves() const {
    if (parameters_.has("waves")) return static_cast<std::uint32_t>(parameters_.integer("waves"));
    return static_cast<std::uint32_t>(std::clamp(request_.bytes.value / kUsualWave, 1.0, 64.0));
  }

  void note_facts() {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < levels_; ++k) {
      std::vector<std::string> names;
      for (const std::string& name : used_[k])
        if (std::ranges::count(names, name) == 0) names.push_back(name);
      words.push_back(
          fmt::format("{}: {}", level(k).name, names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "))));
    }
    schedule_.facts.push_back({kLevelAlgorithmsFact, fmt::format("{}", fmt::join(words, "; "))});
    schedule_.facts.push_back({kHoldersFact, static_cast<double>(holders_)});
    schedule_.facts.push_back({kWavesFact, static_cast<double>(schedule_.waves)});
  }

  const CollectiveRequest& request_;
  const Capabilities& capabilities_;
  const Parameters& parameters_;
  const std::size_t levels_;
  const std::vector<LevelChoice> choices_;
  Tree tree_;
  std::map<std::tuple<std::size_t, Kind, Position>,
           std::vector<std::pair<std::vector<NodeId>, std::shared_ptr<const Schedule>>>>
      inner_;
  std::vector<std::vector<std::string>> used_;  // by level
  std::vector<std::vector<Position>> ends_of_;  // by stage
  double below_codes_ = 1;
  Position holders_ = 1;
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

std::size_t levels_spanned(const CollectiveRequest& request, const Capabilities& capabilities) {
  const std::size_t levels = count_levels(capabilities);
  for (std::size_t k = 0; k < levels; ++k)
    if (std::ranges::all_of(request.groups, [&](const std::vector<NodeId>& group) {
          return std::ranges::all_of(group, [&](NodeId node) {
            return instance_of(capabilities.parts[k], node) == instance_of(capabilities.parts[k], group.front());
          });
        }))
      return k + 1;
  return levels;
}

Schedule usual_schedule(const CollectiveRequest& request, const Capabilities& capabilities) {
  std::vector<const char*> names;
  Settings all_light;
  if (capabilities.reduces || capabilities.multicasts) names.push_back("in-fabric");
  if (capabilities.wavelengths > 0) all_light["stripe"] = {fmt::format("{}", capabilities.wavelengths), "default"};
  if (capabilities.adjacency == Adjacency::kGrid) names.push_back("dimension-ordered");
  if (capabilities.adjacency == Adjacency::kAny && request.kind != Kind::kAllToAll) {
    names.push_back("halving-doubling");
    names.push_back("ring");
  }
  for (const char* name : {"bidirectional-ring", "ring", "direct"}) names.push_back(name);
  std::optional<Error> first;
  for (const char* name : names) {
    const AlgorithmEntry& entry = algorithms().at(name);
    if (std::ranges::count(entry.factory.kinds, request.kind) == 0) continue;
    const bool stripes =
        std::ranges::any_of(entry.description.parameters, [](const Parameter& p) { return p.name == "stripe"; });
    try {
      return build(name, request, capabilities, stripes ? all_light : Settings());
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      if (!first) first = error;
    }
  }
  throw *first;
}

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
                                "lowest level adds in flight), or one",
                 .matters = {.question = kWafers, .other = "one"},
                 .choices = {"auto", "members", "gateways", "one"}},
                {.name = "codes_below",
                 .type = ParameterType::kBoolean,
                 .fallback = "false",
                 .description = "whether averages of a level that averages (optinc) travel as its codes on the levels "
                                "below; false: as numbers",
                 .matters = {.question = kBare + " fabric.levels='switch:nodes=4/optinc:nodes=4'", .other = "true"}}},
           .facts = {kLevelAlgorithmsFact, kHoldersFact, kWavesFact}},
          {.kinds = {std::begin(kAllKinds), std::end(kAllKinds)}, .build = build_by_level}};
}

}  // namespace helio::schedule
