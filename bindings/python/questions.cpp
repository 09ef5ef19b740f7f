// SPDX-License-Identifier: Apache-2.0
// Each question: which keywords are which fields, and who answers it. The names of keywords are those of the fields.
#include <fmt/format.h>

#include <iterator>
#include <utility>
#include <variant>

#include "apps/option_words.h"
#include "ask/compare.h"
#include "ask/fred_route.h"
#include "ask/job_stream.h"
#include "ask/onn.h"
#include "ask/plan.h"
#include "ask/report.h"
#include "ask/reproduce.h"
#include "ask/slices.h"
#include "ask/testbed.h"
#include "ask/traffic.h"
#include "asking.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "pipeline/measured/fit.h"
#include "pipeline/validate.h"
#include "report/json/collective_map.h"
#include "report/json/comparison.h"
#include "report/json/flow_traffic.h"
#include "report/json/fred_route.h"
#include "report/json/job_stream.h"
#include "report/json/json.h"
#include "report/json/model_map.h"
#include "report/json/model_plan.h"
#include "report/json/slices.h"
#include "report/json/testbed.h"
#include "report/json/trace.h"
#include "report/json/traffic.h"
#include "report/json/validation.h"
#include "report/text/row_text.h"

namespace helio::python {
namespace {

using Work = std::function<Answered()>;

// JSON is the command's, to the byte, so advice that stands in it is in the command's words.
template <class Result>
void in_command_words(Result& result) {
  if constexpr (requires { result.cells; })
    for (auto& cell : result.cells) in_command_words(cell);
  if constexpr (requires { result.candidates.front().reason; })
    for (auto& one : result.candidates) one.reason = apps::in_options(one.reason);
  if constexpr (requires { result.left_out.front().reason; })
    for (auto& one : result.left_out) one.reason = apps::in_options(one.reason);
  if constexpr (requires { result.entries.front().refusal; })
    for (auto& one : result.entries) one.refusal = apps::in_options(one.refusal);
}

// What is JSON and text alone, and perhaps a page.
template <class Result>
Answered told(Result result) {
  const auto kept = std::make_shared<const Result>(std::move(result));
  return {.json =
              [kept] {
                Result written = *kept;
                in_command_words(written);
                return report::to_json(written);
              },
          .text = [kept] { return report::to_text(*kept); }};
}
template <class Result>
Answered with_page(Result result, const char* data_file) {
  Answered answer = told(result);
  answer.report = [kept = std::make_shared<const Result>(std::move(result))] { return ask::report_of(*kept); };
  answer.data_file = data_file;
  return answer;
}

// Traces and pages show more than a result keeps: the question is asked again for them.
template <class Asked>
Answered experiments(const Asked& question, ask::Answer (*ask)(const Asked&, bool, const ask::Watch&)) {
  const auto kept = std::make_shared<const ask::Answer>(ask(question, false, {}));
  const auto shown = [question, ask] { return ask(question, true, {}); };
  return {.json = [kept] { return ask::to_json(*kept); },
          .text = [kept] { return ask::to_text(*kept); },
          .report = [shown] { return ask::report_of(shown()); },
          .picture = [shown] { return ask::report_of(shown(), {}, false); },
          .trace =
              [shown] {
                const ask::Answer answer = shown();
                return report::to_trace(answer.results, answer.jobs);
              },
          .collectives = [kept] { return kept; },
          .data_file = ask::kResultsFile};
}

Work collective(Keywords& k) {
  ask::CollectiveQuestion q{.place = "call"};
  k.read("kind", q.kind);
  k.read("fabric", q.fabric);
  k.read("bytes", q.bytes);
  k.read("nodes", q.nodes);
  k.read("algorithm", q.algorithm);
  k.read("sync", q.sync);
  k.read("engine", q.engine);
  k.read("root", q.root);
  k.read("remedy", q.remedy);
  k.read("groups", q.groups);
  k.read("strategy", q.strategy);
  k.read("phase", q.phase);
  k.read("npu", q.npu);
  k.read("set", q.set);
  k.read("level", q.levels);
  k.read("verify", q.verify);
  k.read("leap", q.leap);
  return [q] { return experiments(q, ask::collective); };
}

Work simulate(Keywords& k) {
  ask::FileQuestion q;
  k.read("experiment", q.file);
  k.read("text", q.text);
  k.read("fabric", q.fabric);
  k.read("set", q.set);
  k.read("leap", q.leap);
  return [q] { return experiments(q, ask::simulate); };
}

template <class Asked>
void read_footing(Keywords& k, Asked& q) {
  k.read("injection", q.injection);
  k.read("latency", q.latency);
  k.read("overhead", q.overhead);
  k.read("error", q.error);
}

Work compare(Keywords& k) {
  ask::CompareQuestion q{.what = {}, .place = "call"};
  k.read("question", q.what);
  k.read("fabric", q.fabric);
  k.read("nodes", q.nodes);
  k.read("bytes", q.bytes);
  k.read("algorithm", q.algorithm);
  k.read("npu", q.npu);
  k.read("root", q.root);
  read_footing(k, q);
  k.read("set", q.set);
  return [q] { return told(ask::compare(q)); };
}

Work plan(Keywords& k) {
  ask::PlanQuestion q{.what = {}, .place = "call"};
  k.read("model", q.what);
  k.read("fabric", q.fabric);
  k.read("set", q.set);
  for (const ask::PlanKey& key : ask::plan_keys()) {
    const std::string name(key.name);
    std::optional<std::string> value;
    k.read(name.c_str(), value);
    if (value) q.keys[name] = {*value, name};
  }
  return
      [q] { return std::visit([](auto found) { return with_page(std::move(found), ask::kPlanFile); }, ask::plan(q)); };
}

Work plan_collective(Keywords& k) {
  ask::MapQuestion q{.kind = {}, .place = "call"};
  k.read("kind", q.kind);
  k.read("fabric", q.fabric);
  k.read("nodes", q.nodes);
  k.read("bytes", q.bytes);
  k.read("algorithm", q.algorithm);
  k.read("npu", q.npu);
  read_footing(k, q);
  k.read("set", q.set);
  return [q] { return with_page(ask::map_collective(q), ask::kPlanFile); };
}

Work reproduce(Keywords& k) {
  std::string study = "all", log;
  k.read("study", study);
  k.read("log", log);
  return [study, log] {
    const auto studies = std::make_shared<const std::vector<report::Study>>(ask::reproduce(study, {}, log));
    const auto rows = [studies] {
      std::vector<report::Row> all;
      for (const report::Study& one : *studies) all.insert(all.end(), one.rows.begin(), one.rows.end());
      return all;
    };
    return Answered{.json = [rows] { return report::to_json(rows()); },
                    .text = [rows] { return report::to_text(rows()); },
                    .report = [studies] { return ask::report_of(*studies); },
                    .data_file = ask::kRowsFile};
  };
}

pipeline::Assertions assertions(Keywords& k) {
  std::optional<std::string> npu, fabric;
  std::vector<ask::Assignment> set;
  std::vector<std::string> where;
  k.read("npu", npu);
  k.read("fabric", fabric);
  k.read("set", set);
  k.read("where", where);
  pipeline::Assertions all;
  if (npu) all.npu = Setting{*npu, "npu"};
  if (fabric) all.fabric = Setting{*fabric, "fabric"};
  for (const ask::Assignment& one : set) all.set.emplace_back(one.path, Setting{one.value, "set " + one.path});
  for (const std::string& condition : where) all.where.push_back({condition, "where"});
  return all;
}

Work validate(Keywords& k) {
  std::string file;
  k.read("file", file);
  return [file, as = assertions(k)] {
    return with_page(pipeline::validate_file(file, as, ask::Watch{}.run_options()), ask::kValidationFile);
  };
}

Work fit(Keywords& k) {
  std::string file;
  pipeline::FitOptions wanted;
  k.read("file", file);
  k.read("constant", wanted.constants);
  k.read("leave_out", wanted.left_out);
  k.read("evaluations", wanted.evaluations);
  return [file, wanted, as = assertions(k)] {
    return told(pipeline::fit_file(file, wanted, as, ask::Watch{}.run_options()));
  };
}

Work slices(Keywords& k) {
  ask::SlicesQuestion q;
  ask::JobsQuestion j;
  k.read("events", q.file);
  k.read("run", q.run);
  k.read("runs", q.runs);
  k.read("prove", q.prove);
  const std::pair<const char*, std::optional<std::string>*> of_jobs[] = {
      {"generate", &j.generate},  {"columns", &j.columns}, {"rate", &j.rate},
      {"nodes", &j.nodes},        {"jobs", &j.jobs},       {"nodes_per_gpu", &j.nodes_per_gpu},
      {"load", &j.load},          {"queue", &j.queue},     {"seed", &j.seed},
      {"placement", &j.placement}};
  k.read("log", j.log);
  k.read("fabric", j.fabric);
  for (const auto& [name, field] : of_jobs) k.read(name, *field);

  // What belongs to the other of the two is said of neither
  const bool told_events = !q.file.empty();
  std::vector<const char*> others = {"run", "runs", "prove"};
  if (told_events) {
    others = {"log", "fabric"};
    for (const auto& [name, field] : of_jobs) others.push_back(name);
  }
  for (const char* other : others)
    if (k.has(other))
      throw Error(ErrorKind::kUsage,
                  told_events ? "this is for jobs of a log, and a file of events is given"
                              : "this is for a file of events, and jobs of a log are asked for",
                  other, "Leave it out.");
  if ((q.runs || q.prove) && !q.run)
    throw Error(ErrorKind::kUsage, fmt::format("{} needs run", q.runs ? "runs" : "prove"), q.runs ? "runs" : "prove",
                "give run=True too");
  if (told_events) return [q] { return with_page(ask::slices(q), ask::kSlicesFile); };
  return [j] { return told(ask::job_stream(j)); };
}

Work traffic(Keywords& k) {
  ask::TrafficQuestion q{.fabric = {}, .place = "call"};
  k.read("fabric", q.fabric);
  k.read("bytes", q.bytes);
  k.read("flows", q.flows);
  k.read("sizes", q.sizes);
  k.read("count", q.count);
  k.read("load", q.load);
  k.read("nodes", q.nodes);
  k.read("rate", q.rate);
  k.read("iterations", q.iterations);
  k.read("skew", q.skew);
  k.read("seed", q.seed);
  k.read("compute", q.compute);
  k.read("set", q.set);
  const auto belongs = [&](const char* name, const char* to, bool there) {
    if (k.has(name) && !there)
      throw Error(ErrorKind::kUsage, fmt::format("{} needs {}", name, to), name, fmt::format("give {} too", to));
  };
  for (const char* name : {"iterations", "skew", "compute"}) belongs(name, "bytes", !q.bytes.empty());
  for (const char* name : {"count", "load"}) belongs(name, "sizes", !q.sizes.empty());
  return [q] { return std::visit([](auto&& answer) { return told(std::move(answer)); }, ask::traffic(q)); };
}

Work testbed(Keywords& k) {
  ask::TestbedQuestion q{.fabric = {}, .bytes = {}, .algorithm = "ring", .place = "call"};
  k.read("fabric", q.fabric);
  k.read("bytes", q.bytes);
  k.read("algorithm", q.algorithm);
  k.read("nodes", q.nodes);
  k.read("steps", q.steps);
  k.read("scale", q.scale);
  k.read("kill", q.kill);
  k.read("loopback", q.loopback);
  k.read("set", q.set);
  return [q] { return with_page(ask::testbed(q), ask::kTestbedFile); };
}

Work fred_route(Keywords& k) {
  ask::FredQuestion q;
  k.read("ports", q.ports);
  k.read("middle", q.middle);
  k.read("groups", q.groups);
  k.read("flows", q.flows);
  k.read("svg", q.svg);
  return [q] { return told(ask::fred_route(q)); };
}

template <class Asked>
Work onn(const Asked& q, ask::OnnAnswer (*ask)(const Asked&), bool page = false) {
  return [q, ask, page] {
    const auto kept = std::make_shared<const ask::OnnAnswer>(ask(q));
    Answered answer{.json = [kept] { return kept->to_json(); }, .text = [kept] { return kept->text; }};
    if (page) {
      answer.report = [kept] { return kept->report; };
      answer.data_file = ask::kOnnFile;
    }
    return answer;
  };
}

Work onn_build(Keywords& k) {
  ask::OnnBuildQuestion q;
  k.read("servers", q.task.servers);
  k.read("bits", q.task.bits);
  k.read("symbol_bits", q.task.symbol_bits);
  k.read("rounding", q.rounding);
  k.read("in_fraction", q.task.in_fraction);
  k.read("out_fraction", q.task.out_fraction);
  k.read("merge", q.task.merge);
  k.read("method", q.method);
  k.read("activation", q.activation);
  k.read("slope", q.slope);
  k.read("encoding", q.encoding);
  k.read("best", q.best);
  k.read("chip", q.chip);
  k.read("out", q.out);
  k.read("command", q.command);
  return onn(q, ask::onn_build);
}

Work onn_evaluate(Keywords& k) {
  ask::OnnEvaluateQuestion q;
  k.read("file", q.file);
  k.read("points", q.points);
  k.read("phase_error", q.phase_error);
  k.read("phase_bits", q.phase_bits);
  k.read("splitter_error", q.splitter_error);
  k.read("mzi_loss", q.mzi_loss);
  k.read("crosstalk", q.crosstalk);
  k.read("noise", q.noise);
  k.read("noisy_wires", q.noisy_wires);
  k.read("chip", q.chip);
  k.read("chips", q.chips);
  k.read("chip_scale", q.chip_scale);
  k.read("uncalibrated", q.uncalibrated);
  k.read("draws", q.draws);
  k.read("seed", q.seed);
  k.read("compile", q.compile);
  return onn(q, ask::onn_evaluate);
}

Work onn_decompose(Keywords& k) {
  ask::OnnDecomposeQuestion q;
  q.report = true;
  k.read("modes", q.modes);
  k.read("seed", q.seed);
  k.read("real", q.real);
  k.read("matrix", q.matrix);
  k.read("layout", q.layout);
  k.read("svg", q.svg);
  return onn(q, ask::onn_decompose, true);
}

Work onn_describe(Keywords& k) {
  ask::OnnDescribeQuestion q;
  q.report = true;
  k.read("file", q.file);
  k.read("compile", q.compile);
  k.read("layer", q.layer);
  k.read("svg", q.svg);
  return onn(q, ask::onn_describe, true);
}

}  // namespace

const std::vector<Question>& questions() {
  static const std::vector<Question> all = {{"collective", collective},
                                            {"simulate", simulate},
                                            {"compare", compare},
                                            {"plan", plan},
                                            {"plan.collective", plan_collective},
                                            {"reproduce", reproduce, ""},
                                            {"validate", validate, ""},
                                            {"fit", fit, ""},
                                            {"slices", slices},
                                            {"traffic", traffic},
                                            {"testbed", testbed},
                                            {"fred.route", fred_route, kUsualBudget, {"svg"}},
                                            {"onn.build", onn_build, kUsualBudget, {"out"}},
                                            {"onn.evaluate", onn_evaluate, ""},
                                            {"onn.decompose", onn_decompose, "", {"svg"}},
                                            {"onn.describe", onn_describe, "", {"svg"}}};
  return all;
}

}  // namespace helio::python
