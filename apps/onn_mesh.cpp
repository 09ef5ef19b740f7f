// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/QR>
#include <chrono>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "base/text_file.h"
#include "base/units.h"
#include "onn_command.h"
#include "onn_text.h"
#include "photonics/decompose.h"
#include "photonics/mesh_cost.h"
#include "photonics/onn_file.h"
#include "pipeline/counted.h"
#include "pipeline/version.h"
#include "report/figures/mesh_drawing.h"
#include "report/figures/mesh_figure.h"
#include "report/pages/folder.h"

namespace helio::apps {

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

// A matrix as nested lists; an entry is a number or [real, imaginary].
Eigen::MatrixXcd matrix_in_file(const std::string& path) {
  const auto wrong = [&](const std::string& what) {
    return Error(ErrorKind::kInput, what, path,
                 "Write the rows as [[1, 0], [0, [0, 1]]]: an entry is a number or [real, imaginary].");
  };
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(read_text(path, "--matrix", "matrix file", "docs/meshes.md", 256 * kMiB));
  } catch (const nlohmann::json::exception& error) {
    throw wrong(fmt::format("this is no JSON: {}", error.what()));
  }
  if (!json.is_array() || json.empty() || !json[0].is_array()) throw wrong("this is no list of rows");
  const auto rows = static_cast<Eigen::Index>(json.size()), columns = static_cast<Eigen::Index>(json[0].size());
  Eigen::MatrixXcd matrix(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto& row = json[static_cast<std::size_t>(i)];
    if (!row.is_array() || static_cast<Eigen::Index>(row.size()) != columns)
      throw wrong(fmt::format("row {} is no list of {} entries", i, columns));
    for (Eigen::Index j = 0; j < columns; ++j) {
      const auto& entry = row[static_cast<std::size_t>(j)];
      if (entry.is_number())
        matrix(i, j) = entry.get<double>();
      else if (entry.is_array() && entry.size() == 2 && entry[0].is_number() && entry[1].is_number())
        matrix(i, j) = Complex(entry[0].get<double>(), entry[1].get<double>());
      else
        throw wrong(fmt::format("entry {} of row {} is no number", j, i));
    }
  }
  return matrix;
}

void draw(const std::string& path, const std::string& title, const std::vector<report::DrawnMesh>& meshes) {
  try {
    report::write_file(path, report::mesh_svg(title, meshes), "--svg");
  } catch (const Error& error) {
    throw error.at("--svg");
  }
}

// A page of them.
void write_page(const std::string& folder, const std::string& command, const std::string& title,
                std::vector<report::Card> cards, std::vector<std::string> words,
                const std::vector<report::ShownMesh>& meshes, const Json& result) {
  report::Page page{.title = title, .command = command, .version = std::string(pipeline::kVersion)};
  try {
    page.sections.push_back({.name = "meshes",
                             .title = "",
                             .cards = std::move(cards),
                             .words = std::move(words),
                             .figures = {report::mesh_figure(meshes)},
                             .tables = {}});
  } catch (const Error& error) {
    throw error.at("--report");
  }
  report::write_report({{page}, {{"result.json", result.dump(2) + "\n"}}}, folder, "--report");
}

report::Card card(const Json& value, const std::string& label, const std::string& note = {}) {
  return {value.is_string() ? value.get<std::string>() : value.dump(), label, note};
}

// Throws Error(kInput) for a layer that is not there.
void check_layer(const CompiledOnn& compiled, std::optional<int> only) {
  const auto layers = static_cast<int>(compiled.layers.size());
  if (only && (*only < 1 || *only > layers))
    throw Error(ErrorKind::kInput, fmt::format("there is no layer {}", *only), "--layer",
                fmt::format("give 1 to {}, or leave it out", layers));
}

// The meshes of a layer, or of all, by name.
std::vector<report::DrawnMesh> meshes_of(const CompiledOnn& compiled, std::optional<int> only) {
  const auto layers = static_cast<int>(compiled.layers.size());
  std::vector<report::DrawnMesh> drawn;
  for (int l = 1; l <= layers; ++l) {
    if (only && *only != l) continue;
    const auto& blocks = compiled.layers[static_cast<std::size_t>(l) - 1].blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const std::string of =
          blocks.size() == 1 ? fmt::format("layer {}", l) : fmt::format("layer {}, block {}", l, b + 1);
      if (!blocks[b].in.mzis.empty())
        drawn.push_back({(compiled.how == Compilation::kUd ? "Q of " : "V of ") + of, &blocks[b].in});
      if (!blocks[b].out.mzis.empty()) drawn.push_back({"U of " + of, &blocks[b].out});
    }
  }
  return drawn;
}

}  // namespace

