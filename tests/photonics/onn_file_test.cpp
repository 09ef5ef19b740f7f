// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "base/error.h"
#include "photonics/onn_construct.h"
#include "photonics/onn_evaluate.h"

namespace helio::photonics {
namespace {

Onn network() {
  Construction how;
  how.activation = ActivationKind::kSaturating;
  how.slope = 3;
  Onn onn = construct({}, how);
  onn.input_scale = 1;
  onn.provenance = {"constructed, \"quoted\"", "helio onn construct", 18446744073709551615u, 0.25};
  onn.layers[1].structure = Structure::kUd;
  return onn;
}

void expect_same(const Onn& a, const Onn& b, double tolerance) {
  EXPECT_EQ(a.task, b.task);
  EXPECT_EQ(a.encoding, b.encoding);
  EXPECT_EQ(a.input_scale, b.input_scale);
  EXPECT_EQ(a.input_offset, b.input_offset);
  EXPECT_EQ(a.provenance.method, b.provenance.method);
  EXPECT_EQ(a.provenance.command, b.provenance.command);
  EXPECT_EQ(a.provenance.seed, b.provenance.seed);
  EXPECT_EQ(a.provenance.wall_seconds, b.provenance.wall_seconds);
  ASSERT_EQ(a.layers.size(), b.layers.size());
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    EXPECT_LE((a.layers[i].weights - b.layers[i].weights).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_EQ(a.layers[i].bias, b.layers[i].bias);
    EXPECT_EQ(a.layers[i].activation, b.layers[i].activation);
    EXPECT_EQ(a.layers[i].linear, b.layers[i].linear);
    EXPECT_EQ(a.layers[i].structure, b.layers[i].structure);
  }
}

TEST(OnnFile, RoundTripsExactly) {
  Onn onn = network();
  onn.layers[0].weights(0, 0) = 1.0 / 3;  // no short decimal
  expect_same(onn, onn_from_text(onn_text(onn), "net.json"), 0);
  // float32 keeps 24 bits of the largest weight, 48.
  expect_same(onn, onn_from_text(onn_text(onn, Packing::kFloat32), "net.json"), 1e-5);
}

TEST(OnnFile, SavesAndLoads) {
  const std::string path = testing::TempDir() + "onn_file_test.json";
  const Onn onn = network();
  save_onn(onn, path, Packing::kFloat32);
  const Onn back = load_onn(path);
  expect_same(onn, back, 0);  // its weights are small whole numbers
  EXPECT_EQ(evaluate(back).wrong, 0u);
  std::remove(path.c_str());
  EXPECT_THROW(load_onn(path, "--network"), Error);
  EXPECT_THROW(save_onn(onn, testing::TempDir() + "no/such/folder/net.json"), Error);
}

struct Mistake {
  std::string before, after, place, reason;
};

class OnnFileMistake : public testing::TestWithParam<Mistake> {};

TEST_P(OnnFileMistake, IsReportedAtItsPlace) {
  std::string text = onn_text(network());
  const std::size_t at = text.find(GetParam().before);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, GetParam().before.size(), GetParam().after);
  try {
    onn_from_text(text, "net.json");
    ADD_FAILURE() << "read without complaint";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), GetParam().place) << error.what();
    EXPECT_NE(error.message().find(GetParam().reason), std::string::npos) << error.what();
  }
}

// The fourth row of weights is line 16, its fourth number ends at letter 6 + 15; in line 4 the second "bits" begins after
// 11 letters of task, 14 of servers and 11 of the first.
INSTANTIATE_TEST_SUITE_P(
    Mistakes, OnnFileMistake,
    testing::Values(Mistake{"\"version\": 1", "\"version\": 2", "net.json: version", "version 1"},
                    Mistake{"heliograph-onn", "other", "net.json: format", "not a network file"},
                    Mistake{"\"version\": 1", "\"version\": one", "net.json:3:14", "not a JSON file"},
                    Mistake{"\"servers\": 4", "\"servers\": 0", "net.json: task", "0 servers"},
                    Mistake{"\"bits\": 8", "\"bits\": 0", "net.json: task", "0 bits"},
                    Mistake{"\"bits\": 8", "\"bits\": 8.5", "net.json: task.bits", "whole number"},
                    Mistake{"half-up", "half-upp", "net.json: task.rounding", "half-upp"},
                    Mistake{"\"merge\": 1", "\"merge\": 1, \"colour\": 3", "net.json: task.colour", "colour"},
                    Mistake{"\"encoding\"", "\"encodingg\"", "net.json: encodingg", "encodingg"},
                    Mistake{"\"bias\": [", "\"bias\": [1, ", "net.json: layers[0].bias", "7 biases for 6 units"},
                    Mistake{"[0, 1, 0, 0]", "[0, 1, 0]", "net.json: layers[0].weights[3]",
                            "3 numbers where the first row has 4"},
                    Mistake{"[0, 1, 0, 0]", "[0, 1, 0, \"x\"]", "net.json: layers[0].weights[3][3]", "number"},
                    Mistake{"[0, 1, 0, 0]", "[0, 1, 0, 1e999]", "net.json:16:21", "overflow"},
                    Mistake{"\"bits\": 8", "\"bits\": 8, \"bits\": 8", "net.json:4:37", "'bits' is given twice"},
                    Mistake{"\"linear\": [3", "\"linear\": [6", "net.json: layers[0].linear[0]", "not in 0..5"},
                    Mistake{"\"low\": 0, ", "", "net.json: layers[0].activation", "'low' is missing"},
                    Mistake{"\"kind\": \"none\"", "\"kind\": \"none\", \"low\": 0", "net.json: layers[4].activation",
                            "only a saturating"},
                    Mistake{"\"bits\": 8", "\"bits\": 10", "net.json: layers", "takes 4 wires where 5 arrive"}));

// Cut anywhere, the file is refused, and where it ends is said.
TEST(OnnFile, TruncatedFilesAreRefused) {
  const std::string text = onn_text(network());
  for (std::size_t length = 0; length + 2 < text.size(); length += 37) {
    try {
      onn_from_text(std::string_view(text).substr(0, length), "net.json");
      ADD_FAILURE() << length << " bytes of " << text.size() << " were read without complaint";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.place().rfind("net.json:", 0), 0u) << error.what();
    }
  }
  try {
    onn_from_text(std::string_view(text).substr(0, 20), "net.json");
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("ends too early"), std::string::npos);
  }
}

TEST(OnnFile, PackedMatricesAreChecked) {
  const std::string text = onn_text(network(), Packing::kFloat32);
  const auto refused = [&](const std::string& before, const std::string& after) {
    std::string broken = text;
    broken.replace(broken.find(before), before.size(), after);
    EXPECT_THROW(onn_from_text(broken, "net.json"), Error) << after;
  };
  refused("\"rows\": 6", "\"rows\": 7");
  refused("\"rows\": 6", "\"rows\": 1000000");
  refused("\"rows\": 6", "\"rows\": 0");
  refused("\"f32\": \"A", "\"f32\": \"!");
  refused("\"f32\": \"A", "\"f32\": \"");
}

}  // namespace
}  // namespace helio::photonics
