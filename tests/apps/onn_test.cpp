// SPDX-License-Identifier: Apache-2.0
// Optical networks as a user meets them: helio onn, and the fabric optinc.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/refused.h"
#include "apps/running.h"

namespace helio::apps {
namespace {

using Json = nlohmann::json;

// A folder that is gone afterwards.
class Onn : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  std::string written(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
  }
  std::string built(const std::string& options = "") const {
    const Said said = run("onn build --servers 4 --bits 8 " + options + " --out " + file("net.json") + " --json");
    EXPECT_EQ(said.code, 0) << said.err;
    return file("net.json");
  }
  static Json json_of(const std::string& command) {
    const Said said = run(command + " --json");
    EXPECT_EQ(said.code, 0) << said.err;
    return said.code == 0 ? Json::parse(said.out) : Json();
  }

 private:
  std::string folder_ = testing::TempDir() + "helio_onn_" + std::to_string(getpid());
};

// papers/optinc.md 2.5: 376 and 346 MZIs by full decompositions, 0 of the 28,561 points wrong. What the matrices really need is less.
TEST_F(Onn, BuildsExactNetworks) {
  const Json lsb = json_of("onn build --servers 4 --bits 8 --method lsb --activation relu --out " + file("a.json"));
  EXPECT_EQ(lsb["mzis_by_svd"], 376);
  EXPECT_LE(lsb["mzis"], 376);
  EXPECT_EQ(lsb["points"], 28561);
  EXPECT_EQ(lsb["wrong"], 0);
  EXPECT_EQ(lsb["layers"], Json({4, 9, 9, 9, 9, 4}));
  const Json msb = json_of("onn build --servers 4 --bits 8 --method msb --activation relu");
  EXPECT_EQ(msb["mzis_by_svd"], 346);
  EXPECT_EQ(json_of("onn build --servers 3 --bits 8")["wrong"], 0);  // no carries for thirds: from the top
  EXPECT_LT(json_of("onn build --servers 4 --bits 8 --best mzis")["mzis"],
            json_of("onn build --servers 4 --bits 8")["mzis"]);
}

TEST_F(Onn, EvaluatesWithNoiseAndImperfections) {
  const std::string net = built();
  const Json plain = json_of("onn evaluate " + net);
  EXPECT_EQ(plain["points"], 28561);
  EXPECT_EQ(plain["wrong"], 0);
  EXPECT_EQ(plain["error_histogram"], Json({{"0", 28561}}));
  for (const char* key : {"wrong_fraction", "mzis", "depth", "loss_db"}) EXPECT_TRUE(plain[key].is_number()) << key;
  // papers/optinc.md 2.5: saturating steps stand 0.05 of a symbol; phases that are off by a radian are another network
  EXPECT_EQ(json_of("onn evaluate " + net + " --noise 0.05 --draws 4")["wrong"], 0);
  EXPECT_GT(json_of("onn evaluate " + net + " --phase-error 1rad")["wrong_fraction"], 0.5);
  EXPECT_GT(json_of("onn evaluate " + net + " --phase-bits 3")["wrong"], 0);
  EXPECT_EQ(json_of("onn evaluate " + net + " --points 1000")["points"], 1000);
  EXPECT_EQ(json_of("onn evaluate " + net + " --noise 0.4 --seed 3"),
            json_of("onn evaluate " + net + " --noise 0.4 --seed 3"));
}

// No flag without an effect: each flaw makes mistakes when it is large, and the loss that is asked for is the one that is told.
TEST_F(Onn, EveryImperfectionCounts) {
  const std::string net = built();
  for (const char* flaw : {"--phase-error 0.3rad", "--phase-bits 4", "--splitter-error 0.3rad", "--crosstalk 0.3",
                           "--mzi-loss 3dB", "--noise 0.5"})
    EXPECT_GT(json_of("onn evaluate " + net + " " + flaw)["wrong"], 0) << flaw;
  EXPECT_GT(json_of("onn evaluate " + net + " --noise 0.12 --noisy-wires")["wrong"],
            json_of("onn evaluate " + net + " --noise 0.12")["wrong"]);
  const double at_one = json_of("onn evaluate " + net + " --mzi-loss 1dB")["loss_db"];
  EXPECT_NEAR(json_of("onn evaluate " + net + " --mzi-loss 3dB")["loss_db"], 3 * at_one, 1e-9);
  // Full meshes for what the matrices need: 4-6-6-6-6-4 with a mode of bias light each, papers/optinc.md 2.3:
  // 15 + 10 + 5, three times 15 + 21 + 6, 6 + 21 + 4
  EXPECT_EQ(json_of("onn evaluate " + net + " --compile svd")["mzis"], 187);
}

// A network for the default chip bears all of its flaws at once, on every chip; the one with few MZIs on none, and no chip without calibration
// bears any. N = 4: 28,561 points, four draws of noise on each of twenty chips.
TEST_F(Onn, NetworksForChips) {
  const Json built_for = json_of("onn build --servers 4 --bits 8 --chip default --out " + file("chip.json"));
  EXPECT_EQ(built_for["wrong"], 0);
  EXPECT_EQ(built_for["wrong_on_chip"], 0);
  EXPECT_EQ(built_for["compilation"], "tree");
  const std::string net = file("chip.json");
  const Json on_chips = json_of("onn evaluate " + net + " --chip default --chips 20");
  EXPECT_EQ(on_chips["wrong"], 0);
  EXPECT_EQ(on_chips["chips_wrong"], 0);
  EXPECT_EQ(on_chips["chips"], 20);
  EXPECT_EQ(on_chips["draws"], 4);
  EXPECT_EQ(on_chips["points"], 28561 * 4 * 20);
  EXPECT_EQ(json_of("onn evaluate " + net + " --chip default --uncalibrated")["chips_wrong"], 1);
  EXPECT_GT(json_of("onn evaluate " + net + " --chip default --noise 0.2")["wrong"], 0);
  EXPECT_GT(json_of("onn evaluate " + net + " --chip default --chip-scale 3")["wrong"], 0);
  EXPECT_EQ(json_of("onn evaluate " + built() + " --chip default --chips 3")["chips_wrong"], 3);
  EXPECT_EQ(json_of("onn describe " + net)["command"], "helio onn build --servers 4 --bits 8 --chip default");

  expect_refused("onn evaluate " + net + " --chips 3", 2, {"--chip default"});
  expect_refused("onn evaluate " + net + " --chip defualt", 3, {"--chip", "default"});
  expect_refused("onn evaluate " + net + " --chip default --chip-scale 0", 3, {"--chip-scale"});
  expect_refused("onn build --servers 3 --bits 8 --chip default", 4, {"power of two"});
  expect_refused("onn build --servers 4 --bits 8 --chip default --method lsb", 2, {"--chip"});
}

// Powers do not add up as fields: such a network is made of steps only, and as exact.
TEST_F(Onn, BuildsForIntensities) {
  EXPECT_EQ(json_of("onn build --servers 4 --bits 8 --encoding intensity")["wrong"], 0);
}

// n(n-1)/2 MZIs in n columns, or in 2n-3 (papers/optinc.md 7.1).
TEST_F(Onn, DecomposesAndDraws) {
  const Json mesh = json_of("onn decompose --modes 64 --svg " + file("mesh.svg"));
  EXPECT_EQ(mesh["mzis"], 2016);
  EXPECT_EQ(mesh["depth"], 64);
  EXPECT_LT(mesh["rebuild_error"], 1e-12);
  EXPECT_GT(std::filesystem::file_size(file("mesh.svg")), 2016u);
  EXPECT_EQ(json_of("onn decompose --modes 64 --layout triangular --real")["depth"], 125);
  const std::string hadamard =
      written("m.json", "[[0.7071067811865476, 0.7071067811865476], [0.7071067811865476, -0.7071067811865476]]");
  EXPECT_EQ(json_of("onn decompose --matrix " + hadamard)["mzis"], 1);
  const Json described = json_of("onn describe " + built() + " --svg " + file("net.svg") + " --layer 2");
  EXPECT_EQ(described["command"], "helio onn build --servers 4 --bits 8");
  EXPECT_GT(std::filesystem::file_size(file("net.svg")), 1000u);
}

// What trains is another program; here one that prints what it is asked.
TEST_F(Onn, TrainingIsAnotherProgram) {
  const std::string echo = written("echo", "#!/bin/sh\necho \"asked: $*\"\n");
  std::filesystem::permissions(echo, std::filesystem::perms::owner_all);
  setenv("HELIO_TRAIN", echo.c_str(), 1);
  const Said said = run("onn train --servers 4 --bits 8 --json --out x.json");
  setenv("HELIO_TRAIN", file("nothing").c_str(), 1);
  expect_refused("onn train --servers 4", 4, {"HELIO_TRAIN"});
  unsetenv("HELIO_TRAIN");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, "asked: onn --servers 4 --bits 8 --json --out x.json\n");
}

