// SPDX-License-Identifier: Apache-2.0
// Settings as the command line writes them. The rooms name settings (base/advice.h, base/setting_words.h) and know no option;
// here, and nowhere else, a setting becomes one:
//
//     remedy=endpoint          --remedy endpoint            it has an option of its own
//     verify=true              --verify                     a flag
//     fabric.rate='1 Gb/s'     --set 'fabric.rate=1 Gb/s'   all others
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/advice.h"
#include "base/setting_words.h"

namespace helio::apps {

// Keys with options of their own, beside "verify": those of `helio collective`, and --rate of `helio traffic`.
inline constexpr std::array<std::string_view, 14> kKeysWithOptions = {
    "algorithm", "budget", "bytes", "engine", "fabric", "groups",   "nodes",
    "npu",       "phase",  "rate",  "remedy", "root",   "strategy", "sync"};

// One word for a shell: between apostrophes where the shell would see more in it.
inline std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./";
  return !word.empty() && word.find_first_not_of(kPlain) == std::string::npos ? word : "'" + word + "'";
}

inline std::string as_option(const AdvisedSetting& setting) {
  const auto& [key, value] = setting;
  if (key == "verify") return "--verify";
  const bool own = std::ranges::find(kKeysWithOptions, key) != kKeysWithOptions.end();
  if (value.empty()) return own ? "--" + key : "--set " + key;
  return own ? "--" + key + " " + shell_word(value) : "--set " + shell_word(key + "=" + value);
}

// Advice for who sits before the command line.
inline std::string in_options(const Advice& advice) { return advice.written(as_option); }

// A question as arguments of `helio collective`, ready for a shell. Throws Error as setting_words.
inline std::string arguments_of(std::string_view question) {
  const SettingWords words = setting_words(question);
  std::string line = words.head;
  for (const auto& [key, value] : words.settings) line += " " + as_option({key, value});
  return line;
}

}  // namespace helio::apps
