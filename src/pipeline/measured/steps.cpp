// SPDX-License-Identifier: Apache-2.0
// Steps of training as MLPerf's logs, Megatron-Bridge and TPU recipes tell them: each row becomes a job of model `decoder`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/split.h"
#include "pipeline/measured/row_kind.h"
#include "placement/npu.h"

namespace helio::pipeline {
namespace {

// Where such NPUs stand: so many on one NVLink-class switch, with links and NICs as the cluster of that NPU has them (cluster_sets.h);
// 0: on a torus. A rate in place of theirs: Gb/s, one direction.
struct Surroundings {
  const char* npu;
  std::uint64_t joined;
  const char* links;
  double rate = 0;
};
constexpr Surroundings kSurroundings[] = {
    {"a100-80", 8, "a100-80"},
    {"h100", 8, "h100"},
    {"h200", 8, "h200"},
    {"b200", 8, "b200"},
    {"b300", 8, "b300"},
    {"gb200", 72, "gb200"},
    {"gb300", 72, "gb300"},
    {"mi300x", 8, "mi300x"},
    {"mi325x", 8, "mi325x"},
    {"mi350x", 8, "mi325x", 4300},
    {"mi355x", 8, "mi325x", 4300},  // 7 links of 76.8 GB/s (recalled)
    // 100 GB/s a link each way (Google Cloud, bandwidth between chips: 1200, 800 and 1200 GB/s both ways over 6, 4 and 6 links; recalled)
    {"tpu-v5p", 0, "", 800},
    {"tpu-v6e", 0, "", 800},
    {"tpu-7x", 0, "", 800},
};

// What a model's name says beyond its row.
struct ModelFacts {
  const char* prefix;
  bool gated;
  std::uint64_t window, window_every, query_rank, key_rank, rotary_size, value_size;
};
constexpr ModelFacts kModels[] = {
    {"deepseek-v3", true, 0, 0, 1536, 512, 64, 128},  // DeepSeek-V3, 2024, section 4.2
    {"gpt-oss", true, 128, 2, 0, 0, 0, 0},            // every second layer has a window
    {"gemma3", true, 1024, 6, 0, 0, 0, 0},            // five of six
    {"gpt3", false, 0, 0, 0, 0, 0, 0},
};

// Megatron-Bridge deals the blocks of these out by hand: [embedding, 4 blocks], [4 blocks] …, [1 block, further token, loss]
// (set_deepseek_v3_pipeline_model_parallel_layout, and the like for the others).
constexpr std::string_view kLightEnds[] = {"deepseek-v3", "kimi-k2", "moonlight"};

// Policies that keep what is dear and compute the rest again: so much of the operations; fitted on TPU rows.
constexpr const char* kCustomShare = "0.42";

// NPUs beyond which replicas are written down as one cell: below, the engine finds soon enough that they are alike.
constexpr std::uint64_t kMany = 256;

std::string software_of(const MeasuredRow& row) {
  const std::string source = row.words("source");
  if (source.find("tpu-recipes") != std::string::npos) return "maxtext";
  if (source.find("mlcommons") != std::string::npos) return "mlperf-5";
  constexpr std::string_view kBridge = "Megatron-Bridge ";
  const auto at = source.find(kBridge);
  if (at == std::string::npos) throw row.refused(fmt::format("what trained is not known: '{}'", source));
  const std::string release = source.substr(at + kBridge.size(), 5);
  return release == "26.08" ? "megatron-26.06" : "megatron-" + release;
}

// Extents of a torus: as the source names it ("4x8x8"), or the squarest.
std::string torus_of(const MeasuredRow& row, std::uint64_t chips, int dimensions) {
  for (const std::string& word : split(row.words("source"), '-')) {
    const auto extents = split(word, 'x');
    std::uint64_t product = extents.size() > 1 ? 1 : 0;
    for (const std::string& extent : extents) {
      const bool digits =
          !extent.empty() && extent.size() < 5 && extent.find_first_not_of("0123456789") == std::string::npos;
      product *= digits ? std::stoull(extent) : 0;
    }
    if (product == chips) return word;
  }
  std::string text;
  for (int d = dimensions; d > 0; --d) {
    auto side = static_cast<std::uint64_t>(std::llround(std::pow(static_cast<double>(chips), 1.0 / d)));
    while (chips % side != 0) --side;
    text += fmt::format("{}{}", text.empty() ? "" : "x", side);
    chips /= side;
  }
  return text;
}

// One row on its way to a draft.
class Reader {
 public:
  explicit Reader(const MeasuredRow& row)
      : row_(row),
        place_(row.place()),
        npu_(npu_named(row.words("gpu"))),
        model_(row.words("model")),
        precision_(row.words("precision")),
        gpus_(static_cast<std::uint64_t>(row.number("gpus"))) {
    const auto found = std::ranges::find_if(kSurroundings, [&](const Surroundings& s) { return npu_ == s.npu; });
    if (found == std::end(kSurroundings))
      throw row.refused(fmt::format("no such GPU is known: '{}'", row.words("gpu")));
    around_ = found;
  }

