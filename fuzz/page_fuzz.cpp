// SPDX-License-Identifier: Apache-2.0
// Saved pages: one that was read becomes HTML, and is written and read again to the same text.
#include "reading.h"
#include "report/pages/page_html.h"
#include "report/pages/page_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  fuzz::reads([&] {
    const report::Page page = report::read_page(std::string(fuzz::as_text(data, size)), "page.json");
    const std::string once = report::to_json(page);
    std::string twice;
    if (!fuzz::reads([&] { twice = report::to_json(report::read_page(once, "again.json")); }))
      fuzz::finding("what was written cannot be read");
    if (once != twice) fuzz::finding("what was written reads as something else");
    report::to_html(page);
  });
  return 0;
}
