// SPDX-License-Identifier: Apache-2.0
#include "train/data/cifar.h"

#include <fmt/format.h>

#include <cassert>
#include <string_view>

#include "base/error.h"
#include "base/file.h"

namespace helio::train {
namespace {

struct LabelByte {
  std::string_view name;
  int limit;
};

struct Layout {
  std::string_view name;
  std::vector<LabelByte> labels;  // in the order of the file; the last is the class

  std::size_t record() const { return labels.size() + static_cast<std::size_t>(kPixels); }
};

Layout layout_of(CifarLayout layout) {
  if (layout == CifarLayout::kTen) return {"CIFAR-10", {{"label", 10}}};
  return {"CIFAR-100", {{"coarse label", 20}, {"fine label", 100}}};
}

void check_size(const Layout& layout, CifarLayout kind, std::size_t bytes, const std::string& file) {
  if (bytes > 0 && bytes % layout.record() == 0) return;
  const Layout other = layout_of(kind == CifarLayout::kTen ? CifarLayout::kHundred : CifarLayout::kTen);
  std::string advice = "Give the whole file; the binary version, not the Python one";
  if (bytes > 0 && bytes % other.record() == 0) advice = fmt::format("Its size fits {}", other.name);
  throw Error(ErrorKind::kInput,
              bytes == 0 ? fmt::format("no {} record: the file is empty", layout.name)
                         : fmt::format("{} bytes are {} {} records of {} bytes and {} bytes more", bytes,
                                       bytes / layout.record(), layout.name, layout.record(), bytes % layout.record()),
              file, advice);
}

}  // namespace

LabelledImages read_cifar(CifarLayout kind, const std::vector<std::string>& files) {
  assert(!files.empty() && "images come from at least one file");
  const Layout layout = layout_of(kind);
  LabelledImages images;
  images.classes = layout.labels.back().limit;
  for (const std::string& file : files) {
    const std::string bytes = read_bytes(file, "");
    check_size(layout, kind, bytes.size(), file);
    const std::size_t records = bytes.size() / layout.record();
    images.pixels.reserve(images.pixels.size() + records * static_cast<std::size_t>(kPixels));
    for (std::size_t record = 0; record < records; ++record) {
      const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data()) + record * layout.record();

      // Labels, each within its range.
      std::uint8_t label = 0;
      for (const LabelByte& byte : layout.labels) {
        label = *at++;
        if (label >= byte.limit)
          throw Error(ErrorKind::kInput,
                      fmt::format("record {} has the {} {}; {} has 0 to {}", record, byte.name, label, layout.name,
                                  byte.limit - 1),
                      file, fmt::format("Give a {} binary file", layout.name));
      }
      images.labels.push_back(label);
      images.pixels.insert(images.pixels.end(), at, at + kPixels);
    }
  }
  return images;
}

}  // namespace helio::train
