// SPDX-License-Identifier: Apache-2.0
#include "report/figures/timeline_figure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/csv_field.h"
#include "base/units.h"

namespace helio::report {
namespace {

using pipeline::TraceEvent;

// One bar, on its way to a row.
struct Span {
  std::string name, of_class;
  Time begin, duration;
  std::uint64_t rounds = 1;
};

struct Row {
  std::string name;
  std::vector<Span> spans;  // in order of time; they do not overlap
};

struct Group {
  std::string title;
  std::vector<Row> rows;
};

// "segment 2" before "segment 10": runs of digits count as numbers.
bool before(std::string_view a, std::string_view b) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const std::size_t x = i, y = j;
      while (i < a.size() && digit(a[i])) ++i;
      while (j < b.size() && digit(b[j])) ++j;
      const std::string_view u = a.substr(x, i - x), v = b.substr(y, j - y);
      if (u.size() != v.size()) return u.size() < v.size();
      if (u != v) return u < v;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

// Spans of one name in as many rows as it takes for none to overlap.
void add_rows(std::string name, std::vector<Span> spans, Group& group) {
  std::ranges::stable_sort(spans, {}, &Span::begin);
  const std::size_t first = group.rows.size();
  for (Span& span : spans) {
    auto free =
        std::find_if(group.rows.begin() + static_cast<std::ptrdiff_t>(first), group.rows.end(),
                     [&](const Row& row) { return row.spans.back().begin + row.spans.back().duration <= span.begin; });
    if (free == group.rows.end()) {
      const std::size_t number = group.rows.size() - first + 1;
      group.rows.push_back({number == 1 ? name : fmt::format("{} ({})", name, number), {}});
      free = group.rows.end() - 1;
    }
    free->spans.push_back(std::move(span));
  }
}

// A name that several steps share is all of theirs: "reduce-scatter / all-gather".
std::set<std::string, std::less<>> parts_of(const std::string& name) {
  std::set<std::string, std::less<>> parts = {name};
  for (std::size_t begin = 0, end; begin <= name.size(); begin = end + 3) {
    end = std::min(name.find(" / ", begin), name.size());
    parts.insert(name.substr(begin, end - begin));
  }
  return parts;
}

Group group_of(const pipeline::Result& result, Time origin) {
  // Steps are the calls at the top, and what runs inside them is something else
  const bool nested = std::ranges::any_of(result.trace, [](const TraceEvent& bar) { return bar.depth > 0; });
  std::set<std::string, std::less<>> steps;
  std::vector<Span> calls;
  for (const TraceEvent& bar : result.trace) {
    if (!nested || bar.depth > 0) continue;
    steps.merge(parts_of(bar.name));
    calls.push_back({bar.name, bar.name, origin + bar.start, bar.duration, bar.rounds});
  }
  std::ranges::stable_sort(calls, {}, &Span::begin);

  // Everything else by the link that it starts on, named after the step that is going on
  std::map<std::string, std::vector<Span>, decltype(&before)> links(&before);
  for (const TraceEvent& bar : result.trace) {
    if (nested && (bar.depth == 0 || steps.contains(bar.name))) continue;
    const Time begin = origin + bar.start;
    const auto after = std::upper_bound(calls.begin(), calls.end(), begin,
                                        [](Time time, const Span& call) { return time < call.begin; });
    const std::string name = after == calls.begin() ? result.algorithm : std::prev(after)->name;
    links[bar.name].push_back({name, name, begin, bar.duration, bar.rounds});
  }
  Group group{fmt::format("{}: {} on {}", result.name, result.algorithm, result.fabric), {}};
  if (!calls.empty()) add_rows("steps", std::move(calls), group);
  for (auto& [name, spans] : links) add_rows(name, std::move(spans), group);
  return group;
}

// When anything goes over each level of a composite, the highest first; bars of a class that touch are one. Nothing elsewhere.
void add_levels(const std::optional<fabric::LevelsPicture>& composite, const std::vector<TraceEvent>& trace,
                Time origin, const std::function<std::string(const TraceEvent&)>& class_of,
                std::vector<Group>& groups) {
  if (!composite) return;
  Group group{"levels of the composite", {}};
  for (std::size_t k = composite->levels.size(); k-- > 0;) {
    std::map<std::string, std::vector<Span>> classes;
    for (const TraceEvent& bar : trace)
      if (((bar.levels >> k) & 1) != 0) {
        const std::string of_class = class_of(bar);
        classes[of_class].push_back({of_class, of_class, origin + bar.start, bar.duration, 1});
      }
    for (auto& [of_class, spans] : classes) {
      std::ranges::stable_sort(spans, {}, &Span::begin);
      Row row{fmt::format("{}, {}", composite->levels[k].name, of_class), {}};
      for (const Span& span : spans) {
        const Time end = span.begin + span.duration;
        if (!row.spans.empty() && span.begin <= row.spans.back().begin + row.spans.back().duration)
          row.spans.back().duration = std::max(row.spans.back().duration, end - row.spans.back().begin);
        else
          row.spans.push_back(span);
      }
      group.rows.push_back(std::move(row));
    }
  }
  if (!group.rows.empty()) groups.push_back(std::move(group));
}

// "forward 12" is a forward.
std::string without_number(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  if (end == std::string::npos || end + 1 == name.size() || name[end] != ' ') return name;
  return name.substr(0, end);
}

Group group_of(const pipeline::IterationResult& job, Time origin) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Span>> rows;  // by row and depth
  for (const TraceEvent& bar : job.trace)
    rows[{bar.row, bar.depth}].push_back(
        {bar.name, without_number(bar.name), origin + bar.start, bar.duration, bar.rounds});
  Group group{fmt::format("{}: {} on {}", job.name, job.model, job.fabric), {}};
  for (auto& [key, spans] : rows) {
    const auto& [row, depth] = key;
    const std::string name = row < job.trace_rows.size() ? job.trace_rows[row] : fmt::format("row {}", row);
    add_rows(depth > 0 ? name + ", sends" : name, std::move(spans), group);
  }
  return group;
}

// Texts that occur often, by number.
class TextTable {
 public:
  std::size_t number(const std::string& text) {
    const auto [at, fresh] = numbers_.try_emplace(text, texts_.size());
    if (fresh) texts_.push_back(text);
    return at->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, std::size_t, std::less<>> numbers_;
  std::vector<std::string> texts_;
};

std::string to_csv(const std::vector<Group>& groups) {
  std::string csv = "group,row,name,class,begin (s),duration (s),rounds\n";
  for (const Group& group : groups)
    for (const Row& row : group.rows)
      for (const Span& span : row.spans)
        csv += csv_line({csv_field(group.title), csv_field(row.name), csv_field(span.name), csv_field(span.of_class),
                         csv_field(span.begin.to_seconds()), csv_field(span.duration.to_seconds()),
                         fmt::format("{}", span.rounds)});
  return csv;
}

}  // namespace

std::optional<Figure> timeline_figure(const std::vector<pipeline::Result>& results,
                                      const std::vector<pipeline::IterationResult>& jobs) {
  // Rows, on one clock
  std::vector<Group> groups;
  Time origin;
  bool cut = false;
  for (const pipeline::Result& result : results) {
    add_levels(
        result.composite, result.trace, origin, [&](const TraceEvent&) { return result.algorithm; }, groups);
    if (!result.trace.empty()) groups.push_back(group_of(result, origin));
    origin += result.time;
    cut |= result.trace_cut;
  }
  for (const pipeline::IterationResult& job : jobs) {
    add_levels(
        job.composite, job.trace, origin, [](const TraceEvent& bar) { return without_number(bar.name); }, groups);
    if (!job.trace.empty()) groups.push_back(group_of(job, origin));
    cut |= job.trace_cut;
  }
  if (groups.empty()) return std::nullopt;
  Time end = origin;
  std::size_t rows = 0, spans = 0;
  for (const Group& group : groups)
    for (const Row& row : group.rows) {
      ++rows;
      spans += row.spans.size();
      end = std::max(end, row.spans.back().begin + row.spans.back().duration);
    }

  // As arrays. A decimal that is a 1e-10 of the whole or less
  const double whole = end.to_seconds(), grain = whole > 0 ? std::pow(10.0, std::floor(std::log10(whole)) - 10) : 1;
  const auto kept = [&](Time time) {
    const double steps = std::round(time.to_seconds() / grain);
    return grain < 1 ? steps / std::round(1 / grain) : steps * grain;
  };
  TextTable names, classes;
  std::map<std::string, Time> by_class;
  nlohmann::ordered_json data = {{"end", whole},
                                 {"groups", nlohmann::ordered_json::array()},
                                 {"rows", nlohmann::ordered_json::array()},
                                 {"first", {0}}};
  std::vector<std::size_t> name, of_class;
  std::vector<double> begin, duration;
  std::vector<std::uint64_t> rounds;
  for (const Group& group : groups) {
    data["groups"].push_back({group.title, group.rows.size()});
    for (const Row& row : group.rows) {
      for (const Span& span : row.spans) {
        name.push_back(names.number(span.name));
        of_class.push_back(classes.number(span.of_class));
        begin.push_back(kept(span.begin));
        duration.push_back(kept(span.duration));
        rounds.push_back(span.rounds);
        if (row.name != "steps") by_class[span.of_class] += span.duration;
      }
      data["rows"].push_back(row.name);
      data["first"].push_back(name.size());
    }
  }
  data["names"] = names.texts();
  data["classes"] = classes.texts();
  data["name"] = name;
  data["class"] = of_class;
  data["begin"] = begin;
  data["duration"] = duration;
  if (std::ranges::any_of(rounds, [](std::uint64_t n) { return n > 1; })) data["rounds"] = rounds;
  data["cut"] = cut;

  // In words: how much, and what most of the bars are
  std::vector<std::pair<std::string, Time>> most(by_class.begin(), by_class.end());
  std::ranges::stable_sort(most, std::greater<>(), &std::pair<std::string, Time>::second);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min<std::size_t>(most.size(), 4); ++i)
    parts.push_back(fmt::format("{} ({} over all rows)", most[i].first, format(most[i].second)));
  Figure figure{.name = "timeline", .kind = "timeline", .title = "Who is busy when"};
  figure.words =
      fmt::format("{} bars in {} rows over {}. Most of them: {}.{}", spans, rows, format(end), fmt::join(parts, ", "),
                  cut ? " The trace was too long to be kept whole; what is missing comes later." : "");
  figure.data = std::move(data);
  if (spans <= kMostSpansInCsv) figure.csv = to_csv(groups);
  return figure;
}

}  // namespace helio::report
