// SPDX-License-Identifier: Apache-2.0
#include "sweep/space.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "base/split.h"
#include "base/units.h"
#include "workload/toml_text.h"

namespace helio::sweep {
namespace {

constexpr const char* kPage = "docs/sweep.md";
constexpr std::size_t kLongestAxis = 1'000'000;
constexpr long long kMostDivided = 1'000'000'000'000;

class Reader {
 public:
  explicit Reader(std::string source) : source_(std::move(source)) {}

  Space read(const toml::table& root, std::string_view text) {
    Space space{.source = source_, .text = std::string(text)};
    std::optional<std::uint64_t> sample;
    std::string sample_place;
    for (const auto& [key, node] : root) {
      const std::string at = place(node);
      if (key == "command") {
        space.words = shell_words(scalar(node, "command"), at);
      } else if (key == "value") {
        space.compared_by = scalar(node, "value");
      } else if (key == "seed") {
        space.seed = whole(node, "seed", 0);
      } else if (key == "sample") {
        sample = whole(node, "sample", 1);
        sample_place = at;
      } else if (key == "limit") {
        space.limit_s = parse_time(scalar(node, "limit")).to_seconds();
        if (space.limit_s <= 0) throw wrong(node, "a point with no time", "Give for example limit = \"60 s\".");
      } else if (key != "vary" && key != "together") {
        throw unknown_name("key of a sweep", key.str(),
                           {"command", "value", "seed", "sample", "limit", "vary", "together"}, place(key.source()));
      }
    }
    if (space.words.empty())
      throw Error(ErrorKind::kInput, "a sweep without a command", source_,
                  "Write command = \"collective all-reduce --fabric ring --bytes 1MB\".");
    if (space.words.front() == "helio") space.words.erase(space.words.begin());
    words_ = &space.words;
    if (const toml::node* vary = root.get("vary")) {
      std::vector<Named> lists;
      collect(table(*vary, "vary"), "", lists);
      for (Named& list : lists) add(space, {std::move(list)});
    }
    if (const toml::node* node = root.get("together")) {
      const toml::array* blocks = node->as_array();
      if (!blocks || !blocks->is_array_of_tables())
        throw wrong(*node, "'together' must be tables", "Write [[together]] with two brackets.");
      for (const toml::node& block : *blocks) {
        std::vector<Named> lists;
        collect(*block.as_table(), "", lists);
        if (!lists.empty()) add(space, std::move(lists));
      }
    }
    if (space.axes.empty())
      throw Error(ErrorKind::kInput, "nothing varies", source_, "Write [vary] with lists: nodes = [16, 64].");
    double all = 1;
    for (const Axis& axis : space.axes) all *= static_cast<double>(axis.values.size());
    if (all > (sample ? 9e18 : kMostPoints))
      throw Error(ErrorKind::kInput, fmt::format("{:.3g} points, and {:.0e} are the most", all, kMostPoints), source_,
                  "Draw some of them: sample = 10000.");
    if (sample) draw(space, *sample, sample_place);
    return space;
  }

 private:
  struct Named {
    std::string key, place;
    std::vector<std::string> values;
  };

  std::string place(const toml::source_region& region) const { return workload::toml_place(source_, region); }
  std::string place(const toml::node& node) const { return place(node.source()); }
  Error wrong(const toml::node& node, std::string what, std::string advice) const {
    return Error(ErrorKind::kInput, std::move(what), place(node), std::move(advice));
  }
  const toml::table& table(const toml::node& node, std::string_view name) const {
    if (const toml::table* found = node.as_table()) return *found;
    throw wrong(node, fmt::format("'{}' must be a table", name), fmt::format("Write [{}] on a line of its own.", name));
  }

  std::string scalar(const toml::node& node, std::string_view key) const {
    if (std::optional<std::string> text = workload::value_text(node)) return *std::move(text);
    throw wrong(node, fmt::format("'{}' must be a number, a text, true or false", key),
                "Texts stand in quotes: \"400 Gb/s\".");
  }
  std::uint64_t whole(const toml::node& node, std::string_view key, std::int64_t least) const {
    const auto* integer = node.as_integer();
    if (!integer || integer->get() < least)
      throw wrong(node, fmt::format("'{}' must be a whole number from {} on", key, least),
                  fmt::format("Write {} = {}.", key, std::max<std::int64_t>(least, 1)));
    return static_cast<std::uint64_t>(integer->get());
  }

