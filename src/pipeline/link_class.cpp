// SPDX-License-Identifier: Apache-2.0
#include "pipeline/link_class.h"

#include <string_view>

namespace helio::pipeline {
namespace {

// What fabrics call their links, * for each number, and what such links are.
struct Words {
  std::string_view pattern, words;
};

constexpr Words kWords[] = {
    // ring, mesh, torus, full-mesh, switch
    {"ring link * to *", "links between neighbours of the ring"},
    {"mesh link * to *", "links between neighbours of the mesh"},
    {"torus link * to *", "links between neighbours of the torus"},
    {"link * to *", "links between nodes"},
    {"link * to switch", "links from nodes to the switch"},
    {"link switch to *", "links from the switch to nodes"},
    // fat-tree
    {"link host * to edge *", "links from hosts to edge switches"},
    {"link edge * to host *", "links from edge switches to hosts"},
    {"link edge * to aggregation *", "links from edge to aggregation switches"},
    {"link aggregation * to edge *", "links from aggregation to edge switches"},
    {"link aggregation * to core *", "links from aggregation to core switches"},
    {"link core * to aggregation *", "links from core to aggregation switches"},
    {"* uplinks of edge *", "uplinks of edge switches, those of a switch as one"},
    {"* downlinks of edge *", "downlinks of edge switches, those of a switch as one"},
    {"* uplinks of pod *", "uplinks of pods, those of a pod as one"},
    {"* downlinks of pod *", "downlinks of pods, those of a pod as one"},
    // cluster
    {"NVLink port of NPU *, out", "NVLink ports of NPUs, out"},
    {"NVLink port of NPU *, in", "NVLink ports of NPUs, in"},
    {"NIC * of server *, out", "NICs of servers, out"},
    {"NIC * of server *, in", "NICs of servers, in"},
    {"uplink * of leaf *", "uplinks of leaf switches"},
    {"downlink * of leaf *", "downlinks of leaf switches"},
    // fred, and what wafers have
    {"link NPU * up", "links from NPUs up"},
    {"link NPU * up, link *", "links from NPUs up"},
    {"link down to NPU *", "links down to NPUs"},
    {"link down to NPU *, link *", "links down to NPUs"},
    {"link L* switch * up", "links up between switches"},
    {"link L* switch * up, link *", "links up between switches"},
    {"link down to L* switch *", "links down between switches"},
    {"link down to L* switch *, link *", "links down between switches"},
    {"I/O channel * in", "I/O channels, in"},
    {"I/O channel * out", "I/O channels, out"},
    // optinc
    {"link * to its switch", "links from nodes to their switches"},
    {"link from its switch to *", "links from switches to their nodes"},
    {"link up from switch * of level *", "links up between switches"},
    {"link down to switch * of level *", "links down between switches"},
    // wdm-ring, sip-ring, oddl
    {"segment *-* clockwise, wavelength *", "wavelengths on segments, clockwise"},
    {"segment *-* counter-clockwise, wavelength *", "wavelengths on segments, counter-clockwise"},
    {"segment * to *", "segments of the ring"},
    {"channel * of group *, plane *", "channels of groups"},
    {"port out of node *", "ports out of nodes"},
    {"port into node *", "ports into nodes"},
};

std::string without_numbers(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    if (c < '0' || c > '9')
      pattern += c;
    else if (pattern.empty() || pattern.back() != '*')
      pattern += '*';
  }
  return pattern;
}

}  // namespace

std::string class_of_link(const std::string& name) {
  if (name.starts_with("I/O in of ") || name.starts_with("I/O out of "))
    return name;  // a job's, whose name may have digits
  std::string pattern = without_numbers(name);
  for (const Words& known : kWords)
    if (known.pattern == pattern) return std::string(known.words);

  // Between what a file of a graph calls its vertices; several in parallel, as one or one by one
  constexpr std::string_view kJoint = "* links ", kOne = "link ", kOneOfSeveral = " (* of *)";
  if (pattern.ends_with(kOneOfSeveral)) pattern.resize(pattern.size() - kOneOfSeveral.size());
  if (pattern.starts_with(kJoint)) return "parallel links, as one, from " + pattern.substr(kJoint.size());
  if (pattern.starts_with(kOne)) return "links from " + pattern.substr(kOne.size());
  return pattern;
}

}  // namespace helio::pipeline
