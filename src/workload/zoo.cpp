// SPDX-License-Identifier: Apache-2.0
#include "workload/zoo.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/file.h"
#include "workload/beit.h"
#include "workload/config_json.h"
#include "workload/convolutional_zoo.h"
#include "workload/dlrm.h"
#include "workload/model_file.h"
#include "workload/transformer_zoo.h"

namespace helio::workload {
namespace {

using Entry = Catalogue<Factory>::Entry;

Workload named(Workload workload, const Description& description, const std::string& title) {
  workload.name = description.name;
  workload.title = title;
  workload.reference = description.reference;
  return workload;
}

Entry convolutional(std::string name, std::string title, std::string summary, std::string reference,
                    std::vector<Step> steps) {
  Description description{std::move(name), std::move(summary), std::move(reference), {}};
  Factory factory = [description, title = std::move(title), steps = std::move(steps)](const Parameters&) {
    return named(imagenet(steps), description, title);
  };
  return {std::move(description), std::move(factory)};
}

// A model by its shape, with the length of its sequence and the size of its vocabulary as parameters.
Entry transformer_entry(const TransformerModel& model) {
  const TransformerShape& shape = model.shape;
  const std::uint64_t longest =
      shape.position_kind == Positions::kLearned ? shape.positions : std::uint64_t{ShapeBounds::kSequence};
  Parameter sequence{.name = "sequence",
                     .type = ParameterType::kInteger,
                     .fallback = std::to_string(shape.sequence),
                     .minimum = "1",
                     .maximum = std::to_string(longest),
                     .description = "tokens per sample; the default is that of the reference"};
  sequence.matters.other = std::to_string(shape.sequence / 2);
  Parameter vocabulary{.name = "vocabulary",
                       .type = ParameterType::kInteger,
                       .fallback = std::to_string(shape.vocabulary),
                       .minimum = "1",
                       .maximum = std::to_string(std::uint64_t{ShapeBounds::kVocabulary}),
                       .description = "words; the default is that of the reference, some systems pad it"};
  vocabulary.matters.other = std::to_string(2 * shape.vocabulary);

  Description description{model.name, model.summary, model.reference, {std::move(sequence), std::move(vocabulary)}};
  Factory factory = [description, model](const Parameters& parameters) {
    TransformerShape asked = model.shape;
    asked.sequence = static_cast<std::uint64_t>(parameters.integer("sequence"));
    asked.vocabulary = static_cast<std::uint64_t>(parameters.integer("vocabulary"));
    return named(transformer(asked), description, model.title);
  };
  return {std::move(description), std::move(factory)};
}

// A decoder of any size, for what has no name of its own.
Entry gpt_entry() {
  const auto count = [](std::string name, std::string fallback, std::uint64_t most, std::string description,
                        std::string other) {
    Parameter parameter{.name = std::move(name),
                        .type = ParameterType::kInteger,
                        .fallback = std::move(fallback),
                        .minimum = "1",
                        .maximum = std::to_string(most),
                        .description = std::move(description)};
    parameter.matters.other = std::move(other);
    return parameter;
  };
  Description description{"gpt",
                          "decoder of any size: layers, hidden, heads, sequence and vocabulary",
                          "Radford et al. 2019 for the architecture; the defaults are GPT-2 XL with the vocabulary "
                          "padded as in Narayanan et al. 2021",
                          {count("layers", "48", ShapeBounds::kLayers, "blocks", "24"),
                           count("hidden", "1600", ShapeBounds::kHidden, "width", "3200"),
                           count("heads", "25", ShapeBounds::kHidden, "attention heads; a divisor of hidden", "50"),
                           count("sequence", "1024", ShapeBounds::kSequence, "tokens per sample", "2048"),
                           count("vocabulary", "51200", ShapeBounds::kVocabulary, "words, padded", "50304")}};
  Factory factory = [description](const Parameters& parameters) {
    const auto value = [&](const char* name) { return static_cast<std::uint64_t>(parameters.integer(name)); };
    TransformerShape shape = gpt_shape(value("layers"), value("hidden"), value("heads"), value("sequence"));
    shape.vocabulary = value("vocabulary");
    if (const auto wrong = fault(shape))
      throw Error(ErrorKind::kInput, wrong->what,
                  parameters.place(parameters.has(wrong->field) ? wrong->field : "hidden"), wrong->advice);
    return named(transformer(shape), description,
                 fmt::format("GPT of {} x {}", parameters.integer("layers"), parameters.integer("hidden")));
  };
  return {std::move(description), std::move(factory)};
}

// The sizes of a decoder of today, with the defaults of Llama 3.1 8B; 0 where a model has no such part.
struct DecoderSize {
  const char* name;
  std::uint64_t TransformerShape::*size;
  std::uint64_t fallback, least, most;
  const char *description, *other;
  const char* beside = "";  // it matters where these have other values
};
constexpr DecoderSize kDecoderSizes[] = {
    {"layers", &TransformerShape::layers, 32, 1, ShapeBounds::kLayers, "blocks", "16"},
    {"hidden", &TransformerShape::hidden, 4096, 1, ShapeBounds::kHidden, "width", "8192"},
    {"heads", &TransformerShape::heads, 32, 1, ShapeBounds::kHidden, "attention heads", "64"},
    {"kv_heads", &TransformerShape::kv_heads, 8, 1, ShapeBounds::kHidden,
     "heads of keys and values; a divisor of heads", "32"},
    {"head_size", &TransformerShape::head_size, 128, 1, ShapeBounds::kHidden, "columns of a head", "64"},
    {"feed_forward", &TransformerShape::feed_forward, 14'336, 1, ShapeBounds::kFeedForward,
     "columns of a dense feed-forward", "7168"},
    {"vocabulary", &TransformerShape::vocabulary, 128'256, 1, ShapeBounds::kVocabulary, "words", "32000"},
    {"sequence", &TransformerShape::sequence, 8192, 1, ShapeBounds::kSequence, "tokens per sample", "4096"},
    {"experts", &TransformerShape::experts, 0, 0, ShapeBounds::kExperts, "of each block; 0: a dense feed-forward", "8",
     "experts=4 top_k=2"},
    {"top_k", &TransformerShape::top_k, 0, 0, ShapeBounds::kExperts, "experts that a token goes to", "2",
     "experts=8 top_k=1"},
    {"expert_feed_forward", &TransformerShape::expert_feed_forward, 0, 0, ShapeBounds::kFeedForward,
     "columns of an expert; 0: feed_forward", "1024", "experts=8 top_k=2"},
    {"shared_experts", &TransformerShape::shared_experts, 0, 0, ShapeBounds::kExperts,
     "that every token goes to besides", "1", "experts=8 top_k=2"},
    {"dense_layers", &TransformerShape::dense_layers, 0, 0, ShapeBounds::kLayers,
     "first blocks of a mixture that have a dense feed-forward", "3", "experts=8 top_k=2"},
    {"query_rank", &TransformerShape::query_rank, 0, 0, ShapeBounds::kHidden,
     "latent attention (DeepSeek-V2, 2024): columns that queries go through; 0: as usual", "1024",
     "key_rank=512 rotary_size=64 value_size=128 query_rank=512"},
    {"key_rank", &TransformerShape::key_rank, 0, 0, ShapeBounds::kHidden, "the same of keys and values", "256",
     "query_rank=1536 rotary_size=64 value_size=128 key_rank=512"},
    {"rotary_size", &TransformerShape::rotary_size, 0, 0, ShapeBounds::kHidden,
     "columns of a head of latent attention that carry positions", "64", "query_rank=1536 key_rank=512 value_size=128"},
    {"value_size", &TransformerShape::value_size, 0, 0, ShapeBounds::kHidden, "columns of its values", "64",
     "query_rank=1536 key_rank=512 rotary_size=64 value_size=128"},
    {"window", &TransformerShape::window, 0, 0, ShapeBounds::kSequence,
     "tokens that a token sees in blocks with a window", "1024", "window_every=2"},
    {"window_every", &TransformerShape::window_every, 0, 0, ShapeBounds::kLayers,
     "of so many blocks in a row one sees everything, the others have the window; 0: all have it", "2", "window=1024"},
    {"predictions", &TransformerShape::predictions, 1, 1, ShapeBounds::kExperts,
     "tokens predicted at once; each more is a block and a head (DeepSeek-V3, 2024)", "2"},
};

// A decoder of today of any size: RMS norm, gated feed-forward or experts, rotary positions, grouped or latent attention.
Entry decoder_entry() {
  Description description{
      "decoder",
      "decoder of today of any size: grouped or latent attention, windows, experts",
      "Llama 3 (Grattafiori et al. 2024) for the defaults, those of its 8B model; DeepSeek-AI, DeepSeek-V3, "
      "2024, for latent attention, experts and further predictions",
      {}};
  for (const DecoderSize& size : kDecoderSizes) {
    Parameter parameter{.name = size.name,
                        .type = ParameterType::kInteger,
                        .fallback = std::to_string(size.fallback),
                        .minimum = std::to_string(size.least),
                        .maximum = std::to_string(size.most),
                        .description = size.description};
    parameter.matters.other = size.other;
    parameter.matters.question = size.beside;
    description.parameters.push_back(std::move(parameter));
  }
  description.parameters.push_back({.name = "gated",
                                    .type = ParameterType::kBoolean,
                                    .fallback = "true",
                                    .description = "the feed-forward is gated: three matrices in place of two"});
  description.parameters.back().matters.other = "false";
  Factory factory = [description](const Parameters& parameters) {
    TransformerShape shape = llama_shape(1, 1, 1, 1);
    for (const DecoderSize& size : kDecoderSizes)
      shape.*size.size = static_cast<std::uint64_t>(parameters.integer(size.name));
    shape.gated = parameters.boolean("gated");
    if (const auto wrong = fault(shape))
      throw Error(ErrorKind::kInput, wrong->what,
                  parameters.place(parameters.has(wrong->field) ? wrong->field : "hidden"), wrong->advice);
    return named(transformer(shape), description,
                 fmt::format("decoder of {} x {}", parameters.integer("layers"), parameters.integer("hidden")));
  };
  return {std::move(description), std::move(factory)};
}

Entry beit_entry() {
  Parameter image{.name = "image",
                  .type = ParameterType::kInteger,
                  .fallback = "224",
                  .minimum = std::to_string(kBeitPatch),
                  .maximum = "2048",
                  .description = "pixels along a side, a multiple of 16"};
  image.matters.other = "384";
  Description description{
      "beit-l",
      "ViT-L/16 with relative positions: 24 x 1024, 197 tokens of an image",
      "Bao et al., ICLR 2022; Dosovitskiy et al., ICLR 2021, table 1 (307M, rounded); 304,430,568 is "
      "beit_large_patch16_224 with 1000 classes in timm",
      {std::move(image)}};
  Factory factory = [description](const Parameters& parameters) {
    const auto side = static_cast<std::uint64_t>(parameters.integer("image"));
    if (side % kBeitPatch != 0)
      throw Error(ErrorKind::kInput,
                  fmt::format("an image of {} pixels is not made of patches of {}", side, kBeitPatch),
                  parameters.place("image"), fmt::format("give a multiple of {}", kBeitPatch));
    return named(beit_large(side), description, "BEiT-L");
  };
  return {std::move(description), std::move(factory)};
}

Entry dlrm_entry() {
  Description description{
      "dlrm",
      "26 embedding tables of 128 columns, perceptrons 13-512-256-128 and 479-1024-1024-512-256-1",
      "Naumov et al. 2019; MLPerf Training v0.7 on Criteo 1TB, indices below 40,000,000; the count is derived",
      {}};
  Factory factory = [description](const Parameters&) { return named(dlrm(), description, "DLRM (MLPerf)"); };
  return {std::move(description), std::move(factory)};
}

std::vector<Entry> entries() {
  const std::string torchvision = "; count and multiply-adds: torchvision";
  std::vector<Entry> all = {
      convolutional("alexnet", "AlexNet", "5 convolutions and 3 dense layers, one column",
                    "Krizhevsky, One weird trick, 2014" + torchvision + " (61,100,840; 0.714 G)", alexnet()),
      convolutional("vgg16", "VGG16", "13 convolutions and 3 dense layers",
                    "Simonyan and Zisserman, ICLR 2015, D" + torchvision + " (138,357,544; 15.47 G)",
                    vgg({2, 2, 3, 3, 3})),
      convolutional("vgg19", "VGG19", "16 convolutions and 3 dense layers",
                    "Simonyan and Zisserman, ICLR 2015, E" + torchvision + " (143,667,240; 19.632 G)",
                    vgg({2, 2, 4, 4, 4})),
      convolutional("googlenet", "GoogLeNet", "9 inception blocks with batch norm, without auxiliary heads",
                    "Szegedy et al., CVPR 2015" + torchvision + " (6,624,904; 1.498 G)", googlenet()),
      convolutional("resnet-50", "ResNet-50", "16 bottleneck blocks, stride in the 3 x 3 convolution",
                    "He et al., CVPR 2016" + torchvision + " (25,557,032; 4.089 G)", resnet({3, 4, 6, 3})),
      convolutional("resnet-101", "ResNet-101", "33 bottleneck blocks, stride in the 3 x 3 convolution",
                    "He et al., CVPR 2016" + torchvision + " (44,549,160; 7.801 G)", resnet({3, 4, 23, 3})),
      convolutional("resnet-152", "ResNet-152", "50 bottleneck blocks, stride in the 3 x 3 convolution",
                    "He et al., CVPR 2016" + torchvision + " (60,192,808; 11.514 G)", resnet({3, 8, 36, 3})),
      beit_entry()};
  for (const TransformerModel& model : transformer_models()) all.push_back(transformer_entry(model));
  all.push_back(gpt_entry());
  all.push_back(decoder_entry());
  all.push_back(dlrm_entry());
  return all;
}

}  // namespace

const Catalogue<Factory>& models() {
  static const Catalogue<Factory> catalogue("model", entries());
  return catalogue;
}

Workload load(std::string_view source, const Settings& settings, std::string_view place) {
  const std::string path(source);
  const auto text = [&] { return read_text(path, place, "model file", "docs/model-file.md"); };
  if (source.ends_with(".toml")) return parse_model(text(), path, settings);
  if (source.ends_with(".json")) return parse_config(text(), path, settings);
  const Entry* entry = models().find(source);
  if (!entry) {
    const Error error = unknown_name("model", source, models().names(), std::string(place));
    throw Error(error.kind(), error.message(), error.place(),
                error.advice() + "; or give a path that ends in .toml or .json (docs/model-file.md)");
  }
  return entry->factory(models().resolve(*entry, settings));
}

}  // namespace helio::workload
