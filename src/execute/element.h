// SPDX-License-Identifier: Apache-2.0
// The numbers of a vector: what they are called, how they are added, and which of them a rank begins with.
//
//     float32, float64   real numbers of [-1, 1)                                        sums differ by rounding where their order does
//     int32              any                                                            wraps around, as MPI's does
//     bf16               the upper half of a float32, added as one and rounded to even   -2 … 2: sums of up to 64 ranks are exact
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace helio::execute {

enum class Element : std::uint8_t { kFloat32, kFloat64, kInt32, kBf16 };

std::string_view name_of(Element element);
Element element_named(std::string_view name, std::string_view place = {});  // throws Error(kInput) with the legal names
std::size_t bytes_of(Element element);

// to[i] += from[i]. Requires of all here: pointers to `count` elements, aligned as they are.
void add(Element element, void* to, const void* from, std::size_t count);
// Each divided by `by`; whole numbers towards zero.
void divide(Element element, void* values, std::size_t count, int by);
// What rank `rank` begins with in elements [first, first + count) of its vector.
void fill(Element element, void* values, std::size_t first, std::size_t count, std::uint64_t rank);

// How far two sums of the same `ranks` numbers of `fill` may be apart when they were added in different orders (Higham, Accuracy and Stability
// of Numerical Algorithms, 4.2: n·eps·Σ|x| each); 0: not at all.
double tolerance(Element element, int ranks);
// Of the first element that is further apart, its index; `count` where none is.
std::size_t first_apart(Element element, const void* a, const void* b, std::size_t count, double most);
double value_at(Element element, const void* values, std::size_t index);

}  // namespace helio::execute