  MeasuredCase read() {
    MeasuredCase found;
    found.what = fmt::format("{} on {} {}, {}, tp {} pp {} cp {} ep {}, batch {}/{}", model_, gpus_, row_.words("gpu"),
                             precision_, whole("tp"), whole("pp"), whole("cp"), whole("ep"), whole("global_batch"),
                             whole("micro_batch"));
    found.groups = {tpu() ? "TPU" : mixture() ? "mixtures" : "dense", row_.words("gpu"), precision_, software_of(row_)};
    found.measured_s = row_.measured("step_s");
    check_peak(found.measured_s);
    found.draft.source = row_.source();
    set_fabric(found.draft.fabric);
    JobBlock job{.place = place_, .keys = {}, .tables = {}};
    set(job.keys, "name", fmt::format("line {}", row_.line()));
    set(job.keys, "model", "decoder");
    set(job.keys, "npu", npu_);
    set(job.tables["npu_parameters"], "memory", "1 PB");  // it ran, so it fitted
    set(job.tables["compute"], "software", software_of(row_));
    set_shape(job.tables["model_parameters"]);
    set_strategy(job.keys);
    // Along all dimensions of a torus at once, as TPUs do; one ring would use one link of six
    if (tpu() && number("tp") == 1) set(job.tables["algorithm"], "dp", "dimension-ordered");
    found.draft.jobs.push_back(std::move(job));
    return found;
  }

 private:
  bool tpu() const { return around_->joined == 0; }
  bool mixture() const { return number("experts", 0) > 0; }
  bool light_end() const {
    return std::ranges::any_of(kLightEnds, [&](std::string_view name) { return model_.starts_with(name); });
  }
  bool predicts_more() const { return model_.ends_with("-mtp"); }
  double number(std::string_view column, double fallback = 1) const {
    return row_.has(column) ? row_.number(column) : fallback;
  }
  std::string whole(std::string_view column, double fallback = 1) const {
    return fmt::format("{:.0f}", number(column, fallback));
  }
  void set(Settings& settings, const char* key, std::string text) const { settings[key] = {std::move(text), place_}; }

  // Nothing is faster than its units: such a row had another precision than it says.
  void check_peak(double seconds) const {
    const auto& entry = placement::npus().at(npu_, place_);
    const placement::Npu npu = entry.factory(placement::npus().resolve(entry, {}));
    const double flops = number("active_params", 0) * (row_.text("recompute") == "full" ? 8 : 6);
    const double peak = npu.peak(placement::precision_named(precision_, place_)) * static_cast<double>(gpus_);
    const double share = flops * number("global_batch") * number("seq") / peak / seconds;
    if (share > 1)
      throw row_.refused(
          fmt::format("{} s would be {:.0f} % of the chips' peak in {}: another precision than the row says",
                      row_.text("step_s"), 100 * share, precision_));
  }

  void set_fabric(Settings& fabric) const {
    set(fabric, "name", tpu() ? "torus" : "cluster");
    if (around_->rate > 0) set(fabric, "rate", fmt::format("{} Gb/s", around_->rate));
    if (tpu()) return set(fabric, "dimensions", torus_of(row_, gpus_, npu_ == "tpu-v6e" ? 2 : 3));
    set(fabric, "npu", around_->links);
    set(fabric, "nodes", fmt::format("{}", gpus_));
    std::uint64_t joined = std::min<std::uint64_t>(gpus_, around_->joined);
    while (gpus_ % joined != 0) --joined;  // of a domain of 72 only 64 work where degrees are powers of two
    set(fabric, "npus_per_node", fmt::format("{}", joined));
    set(fabric, "nics", fmt::format("{}", joined));
  }

