// SPDX-License-Identifier: Apache-2.0
// Sweep files on any text: every space has points, and the first and the last of them ask something.
#include "reading.h"
#include "sweep/space.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  fuzz::reads([&] {
    const sweep::Space space = sweep::parse_space(fuzz::as_text(data, size), "fuzz.toml");
    const std::uint64_t points = space.points();
    if (points == 0 || static_cast<double>(points) > sweep::kMostPoints) fuzz::finding("a space of no size");
    for (const std::uint64_t point : {std::uint64_t{0}, points - 1})
      if (space.words_of(space.values(point)).empty()) fuzz::finding("a point that asks nothing");
  });
  return 0;
}
