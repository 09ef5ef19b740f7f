// SPDX-License-Identifier: Apache-2.0
// What the commands beside experiments print: slices, traffic, optical networks, the FRED switch.
#include "report/json/json_keys.h"

namespace helio::report {

std::vector<JsonKey> command_keys() {
  constexpr std::string_view kSlices = "helio slices";
  constexpr std::string_view kTraffic = "helio traffic";
  constexpr std::string_view kBuild = "helio onn build";
  constexpr std::string_view kEvaluate = "helio onn evaluate";
  constexpr std::string_view kDescribe = "helio onn describe";
  constexpr std::string_view kDecompose = "helio onn decompose";
  constexpr std::string_view kRoute = "helio fred route";
  std::vector<JsonKey> keys = {
      {kSlices, "version", "", "of Heliograph"},
      {kSlices, "file", "", "the file of events"},
      {kSlices, "fabric", "", "the shape of the fabric"},
      {kSlices, "fabric.groups", "", "of nodes"},
      {kSlices, "fabric.nodes_per_group", "", "nodes of a group"},
      {kSlices, "fabric.planes", "", "of WSS"},
      {kSlices, "fabric.channels", "", "of a plane"},
      {kSlices, "fabric.wss_s", "s", "that one change takes"},
      {kSlices, "events", "", "one object for each event, in order"},
      {kSlices, "events[].event", "", "admit, grow, fail or leave"},
      {kSlices, "events[].at_s", "s", "when"},
      {kSlices, "events[].job", "", "whose; null for a node that nobody had"},
      {kSlices, "events[].node", "", "only of fail: which"},
      {kSlices, "events[].done", "", "whether it was"},
      {kSlices, "events[].runs", "", "whether the job runs after it"},
      {kSlices, "events[].reason", "", "why not, in words"},
      {kSlices, "events[].attempts", "", "what was tried, in words"},
      {kSlices, "events[].free_nodes", "", "after it"},
      {kSlices, "events[].fragmented", "1", "free nodes in groups that are partly in use, as a part of all nodes"},
      {kSlices, "events[].isolation_changed", "", "other jobs whose isolation changed by it"},
      {kSlices, "events[].isolation_changed[].job", "", "its name"},
      {kSlices, "events[].isolation_changed[].isolation", "", "physical or masked, now"},
      {kSlices, "events[].algorithm", "", "where the job runs: its algorithm, and so on below"},
      {kSlices, "events[].nodes", "", "numbers of its nodes"},
      {kSlices, "events[].channels", "", "that its slice takes"},
      {kSlices, "events[].planes", "", "that its slice takes"},
      {kSlices, "events[].parts", "", "that a run is split into by WSS changes; 1: none"},
      {kSlices, "events[].isolation", "", "physical, or masked by what it shares"},
      {kSlices, "events[].wss_changes", "", "to set it up"},
      {kSlices, "events[].wss_time_s", "s", "that they take"},
      {kSlices, "events[].ready_s", "s", "when its slice is lit"},
      {kSlices, "events[].wss_changes_per_run", "", "inside every run"},
      {kSlices, "events[].wss_time_per_run_s", "s", "that they take"},
      {kSlices, "running", "", "names of the jobs that run at the end"},
      {kSlices, "label", "", "ours"},
      {kSlices, "jobs", "", "only with --run, as all below: what each job did"},
      {kSlices, "jobs[].job", "", "its name"},
      {kSlices, "jobs[].runs", "", "in all, simulated or counted at the pace of those"},
      {kSlices, "jobs[].runs_simulated", "", "in the engine"},
      {kSlices, "jobs[].runs_abandoned", "", "at a failure"},
      {kSlices, "jobs[].run_mean_s", "s",
       "of all runs, without compute, counted ones as long as those simulated after the first of their stretch; null "
       "where there are none"},
      {kSlices, "jobs[].run_p50_s", "s", "their median; null where there are none"},
      {kSlices, "jobs[].run_p99_s", "s", "their 99th percentile; null where there are none"},
      {kSlices, "jobs[].wss_time_s", "s", "in WSS changes, in all"},
      {kSlices, "jobs[].bytes", "B", "that its nodes sent"},
      {kSlices, "jobs[].others_flows", "", "only with --prove: flows of the others, heirs left aside"},
      {kSlices, "jobs[].others_flows_beside", "",
       "only with --prove: those that run while this job's simulated runs do"},
      {kSlices, "jobs[].others_flows_moved", "",
       "only with --prove: those that begin or end otherwise without this job"},
      {kSlices, "jobs[].stretches", "", "the job on one slice after the other"},
      {kSlices, "jobs[].stretches[].at_s", "s", "its event"},
      {kSlices, "jobs[].stretches[].lit_s", "s", "when its light was there"},
      {kSlices, "jobs[].stretches[].end_s", "s", "when it ended"},
      {kSlices, "jobs[].stretches[].nodes", "", "how many"},
      {kSlices, "jobs[].stretches[].algorithm", "", "which moves"},
      {kSlices, "jobs[].stretches[].parts", "", "that a run is split into by WSS changes"},
      {kSlices, "jobs[].stretches[].runs", "", "in all"},
      {kSlices, "jobs[].stretches[].runs_simulated", "", "in the engine"},
      {kSlices, "jobs[].stretches[].run_abandoned", "", "whether its last one was"},
      {kSlices, "jobs[].stretches[].wss_time_s", "s", "in WSS changes"},
      {kSlices, "end_s", "s", "the end of all"},
      {kSlices, "control_messages", "", "that arbiters and nodes sent"},
      {kSlices, "assumptions", "", "what was assumed, in words"},

      {kTraffic, "version", "", "of Heliograph"},
      {kTraffic, "fabric", "", "who carried it"},
      {kTraffic, "nodes", "", "of the fabric"},
      {kTraffic, "bytes", "B", "of one node and iteration"},
      {kTraffic, "skew", "1", "spread of the experts' popularity"},
      {kTraffic, "seed", "", "of the draws"},
      {kTraffic, "compute_s", "s", "before each exchange"},
      {kTraffic, "time_s", "s", "of everything"},
      {kTraffic, "iteration_mean_s", "s", "of an exchange, without compute"},
      {kTraffic, "utilisation", "1", "bytes moved over what all nodes could inject in time_s"},
      {kTraffic, "moved_bytes", "B", "between nodes"},
      {kTraffic, "flows", "", "of all iterations"},
      {kTraffic, "latency_p50_s", "s", "of flows, from the start of their iteration to their last byte: the median"},
      {kTraffic, "latency_p99_s", "s", "the 99th percentile of it"},
      {kTraffic, "latency_max_s", "s", "the slowest flow"},
      {kTraffic, "iterations", "", "one object for each"},
      {kTraffic, "iterations[].time_s", "s", "of its exchange"},
      {kTraffic, "iterations[].bound_s", "s", "the busiest sender or receiver at full rate"},
      {kTraffic, "iterations[].hottest", "1", "share of the tokens that the most popular expert gets"},
      {kTraffic, "iterations[].flows", "", "of it"},
      {kTraffic, "iterations[].latency_p50_s", "s", "of its flows: the median"},
      {kTraffic, "iterations[].latency_p99_s", "s", "of its flows: the 99th percentile"},
      {kTraffic, "iterations[].latency_max_s", "s", "of its flows: the slowest"},
      {kTraffic, "configuration", "", "every parameter of the fabric as used, defaults included", true},
      {kTraffic, "facts", "", "what the fabric tells", true},
      {kTraffic, "label", "", "as of a collective"},
      {kTraffic, "assumptions", "", "what was assumed, in words"},
      {kTraffic, "rate_bps", "b/s", "only of several fabrics: what each node can inject"},
      {kTraffic, "fabrics", "", "only of several fabrics: an object for each, with the keys above and these"},
      {kTraffic, "fabrics[].name", "", "the fabric as it was asked for"},
      {kTraffic, "fabrics[].refused", "", "why it cannot carry the traffic; then it has no other keys"},
  };

  // What all networks are and cost
  for (const std::string_view by : {kBuild, kEvaluate, kDescribe}) {
    const std::vector<JsonKey> network = {
        {by, "servers", "", "N, whose codes are averaged"},
        {by, "bits", "", "B, of a code"},
        {by, "symbol_bits", "", "M, of a symbol"},
        {by, "rounding", "", "floor, half-up, half-even or dither"},
        {by, "in_fraction", "", "only of a cascade's next level: symbols below the point that arrive"},
        {by, "out_fraction", "", "only of a cascade's first level: symbols below the point that leave"},
        {by, "merge", "", "only where symbols are merged: how many are added optically before the network"},
        {by, "method", "", "how the network was made"},
        {by, "layers", "", "their widths"},
        {by, "compilation", "", "svd, ud, compact or tree: how layers become meshes"},
        {by, "mzis", "", "in all meshes"},
        {by, "mzis_by_svd", "", "what full decompositions of all layers would take"},
        {by, "mzis_by_svd_without_bias", "", "the same without the wires of biases"},
        {by, "depth", "", "MZIs in a row along the longest way"},
        {by, "loss_db", "dB", "in the deepest layer"},
        {by, "loss_without_regeneration_db", "dB", "of all layers, if light were not made anew"},
        {by, "area_mm2", "mm2", "of all MZIs"},
        {by, "latency_s", "s", "flight and activations"},
        {by, "activations", "", "nonlinear elements"},
    };
    keys.insert(keys.end(), network.begin(), network.end());
    if (by == kBuild || by == kEvaluate)
      for (const JsonKey& counted : {JsonKey{by, "grid_points", "", "inputs that there are"},
                                     {by, "points", "", "inputs that were tried, over all draws"},
                                     {by, "wrong", "", "of them with a wrong output"}})
        keys.push_back(counted);
    if (by == kBuild)
      for (const JsonKey& told : {JsonKey{by, "chip", "", "only with --chip: its name"},
                                  {by, "wrong_on_chip", "", "only with --chip: of the points, on one such chip"},
                                  {by, "out", "", "the file that was written; null: none"}})
        keys.push_back(told);
    if (by == kEvaluate)
      for (const JsonKey& counted :
           {JsonKey{by, "wrong_fraction", "1", "wrong over points"},
            {by, "wrong_fraction_weighted", "1",
             "the same for uniform random codes of the servers; null for random points"},
            {by, "error_histogram", "", "for each difference in the output: how many points", true},
            {by, "mean_error", "1", "mean of the outputs' absolute errors, in steps of a code"},
            {by, "output_margin", "1",
             "of a symbol: the smallest distance to a wrong decision; negative where one was made"},
            {by, "draws", "", "of chips and noises; with --chip of noise on each chip"},
            {by, "wrong_worst_draw", "", "in the worst draw; with --chip on the worst chip"},
            {by, "chip", "", "only with --chip: its name"},
            {by, "chips", "", "only with --chip: how many were made"},
            {by, "chips_wrong", "", "only with --chip: how many of them were wrong at any point in any draw"},
            {by, "step_margin", "1",
             "only with --chip: the smallest distance of a limiter's input from its threshold, without noise where all "
             "layers are limiters; null: none"},
            {by, "dummies", "", "only with --chip: couplers that even out the loss of paths"},
            {by, "gain_db", "dB", "only with --chip: the largest gain behind a detector, for light divided and lost"},
            {by, "first_wrong", "", "an example in words; null where none is wrong"}})
        keys.push_back(counted);
    if (by == kDescribe)
      for (const JsonKey& told : {JsonKey{by, "command", "", "that made the network"},
                                  {by, "seed", "", "of its making"},
                                  {by, "wall_s", "s", "that its making took"},
                                  {by, "encoding", "", "amplitude or intensity"},
                                  {by, "svg", "", "the picture that was written; null: none"}})
        keys.push_back(told);
  }

  const std::vector<JsonKey> others = {
      {kDecompose, "modes", "", "of the matrix"},
      {kDecompose, "layout", "", "rectangular or triangular"},
      {kDecompose, "real", "", "whether the matrix is"},
      {kDecompose, "mzis", "", "of the mesh"},
      {kDecompose, "depth", "", "MZIs in a row"},
      {kDecompose, "loss_db", "dB", "along the deepest path"},
      {kDecompose, "area_mm2", "mm2", "of all MZIs"},
      {kDecompose, "rebuild_error", "1", "largest difference of an element when the mesh is multiplied out"},
      {kDecompose, "decompose_s", "s", "that it took on this machine"},
      {kDecompose, "svg", "", "the picture that was written; null: none"},
      {kRoute, "ports", "", "P, on each side"},
      {kRoute, "middle", "", "m, middle switches"},
      {kRoute, "flows", "", "that were asked for"},
      {kRoute, "routed", "", "whether all of them are, at once"},
      {kRoute, "verified", "", "true only if numbers were pushed through the configured switch and came out right"},
      {kRoute, "colours", "", "for each flow its middle switches, from outside in; null where blocked"},
      {kRoute, "adders", "", "in use"},
      {kRoute, "copiers", "", "in use"},
      {kRoute, "proven", "", "whether blocking was proven, not only met"},
      {kRoute, "proof", "", "of blocking, in words; null where routed"},
      {kRoute, "svg", "", "the picture that was written; null: none"},
  };
  keys.insert(keys.end(), others.begin(), others.end());
  return keys;
}

}  // namespace helio::report
