// SPDX-License-Identifier: Apache-2.0
// The one reader of JSON: what it returns is no deeper than it says, and reads as the same value when it is written.
#include "base/json_reader.h"
#include "reading.h"

namespace {

using namespace helio;

std::size_t depth_of(const Json& value) {
  std::size_t deepest = 0;
  if (value.is_structured())
    for (const Json& item : value) deepest = std::max(deepest, depth_of(item));
  return deepest + (value.is_structured() ? 1 : 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::reads([&] {
    const Json value = parse_json(fuzz::as_text(data, size), "fuzz.json");
    if (depth_of(value) > kDeepestJson) fuzz::finding("deeper than is allowed");
    Json again;
    if (!fuzz::reads([&] { again = parse_json(value.dump(), "again.json"); })) fuzz::finding("cannot be read again");
    if (again != value) fuzz::finding("what was written reads as something else");
  });
  return 0;
}
