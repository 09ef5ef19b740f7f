// SPDX-License-Identifier: Apache-2.0
#include "train/checkpoint.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <sstream>
#include <utility>
#include <vector>

#include "base/error.h"
#include "train/content_hash.h"
#include "train/safe_file.h"

namespace helio::train {
namespace {

constexpr std::string_view kName = "helio-checkpoint ", kFormat = "2";

// The element types that trainings keep.
const std::map<std::string, at::ScalarType> kTypes = {
    {"float", at::kFloat}, {"double", at::kDouble}, {"long", at::kLong}};

std::string type_name(at::ScalarType type) {
  for (const auto& [name, known] : kTypes)
    if (known == type) return name;
  throw std::logic_error("a checkpoint keeps float, double and long tensors only");
}

Error no_checkpoint(const std::string& path, std::string_view place, const std::string& why) {
  return Error(ErrorKind::kInput, fmt::format("'{}' is no checkpoint: {}", path, why), std::string(place),
               fmt::format("Start anew without {}, or name the file that --checkpoint wrote", place));
}

// What follows the first line, if it is what that line says.
std::string_view checked_content(std::string_view bytes, const std::string& path, std::string_view place) {
  if (!bytes.starts_with(kName)) throw no_checkpoint(path, place, "it does not open with the words of one");
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) throw no_checkpoint(path, place, "it ends within its first line");
  std::istringstream first(std::string(bytes.substr(kName.size(), end - kName.size())));
  std::string format, hash;
  std::size_t size = 0;
  first >> format;
  if (format != kFormat)
    throw Error(ErrorKind::kInput,
                fmt::format("the checkpoint '{}' has format {}{}", path, format.empty() ? "none" : format,
                            format == "1" ? ", which knows neither its checksum nor its data's contents" : ""),
                std::string(place),
                fmt::format("Start anew without {}: this program reads and writes format {}", place, kFormat));
  const std::string_view content = bytes.substr(end + 1);
  if (!(first >> size >> hash)) throw no_checkpoint(path, place, "its first line says neither size nor checksum");
  if (content.size() < size) throw no_checkpoint(path, place, "it is cut short");
  if (content.size() > size) throw no_checkpoint(path, place, "it has more data than its first line says");
  if (hash != hash_text(content_hash(content)))
    throw Error(ErrorKind::kInput, fmt::format("the checkpoint '{}' is damaged: its checksum is another", path),
                std::string(place), fmt::format("Take a copy that is whole, or start anew without {}", place));
  return content;
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
  const std::string content = header.dump() + "\n" + data;
  replace_file(path,
               fmt::format("{}{} {} {}\n", kName, kFormat, content.size(), hash_text(content_hash(content))) + content,
               place);
}

Checkpoint load_checkpoint(const std::string& path, std::string_view place) {
  const std::string bytes = read_bytes(path, place);
  const std::string_view content = checked_content(bytes, path, place);
  const std::size_t end = content.find('\n');
  if (end == std::string_view::npos) throw no_checkpoint(path, place, "it ends within its header");

  // Header, then the data of each tensor in turn.
  Checkpoint checkpoint;
  try {
    const nlohmann::json header = nlohmann::json::parse(content.substr(0, end));
    checkpoint.about = header.at("about");
    checkpoint.numbers = header.at("numbers");
    std::size_t at = end + 1;
    for (const nlohmann::json& entry : header.at("tensors")) {
      const auto shape = entry.at("shape").get<std::vector<std::int64_t>>();
      at::Tensor tensor = at::empty(shape, kTypes.at(entry.at("type").get<std::string>()));
      if (content.size() - at < tensor.nbytes()) throw no_checkpoint(path, place, "it is cut short");
      std::memcpy(tensor.data_ptr(), content.data() + at, tensor.nbytes());
      at += tensor.nbytes();
      checkpoint.tensors[entry.at("name").get<std::string>()] = std::move(tensor);
    }
    if (at != content.size()) throw no_checkpoint(path, place, "it has more data than its header says");
  } catch (const nlohmann::json::exception& problem) {
    throw no_checkpoint(path, place, problem.what());
  } catch (const std::out_of_range&) {
    throw no_checkpoint(path, place, "it has a tensor of an unknown type");
  }
  return checkpoint;
}

at::Tensor tensor_of(const Checkpoint& checkpoint, const std::string& name, at::IntArrayRef shape,
                     const std::string& path, std::string_view place) {
  const auto found = checkpoint.tensors.find(name);
  if (found == checkpoint.tensors.end()) throw no_checkpoint(path, place, "it lacks the tensor " + name);
  if (found->second.sizes() != shape)
    throw Error(ErrorKind::kInput,
                fmt::format("the checkpoint '{}' is of another shape: {} has ({}) where ({}) is needed", path, name,
                            fmt::join(found->second.sizes(), ", "), fmt::join(shape, ", ")),
                std::string(place), "Resume with the options it was made with, or start anew");
  return found->second;
}

}  // namespace helio::train
