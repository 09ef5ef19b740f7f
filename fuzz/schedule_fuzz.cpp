// SPDX-License-Identifier: Apache-2.0
// Schedule files on any text, with the proof for what is small; what was read is written and read again to the same text.
#include "reading.h"
#include "schedule/schedule_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  using schedule::Trust;
  fuzz::reads([&] {
    const std::string_view text = fuzz::as_text(data, size);
    const schedule::Schedule read = schedule::schedule_from_text(text, "fuzz.json", Trust::kProven);
    const std::string once = schedule::schedule_text(read);
    std::string twice;
    const auto again = [&] {
      twice = schedule::schedule_text(schedule::schedule_from_text(once, "again.json", Trust::kProven));
    };
    if (!fuzz::reads(again)) fuzz::finding("what was written cannot be read");
    if (once != twice) fuzz::finding("what was written reads as something else");

    // What is proven is proven again from what was written
    if (read.ranks > 64 || read.chunks > 256 || schedule::rounds(read) > 256) return;
    schedule::schedule_from_text(text, "fuzz.json");
    if (!fuzz::reads([&] { schedule::schedule_from_text(once, "again.json"); }))
      fuzz::finding("what was proven is not proven again");
  });
  return 0;
}
