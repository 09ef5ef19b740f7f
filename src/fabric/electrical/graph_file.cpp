// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/graph_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"

namespace helio::fabric {
namespace {

constexpr std::size_t kLongestLine = 65'536;
constexpr std::size_t kLongestWord = 255;
constexpr std::size_t kMostCompared = 1000;  // names that a mistaken one is compared with
constexpr std::size_t kLargestFile = 256u << 20;
constexpr std::size_t kMostVertices = 16'777'216;
constexpr std::uint64_t kMostLinks = 268'435'456;  // in one direction, parallel ones counted
constexpr long long kMostParallel = 65'536;
constexpr BitRate kFastest{1e18};  // the bounds that every fabric has for rate and latency
const Time kSlowest = Time::seconds(1000);

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool starts_number(std::string_view word) {
  return is_digit(word.front()) || std::string_view("+-.").find(word.front()) != std::string_view::npos;
}
// Whether `word` is a number without a unit: the unit is then the next word.
bool is_bare_number(std::string_view word) {
  return starts_number(word) && word.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
}

struct Word {
  std::string_view text;
  std::uint32_t column = 0;
};

class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  Graph read() {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);  // a byte order mark
    if (rest_.empty()) throw Error(ErrorKind::kInput, "the graph file is empty", place(1), kExample);
    while (!rest_.empty()) {
      ++line_;
      read_line(take_line());
    }
    if (graph_.ranks.empty()) throw Error(ErrorKind::kInput, "the graph has no node", place(1), kExample);
    check_reach();
    return std::move(graph_);
  }

 private:
  static constexpr const char* kExample = "write lines such as 'node a b', 'switch s' and 'link a s 400Gb/s 500ns'";

  std::string place(std::uint32_t line, std::uint32_t column) const {
    return fmt::format("{}:{}:{}", name_, line, column);
  }
  std::string place(std::uint32_t column) const { return place(std::max(line_, 1u), column); }
  Error wrong(const Word& word, std::string what, std::string advice) const {
    return Error(ErrorKind::kInput, std::move(what), place(word.column), std::move(advice));
  }

  // Lines and words

  std::string_view take_line() {
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    if (line.size() > kLongestLine)
      throw Error(ErrorKind::kInput, fmt::format("the line is longer than {} bytes", kLongestLine),
                  place(kLongestLine + 1), "give the names of nodes on several lines");
    if (end == std::string_view::npos)
      throw Error(ErrorKind::kInput, "the file ends in the middle of a line and may be cut off",
                  place(static_cast<std::uint32_t>(line.size() + 1)), "end the last line with a newline");
    rest_.remove_prefix(end + 1);
    return line;
  }

  void read_line(std::string_view line) {
    words_.clear();
    for (std::size_t i = 0; i < line.size() && line[i] != '#';) {
      if (is_space(line[i])) {
        ++i;
        continue;
      }
      const std::size_t first = i;
      for (; i < line.size() && !is_space(line[i]) && line[i] != '#'; ++i)
        if (is_control(line[i]))
          throw Error(ErrorKind::kInput, "the line holds a byte that is no text",
                      place(static_cast<std::uint32_t>(i + 1)), "give a text file: docs/graph-file.md");
      words_.push_back({line.substr(first, i - first), static_cast<std::uint32_t>(first + 1)});
      if (i - first > kLongestWord)
        throw wrong(words_.back(), fmt::format("the word is longer than {} bytes", kLongestWord),
                    "give a shorter name");
    }
    end_ = static_cast<std::uint32_t>(line.size() + 1);
    if (words_.empty()) return;
    const Word& what = words_.front();
    if (what.text == "node" || what.text == "switch")
      read_vertices(what.text == "switch");
    else if (what.text == "link")
      read_link();
    else
      throw unknown_name("line", what.text, {"node", "switch", "link"}, place(what.column));
  }

  // What lines say

  void read_vertices(bool is_switch) {
    if (words_.size() < 2)
      throw Error(ErrorKind::kInput, fmt::format("'{}' without a name", words_[0].text), place(end_),
                  "give one or more names");
    for (std::size_t i = 1; i < words_.size(); ++i) {
      const Word& word = words_[i];
      const auto index = static_cast<std::uint32_t>(graph_.vertices.size());
      const auto [at, fresh] = index_.insert({word.text, index});
      if (!fresh)
        throw wrong(word, fmt::format("'{}' was named before, on line {}", word.text, graph_.vertices[at->second].line),
                    "give each node and switch a name of its own");
      if (graph_.vertices.size() == kMostVertices)
        throw wrong(word, fmt::format("there are more than {} nodes and switches", kMostVertices),
                    "give a smaller graph");
      graph_.vertices.push_back({std::string(word.text), is_switch, line_, word.column});
      if (!is_switch) graph_.ranks.push_back(index);
    }
  }

