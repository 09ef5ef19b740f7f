// SPDX-License-Identifier: Apache-2.0
// A mutation that libFuzzer's own seldom reach: a few bytes of the input many times in a row. Brackets become depth, dots become keys of
// thousands of parts, a line becomes a long file.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  if (size == 0 || size >= most || below(64) != 0) return LLVMFuzzerMutate(data, size, most);
  const std::size_t at = below(size), length = 1 + below(std::min<std::size_t>(size - at, 12));
  const std::size_t room = (most - size) / length, times = below(1 + std::min(room, std::size_t{1} << below(18)));
  const std::string part(reinterpret_cast<const char*>(data) + at, length);
  std::memmove(data + at + times * length, data + at, size - at);
  for (std::size_t i = 0; i < times; ++i) std::memcpy(data + at + i * length, part.data(), length);
  return size + times * length;
}
