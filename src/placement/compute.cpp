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
      if (kernel.exchange == Exchange::kDispatch) with_experts = true;
      if (kernel.exchange == Exchange::kCombine) with_experts = false;

      // A softmax is fused when the products of heads before it are as many as its kernel wants.
      const bool of_heads = kernel.share == Share::kBatch && !kernel.weighted;
      if (of_heads && kernel.kind == KernelKind::kMatrix) heads = products_.back().batch;
      unfused_.push_back(of_heads && kernel.kind == KernelKind::kMemory && heads > 0 && constants.fused_batch > 0 &&
                         std::fmod(heads, constants.fused_batch) != 0);
    }
  }

  std::size_t size() const { return products_.size(); }
  const Kernel& kernel(std::size_t i) const { return layer_.kernels[i]; }
  const Product& product(std::size_t i) const { return products_[i]; }
  bool attention_core(std::size_t i) const { return kernel(i).share == Share::kBatch && !kernel(i).weighted; }
  double issued(std::size_t i) const {
    return unfused_[i] ? 1 + constants_.unfused_kernels : 1;
  }                                       // kernels in its place
  double elements(std::size_t i) const {  // of a memory kernel
    return kernel(i).elements * division_.samples / parts(kernel(i).share) *
           (unfused_[i] ? constants_.unfused_traffic : 1);
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
    (kernel.rows_grow ? p.rows : p.batch) *= division_.samples;
    const double divisor = parts(kernel.share);
    switch (kernel.share) {
      case Share::kWhole: break;
      case Share::kSequence: p.rows /= divisor; break;
      case Share::kColumns: p.columns /= divisor; break;
      case Share::kInner: p.inner /= divisor; break;
      case Share::kBatch: p.batch /= divisor; break;
    }
    if (of_experts && kernel.weighted) {
      const double held = std::max(1.0, static_cast<double>(layer_.experts) / division_.ep);
      p.batch *= held;
      p.rows /= held;
    }
    return p;
  }

  const Layer& layer_;
  const Division& division_;
  const ComputeConstants& constants_;
  std::vector<Product> products_;
  std::vector<bool> unfused_;
};

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
        element_bytes_(bytes_of(precision)),
        operations_(npu.peak(precision) * constants.matrix_efficiency),
        bytes_(npu.memory_bandwidth * constants.memory_efficiency),
        gap_(constants.kernel_gap.to_seconds()) {
    assert(npu.peak(precision) > 0 && "the caller knows that the NPU has this precision");
  }

  double traffic(double elements) const { return elements * element_bytes_ / bytes_ + gap_; }
  double time_of(const Product& p) const { return p.flops() / operations_ + traffic(p.elements()); }

  void compute(double seconds) { open_ += seconds; }
  void count(double flops) { work_.flops += flops; }
  void issue(double kernels, Time launch) { host_ += kernels * launch.to_seconds(); }

  bool exchanges(Exchange exchange) const { return ranks(exchange) > 1; }
  // Ends a piece. Requires: exchanges(exchange).
  void exchange(Exchange exchange, double elements, Time launch, double beside = 0) {
    work_.pieces.push_back({device_time(open_), exchange, elements, device_time(beside)});
    open_ = 0;
    host_ += launch.to_seconds() + constants_.exchange_skew.to_seconds() * (ranks(exchange) - 1);
  }

  Work finish() {
    if (open_ > 0 || work_.pieces.empty()) work_.pieces.push_back({device_time(open_)});
    work_.host = Time::seconds(host_);
    return std::move(work_);
  }

 private:
  int ranks(Exchange exchange) const {
    switch (exchange) {
      case Exchange::kNone: return 1;
      case Exchange::kReduce: return division_.tp;
      case Exchange::kDispatch:
      case Exchange::kCombine: return division_.ep;
    }
    return 1;
  }

  const Division& division_;
  const ComputeConstants& constants_;
  double element_bytes_, operations_, bytes_, gap_;
  double open_ = 0, host_ = 0;  // seconds: of the piece not yet ended; of the host
  Work work_;
};

void run_forward(Chain& chain, const RankShare& share, std::size_t i, const Division& division,
                 const ComputeConstants& constants) {
  const Kernel& kernel = share.kernel(i);
  chain.issue(share.issued(i), constants.forward_launch);
  if (kernel.kind == KernelKind::kMatrix) {
    chain.compute(chain.time_of(share.product(i)));
    chain.count(share.product(i).flops());
  } else {
    chain.compute(chain.traffic(share.elements(i)));
  }
  if (chain.exchanges(kernel.exchange))
    chain.exchange(kernel.exchange, kernel.exchange_elements * division.samples, constants.exchange_launch);
}

