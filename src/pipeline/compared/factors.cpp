// SPDX-License-Identifier: Apache-2.0
#include "pipeline/compared/factors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "pipeline/bound.h"

namespace helio::pipeline {
namespace {

using schedule::Capabilities;

constexpr double kTold = 0.01;  // what changes less is not worth a word

std::string words_of_wire(const Capabilities& capabilities) {
  if (capabilities.averaging && !capabilities.averaging->empty())
    return fmt::format("codes of {} bits", capabilities.averaging->front().bits);
  switch (capabilities.wire_format) {
    case schedule::WireFormat::kFp8: return "fp8 at the ports";
    case schedule::WireFormat::kTopK: return "the largest elements alone";
    case schedule::WireFormat::kPlain: break;
  }
  return "fewer bytes on the wire";
}

}  // namespace

Explained explained(const Capabilities& capabilities, const schedule::CollectiveRequest& request, BitRate injection,
                    const Result& result) {
  Explained why;
  Capabilities known;
  known.nodes = capabilities.nodes;
  known.injection = known.ejection = injection;
  double before = why.ideal_s = lower_bound(known, request, result.sync).seconds;
  if (before <= 0) return why;
  const auto add = [&](const std::string& what, double after) {
    if (after != before) why.factors.push_back({what, after / before});
    before = after;
  };
  const auto learn = [&](const std::string& what) { add(what, lower_bound(known, request, result.sync).seconds); };

  // A level of a composite may add, and another may not: all of them at once
  const bool composite = std::ranges::any_of(capabilities.parts, [](const auto& part) { return part.unit > 0; });
  if (!composite) {
    known.reduces = capabilities.reduces;
    known.multicasts = capabilities.multicasts;
    learn("sums and copies in the network");
    known.least_wire_factor = capabilities.least_wire_factor;
    learn(words_of_wire(capabilities));
    known.injection = capabilities.injection;
    known.ejection = capabilities.ejection;
    learn(capabilities.lit_share < 1 ? "dark times" : "what of its rate is payload");
    known.cuts = capabilities.cuts;
    learn("its narrowest cut");
  }
  known = capabilities;
  learn(composite ? "its levels" : "delays of links, steps and setting up");
  add(composite ? "what adds and copies below the level between" : "adding at the ends", result.bound_s);
  add("what its schedule takes beyond the bound", result.time_s);
  return why;
}

std::string in_words(const std::vector<Factor>& factors) {
  std::vector<std::string> words;
  for (const Factor& factor : factors)
    if (std::abs(factor.times - 1) > kTold)
      words.push_back(factor.times < 1 ? fmt::format("{:.3g}x faster by {}", 1 / factor.times, factor.what)
                                       : fmt::format("{:.3g}x slower by {}", factor.times, factor.what));
  return words.empty() ? "as fast as bytes can leave its nodes" : fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace helio::pipeline