std::string onn_decompose(const OnnDecomposeOptions& options, bool json) {
  // Of what
  if (options.modes.has_value() != options.matrix.empty())
    throw Error(ErrorKind::kUsage, "give either --modes or --matrix", "", "For example --modes 256.");
  if (!options.modes && (options.real || options.seed))
    throw Error(ErrorKind::kUsage, "--real and --seed are of a random matrix, and --matrix gives one", "",
                "leave them out");
  if (options.modes && (*options.modes < 1 || *options.modes > kMostModes))
    throw Error(ErrorKind::kInput, fmt::format("there is no mesh of {} modes", *options.modes), "--modes",
                fmt::format("give 1 to {}", kMostModes));
  if (options.layout != "rectangular" && options.layout != "triangular")
    throw unknown_name("layout", options.layout, {"rectangular", "triangular"}, "--layout");
  const Layout layout = options.layout == "rectangular" ? Layout::kRectangular : Layout::kTriangular;
  if (options.seed && *options.seed < 0)
    throw Error(ErrorKind::kInput, "a seed is not negative", "--seed", "give 0 or more");
  const auto seed = static_cast<std::uint64_t>(options.seed.value_or(1));
  Eigen::MatrixXd orthogonal;
  if (options.real) orthogonal = random_orthogonal(*options.modes, seed);
  const Eigen::MatrixXcd given = options.real    ? Eigen::MatrixXcd(orthogonal.cast<Complex>())
                                 : options.modes ? random_unitary(*options.modes, seed)
                                                 : matrix_in_file(options.matrix);

  // The mesh, and back
  const auto begin = std::chrono::steady_clock::now();
  Mesh mesh;
  try {
    mesh = options.real ? decompose(orthogonal, layout) : decompose(given, layout);
  } catch (const Error& error) {
    throw error.at(options.matrix);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const MeshCost made = cost(mesh);
  const double error = (matrix(mesh) - given).cwiseAbs().maxCoeff();
  if (!options.svg.empty())
    draw(options.svg, "A mesh of MZIs",
         {{fmt::format("{}, {}", pipeline::counted(mesh.modes, "mode"), options.layout), &mesh}});

  const Json result = {{"modes", mesh.modes},       {"layout", options.layout},
                       {"real", is_real(mesh)},     {"mzis", made.mzis},
                       {"depth", made.depth},       {"loss_db", made.worst_loss_db},
                       {"area_mm2", made.area_mm2}, {"rebuild_error", error},
                       {"decompose_s", seconds},    {"svg", options.svg.empty() ? Json(nullptr) : Json(options.svg)}};
  if (!options.report.empty())
    write_page(options.report, options.command, fmt::format("A mesh of {}", pipeline::counted(mesh.modes, "mode")),
               {card(result["mzis"], "MZIs", options.layout),
                card(result["depth"], "columns"),
                {fmt::format("{:.1f} dB", made.worst_loss_db), "on the longest path"},
                {fmt::format("{:.1e}", error), "largest error of the matrix, rebuilt"}},
               {}, {{fmt::format("{}, {}", pipeline::counted(mesh.modes, "mode"), options.layout), &mesh}}, result);
  if (json) return result.dump(2) + "\n";
  return fmt::format(
      "{}, {}\n  MZIs         {}\n  depth        {}, {:.1f} dB on the longest path\n  rebuilt      "
      "within {:.1e} of the "
      "matrix\n  took         {}\n{}",
      pipeline::counted(mesh.modes, "mode"), options.layout, made.mzis, pipeline::counted(made.depth, "column"),
      made.worst_loss_db, error, format(Time::seconds(seconds)),
      options.svg.empty() ? "" : fmt::format("  drawing      {}\n", options.svg));
}

std::string onn_describe(const OnnDescribeOptions& options, bool json) {
  if (options.layer && options.svg.empty() && options.report.empty())
    throw Error(ErrorKind::kUsage, "--layer chooses what is drawn", "", "give --svg or --report too");
  const Onn onn = load_onn(options.file);
  const CompiledOnn compiled = compile(onn, compilation_for(onn, options.compilation));
  check_layer(compiled, options.layer);
  if (!options.svg.empty()) draw(options.svg, onn.provenance.method, meshes_of(compiled, options.layer));
  Json result = task_in_json(onn.task);
  result["method"] = onn.provenance.method;
  result["command"] = onn.provenance.command;
  result["seed"] = onn.provenance.seed;
  result["wall_s"] = onn.provenance.wall_seconds;
  result["encoding"] = name_of(onn.encoding);
  add_cost(result, compiled);
  result["svg"] = options.svg.empty() ? Json(nullptr) : Json(options.svg);
  std::size_t in_meshes = 0;
  for (const report::ShownMesh& shown : report::meshes_of(compiled)) in_meshes += shown.mesh->mzis.size();
  const std::size_t attenuators = result["mzis"].get<std::size_t>() - in_meshes;
  if (!options.report.empty())
    write_page(
        options.report, options.command,
        fmt::format("A network of {} that averages", pipeline::counted(compiled.layers.size(), "layer")),
        {card(result["mzis"], "MZIs of all layers",
              fmt::format("{} in meshes, {} that set an amplitude; compiled by {}", in_meshes, attenuators,
                          name_of(compiled.how))),
         card(result["depth"], "columns on the way"), card(result["method"], "made by")},
        {fmt::format("Drawn are the MZIs in meshes{}. An amplitude between or after meshes takes one MZI more, which "
                     "has no neighbours and is counted but not drawn.",
                     options.layer ? fmt::format(" of layer {}", *options.layer) : "")},
        report::meshes_of(compiled, options.layer), result);
  if (json) return result.dump(2) + "\n";
  return in_words(onn, result, options.svg.empty() ? "" : fmt::format("  drawing      {}\n", options.svg));
}

}  // namespace helio::apps
