// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/chapters.h"

#include <string>
#include <utility>

#include "pipeline/slice_story.h"
#include "report/pages/slice_page.h"

namespace helio::studies::oddl_study {
namespace {

using pipeline::SliceEvent;
using pipeline::SliceVerb;

SliceEvent event(SliceVerb verb, double seconds, fabric::JobRequest request) {
  SliceEvent made{.verb = verb, .request = std::move(request)};
  made.at = Time::seconds(seconds);
  return made;
}

SliceEvent leave(double seconds, const std::string& name) { return event(SliceVerb::kLeave, seconds, {.name = name}); }

// As the file has it: 4 groups of 8 nodes, 16 channels, one plane, 50 ms for a change of a WSS; jobs arrive, grow, lose a node and leave.
pipeline::SliceEvents story() {
  std::vector<NodeId> two_groups;
  for (std::uint32_t node = 8; node < 24; ++node) two_groups.push_back({node});
  SliceEvent grow = event(SliceVerb::kGrow, 40, {.name = "search"}), fail = event(SliceVerb::kFail, 60, {});
  grow.more = 1;
  fail.node = {24};
  pipeline::SliceEvents story{.geometry = {.groups = 4, .nodes_per_group = 8, .channels = 16, .planes = 1}};
  story.options.wss = Time::milliseconds(50);
  story.until = Time::seconds(100);
  story.events = {event(SliceVerb::kAdmit, 0, {.name = "giant", .wanted = 32, .algorithm = "halving-doubling"}),
                  leave(5, "giant"),
                  event(SliceVerb::kAdmit, 10, {.name = "language", .nodes = two_groups}),
                  event(SliceVerb::kAdmit, 20, {.name = "vision", .wanted = 8, .algorithm = "ring"}),
                  event(SliceVerb::kAdmit, 30, {.name = "search", .wanted = 4}),
                  grow,
                  event(SliceVerb::kAdmit, 50, {.name = "notebook", .wanted = 2}),
                  fail,
                  event(SliceVerb::kAdmit, 70, {.name = "giant", .wanted = 24}),
                  leave(80, "vision"),
                  leave(80, "language"),
                  event(SliceVerb::kAdmit, 90, {.name = "giant", .wanted = 24})};
  return story;
}

}  // namespace

std::vector<report::Figure> pictures() {
  report::Figure figure = report::slice_figure(report::chart_of(pipeline::tell(story())));
  figure.name = "oddl-slices";
  figure.title = "Slices: jobs arrive, grow, lose a node and leave";
  return {figure};
}

}  // namespace helio::studies::oddl_study
