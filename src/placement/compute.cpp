// SPDX-License-Identifier: Apache-2.0
#include "placement/compute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "base/error.h"
#include "base/units.h"

namespace helio::placement {
namespace {

using workload::Exchange;
using workload::Kernel;
using workload::KernelKind;
using workload::Layer;
using workload::Share;

// A matrix kernel as one rank runs it.
struct Product {
  double batch = 1, rows = 0, columns = 0, inner = 0;
  bool wide = false;     // in 16 bits, whatever the precision of products
  bool grouped = false;  // one for each expert that the rank holds
  bool winograd = false;

  double flops() const { return 2 * batch * rows * columns * inner; }
  double elements() const { return batch * (rows * inner + inner * columns + rows * columns); }
  double weights() const { return batch * inner * columns; }
};

// The kernels of a layer, as one rank of a division sees them.
class RankShare {
 public:
  RankShare(const Layer& layer, const Division& division, const ComputeConstants& constants)
      : layer_(layer), division_(division), constants_(constants) {
    assert(division.samples > 0 && division.tp >= 1 && division.ep >= 1 &&
           "a division has at least one rank and some samples");
    bool with_experts = false;
    double heads = 0;
    for (const Kernel& kernel : layer.kernels) {
      products_.push_back(kernel.kind == KernelKind::kMatrix ? product_of(kernel, with_experts) : Product{});
      of_mixture_.push_back(with_experts || kernel.exchange == Exchange::kDispatch);
      if (kernel.exchange == Exchange::kDispatch) with_experts = true;
      if (kernel.exchange == Exchange::kCombine) with_experts = false;

      // A softmax is fused when the products of heads before it are as many as its kernel wants.
      const bool of_heads = kernel.share == Share::kBatch && !kernel.weighted;
      if (of_heads && kernel.kind == KernelKind::kMatrix) {
        if (heads == 0) fused_ = fuses_attention(kernel.columns, constants);
        heads = products_.back().batch;
        if (core_flops_ == 0) core_scores_ = heads * kernel.rows * kernel.columns * kernel.visible;
        core_flops_ += products_.back().flops() * kernel.visible;
        const Product& p = products_.back();  // its scores, the largest of the three matrices, stay within the kernel
        core_elements_ +=
            p.elements() - p.batch * std::max({p.rows * p.inner, p.inner * p.columns, p.rows * p.columns});
        if (first_of_core_ == kNone) first_of_core_ = products_.size() - 1;
      }
      unfused_.push_back(of_heads && kernel.kind == KernelKind::kMemory && heads > 0 && constants.fused_batch > 0 &&
                         std::fmod(heads, constants.fused_batch) != 0);
    }
  }

  std::size_t size() const { return products_.size(); }
  const Kernel& kernel(std::size_t i) const { return layer_.kernels[i]; }
  const Product& product(std::size_t i) const { return products_[i]; }
  bool attention_core(std::size_t i) const { return kernel(i).share == Share::kBatch && !kernel(i).weighted; }
  // Kernels of a fused attention: all of it stands in the place of the first.
  bool fused(std::size_t i) const { return fused_ && attention_core(i); }
  bool fuses() const { return fused_; }
  bool first_of_core(std::size_t i) const { return i == first_of_core_; }
  double core_flops() const { return core_flops_; }
  // The operations that would take as long with heads of 128: exponentials go with scores, of which narrow heads have more for each.
  double core_work() const {
    constexpr double kUsualHead = 128;
    return core_flops_ + constants_.score_share * (4 * kUsualHead * core_scores_ - core_flops_);
  }
  double core_elements() const { return core_elements_; }
  double token_elements() const { return layer_.output_elements; }  // of one sample
  double experts_held() const { return std::max(1.0, static_cast<double>(layer_.experts) / division_.ep); }
  double issued(std::size_t i) const {
    return unfused_[i] ? 1 + constants_.unfused_kernels : 1;
  }                                       // kernels in its place
  double elements(std::size_t i) const {  // of a memory kernel
    const double overhead = of_mixture_[i] ? constants_.mixture_overhead : constants_.kernel_traffic;
    return kernel(i).elements * division_.samples / parts(kernel(i).share) * overhead *
           (kernel(i).loss ? constants_.loss_traffic : 1) * (unfused_[i] ? constants_.unfused_traffic : 1);
  }

