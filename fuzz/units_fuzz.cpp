// SPDX-License-Identifier: Apache-2.0
// Every parser of quantities on any text. A value that was read is finite, and what is printed of it can be read again.
#include <cmath>

#include "base/units.h"
#include "reading.h"

namespace {

using namespace helio;

// Printing rounds to four digits, which at the end of a range is past it: of doubles, and of times (1e16 s).
constexpr double kPrintable = 1e300;
constexpr double kPrintableSeconds = 9e15;

template <class Parse>
void there_and_back(Parse parse, std::string_view text) {
  fuzz::reads([&] {
    const auto quantity = parse(text);
    const double value = quantity.value;
    if (!std::isfinite(value)) fuzz::finding("a quantity that is not finite");
    if (value == 0 || std::abs(value) > kPrintable || std::abs(value) < 1 / kPrintable) return;
    const std::string printed = format(quantity);
    if (!fuzz::reads([&] { parse(printed); })) fuzz::finding("cannot be read again: " + printed);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::as_text(data, size);
  there_and_back(parse_bytes, text);
  there_and_back(parse_rate, text);
  there_and_back(parse_decibel, text);
  there_and_back(parse_power, text);
  fuzz::reads([&] {
    if (!std::isfinite(parse_number(text))) fuzz::finding("a number that is not finite");
  });
  fuzz::reads([&] { parse_integer(text); });
  fuzz::reads([&] {
    const Time time = parse_time(text);
    const std::string printed = format(time);
    if (std::abs(time.to_seconds()) < kPrintableSeconds && !fuzz::reads([&] { parse_time(printed); }))
      fuzz::finding("cannot be read again: " + printed);
  });
  return 0;
}