  std::uint32_t vertex(const Word& word) const {
    const auto found = index_.find(word.text);
    if (found != index_.end()) return found->second;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < graph_.vertices.size() && i < kMostCompared; ++i)
      names.push_back(graph_.vertices[i].name);
    const std::string near = nearest_name(word.text, names);
    throw wrong(word, fmt::format("there is no node or switch '{}' above", word.text),
                (near.empty() ? "" : fmt::format("did you mean '{}'? ", near)) +
                    "name it on an earlier line: node NAME or switch NAME");
  }

  // Words i and, where the first is a bare number, i + 1, read as a quantity.
  template <class Parse>
  auto quantity(std::size_t& i, Parse parse) const {
    const Word& word = words_[i++];
    std::string text(word.text);
    if (is_bare_number(word.text) && i < words_.size() && !starts_number(words_[i].text) && !is_option(words_[i].text))
      text += ' ', text += words_[i++].text;
    try {
      return parse(text);
    } catch (const Error& error) {
      throw error.at(place(word.column));
    }
  }
  static bool is_slowing(std::string_view word) { return word.find(':') != std::string_view::npos; }
  static bool is_option(std::string_view word) {
    return word == "oneway" || (word.size() > 1 && word[0] == 'x' && is_digit(word[1]));
  }

  void read_link() {
    if (words_.size() < 4)
      throw Error(ErrorKind::kInput, "a link needs two ends and a rate", place(end_), "write 'link A B 400Gb/s'");
    Graph::Arc arc;
    arc.from = vertex(words_[1]);
    arc.to = vertex(words_[2]);
    if (arc.from == arc.to)
      throw wrong(words_[2], fmt::format("'{}' is linked to itself", words_[2].text), "name two ends");

    // The rate, then what may follow it
    std::size_t i = 3;
    arc.rate = quantity(i, parse_rate);
    if (!(arc.rate.value > 0) || arc.rate > kFastest)
      throw wrong(words_[3], fmt::format("a link cannot have the rate '{}'", words_[3].text),
                  "give a rate above 0 and up to 1000 Pb/s, or leave the link out");
    if (i < words_.size() && starts_number(words_[i].text) && !is_slowing(words_[i].text)) {
      const Word& word = words_[i];
      arc.latency = quantity(i, parse_time);
      if (*arc.latency < Time() || *arc.latency > kSlowest)
        throw wrong(word, fmt::format("a link cannot have the latency '{}'", word.text),
                    "give a latency from 0 to 1000 s");
    }
    bool oneway = false, counted = false;
    Graph::Slowing slowing;
    for (; i < words_.size(); ++i) {
      const Word& word = words_[i];
      if (word.text == "oneway" && !oneway) {
        oneway = true;
      } else if (is_option(word.text) && word.text != "oneway" && !counted) {
        counted = true;
        arc.count = parallel(word);
      } else if (is_slowing(word.text)) {
        slowing.rates.push_back(slowed(word, arc.rate, slowing));
      } else {
        throw wrong(word, fmt::format("'{}' does not belong to a link", word.text),
                    "write 'link A B RATE [LATENCY] [xCOUNT] [oneway] [SIZE:RATE]'");
      }
    }
    const auto add_one = [&] {
      slowing.arc = static_cast<std::uint32_t>(graph_.arcs.size());
      add(arc);
      if (!slowing.rates.empty()) graph_.slowings.push_back(slowing);
    };
    add_one();
    if (!oneway) {
      std::swap(arc.from, arc.to);
      add_one();
    }
  }

  // "64MB:72Gb/s": of collectives whose vector has 64 MB.
  std::pair<Bytes, BitRate> slowed(const Word& word, BitRate most, const Graph::Slowing& before) const {
    const std::size_t colon = word.text.find(':');
    std::pair<Bytes, BitRate> found;
    try {
      found = {parse_bytes(word.text.substr(0, colon)), parse_rate(word.text.substr(colon + 1))};
    } catch (const Error& error) {
      throw error.at(place(word.column));
    }
    if (!(found.first.value > 0) || (!before.rates.empty() && found.first <= before.rates.back().first))
      throw wrong(word, fmt::format("'{}': sizes of vectors rise from word to word", word.text),
                  "write 1MB:160Gb/s 64MB:72Gb/s");
    if (!(found.second.value > 0) || found.second > most)
      throw wrong(word, fmt::format("'{}' is not within the rate of the link", word.text),
                  "give rates above 0 and up to the link's own");
    return found;
  }

  std::uint32_t parallel(const Word& word) const {
    long long count = 0;
    try {
      count = parse_integer(word.text.substr(1));
    } catch (const Error&) {
    }
    if (count < 1 || count > kMostParallel)
      throw wrong(word, fmt::format("'{}' is no number of parallel links", word.text),
                  fmt::format("write x1 to x{}", kMostParallel));
    return static_cast<std::uint32_t>(count);
  }

  void add(const Graph::Arc& arc) {
    const auto [at, fresh] = first_line_.insert({static_cast<std::uint64_t>(arc.from) << 32 | arc.to, line_});
    if (!fresh)
      throw wrong(words_[0],
                  fmt::format("there is a link from '{}' to '{}' already, on line {}", graph_.vertices[arc.from].name,
                              graph_.vertices[arc.to].name, at->second),
                  "write parallel links as one line with xCOUNT");
    links_ += arc.count;
    if (links_ > kMostLinks)
      throw wrong(words_[0], fmt::format("there are more than {} links", kMostLinks), "give a smaller graph");
    graph_.arcs.push_back(arc);
  }

  // If the first rank reaches all and all reach it, then all reach all.
  void check_reach() const {
    const std::uint32_t first = graph_.ranks.front();
    for (const auto which : {ArcIndex::Which::kLeaving, ArcIndex::Which::kEntering}) {
      const std::vector<std::uint32_t> hops = ArcIndex(graph_, which).hops(graph_, first);
      for (const std::uint32_t rank : graph_.ranks) {
        if (hops[rank] != ArcIndex::kNowhere) continue;
        const Graph::Vertex &there = graph_.vertices[rank], &here = graph_.vertices[first];
        const bool leaving = which == ArcIndex::Which::kLeaving;
        throw Error(ErrorKind::kInfeasible,
                    fmt::format("node '{}' cannot be reached from node '{}'", (leaving ? there : here).name,
                                (leaving ? here : there).name),
                    place(there.line, there.column), "add the links that lead there, or take the node out");
      }
    }
  }

  std::string_view rest_, name_;
  std::uint32_t line_ = 0, end_ = 1;  // the line at hand, and the column after its last byte
  std::vector<Word> words_;           // of it
  Graph graph_;
  std::uint64_t links_ = 0;
  std::unordered_map<std::string_view, std::uint32_t> index_;    // vertices by name
  std::unordered_map<std::uint64_t, std::uint32_t> first_line_;  // of the arc with these ends
};

}  // namespace

