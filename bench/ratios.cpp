// SPDX-License-Identifier: Apache-2.0
#include "ratios.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "optical.h"
#include "pieces.h"
#include "pipeline/config_file.h"
#include "pipeline/iteration.h"
#include "pipeline/second_opinion.h"
#include "pipeline/traffic.h"
#include "plan/auto.h"
#include "random_flows.h"
#include "simulate/simulate.h"
#include "stopwatch.h"

namespace helio::bench {
namespace {

constexpr auto kDataflow = schedule::Order::kDataflow;
constexpr auto kOrbit = schedule::VerifyMethod::kOneSlotPerOrbit;
constexpr auto kFingerprints = schedule::VerifyMethod::kFingerprints;

// A piece of a question inside this process.
Side timed(std::string name, Piece piece, Question question) {
  return {std::move(name), [piece, question = std::move(question)] { return Workbench(question).seconds(piece); }};
}

Side simulating(std::string name, Question question) {
  return timed(std::move(name), Piece::kSimulate, std::move(question));
}
Side proving(std::string name, Question question) {
  return timed(std::move(name), Piece::kVerify, std::move(question));
}

// Lowering and simulating, with rounds as they are or condensed (flow/condense.h); per node.
Side timing(std::string name, std::string fabric, std::string algorithm, schedule::Kind kind, std::uint32_t nodes,
            bool condense) {
  return {std::move(name), [=] {
            const Workbench bench(
                {.fabric = fabric, .algorithm = algorithm, .nodes = nodes, .kind = kind, .condense = condense});
            return (bench.seconds(Piece::kLower) + bench.seconds(Piece::kSimulate)) / nodes;
          }};
}

// One of a million random flows, or of as many a node among fewer nodes.
Side random_flow(std::string name, std::uint32_t nodes, Carriage carriage) {
  constexpr std::uint32_t kPerSource = 977;  // of 1,024 nodes: 1,000,448
  return {std::move(name), [=] { return seconds_per_random_flow(nodes, kPerSource, carriage); }};
}

// One event of the engine in an iteration of VGG19 on 1,024 nodes of `fabric`, placing and lowering included, no round jumped over.
Side vgg19_event(std::string name, std::string fabric) {
  return {std::move(name), [fabric = std::move(fabric)] {
            pipeline::Draft draft = pipeline::read_draft(HELIO_SOURCE_DIR "/bench/vgg19_oddl.toml");
            draft.fabric["name"].text = fabric;
            const pipeline::Experiment experiment = pipeline::interpret(draft);
            const double start = processor_seconds();
            const auto results = pipeline::run_jobs(experiment, {.jump = false});
            return (processor_seconds() - start) / static_cast<double>(results.front().events);
          }};
}

// A search, whole.
Side searching(std::string name, std::string algorithm, Settings fabric) {
  return {std::move(name), [=] {
            pipeline::Experiment experiment;
            experiment.fabric = {fabric.at("name").text, "bench", fabric};
            experiment.fabric.settings.erase("name");
            pipeline::Collective collective;
            collective.bytes.value = Bytes{249.2e6};
            collective.algorithm = {algorithm, "bench", {}};
            return least_seconds([&] { return plan::answer(experiment, collective).time; });
          }};
}
Side on_torus(std::string algorithm, std::string dimensions, std::string nodes) {
  return searching(algorithm + " " + dimensions, algorithm,
                   {{"name", {"torus", "bench"}}, {"dimensions", {dimensions, "bench"}}, {"nodes", {nodes, "bench"}}});
}
Side planning_light(std::string nodes, std::string wavelengths) {
  return searching(nodes + " nodes, " + wavelengths + " wavelengths", "wdm-planned",
                   {{"name", {"wdm-ring", "bench"}},
                    {"nodes", {nodes, "bench"}},
                    {"wavelengths", {wavelengths, "bench"}},
                    {"light", {"generous", "bench"}}});
}

// One flow of skewed traffic on a torus, of which every end is asked for.
Side traffic_flow(std::string name, std::string nodes) {
  return {std::move(name), [nodes = std::move(nodes)] {
            pipeline::TrafficQuestion question;
            question.fabric = {"torus", "bench", {{"nodes", {nodes, "bench"}}}};
            question.bytes.value = Bytes{64e6};
            question.iterations = 1;
            double flows = 1;
            const double seconds =
                least_seconds([&] { return flows = static_cast<double>(pipeline::run_traffic(question).flows); });
            return seconds / flows;
          }};
}

#ifdef HELIO_SIMGRID_BINARY
// The same flow program in helio-simgrid: processor time of SimGrid's simulation proper, without start, reading and building.
// Throws std::runtime_error when the two do not agree on the answer.
Side by_simgrid(Question question) {
  return {"SimGrid", [question = std::move(question)] {
            const Workbench bench(question);
            const pipeline::SecondOpinion opinion =
                pipeline::ask_simgrid(bench.program(), HELIO_SIMGRID_BINARY, "bench");
            const double ours = simulate::simulate(bench.program()).end.to_seconds();
            if (std::abs(ours - opinion.time_s) > 1e-6 * ours)
              throw std::runtime_error(fmt::format("{} on {} of {}: helio says {} s, SimGrid {} s", question.algorithm,
                                                   question.fabric, question.nodes, ours, opinion.time_s));
            return opinion.processor_s;
          }};
}

// Nothing repeats: every rank goes on by itself, over ways that meet at random.
const Question kWithoutSymmetry = {.fabric = "fat-tree",
                                   .algorithm = "ring",
                                   .nodes = 1024,
                                   .order = kDataflow,
                                   .bytes = 1e6,
                                   .settings = {{"k", {"16", "bench"}}, {"rank_order", {"random", "bench"}}}};

// Everyone to everyone at once, over ways that meet at random.
const Question kDense = {.fabric = "fat-tree", .algorithm = "direct", .nodes = 128, .kind = schedule::Kind::kAllToAll};
#endif

}  // namespace

const std::vector<Ratio>& ratios() {
  static const std::vector<Ratio> all = {
      // name, slow, fast, at least
      {"engine, ring 256, step", simulating("every round", {"ring", "ring", 256, {}, false}),
       simulating("jumping", {"ring", "ring", 256})},
      {"engine, ring 256, dataflow", simulating("every round", {"ring", "ring", 256, kDataflow, false}),
       simulating("jumping", {"ring", "ring", 256, kDataflow})},
      {"order, ring 256", simulating("dataflow", {"ring", "ring", 256, kDataflow}),
       simulating("step", {"ring", "ring", 256})},
      {"proof, ring 512", proving("fingerprints", {"ring", "ring", 512, {}, true, kFingerprints}),
       proving("one slot per orbit", {"ring", "ring", 512, {}, true, kOrbit})},
      {"rounds, ring broadcast in pieces, 2,048",
       timing("as they are", "ring", "ring", schedule::Kind::kBroadcast, 2048, false),
       timing("condensed", "ring", "ring", schedule::Kind::kBroadcast, 2048, true)},
      {"rounds, direct broadcast on a mesh, 4,096",
       timing("as they are", "mesh", "direct", schedule::Kind::kBroadcast, 4096, false),
       timing("condensed", "mesh", "direct", schedule::Kind::kBroadcast, 4096, true)},
      {"rounds, switch 65,536",
       timing("as they are", "switch", "halving-doubling", schedule::Kind::kAllReduce, 1u << 16, false),
       timing("condensed", "switch", "halving-doubling", schedule::Kind::kAllReduce, 1u << 16, true)},
      {"rounds, recursive doubling on a ring, 2,048",
       timing("as they are", "ring", "recursive-doubling", schedule::Kind::kAllReduce, 2048, false),
       timing("condensed", "ring", "recursive-doubling", schedule::Kind::kAllReduce, 2048, true)},
      {"rounds, recursive doubling on a ring, growth",
       timing("8,192, a node", "ring", "recursive-doubling", schedule::Kind::kAllReduce, 8192, true),
       timing("2,048, a node", "ring", "recursive-doubling", schedule::Kind::kAllReduce, 2048, true)},
      {"rounds, all-to-all on a ring, 256",
       timing("as they are", "ring", "direct", schedule::Kind::kAllToAll, 256, false),
       timing("condensed", "ring", "direct", schedule::Kind::kAllToAll, 256, true)},
      {"rounds, all-to-all on a ring, growth",
       timing("512, a node", "ring", "direct", schedule::Kind::kAllToAll, 512, true),
       timing("256, a node", "ring", "direct", schedule::Kind::kAllToAll, 256, true)},
      {"rounds, ring broadcast in pieces, growth",
       timing("16,384, a node", "ring", "ring", schedule::Kind::kBroadcast, 16384, true),
       timing("4,096, a node", "ring", "ring", schedule::Kind::kBroadcast, 4096, true)},
      {"rounds, switch, growth",
       timing("2^18, a node", "switch", "halving-doubling", schedule::Kind::kAllReduce, 1u << 18, true),
       timing("2^14, a node", "switch", "halving-doubling", schedule::Kind::kAllReduce, 1u << 14, true)},
      {"traffic, twice the nodes", traffic_flow("torus 256, a flow", "256"), traffic_flow("torus 128, a flow", "128")},
      {"control, 10^6 random flows", random_flow("srpt, a flow", 1024, Carriage::kControlled),
       random_flow("switch, a flow", 1024, Carriage::kSwitch)},
      {"control, random flows", random_flow("1,024 nodes, a flow", 1024, Carriage::kControlled),
       random_flow("128 nodes, a flow", 128, Carriage::kControlled)},
      {"control, VGG19 1,024", vgg19_event("oddl, an event", "oddl"), vgg19_event("switch, an event", "switch")},
      {"optical all-reduce, 4 servers",
       {"a GB of gradients", [] { return seconds_per_exchanged_gigabyte({4}); }},
       {"only copied", [] { return seconds_per_copied_gigabyte(4); }}},
      {"optical all-reduce, 4x4 servers",
       {"a GB of gradients",
        [] {
          return seconds_per_exchanged_gigabyte({4, 4});
        }},
       {"of 4 servers", [] { return seconds_per_exchanged_gigabyte({4}); }}},
      {"meshes",
       {"512 modes", [] { return seconds_to_decompose(512, false); }},
       {"256 modes", [] { return seconds_to_decompose(256, false); }}},
      {"meshes, 256 modes",
       {"complex", [] { return seconds_to_decompose(256, false); }},
       {"real", [] { return seconds_to_decompose(256, true); }}},
      {"auto, four times the nodes", on_torus("auto", "32x32", "1024"), on_torus("auto", "16x16", "256")},
      {"auto, against what wins", on_torus("auto", "16x16", "256"), on_torus("dimension-ordered", "16x16", "256")},
      {"wdm-planned, four times the nodes", planning_light("65536", "64"), planning_light("16384", "64")},
      {"wdm-planned, 16 times the wavelengths", planning_light("16384", "1024"), planning_light("16384", "64")},
#ifdef HELIO_SIMGRID_BINARY
      {"SimGrid, ring 1024", by_simgrid({"ring", "ring", 1024}), simulating("helio", {"ring", "ring", 1024}), 100},
      {"SimGrid, fat-tree k=16", by_simgrid(kWithoutSymmetry), simulating("helio", kWithoutSymmetry), 5},
      {"SimGrid, all to all", by_simgrid(kDense), simulating("helio", kDense), 50},
#endif
  };
  return all;
}

std::vector<RatioOutcome> measure_ratios(const std::function<void(const RatioOutcome&)>& each) {
  std::vector<RatioOutcome> outcomes;
  for (const Ratio& ratio : ratios()) {
    const double slow = ratio.slow.seconds();
    outcomes.push_back({ratio, slow, ratio.fast.seconds()});
    each(outcomes.back());
  }
  return outcomes;
}

}  // namespace helio::bench
