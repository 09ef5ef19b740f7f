// SPDX-License-Identifier: Apache-2.0
#include "photonics/mesh_tree.h"

#include <gtest/gtest.h>

#include <bit>

#include "base/random.h"

namespace helio::photonics {
namespace {

// n − 1 MZIs in ⌈log₂ n⌉ columns multiply by the weights, of unit length, whatever their signs.
TEST(MeshTree, SumsAndCopies) {
  Random random(1);
  for (int n = 1; n <= 33; ++n) {
    Eigen::VectorXd weights(n);
    for (double& weight : weights) weight = random.normal();
    const Mesh sum = sum_tree(weights), copies = copy_tree(weights);
    for (const Mesh* mesh : {&sum, &copies}) {
      EXPECT_EQ(static_cast<int>(mesh->mzis.size()), n - 1);
      EXPECT_EQ(depth(*mesh), static_cast<int>(std::bit_width(static_cast<unsigned>(n - 1))));
    }
    const Eigen::VectorXcd wanted = weights.normalized().cast<Complex>();
    EXPECT_LT((matrix(sum) - wanted.transpose()).cwiseAbs().maxCoeff(), 1e-14) << n;
    EXPECT_LT((matrix(copies) - wanted).cwiseAbs().maxCoeff(), 1e-14) << n;
  }
}

// The way back of a sum is a copy.
TEST(MeshTree, AdjointOfASumCopies) {
  const Eigen::VectorXd weights = Eigen::VectorXd::LinSpaced(5, -1, 3.5);
  const Eigen::MatrixXcd sum = matrix(sum_tree(weights));
  EXPECT_LT((matrix(adjoint(sum_tree(weights))) - sum.adjoint()).cwiseAbs().maxCoeff(), 1e-14);
}

}  // namespace
}  // namespace helio::photonics
