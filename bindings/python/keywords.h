// SPDX-License-Identifier: Apache-2.0
// What a Python call was given, as the fields of a question: text, as the rooms judge it, so that what is wrong is complained of by them.
//
//     1024              "1024"                        {"fabric.rate": "1 Gb/s"}    assignments, in order
//     bytes=100e6       "100000000 B"                 [[0, 1], [2, 3]]             "0,1;2,3"
//     True              "true"                        pathlib.Path("a")            "a"
//
// Invariant: every keyword is read once; one that nobody read is our mistake.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "ask/experiment.h"

namespace helio::python {

namespace py = pybind11;

class Keywords {
 public:
  explicit Keywords(py::dict given) : given_(std::move(given)) {}

  // Each leaves a field that was not given, or is None, as it is. Throw Error(kInput) at the name for what is no such value.
  void read(const char* name, std::string& field);
  void read(const char* name, std::optional<std::string>& field);
  void read(const char* name, bool& field);
  void read(const char* name, std::vector<std::string>& field);  // one text is a list of one
  void read(const char* name, std::vector<ask::Assignment>& field);
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void read(const char* name, Number& field) {
    if (const auto text = find(name)) field = number<Number>(*text, name);
  }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void read(const char* name, std::optional<Number>& field) {
    if (const auto text = find(name)) field = number<Number>(*text, name);
  }
  bool has(const char* name) const { return given_.contains(name) && !given_[name].is_none(); }
  // Throws std::logic_error for what nobody read.
  void check_all_read() const;

 private:
  std::optional<std::string> find(const char* name);
  py::object take(const char* name);
  template <class Number>
  static Number number(const std::string& text, const char* name);

  py::dict given_;
  std::set<std::string> read_;
};

// Any value as text, as above. `unit`: of a plain number.
std::string text_of(const py::handle& value, const char* unit = "");

extern template int Keywords::number<int>(const std::string&, const char*);
extern template long long Keywords::number<long long>(const std::string&, const char*);
extern template std::uint32_t Keywords::number<std::uint32_t>(const std::string&, const char*);
extern template std::uint64_t Keywords::number<std::uint64_t>(const std::string&, const char*);
extern template double Keywords::number<double>(const std::string&, const char*);

}  // namespace helio::python
