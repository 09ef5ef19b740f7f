// SPDX-License-Identifier: Apache-2.0
#include "own_algorithms.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>

#include "arrays.h"
#include "base/error.h"
#include "keywords.h"
#include "plan/auto.h"
#include "schedule/own_algorithm.h"
#include "schedule/verify.h"

namespace helio::python {
namespace {

using schedule::Move;
using schedule::Schedule;

// A function that threads without the interpreter's lock may copy and forget.
using Held = std::shared_ptr<const py::object>;
Held held(py::object function) {
  return {new py::object(std::move(function)), [](const py::object* one) {
            const py::gil_scoped_acquire lock;
            delete one;
          }};
}

py::dict request_in_words(const schedule::CollectiveRequest& request, const schedule::Capabilities& fabric) {
  py::dict words;
  words["kind"] = std::string(schedule::name_of(request.kind));
  words["ranks"] = request.ranks();
  words["root"] = request.root;
  words["bytes"] = request.bytes.value;
  words["groups"] = request.groups.size();
  words["fabric"] = fabric.fabric;
  words["nodes"] = fabric.nodes;
  words["link_rate"] = fabric.link_rate.value;
  words["injection"] = fabric.injection.value;
  words["latency_s"] = fabric.nearest_latency.to_seconds();
  words["step_overhead_s"] = fabric.step_overhead.to_seconds();
  words["wavelengths"] = fabric.wavelengths;
  return words;
}

py::dict values_of(const Parameters& parameters, const std::vector<Parameter>& declared) {
  py::dict values;
  for (const Parameter& one : declared) {
    const char* name = one.name.c_str();
    switch (one.type) {
      case ParameterType::kInteger: values[name] = parameters.integer(one.name); break;
      case ParameterType::kNumber: values[name] = parameters.number(one.name); break;
      case ParameterType::kBoolean: values[name] = parameters.boolean(one.name); break;
      default: values[name] = parameters.text(one.name); break;
    }
  }
  return values;
}

// (chunks, scratch, in_output, dataflow, [(name, repeat, moves)…]) as heliograph/own.py makes it.
Schedule schedule_from(const py::object& given, const std::string& name, const schedule::CollectiveRequest& request) {
  know_rows();
  const auto parts = given.cast<py::tuple>();
  Schedule schedule{.algorithm = name, .kind = request.kind, .ranks = request.ranks(), .root = request.root};
  schedule.chunks = parts[0].cast<std::uint32_t>();
  schedule.scratch = parts[1].cast<std::uint32_t>();
  if (parts[2].cast<bool>()) schedule.result = schedule::Buffer::kOutput;
  if (parts[3].cast<bool>()) schedule.order = schedule::Order::kDataflow;
  for (const py::handle& each : parts[4]) {
    const auto told = each.cast<py::tuple>();
    schedule::Phase phase{.name = told[0].cast<std::string>(), .repeat = told[1].cast<std::uint32_t>()};
    const auto moves = told[2].cast<py::array_t<Move, py::array::c_style>>();
    const Move* begin = moves.data();
    for (py::ssize_t i = 0; i < moves.size(); ++i) {
      if (static_cast<int>(begin[i].action) > 1 || static_cast<int>(begin[i].source_buffer) > 2 ||
          static_cast<int>(begin[i].destination_buffer) > 2)
        throw Error(ErrorKind::kInput,
                    fmt::format("move {} of phase '{}' of algorithm '{}' has an action or a buffer that there is not",
                                i, phase.name, name));
      phase.moves.push_back(begin[i]);
    }
    schedule.phases.push_back(std::move(phase));
  }
  return schedule;
}

Schedule built(const Held& function, const std::string& name, const std::vector<Parameter>& declared,
               const schedule::CollectiveRequest& request, const schedule::Capabilities& capabilities,
               const Parameters& parameters) {
  const Schedule schedule = [&] {
    const py::gil_scoped_acquire lock;
    const py::object given = (*function)(request_in_words(request, capabilities), values_of(parameters, declared));
    return schedule_from(given, name, request);
  }();
  try {
    schedule::check(schedule);
  } catch (const Error& error) {
    throw Error(ErrorKind::kInput, fmt::format("the schedule of algorithm '{}' is none: {}", name, error.message()), "",
                "correct the function");
  }
  const schedule::Verification proof = schedule::verify(schedule);
  if (!proof.verified && proof.method != "work-limit")
    throw Error(ErrorKind::kInput,
                fmt::format("algorithm '{}' does not compute {} on {} ranks: {}", name, schedule::name_of(request.kind),
                            request.ranks(), proof.failure),
                "", "correct the function");
  return schedule;
}

Parameter parameter_from(const std::string& name, const py::handle& fallback) {
  Parameter parameter{.name = name, .fallback = text_of(fallback), .description = "of the function"};
  parameter.type = py::isinstance<py::bool_>(fallback)    ? ParameterType::kBoolean
                   : py::isinstance<py::int_>(fallback)   ? ParameterType::kInteger
                   : py::isinstance<py::float_>(fallback) ? ParameterType::kNumber
                                                          : ParameterType::kText;
  return parameter;
}

// In the catalogue until it is closed.
class Own {
 public:
  Own(const std::string& name, const std::vector<std::string>& kinds, const std::string& summary,
      const py::dict& parameters, py::object function) {
    for (const std::string_view taken :
         {plan::kAuto, std::string_view("usual"), std::string_view("wdm-planned"), std::string_view("fitted")})
      if (name == taken || name.find_first_of(" :,=") != std::string::npos)
        throw Error(ErrorKind::kInput, fmt::format("'{}' is no name for an algorithm", name), "name",
                    "give it another name, of letters, digits and '-'");
    schedule::AlgorithmEntry entry{{.name = name, .summary = summary, .reference = "a function of this process"}, {}};
    for (const std::string& kind : kinds) entry.factory.kinds.push_back(schedule::kind_named(kind, "kinds"));
    for (const auto& [key, fallback] : parameters)
      entry.description.parameters.push_back(parameter_from(py::str(key), fallback));
    entry.factory.build = [function = held(std::move(function)), name, declared = entry.description.parameters](
                              const auto& request, const auto& capabilities, const Parameters& values) {
      return built(function, name, declared, request, capabilities, values);
    };
    const py::gil_scoped_release alone;  // who waits for the catalogue has no lock, and who forgets functions takes it
    own_.emplace(std::move(entry), "name");
  }
  ~Own() { close(); }
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;
  void close() {
    const py::gil_scoped_release alone;
    own_.reset();
  }

 private:
  std::optional<schedule::OwnAlgorithm> own_;
};

}  // namespace

void add_own_algorithms(py::module_& module) {
  py::class_<Own>(module, "Own")
      .def(py::init<const std::string&, const std::vector<std::string>&, const std::string&, const py::dict&,
                    py::object>())
      .def("close", &Own::close);
}

}  // namespace helio::python
