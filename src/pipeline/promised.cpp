// SPDX-License-Identifier: Apache-2.0
#include "pipeline/promised.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace helio::pipeline {
namespace {

constexpr Promise kPromises[] = {
    {"command", "execute"},
    {"command", "export"},
};

}  // namespace

std::span<const Promise> promises() { return kPromises; }

void refuse_promised(std::string_view what, std::string_view name, const std::vector<std::string>& built,
                     const std::string& place) {
  if (std::ranges::count(built, name)) return;
  for (const Promise& promise : kPromises)
    if (promise.what == what && promise.name == name)
      throw Error(ErrorKind::kInfeasible, fmt::format("{} '{}' is not part of this version yet", what, name), place,
                  fmt::format("name one of: {}", fmt::join(built, ", ")));
}

}  // namespace helio::pipeline
