// SPDX-License-Identifier: Apache-2.0
// A Draft is an experiment as it was written: every value still text, with its place.
//
// Files and command lines both become drafts, `--set` changes drafts, and only `interpret` gives them meaning. So every
// way of asking shares one set of keys, one set of messages and one check that nothing was left unread.
//
//     experiment.toml ─▶ read_draft ─┐
//                                    ├─▶ Draft ─▶ set … set ─▶ interpret ─▶ Experiment
//     command line ──────────────────┘
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.h"
#include "pipeline/experiment.h"
#include "pipeline/job.h"

namespace helio::pipeline {

struct Draft {
  struct Block {
    std::string place;
    Settings keys;        // name, kind, bytes, algorithm, root, sync, verify, remedy, groups, npu
    Settings parameters;  // of the algorithm
  };
  std::string source;
  Settings run;         // engine
  Settings fabric;      // name, the fabric's own parameters, those of its endpoints
  Settings parts = {};  // "serdes.watts"
  std::vector<Block> collectives;
  std::vector<JobBlock> jobs;
};

// What may stand outside any table, and in [[collective]]. Lists are text here: "block,endpoint"; "0,1;2,3".
const std::vector<Parameter>& run_parameters();
const std::vector<Parameter>& collective_parameters();
// What may stand in [fabric] beside the fabric's own parameters.
const std::vector<Parameter>& endpoint_parameters();

// Full paths that end in `name`, or in the nearest to it that there is: "rate" gives "fabric.rate". For advice.
std::vector<std::string> paths_ending_in(const Draft& draft, std::string_view name);

// Changes one value; an empty one of the fabric or of an algorithm is unset. `path` is one of
//     engine                       fabric.NAME or fabric.PARAMETER
//     part.NAME.KEY                what a part takes or costs, known better than in the catalogue
//     algorithm.PARAMETER          for every collective
//     collective.KEY               for every collective
//     collective.NAME.KEY          for the collective of that name
//     collective.NAME.parameters.PARAMETER
//     job.KEY, job.TABLE.KEY       for every job; job.NAME.… for the one of that name
// Throws Error(kInput) at the setting's place for a path that leads nowhere, with the nearest that does.
void set(Draft& draft, std::string_view path, Setting setting);

// Throws Error(kInput) for unknown keys, ill-typed values and missing ones, each at its place. Names of fabrics and
// algorithms, and their parameters, are judged by their catalogues when the experiment runs.
Experiment interpret(const Draft& draft);

}  // namespace helio::pipeline
