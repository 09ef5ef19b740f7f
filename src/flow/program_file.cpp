// SPDX-License-Identifier: Apache-2.0
#include "flow/program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "base/error.h"

namespace helio::flow {
namespace {

constexpr std::string_view kMagic = "heliograph-flow", kVersion = "1";
constexpr std::string_view kKinds[] = {"delay", "compute", "transfer", "call"};  // by OperationKind
constexpr Time::Count kLongest = static_cast<Time::Count>(Time::kPerSecond) * 10'000'000'000'000'000;  // 1e16 s

std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '\\')
      text += "\\\\";
    else if (c == '\n')
      text += "\\n";
    else if (c == '\r')
      text += "\\r";
    else
      text += c;
  }
  return text;
}

std::string digits_of(Time time) { return fmt::format("{}", time.count()); }

std::string_view rules_in_words(const ChannelRules& rules) {
  if (rules.preemptive) return rules.is_link ? "preemptive+link" : "preemptive";
  return rules.is_link ? "link" : "plain";
}

void write(fmt::memory_buffer& out, const Operation& operation) {
  static const Operation kDefault;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "{}", kKinds[static_cast<std::size_t>(operation.kind)]);
  const auto field = [&](std::string_view name, auto value, auto usual) {
    if (value != usual) fmt::format_to(to, " {}={}", name, value);
  };
  if (operation.route.valid()) fmt::format_to(to, " route={}", operation.route.value);
  if (operation.callee.valid()) fmt::format_to(to, " callee={}", operation.callee.value);
  field("rounds", operation.rounds, kDefault.rounds);
  if (operation.bytes != 0) fmt::format_to(to, " bytes={:a}", operation.bytes);
  if (!operation.duration.is_zero()) fmt::format_to(to, " duration={}", digits_of(operation.duration));
  field("repeat", operation.repeat, kDefault.repeat);
  field("priority", static_cast<unsigned>(operation.priority), 0u);
  if (operation.share != 1) fmt::format_to(to, " share={:a}", static_cast<double>(operation.share));
  field("step", static_cast<unsigned>(operation.step), 0u);
  field("always_setup", static_cast<unsigned>(operation.always_setup), 0u);
  field("controlled", static_cast<unsigned>(operation.controlled), 0u);
  field("alternatives", operation.alternatives, kDefault.alternatives);
  field("agent", operation.agent, kDefault.agent);
  field("claim", operation.claim, kDefault.claim);
  field("circuit", operation.circuit, kDefault.circuit);
  field("tag", operation.tag, kDefault.tag);
  fmt::format_to(to, "\n");
}

// One line, word by word.
class Line {
 public:
  explicit Line(std::string_view text) : text_(text) {}
  // "" at the end.
  std::string_view word() {
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text_.empty() && blank(text_.front())) text_.remove_prefix(1);
    std::size_t length = 0;
    while (length < text_.size() && !blank(text_[length])) ++length;
    const std::string_view found = text_.substr(0, length);
    text_.remove_prefix(length);
    return found;
  }
  // What is left after one separator: a name, which may hold blanks.
  std::string_view rest() { return text_.empty() ? text_ : text_.substr(1); }

 private:
  std::string_view text_;
};

class Reader {
 public:
  explicit Reader(std::string_view name) : name_(name) {}