TEST_F(Onn, BadInputIsToldWithItsPlace) {
  expect_refused("onn build --servers 0 --bits 8", 3, {"servers"});
  expect_refused("onn build --servers 4 --bits 0", 3, {"bits"});
  expect_refused("onn build --servers 3 --bits 8 --method lsb", 4,
                 {"power of two", "sb admits every number of servers"});
  expect_refused("onn build --servers 4 --bits 8 --method lbs", 3, {"--method", "lsb"});
  expect_refused("onn build --servers 4 --bits 8 --best mzis --slope 2", 2, {"--best"});
  expect_refused("onn evaluate " + file("absent.json"), 3, {"absent.json"});
  expect_refused("onn decompose", 2, {"--modes"});
  expect_refused("onn decompose --modes 0", 3, {"--modes"});
  expect_refused("onn decompose --matrix " + written("a.json", "[[1, 1], [0, 1]]"), 3, {"a.json", "unitary"});
  expect_refused("onn decompose --matrix " + written("b.json", "[[1, 0]]"), 3, {"b.json"});
  expect_refused("onn decompose --matrix " + written("c.json", "[[1, 0], [0"), 3, {"c.json"});

  // Files that are cut off, or of another shape
  const std::string net = built();
  std::stringstream text;
  text << std::ifstream(net).rdbuf();
  expect_refused("onn evaluate " + written("cut.json", text.str().substr(0, text.str().size() / 2)), 3, {"cut.json"});
  Json other = Json::parse(text.str());
  other["layers"][0]["bias"].push_back(1);
  expect_refused("onn evaluate " + written("other.json", other.dump()), 3, {"other.json", "layers[0]"});
  expect_refused("onn evaluate " + net + " --phase-error 3", 3, {"--phase-error", "mrad"});
  expect_refused("onn evaluate " + net + " --phase-error -3mrad", 3, {"--phase-error"});
  expect_refused("onn evaluate " + net + " --points -1", 3, {"--points"});
  expect_refused("onn evaluate " + net + " --seed -1", 3, {"--seed"});
  expect_refused("onn evaluate " + net + " --noise 1e308", 3, {"--noise"});
  expect_refused("onn evaluate " + net + " --phase-error 1e308rad", 3, {"--phase-error"});
  expect_refused("onn build --servers 3 --bits 32", 4, {"double precision"});
  expect_refused("onn evaluate " + net + " --draws 0", 3, {"--draws"});
  expect_refused("onn evaluate " + net + " --noisy-wires", 2, {"--noise"});
  expect_refused("onn describe " + net + " --layer 9 --svg " + file("x.svg"), 3, {"--layer"});
}

