// SPDX-License-Identifier: Apache-2.0
#include "base/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/units.h"

namespace helio {
namespace {

// "32x32" as positive whole numbers.
std::vector<long long> parse_dimensions(std::string_view text) {
  std::vector<long long> extents;
  for (std::string_view rest = text;;) {
    const std::size_t cross = rest.find('x');
    long long extent = 0;
    try {
      extent = parse_integer(rest.substr(0, cross));
    } catch (const Error&) {
    }
    if (extent < 1)
      throw Error(ErrorKind::kInput, fmt::format("'{}' is not a list of positive whole numbers", text), {},
                  "write the extents with an 'x' between them, such as '32x32'");
    extents.push_back(extent);
    if (cross == std::string_view::npos) return extents;
    rest.remove_prefix(cross + 1);
  }
}

bool parse_boolean(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  throw Error(ErrorKind::kInput, fmt::format("'{}' is neither true nor false", text), {}, "write 'true' or 'false'");
}

}  // namespace

std::string_view name_of(ParameterType type) {
  switch (type) {
    case ParameterType::kInteger: return "integer";
    case ParameterType::kNumber: return "number";
    case ParameterType::kBoolean: return "boolean";
    case ParameterType::kTime: return "time";
    case ParameterType::kBytes: return "bytes";
    case ParameterType::kRate: return "rate";
    case ParameterType::kDecibel: return "decibel";
    case ParameterType::kPower: return "power";
    case ParameterType::kText: return "text";
    case ParameterType::kChoice: return "choice";
    case ParameterType::kDimensions: return "dimensions";
  }
  throw std::logic_error("a parameter type without a name");
}

Parameters::Value Parameters::typed(const Parameter& parameter, const Setting& setting) {
  Value value{parameter.type, setting.text, setting.place};
  switch (parameter.type) {
    case ParameterType::kInteger: value.integer = parse_integer(setting.text); break;
    case ParameterType::kNumber: value.number = parse_number(setting.text); break;
    case ParameterType::kBoolean: value.integer = parse_boolean(setting.text) ? 1 : 0; break;
    case ParameterType::kTime: value.time = parse_time(setting.text); break;
    case ParameterType::kBytes: value.number = parse_bytes(setting.text).value; break;
    case ParameterType::kRate: value.number = parse_rate(setting.text).value; break;
    case ParameterType::kDecibel: value.number = parse_decibel(setting.text).value; break;
    case ParameterType::kPower: value.number = parse_power(setting.text).value; break;
    case ParameterType::kText: break;
    case ParameterType::kChoice:
      if (std::ranges::find(parameter.choices, setting.text) == parameter.choices.end())
        throw unknown_name("choice", setting.text, parameter.choices);
      break;
    case ParameterType::kDimensions: value.dimensions = parse_dimensions(setting.text); break;
  }
  return value;
}

// Whether `a` lies below `b`, or may equal it; of dimensions every extent counts. Only types with an order have bounds.
bool Parameters::below(const Value& a, const Value& b, bool or_equal) {
  const auto compare = [or_equal](const auto& x, const auto& y) { return or_equal ? x <= y : x < y; };
  switch (a.type) {
    case ParameterType::kInteger: return compare(a.integer, b.integer);
    case ParameterType::kTime: return compare(a.time, b.time);
    case ParameterType::kDimensions: return compare(std::ranges::min(a.dimensions), std::ranges::max(b.dimensions));
    default: return compare(a.number, b.number);
  }
}

void Parameters::check_bounds(const Parameter& parameter, const Value& value) {
  const auto refuse = [&](std::string_view side, std::string_view relation, const std::string& bound) {
    throw Error(ErrorKind::kInput, fmt::format("'{}' is {} {}", value.text, side, bound), {},
                fmt::format("give a value {} {}", relation, bound));
  };
  if (!parameter.minimum.empty()) {
    const bool exclusive = parameter.minimum_exclusive;
    if (below(value, typed(parameter, {parameter.minimum, {}}), exclusive))
      refuse(exclusive ? "not above" : "below the minimum", exclusive ? "above" : "of at least", parameter.minimum);
  }
  if (!parameter.maximum.empty() && below(typed(parameter, {parameter.maximum, {}}), value, false))
    refuse("above the maximum", "of at most", parameter.maximum);
}

Parameters::Parameters(std::string_view owner, const std::vector<Parameter>& declared, const Settings& settings) {
  // Names that nobody declared.
  std::vector<std::string> names;
  for (const Parameter& parameter : declared) names.push_back(parameter.name);
  for (const auto& [name, setting] : settings)
    if (std::ranges::find(names, name) == names.end())
      throw unknown_name(fmt::format("{} parameter", owner), name, names, setting.place);

  // Each declared parameter: its setting, else its default, else unset where that is allowed.
  for (const Parameter& parameter : declared) {
    const auto given = settings.find(parameter.name);
    if (given == settings.end() && parameter.fallback.empty()) {
      if (parameter.optional) continue;
      throw Error(ErrorKind::kInput, fmt::format("{} needs a value for '{}'", owner, parameter.name), {},
                  fmt::format("it is of type {}: {}", name_of(parameter.type), parameter.description));
    }
    const Setting setting = given != settings.end() ? given->second : Setting{parameter.fallback, "default"};
    try {
      Value value = typed(parameter, setting);
      check_bounds(parameter, value);
      values_.insert_or_assign(parameter.name, std::move(value));
      order_.push_back(parameter.name);
      if (parameter.fitted && given == settings.end()) fitted_.push_back(parameter.name);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}: parameter '{}': {}", owner, parameter.name, error.message()),
                  setting.place, error.advice());
    }
  }
}

bool Parameters::has(std::string_view name) const { return values_.find(name) != values_.end(); }

const Parameters::Value& Parameters::find(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::logic_error(fmt::format("parameter '{}' was read but is not set", name));
  return found->second;
}

const Parameters::Value& Parameters::find(std::string_view name, ParameterType type) const {
  const Value& value = find(name);
  if (value.type != type)
    throw std::logic_error(
        fmt::format("parameter '{}' was read as {} but is declared as {}", name, name_of(type), name_of(value.type)));
  return value;
}

long long Parameters::integer(std::string_view name) const { return find(name, ParameterType::kInteger).integer; }
double Parameters::number(std::string_view name) const { return find(name, ParameterType::kNumber).number; }
bool Parameters::boolean(std::string_view name) const { return find(name, ParameterType::kBoolean).integer != 0; }
Time Parameters::time(std::string_view name) const { return find(name, ParameterType::kTime).time; }
Bytes Parameters::bytes(std::string_view name) const { return {find(name, ParameterType::kBytes).number}; }
BitRate Parameters::rate(std::string_view name) const { return {find(name, ParameterType::kRate).number}; }
Decibel Parameters::decibel(std::string_view name) const { return {find(name, ParameterType::kDecibel).number}; }
Power Parameters::power(std::string_view name) const { return {find(name, ParameterType::kPower).number}; }

const std::string& Parameters::text(std::string_view name) const {
  const Value& value = find(name);
  return value.type == ParameterType::kChoice ? value.text : find(name, ParameterType::kText).text;
}

std::vector<long long> Parameters::dimensions(std::string_view name) const {
  return find(name, ParameterType::kDimensions).dimensions;
}

const std::string& Parameters::place(std::string_view name) const { return find(name).place; }

std::vector<std::pair<std::string, std::string>> Parameters::described() const {
  std::vector<std::pair<std::string, std::string>> described;
  for (const std::string& name : order_) described.emplace_back(name, find(name).text);
  return described;
}

}  // namespace helio
