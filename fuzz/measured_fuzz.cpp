// SPDX-License-Identifier: Apache-2.0
// Tables of measured times on any text: rows are experiments, or refused with a reason.
#include "pipeline/validate.h"
#include "reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  constexpr std::size_t kRows = 8;
  const std::string_view text = fuzz::as_text(data, size);
  fuzz::reads([&] {
    const pipeline::ReadRows rows(text, "fuzz.csv", {});
    for (std::size_t i = 0; i < rows.size() && i < kRows; ++i)
      fuzz::reads([&] {
        const pipeline::Experiment experiment = pipeline::experiment_of(rows, i, {});
        if (experiment.collectives.empty() && experiment.jobs.empty()) fuzz::finding("a row without a question");
      });
  });
  return 0;
}
