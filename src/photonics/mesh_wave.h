// SPDX-License-Identifier: Apache-2.0
// One complex amplitude as a pair of doubles in one vector register (GCC's and clang's vector extension), for the inner
// loops of meshes: std::complex multiplies with a detour for infinities that costs more than the product.
#pragma once

#include "photonics/mzi.h"

namespace helio::photonics {

// (real part, imaginary part); may stand for a Complex in memory.
using Wave = double __attribute__((vector_size(16), may_alias));
static_assert(sizeof(Wave) == sizeof(Complex));

inline Wave* waves(Complex* values) { return reinterpret_cast<Wave*>(values); }
inline const Wave* waves(const Complex* values) { return reinterpret_cast<const Wave*>(values); }
inline Wave both(double value) { return Wave{value, value}; }

// A factor, laid out for multiplying: z · (x + iy) = x·real + swap(x)·imaginary.
struct Factor {
  Wave real, imaginary;

  explicit Factor(Complex value) : real(both(value.real())), imaginary{-value.imag(), value.imag()} {}
  Wave operator*(Wave x) const { return real * x + imaginary * Wave{x[1], x[0]}; }
};

}  // namespace helio::photonics
