// SPDX-License-Identifier: Apache-2.0
#include "emulate/chip_averager.h"

#include <memory>
#include <string>
#include <tuple>

#include "base/memo.h"
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
  using Key = std::tuple<std::vector<photonics::TaskNumbers>, std::string, std::uint64_t>;
  static Memo<Key, std::shared_ptr<const std::vector<Onn>>> calibrated(16);
  std::vector<photonics::TaskNumbers> tasks;
  for (const AveragingTask& task : cascade) tasks.push_back(photonics::numbers_of(task));
  const auto chips = calibrated.of({tasks, std::string(chip), seed}, [&] {
    std::vector<Onn> networks;
    for (const AveragingTask& task : cascade) networks.push_back(photonics::construct_for_chips(task));
    return std::make_shared<const std::vector<Onn>>(on_chips(networks, chip, seed));
  });
  return CodeAverager(cascade, *chips, 0, photonics::chip_named(chip).noise);
}

}  // namespace helio::emulate
