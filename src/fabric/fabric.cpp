// SPDX-License-Identifier: Apache-2.0
// The catalogue of fabrics: one line each.
#include "fabric/fabric.h"

#include "fabric/composite/composite.h"
#include "fabric/electrical/cluster.h"
#include "fabric/electrical/cluster_sets.h"
#include "fabric/electrical/fat_tree.h"
#include "fabric/electrical/full_mesh.h"
#include "fabric/electrical/graph.h"
#include "fabric/electrical/grid.h"
#include "fabric/electrical/ring.h"
#include "fabric/electrical/switch.h"
#include "fabric/fred/fred.h"
#include "fabric/oddl/oddl.h"
#include "fabric/optinc/optinc.h"
#include "fabric/wdm/rotor.h"
#include "fabric/wdm/sip_ring.h"
#include "fabric/wdm/wdm_ring.h"

namespace helio::fabric {

const Catalogue<Factory>& fabrics() {
  static const Catalogue<Factory> catalogue("fabric", {
                                                          {describe_ring(), make_ring},
                                                          {describe_switch(), make_switch},
                                                          {describe_full_mesh(), make_full_mesh},
                                                          {describe_mesh(), make_mesh},
                                                          {describe_torus(), make_torus},
                                                          {describe_fat_tree(), make_fat_tree},
                                                          {describe_graph(), make_graph},
                                                          {describe_cluster(), make_cluster},
                                                          {describe_wdm_ring(), make_wdm_ring},
                                                          {describe_sip_ring(), make_sip_ring},
                                                          {describe_rotor(), make_rotor},
                                                          {describe_oddl(), make_oddl},
                                                          {describe_fred(), make_fred},
                                                          {describe_optinc(), make_optinc},
                                                          {describe_composite(), make_composite},
                                                      });
  return catalogue;
}

std::unique_ptr<Fabric> make(std::string_view name, const Settings& settings, std::string_view place) {
  const auto& entry = fabrics().at(name, std::string(place));
  return entry.factory(fabrics().resolve(entry, with_defaults(name, settings)));
}

}  // namespace helio::fabric
