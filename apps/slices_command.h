// SPDX-License-Identifier: Apache-2.0
// `helio slices EVENTS.toml [--run]`: what ODDL's slice planner answers to jobs that arrive, grow, lose nodes and leave, and how
// they run on their slices. With --report, as a page with a chart of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace helio::apps {

struct SlicesOptions {
  std::string path;
  bool run = false;                   // move the jobs' bytes, too
  bool prove = false;                 // and compare with the same without each job
  std::optional<std::uint32_t> runs;  // of a stretch that are simulated at most; 0: all; none: as the file says
  std::string report;                 // a folder for a page; "": none
  std::string command;                // that was typed, for the page
};

// What is printed. A refusal is an answer. Throws Error(kInfeasible) for a refused event that says must = true and for a job larger
// than the fabric, Error(kInput) at file:line:column for nodes that overlap or do not exist and for a job that nobody admitted.
std::string slices(const SlicesOptions& options, bool json);

}  // namespace helio::apps
