// SPDX-License-Identifier: Apache-2.0
#include "networks.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "arrays.h"
#include "asking.h"
#include "base/error.h"
#include "photonics/decompose.h"
#include "photonics/mesh.h"
#include "photonics/onn.h"
#include "photonics/onn_compile.h"
#include "photonics/onn_file.h"

namespace helio::python {
namespace {

using photonics::Mesh;
using photonics::Mzi;

void know_mzis() {
  static bool known = false;
  if (known) return;
  PYBIND11_NUMPY_DTYPE(Mzi, mode, column, theta, phi, span);
  known = true;
}

// A mesh somewhere in what owns it.
struct SeenMesh {
  std::shared_ptr<const void> owner;
  const Mesh* mesh;
};

py::array read_only(py::array array) {
  array.attr("flags").attr("writeable") = false;
  return array;
}

py::array numbers(const double* data, std::vector<py::ssize_t> shape, const py::handle& owner) {
  return read_only(py::array(py::dtype::of<double>(), std::move(shape), data, owner));
}

// Moved into what the array keeps alive.
py::array taken(Eigen::MatrixXcd made) {
  auto* kept = new Eigen::MatrixXcd(std::move(made));
  const py::capsule owner(kept, [](void* one) { delete static_cast<Eigen::MatrixXcd*>(one); });
  constexpr py::ssize_t kSize = sizeof(photonics::Complex);
  return {py::dtype::of<photonics::Complex>(),
          {kept->rows(), kept->cols()},
          {kSize, kSize * kept->rows()},
          kept->data(),
          owner};
}

Eigen::MatrixXcd matrix_from(const py::handle& given) {
  const auto array = py::array_t<photonics::Complex, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!array) PyErr_Clear();
  if (!array || array.ndim() != 2)
    throw Error(ErrorKind::kInput, "this is no matrix of numbers", "matrix", "give a two-dimensional array");
  Eigen::MatrixXcd matrix(array.shape(0), array.shape(1));
  for (py::ssize_t r = 0; r < array.shape(0); ++r)
    for (py::ssize_t c = 0; c < array.shape(1); ++c) matrix(r, c) = *array.data(r, c);
  return matrix;
}

using Network = std::shared_ptr<const photonics::Onn>;

// Sums as the rows of an array of points become averages, one for each.
py::array_t<std::int64_t> averages_of(const photonics::Onn& onn, const py::handle& given) {
  const auto sums = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!sums) PyErr_Clear();
  if (!sums || sums.ndim() != 2 || sums.shape(1) != onn.task.lights())
    throw Error(ErrorKind::kInput, fmt::format("these are no points of {} sums each", onn.task.lights()), "sums",
                fmt::format("give an array of shape (points, {})", onn.task.lights()));
  const auto points = sums.shape(0);
  const photonics::Matrix entered =
      Eigen::Map<const photonics::Matrix>(sums.data(), points, onn.task.lights()).transpose();
  py::array_t<std::int64_t> averages(points);
  const std::span<std::int64_t> found(averages.mutable_data(), static_cast<std::size_t>(points));
  asked("", [&] {
    photonics::OnnForward forward(onn);
    photonics::decode(onn, forward.run(entered), found);
  });
  return averages;
}

py::list layers_of(const py::object& self) {
  const auto& onn = *self.cast<std::shared_ptr<photonics::Onn>>();
  py::list layers;
  for (const photonics::Layer& layer : onn.layers)
    layers.append(py::make_tuple(numbers(layer.weights.data(), {layer.weights.rows(), layer.weights.cols()}, self),
                                 numbers(layer.bias.data(), {layer.bias.size()}, self)));
  return layers;
}

// The meshes of a compiled network: (layer, which of its blocks, part, mesh).
py::list meshes_of(const photonics::Onn& onn, const std::string& how) {
  std::shared_ptr<const photonics::CompiledOnn> compiled;
  asked("", [&] {
    compiled = std::make_shared<const photonics::CompiledOnn>(photonics::compile(
        onn, how.empty() ? photonics::compilation_of(onn) : photonics::compilation_named(how, "compile")));
  });
  py::list meshes;
  for (std::size_t l = 0; l < compiled->layers.size(); ++l)
    for (std::size_t b = 0; b < compiled->layers[l].blocks.size(); ++b) {
      const photonics::MeshBlock& block = compiled->layers[l].blocks[b];
      for (const auto& [part, mesh] : {std::pair{"in", &block.in}, {"out", &block.out}})
        if (mesh->modes > 0) meshes.append(py::make_tuple(l, b, part, SeenMesh{compiled, mesh}));
    }
  return meshes;
}

}  // namespace

void add_networks(py::module_& module) {
  py::class_<SeenMesh>(module, "Mesh", "A mesh of MZIs: docs/meshes.md.")
      .def_property_readonly("modes", [](const SeenMesh& seen) { return seen.mesh->modes; })
      .def_property_readonly("inputs", [](const SeenMesh& seen) { return seen.mesh->inputs; })
      .def_property_readonly("outputs", [](const SeenMesh& seen) { return seen.mesh->outputs; })
      .def_property_readonly("depth", [](const SeenMesh& seen) { return photonics::depth(*seen.mesh); })
      .def_property_readonly(
          "mzis",
          [](const py::object& self) {
            know_mzis();
            return seen(self.cast<const SeenMesh&>().mesh->mzis, self);
          },
          "A row for each MZI: mode, column, theta, phi, span. No copy.")
      .def_property_readonly("output_phases",
                             [](const py::object& self) {
                               const Mesh& mesh = *self.cast<const SeenMesh&>().mesh;
                               return numbers(mesh.output_phases.data(),
                                              {static_cast<py::ssize_t>(mesh.output_phases.size())}, self);
                             })
      .def(
          "matrix", [](const SeenMesh& seen) { return taken(photonics::matrix(*seen.mesh)); },
          "The transfer matrix, outputs × inputs.");
  py::class_<photonics::Onn, std::shared_ptr<photonics::Onn>>(module, "Network",
                                                              "An averaging optical network: docs/onn.md.")
      .def_property_readonly("layers", layers_of, "Weights and bias of each layer. No copies.")
      .def_property_readonly("servers", [](const photonics::Onn& onn) { return onn.task.servers; })
      .def_property_readonly("bits", [](const photonics::Onn& onn) { return onn.task.bits; })
      .def_property_readonly(
          "lights", [](const photonics::Onn& onn) { return onn.task.lights(); },
          "What enters: sums of symbols, the dither light last.")
      .def("averages", &averages_of, py::arg("sums"), "The averages that it gives for points × lights sums of symbols.")
      .def("meshes", &meshes_of, py::arg("compile") = "", "Its meshes: (layer, block, \"in\" or \"out\", mesh) each.");
  module.def("load_network", [](const std::string& path) {
    return std::make_shared<photonics::Onn>(photonics::load_onn(path, "file"));
  });
  module.def("decompose", [](const py::handle& given, const std::string& layout) {
    const Eigen::MatrixXcd matrix = matrix_from(given);
    if (layout != "rectangular" && layout != "triangular")
      throw unknown_name("layout", layout, {"rectangular", "triangular"}, "layout");
    std::shared_ptr<const Mesh> mesh;
    try {
      asked("", [&] {
        mesh = std::make_shared<const Mesh>(photonics::decompose_isometry(
            matrix, layout == "triangular" ? photonics::Layout::kTriangular : photonics::Layout::kRectangular));
      });
    } catch (const Error& error) {
      throw error.at("matrix");
    }
    return SeenMesh{mesh, mesh.get()};
  });
}

}  // namespace helio::python
