// SPDX-License-Identifier: Apache-2.0
#include "train/checkpoint.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/json_dump.h"
#include "base/json_node.h"

namespace helio::train {
namespace {

// The element types that trainings keep.
const std::map<std::string, at::ScalarType> kTypes = {
    {"float", at::kFloat}, {"double", at::kDouble}, {"long", at::kLong}};

std::string type_name(at::ScalarType type) {
  for (const auto& [name, known] : kTypes)
    if (known == type) return name;
  throw std::logic_error("a checkpoint keeps float, double and long tensors only");
}

}  // namespace

void save(const Checkpoint& checkpoint, const std::string& path, std::string_view place) {
  nlohmann::json header = {
      {"about", checkpoint.about}, {"numbers", checkpoint.numbers}, {"tensors", nlohmann::json::array()}};
  std::string data;
  for (const auto& [name, tensor] : checkpoint.tensors) {
    const at::Tensor here = tensor.to(at::kCPU).contiguous();
    header["tensors"].push_back(
        {{"name", name}, {"type", type_name(here.scalar_type())}, {"shape", here.sizes().vec()}});
    data.append(static_cast<const char*>(here.data_ptr()), here.nbytes());
  }
  const std::string content = json_dump(header) + "\n" + data;
  FileWriter file(path, place);
  file << checkpoint_first_line(content) << content;
  file.commit();
}

Checkpoint load_checkpoint(const std::string& path, std::string_view place) {
  const std::string bytes = read_bytes(path, place);
  CheckpointContent content = parse_checkpoint(bytes, path, place);
  Checkpoint checkpoint{std::move(content.about), std::move(content.numbers), {}};
  for (const TensorContent& kept : content.tensors) {
    at::Tensor tensor = at::empty(kept.shape, kTypes.at(kept.type));
    if (!kept.bytes.empty()) std::memcpy(tensor.data_ptr(), kept.bytes.data(), kept.bytes.size());
    checkpoint.tensors[kept.name] = std::move(tensor);
  }
  return checkpoint;
}

namespace {

// What `read` makes of a number of the checkpoint; its complaint is one about the file.
template <class Read>
auto number_in(const Checkpoint& checkpoint, const std::string& name, const std::string& path, std::string_view place,
               Read read) {
  const JsonOrigin origin{"its numbers"};
  try {
    return read(JsonNode(checkpoint.numbers, origin).at(name));
  } catch (const Error& error) {
    throw no_checkpoint(path, place, fmt::format("{}: {}", error.place(), error.message()));
  }
}

}  // namespace

std::int64_t whole_number_of(const Checkpoint& checkpoint, const std::string& name, std::int64_t most,
                             const std::string& path, std::string_view place) {
  return number_in(checkpoint, name, path, place, [&](const JsonNode& node) { return node.integer(0, most); });
}

double number_of(const Checkpoint& checkpoint, const std::string& name, const std::string& path,
                 std::string_view place) {
  return number_in(checkpoint, name, path, place, [](const JsonNode& node) { return node.number(); });
}

at::Tensor tensor_of(const Checkpoint& checkpoint, const std::string& name, at::IntArrayRef shape, at::ScalarType type,
                     const std::string& path, std::string_view place) {
  const auto found = checkpoint.tensors.find(name);
  if (found == checkpoint.tensors.end()) throw no_checkpoint(path, place, "it lacks the tensor " + name);
  if (found->second.sizes() != shape)
    throw Error(ErrorKind::kInput,
                fmt::format("the checkpoint '{}' is of another shape: {} has ({}) where ({}) is needed", path, name,
                            fmt::join(found->second.sizes(), ", "), fmt::join(shape, ", ")),
                std::string(place), "Resume with the options it was made with, or start anew");
  if (found->second.scalar_type() != type)
    throw no_checkpoint(path, place,
                        fmt::format("{} is {}, not {}", name, type_name(found->second.scalar_type()), type_name(type)));
  return found->second;
}

}  // namespace helio::train
