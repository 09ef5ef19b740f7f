// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_wires.h"

#include <gtest/gtest.h>

#include <vector>

namespace helio::photonics {
namespace {

// A network of one input of 0..12 (4 servers, one symbol in two bits) from layers.
double field(const std::vector<Layer>& layers, double sum) {
  Onn onn;
  onn.task.bits = 2;
  onn.layers = layers;
  OnnForward forward(onn);
  return forward.run(Matrix::Constant(1, 1, sum))(0, 0);
}

// z = q(x − 4.5) + ½: at q = 2 the slope runs from 4.25 to 4.75.
TEST(OnnWires, AStepIsItsFormula) {
  for (const ActivationKind kind : {ActivationKind::kRelu, ActivationKind::kSaturating}) {
    OnnWires wires(1, kind, 2);
    const WireSum step = wires.step(OnnWires::wire(0), 5);
    wires.close();
    const std::vector<Layer> layers = wires.finish({step});
    EXPECT_EQ(layers[0].units(), kind == ActivationKind::kRelu ? 2 : 1);
    for (int s = 0; s <= 12; ++s) EXPECT_NEAR(field(layers, s), s >= 5 ? 1 : 0, 1e-12);
    EXPECT_NEAR(field(layers, 4.5), 0.5, 1e-12);
    EXPECT_NEAR(field(layers, 4.25), 0, 1e-12);
    EXPECT_NEAR(field(layers, 4.6), 0.7, 1e-12);
  }
}

// A thermometer makes 3 of 3.2 again: steps at ½, 1½, 2½, 3½ with slope 4 are flat 1/8 away from the middle.
TEST(OnnWires, AThermometerMakesAnew) {
  OnnWires wires(1, ActivationKind::kSaturating, 4);
  const WireSum sum = wires.thermometer(OnnWires::wire(0), 12);
  wires.close();
  const std::vector<Layer> layers = wires.finish({sum});
  EXPECT_EQ(layers[0].units(), 12);
  EXPECT_NEAR(field(layers, 3.2), 3, 1e-12);
  EXPECT_NEAR(field(layers, 2.7), 3, 1e-12);
}

// A constant costs no light; a single wire passes with weight 1 whatever its factor.
TEST(OnnWires, PassKeepsValuesAndLeavesConstantsOut) {
  OnnWires wires(2, ActivationKind::kRelu, 1);
  WireSum x = OnnWires::wire(0, 3);
  x.constant = 7;
  const WireSum single = wires.pass(x);
  const WireSum both = wires.pass(OnnWires::wire(0) - OnnWires::wire(1, 4), 2);
  wires.close();
  const std::vector<Layer> layers = wires.finish({single, both});
  EXPECT_TRUE(passes_only(layers[0], 0));
  EXPECT_EQ(layers[0].bias.norm(), 0);
  EXPECT_EQ(layers[0].weights(1, 1), -2);
  EXPECT_EQ(layers[0].activation.kind, ActivationKind::kNone);
  EXPECT_EQ(layers[1].weights(0, 0), 3);
  EXPECT_EQ(layers[1].bias[0], 7);
  EXPECT_EQ(layers[1].weights(1, 1), 2);
}

TEST(OnnWires, SumsAddUp) {
  WireSum sum = OnnWires::wire(0) + OnnWires::wire(1, 2) - OnnWires::wire(0);
  EXPECT_EQ(sum.weights, (std::map<int, double>{{1, 2.0}}));  // no zeros kept
  sum *= 0;
  EXPECT_TRUE(sum.weights.empty());
}

}  // namespace
}  // namespace helio::photonics
