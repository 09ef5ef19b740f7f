// SPDX-License-Identifier: Apache-2.0
#include "base/units.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/error.h"

namespace helio {
namespace {

// The paragraph of the Error(kInput) that parsing `text` raises, or a note that it raised none.
template <class Parser>
std::string refusal(Parser parser, std::string_view text) {
  try {
    parser(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "accepted";
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// One zeptosecond is 1e-21 s, so that 1 ns are 10^12 of them: 0.1 ns are 10^11, to the last digit.
TEST(ParseTime, IsExactForDecimalText) {
  EXPECT_EQ(parse_time("0.1 ns"), Time::zeptoseconds(100'000'000'000));
  EXPECT_EQ(parse_time("25 us"), Time::zeptoseconds(25'000'000'000'000'000));
  EXPECT_EQ(parse_time("1907.35 ps"), Time::zeptoseconds(1'907'350'000'000));
  EXPECT_EQ(parse_time("0.1 s") * 10, parse_time("1 s"));
  EXPECT_EQ(parse_time("3 fs"), Time::zeptoseconds(3'000'000));
  EXPECT_EQ(parse_time("7 as"), Time::zeptoseconds(7'000));
  EXPECT_EQ(parse_time("7 zs"), Time::zeptoseconds(7));
  EXPECT_EQ(parse_time("1e-6 s"), parse_time("1 us"));
  EXPECT_EQ(parse_time("1.5e3 ms"), parse_time("1500ms"));
}

TEST(ParseTime, TakesUnitsWithOrWithoutSpaceAndBothMus) {
  const Time expected = Time::zeptoseconds(25'000'000'000'000'000);
  for (const char* text : {"25us", "25 us", " 25\tus ", "+25 us", "25 \xc2\xb5s", "25\xce\xbcs", "0025.000 us"})
    EXPECT_EQ(parse_time(text), expected) << text;
  EXPECT_EQ(parse_time("-25 us"), Time() - expected);
}

// Below a zeptosecond the nearest is taken, halves away from zero.
TEST(ParseTime, RoundsToTheNearestZeptosecond) {
  EXPECT_EQ(parse_time("1.49 zs"), Time::zeptoseconds(1));
  EXPECT_EQ(parse_time("1.5 zs"), Time::zeptoseconds(2));
  EXPECT_EQ(parse_time("-1.5 zs"), Time::zeptoseconds(-2));
  EXPECT_EQ(parse_time("0.5 zs"), Time::zeptoseconds(1));
  EXPECT_EQ(parse_time("0.04 zs"), Time());
  EXPECT_EQ(parse_time("1e-999999999999 s"), Time());
}

// Time promises |seconds| < 1e16.
TEST(ParseTime, RefusesWhatTimeCannotHold) {
  EXPECT_EQ(parse_time("9999999999999999 s").to_seconds(), 9999999999999999.0);
  EXPECT_TRUE(contains(refusal(parse_time, "1e16 s"), "'1e16 s' is out of range"));
  EXPECT_TRUE(contains(refusal(parse_time, "1e999999999999 s"), "out of range"));
}

TEST(ParseBytes, KnowsDecimalAndBinaryPrefixesBitsAndBytes) {
  EXPECT_EQ(parse_bytes("249.2 MB").value, 249'200'000.0);
  EXPECT_EQ(parse_bytes("574668960B").value, 574'668'960.0);
  EXPECT_EQ(parse_bytes("1 kB").value, 1e3);
  EXPECT_EQ(parse_bytes("1 TB").value, 1e12);
  EXPECT_EQ(parse_bytes("1 PB").value, 1e15);
  EXPECT_EQ(parse_bytes("1 KiB").value, 1024.0);
  EXPECT_EQ(parse_bytes("1.5 MiB").value, 1572864.0);              // 1.5 * 2^20
  EXPECT_EQ(parse_bytes("100 GiB").value, 107'374'182'400.0);      // 100 * 2^30
  EXPECT_EQ(parse_bytes("1 TiB").value, 1'099'511'627'776.0);      // 2^40
  EXPECT_EQ(parse_bytes("1 PiB").value, 1'125'899'906'842'624.0);  // 2^50
  EXPECT_EQ(parse_bytes("8 Gb").value, 1e9);                       // eight bits are a byte
  EXPECT_EQ(parse_bytes("8 Kib").value, 1024.0);
  EXPECT_EQ(parse_bytes("-1 kB").value, -1e3);
}

TEST(ParseRate, GivesBitsPerSecond) {
  EXPECT_EQ(parse_rate("40 Gb/s").value, 40e9);
  EXPECT_EQ(parse_rate("40Gbps").value, 40e9);
  EXPECT_EQ(parse_rate("50 GB/s").value, 400e9);
  EXPECT_EQ(parse_rate("50 GBps").value, 400e9);
  EXPECT_EQ(parse_rate("1 GiB/s").value, 8589934592.0);  // 2^33
  EXPECT_EQ(parse_rate("1.6 Tb/s").value, 1.6e12);
  EXPECT_EQ(parse_rate("5 b/s").value, 5.0);
}

TEST(ParsePower, KnowsWattsAndDecibelsAboveAMilliwatt) {
  EXPECT_EQ(parse_power("3.75 W").value, 3.75);
  EXPECT_EQ(parse_power("10 mW").value, 0.01);
  EXPECT_EQ(parse_power("2 kW").value, 2000.0);
  EXPECT_DOUBLE_EQ(parse_power("0 dBm").value, 1e-3);
  EXPECT_DOUBLE_EQ(parse_power("-20 dBm").value, 1e-5);  // 10^-2 mW
  EXPECT_DOUBLE_EQ(parse_power("30dBm").value, 1.0);     // 10^3 mW
  EXPECT_TRUE(contains(refusal(parse_power, "1e5 dBm"), "out of range"));
}

TEST(ParseDecibel, KnowsItsUnit) {
  EXPECT_EQ(parse_decibel("0.32 dB").value, 0.32);
  EXPECT_EQ(parse_decibel("-3dB").value, -3.0);
  EXPECT_TRUE(contains(refusal(parse_decibel, "1 mdB"), "unknown unit 'mdB'"));
}

TEST(ParseNumber, TakesNoUnit) {
  EXPECT_EQ(parse_number("0.5"), 0.5);
  EXPECT_EQ(parse_number(" 1e-9 "), 1e-9);
  EXPECT_EQ(parse_number("-.5"), -0.5);
  EXPECT_EQ(parse_number("5."), 5.0);
  EXPECT_TRUE(contains(refusal(parse_number, "5 GB"), "'5 GB' has 'GB' after the number"));
}

TEST(ParseInteger, TakesWholeNumbersOnly) {
  EXPECT_EQ(parse_integer("1024"), 1024);
  EXPECT_EQ(parse_integer(" -7 "), -7);
  EXPECT_EQ(parse_integer("+7"), 7);
  EXPECT_EQ(parse_integer("9223372036854775807"), 9223372036854775807LL);  // 2^63 - 1
  for (const char* text : {"", " ", "1.5", "1e3", "ten", "0x10", "+-5", "--5", "+", "5 B", "1,000"})
    EXPECT_TRUE(contains(refusal(parse_integer, text), "is not a whole number")) << text;
  EXPECT_TRUE(contains(refusal(parse_integer, "9223372036854775808"), "is out of range"));
}

TEST(Units, AreOptionalForZeroOnly) {
  EXPECT_EQ(parse_time("0"), Time());
  EXPECT_EQ(parse_bytes("0.0").value, 0.0);
  EXPECT_EQ(parse_rate("-0").value, 0.0);
  EXPECT_EQ(parse_power("0").value, 0.0);
  EXPECT_TRUE(contains(refusal(parse_time, "0 parsecs"), "unknown unit 'parsecs'"));
  EXPECT_EQ(refusal(parse_rate, "40"), "'40' has no unit; write a rate such as '40 Gb/s' or '5 GB/s'");
}

TEST(Units, RefusalsShowTheTextAndALegalValue) {
  EXPECT_EQ(refusal(parse_rate, "40 Gb"),
            "'40 Gb' has the unknown unit 'Gb'; write a rate such as '40 Gb/s' or '5 GB/s'");
  EXPECT_EQ(refusal(parse_time, ""), "the text is empty; write a time such as '25 us' or '1.5 ms'");
  for (const char* text :
       {"nan s", "inf s", "-inf s", "us", ".", "-", "e5 s", "0x1 s", "1 s s", "1 s;", "1..5 s", "1 ks", "1 Gs"}) {
    const std::string message = refusal(parse_time, text);
    EXPECT_TRUE(contains(message, text)) << message;
    EXPECT_TRUE(contains(message, "'25 us'")) << message;
  }
  EXPECT_TRUE(contains(refusal(parse_bytes, "1 mB"), "unknown unit 'mB'"));
  EXPECT_TRUE(contains(refusal(parse_bytes, "1e400 B"), "'1e400 B' is out of range"));
  EXPECT_TRUE(contains(refusal(parse_bytes, "1e308 PB"), "'1e308 PB' is out of range"));
}

TEST(Units, CapitalKiloIsRefusedWithTheReason) {
  EXPECT_TRUE(contains(refusal(parse_bytes, "4 KB"), "kilo is a small 'k'; 'K' occurs only in 'Ki', 1024"));
  EXPECT_TRUE(contains(refusal(parse_rate, "4Kb/s"), "'K' occurs only in 'Ki'"));
}

TEST(Format, KeepsFourDigitsAndTheFittingUnit) {
  EXPECT_EQ(format(Time()), "0 s");
  EXPECT_EQ(format(Time::microseconds(25)), "25 us");
  EXPECT_EQ(format(Time::picoseconds(1907.35)), "1.907 ns");
  EXPECT_EQ(format(Time::seconds(3600)), "3600 s");
  EXPECT_EQ(format(Time::seconds(86400)), "86400 s");
  EXPECT_EQ(format(Time::seconds(1e12)), "1e+12 s");
  EXPECT_EQ(format(Time::zeptoseconds(1)), "1 zs");
  EXPECT_EQ(format(Time::microseconds(-25)), "-25 us");
  EXPECT_EQ(format(Bytes{249.2e6}), "249.2 MB");
  EXPECT_EQ(format(Bytes{0.25}), "0.25 B");
  EXPECT_EQ(format(BitRate{400e9}), "400 Gb/s");
  EXPECT_EQ(format(Decibel{0.32}), "0.32 dB");
  EXPECT_EQ(format(Power{0.01}), "10 mW");
  EXPECT_EQ(format(Energy{2e-12}), "2 pJ");
  EXPECT_EQ(format(Bytes{}), "0 B");
  EXPECT_EQ(format(BitRate{-0.0}), "0 b/s");
}

// 999.96 rounds to 1000 at four digits, which belongs to the next unit.
TEST(Format, CarriesIntoTheNextUnit) {
  EXPECT_EQ(format(Bytes{999.9}), "999.9 B");
  EXPECT_EQ(format(Bytes{999.96}), "1 kB");
  EXPECT_EQ(format(Time::nanoseconds(999.96)), "1 us");
}

// Four digits are right to half a unit of the fourth, at worst 0.0005 of the number.
RC_GTEST_PROP(Format, ReadsBackToFourDigits, ()) {
  const double mantissa = *rc::gen::inRange<int>(100'000, 1'000'000) / 1e5;
  const int exponent = *rc::gen::inRange<int>(-12, 15);
  const double sign = *rc::gen::element(-1.0, 1.0);
  const double value = sign * mantissa * std::pow(10.0, exponent);
  const auto close = [&](double read) { return std::abs(read - value) <= 0.00050001 * std::abs(value); };
  RC_ASSERT(close(parse_bytes(format(Bytes{value})).value));
  RC_ASSERT(close(parse_rate(format(BitRate{value})).value));
  RC_ASSERT(close(parse_decibel(format(Decibel{value})).value));
  RC_ASSERT(close(parse_power(format(Power{value})).value));
  RC_ASSERT(close(parse_time(format(Time::seconds(value))).to_seconds()));
}

// The number of a formatted time lies in [1, 1000) wherever a unit exists for that.
RC_GTEST_PROP(Format, KeepsTheNumberBetweenOneAndAThousand, ()) {
  const auto count = *rc::gen::inRange<long long>(1, 9'000'000'000'000'000'000);
  const std::string text = format(Time::zeptoseconds(count));
  const double number = parse_number(text.substr(0, text.find(' ')));
  RC_ASSERT(number >= 1.0 && number < 1000.0);
}

// Any count of zeptoseconds, written out, is read back to the last digit.
RC_GTEST_PROP(ParseTime, ReadsEveryCountExactly, ()) {
  const auto count = *rc::gen::arbitrary<std::int64_t>();
  RC_ASSERT(parse_time(std::to_string(count) + " zs") == Time::zeptoseconds(count));
  RC_ASSERT(parse_time(std::to_string(count) + "e-3 as") == Time::zeptoseconds(count));
}

// Whatever the text, a parser answers or throws Error: nothing else.
RC_GTEST_PROP(Units, SurviveAnyText, (const std::string& noise)) {
  const std::string text = *rc::gen::element<std::string>("", "1", "-2.5e", "3 ") + noise;
  for (auto parser : {+[](std::string_view t) { parse_time(t); }, +[](std::string_view t) { parse_bytes(t); },
                      +[](std::string_view t) { parse_rate(t); }, +[](std::string_view t) { parse_power(t); },
                      +[](std::string_view t) { parse_number(t); }, +[](std::string_view t) { parse_integer(t); }}) {
    try {
      parser(text);
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace helio
