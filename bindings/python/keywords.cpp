// SPDX-License-Identifier: Apache-2.0
#include "keywords.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/error.h"
#include "base/units.h"

namespace helio::python {
namespace {

bool is_list(const py::handle& value) { return py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value); }

std::string joined(const py::handle& list) {
  std::vector<std::string> words;
  bool nested = false;
  for (const py::handle& one : list) {
    words.push_back(text_of(one));
    nested |= is_list(one) || (py::isinstance<py::str>(one) && words.back().find(',') != std::string::npos);
  }
  return fmt::format("{}", fmt::join(words, nested ? ";" : ","));
}

}  // namespace

std::string text_of(const py::handle& value, const char* unit) {
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  if (is_list(value)) return joined(value);
  if (py::hasattr(value, "__fspath__")) return py::str(value.attr("__fspath__")());
  const bool number = py::hasattr(value, "__float__") && !py::hasattr(value, "__len__");
  const bool whole = number && py::hasattr(value, "__index__");
  std::string text = whole    ? std::string(py::str(value.attr("__index__")()))
                     : number ? fmt::format("{:.17g}", value.attr("__float__")().cast<double>())
                              : std::string(py::str(value));
  return number && *unit ? text + " " + unit : text;
}

py::object Keywords::take(const char* name) {
  read_.insert(name);
  return given_.contains(name) ? py::object(given_[name]) : py::none();
}

std::optional<std::string> Keywords::find(const char* name) {
  const py::object value = take(name);
  if (value.is_none()) return std::nullopt;
  std::string text = text_of(value, std::string_view(name) == "bytes" ? "B" : "");
  if (text.empty())  // as the command has it: to take it as left out would be to guess
    throw Error(ErrorKind::kUsage, "an option is given empty", name, "say what it is, or leave it out");
  return text;
}

void Keywords::read(const char* name, std::string& field) {
  if (auto text = find(name)) field = *std::move(text);
}

void Keywords::read(const char* name, std::optional<std::string>& field) {
  if (auto text = find(name)) field = std::move(text);
}

void Keywords::read(const char* name, bool& field) {
  const py::object value = take(name);
  if (value.is_none()) return;
  if (!py::isinstance<py::bool_>(value))
    throw Error(ErrorKind::kInput, fmt::format("'{}' is neither True nor False", text_of(value)), name,
                "give one of them");
  field = value.cast<bool>();
}

void Keywords::read(const char* name, std::vector<std::string>& field) {
  const py::object value = take(name);
  if (value.is_none()) return;
  field.clear();
  if (!is_list(value)) {
    field.push_back(text_of(value));
    return;
  }
  for (const py::handle& one : value) field.push_back(text_of(one));
}

void Keywords::read(const char* name, std::vector<ask::Assignment>& field) {
  const py::object value = take(name);
  if (value.is_none()) return;
  if (py::isinstance<py::dict>(value)) {
    for (const auto& [path, set] : value.cast<py::dict>()) field.push_back({text_of(path), text_of(set)});
    return;
  }
  std::vector<std::string> texts;
  if (is_list(value))
    for (const py::handle& one : value) texts.push_back(text_of(one));
  else
    texts.push_back(text_of(value));
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorKind::kUsage, fmt::format("'{}' is not of the form path=value", text), name,
                  "give a dict such as {\"fabric.rate\": \"400 Gb/s\"}");
    field.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
}

template <class Number>
Number Keywords::number(const std::string& text, const char* name) {
  if constexpr (std::is_floating_point_v<Number>) {
    try {
      return parse_number(text);
    } catch (const Error& error) {
      throw error.at(name);
    }
  } else {
    Number value{};
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc() && end == text.data() + text.size()) return value;
    using Limits = std::numeric_limits<Number>;
    throw Error(ErrorKind::kUsage,
                fmt::format("'{}' is no whole number from {} to {}", text, Limits::min(), Limits::max()), name);
  }
}

template int Keywords::number<int>(const std::string&, const char*);
template long long Keywords::number<long long>(const std::string&, const char*);
template std::uint32_t Keywords::number<std::uint32_t>(const std::string&, const char*);
template std::uint64_t Keywords::number<std::uint64_t>(const std::string&, const char*);
template double Keywords::number<double>(const std::string&, const char*);

void Keywords::check_all_read() const {
  for (const auto& [name, value] : given_)
    if (!read_.contains(text_of(name)))
      throw std::logic_error(fmt::format("nobody reads the keyword '{}'", text_of(name)));
}

}  // namespace helio::python