 private:
  double parts(Share share) const {
    if (share == Share::kWhole) return 1;
    if (share == Share::kSequence) return division_.sequence_parallel ? division_.tp : 1;
    return division_.tp;
  }

  // Ranks that share experts bring their tokens to each other, so a rank's rows stay as many on average; they are spread over
  // the experts that it holds, each with weights of its own.
  Product product_of(const Kernel& kernel, bool of_experts) const {
    Product p{kernel.batch, kernel.rows, kernel.columns, kernel.inner};
    p.wide = kernel.wide || !kernel.weighted;
    p.winograd = kernel.winograd;
    (kernel.rows_grow ? p.rows : p.batch) *= division_.samples;
    double divisor = parts(kernel.share);
    if (of_experts && kernel.weighted && division_.of_expert() < division_.tp) {  // then it divides the tokens
      p.rows /= static_cast<double>(division_.tp) / division_.of_expert();
      divisor = division_.of_expert();
    }
    switch (kernel.share) {
      case Share::kWhole: break;
      case Share::kSequence: p.rows /= divisor; break;
      case Share::kColumns: p.columns /= divisor; break;
      case Share::kInner: p.inner /= divisor; break;
      case Share::kBatch: p.batch /= divisor; break;
    }
    if (of_experts && kernel.weighted) {
      p.grouped = true;
      p.batch *= experts_held();
      p.rows /= experts_held();
    }
    return p;
  }

  const Layer& layer_;
  const Division& division_;
  const ComputeConstants& constants_;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<Product> products_;
  std::vector<bool> unfused_, of_mixture_;
  bool fused_ = false;
  std::size_t first_of_core_ = kNone;
  double core_flops_ = 0, core_scores_ = 0,
         core_elements_ = 0;  // of attention: what the mask leaves; queries, keys, values and results
};

// Waiting for n ranks: in proportion up to eight, as far as it was measured, and with the logarithm from there on.
double ranks_waited_for(int ranks) {
  constexpr int kMeasured = 8;
  if (ranks <= kMeasured) return ranks - 1;
  return kMeasured - 1 + std::log2(static_cast<double>(ranks) / kMeasured);
}

// What one pass through one layer may take: passes without number still add up on the clock.
constexpr double kLongestPass = 1e6;

Time device_time(double seconds) {
  if (seconds <= kLongestPass) return Time::seconds(seconds);
  throw Error(ErrorKind::kInfeasible,
              fmt::format("one pass through a layer takes {:.3g} s on this NPU, and {:.0e} s are the most", seconds,
                          kLongestPass),
              "",
              "Raise npu_parameters.peak and npu_parameters.memory_bandwidth, or the shares of them that are reached: "
              "compute.matrix_efficiency, compute.memory_efficiency, compute.utilisation");
}

// Adds up kernels to pieces and the host's work, as a layer goes on.
class Chain {
 public:
  Chain(const Division& division, const Npu& npu, Precision precision, const ComputeConstants& constants)
      : division_(division),
        constants_(constants),
        element_bytes_(stored_bytes_of(precision)),
        operand_bytes_(bytes_of(precision)),
        fp32_(precision == Precision::kFp32),
        peak_(npu.peak(precision)),
        peak_16_(below_16_bits(precision) ? npu.peak_16() : peak_),
        bytes_(npu.memory_bandwidth * constants.memory_efficiency),
        gap_(constants.kernel_gap.to_seconds()) {
    assert(npu.peak(precision) > 0 && "the caller knows that the NPU has this precision");
    const auto reached = [&](Precision of) {
      return constants.matrix_efficiency > 0 ? constants.matrix_efficiency : npu.reached(of);
    };
    operations_ = peak_ * reached(precision);
    operations_16_ = peak_16_ * reached(below_16_bits(precision) ? Precision::kBf16 : precision);
  }

  double traffic(double elements) const { return elements * element_bytes_ / bytes_ + gap_; }
  // `inner`: what is summed over; forward it is the product's own, backward one of the others.
  double time_of(const Product& p, double inner) const {
    const bool narrow = !p.wide && operand_bytes_ < element_bytes_;
    double seconds = p.flops() / (p.wide ? operations_16_ : operations_);
    seconds *= 1 + constants_.tile_fill * (p.wide ? 1 : peak_ / peak_16_) / std::max(inner, 1.0);
    if (p.winograd && fp32_) seconds /= constants_.winograd;
    if (p.grouped) seconds *= constants_.mixture_overhead / constants_.grouped_efficiency;
    if (!narrow) return seconds + traffic(p.elements());
    const double operands = p.elements() - p.batch * p.rows * p.columns;
    const double quantised = p.batch * p.rows * p.inner * constants_.quantised_bytes;
    return seconds + (operands * operand_bytes_ + quantised) / bytes_ + traffic(p.batch * p.rows * p.columns);
  }
  double attention(double flops, double elements) const {
    return flops / (peak_16_ * constants_.attention_efficiency) + traffic(elements);
  }

