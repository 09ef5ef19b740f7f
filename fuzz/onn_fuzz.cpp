// SPDX-License-Identifier: Apache-2.0
// Network files, and matrix files where the input begins with a bracket. A network that was read is written and read again to the same
// text; a matrix is finite.
#include "photonics/matrix_file.h"
#include "photonics/onn_file.h"
#include "reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  const std::string_view text = fuzz::as_text(data, size);
  fuzz::reads([&] {
    if (text.starts_with('[')) {
      if (!photonics::parse_matrix(text, "fuzz.json").allFinite()) fuzz::finding("a matrix that is not finite");
      return;
    }
    const std::string once = photonics::onn_text(photonics::onn_from_text(text, "fuzz.json"));
    std::string twice;
    if (!fuzz::reads([&] { twice = photonics::onn_text(photonics::onn_from_text(once, "again.json")); }))
      fuzz::finding("what was written cannot be read");
    if (once != twice) fuzz::finding("what was written reads as something else");
  });
  return 0;
}
