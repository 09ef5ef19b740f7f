// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/json_dump.h"
#include "base/json_node.h"
#include "photonics/onn_packed_floats.h"

namespace helio::photonics {
namespace {

constexpr const char* kFormat = "heliograph-onn";
constexpr const char* kPage = "docs/onn-file.md";
constexpr std::size_t kLargest = 256 * kMiB;
constexpr std::int64_t kMostUnits = 1 << 20;

std::string quoted(const std::string& text) { return json_dump(Json(text)); }

std::string matrix_text(const Matrix& matrix, Packing packing) {
  if (packing == Packing::kFloat32)
    return fmt::format(R"({{"rows": {}, "columns": {}, "f32": "{}"}})", matrix.rows(), matrix.cols(),
                       packed_floats({matrix.data(), static_cast<std::size_t>(matrix.size())}));
  std::vector<std::string> rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    rows.push_back(fmt::format("[{}]", fmt::join(matrix.row(i).begin(), matrix.row(i).end(), ", ")));
  return fmt::format("[\n      {}]", fmt::join(rows, ",\n      "));
}

Matrix matrix_from(const JsonNode& node) {
  Matrix matrix;
  if (node.is_object()) {
    node.keys({"rows", "columns", "f32"});
    const std::int64_t rows = node.at("rows").integer(1, kMostUnits),
                       columns = node.at("columns").integer(1, kMostUnits);
    const std::string packed = node.at("f32").text();
    if (rows * columns > static_cast<std::int64_t>(packed.size()))
      throw node.at("f32").wrong(fmt::format("{} letters of base64 for {} × {} numbers", packed.size(), rows, columns));
    matrix.resize(rows, columns);
    const std::string why = unpack_floats(packed, {matrix.data(), static_cast<std::size_t>(matrix.size())});
    if (!why.empty()) throw node.at("f32").wrong(why);
    return matrix;
  }
  const std::size_t rows = node.size();
  if (rows == 0) throw node.wrong("a matrix has at least one row");
  const std::size_t columns = node.at(0).size();
  for (std::size_t i = 0; i < rows; ++i)  // before anything is allocated for them
    if (const JsonNode row = node.at(i); row.size() != columns)
      throw row.wrong(fmt::format("{} numbers where the first row has {}", row.size(), columns));
  matrix.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < rows; ++i)
    std::ranges::copy(node.at(i).numbers(), matrix.row(static_cast<Eigen::Index>(i)).begin());
  return matrix;
}

AveragingTask task_from(const JsonNode& node) {
  node.keys({"servers", "bits", "symbol_bits", "rounding", "in_fraction", "out_fraction", "merge"});
  const auto integer = [&](const char* key) {
    return static_cast<int>(node.at(key).integer(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
  };
  AveragingTask task{integer("servers"),     integer("bits"),
                     integer("symbol_bits"), rounding_named(node.at("rounding").text(), node.at("rounding").place()),
                     integer("in_fraction"), integer("out_fraction"),
                     integer("merge")};
  try {
    task.check();
  } catch (const Error& error) {
    throw error.at(node.place());
  }
  return task;
}

Layer layer_from(const JsonNode& node) {
  node.keys({"weights", "bias", "activation", "linear", "structure"});
  Layer layer;
  layer.weights = matrix_from(node.at("weights"));
  const JsonNode bias = node.at("bias");
  if (bias.size() != static_cast<std::size_t>(layer.units()))
    throw bias.wrong(fmt::format("{} biases for {} units", bias.size(), layer.units()));
  layer.bias.resize(layer.units());
  std::ranges::copy(bias.numbers(), layer.bias.begin());

  const JsonNode activation = node.at("activation");
  activation.keys({"kind", "low", "high", "leak"});
  layer.activation.kind = activation_named(activation.at("kind").text(), activation.at("kind").place());
  if (layer.activation.kind == ActivationKind::kSaturating) {
    layer.activation.low = activation.at("low").number();
    layer.activation.high = activation.at("high").number();
    layer.activation.leak = activation.at("leak").number();
    if (!(layer.activation.low < layer.activation.high)) throw activation.wrong("low must be below high");
  } else if (activation.has("low") || activation.has("high") || activation.has("leak")) {
    throw activation.wrong("only a saturating activation has low, high and leak");
  }
  if (node.has("linear")) {
    const JsonNode linear = node.at("linear");
    layer.linear.assign(static_cast<std::size_t>(layer.units()), false);
    for (std::size_t i = 0; i < linear.size(); ++i)
      layer.linear[static_cast<std::size_t>(linear.at(i).integer(0, layer.units() - 1))] = true;
  }
  layer.structure = structure_named(node.at("structure").text(), node.at("structure").place());
  return layer;
}

}  // namespace

std::string onn_text(const Onn& onn, Packing packing) {
  const AveragingTask& t = onn.task;
  std::string text = fmt::format(
      "{{\n  \"format\": \"{}\",\n  \"version\": {},\n"
      "  \"task\": {{\"servers\": {}, \"bits\": {}, \"symbol_bits\": {}, \"rounding\": \"{}\", \"in_fraction\": {}, "
      "\"out_fraction\": {}, \"merge\": {}}},\n"
      "  \"encoding\": \"{}\",\n  \"input\": {{\"scale\": {}, \"offset\": {}}},\n"
      "  \"provenance\": {{\"method\": {}, \"command\": {}, \"seed\": {}, \"wall_seconds\": {}}},\n  \"layers\": [",
      kFormat, kOnnFileVersion, t.servers, t.bits, t.symbol_bits, name_of(t.rounding), t.in_fraction, t.out_fraction,
      t.merge, name_of(onn.encoding), onn.input_scale, onn.input_offset, quoted(onn.provenance.method),
      quoted(onn.provenance.command), onn.provenance.seed, onn.provenance.wall_seconds);
  for (std::size_t i = 0; i < onn.layers.size(); ++i) {
    const Layer& layer = onn.layers[i];
    text += fmt::format("{}\n    {{\"structure\": \"{}\", \"activation\": {{\"kind\": \"{}\"", i == 0 ? "" : ",",
                        name_of(layer.structure), name_of(layer.activation.kind));
    if (layer.activation.kind == ActivationKind::kSaturating)
      text += fmt::format(", \"low\": {}, \"high\": {}, \"leak\": {}", layer.activation.low, layer.activation.high,
                          layer.activation.leak);
    text += "},\n";
    if (!layer.linear.empty()) {
      std::vector<int> units;
      for (int unit = 0; unit < layer.units(); ++unit)
        if (layer.is_linear(unit)) units.push_back(unit);
      text += fmt::format("     \"linear\": [{}],\n", fmt::join(units, ", "));
    }
    text += fmt::format("     \"bias\": [{}],\n     \"weights\": {}}}",
                        fmt::join(layer.bias.begin(), layer.bias.end(), ", "), matrix_text(layer.weights, packing));
  }
  return text + "\n  ]\n}\n";
}

Onn onn_from_text(std::string_view text, const std::string& source) {
  const JsonOrigin origin{source, std::string("see ") + kPage};
  const Json document = parse_json(text, source, origin.advice);
  const JsonNode root(document, origin);
  root.keys({"format", "version", "task", "encoding", "input", "provenance", "layers"});
  if (root.at("format").text() != kFormat)
    throw root.at("format").wrong(fmt::format("not a network file: format is not '{}'", kFormat));
  if (root.at("version").integer(0, 1000) != kOnnFileVersion)
    throw root.at("version").wrong(fmt::format("this program reads version {}", kOnnFileVersion));

  Onn onn;
  onn.task = task_from(root.at("task"));
  onn.encoding = encoding_named(root.at("encoding").text(), root.at("encoding").place());
  const JsonNode input = root.at("input");
  input.keys({"scale", "offset"});
  onn.input_scale = input.at("scale").number();
  onn.input_offset = input.at("offset").number();
  const JsonNode provenance = root.at("provenance");
  provenance.keys({"method", "command", "seed", "wall_seconds"});
  onn.provenance = {provenance.at("method").text(), provenance.at("command").text(),
                    provenance.at("seed").unsigned_integer(), provenance.at("wall_seconds").number()};
  const JsonNode layers = root.at("layers");
  for (std::size_t i = 0; i < layers.size(); ++i) onn.layers.push_back(layer_from(layers.at(i)));
  try {
    onn.check();
  } catch (const Error& error) {
    throw error.at(layers.place());
  }
  return onn;
}

void save_onn(const Onn& onn, const std::string& path, Packing packing, std::string_view place) {
  onn.check();
  write_file(path, onn_text(onn, packing), place);
}

Onn load_onn(const std::string& path, std::string_view place) {
  return onn_from_text(read_text(path, place, "network file", kPage, kLargest), path);
}

}  // namespace helio::photonics