  Program read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      ++line_;
      if (end == std::string_view::npos)
        fail("the file ends in the middle of a line and may be cut off", "end the last line with a newline");
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end + 1);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      read_line(line);
    }
    finish();
    return std::move(program_);
  }

 private:
  [[noreturn]] void fail(std::string what, Advice advice = {}) const {
    fail_at(line_, std::move(what), std::move(advice));
  }
  [[noreturn]] void fail_at(std::size_t line, std::string what, Advice advice = {}) const {
    throw Error(ErrorKind::kInput, std::move(what), fmt::format("{}:{}", name_, line), std::move(advice));
  }

  void read_line(std::string_view text) {
    Line line(text);
    const std::string_view key = line.word();
    if (key.empty() || key.front() == '#') return;
    if (!begun_) return begin(key, line);
    if (key == "link") return read_link(line);
    if (key == "channel") return read_channel(line);
    flush();
    if (key == "route") return read_route(line);
    if (key == "template") {
      program_.add({name_in(line), {}, {}});
      return;
    }
    if (key == "visible") {
      if (program_.templates.empty()) fail("'visible' stands after the template that is");
      no_more(line);
      program_.templates.back().visible = true;
      return;
    }
    if (key == "edge") return read_edge(line);
    if (key == "entry") return read_entry(line);
    for (std::size_t kind = 0; kind < std::size(kKinds); ++kind)
      if (key == kKinds[kind]) return read_operation(static_cast<OperationKind>(kind), line);
    const Error unknown = unknown_name(
        "line", key,
        {"link", "channel", "route", "template", "visible", "delay", "compute", "transfer", "call", "edge", "entry"});
    fail(unknown.message(), unknown.advice());
  }

  void begin(std::string_view key, Line& line) {
    const std::string_view version = line.word();
    if (key != kMagic) fail("this is not a flow program", fmt::format("the first line is '{} {}'", kMagic, kVersion));
    if (version != kVersion)
      fail(fmt::format("version '{}' of the format is not known", version), "this program reads version 1");
    no_more(line);
    begun_ = true;
  }

  // Resources. Equals in a row become one block.
  struct Run {
    bool channel = false;
    double rate = 0;
    ChannelRules rules;
    std::vector<std::string> names;
    bool same(const Run& other) const {
      return channel == other.channel && rate == other.rate && rules.setup == other.rules.setup &&
             rules.preemptive == other.rules.preemptive && rules.is_link == other.rules.is_link;
    }
  };

  void read_link(Line& line) {
    Run run;
    run.rate = number(line.word(), "a rate");
    if (!(run.rate > 0)) fail("a link needs a rate above 0");
    add(std::move(run), name_in(line));
  }

  void read_channel(Line& line) {
    Run run;
    run.channel = true;
    run.rate = number(line.word(), "a rate");
    if (run.rate < 0) fail("a channel's rate is not negative", "0 means that it does not limit");
    run.rules.setup = time(line.word(), "a setup");
    const std::string_view words = line.word();
    run.rules.preemptive = words.starts_with("preemptive");
    run.rules.is_link = words == "link" || words == "preemptive+link";
    if (words != rules_in_words(run.rules))
      fail(fmt::format("'{}' says nothing about a channel", words), "write plain, preemptive, link or preemptive+link");
    add(std::move(run), name_in(line));
  }

  void add(Run run, std::string name) {
    if (!run_ || !run_->same(run)) {
      flush();
      run_ = std::move(run);
    }
    run_->names.push_back(std::move(name));
  }

  void flush() {
    if (!run_) return;
    const auto count = static_cast<std::uint32_t>(run_->names.size());
    auto names = std::make_shared<const std::vector<std::string>>(std::move(run_->names));
    const auto namer = [names](std::uint32_t index) { return (*names)[index]; };
    if (run_->channel)
      program_.resources.add_channels(count, {run_->rate}, run_->rules, namer);
    else
      program_.resources.add_links(count, {run_->rate}, namer);
    run_.reset();
  }

  void read_route(Line& line) {
    const Time latency = time(line.word(), "a latency");
    std::vector<LinkUse> links;
    std::vector<ResourceId> channels;
    bool after_slash = false;
    for (std::string_view word = line.word(); !word.empty(); word = line.word()) {
      if (word == "/" && !after_slash) {
        after_slash = true;
        continue;
      }
      const std::size_t star = after_slash ? std::string_view::npos : word.find('*');
      const ResourceId id{index(word.substr(0, star), program_.resources.size(), "resource")};
      if (program_.resources.is_channel(id) != after_slash)
        fail(fmt::format("resource {} is a {}", id.value, after_slash ? "link" : "channel"),
             "a route names its links, then '/', then its channels");
      if (after_slash) {
        channels.push_back(id);
        continue;
      }
      const double weight = star == std::string_view::npos ? 1 : number(word.substr(star + 1), "a weight");
      if (!(weight > 0) || static_cast<double>(static_cast<float>(weight)) != weight)
        fail(fmt::format("a weight is a single-precision number above 0, not '{}'", word.substr(star + 1)));
      links.push_back({id, static_cast<float>(weight)});
    }
    program_.routes.add(links, channels, latency);
  }

  // Templates.
  Template& body(std::string_view what) {
    if (program_.templates.empty())
      fail(fmt::format("{} outside of a template", what), "begin with a line 'template NAME'");
    return program_.templates.back();
  }

  void read_operation(OperationKind kind, Line& line) {
    Operation op;
    op.kind = kind;
    std::vector<std::string_view> seen;
    for (std::string_view word = line.word(); !word.empty(); word = line.word()) {
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) fail(fmt::format("'{}' is not of the form field=value", word));
      const std::string_view field = word.substr(0, equals), value = word.substr(equals + 1);
      if (std::find(seen.begin(), seen.end(), field) != seen.end()) fail(fmt::format("'{}' is given twice", field));
      seen.push_back(field);
      set(op, field, value);
    }
    if (kind == OperationKind::kCall && !op.callee.valid()) fail("a call needs a callee");
    body("an operation").operations.push_back(op);
  }

  void set(Operation& op, std::string_view field, std::string_view value) {
    if (field == "route")
      op.route.value = index(value, program_.routes.size(), "route");
    else if (field == "callee")
      calls_.push_back({line_, op.callee.value = integer<std::uint32_t>(value, "a template")});
    else if (field == "rounds")
      op.rounds = integer<std::uint64_t>(value, "a number of rounds");
    else if (field == "bytes")
      op.bytes = number(value, "a number of bytes");
    else if (field == "duration")
      op.duration = time(value, "a duration");
    else if (field == "repeat")
      op.repeat = integer<std::uint32_t>(value, "a number of instances");
    else if (field == "priority")
      op.priority = integer<std::uint8_t>(value, "a priority");
    else if (field == "share")
      op.share = share(value);
    else if (field == "step")
      op.step = flag(value);
    else if (field == "always_setup")
      op.always_setup = flag(value);
    else if (field == "controlled")
      op.controlled = flag(value);
    else if (field == "alternatives")
      op.alternatives = integer<std::uint16_t>(value, "a number of routes");
    else if (field == "agent")
      op.agent = integer<std::uint32_t>(value, "an agent");
    else if (field == "claim")
      op.claim = integer<std::uint32_t>(value, "a claim");
    else if (field == "circuit")
      op.circuit = integer<std::uint64_t>(value, "a circuit");
    else if (field == "tag")
      op.tag = integer<std::uint32_t>(value, "a tag");
    else
      fail(fmt::format("operations have no field '{}'", field));
  }

  void read_edge(Line& line) {
    Edge edge;
    edge.from = integer<std::uint32_t>(line.word(), "an operation");
    edge.to = integer<std::uint32_t>(line.word(), "an operation");
    edge.offset = integer<std::int32_t>(line.word(), "an offset");
    edge.first = integer<std::uint32_t>(line.word(), "an instance");
    edge.last = integer<std::uint32_t>(line.word(), "an instance");
    no_more(line);
    body("an edge").edges.push_back(edge);
  }

  void read_entry(Line& line) {
    if (entry_line_ != 0) fail(fmt::format("the entry is already given in line {}", entry_line_));
    program_.entry.value = integer<std::uint32_t>(line.word(), "a template");
    entry_line_ = line_;
    no_more(line);
  }

  void finish() {
    flush();
    if (!begun_)
      fail_at(std::max<std::size_t>(line_, 1), "the file is empty",
              fmt::format("begin with '{} {}'", kMagic, kVersion));
    if (entry_line_ == 0) fail("the file ends without an entry", "write 'entry TEMPLATE'");
    if (program_.entry.value >= program_.templates.size())
      fail_at(entry_line_, fmt::format("there is no template {}", program_.entry.value));
    for (const auto& [line, callee] : calls_)
      if (callee >= program_.templates.size()) fail_at(line, fmt::format("there is no template {}", callee));
    try {
      check(program_);
    } catch (const Error& error) {
      const std::string where =
          error.place().empty() ? std::string(name_) : fmt::format("{}, {}", name_, error.place());
      throw Error(ErrorKind::kInput, error.message(), where, error.advice());
    }
  }

  // Words.
  template <class Integer>
  Integer integer(std::string_view word, std::string_view what) const {
    Integer value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || error != std::errc() || end != word.data() + word.size())
      fail(word.empty() ? fmt::format("{} is missing", what) : fmt::format("'{}' is not {}", word, what));
    return value;
  }

  std::uint32_t index(std::string_view word, std::uint32_t count, std::string_view what) const {
    const auto value = integer<std::uint32_t>(word, fmt::format("the number of a {}", what));
    if (value >= count) fail(fmt::format("there is no {} {} before this line", what, value));
    return value;
  }

  bool flag(std::string_view word) const {
    if (word != "0" && word != "1") fail(fmt::format("'{}' is neither 0 nor 1", word));
    return word == "1";
  }

  double number(std::string_view word, std::string_view what) const {
    const bool negative = word.starts_with('-');
    std::string_view digits = word.substr(negative ? 1 : 0);
    const bool hexadecimal = digits.starts_with("0x");
    if (hexadecimal) digits.remove_prefix(2);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                              hexadecimal ? std::chars_format::hex : std::chars_format::general);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value) ||
        digits.front() == '-')
      fail(word.empty() ? fmt::format("{} is missing", what) : fmt::format("'{}' is not {}", word, what));
    return negative ? -value : value;
  }

  float share(std::string_view word) const {
    const double exact = number(word, "a share");
    const auto single = static_cast<float>(exact);
    if (single != exact || !(single >= kSmallestShare) || single > kLargestShare)
      fail(fmt::format("a share is a single-precision number between {} and {}, not '{}'", kSmallestShare,
                       kLargestShare, word));
    return single;
  }

  Time time(std::string_view word, std::string_view what) const {
    Time::Count count = 0;
    for (const char c : word) {
      if (c < '0' || c > '9') fail(fmt::format("'{}' is not {} in zeptoseconds", word, what));
      count = count * 10 + (c - '0');
      if (count > kLongest) fail(fmt::format("'{}' is longer than 1e16 seconds", word));
    }
    if (word.empty()) fail(fmt::format("{} is missing", what));
    return Time::zeptoseconds(count);
  }

  std::string name_in(Line& line) const {
    std::string name;
    const std::string_view text = line.rest();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        name += text[i];
        continue;
      }
      const char next = ++i < text.size() ? text[i] : '\0';
      if (next != '\\' && next != 'n' && next != 'r') fail("a backslash in a name is followed by \\, n or r");
      name += next == 'n' ? '\n' : next == 'r' ? '\r' : '\\';
    }
    return name;
  }

  void no_more(Line& line) const {
    if (const std::string_view word = line.word(); !word.empty()) fail(fmt::format("'{}' is too much here", word));
  }

  std::string_view name_;
  std::size_t line_ = 0, entry_line_ = 0;
  bool begun_ = false;
  Program program_;
  std::optional<Run> run_;
  std::vector<std::pair<std::size_t, std::uint32_t>> calls_;  // line, callee
};

}  // namespace

