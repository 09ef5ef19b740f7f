// SPDX-License-Identifier: Apache-2.0
// `graph`: any network from a text file (graph_file.h, docs/graph-file.md): nodes, switches, links of their own rate and latency.
//
//      a ══ s ══ t ══ c           ranks are the nodes in the order of the file; nodes pass on what is not for them
//           ║    ║
//      b ══ u ══ v ══ d           a to d: two ways of 4 hops, over t and over u
//
// Ways are shortest by the number of links. Where several are equal, each vertex on the way chooses among its next links that are
// nearer to the destination: `ecmp` by a hash of the two ends and the hop, `spray` by giving each of them the same part. Parallel
// links are choices too. Hops to a destination are counted when something is first sent there, and remembered.
#pragma once

#include <memory>

#include "fabric/fabric.h"
#include "fabric/footing.h"

namespace helio::fabric {

Description describe_graph();
std::unique_ptr<Fabric> make_graph(const Parameters& parameters);
// Its links have the rates of the file: no footing makes them others. Throws Error(kInput) where one would.
Settings footing_of_graph(Settings given, const Footing& footing);

}  // namespace helio::fabric
