// SPDX-License-Identifier: Apache-2.0
// Model files: a Hugging Face config.json where the input begins with a brace, an own TOML table otherwise. A workload that comes
// out has layers, and sums that did not overflow.
#include <cmath>

#include "reading.h"
#include "workload/config_json.h"
#include "workload/model_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  const std::string_view text = fuzz::as_text(data, size);
  fuzz::reads([&] {
    const workload::Workload workload = text.starts_with('{') ? workload::parse_config(text, "fuzz/config.json", {})
                                                              : workload::parse_model(text, "fuzz.toml", {});
    if (workload.layers.empty()) fuzz::finding("a model without layers");
    double parameters = -static_cast<double>(workload.tied_parameters);
    for (const workload::Layer& layer : workload.layers) {
      parameters += static_cast<double>(layer.repeat) * static_cast<double>(layer.parameters);
      if (layer.whole_parameters > layer.parameters) fuzz::finding("a part larger than the whole");
    }
    const auto counted = static_cast<double>(workload.parameters());
    if (std::abs(parameters - counted) > 1e-9 * counted + 1) fuzz::finding("a sum that overflowed");
    if (!std::isfinite(workload.forward_flops())) fuzz::finding("operations without end");
  });
  return 0;
}