  // Nested tables are dotted keys, but for those that describe a range.
  void collect(const toml::table& from, const std::string& prefix, std::vector<Named>& lists) const {
    for (const auto& [key, node] : from) {
      const std::string name = prefix + std::string(key.str());
      const toml::table* inner = node.as_table();
      if (inner && !inner->contains("from")) {
        collect(*inner, name + ".", lists);
      } else {
        lists.push_back({name, place(key.source()), inner ? range(*inner, name) : values(node, name)});
      }
    }
  }

  std::vector<std::string> values(const toml::node& node, const std::string& key) const {
    std::vector<std::string> found;
    if (const toml::array* items = node.as_array()) {
      for (const toml::node& item : *items) found.push_back(scalar(item, key));
    } else if (const auto* text = node.as_string(); text && text->get().starts_with("divisors")) {
      return divisors(node, text->get());
    } else {
      throw wrong(node, fmt::format("'{}' is no list", key),
                  "Write [4, 16, 64], {from = 1, to = 64, times = 2} or \"divisors of 64\".");
    }
    if (found.empty()) throw wrong(node, fmt::format("'{}' is an empty list", key), "Leave the key out instead.");
    if (std::set<std::string>(found.begin(), found.end()).size() != found.size())
      throw wrong(node, fmt::format("'{}' holds a value twice", key), "Write each once.");
    return found;
  }

  // {from, to, step} or {from, to, times}, of a unit where one is given; the last is `to` or the last before it.
  std::vector<std::string> range(const toml::table& table, const std::string& key) const {
    const auto number = [&](const char* name) -> std::optional<double> {
      const toml::node* node = table.get(name);
      if (!node) return std::nullopt;
      if (const auto value = node->value<double>(); value && std::isfinite(*value)) return value;
      throw wrong(*node, fmt::format("'{}' of a range is a number", name), "Write {from = 1, to = 64, times = 2}.");
    };
    for (const auto& [name, node] : table)
      if (name != "from" && name != "to" && name != "step" && name != "times" && name != "unit")
        throw unknown_name("key of a range", name.str(), {"from", "to", "step", "times", "unit"}, place(name.source()));
    const toml::node* unit = table.get("unit");
    const std::string of_unit = unit ? " " + scalar(*unit, "unit") : "";
    const auto from = number("from"), to = number("to"), step = number("step"), times = number("times");
    if (!to || step.has_value() == times.has_value() || *to < *from || (step && *step <= 0) ||
        (times && (*times <= 1 || *from <= 0)))
      throw wrong(table, fmt::format("'{}' is no range", key),
                  "Write {from = 1, to = 64, times = 2} or {from = 0, to = 1, step = 0.25}.");
    std::vector<std::string> found;
    for (std::size_t i = 0; i <= kLongestAxis; ++i) {
      const auto n = static_cast<double>(i);
      const double value = step ? *from + n * *step : *from * std::pow(*times, n);
      if (value > *to * (1 + (*to > 0 ? 1e-12 : 0))) return found;
      found.push_back(fmt::format("{:.12g}{}", value, of_unit));
    }
    throw wrong(table, fmt::format("'{}' has more than {} values", key, kLongestAxis), "Take larger steps.");
  }

  // "divisors of 64", or of the nodes that the command, or its experiment file, names.
  std::vector<std::string> divisors(const toml::node& node, const std::string& text) const {
    const std::vector<std::string> parts = split(text, ' ');
    std::optional<long long> whole;
    if (parts.size() == 3 && parts[1] == "of") whole = parse_integer(parts[2]);
    if (parts.size() == 1) whole = nodes_of_the_command();
    if (!whole || *whole < 1)
      throw wrong(node, fmt::format("'{}': of what is not known", text), "Write \"divisors of 64\".");
    if (*whole > kMostDivided)
      throw wrong(node, fmt::format("'{}': that is more than {}", text, kMostDivided), "List the values themselves.");
    std::set<long long> found;
    for (long long d = 1; d * d <= *whole; ++d)
      if (*whole % d == 0) found.insert({d, *whole / d});
    std::vector<std::string> words;
    for (const long long d : found) words.push_back(fmt::format("{}", d));
    return words;
  }
  std::optional<long long> nodes_of_the_command() const {
    for (std::size_t i = 0; i < words_->size(); ++i) {
      const std::string& word = (*words_)[i];
      if (word == "--nodes" && i + 1 < words_->size()) return parse_integer((*words_)[i + 1]);
      if (word.starts_with("--nodes=")) return parse_integer(word.substr(8));
      if (word.starts_with("fabric.nodes=")) return parse_integer(word.substr(13));
    }
    for (const std::string& word : *words_)
      if (word.ends_with(".toml")) {
        const toml::table file =
            workload::parse_toml(read_text(word, source_, "experiment file", kPage), word, "docs/experiment-file.md");
        if (const auto nodes = file["fabric"]["nodes"].value<std::int64_t>()) return *nodes;
      }
    return std::nullopt;
  }

