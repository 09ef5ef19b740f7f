// SPDX-License-Identifier: Apache-2.0
#include "base/setting_words.h"

#include <fmt/format.h>

#include "base/error.h"

namespace helio {
namespace {

Error wrong(std::string what) {
  return Error(ErrorKind::kInput, std::move(what), "",
               "write what is asked and then settings: all-reduce fabric=ring nodes=8 bytes='1 MB'");
}

// Words as blanks divide them, except between apostrophes, which go.
std::vector<std::string> divided(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false, begun = false;
  for (const char c : text) {
    if (c == '\'') {
      inside = !inside;
    } else if (c == ' ' && !inside) {
      begun = false;
    } else {
      if (!begun) words.emplace_back();
      begun = true;
      words.back() += c;
    }
  }
  if (inside) throw wrong(fmt::format("an apostrophe in \"{}\" is not closed", text));
  return words;
}

}  // namespace

SettingWords setting_words(std::string_view text) {
  const std::vector<std::string> words = divided(text);
  if (words.empty() || words.front().find('=') != std::string::npos)
    throw wrong(fmt::format("\"{}\" does not begin with what is asked", text));
  SettingWords read{.head = words.front(), .settings = {}};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (equals == std::string::npos || equals == 0) throw wrong(fmt::format("'{}' is no setting", words[i]));
    read.settings.push_back({words[i].substr(0, equals), words[i].substr(equals + 1)});
  }
  return read;
}

}  // namespace helio
