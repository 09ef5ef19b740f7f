// SPDX-License-Identifier: Apache-2.0
#include "train/checkpoint_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "base/json_node.h"
#include "base/visible.h"
#include "train/content_hash.h"

namespace helio::train {
namespace {

constexpr std::string_view kName = "helio-checkpoint ", kFormat = "2";
constexpr std::int64_t kMostElements = std::int64_t{1} << 48;  // of a tensor, empty dimensions counted as one

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
                fmt::format("the checkpoint '{}' has format {}{}", path, format.empty() ? "none" : shown(format),
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

// The tensor that an entry of the header describes, with the first bytes of `data`.
TensorContent tensor_from(const JsonNode& entry, std::string_view data) {
  TensorContent tensor{.name = entry.at("name").text(), .type = entry.at("type").text(), .shape = {}, .bytes = {}};
  if (tensor.type != "float" && tensor.type != "double" && tensor.type != "long")
    throw entry.at("type").wrong("it has a tensor of an unknown type");

  // Elements, with what libtorch would multiply kept below its limits too
  const JsonNode shape = entry.at("shape");
  if (shape.size() > kMostDimensions) throw shape.wrong(fmt::format("more than {} dimensions", kMostDimensions));
  std::int64_t product = 1, elements = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t length = shape.at(i).integer(0, kMostElements / product);
    product *= std::max<std::int64_t>(length, 1);
    elements *= length;
    tensor.shape.push_back(length);
  }
  const std::uint64_t bytes = static_cast<std::uint64_t>(elements) * (tensor.type == "float" ? 4 : 8);
  if (bytes > data.size()) throw shape.wrong("it is cut short");
  tensor.bytes = data.substr(0, bytes);
  return tensor;
}

}  // namespace

Error no_checkpoint(const std::string& path, std::string_view place, const std::string& why) {
  return Error(ErrorKind::kInput, fmt::format("'{}' is no checkpoint: {}", path, why), std::string(place),
               fmt::format("Start anew without {}, or name the file that --checkpoint wrote", place));
}

std::string checkpoint_first_line(std::string_view content) {
  return fmt::format("{}{} {} {}\n", kName, kFormat, content.size(), hash_text(content_hash(content)));
}

CheckpointContent parse_checkpoint(std::string_view bytes, const std::string& path, std::string_view place) {
  const std::string_view content = checked_content(bytes, path, place);
  const std::size_t end = content.find('\n');
  if (end == std::string_view::npos) throw no_checkpoint(path, place, "it ends within its header");
  if (end > kLongestHeader) throw no_checkpoint(path, place, "its header is longer than any");

  // Header, then the data of each tensor in turn
  CheckpointContent found;
  std::string_view data = content.substr(end + 1);
  try {
    const JsonOrigin origin{"its header"};
    const Json header = parse_json(content.substr(0, end), origin.source);
    const JsonNode root(header, origin);
    root.keys({"about", "numbers", "tensors"});
    for (const char* key : {"about", "numbers"})
      if (!root.at(key).is_object()) throw root.at(key).wrong("an object is expected here");
    found.about = header["about"];
    found.numbers = header["numbers"];
    const JsonNode tensors = root.at("tensors");
    std::set<std::string> names;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      found.tensors.push_back(tensor_from(tensors.at(i), data));
      data.remove_prefix(found.tensors.back().bytes.size());
      if (!names.insert(found.tensors.back().name).second) throw tensors.at(i).wrong("another tensor has its name");
    }
  } catch (const Error& error) {
    throw no_checkpoint(path, place, fmt::format("{}: {}", error.place(), error.message()));
  }
  if (!data.empty()) throw no_checkpoint(path, place, "it has more data than its header says");
  return found;
}

}  // namespace helio::train
