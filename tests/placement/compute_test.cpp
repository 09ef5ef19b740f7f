// SPDX-License-Identifier: Apache-2.0
// Most tests use a toy on which every number is round: 1e12 operations and 1e9 bytes per second after efficiencies, 2 bytes per
// element, a gap of 1 us; the host takes 10 us per kernel forward, 7 us backward, 5 us per exchange forward, 2 us per further rank.
#include "placement/compute.h"

#include <gtest/gtest.h>

#include "workload/kernel.h"
#include "workload/transformer.h"

namespace helio::placement {
namespace {

using workload::Exchange;
using workload::Kernel;
using workload::KernelKind;
using workload::Layer;
using workload::Share;

Npu toy_npu() { return {.name = "toy", .fp16 = 2e12, .memory_bandwidth = 2e9, .memory = Bytes{1e9}}; }

ComputeConstants toy_constants() {
  ComputeConstants c;
  c.matrix_efficiency = c.memory_efficiency = 0.5;
  c.kernel_gap = Time::microseconds(1);
  c.backward_traffic = 3;
  c.accumulated_elements = 3;
  c.forward_launch = Time::microseconds(10);
  c.backward_launch = Time::microseconds(7);
  c.exchange_launch = Time::microseconds(5);
  c.exchange_skew = Time::microseconds(2);
  return c;
}

Kernel matrix(Share share, double rows, double columns, double inner) {
  return {.share = share, .rows = rows, .columns = columns, .inner = inner};
}
Kernel heads(double batch, double rows, double columns, double inner) {
  return {.share = Share::kBatch,
          .batch = batch,
          .rows = rows,
          .columns = columns,
          .inner = inner,
          .rows_grow = false,
          .weighted = false};
}
Kernel memory(Share share, double elements) {
  return {.kind = KernelKind::kMemory, .share = share, .weighted = false, .elements = elements};
}
Kernel with(Kernel kernel, Exchange exchange, double elements) {
  kernel.exchange = exchange;
  kernel.exchange_elements = elements;
  return kernel;
}

// A norm and a pair of products, [10 x 20] -> [10 x 40] -> [10 x 20], divided as Megatron does.
Layer pair() {
  Layer layer;
  layer.kernels = {memory(Share::kSequence, 1000), matrix(Share::kColumns, 10, 40, 20),
                   with(matrix(Share::kInner, 10, 20, 40), Exchange::kReduce, 200)};
  return layer;
}

Work toy_forward(const Layer& layer, const Division& division) {
  return forward(layer, division, toy_npu(), Precision::kFp16, toy_constants());
}
Work toy_backward(const Layer& layer, const Division& division, Recompute recompute = Recompute::kNone) {
  return backward(layer, division, toy_npu(), Precision::kFp16, toy_constants(), {recompute});
}

double us(Time time) { return time.to_seconds() * 1e6; }
double device_us(const Work& work) {
  double sum = 0;
  for (const Piece& piece : work.pieces) sum += us(piece.device) + us(piece.beside);
  return sum;
}

TEST(Forward, AddsOperationsAndBytesOfEveryKernel) {
  // Norm: 2,000 B in 2 us, and the gap: 3 us. Each product: 2*10*40*20 = 16,000 operations in 0.016 us; 200 + 800 + 400 elements,
  // 2,800 B in 2.8 us; the gap: 3.816 us. Nothing to exchange: one piece. Three kernels issued in 30 us.
  const Work work = toy_forward(pair(), {});
  ASSERT_EQ(work.pieces.size(), 1u);
  EXPECT_NEAR(us(work.pieces[0].device), 3 + 2 * 3.816, 1e-9);
  EXPECT_EQ(work.pieces[0].exchange, Exchange::kNone);
  EXPECT_NEAR(us(work.host), 30, 1e-9);
  EXPECT_DOUBLE_EQ(work.flops, 32000);
}

TEST(Forward, TensorParallelismHalvesProductsAndExchanges) {
  // First product [10 x 20]·[20 x 20]: 0.008 us, 200 + 400 + 200 elements in 1.6 us, gap: 2.608 us; second [10 x 20]·[20 x 20]: the
  // same. The norm stays whole. Host: 30 us, 5 us for the exchange, 2 us for the second rank.
  const Work work = toy_forward(pair(), {.tp = 2});
  ASSERT_EQ(work.pieces.size(), 1u);
  EXPECT_NEAR(us(work.pieces[0].device), 3 + 2 * 2.608, 1e-9);
  EXPECT_EQ(work.pieces[0].exchange, Exchange::kReduce);
  EXPECT_DOUBLE_EQ(work.pieces[0].elements, 200);
  EXPECT_TRUE(work.pieces[0].beside.is_zero());
  EXPECT_NEAR(us(work.host), 35, 1e-9);
  EXPECT_NEAR(us(work.skew), 2, 1e-9);
  EXPECT_DOUBLE_EQ(work.flops, 16000);
}

TEST(Forward, SequenceParallelismDividesNorms) {
  // The norm's 1,000 B of a half in 1 us, and the gap.
  const Work work = toy_forward(pair(), {.tp = 2, .sequence_parallel = true});
  EXPECT_NEAR(us(work.pieces[0].device), 2 + 2 * 2.608, 1e-9);
}

TEST(Forward, SamplesMakeRowsOrProductsMore) {
  // Three samples. Weighted: 30 rows, 600 + 800 + 1,200 elements in 5.2 us, 48,000 operations in 0.048 us, gap. Heads: 6 products of
  // 4*2 + 2*4 + 4*4 elements in 0.384 us, 6*64 operations in 0.000384 us, gap.
  Layer layer;
  layer.kernels = {matrix(Share::kWhole, 10, 40, 20), heads(2, 4, 4, 2)};
  const Work work = toy_forward(layer, {.samples = 3});
  EXPECT_NEAR(us(work.pieces[0].device), 5.2 + 0.048 + 1 + 0.384 + 0.000384 + 1, 1e-9);
}

TEST(Forward, ASoftmaxIsFusedForMultiplesOfFourHeads) {
  // 4 heads on one rank: the softmax is one kernel of 1,000 elements, 2 us and the gap. On two ranks 2 heads each: not fused, 4 more
  // kernels for the host, and 500 elements moved twice: 2 us again.
  Layer layer;
  layer.kernels = {heads(4, 4, 4, 2), memory(Share::kBatch, 1000)};
  const Work fused = toy_forward(layer, {}), split = toy_forward(layer, {.tp = 2});
  // Heads: 4*32 elements in 0.256 us and 4*64 operations in 0.000256 us; half of it on two ranks.
  EXPECT_NEAR(device_us(fused), 0.256256 + 1 + 2 + 1, 1e-9);
  EXPECT_NEAR(device_us(split), 0.128128 + 1 + 2 + 1, 1e-9);
  EXPECT_NEAR(us(fused.host), 20, 1e-9);
  EXPECT_NEAR(us(split.host), 60, 1e-9);
  ComputeConstants always = toy_constants();
  always.fused_batch = 0;
  EXPECT_NEAR(us(forward(layer, {.tp = 2}, toy_npu(), Precision::kFp16, always).host), 20, 1e-9);
}

TEST(Backward, RunsTwoProductsEachAndTheExchangeBesideTheWeights) {
  // On two ranks, in reverse. Second product: data 2.608 us, weights 2.608 us, and 20*20 weights x 3 elements in 2.4 us, gap: 8.616 us.
  // First product: data 2.608 us, then 10*20 elements are reduced, beside them weights: 2.608 + 3.4 us. Norm: 3 x 2 us, gap.
  const Work work = toy_backward(pair(), {.tp = 2});
  ASSERT_EQ(work.pieces.size(), 2u);
  EXPECT_NEAR(us(work.pieces[0].device), 8.616 + 2.608, 1e-9);
  EXPECT_EQ(work.pieces[0].exchange, Exchange::kReduce);
  EXPECT_DOUBLE_EQ(work.pieces[0].elements, 200);
  EXPECT_NEAR(us(work.pieces[0].beside), 6.008, 1e-9);
  EXPECT_NEAR(us(work.pieces[1].device), 7, 1e-9);
  EXPECT_EQ(work.pieces[1].exchange, Exchange::kNone);
  // Host: 3 kernels of 7 us, 2 us for the second rank.
  EXPECT_NEAR(us(work.host), 21, 1e-9);
  EXPECT_NEAR(us(work.skew), 2, 1e-9);
  EXPECT_DOUBLE_EQ(work.flops, 32000);
}

TEST(Backward, HasNothingBesideWithoutExchange) {
  // One rank: four products of 3.816 us, twice 800 weights x 3 elements in 4.8 us and the gap, the norm's 7 us.
  const Work work = toy_backward(pair(), {});
  ASSERT_EQ(work.pieces.size(), 1u);
  EXPECT_NEAR(us(work.pieces[0].device), 4 * 3.816 + 2 * 5.8 + 7, 1e-9);
  EXPECT_TRUE(work.pieces[0].beside.is_zero());
}

TEST(Backward, FullRecomputationRunsForwardFirst) {
  const Division division{.tp = 2};
  const Work again = toy_forward(pair(), division), plain = toy_backward(pair(), division);
  const Work full = toy_backward(pair(), division, Recompute::kFull);
  ASSERT_EQ(full.pieces.size(), again.pieces.size() + plain.pieces.size());
  EXPECT_EQ(full.pieces[0].device, again.pieces[0].device);
  EXPECT_EQ(full.pieces[0].exchange, Exchange::kReduce);
  EXPECT_EQ(full.pieces[1].device, plain.pieces[0].device);
  EXPECT_NEAR(us(full.host), us(again.host) + us(plain.host), 1e-9);
  EXPECT_DOUBLE_EQ(full.flops, again.flops + plain.flops);
}

TEST(Backward, SelectiveRecomputationRepeatsTheAttentionCoreOnly) {
  // Of the layer, heads and softmax: 4*64 operations again, two kernels of 10 us on the host.
  Layer layer;
  layer.kernels = {matrix(Share::kColumns, 10, 40, 20), heads(4, 4, 4, 2), memory(Share::kBatch, 1000)};
  const Work plain = toy_backward(layer, {}), selective = toy_backward(layer, {}, Recompute::kSelective);
  EXPECT_DOUBLE_EQ(selective.flops - plain.flops, 256);
  EXPECT_NEAR(us(selective.host) - us(plain.host), 20, 1e-9);
  EXPECT_NEAR(device_us(selective) - device_us(plain), 0.256256 + 1 + 3, 1e-9);
}

// Four experts of [20 x 40], 10 rows of tokens in all.
Layer mixture() {
  Layer layer;
  layer.experts = 4;
  layer.kernels = {with(memory(Share::kSequence, 500), Exchange::kDispatch, 200), matrix(Share::kColumns, 10, 40, 20),
                   with(memory(Share::kSequence, 1000), Exchange::kCombine, 400)};
  return layer;
}

TEST(Mixture, RowsStayAndSpreadOverTheExpertsOfARank) {
  // Two ranks, two experts each, 5 rows for each: 16,000 operations in 0.016 us as without experts; weights are read per expert:
  // 2 (100 + 800 + 200) elements in 4.4 us. Permutations: 1 + 1 us and 2 + 1 us.
  const Work work = toy_forward(mixture(), {.ep = 2});
  ASSERT_EQ(work.pieces.size(), 2u);
  EXPECT_NEAR(us(work.pieces[0].device), 2, 1e-9);
  EXPECT_EQ(work.pieces[0].exchange, Exchange::kDispatch);
  EXPECT_NEAR(us(work.pieces[1].device), 0.016 + 4.4 + 1 + 3, 1e-9);
  EXPECT_EQ(work.pieces[1].exchange, Exchange::kCombine);
  EXPECT_DOUBLE_EQ(work.pieces[1].elements, 400);
  EXPECT_DOUBLE_EQ(work.flops, 16000);
  EXPECT_NEAR(us(work.host), 3 * 10 + 2 * 5, 1e-9);
  EXPECT_NEAR(us(work.skew), 2 * 2, 1e-9);
}

TEST(Mixture, BackwardExchangesInTheOthersPlace) {
  // What was combined is dispatched first, then the experts run, then what was dispatched is combined, then the first kernel.
  const Work work = toy_backward(mixture(), {.ep = 2});
  ASSERT_EQ(work.pieces.size(), 3u);
  EXPECT_TRUE(work.pieces[0].device.is_zero());
  EXPECT_EQ(work.pieces[0].exchange, Exchange::kDispatch);
  EXPECT_DOUBLE_EQ(work.pieces[0].elements, 400);
  // 3 x 2 us and the gap; twice 5.416 us; 2*800 weights x 3 elements in 9.6 us and the gap.
  EXPECT_NEAR(us(work.pieces[1].device), 7 + 2 * 5.416 + 10.6, 1e-9);
  EXPECT_EQ(work.pieces[1].exchange, Exchange::kCombine);
  EXPECT_DOUBLE_EQ(work.pieces[1].elements, 200);
  EXPECT_NEAR(us(work.pieces[2].device), 3 + 1, 1e-9);  // 3 x 1 us and the gap
}

TEST(Mixture, OneRankExchangesNothing) {
  for (const Piece& piece : toy_backward(mixture(), {}).pieces) EXPECT_EQ(piece.exchange, Exchange::kNone);
}

TEST(Block, RanksTogetherDoTheOperationsOfTheModel) {
  // Every product of a block is divided by tensor parallelism; backward does two for each, full recomputation one more.
  const Layer block =
      workload::transformer_block({.layers = 2, .hidden = 2048, .heads = 16, .vocabulary = 51200, .sequence = 1024});
  const Npu npu = npus().at("a100-80").factory({});
  for (const int tp : {1, 2, 8}) {
    const Division division{.samples = 3, .tp = tp};
    const double all = 3 * block.forward_flops();
    EXPECT_NEAR(forward(block, division, npu, Precision::kBf16, {}).flops * tp, all, 1e-9 * all);
    EXPECT_NEAR(backward(block, division, npu, Precision::kBf16, {}, {}).flops * tp, 2 * all, 1e-9 * all);
    EXPECT_NEAR(backward(block, division, npu, Precision::kBf16, {}, {Recompute::kFull}).flops * tp, 3 * all,
                1e-9 * all);
  }
}

TEST(Block, IsFasterOnABetterNpuAndNeverBeatsItsPeak) {
  const Layer block =
      workload::transformer_block({.layers = 2, .hidden = 2048, .heads = 16, .vocabulary = 51200, .sequence = 1024});
  Npu npu = npus().at("a100-80").factory({});
  const auto time = [&] { return device_us(forward(block, {.samples = 4}, npu, Precision::kBf16, {})); };
  const double first = time();
  EXPECT_GT(first, 4 * block.forward_flops() / npu.bf16 * 1e6);
  npu.memory_bandwidth *= 2;
  const double second = time();
  EXPECT_LT(second, first);
  npu.bf16 *= 2;
  EXPECT_LT(time(), second);
}

TEST(Product, ComesNearItsPeakOnlyWhenLarge) {
  // [m x m]·[m x m] on an A100: 2m³ / (312e12 · 0.79) and 6m² B / (2039e9 · 0.88), gap 1.5 us.
  // m = 16,384: 8.796e12 / 2.4648e14 = 35.687 ms, 1.611e9 / 1.79432e12 = 0.898 ms: 0.77 of the peak.
  // m = 512: 2.684e8 / 2.4648e14 = 1.089 us, 1.573e6 / 1.79432e12 = 0.877 us, gap: 3.466 us, 0.25 of the peak.
  const Npu npu = npus().at("a100-80").factory({});
  const auto reached = [&](double m) {
    Layer layer;
    layer.kernels = {matrix(Share::kWhole, m, m, m)};
    return 2 * m * m * m / (device_us(forward(layer, {}, npu, Precision::kFp16, {})) * 1e-6) / npu.fp16;
  };
  EXPECT_NEAR(reached(16384), 0.77, 0.005);
  EXPECT_NEAR(reached(512), 0.25, 0.005);
}

TEST(Optimiser, MovesItsBytesThroughMemory) {
  // 1e9 parameters, 46 B each: 46e9 B at 2039e9 · 0.88 B/s.
  const Npu npu = npus().at("a100-80").factory({});
  EXPECT_NEAR(optimiser_time(1e9, npu, {}).to_seconds(), 46e9 / (2039e9 * 0.88), 1e-12);
}

TEST(Constants, DefaultsAreThoseOfTheStruct) {
  const ComputeConstants own, read = constants_from(Parameters("the compute model", compute_parameters(), {}));
  EXPECT_EQ(read.matrix_efficiency, own.matrix_efficiency);
  EXPECT_EQ(read.memory_efficiency, own.memory_efficiency);
  EXPECT_EQ(read.kernel_gap, own.kernel_gap);
  EXPECT_EQ(read.backward_traffic, own.backward_traffic);
  EXPECT_EQ(read.accumulated_elements, own.accumulated_elements);
  EXPECT_EQ(read.forward_launch, own.forward_launch);
  EXPECT_EQ(read.backward_launch, own.backward_launch);
  EXPECT_EQ(read.exchange_launch, own.exchange_launch);
  EXPECT_EQ(read.exchange_skew, own.exchange_skew);
  EXPECT_EQ(read.fused_batch, own.fused_batch);
  EXPECT_EQ(read.unfused_kernels, own.unfused_kernels);
  EXPECT_EQ(read.unfused_traffic, own.unfused_traffic);
  EXPECT_EQ(read.optimiser_traffic, own.optimiser_traffic);
  EXPECT_EQ(read.transfer_launch, own.transfer_launch);
}

TEST(Constants, AreReadByNameAndBounded) {
  const ComputeConstants read =
      constants_from(Parameters("the compute model", compute_parameters(),
                                {{"matrix_efficiency", {"0.6", "test"}}, {"forward_launch", {"5 us", "test"}}}));
  EXPECT_EQ(read.matrix_efficiency, 0.6);
  EXPECT_EQ(read.forward_launch, Time::microseconds(5));
  EXPECT_THROW(Parameters("the compute model", compute_parameters(), {{"matrix_efficiency", {"1.1", "test"}}}), Error);
  EXPECT_THROW(Parameters("the compute model", compute_parameters(), {{"memory_efficiency", {"0", "test"}}}), Error);
}

// Utilisation alone: a block's operations over peak x utilisation, no host, and the optimiser takes no time.
TEST(Constants, UtilisationStandsInPlaceOfAll) {
  const Layer block =
      workload::transformer_block({.layers = 2, .hidden = 1024, .heads = 16, .vocabulary = 51200, .sequence = 1024});
  const Npu npu = npus().at("a100-80").factory({});
  const ComputeConstants c =
      constants_from(Parameters("the compute model", compute_parameters(), {{"utilisation", {"0.5", "test"}}}));
  const Work work = forward(block, {.samples = 2, .tp = 1}, npu, Precision::kBf16, c);
  EXPECT_NEAR(device_us(work) * 1e-6, work.flops / (0.5 * npu.peak(Precision::kBf16)), 1e-12);
  EXPECT_EQ(work.host, Time());
  EXPECT_EQ(optimiser_time(1e9, npu, c), Time());
  EXPECT_THROW(constants_from(Parameters("the compute model", compute_parameters(),
                                         {{"utilisation", {"0.5", "test"}}, {"kernel_gap", {"1 us", "test"}}})),
               Error);
}

TEST(Constants, EachMatters) {
  // Changing any of them changes the work of a divided block, that of a mixture with attention in one kernel and products of 8
  // bits, the optimiser or what place() does with transfers and with the host.
  const Layer block =
      workload::transformer_block({.layers = 2, .hidden = 1024, .heads = 16, .vocabulary = 51200, .sequence = 1024});
  const Layer mixture = workload::transformer_block(
      {.layers = 2, .hidden = 1024, .heads = 16, .vocabulary = 51200, .sequence = 16384, .experts = 8, .top_k = 2});
  Layer loss;
  loss.kernels = {workload::memory("loss", workload::Share::kColumns, 1e9)};
  loss.kernels.front().loss = true;
  Layer window;
  window.kernels = {workload::product("3 x 3", workload::Share::kWhole, 1e4, 512, 4608)};
  window.kernels.front().winograd = true;
  const Npu a100 = npus().at("a100-80").factory({}), h100 = npus().at("h100").factory({});
  const auto fingerprint = [&](const ComputeConstants& c) {
    const Division division{.samples = 1, .tp = 8};  // two heads on a rank: the softmax is not fused
    const Division experts{.samples = 1, .tp = 2, .ep = 4, .expert_groups = 4};  // in one server
    double sum =
        optimiser_time(1e9, a100, c).to_seconds() + c.transfer_launch.to_seconds() + c.runs_ahead + 2 * c.dispatch_once;
    for (const Work& work :
         {forward(block, division, a100, Precision::kBf16, c), backward(block, division, a100, Precision::kBf16, c, {}),
          forward(mixture, experts, h100, Precision::kFp8, c), forward(loss, {}, a100, Precision::kBf16, c),
          forward(window, {}, a100, Precision::kFp32, c)}) {
      for (const Piece& piece : work.pieces) sum += 1e-9 * piece.elements;
      sum += work.host.to_seconds() + 3 * work.skew.to_seconds() + device_us(work) * 1e-6 +
             7 * work.pieces.front().device.to_seconds();
    }
    return sum;
  };
  const double before = fingerprint({});
  for (const Parameter& parameter : compute_parameters()) {
    std::string other = parameter.type == ParameterType::kTime ? "40 us" : "0.5";
    if (parameter.name == "fused_batch") other = "2";
    if (parameter.name == "unfused_traffic") other = "3";
    if (parameter.name == "fused_attention_from") other = "1";
    if (parameter.name == "winograd") other = "2";
    const Settings settings = {{parameter.name, {other, "test"}}};
    EXPECT_NE(fingerprint(constants_from(Parameters("the compute model", compute_parameters(), settings))), before)
        << parameter.name;
  }
}

// A token of two experts among two groups of ranks: 2 (1 - 1/4) = 1.5 copies on average, three quarters of two.
TEST(Mixture, ATokenGoesOnceToEachGroup) {
  Layer layer = mixture();
  layer.output_elements = 200;  // 400 go to experts: two for each token
  const Work once = toy_forward(layer, {.ep = 2, .expert_groups = 2}), each = toy_forward(layer, {.ep = 2});
  EXPECT_DOUBLE_EQ(each.pieces[1].elements, 400);
  EXPECT_DOUBLE_EQ(once.pieces[1].elements, 300);
}

// Of those 300 elements four tenths are left where kernels hide the others; where a token goes once to each of two servers, of 4 ranks
// together, nothing is hidden: 300 again.
TEST(Mixture, WithinAServerMostOfAnExchangeIsHidden) {
  Layer layer = mixture();
  layer.output_elements = 200;
  ComputeConstants constants;
  constants.experts_exposed = 0.4;
  const Npu a100 = npus().at("a100-80").factory({});
  const auto exchanged = [&](int ep) {
    return forward(layer, {.ep = ep, .expert_groups = 2}, a100, Precision::kFp16, constants).pieces[1].elements;
  };
  EXPECT_DOUBLE_EQ(exchanged(2), 120);
  EXPECT_DOUBLE_EQ(exchanged(4), 300);
}

// From 8 ranks on, waiting for the last grows with the logarithm: 7 times the constant at 8, one more for each doubling. In
// proportion, 64 ranks would wait nine times as long as 8.
TEST(Skew, BeyondWhatWasMeasuredItGrowsSlowly) {
  const auto skew = [](int tp) {
    Division division;
    division.tp = tp;
    return us(toy_forward(pair(), division).skew);
  };
  EXPECT_NEAR(skew(4), 3 * 2, 1e-9);
  EXPECT_NEAR(skew(8), 7 * 2, 1e-9);
  EXPECT_NEAR(skew(16), 8 * 2, 1e-9);
  EXPECT_NEAR(skew(64), 10 * 2, 1e-9);
}

// Attention in one kernel: of the s·s products of a causal mask half, 2 · (s·s/2) · d for the scores and as many for the context,
// for each head; 2.5 times that backward. Nothing of s·s elements is moved, so time per operation stays as sequences grow.
TEST(FusedAttention, SkipsWhatTheMaskHidesAndWritesNoScores) {
  ComputeConstants constants;
  constants.fused_attention_from = 1;
  const Npu h100 = npus().at("h100").factory({});
  const auto attention = [&](std::uint64_t s, bool back) {
    const auto work = [&](std::uint64_t heads) {
      const Layer block = workload::transformer_block({.layers = 1,
                                                       .hidden = 4096,
                                                       .heads = heads,
                                                       .head_size = 128,
                                                       .vocabulary = 1000,
                                                       .sequence = s,
                                                       .dropout = false});
      Layer core = block;
      std::erase_if(core.kernels, [](const Kernel& k) { return k.share != workload::Share::kBatch || k.weighted; });
      return back ? backward(core, {}, h100, Precision::kBf16, constants, {})
                  : forward(core, {}, h100, Precision::kBf16, constants);
    };
    return work(32);
  };
  const double flops = 2.0 * 2 * 0.5 * 32 * 32768.0 * 32768 * 128;
  EXPECT_NEAR(attention(32768, false).flops, flops, 1e-9 * flops);
  // Queries, keys, values and results: 4 · s · 32 · 128 elements of 2 bytes at 3350e9 · 0.88 B/s, and a gap of 1.5 us.
  const double moved = 4.0 * 32768 * 32 * 128 * 2 / (3350e9 * 0.88) + 1.5e-6;
  EXPECT_NEAR(device_us(attention(32768, false)) * 1e-6, flops / (989.5e12 * 0.45) + moved, 1e-9);
  EXPECT_NEAR(device_us(attention(32768, true)) * 1e-6, 2.5 * flops / (989.5e12 * 0.45) + 2 * (moved - 1.5e-6) + 1.5e-6,
              1e-9);
}

// A score is an exponential, whatever the size of its head: with half of the time of heads of 128 spent on scores, heads of 64 take 1.5 times as
// long for the same operations, of 2 s s / 2 scores for each of twice as many heads, and heads of 256 three quarters.
TEST(FusedAttention, NarrowHeadsTakeLongerForTheirScores) {
  ComputeConstants constants;
  constants.fused_attention_from = 1;
  constants.score_share = 0.5;
  const Npu h100 = npus().at("h100").factory({});
  const auto seconds = [&](std::uint64_t heads) {
    Layer core = workload::transformer_block({.layers = 1,
                                              .hidden = 4096,
                                              .heads = heads,
                                              .head_size = 4096 / heads,
                                              .vocabulary = 1000,
                                              .sequence = 32768,
                                              .dropout = false});
    std::erase_if(core.kernels, [](const Kernel& k) { return k.share != workload::Share::kBatch || k.weighted; });
    const double moved = 4.0 * 32768 * 4096 * 2 / (3350e9 * 0.88) + 1.5e-6;  // as above
    return device_us(forward(core, {}, h100, Precision::kBf16, constants)) * 1e-6 - moved;
  };
  EXPECT_NEAR(seconds(64) / seconds(32), 1.5, 1e-6);
  EXPECT_NEAR(seconds(16) / seconds(32), 0.75, 1e-6);
}

// Of a step in fp8 only the large products run at twice the rate: head, attention and what memory moves stay.
TEST(NarrowProducts, AloneAreFaster) {
  const Npu h100 = npus().at("h100").factory({});
  Layer layer;
  layer.kernels = {workload::product("large", workload::Share::kWhole, 8192, 8192, 8192)};
  const auto took = [&](bool wide, Precision precision) {
    layer.kernels.front().wide = wide;
    return device_us(forward(layer, {}, h100, precision, {}));
  };
  EXPECT_NEAR(took(true, Precision::kFp8), took(true, Precision::kBf16), 1e-9);
  // 2 · 8192³ operations at 0.79 of 1979e12 and 989.5e12; two operands of 1 and 2 bytes and a result of 2 at 3350e9 · 0.88 B/s.
  const double flops = 2.0 * 8192 * 8192 * 8192, matrix = 8192.0 * 8192, memory = 3350e9 * 0.88;
  EXPECT_NEAR(took(false, Precision::kFp8), 1e6 * (flops / (0.79 * 1979e12) + 4 * matrix / memory) + 1.5, 1e-6);
  EXPECT_NEAR(took(false, Precision::kBf16), 1e6 * (flops / (0.79 * 989.5e12) + 6 * matrix / memory) + 1.5, 1e-6);
}

}  // namespace
}  // namespace helio::placement
