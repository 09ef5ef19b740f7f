// SPDX-License-Identifier: Apache-2.0
// A plan small enough to be asked hundreds of times.
#pragma once

#include <string>
#include <vector>

#include "pipeline/config_file.h"
#include "plan/plan_model.h"

namespace helio::plan {

// A small transformer on `nodes` NPUs of each fabric, at 100 Gb/s a node.
inline PlanQuestion asking(const std::vector<std::string>& fabrics, int nodes, double batch) {
  PlanQuestion question;
  question.batch = batch;
  question.fabrics.footing = {
      .injection = BitRate{100e9}, .latency = Time::nanoseconds(50), .overhead = Time::microseconds(2)};
  question.fabrics.nodes_place = "nodes";
  question.limits_place = question.space_place = "here";
  question.threads = 1;
  for (const std::string& fabric : fabrics)
    question.fabrics.contenders.push_back(
        {fabric, pipeline::interpret(pipeline::parse_draft(
                     "[fabric]\nname = \"" + fabric + "\"\nnodes = " + std::to_string(nodes) +
                         "\n[[job]]\nmodel = \"gpt\"\nnpu = \"a100-40\"\n[job.model_parameters]\nlayers = 8\nhidden = "
                         "512\nheads = 8\nsequence = 128\nvocabulary = 2048\n",
                     "test.toml"))});
  return question;
}

}  // namespace helio::plan
