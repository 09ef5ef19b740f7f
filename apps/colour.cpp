// SPDX-License-Identifier: Apache-2.0
#include "colour.h"

#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace helio::apps {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Asked of a locale of its own: that of the program stays as it is.
bool utf8() {
  const locale_t locale = newlocale(LC_CTYPE_MASK, "", nullptr);
  if (!locale) return false;
  const bool wide = std::string_view(nl_langinfo_l(CODESET, locale)) == "UTF-8";
  freelocale(locale);
  return wide;
}

}  // namespace

report::Look standard_output() {
  report::Look look;
  look.terminal = isatty(STDOUT_FILENO) != 0;
  if (!look.terminal) return look;
  look.colour = environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  look.wide = utf8();
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) look.columns = size.ws_col;
  return look;
}

}  // namespace helio::apps
