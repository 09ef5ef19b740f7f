// SPDX-License-Identifier: Apache-2.0
#include "slice_runs_text.h"

#include <fmt/format.h>

#include <utility>

#include "base/units.h"
#include "pipeline/counted.h"

namespace helio::apps {
namespace {

// The stretches of a job as they were asked for, in order.
std::vector<const pipeline::SliceStretch*> stretches_of(const pipeline::SliceQuestion& question, std::size_t job) {
  std::vector<const pipeline::SliceStretch*> found;
  for (const pipeline::SliceStretch& stretch : question.stretches)
    if (stretch.job == job) found.push_back(&stretch);
  return found;
}

}  // namespace

std::vector<std::string> isolation_in_words(const pipeline::JobRuns& job) {
  if (job.others == 0) return {"nobody else is there but those that got its nodes or light after it"};
  std::vector<std::string> words = {
      fmt::format("without it {} of {} of others {} at other times; {} of them {} beside its own", job.moved,
                  pipeline::counted(job.others, "flow"), job.moved == 1 ? "begins or ends" : "begin or end", job.beside,
                  job.beside == 1 ? "runs" : "run")};
  if (job.beside == 0)
    words.push_back("which shows little: its simulated runs and theirs are never at the same time (see --runs)");
  return words;
}

std::string runs_in_text(const pipeline::SliceQuestion& question, const pipeline::SliceRuns& runs) {
  std::string text = fmt::format("runs, until {}\n", format(runs.end));
  for (std::size_t j = 0; j < runs.jobs.size(); ++j) {
    const pipeline::JobRuns& job = runs.jobs[j];
    const auto line = [&](const char* name, const std::string& value) {
      text += fmt::format("              {:<11} {}\n", name, value);
    };
    text += fmt::format("  {}: {}, {} of them simulated{}\n", question.jobs[j], pipeline::counted(job.runs, "run"),
                        job.simulated, job.abandoned == 0 ? "" : fmt::format(", {} abandoned", job.abandoned));
    const auto asked = stretches_of(question, j);
    for (std::size_t s = 0; s < asked.size(); ++s) {
      const pipeline::StretchRuns& stretch = job.stretches[s];
      line(s == 0 ? "stretches" : "",
           fmt::format("{}, {}: lit at {}, {} until {}", pipeline::counted(asked[s]->nodes.size(), "node"),
                       asked[s]->algorithm, format(stretch.lit), pipeline::counted(stretch.runs, "run"),
                       format(stretch.end)));
    }
    if (job.simulated > 0)
      line("a run", fmt::format("mean {}, p50 {}, p99 {}", format(job.mean), format(job.p50), format(job.p99)));
    line("wss", fmt::format("{} in all", format(job.in_wss)));
    line("bytes", format(job.bytes));
    if (!question.prove) continue;
    const char* name = "isolation";
    for (const std::string& words : isolation_in_words(job)) line(std::exchange(name, ""), words);
  }
  for (const std::string& assumption : runs.assumptions) text += fmt::format("  assumed: {}\n", assumption);
  return text;
}

nlohmann::ordered_json runs_in_json(const pipeline::SliceQuestion& question, const pipeline::SliceRuns& runs) {
  nlohmann::ordered_json jobs = nlohmann::ordered_json::array();
  for (std::size_t j = 0; j < runs.jobs.size(); ++j) {
    const pipeline::JobRuns& job = runs.jobs[j];
    const bool timed = job.simulated > 0;
    const auto seconds = [&](Time time) {
      return timed ? nlohmann::ordered_json(time.to_seconds()) : nlohmann::ordered_json(nullptr);
    };
    nlohmann::ordered_json json = {{"job", question.jobs[j]},         {"runs", job.runs},
                                   {"runs_simulated", job.simulated}, {"runs_abandoned", job.abandoned},
                                   {"run_mean_s", seconds(job.mean)}, {"run_p50_s", seconds(job.p50)},
                                   {"run_p99_s", seconds(job.p99)},   {"wss_time_s", job.in_wss.to_seconds()},
                                   {"bytes", job.bytes.value}};
    if (question.prove) {
      json["others_flows"] = job.others;
      json["others_flows_beside"] = job.beside;
      json["others_flows_moved"] = job.moved;
    }
    json["stretches"] = nlohmann::ordered_json::array();
    const auto asked = stretches_of(question, j);
    for (std::size_t s = 0; s < asked.size(); ++s)
      json["stretches"].push_back({{"at_s", asked[s]->at.to_seconds()},
                                   {"lit_s", job.stretches[s].lit.to_seconds()},
                                   {"end_s", job.stretches[s].end.to_seconds()},
                                   {"nodes", asked[s]->nodes.size()},
                                   {"algorithm", asked[s]->algorithm},
                                   {"parts", asked[s]->parts},
                                   {"runs", job.stretches[s].runs},
                                   {"runs_simulated", job.stretches[s].simulated},
                                   {"run_abandoned", job.stretches[s].abandoned},
                                   {"wss_time_s", job.stretches[s].in_wss.to_seconds()}});
    jobs.push_back(std::move(json));
  }
  return {{"jobs", jobs},
          {"end_s", runs.end.to_seconds()},
          {"control_messages", runs.control_messages},
          {"assumptions", runs.assumptions}};
}

}  // namespace helio::apps
