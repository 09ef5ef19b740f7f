// SPDX-License-Identifier: Apache-2.0
#include "studies/wrht/runs.h"

#include <fmt/format.h>

namespace helio::studies::wrht_study {

Question::operator studies::Question() const {
  // The machine
  Words settings = {{"rate", fmt::format("{} B/s", rate)}, {"step_overhead", fmt::format("{} s", step_overhead)}};
  if (fabric == "wdm-ring")
    settings.merge(Words{{"wavelengths", fmt::format("{}", wavelengths)},
                         {"retune", fmt::format("{} s", kRetune)},
                         {"retune_rule", every_step ? "every-step" : "changed"},
                         {"light", light},
                         {"latency", "0 s"}});
  if (fabric == "switch") settings["latency"] = "0 s";
  if (fabric == "fat-tree") settings.merge(Words{{"k", "32"}, {"latency", "25 us"}, {"routing", "static"}});

  // What is asked of it
  Words parameters;
  if (stripe > 1) parameters["stripe"] = fmt::format("{}", stripe);
  if (algorithm == "wrht") {
    parameters["shortcut"] = shortcut ? "true" : "false";
    if (group > 0) parameters["group"] = fmt::format("{}", group);
  }
  Words keys = {{"sync", "step"}};
  if (!npu.empty()) keys["npu"] = npu;
  return {.fabric = fabric,
          .settings = settings,
          .algorithm = algorithm,
          .bytes = bytes,
          .nodes = static_cast<int>(nodes),
          .kind = kind,
          .keys = keys,
          .parameters = parameters,
          .engine = engine};
}

Question on_fat_tree(std::string algorithm, std::uint64_t nodes, double bytes) {
  return {
      .algorithm = std::move(algorithm), .nodes = nodes, .bytes = bytes, .rate = kLiteralRate, .fabric = "fat-tree"};
}

double crossing(Runs& runs, Question one, Question other) {
  const double low = kGooglenet.bytes, high = kBeit.bytes;
  const auto gap = [&](double bytes) {
    one.bytes = other.bytes = bytes;
    return runs(one).seconds - runs(other).seconds;
  };
  const double at_low = gap(low), at_high = gap(high);
  return low - at_low * (high - low) / (at_high - at_low);
}

}  // namespace helio::studies::wrht_study
