// SPDX-License-Identifier: Apache-2.0
// The catalogue: one explicit, closed list per extensible room.
//
// An entry is a name, a line of description, a reference, typed parameters and a factory. Each parameter is
// described once, here, and the command line, `helio list`, `helio describe`, the documentation and the tests
// read it: type, unit, default, bounds, meaning, and a situation in which it matters (a test visits them all, so
// that no parameter can be decoration).
//
// Values travel as text with a place (`Settings`) and become typed when an entry resolves them (`Parameters`).
// Invariant: a name that the entry does not declare is an error at its place, with the nearest legal name.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fact.h"
#include "base/quantity.h"
#include "base/time.h"

namespace helio {

enum class ParameterType {
  kInteger,
  kNumber,
  kBoolean,
  kTime,
  kBytes,
  kRate,
  kDecibel,
  kPower,
  kText,
  kChoice,
  kDimensions
};

std::string_view name_of(ParameterType type);

// Where changing a parameter must change the result: the answers to `question` with the parameter at its default (or
// `value`, if not empty) and at `other` must differ in a number. Of a parameter that only checks what others say, the
// first must be accepted and `other` be refused, as wrong input or as infeasible.
struct Situation {
  std::string question;  // as setting_words.h reads it: "all-reduce fabric=ring nodes=8 bytes=1MB algorithm=ring"
  std::string other;     // a second legal value
  std::string value;     // the first; empty: the default
  bool refused = false;  // `other` must be refused
};

struct Parameter {
  std::string name;
  ParameterType type = ParameterType::kText;
  std::string fallback;  // the default, as text; "" means: must be given
  std::string minimum;   // inclusive bounds as text in the parameter's own unit; "" means none
  std::string maximum;
  bool minimum_exclusive = false;
  std::string description;  // one line, with the meaning and, where the default is a physical constant, its citation
  Situation matters;
  std::vector<std::string> choices;  // kChoice only
  bool optional = false;             // may stay unset: Parameters::has() tells
  bool fitted = false;  // the default was chosen because it meets measured numbers: results that use it say so
};

// One value as the user wrote it, and where.
struct Setting {
  std::string text;
  std::string place;  // "--set fabric.rate", "experiment.toml:3:8"
};
using Settings = std::map<std::string, Setting, std::less<>>;

// The typed, bounds-checked values of one entry.
class Parameters {
 public:
  Parameters() = default;
  // Throws Error(kInput) for unknown names, missing or ill-typed values and values out of bounds.
  // `owner` ("fabric 'ring'") appears in messages.
  Parameters(std::string_view owner, const std::vector<Parameter>& declared, const Settings& settings);

  bool has(std::string_view name) const;
  // Requires of every query below: the name is declared with that type, and has() it. Otherwise std::logic_error,
  // so that our mistake shows in release builds too.
  long long integer(std::string_view name) const;
  double number(std::string_view name) const;
  bool boolean(std::string_view name) const;
  Time time(std::string_view name) const;
  Bytes bytes(std::string_view name) const;
  BitRate rate(std::string_view name) const;
  Decibel decibel(std::string_view name) const;
  Power power(std::string_view name) const;
  const std::string& text(std::string_view name) const;            // kText and kChoice
  std::vector<long long> dimensions(std::string_view name) const;  // "32x32"
  // Where the value came from: its setting's place, or "default".
  const std::string& place(std::string_view name) const;
  // Names of those whose default is fitted and in use.
  const std::vector<std::string>& fitted() const { return fitted_; }
  // Every parameter as text in declaration order, for the configuration that a result carries.
  std::vector<std::pair<std::string, std::string>> described() const;

 private:
  struct Value {
    ParameterType type;
    std::string text, place;
    double number = 0;
    long long integer = 0;
    Time time;
    std::vector<long long> dimensions;
  };
  static Value typed(const Parameter& parameter, const Setting& setting);
  static bool below(const Value& a, const Value& b, bool or_equal);
  static void check_bounds(const Parameter& parameter, const Value& value);
  const Value& find(std::string_view name) const;
  const Value& find(std::string_view name, ParameterType type) const;
  std::vector<std::string> order_, fitted_;
  std::map<std::string, Value, std::less<>> values_;
};

struct Description {
  std::string name;
  std::string summary;    // one line
  std::string reference;  // paper, section, or "ours"
  std::vector<Parameter> parameters;
  std::vector<FactKind> facts = {};  // that it may tell
};

// `Factory` is whatever the room builds its things with.
template <class Factory>
class Catalogue {
 public:
  struct Entry {
    Description description;
    Factory factory;
  };

  Catalogue(std::string what, std::vector<Entry> entries) : what_(std::move(what)), entries_(std::move(entries)) {}

  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Entry& entry : entries_) names.push_back(entry.description.name);
    return names;
  }
  const Entry* find(std::string_view name) const {
    for (const Entry& entry : entries_)
      if (entry.description.name == name) return &entry;
    return nullptr;
  }
  // Throws Error(kInput) with the nearest name and the legal ones.
  const Entry& at(std::string_view name, std::string place = {}) const {
    if (const Entry* entry = find(name)) return *entry;
    throw unknown_name(what_, name, names(), std::move(place));
  }
  Parameters resolve(const Entry& entry, const Settings& settings) const {
    return Parameters(what_ + " '" + entry.description.name + "'", entry.description.parameters, settings);
  }

 private:
  std::string what_;
  std::vector<Entry> entries_;
};

}  // namespace helio
