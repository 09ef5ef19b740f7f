// SPDX-License-Identifier: Apache-2.0
#include "report/look.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace helio::report {
namespace {

constexpr std::size_t kLeastColumns = 24;  // for text that is broken into lines

constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
constexpr const char* kWideLevels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr const char* kLevels[] = {"_", ".", ":", "-", "=", "+", "*", "#"};
constexpr std::size_t kLevelCount = std::size(kLevels);

std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::kTitle: return "1";
    case Ink::kName: return "36";
    case Ink::kGood: return "32";
    case Ink::kDoubtful: return "33";
    case Ink::kBar: return "34";
    case Ink::kOther: return "35";
  }
  return "0";
}

}  // namespace

std::string paint(const Look& look, Ink ink, std::string_view text) {
  if (!look.colour || text.empty()) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", code_of(ink), text);
}

std::string bar(const Look& look, double share, std::size_t cells) {
  if (!std::isfinite(share)) share = share > 0 ? 1 : 0;
  const double length = std::clamp(share, 0.0, 1.0) * static_cast<double>(cells);
  if (!look.wide) return std::string(static_cast<std::size_t>(std::lround(length)), '#');
  const auto eighths = static_cast<std::size_t>(std::lround(8 * length));
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + kEighths[eighths % 8];
}

std::string sparkline(const Look& look, std::span<const double> values) {
  double least = INFINITY, most = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  std::string text;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      text += ' ';
      continue;
    }
    const double height = most > least ? (value - least) / (most - least) : 0;
    const auto level = std::min(static_cast<std::size_t>(height * kLevelCount), kLevelCount - 1);
    text += look.wide ? kWideLevels[level] : kLevels[level];
  }
  return text;
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string wrapped(const Look& look, std::string_view text, std::size_t indent) {
  if (look.columns < indent + kLeastColumns) return std::string(text);
  const std::size_t most = look.columns - indent;
  std::string lines;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t width = width_of(word);
    if (used > 0 && used + 1 + width > most) {
      lines += '\n' + std::string(indent, ' ');
      used = 0;
    } else if (!lines.empty()) {
      lines += ' ';
      ++used;
    }
    lines += word;
    used += width;
  }
  return lines;
}

}  // namespace helio::report
