// SPDX-License-Identifier: Apache-2.0
// What a config.json of each family calls the sizes of a transformer, after the configuration classes of transformers 4: a row for a
// family, no code, but where a size follows from several keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workload/config_reader.h"
#include "workload/transformer.h"

namespace helio::workload {

// A size of the shape: `field` names it in faults. Without a fallback the key must be there; a key that is null means 0, "not
// given", where `may_be_null`.
struct SizeKey {
  const char* key;
  const char* field;
  std::uint64_t TransformerShape::*size;
  std::optional<std::uint64_t> fallback;
  bool may_be_null = false;
  const char* older = nullptr;  // the same, as files had it before
  bool may_be_zero = false;     // none of it
};
struct FlagKey {
  const char* key;
  bool TransformerShape::*flag;
};
struct Dropout {
  const char* key;
  double fallback;
};
struct Family {
  std::string name;
  TransformerShape shape;  // what the sizes do not say; flags as they are without a key
  std::vector<SizeKey> sizes;
  std::vector<FlagKey> flags = {};
  std::vector<Dropout> dropouts = {};                                // probabilities: any above 0 is a dropout
  void (*settle)(TransformerShape&, const ConfigReader&) = nullptr;  // what follows from several keys
};

const std::vector<Family>& config_families();

}  // namespace helio::workload
