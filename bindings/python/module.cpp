// SPDX-License-Identifier: Apache-2.0
// heliograph._core: the library of questions (src/ask) for the package around it (heliograph/*.py), which gives it its Python face.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "arrays.h"
#include "ask/catalogue.h"
#include "asking.h"
#include "base/advice.h"
#include "base/error.h"
#include "base/json_dump.h"
#include "base/visible.h"
#include "fabric/fabric.h"
#include "networks.h"
#include "own_algorithms.h"
#include "pipeline/version.h"
#include "report/json/json_values.h"
#include "schedule/algorithm.h"

namespace helio::python {
namespace {

// Settings as a Python call has them: a keyword of its own, or an entry of `set`.
std::string as_keyword(const AdvisedSetting& setting) {
  const auto& [key, value] = setting;
  if (key == "verify") return "verify=True";
  if (key.find('.') != std::string::npos)
    return value.empty() ? fmt::format("set={{\"{}\": …}}", key) : fmt::format("set={{\"{}\": \"{}\"}}", key, value);
  return value.empty() ? key : fmt::format("{}=\"{}\"", key, value);
}

// As heliograph.InputError or heliograph.InfeasibleError.
void raise(const Error& error) {
  const char* name = error.kind() == ErrorKind::kInfeasible ? "InfeasibleError" : "InputError";
  const char* kind = error.kind() == ErrorKind::kUsage   ? "usage"
                     : error.kind() == ErrorKind::kInput ? "input"
                                                         : "infeasible";
  const py::object type = py::module_::import("heliograph.errors").attr(name);
  const py::object raised =
      type(visible(error.message()), kind, visible(error.place()), visible(error.advice().written(as_keyword)));
  PyErr_SetObject(type.ptr(), raised.ptr());
}

report::Json described(const Description& entry) {
  report::Json parameters = report::Json::array();
  const auto or_null = [](const std::string& text) {
    return text.empty() ? report::Json(nullptr) : report::Json(text);
  };
  for (const Parameter& one : entry.parameters)
    parameters.push_back({{"name", one.name},
                          {"type", name_of(one.type)},
                          {"default", or_null(one.fallback)},
                          {"minimum", or_null(one.minimum)},
                          {"maximum", or_null(one.maximum)},
                          {"minimum_exclusive", one.minimum_exclusive},
                          {"choices", one.choices},
                          {"optional", one.optional},
                          {"fitted", one.fitted},
                          {"description", one.description}});
  return {{"name", entry.name}, {"summary", entry.summary}, {"reference", entry.reference}, {"parameters", parameters}};
}

// The rooms of `helio list`; of fabrics and algorithms with their parameters.
std::string catalogue(const std::string& room) {
  report::Json entries = report::Json::array();
  for (const ask::ListedRoom& one : ask::rooms()) {
    if (one.name != room) continue;
    for (const ask::Listed& listed : one.entries) {
      report::Json entry = {{"name", listed.name}, {"summary", listed.summary}};
      if (const auto* known = room == "fabrics" ? fabric::fabrics().find(listed.name) : nullptr)
        entry = described(known->description);
      if (const auto* known = room == "algorithms" ? schedule::algorithms().find(listed.name) : nullptr) {
        entry = described(known->description);
        entry["kinds"] = report::Json::array();
        for (const schedule::Kind kind : known->factory.kinds) entry["kinds"].push_back(schedule::name_of(kind));
      }
      entries.push_back(entry);
    }
  }
  return json_dump(entries);
}

std::string text_from(const Answered& answer, const std::function<std::string()>& make) {
  std::string text;
  asked(answer.budget, [&] { text = make(); });
  return text;
}

}  // namespace
}  // namespace helio::python

PYBIND11_MODULE(_core, module) {
  using namespace helio::python;
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const helio::Error& error) {
      raise(error);
    } catch (const std::logic_error& error) {
      PyErr_SetString(PyExc_RuntimeError, fmt::format("our fault, not yours: {}", error.what()).c_str());
    }
  });
  module.attr("version") = std::string(helio::pipeline::kVersion);

  py::class_<Answered, std::shared_ptr<Answered>>(module, "Answered")
      .def("json", [](const Answered& answer) { return text_from(answer, answer.json); })
      .def("text", [](const Answered& answer) { return text_from(answer, answer.text); })
      .def("html", &Answered::html)
      .def("report", &Answered::write_report)
      .def("trace", &Answered::write_trace)
      .def("look", [](const Answered& answer, std::size_t i, std::size_t most_spans) {
        if (!answer.collectives)
          throw helio::Error(helio::ErrorKind::kUsage, "this answer has no collectives to look at", "look",
                             "collective and simulate have them");
        std::shared_ptr<const Look> look;
        asked(answer.budget, [&] { look = look_at(*answer.collectives(), i, most_spans); });
        return std::const_pointer_cast<Look>(look);
      });
  module.def("ask", [](const std::string& name, const py::dict& given, const std::string& call) {
    return std::const_pointer_cast<Answered>(ask_question(name, given, call));
  });
  module.def("catalogue", catalogue);
  module.def("describe", [](const std::string& name) { return helio::ask::describe(name); });
  module.def("describe_json",
             [](const std::string& name, const std::optional<std::string>& nodes, const py::dict& set) {
               helio::ask::DescribeQuestion question{.name = name, .nodes = nodes};
               Keywords keywords(py::dict(py::arg("set") = set));
               keywords.read("set", question.set);
               return helio::ask::describe_in_json(question);
             });
  add_arrays(module);
  add_networks(module);
  add_own_algorithms(module);
}
