// SPDX-License-Identifier: Apache-2.0
// Who is best at a collective over sizes and nodes: as text, as JSON, and as a page with a chart for each number of nodes (docs/compare.md).
#pragma once

#include <string>

#include "pipeline/compared/collective_map.h"
#include "report/pages/page.h"
#include "report/text/look.h"

namespace helio::report {

std::string to_json(const pipeline::CollectiveMap& map);
std::string to_text(const pipeline::CollectiveMap& map, const Look& look = {});
Page page_of(const pipeline::CollectiveMap& map);

}  // namespace helio::report
