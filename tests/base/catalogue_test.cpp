// SPDX-License-Identifier: Apache-2.0
#include "base/catalogue.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace helio {
namespace {

using Type = ParameterType;

// A parameter of every type.
std::vector<Parameter> every_type() {
  return {
      {.name = "nodes", .type = Type::kInteger, .minimum = "1", .maximum = "1000000", .description = "how many nodes"},
      {.name = "share", .type = Type::kNumber, .fallback = "0.5", .minimum = "0", .maximum = "1"},
      {.name = "shortcut", .type = Type::kBoolean, .fallback = "true"},
      {.name = "latency", .type = Type::kTime, .fallback = "25 us", .minimum = "0", .maximum = "1 s"},
      {.name = "buffer", .type = Type::kBytes, .fallback = "1 MiB"},
      {.name = "rate", .type = Type::kRate, .fallback = "40 Gb/s", .minimum = "0", .minimum_exclusive = true},
      {.name = "loss", .type = Type::kDecibel, .fallback = "0.32 dB"},
      {.name = "laser", .type = Type::kPower, .fallback = "10 mW"},
      {.name = "file", .type = Type::kText, .optional = true},
      {.name = "retune_rule", .type = Type::kChoice, .fallback = "changed", .choices = {"changed", "every-step"}},
      {.name = "dimensions", .type = Type::kDimensions, .fallback = "4x4", .minimum = "2", .maximum = "64"},
  };
}

Settings with(std::string name, std::string value) {
  Settings settings = {{"nodes", {"8", "--nodes"}}};
  settings[name] = {std::move(value), "--set fabric." + name};
  return settings;
}

Parameters resolved(const Settings& settings) { return Parameters("fabric 'ring'", every_type(), settings); }

// The paragraph of the Error(kInput) that a setting raises, or a note that it raised none.
std::string refusal(const Settings& settings) {
  try {
    resolved(settings);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "accepted";
}

TEST(Parameters, FillInDefaultsWithTheirPlace) {
  const Parameters parameters = resolved({{"nodes", {"8", "--nodes"}}});
  EXPECT_EQ(parameters.integer("nodes"), 8);
  EXPECT_EQ(parameters.number("share"), 0.5);
  EXPECT_TRUE(parameters.boolean("shortcut"));
  EXPECT_EQ(parameters.time("latency"), Time::microseconds(25));
  EXPECT_EQ(parameters.bytes("buffer").value, 1048576.0);
  EXPECT_EQ(parameters.rate("rate").value, 40e9);
  EXPECT_EQ(parameters.decibel("loss").value, 0.32);
  EXPECT_EQ(parameters.power("laser").value, 0.01);
  EXPECT_EQ(parameters.text("retune_rule"), "changed");
  EXPECT_EQ(parameters.dimensions("dimensions"), (std::vector<long long>{4, 4}));
  EXPECT_EQ(parameters.place("nodes"), "--nodes");
  EXPECT_EQ(parameters.place("rate"), "default");
}

TEST(Parameters, SettingsWinOverDefaults) {
  EXPECT_EQ(resolved(with("latency", "0")).time("latency"), Time());
  EXPECT_FALSE(resolved(with("shortcut", "false")).boolean("shortcut"));
  EXPECT_EQ(resolved(with("retune_rule", "every-step")).text("retune_rule"), "every-step");
  EXPECT_EQ(resolved(with("dimensions", "2x3x64")).dimensions("dimensions"), (std::vector<long long>{2, 3, 64}));
  EXPECT_EQ(resolved(with("rate", "1 b/s")).place("rate"), "--set fabric.rate");
}

TEST(Parameters, OptionalOnesMayStayUnset) {
  EXPECT_FALSE(resolved(with("nodes", "8")).has("file"));
  const Parameters given = resolved(with("file", "graph.txt"));
  EXPECT_TRUE(given.has("file"));
  EXPECT_EQ(given.text("file"), "graph.txt");
}

TEST(Parameters, RequiredOnesMustBeGiven) {
  EXPECT_EQ(refusal({}), "fabric 'ring' needs a value for 'nodes'; it is of type integer: how many nodes");
}

TEST(Parameters, UnknownNamesAreErrorsAtTheirPlace) {
  const std::string message = refusal(with("latancy", "1 us"));
  EXPECT_EQ(
      message.rfind("--set fabric.latancy: unknown fabric 'ring' parameter 'latancy'; did you mean 'latency'?", 0), 0u)
      << message;
}

TEST(Parameters, IllTypedValuesNameOwnerParameterValueAndPlace) {
  EXPECT_EQ(refusal(with("rate", "40")),
            "--set fabric.rate: fabric 'ring': parameter 'rate': '40' has no unit; "
            "write a rate such as '40 Gb/s' or '5 GB/s'");
  EXPECT_EQ(refusal(with("shortcut", "yes")),
            "--set fabric.shortcut: fabric 'ring': parameter 'shortcut': 'yes' is neither true nor false; "
            "write 'true' or 'false'");
  EXPECT_EQ(refusal(with("retune_rule", "change")),
            "--set fabric.retune_rule: fabric 'ring': parameter 'retune_rule': unknown choice 'change'; "
            "did you mean 'changed'? Known are: changed, every-step");
  for (const char* text : {"", "x", "4x", "x4", "4x0", "4x-4", "4xx4", "4*4", "4x4.5"})
    EXPECT_NE(refusal(with("dimensions", text)).find("such as '32x32'"), std::string::npos) << text;
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{{"nodes", "8.5"},
                                                                                   {"share", "half"},
                                                                                   {"latency", "5 MB"},
                                                                                   {"buffer", "5 us"},
                                                                                   {"loss", "5 W"},
                                                                                   {"laser", "5 dB"}})
    EXPECT_NE(refusal(with(name, text)).find("parameter '" + name + "'"), std::string::npos) << name;
}

TEST(Parameters, BoundsAreInclusiveUnlessSaidOtherwise) {
  EXPECT_EQ(refusal(with("nodes", "1")), "accepted");
  EXPECT_EQ(refusal(with("share", "1")), "accepted");
  EXPECT_EQ(refusal(with("latency", "1 s")), "accepted");
  EXPECT_EQ(refusal(with("dimensions", "2x64")), "accepted");
  EXPECT_EQ(
      refusal(with("nodes", "0")),
      "--set fabric.nodes: fabric 'ring': parameter 'nodes': '0' is below the minimum 1; give a value of at least 1");
  EXPECT_EQ(refusal(with("rate", "0")),
            "--set fabric.rate: fabric 'ring': parameter 'rate': '0' is not above 0; give a value above 0");
  // One zeptosecond past the maximum of 1 s, though both are the same double.
  EXPECT_EQ(
      refusal(with("latency", "1.000000000000000000001 s")),
      "--set fabric.latency: fabric 'ring': parameter 'latency': '1.000000000000000000001 s' is above the maximum "
      "1 s; give a value of at most 1 s");
  EXPECT_NE(refusal(with("dimensions", "8x1")).find("below the minimum 2"), std::string::npos);
  EXPECT_NE(refusal(with("dimensions", "8x65")).find("above the maximum 64"), std::string::npos);
}

TEST(Parameters, AreDescribedInDeclarationOrderAsWritten) {
  const auto described = resolved(with("rate", "5GB/s")).described();
  ASSERT_EQ(described.size(), 10u);  // eleven declared, `file` is unset
  EXPECT_EQ(described[0], (std::pair<std::string, std::string>{"nodes", "8"}));
  EXPECT_EQ(described[5], (std::pair<std::string, std::string>{"rate", "5GB/s"}));
  EXPECT_EQ(described[9], (std::pair<std::string, std::string>{"dimensions", "4x4"}));
}

TEST(Parameters, ReadingWhatIsNotDeclaredIsOurMistake) {
  const Parameters parameters = resolved(with("nodes", "8"));
  EXPECT_THROW(parameters.integer("node"), std::logic_error);
  EXPECT_THROW(parameters.number("nodes"), std::logic_error);
  EXPECT_THROW(parameters.text("file"), std::logic_error);
  EXPECT_FALSE(parameters.has("node"));
}

TEST(ParameterType, HasANameForEachType) {
  for (const Parameter& parameter : every_type()) EXPECT_FALSE(name_of(parameter.type).empty());
  EXPECT_EQ(name_of(Type::kDimensions), "dimensions");
}

TEST(Catalogue, FindsEntriesByNameAndNeverSubstitutes) {
  const Catalogue<int> catalogue("fabric", {{{.name = "ring", .parameters = every_type()}, 1}, {{.name = "mesh"}, 2}});
  EXPECT_EQ(catalogue.names(), (std::vector<std::string>{"ring", "mesh"}));
  EXPECT_EQ(catalogue.at("mesh").factory, 2);
  EXPECT_EQ(catalogue.find("rign"), nullptr);
  try {
    catalogue.at("rign", "--fabric");
    FAIL() << "an unknown name was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_STREQ(error.what(), "--fabric: unknown fabric 'rign'; did you mean 'ring'? Known are: ring, mesh");
  }
  EXPECT_EQ(catalogue.resolve(catalogue.at("ring"), {{"nodes", {"8", ""}}}).integer("nodes"), 8);
  // An entry without parameters accepts none.
  EXPECT_THROW(catalogue.resolve(catalogue.at("mesh"), {{"nodes", {"8", ""}}}), Error);
}

}  // namespace
}  // namespace helio
