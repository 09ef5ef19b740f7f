// SPDX-License-Identifier: Apache-2.0
// A question in words that belong to no front end: what is asked, then its settings, with blanks between them. A value that has
// blanks stands between apostrophes.
//
//     all-reduce fabric=switch nodes=8 bytes='1 MB' algorithm=ring fabric.rate='400 Gb/s'
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helio {

struct SettingWord {
  std::string key, value;
  friend bool operator==(const SettingWord&, const SettingWord&) = default;
};

struct SettingWords {
  std::string head;  // "all-reduce"
  std::vector<SettingWord> settings;
};

// Throws Error(kInput) for no head, for a further word without a key or '=', and for an apostrophe that is not closed.
SettingWords setting_words(std::string_view text);

}  // namespace helio
