// SPDX-License-Identifier: Apache-2.0
#include "placement/stages.h"

#include <algorithm>
#include <cassert>

namespace helio::placement {
namespace {

// The layer whose repeats make up most of the depth, if they do.
const workload::Layer* dominant(const workload::Workload& workload) {
  const auto largest = std::max_element(workload.layers.begin(), workload.layers.end(),
                                        [](const auto& a, const auto& b) { return a.repeat < b.repeat; });
  return largest != workload.layers.end() && 2 * largest->repeat > workload.depth() ? &*largest : nullptr;
}

void append(Part& part, std::uint32_t layer, std::uint64_t count) {
  if (count == 0) return;
  if (!part.empty() && part.back().layer == layer)
    part.back().count += count;
  else
    part.push_back({layer, count});
}

std::vector<Part> cut_blocks(const workload::Workload& workload, std::uint32_t parts, const workload::Layer& block) {
  std::vector<Part> result(parts);
  std::uint32_t at = 0;
  for (std::uint32_t i = 0; i < workload.layers.size(); ++i) {
    const workload::Layer& layer = workload.layers[i];
    if (&layer != &block) {
      append(result[at], i, layer.repeat);
      continue;
    }
    for (at = 0; at < parts; ++at)  // earlier parts take what does not divide
      append(result[at], i, block.repeat / parts + (at < block.repeat % parts ? 1 : 0));
    at = parts - 1;
  }
  return result;
}

// Layers in a row, `room` for each part.
std::vector<Part> cut_in_a_row(const workload::Workload& workload, const std::vector<std::uint64_t>& room) {
  std::vector<Part> result(room.size());
  std::uint32_t at = 0;
  std::uint64_t free = room[0];
  for (std::uint32_t i = 0; i < workload.layers.size(); ++i)
    for (std::uint64_t left = workload.layers[i].repeat; left > 0;) {
      while (free == 0) free = room[++at];
      const std::uint64_t taken = std::min(left, free);
      append(result[at], i, taken);
      left -= taken;
      free -= taken;
    }
  return result;
}

// As many in each part, first and last layer counted too; earlier parts take what does not divide.
std::vector<std::uint64_t> even_rooms(std::uint64_t depth, std::uint32_t parts) {
  std::vector<std::uint64_t> room(parts, depth / parts);
  for (std::uint64_t p = 0; p < depth % parts; ++p) ++room[p];
  return room;
}

// As many blocks in each part as it takes, and what is left in the last, if there is some: first and last layer do not count.
std::vector<std::uint64_t> rooms_with_light_end(std::uint64_t depth, std::uint32_t parts) {
  const std::uint64_t blocks = depth - 2, each = (blocks + parts - 1) / parts;
  if ((parts - 1) * each >= blocks) return even_rooms(depth, parts);
  std::vector<std::uint64_t> room(parts, each);
  ++room.front();
  room.back() = depth - 1 - (parts - 1) * each;
  return room;
}

// Fills parts in order up to `limit` operations; whether `parts` of them suffice. Leaves at least one layer for each later part.
bool fill(const std::vector<Slice>& layers, const std::vector<double>& work, std::uint32_t parts, double limit,
          std::vector<Part>& result) {
  result.assign(parts, {});
  std::uint32_t part = 0;
  double sum = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool must_leave = layers.size() - i <= parts - 1 - part && !result[part].empty();
    if (!result[part].empty() && (sum + work[i] > limit || must_leave)) {
      if (++part == parts) return false;
      sum = 0;
    }
    append(result[part], layers[i].layer, 1);
    sum += work[i];
    if (sum > limit) return false;
  }
  return part == parts - 1;
}

std::vector<Part> cut_by_work(const workload::Workload& workload, std::uint32_t parts) {
  std::vector<Slice> layers;
  std::vector<double> work;
  double total = 0, largest = 0;
  for (std::uint32_t i = 0; i < workload.layers.size(); ++i)
    for (std::uint64_t k = 0; k < workload.layers[i].repeat; ++k) {
      layers.push_back({i, 1});
      work.push_back(workload.layers[i].forward_flops());
      total += work.back();
      largest = std::max(largest, work.back());
    }
  // The least limit that suffices lies between the largest layer and everything; it is the sum of some layers in a row.
  std::vector<double> sums;
  for (std::size_t i = 0; i < work.size(); ++i) {
    double sum = 0;
    for (std::size_t k = i; k < work.size(); ++k) sums.push_back(sum += work[k]);
  }
  std::sort(sums.begin(), sums.end());
  std::vector<Part> result;
  std::size_t low = 0, high = sums.size() - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (fill(layers, work, parts, sums[middle] * (1 + 1e-12), result))
      high = middle;
    else
      low = middle + 1;
  }
  [[maybe_unused]] const bool fits = fill(layers, work, parts, sums[high] * (1 + 1e-12), result);
  assert(fits && "everything in a row always suffices");
  return result;
}

}  // namespace

bool is_recomputed(const workload::Workload& workload, std::uint32_t layer) {
  const workload::Layer* block = dominant(workload);
  return block == nullptr || block == &workload.layers[layer];
}

std::vector<Part> cut(const workload::Workload& workload, std::uint32_t parts, Ends ends) {
  if (ends != Ends::kBeside && dominant(workload) != nullptr)
    return cut_in_a_row(workload, ends == Ends::kCount ? even_rooms(workload.depth(), parts)
                                                       : rooms_with_light_end(workload.depth(), parts));
  if (const workload::Layer* block = dominant(workload); block != nullptr && block->repeat >= parts)
    return cut_blocks(workload, parts, *block);
  return cut_by_work(workload, parts);
}

std::vector<Part> pieces_of(const Part& part, const workload::Workload& workload, double parameters) {
  if (parameters <= 0) return {part};
  std::vector<Part> pieces(1);
  double sum = 0;
  for (const Slice& slice : part)
    for (std::uint64_t k = 0; k < slice.count; ++k) {
      if (sum >= parameters) {
        pieces.emplace_back();
        sum = 0;
      }
      append(pieces.back(), slice.layer, 1);
      sum += static_cast<double>(workload.layers[slice.layer].parameters);
    }
  return pieces;
}

}  // namespace helio::placement