  // Of what follows, so much is done (recomputation of a part).
  void scale(double share) { share_ = share; }
  void compute(double seconds) { open_ += seconds * share_; }
  void count(double flops) { work_.flops += flops * share_; }
  void issue(double kernels, Time launch) { host_ += kernels * launch.to_seconds() * share_; }

  bool exchanges(Exchange exchange) const { return ranks(exchange) > 1; }
  // Ends a piece. Requires: exchanges(exchange).
  void exchange(Exchange exchange, double elements, Time launch, double beside = 0) {
    work_.pieces.push_back(
        {device_time(open_), exchange, elements * share_, device_time(beside * share_ * (1 + constants_.contention))});
    open_ = 0;
    host_ += launch.to_seconds() * share_;
    skew_ += constants_.exchange_skew.to_seconds() * ranks_waited_for(ranks(exchange)) * share_;
  }

  Work finish() {
    if (open_ > 0 || work_.pieces.empty()) work_.pieces.push_back({device_time(open_)});
    work_.host = Time::seconds(host_);
    work_.skew = Time::seconds(skew_);
    return std::move(work_);
  }

 private:
  int ranks(Exchange exchange) const {
    switch (exchange) {
      case Exchange::kNone: return 1;
      case Exchange::kReduce: return division_.tp;
      case Exchange::kContext: return division_.cp;
      case Exchange::kDispatch:
      case Exchange::kCombine: return division_.ep;
    }
    return 1;
  }

