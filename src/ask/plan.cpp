// SPDX-License-Identifier: Apache-2.0
#include "ask/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "ask/compare.h"
#include "ask/fabric_words.h"
#include "base/error.h"
#include "base/file.h"
#include "base/split.h"
#include "base/units.h"
#include "fabric/fabric.h"
#include "pipeline/draft.h"
#include "plan/dials.h"
#include "plan/map_model.h"
#include "plan/model_switching.h"
#include "plan/plan_model.h"
#include "workload/toml_text.h"

namespace helio::ask {
namespace {

constexpr const char* kPage = "docs/model-plan.md";
constexpr const char* kUsualNpu = "h100";
constexpr std::uint64_t kUsualRuns = 60;

Error wrong(const std::string& what, const Setting& at, const std::string& advice) {
  return Error(ErrorKind::kInput, what, at.place, advice);
}

// A value of a file as the command line would have it.
std::string text_of(const toml::node& node, const std::string& key, const std::string& place, bool within = false) {
  if (const auto* truth = node.as_boolean()) return truth->get() ? "1" : "0";
  if (std::optional<std::string> text = workload::value_text(node)) return *std::move(text);
  if (const auto* list = node.as_array(); list && !within) {
    std::vector<std::string> words;
    for (const toml::node& one : *list) words.push_back(text_of(one, key, place, true));
    return fmt::format("{}", fmt::join(words, key == "rank_order" ? ";" : ","));
  }
  throw Error(ErrorKind::kInput, fmt::format("'{}' is neither a value nor a list of values", key), place,
              std::string("See ") + kPage + ".");
}

// What a file says, below what was said beside it.
void read_file(PlanQuestion& q) {
  const std::string source = q.what;
  const toml::table file = workload::parse_toml(read_text(source, q.place, "plan", kPage), source, kPage);
  std::vector<std::string> legal = {"model", "fabric"};
  for (const PlanKey& key : plan_keys()) legal.emplace_back(key.name);
  for (const auto& [name, node] : file)
    if (name.str() != "plan" || !node.is_table())
      throw unknown_name("table", name.str(), {"plan"}, workload::toml_place(source, node.source()));
  const toml::table* table = file["plan"].as_table();
  if (!table) throw Error(ErrorKind::kInput, "there is no table [plan]", source, std::string("See ") + kPage + ".");
  q.what.clear();
  for (const auto& [name, node] : *table) {
    const std::string key(name.str()), place = workload::toml_place(source, node.source());
    if (std::ranges::find(legal, key) == legal.end()) throw unknown_name("key", key, legal, place);
    if (key == "fabric") {
      std::vector<std::string> fabrics;
      if (const auto* list = node.as_array())
        for (const toml::node& one : *list) fabrics.push_back(text_of(one, key, place, true));
      else
        fabrics.push_back(text_of(node, key, place, true));
      if (q.fabric.empty()) q.fabric = fabrics;
    } else if (key == "model") {
      q.what = text_of(node, key, place, true);
    } else {
      q.keys.try_emplace(key, Setting{text_of(node, key, place), place});
    }
  }
  if (q.what.empty()) throw Error(ErrorKind::kInput, "the plan names no model", source, "Write model = \"gpt3-175b\".");
}

class Reader {
 public:
  explicit Reader(const PlanQuestion& q) : q_(q) {}

  const Setting* find(const std::string& key) const {
    const auto found = q_.keys.find(key);
    return found == q_.keys.end() ? nullptr : &found->second;
  }
  std::optional<double> number(const std::string& key, double least) const {
    const Setting* given = find(key);
    if (!given) return {};
    return one(*given, given->text, key, least);
  }
  template <class T>
  std::vector<T> numbers(const std::string& key, double least, double most, bool whole) const {
    std::vector<T> all;
    const Setting* given = find(key);
    if (!given) return all;
    for (const std::string& word : split(given->text, ',')) {
      const double value = one(*given, word, key, least);
      if (value > most || (whole && value != static_cast<double>(static_cast<long long>(value))))
        throw wrong(fmt::format("{}: '{}' is no {} up to {:g}", key, word, whole ? "whole number" : "number", most),
                    *given, "Write a list such as 1,2,4.");
      all.push_back(static_cast<T>(value));
    }
    return all;
  }
  std::vector<std::string> words(const std::string& key, char between, const std::vector<std::string>& legal) const {
    std::vector<std::string> all;
    const Setting* given = find(key);
    if (!given) return all;
    for (const std::string& word : split(without_blanks(given->text), between)) {
      if (std::ranges::find(legal, word) == legal.end()) throw unknown_name(key, word, legal, given->place);
      all.push_back(word);
    }
    return all;
  }
  std::optional<std::string> text(const std::string& key) const {
    const Setting* given = find(key);
    return given ? std::optional(given->text) : std::nullopt;
  }