// 100 MB of float32 are 25 MB of 8-bit codes: 31.25 us at 6.4 Tb/s, and two fibres of 50 ns. Injected: 1 time the codes.
TEST(OptincFabric, AllReduceInTheLight) {
  const Said said =
      run("collective all-reduce --fabric optinc --nodes 4 --bytes 100MB --algorithm in-fabric --verify --json");
  ASSERT_EQ(said.code, 0) << said.err;
  const Json json = Json::parse(said.out);
  EXPECT_EQ(json["injected_bytes"], 25e6);
  EXPECT_EQ(json["traffic_bytes"], 200e6);  // up from four servers and down to four
  EXPECT_NEAR(json["time_s"].get<double>(), 31.35e-6 + json["onn_latency_s"].get<double>(), 1e-12);
  EXPECT_EQ(json["onn_instances"], 16);
  EXPECT_TRUE(json["verified"]);
  EXPECT_GT(json["value_error"], 0);
  EXPECT_GT(json["energy_j"], 0);
  EXPECT_LE(json["bound_s"], json["time_s"]);
}

// The error includes what the chip does to averages. Four servers on a default chip make no mistake (Onn.NetworksForChips): it is that of
// rounding alone, on the same numbers; and the assumptions say which of the two was asked for.
TEST(OptincFabric, ErrorsAreThoseOfTheChip) {
  const std::string ask = "collective all-reduce --fabric optinc --nodes 4 --bytes 1MB --algorithm in-fabric --json";
  const Json chip = Json::parse(run(ask).out),
             flawless = Json::parse(run(ask + " --set fabric.network=constructed").out);
  EXPECT_EQ(chip["value_error"], flawless["value_error"]);
  EXPECT_NE(chip["assumptions"].dump().find("chips 'default'"), std::string::npos);
  EXPECT_NE(flawless["assumptions"].dump().find("have no flaw"), std::string::npos);
  EXPECT_GT(chip["onn_mzis"], flawless["onn_mzis"]);
}

