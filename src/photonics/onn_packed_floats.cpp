// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_packed_floats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace helio::photonics {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int, 256> kValues = [] {
  std::array<int, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kLetters.size(); ++i)
    values[static_cast<unsigned char>(kLetters[i])] = static_cast<int>(i);
  return values;
}();

}  // namespace

std::string packed_floats(std::span<const double> numbers) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(4 * numbers.size());
  for (const double number : numbers)
    for (std::uint32_t word = std::bit_cast<std::uint32_t>(static_cast<float>(number)), i = 0; i < 4; ++i, word >>= 8)
      bytes.push_back(static_cast<std::uint8_t>(word));
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < have ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= have ? kLetters[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string unpack_floats(std::string_view packed, std::span<double> numbers) {
  const std::size_t bytes = 4 * numbers.size(), letters = (bytes + 2) / 3 * 4;
  if (packed.size() != letters)
    return fmt::format("{} letters of base64 where {} numbers need {}", packed.size(), numbers.size(), letters);
  std::vector<std::uint8_t> out;
  out.reserve(letters / 4 * 3);
  for (std::size_t i = 0; i < letters; i += 4) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const bool padding = packed[i + k] == '=' && 3 * (i / 4) + k > bytes;
      const int value = padding ? 0 : kValues[static_cast<unsigned char>(packed[i + k])];
      if (value < 0) return fmt::format("letter {} is not of base64", i + k + 1);
      group = group << 6 | static_cast<std::uint32_t>(value);
    }
    for (int k = 16; k >= 0; k -= 8) out.push_back(static_cast<std::uint8_t>(group >> k));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::uint32_t word = 0;
    for (std::size_t k = 4; k-- > 0;) word = word << 8 | out[4 * i + k];
    numbers[i] = std::bit_cast<float>(word);
    if (!std::isfinite(numbers[i])) return fmt::format("number {} is not finite", i + 1);
  }
  return "";
}

}  // namespace helio::photonics
