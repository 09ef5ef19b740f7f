// SPDX-License-Identifier: Apache-2.0
#include "emulate/chip_averager.h"

#include "photonics/onn_chip.h"
#include "photonics/onn_construct.h"

namespace helio::emulate {

using photonics::Onn;

std::vector<Onn> on_chips(std::span<const Onn> networks, std::string_view chip, std::uint64_t seed) {
  const photonics::Chip made = photonics::chip_named(chip);
  std::vector<Onn> all;
  for (std::size_t l = 0; l < networks.size(); ++l) {
    Random random = Random(seed).split(l);
    const photonics::CompiledOnn compiled = compile(networks[l], photonics::compilation_of(networks[l]));
    all.push_back(photonics::ChipMaker(compiled, made).make(random));
  }
  return all;
}

CodeAverager chip_averager(const AveragingCascade& cascade, std::string_view chip, std::uint64_t seed) {
  std::vector<Onn> networks;
  for (const AveragingTask& task : cascade) networks.push_back(photonics::construct_for_chips(task));
  return CodeAverager(cascade, on_chips(networks, chip, seed), 0, photonics::chip_named(chip).noise);
}

}  // namespace helio::emulate