  const Division& division_;
  const ComputeConstants& constants_;
  double element_bytes_, operand_bytes_;
  bool fp32_;
  double peak_, peak_16_, operations_ = 0, operations_16_ = 0, bytes_, gap_;
  double open_ = 0, host_ = 0, skew_ = 0;  // seconds: of the piece not yet ended; of the host
  double share_ = 1;
  Work work_;
};

// Elements that go to experts or come back, for all samples: k copies of a token, or one for each of n groups of ranks that has one of
// its k experts: n (1 - (1 - 1/n)^k) on average, if experts are chosen evenly. Where all ranks are in one server, those alone that nothing
// hides.
double dispatched_elements(const RankShare& share, const Kernel& kernel, const Division& division,
                           const ComputeConstants& constants) {
  const double all = kernel.exchange_elements * division.samples;
  const double k = kernel.exchange_elements / share.token_elements(), n = division.expert_groups;
  const double open = division.expert_groups == division.ep ? constants.experts_exposed : 1;
  if (division.expert_groups < 2 || !(k > 1)) return all * open;
  return all * open * std::min(1.0, n * (1 - std::pow(1 - 1 / n, k)) / k);
}

// Elements of keys and values that a rank lacks and the others have, or their gradients; whole sequences, for all samples.
double context_elements(const Kernel& kernel, const Division& division) {
  return kernel.exchange_elements * division.samples * division.cp;
}

// Whether ranks have partial sums of a product to add: not of experts that are not divided.
bool reduces(const Chain& chain, const Kernel& kernel, const Product& product, const Division& division) {
  return kernel.exchange == Exchange::kReduce && chain.exchanges(Exchange::kReduce) &&
         (!product.grouped || division.of_expert() > 1);
}

void run_forward(Chain& chain, const RankShare& share, std::size_t i, const Division& division,
                 const ComputeConstants& constants) {
  const Kernel& kernel = share.kernel(i);
  const Product& product = share.product(i);
  if (share.fused(i)) {
    if (!share.first_of_core(i)) return;
    chain.issue(1, constants.forward_launch);
    chain.compute(chain.attention(share.core_work(), share.core_elements()));
    return chain.count(share.core_flops());
  }
  chain.issue(share.issued(i), constants.forward_launch);
  if (product.grouped) chain.issue(share.experts_held(), constants.expert_launch);
  if (kernel.kind == KernelKind::kMatrix) {
    const double seconds = chain.time_of(product, product.inner);
    chain.count(product.flops());
    if (reduces(chain, kernel, product, division)) {
      chain.compute((1 - constants.pipelined) * seconds);
      return chain.exchange(Exchange::kReduce, kernel.exchange_elements * division.samples, constants.exchange_launch,
                            constants.pipelined * seconds);
    }
    chain.compute(seconds);
  } else {
    chain.compute(chain.traffic(share.elements(i)));
  }
  const bool whole = product.grouped && kernel.exchange == Exchange::kReduce;  // experts that are not divided
  if (whole || !chain.exchanges(kernel.exchange)) return;
  if (kernel.exchange == Exchange::kContext) {
    // Round a ring a rank computes with what it has while the next part comes: all but the first part
    const double beside =
        share.fuses() && division.ring_attention
            ? chain.attention(share.core_work(), share.core_elements()) * (division.cp - 1) / division.cp
            : 0;
    chain.exchange(kernel.exchange, context_elements(kernel, division), constants.exchange_launch, beside);
    return chain.compute(-beside);  // of the attention that follows, this much is done
  }
  const bool experts = kernel.exchange == Exchange::kDispatch || kernel.exchange == Exchange::kCombine;
  chain.exchange(
      kernel.exchange,
      experts ? dispatched_elements(share, kernel, division, constants) : kernel.exchange_elements * division.samples,
      constants.exchange_launch);
}

void run_backward(Chain& chain, const RankShare& share, std::size_t i, const Division& division,
                  const ComputeConstants& constants) {
  const Kernel& kernel = share.kernel(i);
  const Product& product = share.product(i);

  // What went to the experts' ranks comes back, and what came back goes there: before the kernel that it followed. Keys and
  // values come again, and their gradients go home
  if (kernel.exchange == Exchange::kDispatch || kernel.exchange == Exchange::kCombine) {
    const Exchange mirrored = kernel.exchange == Exchange::kDispatch ? Exchange::kCombine : Exchange::kDispatch;
    if (chain.exchanges(mirrored))
      chain.exchange(mirrored, dispatched_elements(share, kernel, division, constants), Time());
  }
  if (kernel.exchange == Exchange::kContext && chain.exchanges(Exchange::kContext))
    chain.exchange(Exchange::kContext, 2 * context_elements(kernel, division), Time());

  // Five products where forward has two
  constexpr double kFusedBackward = 2.5;
  if (share.fused(i)) {
    if (!share.first_of_core(i)) return;
    chain.issue(1, constants.backward_launch);
    chain.compute(chain.attention(kFusedBackward * share.core_work(), 2 * share.core_elements()));
    return chain.count(2 * share.core_flops());
  }

  chain.issue(share.issued(i), constants.backward_launch);
  if (product.grouped) chain.issue(2 * share.experts_held(), constants.expert_launch);
  if (kernel.kind == KernelKind::kMemory)
    return chain.compute(chain.traffic(share.elements(i) * constants.backward_traffic));

  // A product for the data, and one for the other factor; weights also add their gradient up
  chain.count(2 * product.flops());
  const double data = chain.time_of(product, product.columns);
  double other = chain.time_of(product, product.rows);
  if (kernel.weighted) other += chain.traffic(product.weights() * constants.accumulated_elements);
  const bool partial = kernel.share == Share::kColumns && chain.exchanges(Exchange::kReduce) &&
                       (!product.grouped || division.of_expert() > 1);
  if (!partial) return chain.compute(data + other);
  chain.compute((1 - constants.pipelined) * data);
  chain.exchange(Exchange::kReduce, kernel.batch * kernel.rows * kernel.inner * division.samples, Time(),
                 other + constants.pipelined * data);
}

// One constant: how users name and bound it, and where it lives.
struct Field {
  Parameter parameter;
  std::variant<double ComputeConstants::*, Time ComputeConstants::*> member;
};

std::vector<Field> fields(const ComputeConstants& defaults) {
  std::vector<Field> list;
  const auto number = [&](std::string name, double ComputeConstants::*member, std::string minimum, std::string maximum,
                          bool above_minimum, std::string description) {
    list.push_back({{.name = std::move(name),
                     .type = ParameterType::kNumber,
                     .fallback = fmt::format("{}", defaults.*member),
                     .minimum = std::move(minimum),
                     .maximum = std::move(maximum),
                     .minimum_exclusive = above_minimum,
                     .description = std::move(description)},
                    member});
  };
  const auto time = [&](std::string name, Time ComputeConstants::*member, std::string description) {
    list.push_back({{.name = std::move(name),
                     .type = ParameterType::kTime,
                     .fallback = format(defaults.*member),
                     .minimum = "0 s",
                     .maximum = "1 s",
                     .description = std::move(description)},
                    member});
  };
  using C = ComputeConstants;
  number("matrix_efficiency", &C::matrix_efficiency, "0", "1", false,
         "share of the peak that a very large matrix product reaches; fitted on measured iterations; 0: the NPU's own");
  number(
      "tile_fill", &C::tile_fill, "0", "100000", false,
      "inner elements of a product, at 16 bits, that filling and draining its tiles costs; fitted on measured steps");
  number("winograd", &C::winograd, "1", "100", false,
         "times fewer multiplications of a 3 x 3 convolution in fp32 (Lavin and Gray 2016); 2.25 for tiles of 2 x 2 "
         "results");
  number("quantised_bytes", &C::quantised_bytes, "0", "100", false,
         "bytes moved per element of a product's input to make it one of fewer than 16 bits; fitted on measured steps");
  number("grouped_efficiency", &C::grouped_efficiency, "0", "1", true,
         "products of many experts at once, relative to what one product reaches; fitted on measured steps");
  number("mixture_overhead", &C::mixture_overhead, "0", "1000", true,
         "bytes and grouped products of a mixture of experts, relative to those counted; fitted, one for each release");
  number("attention_efficiency", &C::attention_efficiency, "0", "1", true,
         "share of the 16-bit peak that fused attention reaches; fitted on measured steps");
  number(
      "score_share", &C::score_share, "0", "1", false,
      "of the time of fused attention with heads of 128, what goes with scores and not with operations: exponentials");
  number("fused_attention_from", &C::fused_attention_from, "1", "1e9", false,
         "tokens of a sequence from which attention is one kernel (FlashAttention); set");
  number("memory_efficiency", &C::memory_efficiency, "0", "1", true,
         "share of the memory bandwidth that kernels reach; set, within what fits allow (0.79 to 0.95)");
  time("kernel_gap", &C::kernel_gap, "between two kernels on the device; set, the measurements hardly see it");
  number("loss_traffic", &C::loss_traffic, "0", "100", true,
         "bytes of a loss over many words, relative to the passes of Megatron-LM of 2021; fitted on measured steps");
  number("kernel_traffic", &C::kernel_traffic, "0", "100", true,
         "bytes of a memory kernel, relative to those counted; fitted on measured steps");
  number("backward_traffic", &C::backward_traffic, "0", "100", false,
         "bytes of a memory kernel in backward, relative to forward; fitted on measured iterations");
  number("accumulated_elements", &C::accumulated_elements, "0", "100", false,
         "elements moved per weight and micro-batch to add its gradient up; two read, one written");
  time("forward_launch", &C::forward_launch, "host time to issue one kernel forward; fitted on measured iterations");
  time("backward_launch", &C::backward_launch, "host time to issue one kernel backward; fitted on measured iterations");
  time("exchange_launch", &C::exchange_launch,
       "host time to issue one exchange forward; fitted on measured iterations");
  time("exchange_skew", &C::exchange_skew,
       "host time lost per exchange and further rank that must arrive; fitted on measured iterations");
  number("dispatch_once", &C::dispatch_once, "0", "1", false,
         "1: a token goes once to each server that has experts of its own, or to each rank where all are in one "
         "server, as with "
         "DeepEP; 0: once for each expert");
  number("experts_exposed", &C::experts_exposed, "0", "1", true,
         "of the bytes of an exchange of experts in one server, those that nothing hides; fitted on measured steps");
  number("runs_ahead", &C::runs_ahead, "0", "1", false,
         "1: within a pass the host issues kernels ahead of the device; 0: the two meet after every layer; fitted");
  time("expert_launch", &C::expert_launch, "host time to issue what one expert of a grouped product takes; fitted");
  number("pipelined", &C::pipelined, "0", "1", false,
         "share of a product that runs while its first pieces are exchanged by tensor parallelism; fitted");
  number("contention", &C::contention, "0", "100", false,
         "by which products slow down beside an exchange, which takes cores and memory from them; set");
  number("fused_batch", &C::fused_batch, "0", "1024", false,
         "a softmax is one kernel when heads x samples on a rank are a multiple of this; 0: always (Megatron-LM: 4)");
  number("unfused_kernels", &C::unfused_kernels, "0", "100", false,
         "more kernels of a softmax that is not fused; fitted on measured iterations");
  number("unfused_traffic", &C::unfused_traffic, "1", "100", false,
         "bytes of a softmax that is not fused, relative to a fused one; set");
  number("optimiser_traffic", &C::optimiser_traffic, "0", "1000", false,
         "bytes that the optimiser moves per parameter of a rank; fitted on measured iterations");
  time("transfer_launch", &C::transfer_launch,
       "before activations go from stage to stage; fitted on measured iterations");
  return list;
}

const std::vector<Field>& fields() {
  static const std::vector<Field> all = fields(ComputeConstants());
  return all;
}

// A model of operations alone: peak x utilisation, no bytes, no gaps, no host.
ComputeConstants operations_only(double utilisation) {
  ComputeConstants constants;
  constants.matrix_efficiency = utilisation;
  constants.memory_efficiency = std::numeric_limits<double>::infinity();
  constants.kernel_gap = constants.forward_launch = constants.backward_launch = Time();
  constants.exchange_launch = constants.exchange_skew = constants.transfer_launch = constants.expert_launch = Time();
  constants.unfused_kernels = 0;
  constants.fused_attention_from = std::numeric_limits<double>::infinity();
  return constants;
}

}  // namespace

std::vector<Parameter> compute_parameters(const ComputeConstants& defaults) {
  std::vector<Parameter> list;
  for (const Field& field : fields(defaults)) list.push_back(field.parameter);
  list.push_back({.name = "utilisation",
                  .type = ParameterType::kNumber,
                  .minimum = "0",
                  .maximum = "1000",
                  .minimum_exclusive = true,
                  .description =
                      "in place of all of the above: operations over peak x utilisation, and nothing else takes "
                      "time; above 1 is a what-if",
                  .optional = true});
  return list;
}

const std::vector<Parameter>& compute_parameters() {
  static const std::vector<Parameter> all = compute_parameters(ComputeConstants());
  return all;
}

ComputeConstants constants_from(const Parameters& parameters) {
  ComputeConstants constants;
  if (parameters.has("utilisation")) {
    for (const Field& field : fields())
      if (parameters.place(field.parameter.name) != "default")
        throw Error(ErrorKind::kInput, fmt::format("utilisation stands in place of {}", field.parameter.name),
                    parameters.place(field.parameter.name), "Leave one of them out.");
    return operations_only(parameters.number("utilisation"));
  }
  for (const Field& field : fields()) {
    if (const auto* number = std::get_if<double ComputeConstants::*>(&field.member))
      constants.** number = parameters.number(field.parameter.name);
    else
      constants.*std::get<Time ComputeConstants::*>(field.member) = parameters.time(field.parameter.name);
  }
  return constants;
}

Work forward(const Layer& layer, const Division& division, const Npu& npu, Precision precision,
             const ComputeConstants& constants) {
  const RankShare share(layer, division, constants);
  Chain chain(division, npu, precision, constants);
  for (std::size_t i = 0; i < share.size(); ++i) run_forward(chain, share, i, division, constants);
  return chain.finish();
}

Work backward(const Layer& layer, const Division& division, const Npu& npu, Precision precision,
              const ComputeConstants& constants, Recomputed recomputed) {
  const RankShare share(layer, division, constants);
  Chain chain(division, npu, precision, constants);
  if (recomputed.what != Recompute::kNone) {
    const bool all = recomputed.what == Recompute::kFull;
    chain.scale(all ? recomputed.share : 1);
    for (std::size_t i = 0; i < share.size(); ++i)
      if (all || (share.attention_core(i) && !share.fused(i))) run_forward(chain, share, i, division, constants);
    chain.scale(1);
  }
  for (std::size_t i = share.size(); i-- > 0;) run_backward(chain, share, i, division, constants);
  return chain.finish();
}

Time optimiser_time(double parameters_on_rank, const Npu& npu, const ComputeConstants& constants) {
  return device_time(parameters_on_rank * constants.optimiser_traffic /
                     (npu.memory_bandwidth * constants.memory_efficiency));
}

}  // namespace helio::placement
