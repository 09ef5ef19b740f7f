// SPDX-License-Identifier: Apache-2.0
#include "workload/moment.h"

namespace helio::workload {
namespace {

// Days from 1970-01-01 in the Gregorian calendar.
long long days_of(long long year, int month, int day) {
  year -= month <= 2;
  const long long era = year / 400, of_era = year - era * 400;
  const long long of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

}  // namespace

std::optional<double> moment(std::string_view text) {
  const auto digits = [&](std::size_t begin, std::size_t count) -> int {
    int value = 0;
    for (std::size_t i = begin; i < begin + count; ++i) {
      if (i >= text.size() || text[i] < '0' || text[i] > '9') return -1;
      value = 10 * value + (text[i] - '0');
    }
    return value;
  };
  if (text.size() < 19 || text[4] != '-' || text[7] != '-' || (text[10] != ' ' && text[10] != 'T') || text[13] != ':' ||
      text[16] != ':')
    return std::nullopt;
  const int year = digits(0, 4), month = digits(5, 2), day = digits(8, 2), hour = digits(11, 2), minute = digits(14, 2),
            second = digits(17, 2);
  if (year < 1900 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23 || minute < 0 ||
      minute > 59 || second < 0 || second > 60)
    return std::nullopt;
  double seconds = static_cast<double>(days_of(year, month, day)) * 86400 + hour * 3600 + minute * 60 + second;
  std::size_t at = 19;
  if (at < text.size() && text[at] == '.') {
    double part = 0.1;
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, part /= 10)
      seconds += part * (text[at] - '0');
  }
  std::string_view offset = text.substr(at);
  if (offset.empty() || offset == "Z") return seconds;
  if (offset.size() != 6 || (offset[0] != '+' && offset[0] != '-') || offset[3] != ':') return std::nullopt;
  const int hours = digits(at + 1, 2), minutes = digits(at + 4, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  return seconds - (offset[0] == '+' ? 1 : -1) * (hours * 3600 + minutes * 60);
}

}  // namespace helio::workload