  void add(Space& space, std::vector<Named> lists) {
    Axis axis;
    const std::size_t steps = lists.front().values.size();
    for (const Named& list : lists) {
      if (!used_.insert(list.key).second)
        throw Error(ErrorKind::kInput, fmt::format("'{}' varies twice", list.key), list.place, "Name it once.");
      if (list.values.size() != steps)
        throw Error(
            ErrorKind::kInput,
            fmt::format("'{}' has {} values and '{}' {}", list.key, list.values.size(), lists.front().key, steps),
            list.place, "What walks together has lists of one length.");
      axis.keys.push_back(list.key);
    }
    for (std::size_t i = 0; i < steps; ++i) {
      axis.values.emplace_back();
      for (const Named& list : lists) axis.values.back().push_back(list.values[i]);
    }
    space.axes.push_back(std::move(axis));
  }

  // Floyd's way: as many different ones as asked for, each set of them equally likely.
  static void draw(Space& space, std::uint64_t count, const std::string& place) {
    const std::uint64_t all = space.combinations();
    if (count > all || count > 100'000'000)
      throw Error(ErrorKind::kInput, fmt::format("a sample of {} among {} combinations", count, all), place,
                  "Draw fewer, or leave sample out.");
    Random random(space.seed);
    std::set<std::uint64_t> drawn;
    for (std::uint64_t last = all - count; last < all; ++last) {
      const std::uint64_t one = random.below(last + 1);
      if (!drawn.insert(one).second) drawn.insert(last);
    }
    space.drawn.assign(drawn.begin(), drawn.end());
    space.sampled = true;
  }

  std::string source_;
  const std::vector<std::string>* words_ = nullptr;
  std::set<std::string> used_;
};

}  // namespace

std::uint64_t Space::combinations() const {
  std::uint64_t all = 1;
  for (const Axis& axis : axes) all *= axis.values.size();
  return all;
}

Values Space::values(std::uint64_t point) const {
  if (sampled) point = drawn[point];
  std::vector<std::uint64_t> steps(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    steps[i] = point % axes[i].values.size();
    point /= axes[i].values.size();
  }
  Values found;
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t k = 0; k < axes[i].keys.size(); ++k)
      found.emplace_back(axes[i].keys[k], axes[i].values[steps[i]][k]);
  return found;
}

std::vector<std::string> Space::words_of(const Values& values) const {
  std::vector<std::string> asked = words;
  std::vector<std::string> more;
  for (const auto& [key, value] : values) {
    const std::string hole = "{" + key + "}";
    bool filled = false;
    for (std::string& word : asked)
      for (std::size_t at = word.find(hole); at != std::string::npos; at = word.find(hole, at + value.size())) {
        word.replace(at, hole.size(), value);
        filled = true;
      }
    if (filled) continue;
    if (key.find('.') != std::string::npos) {
      more.insert(more.end(), {"--set", key + "=" + value});
    } else {
      std::string option = "--" + key;
      std::ranges::replace(option, '_', '-');
      more.insert(more.end(), {option, value});
    }
  }
  asked.insert(asked.end(), more.begin(), more.end());
  return asked;
}

std::vector<std::string> shell_words(std::string_view line, const std::string& place) {
  std::vector<std::string> words;
  bool within = false;
  char quote = 0;
  for (const char c : line) {
    if (quote) {
      if (c == quote) {
        quote = 0;
      } else {
        words.back() += c;
      }
    } else if (c == ' ' || c == '\t' || c == '\n') {
      within = false;
    } else {
      if (!within) words.emplace_back();
      within = true;
      if (c == '"' || c == '\'') {
        quote = c;
      } else {
        words.back() += c;
      }
    }
  }
  if (quote) throw Error(ErrorKind::kInput, "a quote stays open", place, "Close it.");
  return words;
}

Space parse_space(std::string_view text, const std::string& source) {
  return Reader(source).read(workload::parse_toml(text, source, kPage), text);
}

Space read_space(const std::string& path) { return parse_space(read_text(path, path, "sweep file", kPage), path); }

}  // namespace helio::sweep
