// SPDX-License-Identifier: Apache-2.0
// A collective, or an experiment file, answered: what `helio collective` and `helio simulate` ask.
//
//     CollectiveQuestion ─┐
//                         ├─▶ Draft ─▶ Experiment ─▶ Answer ─▶ to_json, to_text, report::to_trace, report_of (ask/report.h)
//     FileQuestion ───────┘
//
// Values are text, as people write them ("100 MB"), so that the rooms judge them and messages can say which was wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/front_end.h"
#include "pipeline/draft.h"
#include "pipeline/iteration.h"
#include "pipeline/result.h"
#include "report/text/look.h"

namespace helio::ask {

struct Assignment {
  std::string path, value;  // "fabric.rate", "400 Gb/s"
};

struct CollectiveQuestion {
  std::string kind, fabric, bytes;
  std::optional<std::string> nodes = {}, algorithm = {}, sync = {}, engine = {}, root = {}, remedy = {}, groups = {},
                             strategy = {}, phase = {}, npu = {};
  std::vector<Assignment> set = {};      // of the fabric, its parts and the algorithm
  std::vector<std::string> levels = {};  // of a composite, the lowest first: "fred:variant=D"
  bool verify = false;
  bool leap = true;                // over rounds that repeat: never another result, only later
  std::string place = "question";  // of all of it
  Naming called = as_it_is;
};

struct FileQuestion {
  std::string file;
  std::optional<std::string> fabric = {};  // in place of the file's, NAME or NAME:parameter=value,…; with as many nodes
  std::optional<std::string> text = {};    // what stands in it, where it is no file
  std::vector<Assignment> set = {};
  bool leap = true;  // as above
  Naming called = as_it_is;
};

struct Answer {
  std::string title;   // of a page
  std::string source;  // the file; "": one collective was asked for
  pipeline::Experiment experiment;
  std::vector<pipeline::Result> results;        // of its collectives
  std::vector<pipeline::IterationResult> jobs;  // of its jobs, which run side by side
};

// Throws Error(kUsage) for what is missing or said twice, Error(kInput) for a path that leads nowhere.
pipeline::Draft draft_of(const CollectiveQuestion& question);

// `trace`: keep what to_trace and report_of need. Throw Error as pipeline::run does.
Answer collective(const CollectiveQuestion& question, bool trace = false, const Watch& watch = {});
Answer simulate(const FileQuestion& question, bool trace = false, const Watch& watch = {});

// The one result, or all of them with their sums.
std::string to_json(const Answer& answer);
std::string to_text(const Answer& answer, const report::Look& look = {});

}  // namespace helio::ask
