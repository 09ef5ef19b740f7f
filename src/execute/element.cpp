// SPDX-License-Identifier: Apache-2.0
#include "execute/element.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/mix.h"

namespace helio::execute {
namespace {

constexpr std::string_view kNames[] = {"float32", "float64", "int32", "bf16"};

struct Bf16 {
  std::uint16_t bits;
};
float widened(Bf16 value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16); }
// To the nearest, ties to even. Requires: no NaN.
Bf16 narrowed(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return {static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

void plus(float& to, float from) { to += from; }
void plus(double& to, double from) { to += from; }
void plus(std::int32_t& to, std::int32_t from) {
  to = static_cast<std::int32_t>(static_cast<std::uint32_t>(to) + static_cast<std::uint32_t>(from));
}
void plus(Bf16& to, Bf16 from) { to = narrowed(widened(to) + widened(from)); }

void over(float& value, int by) { value /= static_cast<float>(by); }
void over(double& value, int by) { value /= by; }
void over(std::int32_t& value, int by) { value /= by; }
void over(Bf16& value, int by) { value = narrowed(widened(value) / static_cast<float>(by)); }

double as_double(float value) { return value; }
double as_double(double value) { return value; }
double as_double(std::int32_t value) { return value; }
double as_double(Bf16 value) { return widened(value); }

// Of [-1, 1) by the top bits of a hash.
void draw(std::uint64_t bits, float& value) { value = static_cast<float>(bits >> 40) * 0x1p-23F - 1; }
void draw(std::uint64_t bits, double& value) { value = static_cast<double>(bits >> 11) * 0x1p-52 - 1; }
void draw(std::uint64_t bits, std::int32_t& value) { value = static_cast<std::int32_t>(bits >> 32); }
void draw(std::uint64_t bits, Bf16& value) {
  value = narrowed(static_cast<float>(bits >> 32) * 0x1p-32F * 5 - 2.5F);
  value = narrowed(std::nearbyint(widened(value)));
}

template <class Work>
auto visit(Element element, const Work& work) {
  switch (element) {
    case Element::kFloat64: return work(double{});
    case Element::kInt32: return work(std::int32_t{});
    case Element::kBf16: return work(Bf16{});
    case Element::kFloat32: break;
  }
  return work(float{});
}

}  // namespace

std::string_view name_of(Element element) { return kNames[static_cast<std::size_t>(element)]; }

Element element_named(std::string_view name, std::string_view place) {
  const auto found = std::ranges::find(kNames, name);
  if (found == std::end(kNames))
    throw unknown_name("type of numbers", name, std::vector<std::string>(std::begin(kNames), std::end(kNames)),
                       std::string(place));
  return static_cast<Element>(found - std::begin(kNames));
}

std::size_t bytes_of(Element element) {
  return visit(element, [](auto one) { return sizeof one; });
}

void add(Element element, void* to, const void* from, std::size_t count) {
  visit(element, [&]<class T>(T) {
    T* __restrict__ sums = static_cast<T*>(to);
    const T* __restrict__ values = static_cast<const T*>(from);
    for (std::size_t i = 0; i < count; ++i) plus(sums[i], values[i]);
  });
}

void divide(Element element, void* values, std::size_t count, int by) {
  visit(element, [&]<class T>(T) {
    for (std::size_t i = 0; i < count; ++i) over(static_cast<T*>(values)[i], by);
  });
}

void fill(Element element, void* values, std::size_t first, std::size_t count, std::uint64_t rank) {
  visit(element, [&]<class T>(T) {
    for (std::size_t i = 0; i < count; ++i) draw(mixed(rank + 1, first + i), static_cast<T*>(values)[i]);
  });
}

double tolerance(Element element, int ranks) {
  const double sums = 2.0 * ranks * ranks;
  switch (element) {
    case Element::kFloat32: return sums * 0x1p-24;
    case Element::kFloat64: return sums * 0x1p-53;
    case Element::kBf16: return ranks <= 64 ? 0 : sums * 0x1p-8 * 2;
    case Element::kInt32: break;
  }
  return 0;
}

std::size_t first_apart(Element element, const void* a, const void* b, std::size_t count, double most) {
  return visit(element, [&]<class T>(T) {
    for (std::size_t i = 0; i < count; ++i) {
      const double apart = std::abs(as_double(static_cast<const T*>(a)[i]) - as_double(static_cast<const T*>(b)[i]));
      if (!(apart <= most)) return i;
    }
    return count;
  });
}

double value_at(Element element, const void* values, std::size_t index) {
  return visit(element, [&]<class T>(T) { return as_double(static_cast<const T*>(values)[index]); });
}

}  // namespace helio::execute
