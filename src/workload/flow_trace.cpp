// SPDX-License-Identifier: Apache-2.0
#include "workload/flow_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <unordered_map>

#include "base/csv_table.h"
#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "base/units.h"
#include "base/visible.h"

namespace helio::workload {
namespace {

constexpr const char* kPage = "docs/flow-traces.md";
constexpr std::size_t kLargest = 1024 * kMiB;
constexpr double kLongest = 1e9;     // seconds
constexpr double kMostBytes = 1e15;  // of one flow

Error wrong(const std::string& place, std::string what, Advice advice = {}) {
  return Error(ErrorKind::kInput, std::move(what), place, std::move(advice));
}

bool has_unit(std::string_view text) {
  return !text.empty() && text.back() != '.' && (text.back() < '0' || text.back() > '9');
}

// A cell by a reader that knows no place.
template <class Read>
auto cell(const CsvTable& table, const CsvTable::Row& row, std::size_t column, const Read& read) {
  try {
    return read(row.cells[column].text);
  } catch (const Error& error) {
    throw wrong(table.place(row, column), error.message(), error.advice());
  }
}

Time time_in(std::string_view text) {
  const Time time =
      has_unit(text) ? parse_time(text) : Time::seconds(std::clamp(parse_number(text), -1.0, 2 * kLongest));
  if (time < Time() || time > Time::seconds(kLongest))
    throw wrong("", fmt::format("'{}' is no time of a flow", shown(text)),
                "Give seconds from the beginning, or a time with its unit.");
  return time;
}

double bytes_in(std::string_view text) {
  const double bytes = has_unit(text) ? parse_bytes(text).value : parse_number(text);
  if (!(bytes > 0 && bytes <= kMostBytes))
    throw wrong("", fmt::format("'{}' is no size of a flow", shown(text)), "Give a byte or more, at most 1 PB.");
  return bytes;
}

std::size_t column_of(const CsvTable& table, std::string_view name) {
  const std::size_t at = table.index(name);
  if (at == CsvTable::kNone)
    throw wrong(table.place(table.names, 0), fmt::format("there is no column '{}'", name),
                fmt::format("See {}.", kPage));
  return at;
}

}  // namespace

FlowTrace parse_flow_trace(std::string_view text, const std::string& source, std::uint32_t nodes) {
  const CsvTable table = parse_csv(text, source);
  const std::size_t time = column_of(table, "time"), from = column_of(table, "source"),
                    to = column_of(table, "destination"), bytes = column_of(table, "bytes"),
                    coflow = table.index("coflow");
  FlowTrace trace{.source = source, .flows = {}, .coflows = {}};
  std::unordered_map<std::string_view, std::uint32_t> known;
  const auto node = [&](std::string_view number) {
    const long long value = parse_integer(number);
    if (value < 0 || value >= nodes)
      throw wrong("", fmt::format("node {} does not exist", value), fmt::format("Nodes are 0 to {}.", nodes - 1));
    return static_cast<std::uint32_t>(value);
  };
  for (const CsvTable::Row& row : table.rows) {
    TracedFlow flow{.at = cell(table, row, time, time_in),
                    .source = cell(table, row, from, node),
                    .destination = cell(table, row, to, node),
                    .bytes = cell(table, row, bytes, bytes_in)};
    if (flow.source == flow.destination)
      throw wrong(table.place(row, to), fmt::format("a flow of node {} to itself", flow.source), "Leave the row out.");
    if (coflow != CsvTable::kNone && !row.cells[coflow].text.empty()) {
      const auto [at, fresh] =
          known.try_emplace(row.cells[coflow].text, static_cast<std::uint32_t>(trace.coflows.size()));
      if (fresh) trace.coflows.emplace_back(at->first);
      flow.coflow = at->second;
    }
    trace.flows.push_back(flow);
  }
  std::ranges::stable_sort(trace.flows, {}, &TracedFlow::at);
  return trace;
}

FlowTrace read_flow_trace(const std::string& path, std::uint32_t nodes) {
  return parse_flow_trace(read_text(path, path, "trace of flows", kPage, kLargest), path, nodes);
}

double FlowSizes::at(double share) const {
  const auto next =
      std::ranges::upper_bound(rows, share, {}, [](const std::pair<double, double>& row) { return row.second; });
  if (next == rows.begin()) return rows.front().first;
  const auto& low = *std::prev(next);
  return low.first + (next->first - low.first) * (share - low.second) / (next->second - low.second);
}

double FlowSizes::mean() const {
  double sum = rows.front().first * rows.front().second;
  for (std::size_t i = 1; i < rows.size(); ++i)
    sum += (rows[i].first + rows[i - 1].first) / 2 * (rows[i].second - rows[i - 1].second);
  return sum;
}

FlowSizes parse_flow_sizes(std::string_view text, const std::string& source) {
  const CsvTable table = parse_csv(text, source);
  const std::size_t bytes = column_of(table, "bytes"), share = column_of(table, "share");
  FlowSizes sizes{.source = source, .rows = {}};
  for (const CsvTable::Row& row : table.rows) {
    const double size = cell(table, row, bytes, bytes_in), part = cell(table, row, share, parse_number);
    if (!(part >= 0 && part <= 1))
      throw wrong(table.place(row, share), fmt::format("{:g} is no share", part), "Shares are between 0 and 1.");
    if (!sizes.rows.empty() && !(size >= sizes.rows.back().first && part > sizes.rows.back().second))
      throw wrong(table.place(row, share), "sizes and shares must rise from row to row", "Sort them.");
    sizes.rows.emplace_back(size, part);
  }
  if (sizes.rows.back().second != 1)
    throw wrong(table.place(table.rows.back(), share), "the last row is not the share 1",
                "Add the largest size, which no flow is above.");
  return sizes;
}

FlowSizes read_flow_sizes(const std::string& path) {
  return parse_flow_sizes(read_text(path, path, "table of sizes", kPage), path);
}

FlowTrace draw_flows(const FlowSizes& sizes, std::uint64_t flows, std::uint32_t nodes, BitRate rate, double load,
                     std::uint64_t seed) {
  assert(flows > 0 && nodes > 1 && load > 0 && "somebody sends");
  FlowTrace trace{.source = fmt::format("{} flows drawn from {}", flows, sizes.source), .flows = {}, .coflows = {}};
  const double gap_s = sizes.mean() * 8 / (load * nodes * rate.value);
  const Random random(seed);
  double at = 0;
  for (std::uint64_t i = 0; i < flows; ++i) {
    Random own = random.split(i);
    TracedFlow flow{.at = Time::seconds(at)};
    flow.source = static_cast<std::uint32_t>(own.below(nodes));
    flow.destination = static_cast<std::uint32_t>(own.below(nodes - 1));
    flow.destination += flow.destination >= flow.source;
    flow.bytes = std::max(1.0, std::round(sizes.at(own.uniform())));
    at += -std::log1p(-own.uniform()) * gap_s;
    trace.flows.push_back(flow);
  }
  return trace;
}

}  // namespace helio::workload
