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
#include "base/visible.h"
#include "networks.h"
#include "own_algorithms.h"
#include "pipeline/version.h"

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
  module.def("catalogue", [](const std::string& room) { return helio::ask::list_in_json(room); });
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
