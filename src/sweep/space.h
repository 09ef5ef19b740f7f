// SPDX-License-Identifier: Apache-2.0
// Sweep files: one command of helio, asked for every combination of values (docs/sweep.md).
//
//     command = "collective all-reduce --fabric {fabric} --bytes 1GB"
//     sample  = 1000                                                     of all combinations, drawn by seed; unset: all
//
//     [vary]                                     each with each, in the order of their names; the last is the fastest
//     fabric              = ["ring", "switch"]   {fabric} in the command
//     nodes               = [16, 64]             --nodes 16
//     fabric.wavelengths  = [4, 16, 64]          --set fabric.wavelengths=4
//
//     [[together]]                               lists of one length, walked side by side: one axis
//
// Points are never written out: point i is computed from i.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::sweep {

struct Axis {
  std::vector<std::string> keys;                 // one, or those that walk together
  std::vector<std::vector<std::string>> values;  // for each step one of each key
};

using Values = std::vector<std::pair<std::string, std::string>>;  // key, value

inline constexpr double kMostPoints = 1e9;

struct Space {
  std::string source, text;        // the file
  std::vector<std::string> words;  // of the command, with {keys}
  std::vector<Axis> axes = {};
  std::vector<std::uint64_t> drawn = {};  // of a sample, in ascending order
  bool sampled = false;
  std::uint64_t seed = 1;
  std::string compared_by = "time_s";  // of the answers: what the points are compared by
  double limit_s = 600;                // by the clock, for one point: then it is ended

  std::uint64_t combinations() const;
  std::uint64_t points() const { return sampled ? drawn.size() : combinations(); }
  Values values(std::uint64_t point) const;
  std::vector<std::string> words_of(const Values& values) const;  // the command that asks for one point
};

// Throws Error(kInput) with file:line:column for what is no sweep: no command, keys that are used twice, lists of unequal length, more than
// kMostPoints combinations without a sample, larger samples than there are combinations.
Space read_space(const std::string& path);
Space parse_space(std::string_view text, const std::string& source);

// The words of a line as a shell would see them: blanks part them, quotes of either kind hold them together. Throws Error(kInput) at
// `place` for a quote that stays open.
std::vector<std::string> shell_words(std::string_view line, const std::string& place);

}  // namespace helio::sweep
