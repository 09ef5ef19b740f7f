// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/runs.h"

#include <fmt/format.h>

namespace helio::studies::oddl_study {

std::string in_seconds(double seconds) { return fmt::format("{} s", seconds); }
std::string in_bits_per_second(double rate) { return fmt::format("{} b/s", rate); }

Question on_oddl(const std::string& algorithm, double step) {
  return {.fabric = "oddl",
          .settings = {{"rate", in_bits_per_second(kRate)}, {"step_overhead", in_seconds(step)}},
          .algorithm = algorithm,
          .bytes = kGradient,
          .nodes = kNodes};
}

Question on_switch(double rate, double step) {
  return {.fabric = "switch",
          .settings = {{"rate", in_bits_per_second(rate)}, {"latency", "0 s"}, {"step_overhead", in_seconds(step)}},
          .bytes = kGradient,
          .nodes = kNodes};
}

Question on_tree(double step, int seed) {
  Question question = on_switch(kRate, step);
  question.fabric = "fat-tree";
  question.settings["k"] = "16";
  question.settings["seed"] = fmt::format("{}", seed);
  return question;
}

Question on_sip_ring(double interval, double step) {
  Question question{.fabric = "sip-ring",
                    .settings = {{"wavelengths", "4"}, {"rate", "25 Gb/s"}, {"step_overhead", in_seconds(step)}},
                    .bytes = kGradient,
                    .nodes = kNodes};
  if (interval > 0)
    question.settings["interval"] = in_seconds(interval);
  else
    question.settings["retune"] = "0 s";
  return question;
}

}  // namespace helio::studies::oddl_study
