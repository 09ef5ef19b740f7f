// SPDX-License-Identifier: Apache-2.0
#include "plan/ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/split.h"

namespace helio::plan {
namespace {

using placement::Strategy;

constexpr const char* kRecompute[] = {"none", "selective", "full"};
constexpr std::uint64_t kMostTensor = 64, kMostStages = 128, kMostExperts = 64, kMostContext = 8;
constexpr std::uint64_t kLongSequence = 4096;  // tokens, from which sequences are shared, too

template <class T>
std::vector<T> or_usual(const std::vector<T>& given, std::vector<T> usual) {
  return given.empty() ? std::move(usual) : given;
}

std::vector<int> divisors(std::uint64_t n, std::uint64_t most) {
  std::vector<int> all;
  for (std::uint64_t d = 1; d <= std::min(n, most); ++d)
    if (n % d == 0) all.push_back(static_cast<int>(d));
  return all;
}

std::vector<int> powers_of_two(std::uint64_t most) {
  std::vector<int> all;
  for (std::uint64_t d = 1; d <= most; d *= 2) all.push_back(static_cast<int>(d));
  return all;
}

std::uint64_t experts_of(const workload::Workload& model) {
  std::uint64_t experts = 0;
  for (const workload::Layer& layer : model.layers) experts = std::max(experts, layer.experts);
  return experts;
}

}  // namespace

Ways::Ways(const StrategySpace& space, const workload::Workload& model, const Strategy& base, std::uint64_t npus,
           double batch)
    : model_(model), base_(base), npus_(npus), batch_(batch) {
  const std::uint64_t heads = model.attention_heads, experts = experts_of(model);
  const bool shares_sequences = heads > 0 && model.tokens >= kLongSequence;
  tp_ = or_usual(space.tp, heads > 0 ? divisors(heads, kMostTensor) : std::vector<int>{1});
  pp_ = or_usual(space.pp, divisors(npus, std::min(model.depth(), kMostStages)));
  cp_ = or_usual(space.cp, shares_sequences ? powers_of_two(kMostContext) : std::vector<int>{1});
  ep_ = or_usual(space.ep, experts > 0 ? divisors(experts, kMostExperts) : std::vector<int>{1});
  chunks_ = or_usual(space.chunks, {1, 2, 3, 4, 6, 8});
  zero_ = or_usual(space.zero, {0, 1, 2, 3});
  micro_batch_ = or_usual(space.micro_batch, {1, 2, 4, 8});
  sequence_parallel_ = or_usual(space.sequence_parallel, {0, 1});
  orders_ = or_usual(space.rank_order, std::vector<std::string>{"tp,dp,pp", "tp,pp,dp"});
  for (const std::string& name : or_usual(space.recompute, std::vector<std::string>{"none", "selective", "full"}))
    recompute_.push_back(static_cast<placement::Recompute>(std::ranges::find(kRecompute, name) - kRecompute));
}

bool Ways::divides(const Strategy& s) const {
  const auto tp = static_cast<std::uint64_t>(s.tp);
  if (static_cast<std::uint64_t>(s.pp) > model_.depth()) return false;
  if (tp > 1 && (model_.attention_heads == 0 || (model_.attention_heads % tp != 0 && !s.uneven))) return false;
  if (s.cp > 1 && model_.attention_heads == 0) return false;
  if (s.ep > 1 && (experts_of(model_) == 0 || experts_of(model_) % static_cast<std::uint64_t>(s.ep) != 0)) return false;

  // As placement::strategy_from wants experts to lie over the other ranks
  if (s.tp % s.of_expert() != 0) return false;
  if (s.of_expert() == s.tp && s.replicas() % s.ep != 0) return false;
  return s.tp % s.expert_ranks() == 0 || (s.expert_ranks() % s.tp == 0 && s.replicas() % s.block() == 0);
}

void Ways::each(const Take& take, const Take& within) const {
  for (const int t : tp_)
    for (const int p : pp_)
      for (const int c : cp_)
        for (const int e : ep_) {
          const auto cell =
              static_cast<std::uint64_t>(t) * static_cast<std::uint64_t>(p) * static_cast<std::uint64_t>(c);
          if (npus_ % cell != 0) continue;
          Strategy s = base_;
          s.tp = t, s.pp = p, s.cp = c, s.ep = e;
          s.dp = static_cast<int>(npus_ / cell);
          if (!divides(s)) continue;
          take(s);
          for (const double m : micro_batch_) spread(s, m, within);
        }
}

void Ways::spread(Strategy s, double m, const Take& within) const {
  const double each = batch_ / m / s.dp;
  if (each < 1 || each != std::floor(each) || each > 1e6) return;
  s.micro_batch = m;
  s.micro_batches = static_cast<std::uint64_t>(each);
  for (const int v : chunks_) {
    if (v > 1 && (s.pp == 1 || s.micro_batches % static_cast<std::uint64_t>(s.pp) != 0 ||
                  static_cast<std::uint64_t>(v) * static_cast<std::uint64_t>(s.pp) > model_.depth()))
      continue;
    s.chunks = v;
    s.order = v > 1                                                   ? placement::PipelineOrder::kInterleaved
              : base_.order == placement::PipelineOrder::kInterleaved ? placement::PipelineOrder::k1f1b
                                                                      : base_.order;
    for (const int q : sequence_parallel_) {
      if (q && s.tp == 1) continue;
      s.sequence_parallel = q != 0;
      for (const placement::Recompute r : recompute_) {
        s.recompute = r;
        for (const int z : zero_) {
          if (base_.gather_ahead ? z != 1 && z != 2 : z > 0 && s.replicas() == 1) continue;
          s.zero = z;
          within(s);
        }
      }
    }
  }
}

Strategy Ways::ordered(Strategy strategy, std::size_t order) const {
  strategy.rank_order.clear();
  for (const std::string& name : split(orders_[order], ','))
    strategy.rank_order.push_back(name == "tp" ? 0 : name == "dp" ? 1 : 2);
  return strategy;
}

bool Ways::same_as_before(std::size_t order, const Strategy& s) const {
  const auto effective = [&](const std::string& text) {
    std::string left;
    for (const std::string& name : split(text, ','))
      if ((name == "tp" ? s.tp : name == "dp" ? s.replicas() : s.pp) > 1) left += name;
    return left;
  };
  for (std::size_t k = 0; k < order; ++k)
    if (effective(orders_[k]) == effective(orders_[order])) return true;
  return false;
}

Settings Ways::settings_of(const Way& way, Settings job) const {
  const Strategy& s = way.strategy;
  const auto set = [&](const char* name, std::string text) { job[name] = {std::move(text), "plan"}; };
  set("tp", fmt::format("{}", s.tp));
  set("pp", fmt::format("{}", s.pp));
  set("cp", fmt::format("{}", s.cp));
  set("dp", fmt::format("{}", s.dp));
  set("ep", fmt::format("{}", s.ep));
  set("micro_batch", fmt::format("{}", s.micro_batch));
  set("micro_batches", fmt::format("{}", s.micro_batches));
  set("sequence_parallel", s.sequence_parallel ? "true" : "false");
  set("zero", fmt::format("{}", s.zero));
  set("recompute", kRecompute[static_cast<int>(s.recompute)]);
  set("rank_order", orders_[way.order]);
  set("chunks", fmt::format("{}", s.chunks));
  if (s.chunks > 1)
    set("schedule", "interleaved");
  else if (base_.order == placement::PipelineOrder::kInterleaved)
    set("schedule", "1f1b");
  return job;
}

std::string Ways::in_words(const Way& way) const {
  const Strategy& s = way.strategy;
  std::string words = fmt::format("tp={} pp={}", s.tp, s.pp);
  if (s.cp > 1) words += fmt::format(" cp={}", s.cp);
  words += fmt::format(" dp={}", s.dp);
  if (s.ep > 1) words += fmt::format(" ep={}", s.ep);
  words += fmt::format(" micro_batch={:g}x{}", s.micro_batch, s.micro_batches);
  if (s.chunks > 1) words += fmt::format(" chunks={}", s.chunks);
  if (s.sequence_parallel) words += " sequence_parallel";
  if (s.zero > 0) words += fmt::format(" zero={}", s.zero);
  if (s.recompute != placement::Recompute::kNone)
    words += fmt::format(" recompute={}", kRecompute[static_cast<int>(s.recompute)]);
  return words + " order=" + orders_[way.order];
}

}  // namespace helio::plan