  static double one(const Setting& at, const std::string& text, const std::string& key, double least) {
    double value = 0;
    try {
      value = parse_number(text);
    } catch (const Error& error) {
      throw error.at(at.place);
    }
    if (!(value >= least)) throw wrong(fmt::format("{}: '{}' is below {:g}", key, text, least), at, "Give more.");
    return value;
  }

 private:
  const PlanQuestion& q_;
};

}  // namespace

const std::vector<PlanKey>& plan_keys() {
  static const std::vector<PlanKey> keys = {
      {"npus", "how many NPUs; with map a list, with commas between"},
      {"npu", "of which kind: helio list npus; h100 when left out"},
      {"batch", "samples of an iteration over all replicas; two for each NPU when left out; with map a list"},
      {"injection",
       "what an NPU can send in all; that of the port of an NPU in a cluster when left out; own: as each "
       "fabric has it"},
      {"latency", "of a message on each link; 50 ns when left out; own: as each fabric has it"},
      {"overhead", "of each dependent step at its ends; 2 us when left out; own: as each fabric has it"},
      {"watts", "that the network may take at full load"},
      {"cost", "US dollars that the network may cost"},
      {"parts", "that the network may be made of"},
      {"tp", "tensor parallelism", true},
      {"pp", "pipeline stages", true},
      {"cp", "context parallelism: ranks that share a sequence; 1, 2, 4, 8 from 4096 tokens on when left out", true},
      {"ep", "expert parallelism", true},
      {"chunks", "model parts of a stage, interleaved", true},
      {"micro_batch", "samples that a stage works on at once", true},
      {"zero", "ZeRO stages", true},
      {"sequence_parallel", "0, 1 or both", true},
      {"recompute", "none, selective, full", true},
      {"rank_order", "orders of the ranks over the nodes, such as \"tp,dp,pp;tp,pp,dp\"", true},
      {"algorithm", "auto, the fastest for each class of traffic, when left out; usual"},
      {"runs", "that the engine makes at most; 60 when left out, 0: no limit"},
      {"time", "that the search takes at most, by the clock, such as \"60 s\"; no limit when left out"},
      {"threads", "that run candidates; all cores when left out"},
      {"switching",
       "parameters whose value at which another fabric wins is looked for, by runs: injection, latency, overhead, "
       "retune, hop_loss, npu_speed, batch, with commas between; all up to 64 NPUs when left out; none"},
      {"map", "npus,batch: who wins over both, which are lists then"},
  };
  return keys;
}

namespace {

// A question with all that it does not say.
struct Prepared {
  plan::PlanQuestion question;
  std::vector<std::string> defaults;
  std::vector<std::string> not_searched;
};

Prepared prepared(const PlanQuestion& q, const Setting& npus, const std::optional<Setting>& batch_given) {
  const Reader reader(q);
  Prepared made;
  std::vector<std::string>& defaults = made.defaults;

  // How many of what
  const auto count = static_cast<std::uint64_t>(
      Parameters("the plan", {{.name = "npus", .type = ParameterType::kInteger, .minimum = "1", .maximum = "1048576"}},
                 {{"npus", npus}})
          .integer("npus"));
  const Setting npu = reader.find("npu") ? *reader.find("npu") : Setting{kUsualNpu, "default"};
  if (!reader.find("npu")) defaults.push_back(fmt::format("npu {}", kUsualNpu));
  const double batch =
      batch_given ? Reader::one(*batch_given, batch_given->text, "batch", 1) : 2 * static_cast<double>(count);
  if (!batch_given) defaults.push_back(fmt::format("batch {:g}: two samples for each NPU", batch));
  std::optional<std::string> injection = reader.text("injection");
  if (!injection) {
    for (const Parameter& p : fabric::fabrics().at("cluster").description.parameters)
      if (p.name == "rate") injection = p.fallback;
    defaults.push_back(fmt::format("injection {}: the port of an NPU in a cluster", *injection));
  }

  // Every fabric with the job, its strategy open
  plan::PlanQuestion& question = made.question;
  question.batch = batch;
  question.fabrics.footing = footing_of(injection, reader.text("latency"), reader.text("overhead"), q.called);
  question.fabrics.as_it_is = injection == kOwn;
  question.fabrics.nodes_place = npus.place;
  const std::vector<NamedFabric> fabrics =
      fabrics_named(q.fabric.empty() ? plain_fabrics() : q.fabric, q.called("fabric"));
  for (const NamedFabric& fabric : fabrics) {
    pipeline::Draft draft;
    draft.source = q.place;
    draft.fabric["name"] = {fabric.name, q.called("fabric")};
    for (const Assignment& setting : fabric.settings) draft.fabric[setting.path] = {setting.value, q.called("fabric")};
    draft.fabric["nodes"] = npus;
    pipeline::JobBlock job{.place = q.place, .keys = {}, .tables = {}};
    job.keys["name"] = {"plan", q.place};
    job.keys["model"] = {q.what, q.place};
    job.keys["npu"] = npu;
    if (const Setting* algorithm = reader.find("algorithm")) job.keys["algorithm"] = *algorithm;
    draft.jobs.push_back(std::move(job));
    for (const Assignment& set : q.set) pipeline::set(draft, set.path, {set.value, q.called("set") + " " + set.path});
    question.fabrics.contenders.push_back({fabric.title(), pipeline::interpret(draft)});
  }

  // What is searched, and within what
  const std::vector<std::string> orders = {"tp,dp,pp", "tp,pp,dp", "dp,tp,pp", "dp,pp,tp", "pp,tp,dp", "pp,dp,tp"};
  question.space = {.tp = reader.numbers<int>("tp", 1, 1e6, true),
                    .pp = reader.numbers<int>("pp", 1, 1e6, true),
                    .cp = reader.numbers<int>("cp", 1, 1e6, true),
                    .ep = reader.numbers<int>("ep", 1, 1e6, true),
                    .chunks = reader.numbers<int>("chunks", 1, 1e4, true),
                    .zero = reader.numbers<int>("zero", 0, 3, true),
                    .micro_batch = reader.numbers<double>("micro_batch", 1e-3, 1e6, false),
                    .sequence_parallel = reader.numbers<int>("sequence_parallel", 0, 1, true),
                    .recompute = reader.words("recompute", ',', {"none", "selective", "full"}),
                    .rank_order = reader.words("rank_order", ';', orders)};
  question.limits = {reader.number("watts", 0), reader.number("cost", 0), reader.number("parts", 0)};
  question.space_place = q.place;
  for (const PlanKey& key : plan_keys())
    if (const Setting* given = reader.find(std::string(key.name)); given && key.list && question.space_place == q.place)
      question.space_place = given->place;
  for (const char* key : {"watts", "cost", "parts"})
    if (const Setting* limit = reader.find(key)) question.limits_place = limit->place;
  question.most_runs = static_cast<std::uint64_t>(reader.number("runs", 0).value_or(kUsualRuns));
  question.threads = static_cast<unsigned>(reader.number("threads", 1).value_or(0));
  if (const Setting* time = reader.find("time"))
    question.most_seconds =
        Parameters("the plan", {{.name = "time", .type = ParameterType::kTime, .minimum = "0 s"}}, {{"time", *time}})
            .time("time")
            .to_seconds();
  question.interrupted = q.interrupted;

  made.not_searched = {"parameters of fabrics other than those that make them alike",
                       "gpipe, unblocked sends, buckets other than 25 MiB, precisions other than bf16",
                       "sizes of NPU and batch, explicit maps of ranks, streaming"};
  if (q.fabric.empty())
    made.not_searched.insert(made.not_searched.begin(), "fabrics that need a file or levels: graph, composite");
  return made;
}

// Parameters that are to be turned; none: what is usual.
std::optional<std::vector<std::string>> switching_of(const Reader& reader) {
  if (!reader.find("switching")) return {};
  std::vector<std::string> legal = plan::dial_names();
  std::erase(legal, "bytes");
  return switching_named(reader.find("switching")->text, legal, reader.find("switching")->place);
}

pipeline::ModelPlan one_plan(const PlanQuestion& q, const Setting& npus, const std::optional<Setting>& batch,
                             const Watch& watch) {
  const std::optional<std::vector<std::string>> switching = switching_of(Reader(q));
  Prepared made = prepared(q, npus, batch);
  const plan::PlanQuestion& question = made.question;
  pipeline::ModelPlan found =
      plan::plan_model(question, watch.run_options(), [&](std::size_t at, std::size_t of, const std::string& words) {
        watch.begin(at, question.most_runs > 0 ? std::min<std::size_t>(of, question.most_runs) : of, words);
      });
  if (switching ? !switching->empty() : found.npus <= kMostNpusTurned)
    plan::seek_switching(question, switching.value_or(std::vector<std::string>{}), watch.run_options(), found);
  else if (!switching)
    made.not_searched.insert(made.not_searched.begin(),
                             fmt::format("switching values, unasked on more than {} NPUs", kMostNpusTurned));
  found.defaults = std::move(made.defaults);
  found.not_searched = std::move(made.not_searched);
  return found;
}

// A list of rising values of one key.
std::vector<Setting> rising(const PlanQuestion& q, const Reader& reader, const std::string& key) {
  const Setting* given = reader.find(key);
  if (!given)
    throw Error(ErrorKind::kUsage, fmt::format("a map needs a list of {}", key), q.called(key),
                fmt::format("Give {} 64,256,1024.", q.called(key)));
  std::vector<Setting> list;
  double before = 0;
  for (const double value : reader.numbers<double>(key, 1, 1e9, key == "npus")) {
    if (value <= before)
      throw wrong(fmt::format("{}: '{}' is no list of rising values", key, given->text), *given, "Write 64,256,1024.");
    list.push_back({fmt::format("{:.17g}", before = value), given->place});
  }
  return list;
}

pipeline::ModelMap map_of(const PlanQuestion& q, const Reader& reader, const Watch& watch) {
  const std::vector<Setting> npus = rising(q, reader, "npus"), batches = rising(q, reader, "batch");
  std::vector<Prepared> made;
  for (const Setting& count : npus)
    for (const Setting& batch : batches) made.push_back(prepared(q, count, batch));
  std::vector<plan::PlanQuestion> cells;
  for (Prepared& one : made) cells.push_back(one.question);
  std::vector<double> columns;
  for (const Setting& batch : batches) columns.push_back(parse_number(batch.text));
  pipeline::ModelMap map =
      plan::map_model(cells, columns, watch.run_options(),
                      [&](std::size_t cell, const std::string& words) { watch.begin(cell, cells.size(), words); });
  map.defaults = std::move(made.front().defaults);
  map.not_searched = std::move(made.front().not_searched);
  map.not_searched.insert(map.not_searched.begin(), "switching values of a map");
  return map;
}

}  // namespace

Planned plan(const PlanQuestion& asked, const Watch& watch) {
  PlanQuestion q = asked;
  if (std::filesystem::is_regular_file(q.what) &&
      read_text(q.what, q.place, "plan", kPage).find("[plan]") != std::string::npos)
    read_file(q);
  const Reader reader(q);
  if (const Setting* map = reader.find("map")) {
    if (without_blanks(map->text) != kMapOfModels) throw unknown_name("map", map->text, {kMapOfModels}, map->place);
    return map_of(q, reader, watch);
  }
  const Setting* npus = reader.find("npus");
  if (!npus)
    throw Error(ErrorKind::kUsage, "a plan needs a number of NPUs", q.called("npus"),
                fmt::format("Give {} N.", q.called("npus")));
  const Setting* batch = reader.find("batch");
  return one_plan(q, *npus, batch ? std::optional(*batch) : std::nullopt, watch);
}

}  // namespace helio::ask
