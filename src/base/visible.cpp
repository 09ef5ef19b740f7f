// SPDX-License-Identifier: Apache-2.0
#include "base/visible.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace helio {
namespace {

constexpr char32_t kNoCharacter = 0xffffffff;

struct Front {
  char32_t code;  // kNoCharacter: a byte that is no UTF-8
  std::size_t bytes;
};

// What `text` begins with (The Unicode Standard, table 3-7: the shortest form, no surrogates). Requires: it is not empty.
Front front_of(std::string_view text) {
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};  // of so many bytes
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {kNoCharacter, 1};
  char32_t code = first & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return {kNoCharacter, 1};
    code = code << 6 | (next & 0x3fu);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < kLeast[bytes] || code > 0x10ffff || surrogate ? Front{kNoCharacter, 1} : Front{code, bytes};
}

struct Range {
  char32_t first, last;
};

// Controls (Cc), format characters (Cf), separators of lines (Zl, Zp), fillers that are seen as nothing, noncharacters. In order.
constexpr Range kUnseen[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},       {0x34f, 0x34f},     {0x600, 0x605},     {0x61c, 0x61c},
    {0x6dd, 0x6dd},   {0x70f, 0x70f},   {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180e, 0x180e},   {0x200b, 0x200f},
    {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},   {0xfdd0, 0xfdef},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
    {0xfff9, 0xfffb}, {0xfffe, 0xffff}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

bool unseen(char32_t code) {
  if (code > 0xffff && (code & 0xfffe) == 0xfffe) return true;  // the last two of every plane
  const auto range = std::ranges::lower_bound(kUnseen, code, {}, &Range::last);
  return range != std::end(kUnseen) && code >= range->first;
}

std::string written(char32_t code) {
  if (code < 0x20) return fmt::format("\\x{:02x}", static_cast<unsigned>(code));
  if (code <= 0xffff) return fmt::format("\\u{:04x}", static_cast<unsigned>(code));
  const auto rest = static_cast<unsigned>(code) - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
}

// `write` says what stands for a character, or for a byte that is none (kNoCharacter); "" leaves it.
template <class Write>
std::string replaced(std::string_view text, const Write& write) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Front front = front_of(text);
    if (const std::string other = write(front.code, text.front()); other.empty())
      result += text.substr(0, front.bytes);
    else
      result += other;
    text.remove_prefix(front.bytes);
  }
  return result;
}

std::string visible_but(std::string_view text, std::string_view stay) {
  return replaced(text, [&](char32_t code, char first) -> std::string {
    if (code == kNoCharacter) return fmt::format("\\x{:02x}", static_cast<unsigned char>(first));
    return unseen(code) && stay.find(first) == std::string_view::npos ? written(code) : "";
  });
}

}  // namespace

std::string visible(std::string_view text) { return visible_but(text, ""); }
std::string visible_lines(std::string_view text) { return visible_but(text, "\n\t"); }

std::string valid_utf8(std::string_view text) {
  return replaced(text, [](char32_t code, char) { return code == kNoCharacter ? "\ufffd" : ""; });
}

std::size_t characters_in(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); text.remove_prefix(front_of(text).bytes)) ++count;
  return count;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const std::size_t count = characters_in(text), end = most / 2, begin = most - end;
  if (count <= most) return std::string(text);
  const auto after = [&](std::size_t characters) {
    std::string_view rest = text;
    for (std::size_t i = 0; i < characters; ++i) rest.remove_prefix(front_of(rest).bytes);
    return rest;
  };
  const std::string_view begins = text.substr(0, text.size() - after(begin).size());
  return fmt::format("{}…({} more)…{}", begins, count - most, after(count - end));
}

std::string shown(std::string_view name) { return visible(shortened(name, kMostOfAName)); }

}  // namespace helio
