// SPDX-License-Identifier: Apache-2.0
#include "emulate/code_range.h"

#include <fmt/format.h>

#include "base/error.h"

namespace helio::emulate {

CodeRange range_of(int bits, std::optional<std::uint32_t> zero) {
  const std::uint32_t last = (std::uint32_t{1} << bits) - 1;
  if (zero && (*zero < 1 || *zero >= last))
    throw Error(ErrorKind::kInput,
                fmt::format("code {} cannot stand for zero: of the codes 0 to {} it has none on one side", *zero, last),
                "",
                last < 2 ? "codes of one bit have their zero at 1" : fmt::format("give one from 1 to {}", last - 1));
  const std::uint32_t at = zero.value_or((last + 1) / 2);
  return {static_cast<float>(at), static_cast<float>(last - at)};
}

}  // namespace helio::emulate
