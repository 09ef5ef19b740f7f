// SPDX-License-Identifier: Apache-2.0
#include "studies/optical_family/members.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace helio::studies::optical_family_study {
namespace {

std::string in_seconds(double seconds) { return fmt::format("{} s", seconds); }

}  // namespace

const char* name_of(When when) {
  switch (when) {
    case When::kNever: return "never";
    case When::kPerJob: return "per job";
    case When::kPerPhase: return "per phase";
    case When::kPerFlow: return "per flow";
    case When::kPerSlot: break;
  }
  return "per slot";
}

const char* name_of(Who who) {
  switch (who) {
    case Who::kNobody: return "nobody";
    case Who::kPlanner: return "a planner";
    case Who::kCentral: return "one for all";
    case Who::kReceivers: break;
  }
  return "each receiver";
}

const std::vector<Member>& members() {
  static const std::vector<Member> all = {
      {.name = "mesh",
       .when = When::kNever,
       .who = Who::kNobody,
       .builds = {{.fabric = "full-mesh", .settings = {{"latency", "0 s"}}, .lights = 0, .all_reduces = {"direct"}}},
       .words = "a fixed light between every two nodes, each with its part of a node's rate",
       .change_from = "nothing changes",
       .published = "-"},
      {.name = "TopoOpt-like",
       .when = When::kPerJob,
       .who = Who::kPlanner,
       .change = 60,
       .builds =
           {{.fabric = "ring", .settings = {{"latency", "0 s"}}, .lights = 2, .all_reduces = {"bidirectional-ring"}},
            {.fabric = "torus", .settings = {{"latency", "0 s"}}, .lights = 4, .all_reduces = {"dimension-ordered"}}},
       .words =
           "fibres patched once for each job, a ring of two or a torus of four lights a node, whichever is quicker for "
           "the job; nodes hand on what is not for them",
       .change_from = "seconds to minutes for a patch panel (recalled); a minute",
       .recalled = true,
       .published = "up to 3.4x shorter training than a fat-tree of similar cost (arXiv 2202.00433)"},
      {.name = "SiP-ML ring",
       .when = When::kPerPhase,
       .who = Who::kCentral,
       .change = 25e-6,
       .builds = {{.fabric = "sip-ring",
                   .settings = {{"wavelengths", "4"}},
                   .lights = 4,
                   .all_reduces = {"bidirectional-ring"},
                   .flows = false}},
       .words = "wavelengths of a ring by demand, decided for all when it changes; light for four times as long as it "
                "is dark",
       .change_from = "SiP-ML's micro-rings (recalled)",
       .recalled = true,
       .published = "1.3 to 9.1x shorter training than electrical networks (recalled)"},
      {.name = "SiP-ML switches",
       .when = When::kPerPhase,
       .who = Who::kCentral,
       .change = 20e-6,
       .builds = {{.fabric = "oddl",
                   .settings = {{"control", "central"}, {"lock", "0 s"}, {"guard", "0 s"}, {"lookahead", "0"}},
                   .all_reduces = {"ring", "halving-doubling"}}},
       .words = "optical switches that are all set alike, one partner at a time, by one that decides for all, and only "
                "when the "
                "last flow has ended",
       .change_from = "MLNetwork/rostam: what its scripts pass (papers/oddl.md 3.1)",
       .published = "-"},
      {.name = "ODDL",
       .when = When::kPerFlow,
       .who = Who::kReceivers,
       .change = 220e-9,
       .builds = {{.fabric = "oddl", .all_reduces = {"ring", "halving-doubling"}}},
       .words =
           "fabric oddl as it is: each receiver's arbiter grants it to one flow after the other, the next one ahead",
       .change_from = "tune, lock and guard of fabric oddl; its paper's are unknown",
       .published = "1.6x over a fat-tree, 1.7x over SiP-Ring (JOCN 16(3) 342-357; helio reproduce oddl)"},
      {.name = "PULSE-like",
       .when = When::kPerSlot,
       .who = Who::kReceivers,
       .change = 12e-9,
       .builds = {{.fabric = "oddl",
                   .settings = {{"control", "slotted"},
                                {"lock", "0 s"},
                                {"guard", "0 s"},
                                {"fibre", "2"},
                                {"control_rate", "100 Gb/s"},
                                {"clock", "2.3 ns"}},
                   .all_reduces = {"ring", "halving-doubling"}}},
       .words = "fabric oddl whose receivers decide on all requests of a slot at once, with PULSE's clock of 2.3 ns, 2 "
                "m of fibre and "
                "ten changes to a slot, which makes PULSE's 120 ns",
       .change_from = "a tenth of PULSE's epoch; its transceivers tune in about 100 ps (arXiv 2002.04077)",
       .published = "93 % throughput, 0.7 to 1.2 us in the mean (arXiv 2002.04077)"},
      {.name = "RotorNet-like",
       .when = When::kPerSlot,
       .who = Who::kNobody,
       .change = 20e-6,
       .builds = {{.fabric = "rotor", .settings = {{"routing", "direct"}}, .all_reduces = {"direct"}},
                  {.fabric = "rotor",
                   .settings = {{"routing", "two-hop"}},
                   .all_reduces = {"direct", "halving-doubling"}}},
       .words = "a calendar of matchings; directly or over two hops, whichever is quicker for the job",
       .change_from = "RotorNet's switch (recalled)",
       .recalled = true,
       .published = "Opera, its successor: 4x the bandwidth of all-to-all, 60 % more load (arXiv 1903.12307)"},
      {.name = "Sirius-like",
       .when = When::kPerSlot,
       .who = Who::kNobody,
       .change = 3.84e-9,
       .builds = {{.fabric = "rotor",
                   .settings = {{"routing", "two-hop"}},
                   .all_reduces = {"direct", "halving-doubling"}}},
       .words = "a calendar of matchings, always over two hops; as many lights as without",
       .change_from = "end to end (Ballani et al., SIGCOMM 2020, abstract)",
       .published = "near an ideal switch with up to 74 to 77 % less power (Ballani et al., SIGCOMM 2020)"}};
  return all;
}

const Member& member(const std::string& name) {
  const auto found = std::ranges::find(members(), name, &Member::name);
  assert(found != members().end() && "a member of the family");
  return *found;
}

Words settings_of(const Member& member, const Build& build, int nodes, double rate, double change) {
  Words settings = build.settings;
  settings["rate"] = fmt::format("{} b/s", rate / (build.lights > 0 ? build.lights : nodes - 1));
  const std::string fabric = build.fabric;
  if (fabric == "sip-ring") {
    settings["retune"] = in_seconds(change);
    settings["interval"] = in_seconds(4 * change);
  } else if (fabric == "rotor") {
    settings["retune"] = in_seconds(change);
    settings["slot"] = in_seconds(change / kDarkShare);
  } else if (fabric == "oddl") {
    // All of it is the transmitter's where it is not told apart
    const bool apart = member.change == change && !build.settings.contains("lock");
    if (!apart) {
      settings["tune"] = in_seconds(change);
      settings["lock"] = settings["guard"] = "0 s";
    }
    if (build.settings.contains("control") && build.settings.at("control") == "slotted")
      settings["slot"] = in_seconds(std::max(change / kDarkShare, 1e-9));
  }
  return settings;
}

}  // namespace helio::studies::optical_family_study
