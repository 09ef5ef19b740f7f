// SPDX-License-Identifier: Apache-2.0
#include "budgets.h"

#include <algorithm>
#include <sstream>

#include "child.h"

namespace helio::bench {
namespace {

constexpr unsigned kRuns = 3;
constexpr double kMB = 1e6, kGB = 1e9;

std::vector<std::string> command(const std::string& helio, const std::string& arguments) {
  std::vector<std::string> words{helio};
  std::istringstream text(arguments);
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

std::string all_reduce(const char* rest) { return std::string(kAllReduce) + rest; }

// An iteration of an experiment file, changed.
std::string iteration(const char* file, const char* rest = "") {
  return std::string("simulate " HELIO_SOURCE_DIR "/") + file + " --json --budget 60s,8GB " + rest;
}

std::string all_to_all(const char* rest) {
  return std::string("collective all-to-all --bytes 100MB --algorithm direct --json --budget 60s,8GB ") + rest;
}

const std::string kTimed = "\"time_s\"";
const std::string kProven = "\"verified\": true";

}  // namespace

const std::vector<Budget>& budgets() {
  static const std::vector<Budget> all = {
      // name, arguments, seconds, bytes, after start-up, must print
      {"version", "--version", 0.020},
      {"ring 1,024", all_reduce("--fabric ring --nodes 1024 --algorithm ring"), 0.020, 0, true},
      {"switch 1,024", all_reduce("--fabric switch --nodes 1024 --algorithm halving-doubling"), 0.020},
      {"ring 65,536, proven", all_reduce("--fabric ring --nodes 65536 --algorithm ring --verify"), 1, 500 * kMB, false,
       kProven},
      {"ring 1,048,576, proven", all_reduce("--fabric ring --nodes 1048576 --algorithm ring --verify"), 15, 4 * kGB,
       false, kProven},
      {"full-mesh 1,024, direct", all_reduce("--fabric full-mesh --nodes 1024 --algorithm direct"), 1, 1 * kGB},
      {"switch 1,048,576", all_reduce("--fabric switch --nodes 1048576 --algorithm halving-doubling"), 5, 2 * kGB},
      {"ring 16,384, recursive doubling", all_reduce("--fabric ring --nodes 16384 --algorithm recursive-doubling"), 5,
       1 * kGB},
      {"ring 16,384, broadcast in pieces",
       "collective broadcast --fabric ring --nodes 16384 --bytes 100MB --algorithm ring --json", 10, 1 * kGB},
      {"fat-tree 16,384, two-level all-gather",
       "collective all-gather --fabric fat-tree --nodes 16384 --bytes 100MB --algorithm two-level --json", 10, 1 * kGB},
      {"ring 4,096, direct broadcast",
       "collective broadcast --fabric ring --nodes 4096 --bytes 100MB --algorithm direct --json", 5, 1 * kGB},
      {"mesh 16,384, direct reduce",
       "collective reduce --fabric mesh --nodes 16384 --bytes 100MB --algorithm direct --json", 10, 1 * kGB},
      {"all-to-all, torus 16x16", all_to_all("--fabric torus --set fabric.dimensions=16x16"), 0.2},
      {"all-to-all, torus 8x8x8", all_to_all("--fabric torus --set fabric.dimensions=8x8x8"), 0.5},
      {"all-to-all, torus 32x32", all_to_all("--fabric torus --set fabric.dimensions=32x32"), 3, 1 * kGB},
      {"all-to-all, ring 256", all_to_all("--fabric ring --nodes 256"), 5, 1 * kGB},
      {"all-to-all, ring 1,024", all_to_all("--fabric ring --nodes 1024"), 5, 1 * kGB},
      {"all-to-all, mesh 16x16", all_to_all("--fabric mesh --set fabric.dimensions=16x16"), 5, 1 * kGB},
      {"all-to-all, mesh 32x32", all_to_all("--fabric mesh --set fabric.dimensions=32x32"), 5, 1 * kGB},
      {"all-to-all, fat-tree 256", all_to_all("--fabric fat-tree --nodes 256"), 0.5, 1 * kGB},
      {"all-to-all, fat-tree 1,024", all_to_all("--fabric fat-tree --nodes 1024"), 3, 1 * kGB},
      {"all-to-all, fat-tree 1,024, sprayed", all_to_all("--fabric fat-tree --nodes 1024 --set fabric.routing=spray"),
       3, 1 * kGB},
      {"traffic, torus 128", "traffic --fabric torus --nodes 128 --bytes 64MB --budget 60s --json", 5, 1 * kGB, false,
       kTimed},
      {"traffic, fat-tree 256", "traffic --fabric fat-tree --nodes 256 --bytes 64MB --budget 60s --json", 5, 1 * kGB,
       false, kTimed},
      {"GPT-3 on 1,024 NPUs", "simulate " HELIO_SOURCE_DIR "/examples/gpt3_3d.toml --json", 1, 1 * kGB, false,
       "\"time_s\""},
      {"GPT-3 on 16,384 NPUs",
       "simulate " HELIO_SOURCE_DIR "/examples/gpt3_3d.toml --set fabric.nodes=16384 --set job.dp=128 --json", 10, 0,
       false, "\"time_s\""},
      {"GPT-3 on 65,536 NPUs", iteration("examples/gpt3_3d.toml", "--set fabric.nodes=65536 --set job.dp=512"), 10,
       1 * kGB, false, kTimed},
      {"GPT-3 interleaved, 1,024 micro-batches",
       iteration("examples/gpt3_3d.toml",
                 "--set job.schedule=interleaved --set job.chunks=6 --set job.micro_batches=1024"),
       5, 1 * kGB, false, kTimed},
      {"GPT-3 interleaved on 16,384 NPUs",
       iteration("examples/gpt3_3d.toml",
                 "--set job.schedule=interleaved --set job.chunks=6 --set fabric.nodes=16384 --set job.dp=128"),
       10, 1 * kGB, false, kTimed},
      {"GPT-3 on a torus of 4,096",
       iteration("examples/gpt3_3d.toml", "--set fabric.name=torus --set fabric.nodes=4096 --set job.dp=32"), 5,
       1 * kGB, false, kTimed},
      {"GPT-3 on a fat-tree of 16,384",
       iteration("examples/gpt3_3d.toml", "--set fabric.name=fat-tree --set fabric.nodes=16384 --set job.dp=128"), 10,
       1 * kGB, false, kTimed},
      {"LLaMA-7B ZeRO 3, cluster of 4,096", iteration("bench/llama_zero3.toml"), 5, 1 * kGB, false, kTimed},
      {"LLaMA-7B ZeRO 3, FRED of 1,024",
       iteration("bench/llama_zero3.toml", "--set fabric.name=fred --set fabric.nodes=1024"), 5, 1 * kGB, false,
       kTimed},
      {"LLaMA-7B ZeRO 3, fat-tree of 1,024",
       iteration("bench/llama_zero3.toml", "--set fabric.name=fat-tree --set fabric.nodes=1024"), 5, 1 * kGB, false,
       kTimed},
      {"Mixtral, cluster of 4,096", iteration("bench/mixtral.toml"), 5, 1 * kGB, false, kTimed},
      {"Mixtral, torus of 1,024", iteration("bench/mixtral.toml", "--set fabric.name=torus --set fabric.nodes=1024"), 5,
       1 * kGB, false, kTimed},
      {"Mixtral, tp 4, pp 2, fat-tree of 256",
       iteration("bench/mixtral.toml",
                 "--set fabric.name=fat-tree --set fabric.nodes=256 --set job.tp=4 --set job.pp=2"),
       5, 1 * kGB, false, kTimed},
      {"Mixtral, tp 4, pp 2, fat-tree of 1,024",
       iteration("bench/mixtral.toml",
                 "--set fabric.name=fat-tree --set fabric.nodes=1024 --set job.tp=4 --set job.pp=2"),
       5, 1 * kGB, false, kTimed},
      {"two GPT-3 jobs, one fat-tree", "simulate " HELIO_SOURCE_DIR "/bench/contended.toml --budget 60s,8GB --json", 30,
       0, false, "\"time_s\""},
      {"wdm-planned 4,096, proven",
       "collective all-reduce --fabric wdm-ring --nodes 4096 --bytes 249.2MB --algorithm wdm-planned "
       "--set fabric.step_overhead=1us --verify --json",
       2, 0, false, kProven},
      {"wdm-planned 65,536, proven",
       "collective all-reduce --fabric wdm-ring --nodes 65536 --bytes 249.2MB --algorithm wdm-planned "
       "--set fabric.step_overhead=1us --verify --budget 60s,8GB --json",
       5, 1 * kGB, false, kProven},
      {"wdm-planned 65,536, static, proven",
       "collective all-reduce --fabric wdm-ring --nodes 65536 --bytes 249.2MB --algorithm wdm-planned --verify --json",
       5, 1 * kGB, false, kProven},
      {"wdm-planned 16,384 x 1,024, proven",
       "collective all-reduce --fabric wdm-ring --nodes 16384 --set fabric.wavelengths=1024 --set "
       "fabric.light=generous --bytes 249.2MB "
       "--algorithm wdm-planned --verify --json",
       5, 1 * kGB, false, kProven},
      {"auto, torus 32x32", all_reduce("--fabric torus --set fabric.dimensions=32x32"), 3, 1 * kGB},
      {"auto, fat-tree 512", all_reduce("--fabric fat-tree --nodes 512"), 3, 1 * kGB},
      {"auto, all-to-all, fat-tree 512",
       "collective all-to-all --fabric fat-tree --nodes 512 --bytes 100MB --json --budget 60s,8GB", 3, 1 * kGB},
      {"20 x 1,024 nodes, FRED and light, by level",
       "collective all-reduce --fabric composite --level fred:variant=D --level wdm-ring:nodes=1024,gateways=4 "
       "--bytes 1GB --algorithm by-level --json",
       5, 2 * kGB},
      {"GPT-3 on 64 wafers joined by light", iteration("examples/one_system.toml"), 5, 2 * kGB},
      {"FRED study", "reproduce fred --json", 10},
      {"FRED, dp of 5-4-1 on chiplets",
       "collective all-reduce --fabric fred --bytes 1GB --algorithm in-fabric --strategy 5-4-1 --phase dp "
       "--set fabric.structure=chiplets --verify --json",
       1, 0, false, kProven},
      {"ODDL ring 1,024, every flow controlled",
       "collective all-reduce --fabric oddl --nodes 1024 --bytes 574668960B --algorithm ring --set "
       "fabric.step_overhead=1us --json",
       0.2},
      {"VGG19 on 1,024 ODDL nodes", "simulate " HELIO_SOURCE_DIR "/bench/vgg19_oddl.toml --json", 2, 0, false,
       "\"time_s\""},
      {"10,000 jobs on 1,024 nodes, five fabrics", "slices --generate 10000 --nodes-per-gpu 4 --json", 60, 1 * kGB,
       false, "\"completion_cdf\""},
      {"OptINC study, trained networks counted whole", "reproduce optinc --json", 30},
      {"OptINC, all-reduce of 4",
       "collective all-reduce --fabric optinc --nodes 4 --bytes 100MB --algorithm in-fabric --json", 0.1},
      {"mesh of 256 modes, drawn at random", "onn decompose --modes 256 --json", 0.25},
      {"torus 32x32", all_reduce("--fabric torus --set fabric.dimensions=32x32 --algorithm dimension-ordered"), 0.020},
  };
  return all;
}

std::vector<BudgetOutcome> measure_budgets(const std::string& helio,
                                           const std::function<void(const BudgetOutcome&)>& each) {
  const double startup = best_of(kRuns, command(helio, "--version")).wall_seconds;
  std::vector<BudgetOutcome> outcomes;
  for (const Budget& budget : budgets()) {
    const ChildRun run = best_of(kRuns, command(helio, budget.arguments));
    BudgetOutcome outcome{budget, run.wall_seconds, run.processor_seconds, run.peak_bytes, run.failure};
    if (budget.after_startup) outcome.wall_seconds = std::max(0.0, outcome.wall_seconds - startup);
    if (outcome.failure.empty() && run.output.find(budget.must_print) == std::string::npos)
      outcome.failure = "did not print " + budget.must_print;
    const bool ran = outcome.failure.empty();
    const bool small = budget.bytes == 0 || outcome.peak_bytes <= budget.bytes;
    outcome.within = ran && small && outcome.wall_seconds <= budget.seconds;
    outcome.machine_was_busy = ran && small && !outcome.within && outcome.processor_seconds <= budget.seconds;
    outcomes.push_back(outcome);
    each(outcome);
  }
  return outcomes;
}

}  // namespace helio::bench
