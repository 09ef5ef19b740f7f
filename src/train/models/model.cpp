// SPDX-License-Identifier: Apache-2.0
#include "train/models/model.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <torch/version.h>

#include <cstdlib>
#include <map>

#include "base/error.h"
#include "train/models/llama.h"
#include "train/models/mlp.h"
#include "train/models/resnet.h"

namespace helio::train {
namespace {

// Same input, same bytes out, on the device too. The backward pass of attention asks for the second flag, which in turn wants the
// workspace of cuBLAS to be fixed before its first product.
void ask_for_repeatable_kernels(const ModelSpec& spec, const at::Device& device) {
  if (!device.is_cuda()) return;
  at::globalContext().setDeterministicCuDNN(true);
  if (spec.name != "llama") return;
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
  at::globalContext().setDeterministicAlgorithms(true, false);
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2)
  at::globalContext().setDeterministicFillUninitializedMemory(false);  // nobody reads what was not written
#endif
}

// What a size of 0 means.
struct Defaults {
  std::int64_t width, layers, heads;
};
const std::map<std::string, Defaults> kDefaults = {
    {"mlp", {256, 2, 0}}, {"resnet18", {64, 0, 0}}, {"resnet50", {64, 0, 0}}, {"llama", {768, 12, 12}}};

ModelSpec with_defaults(ModelSpec spec) {
  const auto found = kDefaults.find(spec.name);
  if (found == kDefaults.end()) return spec;
  if (spec.width == 0) spec.width = found->second.width;
  if (spec.layers == 0) spec.layers = found->second.layers;
  if (spec.heads == 0) spec.heads = found->second.heads;
  return spec;
}

void check_positive(const char* what, std::int64_t value) {
  if (value < 1) throw Error(ErrorKind::kInput, fmt::format("a model with {} = {}", what, value), {}, "Take 1 or more");
}

}  // namespace

ModelSpec ModelSpec::resolved() const {
  if (!kDefaults.contains(name)) throw unknown_name("model", name, {"mlp", "resnet18", "resnet50", "llama"});
  const ModelSpec spec = with_defaults(*this);
  const nlohmann::json told = words();
  for (const char* size : {"classes", "channels", "side", "width", "layers", "heads", "context"})
    if (told.contains(size)) check_positive(size, told[size]);
  if (name == "llama" && spec.width % (2 * spec.heads) != 0)
    throw Error(ErrorKind::kInput,
                fmt::format("{} heads cannot share a width of {}: rotary embeddings turn pairs of numbers of a head",
                            spec.heads, spec.width),
                {}, "Take a width that is a multiple of twice the heads");
  return spec;
}

nlohmann::json ModelSpec::words() const {
  const ModelSpec spec = with_defaults(*this);
  nlohmann::json words = {{"name", name}, {"classes", classes}, {"width", spec.width}};
  if (name == "mlp" || name == "llama") words["layers"] = spec.layers;
  if (name == "llama") {
    words["heads"] = spec.heads;
    words["context"] = context;
  } else {
    words["channels"] = channels;
    words["side"] = side;
  }
  return words;
}

at::Tensor Model::scores(const at::Tensor& inputs, Pass pass) {
  if (pass == Pass::kEvaluation) {
    const at::NoGradGuard unrecorded;
    return forward(inputs, pass);
  }
  if (inputs.size(0) % parameters_->servers() != 0)
    throw Error(ErrorKind::kInput,
                fmt::format("{} examples cannot be shared out to {} servers", inputs.size(0), parameters_->servers()),
                {}, "Take a multiple of the servers");
  return forward(inputs, pass);
}

std::unique_ptr<Model> make_model(const ModelSpec& asked, int servers, const at::Device& device,
                                  at::ScalarType precision, std::uint64_t seed) {
  const ModelSpec spec = asked.resolved();
  check_positive("servers", servers);
  ask_for_repeatable_kernels(spec, device);
  if (spec.name == "mlp") return make_mlp(spec, servers, device, precision, seed);
  if (spec.name == "llama") return make_llama(spec, servers, device, precision, seed);
  return make_resnet(spec, servers, device, precision, seed);
}

}  // namespace helio::train
