// SPDX-License-Identifier: Apache-2.0
#include "workload/model_file.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <utility>

#include "workload/kernel.h"
#include "workload/own_sequence.h"
#include "workload/toml_reader.h"
#include "workload/toml_text.h"
#include "workload/transformer.h"

namespace helio::workload {
namespace {

constexpr std::uint64_t kMostRepeats = 1u << 20;
constexpr std::size_t kMostLayers = 1u << 16;
constexpr std::uint64_t kMostParameters = 1'000'000'000'000'000'000;  // as of a transformer
constexpr double kMostElements = 1e18;
constexpr double kMostFlops = 1e24;
constexpr double kBytesPerElement = 2;  // of the activation precision that a file counts in

const std::vector<std::string> kWords = {"kind", "name", "title", "reference"};  // of both kinds
const std::vector<std::string> kKinds = {"transformer", "layers"};

std::vector<std::string> with_words(std::vector<std::string> keys) {
  keys.insert(keys.begin(), kWords.begin(), kWords.end());
  return keys;
}

void read_words(const TomlReader& reader, const std::string& source, Workload& workload) {
  workload.name = reader.text("name").value_or(std::filesystem::path(source).stem().string());
  workload.title = reader.text("title").value_or(workload.name);
  workload.reference = reader.text("reference").value_or(source);
}

// kind = "transformer"

// A size of the shape and its key; `required`: there is no default.
struct SizeKey {
  const char* key;
  std::uint64_t TransformerShape::*size;
  bool required;
};
constexpr SizeKey kSizes[] = {{"layers", &TransformerShape::layers, true},
                              {"hidden", &TransformerShape::hidden, true},
                              {"heads", &TransformerShape::heads, true},
                              {"vocabulary", &TransformerShape::vocabulary, true},
                              {"sequence", &TransformerShape::sequence, true},
                              {"kv_heads", &TransformerShape::kv_heads, false},
                              {"head_size", &TransformerShape::head_size, false},
                              {"feed_forward", &TransformerShape::feed_forward, false},
                              {"position_rows", &TransformerShape::positions, false},
                              {"token_types", &TransformerShape::token_types, false},
                              {"experts", &TransformerShape::experts, false},
                              {"top_k", &TransformerShape::top_k, false},
                              {"expert_feed_forward", &TransformerShape::expert_feed_forward, false},
                              {"shared_experts", &TransformerShape::shared_experts, false},
                              {"dense_layers", &TransformerShape::dense_layers, false},
                              {"query_rank", &TransformerShape::query_rank, false},
                              {"key_rank", &TransformerShape::key_rank, false},
                              {"rotary_size", &TransformerShape::rotary_size, false},
                              {"value_size", &TransformerShape::value_size, false},
                              {"window", &TransformerShape::window, false},
                              {"window_every", &TransformerShape::window_every, false},
                              {"predictions", &TransformerShape::predictions, false}};
struct FlagKey {
  const char* key;
  bool TransformerShape::*flag;
};
constexpr FlagKey kFlags[] = {{"gated", &TransformerShape::gated},
                              {"attention_biases", &TransformerShape::attention_biases},
                              {"feed_forward_biases", &TransformerShape::feed_forward_biases},
                              {"embedding_norm", &TransformerShape::embedding_norm},
                              {"final_norm", &TransformerShape::final_norm},
                              {"tied", &TransformerShape::tied},
                              {"dropout", &TransformerShape::dropout},
                              {"causal", &TransformerShape::causal}};

Workload read_transformer(const toml::table& root, const std::string& source, const Settings& settings) {
  std::vector<std::string> keys = with_words({"positions", "norm", "head"});
  for (const SizeKey& size : kSizes) keys.emplace_back(size.key);
  for (const FlagKey& flag : kFlags) keys.emplace_back(flag.key);
  const TomlReader reader(root, source, "model", keys);

  // The shape as the file has it
  TransformerShape shape;
  for (const SizeKey& size : kSizes) {
    const std::optional<std::uint64_t> value = reader.whole(size.key, 1, ShapeBounds::kVocabulary);
    shape.*size.size = size.required ? reader.required(size.key, value) : value.value_or(shape.*size.size);
  }
  for (const FlagKey& flag : kFlags) shape.*flag.flag = reader.truth(flag.key).value_or(shape.*flag.flag);
  if (const auto index = reader.choice("positions", {"learned", "rotary", "none"}))
    shape.position_kind = static_cast<Positions>(*index);
  if (const auto index = reader.choice("norm", {"layer", "rms"})) shape.norm = static_cast<Norm>(*index);
  if (const auto index = reader.choice("head", {"logits", "pooler"})) shape.head = static_cast<Head>(*index);
  if (shape.position_kind != Positions::kLearned && reader.has("position_rows"))
    throw reader.wrong("position_rows", "only learned positions have rows",
                       "leave it out, or write positions = \"learned\"");

  // What a setting changes: without a number of rows the table of positions stays that of the file
  const Parameters parameters = own_parameters(source, settings);
  if (shape.positions == 0 && shape.position_kind == Positions::kLearned) shape.positions = shape.sequence;
  if (parameters.has("sequence")) shape.sequence = static_cast<std::uint64_t>(parameters.integer("sequence"));
  if (const std::optional<ShapeFault> found = fault(shape)) {
    const std::string key = found->field == "positions" ? "position_rows" : found->field;
    const bool set = key == "sequence" && parameters.has("sequence");
    throw Error(ErrorKind::kInput, fmt::format("'{}': {}", key, found->what),
                set ? parameters.place("sequence") : reader.place(key), found->advice);
  }
  Workload workload = transformer(shape);
  read_words(reader, source, workload);
  return workload;
}

// kind = "layers"

// The matrix product that a row gives, or a cube of as many operations.
std::optional<Kernel> read_product(const TomlReader& reader, const std::string& source) {
  const std::optional<double> flops = reader.number("forward_flops", kMostFlops);
  const toml::table* matrix = reader.table("matrix");
  if (!matrix) {
    const double side = std::cbrt(reader.required("forward_flops", flops) / 2);
    if (side == 0) return std::nullopt;
    Kernel kernel = product("product", Share::kWhole, side, side, side);
    kernel.inner = *flops / 2 / (side * side);  // what rounding left over
    return kernel;
  }

  const TomlReader inner(*matrix, source, "matrix", {"rows", "columns", "inner", "batch"});
  const auto extent = [&](const char* key) {
    return static_cast<double>(inner.required(key, inner.whole(key, 1, 1u << 31)));
  };
  Kernel kernel = product("product", Share::kWhole, extent("rows"), extent("columns"), extent("inner"));
  kernel.batch = static_cast<double>(inner.whole("batch", 1, 1u << 24).value_or(1));
  constexpr double kRounding = 1e-3;  // people write 4.1e9
  if (kernel.flops() > kMostFlops)
    throw reader.wrong("matrix", fmt::format("the product has more than {:g} operations", kMostFlops),
                       "check the extents");
  if (flops && std::abs(*flops - kernel.flops()) > kRounding * kernel.flops())
    throw reader.wrong("forward_flops", fmt::format("{:g} is not what the matrix gives: {:g}", *flops, kernel.flops()),
                       "leave it out, or correct one of them");
  return kernel;
}

Layer read_layer(const toml::table& row, const std::string& source) {
  const TomlReader reader(row, source, "layer",
                          {"name", "parameters", "forward_flops", "output_elements", "activation_bytes",
                           "memory_elements", "repeat", "matrix"});
  Layer layer{.name = reader.required("name", reader.text("name"))};
  layer.repeat = reader.whole("repeat", 1, kMostRepeats).value_or(1);
  layer.parameters = reader.required("parameters", reader.whole("parameters", 0, kMostParameters));
  layer.whole_parameters = layer.parameters;

  // What the next layer gets and what backward needs again: of the two one may be left out, and is taken to be the other
  const std::optional<double> output = reader.number("output_elements", kMostElements);
  const std::optional<double> kept = reader.bytes("activation_bytes", kMostElements);
  if (!output && !kept) throw reader.missing("output_elements");
  layer.output_elements = output ? *output : *kept / kBytesPerElement;
  layer.kept_whole_elements = kept ? *kept / kBytesPerElement : *output;

  if (std::optional<Kernel> kernel = read_product(reader, source)) layer.kernels.push_back(*std::move(kernel));
  if (const double elements = reader.number("memory_elements", kMostElements).value_or(0); elements > 0)
    layer.kernels.push_back(memory("memory", Share::kWhole, elements));
  return layer;
}

Workload read_layers(const toml::table& root, const std::string& source, const Settings& settings) {
  const TomlReader reader(root, source, "model", with_words({"sample", "tokens", "layer"}));
  Workload workload{.family = "own"};
  read_words(reader, source, workload);
  workload.tokens = reader.whole("tokens", 1, ShapeBounds::kSequence).value_or(1);
  workload.sample = reader.text("sample").value_or("sample");

  const toml::array* rows = root.get_as<toml::array>("layer");
  if (!rows && !reader.has("layer")) throw reader.missing("layer");
  if (!rows || rows->empty() || !rows->is_array_of_tables())
    throw reader.wrong("layer", "'layer' must be tables", "write [[layer]] with two brackets above each");
  if (rows->size() > kMostLayers)
    throw reader.wrong("layer", fmt::format("there are more than {} layers", kMostLayers), "use 'repeat'");
  double total = 0;
  for (const toml::node& row : *rows) {
    Layer layer = read_layer(*row.as_table(), source);
    total += static_cast<double>(layer.repeat) * static_cast<double>(layer.parameters);
    if (total > static_cast<double>(kMostParameters))
      throw reader.wrong("layer", fmt::format("the model has more than {:g} parameters", total), "check the rows");
    workload.layers.push_back(std::move(layer));
  }

  if (!settings.empty())
    throw Error(ErrorKind::kInput, fmt::format("a model of layers has no parameter '{}'", settings.begin()->first),
                settings.begin()->second.place, "leave it out, or describe the model as a transformer");
  return workload;
}

}  // namespace

Workload parse_model(std::string_view text, const std::string& source, const Settings& settings) {
  const toml::table root = parse_toml(text, source, "docs/model-file.md");

  // The kind decides which keys are legal, so it is looked at before the others.
  const toml::node* kind = root.get("kind");
  if (!kind)
    throw Error(ErrorKind::kInput, "the model has no 'kind'", source + ":1:1",
                "write kind = \"transformer\" or kind = \"layers\": docs/model-file.md");
  const std::string place = toml_place(source, kind->source());
  const auto* name = kind->as_string();
  if (!name) throw Error(ErrorKind::kInput, "'kind' must be a text", place, "write \"transformer\" or \"layers\"");
  if (name->get() == kKinds[0]) return read_transformer(root, source, settings);
  if (name->get() == kKinds[1]) return read_layers(root, source, settings);
  throw unknown_name("kind", name->get(), kKinds, place);
}

}  // namespace helio::workload
