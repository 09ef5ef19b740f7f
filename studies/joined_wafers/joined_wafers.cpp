// SPDX-License-Identifier: Apache-2.0
#include "studies/joined_wafers/joined_wafers.h"

#include "studies/joined_wafers/chapters.h"

namespace helio::studies {

Catalogue<Study>::Entry one_system() {
  return {{.name = "one-system",
           .summary = "64 wafers of 20 NPUs, FRED or mesh inside, copper or light between: GPT-3 and Transformer-1T, "
                      "which level binds, and from which injection on the answer changes",
           .reference = "ours; machines after FRED, WRHT, ODDL and OptINC (docs/one-system-study.md)",
           .parameters = {}},
          [](const pipeline::RunOptions& options) {
            using namespace one_system_study;
            one_system_study::Runs runs(options);
            return Findings{.rows = joined<report::Row>({iterations(runs), crossings(runs)}),
                            .charts = charts(runs),
                            .figures = pictures(runs),
                            .words = reasons(runs)};
          }};
}

}  // namespace helio::studies
