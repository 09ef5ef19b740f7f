// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text_file.h"
#include "photonics/onn_packed_floats.h"

namespace helio::photonics {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "heliograph-onn";
constexpr const char* kPage = "docs/onn-file.md";
constexpr std::size_t kLargest = 256 * kMiB;
constexpr std::int64_t kMostUnits = 1 << 20;

std::string quoted(const std::string& text) { return json(text).dump(-1, ' ', false, json::error_handler_t::replace); }

std::string matrix_text(const Matrix& matrix, Packing packing) {
  if (packing == Packing::kFloat32)
    return fmt::format(R"({{"rows": {}, "columns": {}, "f32": "{}"}})", matrix.rows(), matrix.cols(),
                       packed_floats({matrix.data(), static_cast<std::size_t>(matrix.size())}));
  std::vector<std::string> rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    rows.push_back(fmt::format("[{}]", fmt::join(matrix.row(i).begin(), matrix.row(i).end(), ", ")));
  return fmt::format("[\n      {}]", fmt::join(rows, ",\n      "));
}

// A value and where it stands, for messages.
class Node {
 public:
  Node(const json& value, std::string path, const std::string& source)
      : value_(value), path_(std::move(path)), source_(source) {}

  Error wrong(const std::string& what) const {
    return Error(ErrorKind::kInput, what, path_.empty() ? source_ : source_ + ": " + path_,
                 std::string("see ") + kPage);
  }
  // The object's keys are these and no others.
  void keys(std::initializer_list<std::string_view> legal) const {
    if (!value_.is_object()) throw wrong("an object is expected here");
    for (const auto& [key, value] : value_.items())
      if (std::ranges::find(legal, key) == legal.end())
        throw Error(unknown_name("key", key, std::vector<std::string>(legal.begin(), legal.end()),
                                 source_ + ": " + under(key)));
  }
  Node at(const std::string& key) const {
    if (!value_.contains(key)) throw wrong(fmt::format("'{}' is missing", key));
    return {value_.at(key), under(key), source_};
  }
  bool has(const std::string& key) const { return value_.contains(key); }
  std::size_t size() const {
    if (!value_.is_array()) throw wrong("an array is expected here");
    return value_.size();
  }
  Node at(std::size_t index) const { return {value_.at(index), fmt::format("{}[{}]", path_, index), source_}; }
  bool is_object() const { return value_.is_object(); }

  double number() const {
    if (!value_.is_number()) throw wrong("a number is expected here");
    const double number = value_.get<double>();
    if (!std::isfinite(number)) throw wrong("a finite number is expected here");
    return number;
  }
  std::int64_t integer(std::int64_t least, std::int64_t most) const {
    if (!value_.is_number_integer() ||
        (value_.is_number_unsigned() && value_.get<std::uint64_t>() > std::uint64_t{1} << 62))
      throw wrong("a whole number is expected here");
    const std::int64_t number = value_.get<std::int64_t>();
    if (number < least || number > most) throw wrong(fmt::format("{} is not in {}..{}", number, least, most));
    return number;
  }
  std::uint64_t unsigned_integer() const {
    if (!value_.is_number_unsigned()) throw wrong("a whole number of at least 0 is expected here");
    return value_.get<std::uint64_t>();
  }
  std::string text() const {
    if (!value_.is_string()) throw wrong("a text is expected here");
    return value_.get<std::string>();
  }
  std::string place() const { return source_ + ": " + path_; }

 private:
  std::string under(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  const json& value_;
  std::string path_;
  const std::string& source_;
};

Matrix matrix_from(const Node& node) {
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
  matrix.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < rows; ++i) {
    const Node row = node.at(i);
    if (row.size() != columns)
      throw row.wrong(fmt::format("{} numbers where the first row has {}", row.size(), columns));
    for (std::size_t j = 0; j < columns; ++j)
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = row.at(j).number();
  }
  return matrix;
}

AveragingTask task_from(const Node& node) {
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

Layer layer_from(const Node& node) {
  node.keys({"weights", "bias", "activation", "linear", "structure"});
  Layer layer;
  layer.weights = matrix_from(node.at("weights"));
  const Node bias = node.at("bias");
  if (bias.size() != static_cast<std::size_t>(layer.units()))
    throw bias.wrong(fmt::format("{} biases for {} units", bias.size(), layer.units()));
  layer.bias.resize(layer.units());
  for (std::size_t i = 0; i < bias.size(); ++i) layer.bias[static_cast<Eigen::Index>(i)] = bias.at(i).number();

  const Node activation = node.at("activation");
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
    const Node linear = node.at("linear");
    layer.linear.assign(static_cast<std::size_t>(layer.units()), false);
    for (std::size_t i = 0; i < linear.size(); ++i)
      layer.linear[static_cast<std::size_t>(linear.at(i).integer(0, layer.units() - 1))] = true;
  }
  layer.structure = structure_named(node.at("structure").text(), node.at("structure").place());
  return layer;
}

// Where byte `at` of the text stands, as source:line:column.
std::string position(std::string_view text, std::size_t at, const std::string& source) {
  const std::string_view before = text.substr(0, std::min(at > 0 ? at - 1 : 0, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t start = before.rfind('\n');
  return fmt::format("{}:{}:{}", source, line, before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1);
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
  json document;
  try {
    document = json::parse(text);
  } catch (const json::parse_error& error) {
    const bool cut = error.byte >= text.size();
    throw Error(ErrorKind::kInput, cut ? "the network file ends too early" : "the network file is not JSON",
                position(text, error.byte, source), std::string("see ") + kPage);
  } catch (const json::exception& error) {
    throw Error(ErrorKind::kInput, fmt::format("the network file holds a number out of range: {}", error.what()),
                source, std::string("see ") + kPage);
  }

  const Node root(document, "", source);
  root.keys({"format", "version", "task", "encoding", "input", "provenance", "layers"});
  if (root.at("format").text() != kFormat)
    throw root.at("format").wrong(fmt::format("not a network file: format is not '{}'", kFormat));
  if (root.at("version").integer(0, 1000) != kOnnFileVersion)
    throw root.at("version").wrong(fmt::format("this program reads version {}", kOnnFileVersion));

  Onn onn;
  onn.task = task_from(root.at("task"));
  onn.encoding = encoding_named(root.at("encoding").text(), root.at("encoding").place());
  const Node input = root.at("input");
  input.keys({"scale", "offset"});
  onn.input_scale = input.at("scale").number();
  onn.input_offset = input.at("offset").number();
  const Node provenance = root.at("provenance");
  provenance.keys({"method", "command", "seed", "wall_seconds"});
  onn.provenance = {provenance.at("method").text(), provenance.at("command").text(),
                    provenance.at("seed").unsigned_integer(), provenance.at("wall_seconds").number()};
  const Node layers = root.at("layers");
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
  const std::string text = onn_text(onn, packing);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0)
    throw Error(ErrorKind::kInput, fmt::format("cannot write the network file '{}': {}", path, std::strerror(errno)),
                std::string(place));
}

Onn load_onn(const std::string& path, std::string_view place) {
  return onn_from_text(read_text(path, place, "network file", kPage, kLargest), path);
}

}  // namespace helio::photonics