  void set_shape(Settings& shape) const {
    const double heads = number("heads");
    for (const char* key : {"layers", "hidden", "heads"}) set(shape, key, whole(key));
    set(shape, "kv_heads", whole("kv_heads", heads));
    set(shape, "head_size", whole("head_dim", number("hidden") / heads));
    set(shape, "feed_forward", whole("ffn", 4 * number("hidden")));
    set(shape, "vocabulary", whole("vocab", 32000));
    set(shape, "sequence", whole("seq"));
    if (mixture()) {
      set(shape, "experts", whole("experts"));
      set(shape, "top_k", whole("topk"));
      set(shape, "expert_feed_forward", whole("moe_ffn", 0));
      set(shape, "shared_experts", whole("shared_experts", 0));
      set(shape, "dense_layers", whole("dense_layers", 0));
    }
    if (predicts_more()) set(shape, "predictions", "2");
    for (const ModelFacts& facts : kModels) {
      if (!model_.starts_with(facts.prefix)) continue;
      set(shape, "gated", facts.gated ? "true" : "false");
      const std::pair<const char*, std::uint64_t> sizes[] = {
          {"window", facts.window},     {"window_every", facts.window_every}, {"query_rank", facts.query_rank},
          {"key_rank", facts.key_rank}, {"rotary_size", facts.rotary_size},   {"value_size", facts.value_size}};
      for (const auto& [key, value] : sizes) set(shape, key, fmt::format("{}", value));
    }
  }

  void set_strategy(Settings& keys) const {
    for (const char* key : {"tp", "pp", "cp", "ep", "global_batch", "micro_batch"}) set(keys, key, whole(key));
    if (mixture()) set(keys, "etp", whole("etp"));
    if (number("tp") > 1) set(keys, "sequence_parallel", "true");
    if (number("vp") > 1) {
      set(keys, "schedule", "interleaved");
      set(keys, "chunks", whole("vp"));
      set(keys, "blocking_sends", "false");
    }
    const double blocks = number("layers") + (predicts_more() ? 1 : 0);
    if (std::fmod(blocks, number("pp") * number("vp")) != 0) set(keys, "ends_count", light_end() ? "light" : "true");
    set(keys, "zero", whole("zero"));
    if (number("zero") == 1) {
      set(keys, "gather_ahead", "true");
      set(keys, "gradient_precision", "fp32");  // ours: sums of gradients in 32 bits meet more of the rows
    }
    set(keys, "precision", precision_);
    if (gpus_ > kMany) set(keys, "lock_step", "true");
    const std::string_view recompute = row_.text("recompute");
    if (recompute.empty() || recompute == "none") return;
    set(keys, "recompute", "full");
    if (recompute != "full") set(keys, "recompute_share", kCustomShare);
  }

  const MeasuredRow& row_;
  std::string place_, npu_, model_, precision_;
  std::uint64_t gpus_;
  const Surroundings* around_ = nullptr;
};

}  // namespace

RowKind steps_of_training() {
  const auto column = [](const char* name, const char* meaning) { return RowKind::Column{name, meaning}; };
  const auto words = [](const char* name, const char* meaning) { return RowKind::Column{name, meaning, false}; };
  return {
      .name = "training steps",
      .measures = "steps of training",
      .needed = {words("model", "its name"), column("layers", "of the model"), column("hidden", "its width"),
                 column("heads", "of attention"), column("seq", "tokens of a sample"), words("gpu", "what trains"),
                 column("gpus", "how many"), column("tp", "tensor parallelism"), column("pp", "pipeline parallelism"),
                 column("global_batch", "samples of a step"), column("micro_batch", "samples at once"),
                 words("precision", "of the large products"), words("source", "the release that trained"),
                 column("step_s", "seconds, as measured")},
      .optional = {column("kv_heads", "of keys and values"), column("head_dim", "columns of a head"),
                   column("ffn", "columns of a dense feed-forward"), column("vocab", "words"),
                   column("cp", "context parallelism"), column("vp", "model chunks of a stage"),
                   column("ep", "expert parallelism"), column("etp", "ranks that share an expert"),
                   column("zero", "1: optimiser divided; 3: parameters"), column("experts", "of a block"),
                   column("topk", "experts of a token"), column("moe_ffn", "columns of an expert"),
                   column("shared_experts", "of a block"), column("dense_layers", "first blocks without experts"),
                   column("active_params", "that a token meets"), words("recompute", "none, full or a policy")},
      .fitted_on = {"training_steps.csv: mixture_overhead of each release, and what each NPU reaches in a precision"},
      .constants = {"job.compute.matrix_efficiency", "job.compute.attention_efficiency", "job.compute.kernel_gap",
                    "job.compute.loss_traffic"},
      .left_out = "model",
      .read = [](const MeasuredRow& row) { return Reader(row).read(); }};
}

}  // namespace helio::pipeline
