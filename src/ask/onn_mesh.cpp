// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/QR>
#include <chrono>
#include <vector>

#include "ask/onn.h"
#include "ask/report.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_dump.h"
#include "base/random.h"
#include "base/units.h"
#include "base/visible.h"
#include "photonics/decompose.h"
#include "photonics/matrix_file.h"
#include "photonics/mesh_cost.h"
#include "photonics/onn_file.h"
#include "pipeline/counted.h"
#include "report/figures/mesh_drawing.h"
#include "report/figures/mesh_figure.h"
#include "report/json/onn_json.h"

namespace helio::ask {

using namespace photonics;

namespace {

constexpr int kMostModes = 4096;

Eigen::MatrixXcd random_unitary(int modes, std::uint64_t seed) {
  Random random(seed);
  Eigen::MatrixXcd normal(modes, modes);
  for (int i = 0; i < modes; ++i)
    for (int j = 0; j < modes; ++j) normal(i, j) = Complex(random.normal(), random.normal());
  return Eigen::HouseholderQR<Eigen::MatrixXcd>(normal).householderQ();
}

Eigen::MatrixXd random_orthogonal(int modes, std::uint64_t seed) {
  Random random(seed);
  Eigen::MatrixXd normal(modes, modes);
  for (int i = 0; i < modes; ++i)
    for (int j = 0; j < modes; ++j) normal(i, j) = random.normal();
  return Eigen::HouseholderQR<Eigen::MatrixXd>(normal).householderQ();
}

void draw(const std::string& path, const std::string& title, const std::vector<report::DrawnMesh>& meshes,
          const std::string& place) {
  try {
    write_file(path, report::mesh_svg(title, meshes), place, Parents::kMade);
  } catch (const Error& error) {
    throw error.at(place);
  }
}

// A page of them.
report::Report report_of(const std::string& title, std::vector<report::Card> cards, std::vector<std::string> words,
                         const std::vector<report::ShownMesh>& meshes, const OnnAnswer& answer,
                         const std::string& place) {
  report::Page page{.title = title};
  try {
    page.sections.push_back({.name = "meshes",
                             .title = "",
                             .cards = std::move(cards),
                             .words = std::move(words),
                             .figures = {report::mesh_figure(meshes)},
                             .tables = {}});
  } catch (const Error& error) {
    throw error.at(place);
  }
  return {{page}, {{kOnnFile, answer.to_json()}}};
}

report::Card card(const report::Json& value, const std::string& label, const std::string& note = {}) {
  return {value.is_string() ? value.get<std::string>() : json_dump(value), label, note};
}

report::Json path_or_null(const std::string& path) { return path.empty() ? report::Json(nullptr) : report::Json(path); }

std::string drawing_line(const std::string& svg) {
  return svg.empty() ? "" : fmt::format("  drawing      {}\n", visible(svg));
}

// Throws Error(kInput) for a layer that is not there.
void check_layer(const CompiledOnn& compiled, std::optional<int> only, const std::string& place) {
  const auto layers = static_cast<int>(compiled.layers.size());
  if (only && (*only < 1 || *only > layers))
    throw Error(ErrorKind::kInput, fmt::format("there is no layer {}", *only), place,
                fmt::format("give 1 to {}, or leave it out", layers));
}

// The meshes of a layer, or of all; what gathers wires before them is not drawn.
std::vector<report::DrawnMesh> meshes_of(const CompiledOnn& compiled, std::optional<int> only) {
  std::vector<report::DrawnMesh> drawn;
  for (const report::ShownMesh& shown : report::meshes_of(compiled, only))
    if (!shown.title.starts_with("gathering")) drawn.push_back({shown.title, shown.mesh});
  return drawn;
}

}  // namespace

OnnAnswer onn_decompose(const OnnDecomposeQuestion& question) {
  const Naming& called = question.called;
  // Of what
  if (question.modes.has_value() != question.matrix.empty())
    throw Error(ErrorKind::kUsage, fmt::format("give either {} or {}", called("modes"), called("matrix")), "",
                fmt::format("For example {} 256.", called("modes")));
  if (!question.modes && (question.real || question.seed))
    throw Error(ErrorKind::kUsage,
                fmt::format("{} and {} are of a random matrix, and {} gives one", called("real"), called("seed"),
                            called("matrix")),
                "", "leave them out");
  if (question.modes && (*question.modes < 1 || *question.modes > kMostModes))
    throw Error(ErrorKind::kInput, fmt::format("there is no mesh of {} modes", *question.modes), called("modes"),
                fmt::format("give 1 to {}", kMostModes));
  if (question.layout != "rectangular" && question.layout != "triangular")
    throw unknown_name("layout", question.layout, {"rectangular", "triangular"}, called("layout"));
  const Layout layout = question.layout == "rectangular" ? Layout::kRectangular : Layout::kTriangular;
  if (question.seed && *question.seed < 0)
    throw Error(ErrorKind::kInput, "a seed is not negative", called("seed"), "give 0 or more");
  const auto seed = static_cast<std::uint64_t>(question.seed.value_or(1));
  Eigen::MatrixXd orthogonal;
  if (question.real) orthogonal = random_orthogonal(*question.modes, seed);
  const Eigen::MatrixXcd given =
      question.real ? Eigen::MatrixXcd(orthogonal.cast<Complex>())
      : question.modes
          ? random_unitary(*question.modes, seed)
          : parse_matrix(read_text(question.matrix, called("matrix"), "matrix file", "docs/meshes.md", 256 * kMiB),
                         question.matrix);

  // The mesh, and back
  const auto begin = std::chrono::steady_clock::now();
  Mesh mesh;
  try {
    mesh = question.real ? decompose(orthogonal, layout) : decompose(given, layout);
  } catch (const Error& error) {
    throw error.at(question.matrix);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const MeshCost made = cost(mesh);
  const double error = (matrix(mesh) - given).cwiseAbs().maxCoeff();
  const std::string title = fmt::format("{}, {}", pipeline::counted(mesh.modes, "mode"), question.layout);
  if (!question.svg.empty()) draw(question.svg, "A mesh of MZIs", {{title, &mesh}}, called("svg"));

  OnnAnswer answer{.json = {{"modes", mesh.modes},
                            {"layout", question.layout},
                            {"real", is_real(mesh)},
                            {"mzis", made.mzis},
                            {"depth", made.depth},
                            {"loss_db", made.worst_loss_db},
                            {"area_mm2", made.area_mm2},
                            {"rebuild_error", error},
                            {"decompose_s", seconds},
                            {"svg", path_or_null(question.svg)}}};
  answer.text = fmt::format(
      "{}\n  MZIs         {}\n  depth        {}, {:.1f} dB on the longest path\n  rebuilt      within {:.1e} of the "
      "matrix\n  took         {}\n{}",
      title, made.mzis, pipeline::counted(made.depth, "column"), made.worst_loss_db, error,
      format(Time::seconds(seconds)), drawing_line(question.svg));
  if (question.report)
    answer.report = report_of(fmt::format("A mesh of {}", pipeline::counted(mesh.modes, "mode")),
                              {card(answer.json["mzis"], "MZIs", question.layout),
                               card(answer.json["depth"], "columns"),
                               {fmt::format("{:.1f} dB", made.worst_loss_db), "on the longest path"},
                               {fmt::format("{:.1e}", error), "largest error of the matrix, rebuilt"}},
                              {}, {{title, &mesh}}, answer, called("report"));
  return answer;
}

OnnAnswer onn_describe(const OnnDescribeQuestion& question) {
  const Naming& called = question.called;
  if (question.layer && question.svg.empty() && !question.report)
    throw Error(ErrorKind::kUsage, called("layer") + " chooses what is drawn", "",
                fmt::format("give {} or {} too", called("svg"), called("report")));
  const Onn onn = load_onn(question.file);
  const CompiledOnn compiled = compile(onn, compilation_for(onn, question.compile, called("compile")));
  check_layer(compiled, question.layer, called("layer"));
  if (!question.svg.empty())
    draw(question.svg, onn.provenance.method, meshes_of(compiled, question.layer), called("svg"));
  OnnAnswer answer{.json = report::task_in_json(onn.task)};
  report::Json& result = answer.json;
  result["method"] = onn.provenance.method;
  result["command"] = onn.provenance.command;
  result["seed"] = onn.provenance.seed;
  result["wall_s"] = onn.provenance.wall_seconds;
  result["encoding"] = name_of(onn.encoding);
  report::add_cost(result, compiled);
  result["svg"] = path_or_null(question.svg);
  std::size_t in_meshes = 0;
  for (const report::ShownMesh& shown : report::meshes_of(compiled)) in_meshes += shown.mesh->mzis.size();
  const std::size_t attenuators = result["mzis"].get<std::size_t>() - in_meshes;
  answer.text = report::in_words(onn, result, drawing_line(question.svg));
  if (question.report)
    answer.report = report_of(
        fmt::format("A network of {} that averages", pipeline::counted(compiled.layers.size(), "layer")),
        {card(result["mzis"], "MZIs of all layers",
              fmt::format("{} in meshes, {} that set an amplitude; compiled by {}", in_meshes, attenuators,
                          name_of(compiled.how))),
         card(result["depth"], "columns on the way"), card(result["method"], "made by")},
        {fmt::format("Drawn are the MZIs in meshes{}. An amplitude between or after meshes takes one MZI more, which "
                     "has no neighbours and is counted but not drawn.",
                     question.layer ? fmt::format(" of layer {}", *question.layer) : "")},
        report::meshes_of(compiled, question.layer), answer, called("report"));
  return answer;
}

}  // namespace helio::ask
