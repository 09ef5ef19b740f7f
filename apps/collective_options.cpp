// SPDX-License-Identifier: Apache-2.0
#include "collective_options.h"

#include <CLI/CLI.hpp>

namespace helio::apps {

CollectiveOptions add_collective_options(CLI::App& command, ask::CollectiveQuestion& q, std::vector<std::string>& set) {
  q.place = "command line";
  CollectiveOptions options{};
  options.kind =
      command.add_option("KIND", q.kind, "all-reduce, reduce-scatter, all-gather, broadcast, reduce, all-to-all");
  options.fabric = command.add_option("--fabric", q.fabric, "who carries it: helio list fabrics");
  command.add_option("--nodes", q.nodes, "how many nodes; the same as --set fabric.nodes=N")->type_name("INT");
  command
      .add_option("--level", q.levels,
                  "of fabric composite, once for each level, the lowest first: FABRIC:parameter=value,...")
      ->allow_extra_args(false);
  options.bytes = command.add_option("--bytes", q.bytes, "the full vector, such as \"100 MB\"");
  command.add_option("--algorithm", q.algorithm,
                     "which moves: helio list algorithms; auto, the default, is the fastest of them; usual is what "
                     "libraries take; file:PATH is a schedule file");
  command
      .add_option("--set", set, "fabric.NAME=VALUE, algorithm.NAME=VALUE or part.NAME.KEY=VALUE, as often as needed")
      ->allow_extra_args(false);
  command.add_option("--root", q.root, "broadcast and reduce: the rank that sends, or receives the sum")
      ->type_name("INT");
  command.add_option("--groups", q.groups, "several groups at once, such as \"0,1;2,3\"; unset: one of all nodes");
  return options;
}

}  // namespace helio::apps