std::string to_text(const Program& program) {
  if (!program.controls.empty())
    throw Error(ErrorKind::kInfeasible,
                "a program with a controller cannot be written as text: its decisions are code");
  fmt::memory_buffer out;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "{} {}\n", kMagic, kVersion);

  // What there is
  for (std::uint32_t i = 0; i < program.resources.size(); ++i) {
    const ResourceId id{i};
    const double rate = program.resources.rate(id).value;
    const std::string name = escaped(program.resources.name(id));
    if (!program.resources.is_channel(id)) {
      fmt::format_to(to, "link {:a} {}\n", rate, name);
      continue;
    }
    const ChannelRules& rules = program.resources.rules(id);
    fmt::format_to(to, "channel {:a} {} {} {}\n", rate, digits_of(rules.setup), rules_in_words(rules), name);
  }
  for (std::uint32_t i = 0; i < program.routes.size(); ++i) {
    const RouteId id{i};
    fmt::format_to(to, "route {}", digits_of(program.routes.latency(id)));
    for (const LinkUse& use : program.routes.links(id)) {
      fmt::format_to(to, " {}", use.link.value);
      if (use.weight != 1) fmt::format_to(to, "*{:a}", static_cast<double>(use.weight));
    }
    if (!program.routes.channels(id).empty()) fmt::format_to(to, " /");
    for (const ResourceId channel : program.routes.channels(id)) fmt::format_to(to, " {}", channel.value);
    fmt::format_to(to, "\n");
  }

  // What happens
  for (const Template& body : program.templates) {
    fmt::format_to(to, "template {}\n", escaped(body.name));
    if (body.visible) fmt::format_to(to, "visible\n");
    for (const Operation& operation : body.operations) write(out, operation);
    for (const Edge& edge : body.edges)
      fmt::format_to(to, "edge {} {} {} {} {}\n", edge.from, edge.to, edge.offset, edge.first, edge.last);
  }
  fmt::format_to(to, "entry {}\n", program.entry.value);
  return fmt::to_string(out);
}

Program parse_program(std::string_view text, std::string_view name) { return Reader(name).read(text); }

}  // namespace helio::flow
