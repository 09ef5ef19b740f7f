// SPDX-License-Identifier: Apache-2.0
// Flow program files on any text; what was read is written and read again to the same text.
#include "flow/program_file.h"
#include "reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  fuzz::reads([&] {
    const flow::Program program = flow::parse_program(fuzz::as_text(data, size), "fuzz.flow");
    const std::string once = flow::to_text(program);
    std::string twice;
    if (!fuzz::reads([&] { twice = flow::to_text(flow::parse_program(once, "again.flow")); }))
      fuzz::finding("what was written cannot be read");
    if (once != twice) fuzz::finding("what was written reads as something else");
  });
  return 0;
}