// Rounding twice costs accuracy (papers/optinc.md 2.6).
TEST(OptincFabric, FractionsMatter) {
  const auto error = [](const std::string& more) {
    return Json::parse(run("collective all-reduce --fabric optinc --nodes 16 --bytes 1MB --algorithm in-fabric --set "
                           "fabric.ports=4x4 --json " +
                           more)
                           .out)["value_error"]
        .get<double>();
  };
  EXPECT_GT(error("--set fabric.fraction=0"), 1.1 * error(""));
}

// Four servers under one switch of a cascade are averaged there alone: the same error as by a switch that has no others beside it.
TEST(OptincFabric, ErrorsAreThoseOfTheSwitchesOnTheWay) {
  const auto error = [](const std::string& ports) {
    return Json::parse(run("collective all-reduce --fabric optinc --nodes 4 --bytes 1MB --algorithm in-fabric --json "
                           "--set fabric.ports=" +
                           ports)
                           .out)["value_error"]
        .get<double>();
  };
  EXPECT_EQ(error("4x4"), error("4"));
}

// 25.6 M parameters are 25.6 MB of codes up from and down to each of eight servers, whatever the gradients are kept in.
TEST(OptincFabric, JobsSendCodes) {
  const std::string path = testing::TempDir() + "helio_optinc_job_" + std::to_string(getpid()) + ".toml";
  std::ofstream(path)
      << "[fabric]\nname = \"optinc\"\nnodes = 8\n[[job]]\nmodel = \"resnet-50\"\nnpu = \"a100-80\"\ndp = 8\n";
  const auto traffic = [&](const std::string& precision) {
    const Said said = run("simulate " + path + " --json --set job.gradient_precision=" + precision);
    EXPECT_EQ(said.code, 0) << said.err;
    return said.code == 0 ? Json::parse(said.out)["jobs"][0]["traffic_bytes"].get<double>() : 0;
  };
  const double wide = traffic("fp32");
  EXPECT_NEAR(wide, 16 * 25.557e6, 0.001 * wide);
  EXPECT_NEAR(traffic("bf16"), wide, 1);
  EXPECT_NEAR(traffic("fp8"), wide, 1);
  std::filesystem::remove(path);
}

TEST(OptincFabric, RefusesWhatItCannotCarry) {
  expect_refused("collective all-reduce --fabric optinc --nodes 4 --bytes 1MB --algorithm ring", 4,
                 {"average of all", "in-fabric"});
  expect_refused("collective all-gather --fabric optinc --nodes 4 --bytes 1MB --algorithm in-fabric", 4,
                 {"copies what one rank has"});
  expect_refused("collective all-reduce --fabric optinc --nodes 0 --bytes 1MB --algorithm in-fabric", 3, {"nodes"});
  expect_refused(
      "collective all-reduce --fabric optinc --nodes 4 --bytes 1MB --algorithm in-fabric --set fabric.bits=0", 3,
      {"bits"});
}

}  // namespace
}  // namespace helio::apps