ArcIndex::ArcIndex(const Graph& graph, Which which)
    : which_(which), begin_(graph.vertices.size() + 1, 0), arcs_(graph.arcs.size()) {
  const auto near_end = [which](const Graph::Arc& arc) { return which == Which::kLeaving ? arc.from : arc.to; };
  for (const Graph::Arc& arc : graph.arcs) ++begin_[near_end(arc) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t i = 0; i < graph.arcs.size(); ++i) arcs_[next[near_end(graph.arcs[i])]++] = i;
}

std::vector<std::uint32_t> ArcIndex::hops(const Graph& graph, std::uint32_t start) const {
  std::vector<std::uint32_t> hops(graph.vertices.size(), kNowhere), queue{start};
  hops[start] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const std::uint32_t arc : of(queue[i])) {
      const std::uint32_t next = which_ == Which::kLeaving ? graph.arcs[arc].to : graph.arcs[arc].from;
      if (hops[next] != kNowhere) continue;
      hops[next] = hops[queue[i]] + 1;
      queue.push_back(next);
    }
  return hops;
}

double Graph::slowing(const Slowing& link, Bytes vector) const {
  const auto after = std::ranges::find_if(link.rates, [&](const auto& one) { return one.first >= vector; });
  double rate = 0;
  if (after == link.rates.begin() || after == link.rates.end()) {
    rate = (after == link.rates.end() ? link.rates.back() : *after).second.value;
  } else {
    const auto [below, slow] = *(after - 1);
    const double part = std::log(vector.value / below.value) / std::log(after->first.value / below.value);
    rate = slow.value * std::pow(after->second.value / slow.value, part);
  }
  return std::max(1.0, arcs[link.arc].rate.value / rate);
}

Graph parse_graph(std::string_view text, std::string_view name) { return Reader(text, name).read(); }

Graph read_graph(const std::string& path, const std::string& place) {
  return parse_graph(read_text(path, place, "graph file", "docs/graph-file.md", kLargestFile), path);
}

}  // namespace helio::fabric
