// SPDX-License-Identifier: Apache-2.0
// What algorithms and fabrics tell under names of their own: as they describe it themselves.
#include "pipeline/fact_kinds.h"
#include "report/json/json_keys.h"

namespace helio::report {

std::vector<JsonKey> fact_keys() {
  std::vector<JsonKey> keys;
  for (const FactKind& kind : pipeline::fact_kinds()) keys.push_back({kFacts, kind.name, kind.unit, kind.meaning});
  return keys;
}

}  // namespace helio::report
