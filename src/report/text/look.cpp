// SPDX-License-Identifier: Apache-2.0
#include "report/text/look.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/visible.h"

namespace helio::report {
namespace {

constexpr std::size_t kLeastColumns = 24;  // for text that is broken into lines

constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
constexpr const char* kWideLevels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr const char* kLevels[] = {"_", ".", ":", "-", "=", "+", "*", "#"};
constexpr std::size_t kLevelCount = std::size(kLevels);

// A mark is kMark and a letter: 'a' and so on for the inks, kPlain for the end of one.
constexpr char kMark = '\xff', kPlain = 'z';
constexpr const char* kCodes[] = {"1", "36", "32", "33", "34", "35"};  // of the inks, in their order (ECMA-48)

char letter_of(Ink ink) { return static_cast<char>('a' + static_cast<int>(ink)); }

}  // namespace

std::string paint(const Look& look, Ink ink, std::string_view text) {
  if (!look.colour || text.empty()) return std::string(text);
  return std::string{kMark, letter_of(ink)}.append(text) + kMark + kPlain;
}

std::string inked(std::string_view text, const Look& look) {
  if (!look.colour) return visible_lines(text);
  const auto code_of = [](char letter) -> const char* {
    if (letter == kPlain) return "0";
    const std::size_t ink = static_cast<unsigned char>(letter) - std::size_t{'a'};
    return ink < std::size(kCodes) ? kCodes[ink] : nullptr;
  };
  std::string shown;
  std::size_t from = 0;  // of what is not written yet
  for (std::size_t at = text.find(kMark); at < text.size(); at = text.find(kMark, at + 1)) {
    const char* code = at + 1 < text.size() ? code_of(text[at + 1]) : nullptr;
    if (!code) continue;
    shown += visible_lines(text.substr(from, at - from)) + fmt::format("\033[{}m", code);
    from = at + 2;
  }
  return shown + visible_lines(text.substr(from));
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
