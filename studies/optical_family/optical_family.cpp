// SPDX-License-Identifier: Apache-2.0
#include "studies/optical_family/optical_family.h"

#include "studies/optical_family/chapters.h"

namespace helio::studies {

Catalogue<Study>::Entry optical_family() {
  return {{.name = "optical-family",
           .summary = "mesh, TopoOpt, SiP-ML, ODDL, PULSE, RotorNet, Sirius on two axes: when a path changes and who "
                      "decides; the same jobs over all, and who is quickest",
           .reference = "arXiv 1903.12307; Ballani et al., SIGCOMM 2020; arXiv 2002.04077; models and jobs are ours "
                        "(docs/optical-family-study.md)",
           .parameters = {}},
          [](const StudyOptions& options) {
            using namespace optical_family_study;
            FamilyRuns runs(options);
            const Map phases = phases_map(runs), flows = flows_map(runs);
            return Findings{.rows = joined<report::Row>({same_phases(runs), same_flows(runs), same_log(options.job_log),
                                                         published_rows(runs), map_rows(phases, flows)}),
                            .charts = charts(phases, flows),
                            .headlines = headlines(),
                            .words = words(phases, flows)};
          }};
}

}  // namespace helio::studies