void run_backward(Chain& chain, const RankShare& share, std::size_t i, const Division& division,
                  const ComputeConstants& constants) {
  const Kernel& kernel = share.kernel(i);

  // What went to the experts' ranks comes back, and what came back goes there: before the kernel that it followed
  if (kernel.exchange == Exchange::kDispatch || kernel.exchange == Exchange::kCombine) {
    const Exchange mirrored = kernel.exchange == Exchange::kDispatch ? Exchange::kCombine : Exchange::kDispatch;
    if (chain.exchanges(mirrored)) chain.exchange(mirrored, kernel.exchange_elements * division.samples, Time());
  }

  chain.issue(share.issued(i), constants.backward_launch);
  if (kernel.kind == KernelKind::kMemory)
    return chain.compute(chain.traffic(share.elements(i) * constants.backward_traffic));

  // A product for the data, and one for the other factor; weights also add their gradient up
  const Product& product = share.product(i);
  chain.count(2 * product.flops());
  chain.compute(chain.time_of(product));
  double other = chain.time_of(product);
  if (kernel.weighted) other += chain.traffic(product.weights() * constants.accumulated_elements);
  if (kernel.share == Share::kColumns && chain.exchanges(Exchange::kReduce))
    chain.exchange(Exchange::kReduce, kernel.batch * kernel.rows * kernel.inner * division.samples, Time(), other);
  else
    chain.compute(other);
}

// One constant: how users name and bound it, and where it lives.
struct Field {
  Parameter parameter;
  std::variant<double ComputeConstants::*, Time ComputeConstants::*> member;
};

const std::vector<Field>& fields() {
  static const std::vector<Field> all = [] {
    const ComputeConstants defaults;
    std::vector<Field> list;
    const auto number = [&](std::string name, double ComputeConstants::*member, std::string minimum,
                            std::string maximum, bool above_minimum, std::string description) {
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
    number("matrix_efficiency", &C::matrix_efficiency, "0", "1", true,
           "share of the peak that a very large matrix product reaches; fitted on measured iterations");
    number("memory_efficiency", &C::memory_efficiency, "0", "1", true,
           "share of the memory bandwidth that kernels reach; set, within what fits allow (0.79 to 0.95)");
    time("kernel_gap", &C::kernel_gap, "between two kernels on the device; set, the measurements hardly see it");
    number("backward_traffic", &C::backward_traffic, "0", "100", false,
           "bytes of a memory kernel in backward, relative to forward; fitted on measured iterations");
    number("accumulated_elements", &C::accumulated_elements, "0", "100", false,
           "elements moved per weight and micro-batch to add its gradient up; two read, one written");
    time("forward_launch", &C::forward_launch, "host time to issue one kernel forward; fitted on measured iterations");
    time("backward_launch", &C::backward_launch,
         "host time to issue one kernel backward; fitted on measured iterations");
    time("exchange_launch", &C::exchange_launch,
         "host time to issue one exchange forward; fitted on measured iterations");
    time("exchange_skew", &C::exchange_skew,
         "host time lost per exchange and further rank that must arrive; fitted on measured iterations");
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
  }();
  return all;
}

// A model of operations alone: peak x utilisation, no bytes, no gaps, no host.
ComputeConstants operations_only(double utilisation) {
  ComputeConstants constants;
  constants.matrix_efficiency = utilisation;
  constants.memory_efficiency = std::numeric_limits<double>::infinity();
  constants.kernel_gap = constants.forward_launch = constants.backward_launch = Time();
  constants.exchange_launch = constants.exchange_skew = constants.transfer_launch = Time();
  constants.unfused_kernels = 0;
  return constants;
}

}  // namespace

const std::vector<Parameter>& compute_parameters() {
  static const std::vector<Parameter> all = [] {
    std::vector<Parameter> list;
    for (const Field& field : fields()) list.push_back(field.parameter);
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
  }();
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
              const ComputeConstants& constants, Recompute recompute) {
  const RankShare share(layer, division, constants);
  Chain chain(division, npu, precision, constants);
  if (recompute != Recompute::kNone)
    for (std::size_t i = 0; i < share.size(); ++i)
      if (recompute == Recompute::kFull || share.attention_core(i)) run_forward(chain, share, i, division, constants);
  for (std::size_t i = share.size(); i-- > 0;) run_backward(chain, share, i, division, constants);
  return chain.finish();
}

Time optimiser_time(double parameters_on_rank, const Npu& npu, const ComputeConstants& constants) {
  return device_time(parameters_on_rank * constants.optimiser_traffic /
                     (npu.memory_bandwidth * constants.memory_efficiency));
}

}  // namespace helio::placement
