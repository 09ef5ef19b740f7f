// SPDX-License-Identifier: Apache-2.0
// One question, several networks, one budget (plan/compare.h): what `helio compare` asks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/experiment.h"
#include "pipeline/compared/comparison.h"
#include "plan/compare.h"
#include "plan/map_collective.h"

namespace helio::ask {

// What every network has alike, unless people say otherwise: 10 m of fibre or cable for each link (5 ns a metre), and what a step of a
// collective costs its ends. Both are ours: fabrics by themselves have 0 to 500 ns and nothing.
inline constexpr const char* kUsualLatency = "50 ns";
inline constexpr const char* kUsualOverhead = "2 us";
inline constexpr const char* kOwn = "own";  // as each fabric has it

struct CompareQuestion {
  std::string what;                      // a kind of collective, or an experiment file
  std::vector<std::string> fabric = {};  // ask/fabric_words.h; none: all of the catalogue that need nothing but nodes
  std::optional<std::string> nodes = {}, bytes = {}, algorithm = {}, npu = {}, root = {};
  std::optional<std::string> injection = {}, latency = {}, overhead = {}, error = {};
  std::optional<std::string> switching = {};  // parameters of plan/dials.h with commas between; "none"
  std::vector<Assignment> set = {};  // of the file: job.KEY; of parts: part.NAME.KEY; of every fabric: fabric.NAME
  std::string place = "question";
  Naming called = as_it_is;
};

// Parameters to be turned, with commas between; "none". Throws Error(kInput) at `place`.
std::vector<std::string> switching_named(const std::string& list, const std::vector<std::string>& legal,
                                         const std::string& place);

// What it asks. Throws Error(kUsage) for what is missing or does not belong together.
plan::CompareQuestion question_of(const CompareQuestion& question);
// Throws as that does and as plan::compare.
pipeline::Comparison compare(const CompareQuestion& question, const Watch& watch = {});

// `helio plan collective`: the same in every cell of a map over sizes and numbers of nodes (plan/map_collective.h).
inline constexpr const char *kUsualMapNodes = "8,64,256", *kUsualMapSizes = "4 kB,256 kB,16 MB,1 GB";
struct MapQuestion {
  std::string kind;
  std::vector<std::string> fabric = {};
  std::string nodes = kUsualMapNodes, bytes = kUsualMapSizes;  // lists with commas
  std::optional<std::string> algorithm = {}, npu = {}, injection = {}, latency = {}, overhead = {}, error = {};
  std::vector<Assignment> set = {};
  std::string place = "question";
  Naming called = as_it_is;
};
// Throws Error(kInput) for a list that is none, and as plan::map_collective.
pipeline::CollectiveMap map_collective(const MapQuestion& question, const Watch& watch = {});

// The fabrics of the catalogue that a number of nodes is enough for.
std::vector<std::string> plain_fabrics();
// "2.4 Tb/s", "50 ns" or kOwn as a footing. Throws Error(kInput) at the option.
fabric::Footing footing_of(const std::optional<std::string>& injection, const std::optional<std::string>& latency,
                           const std::optional<std::string>& overhead, const Naming& called);

}  // namespace helio::ask
