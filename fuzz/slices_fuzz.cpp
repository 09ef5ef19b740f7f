// SPDX-License-Identifier: Apache-2.0
// Files of events on ODDL: something happens, one thing after the other.
#include "pipeline/slice_events.h"
#include "reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  fuzz::reads([&] {
    const pipeline::SliceEvents found = pipeline::parse_slice_events(fuzz::as_text(data, size), "fuzz.toml");
    if (found.events.empty()) fuzz::finding("nothing happens");
    for (std::size_t i = 1; i < found.events.size(); ++i)
      if (found.events[i].at < found.events[i - 1].at) fuzz::finding("an event before the one above it");
  });
  return 0;
}
