// SPDX-License-Identifier: Apache-2.0
// Scripts and style of pages, as bytes of the program: web/ and Chart.js of the system it was built on (web/embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace helio::report {

struct WebFile {
  std::string_view name;  // "page.js"
  std::string_view text;
  std::string_view sha256;  // of the text, in base64, as a Content-Security-Policy wants it
};

// By name.
std::span<const WebFile> web_files();
// Requires: there is one of that name.
const WebFile& web_file(std::string_view name);

}  // namespace helio::report
