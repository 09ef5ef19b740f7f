// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "photonics/onn_construct.h"

namespace helio::photonics {
namespace {

// 4 bits of 2 symbols, two layers of made-up weights: dense enough to take both ways of the linear stage by its size.
Onn made_up(int hidden, Activation activation) {
  Onn onn;
  onn.task.bits = 4;
  onn.input_scale = 0.5;
  onn.input_offset = -1;
  Random random(7);
  int entering = 2;
  for (const int units : {hidden, 2}) {
    Layer layer;
    layer.weights = Matrix::NullaryExpr(units, entering, [&] { return random.normal(); });
    layer.bias = Vector::NullaryExpr(units, [&] { return random.normal(); });
    if (units == hidden) layer.activation = activation;
    onn.layers.push_back(layer);
    entering = units;
  }
  return onn;
}

TEST(Onn, ActivationsAreTheirFormulas) {
  const Activation relu{ActivationKind::kRelu}, trained{ActivationKind::kSaturating, -1, 1, 0.01};
  EXPECT_EQ(relu(-2), 0);
  EXPECT_EQ(relu(2), 2);
  EXPECT_EQ((Activation{ActivationKind::kSaturating}(0.25)), 0.25);
  EXPECT_EQ((Activation{ActivationKind::kSaturating}(3)), 1);
  EXPECT_DOUBLE_EQ(trained(3), 1.03);  // clamp(x, −1, 1) + 0.01x
  EXPECT_DOUBLE_EQ(trained(-0.5), -0.505);
  EXPECT_EQ(Activation{}(-7), -7);
}

// The batch against the definition, number by number, for small (skipping zeros) and large (dense product) layers.
TEST(Onn, ForwardIsTheDefinition) {
  for (const int hidden : {3, 300})
    for (const Activation& activation :
         {Activation{ActivationKind::kRelu}, Activation{ActivationKind::kSaturating, -1, 1, 0.01},
          Activation{ActivationKind::kSaturating, 0, 1, 0}}) {
      Onn onn = made_up(hidden, activation);
      onn.layers[0].linear.assign(static_cast<std::size_t>(hidden), false);
      onn.layers[0].linear[1] = true;
      Matrix sums(2, 9);
      for (int p = 0; p < 9; ++p) sums.col(p) << p, 12 - p;
      OnnForward forward(onn);
      const Matrix& out = forward.run(sums);
      for (int p = 0; p < 9; ++p) {
        const Vector x = (sums.col(p).array() * 0.5 - 1).matrix();
        Vector z = onn.layers[0].weights * x + onn.layers[0].bias;
        for (int i = 0; i < hidden; ++i)
          if (i != 1) z[i] = activation(z[i]);
        const Vector y = onn.layers[1].weights * z + onn.layers[1].bias;
        EXPECT_NEAR((y - out.col(p)).norm(), 0, 1e-12 * hidden);
      }
    }
}

// Fields to symbols: rounded to the nearest, clipped to 0..3; lowest symbol first.
TEST(Onn, DecodeRoundsAndClips) {
  Onn onn = made_up(3, {});
  Matrix fields(2, 3);
  fields << 1.4, -5, 2.5,  //
      2.6, 9, 0.49;
  std::vector<std::int64_t> averages(3);
  decode(onn, fields, averages);
  EXPECT_EQ(averages, (std::vector<std::int64_t>{1 + 3 * 4, 0 + 3 * 4, 3 + 0}));
  // Intensity: the symbol is the square of the field; 1.4² = 1.96.
  onn.encoding = Encoding::kIntensity;
  fields << 1.4, 0, 0, 1, 0, 0;
  decode(onn, fields, averages);
  EXPECT_EQ(averages[0], 2 + 4);
}

// Noise of sigma on one linear stage: the mean square of what it adds to an identity is sigma² (20,000 draws: ±5 %).
TEST(Onn, NoiseHasItsSize) {
  Onn onn;
  onn.task.bits = 2;
  Layer wire;
  wire.weights = Matrix::Identity(1, 1);
  wire.bias = Vector::Zero(1);
  onn.layers = {wire};
  Random random(1);
  OnnForward forward(onn);
  const Matrix sums = Matrix::Constant(1, 20000, 2.0);
  const auto mean_square = [&](const StageNoise& noise) {
    return (forward.run(sums, noise, random).array() - 2).square().mean();
  };
  EXPECT_NEAR(mean_square({0.1, 0, true}), 0.01, 0.0005);
  EXPECT_NEAR(mean_square({0, 0.1, true}), 0.01, 0.0005);
  EXPECT_NEAR(mean_square({0.1, 0.1, true}), 0.02, 0.001);
  EXPECT_EQ(mean_square({0.1, 0, false}), 0);  // the only wire is passed on
  EXPECT_TRUE(passes_only(onn.layers[0], 0));
  onn.layers[0].bias[0] = 1;
  EXPECT_FALSE(passes_only(onn.layers[0], 0));
}

TEST(Onn, RefusesShapesThatDoNotFit) {
  const auto message = [](Onn onn) -> std::string {
    try {
      onn.check();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return error.what();
    }
    return "";
  };
  const Onn good = made_up(3, {});
  EXPECT_EQ(message(good), "");
  EXPECT_EQ(good.widths(), (std::vector<int>{2, 3, 2}));
  Onn onn = good;
  onn.layers.clear();
  EXPECT_NE(message(onn).find("without layers"), std::string::npos);
  onn = good;
  onn.layers[1].weights.resize(2, 4);
  EXPECT_NE(message(onn).find("takes 4 wires where 3 arrive"), std::string::npos);
  onn = good;
  onn.layers[0].bias.resize(2);
  EXPECT_NE(message(onn).find("3 units and 2 biases"), std::string::npos);
  onn = good;
  onn.layers.pop_back();
  EXPECT_NE(message(onn).find("where 2 symbols leave"), std::string::npos);
  onn = good;
  onn.layers[0].weights(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message(onn).find("not finite"), std::string::npos);
  onn = good;
  onn.task.servers = 0;
  EXPECT_NE(message(onn).find("0 servers"), std::string::npos);
}

}  // namespace
}  // namespace helio::photonics
