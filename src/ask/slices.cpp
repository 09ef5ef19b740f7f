// SPDX-License-Identifier: Apache-2.0
#include "ask/slices.h"

#include <fmt/format.h>

#include "base/error.h"

namespace helio::ask {

pipeline::SliceTold slices(const SlicesQuestion& question, const Watch& watch) {
  pipeline::SliceEvents events = pipeline::read_slice_events(question.file);
  for (const pipeline::SliceEvent& event : events.events)
    if (question.run && event.verb == pipeline::SliceVerb::kAdmit && !event.bytes)
      throw Error(ErrorKind::kInput, fmt::format("nothing says how much job '{}' moves", event.request.name),
                  event.place, fmt::format("Add bytes = \"100 MB\", or leave {} out.", question.called("run")));
  pipeline::SliceTold told = pipeline::tell(std::move(events));
  if (!question.run) return told;
  if (question.runs) told.question.runs = *question.runs;
  told.question.prove = question.prove;
  told.runs = pipeline::run_slices(told.question, watch.stage);
  return told;
}

}  // namespace helio::ask
