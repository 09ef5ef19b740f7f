// SPDX-License-Identifier: Apache-2.0
// A complex matrix as a JSON file (docs/meshes.md): a list of rows, [[1, 0], [0, [0, 1]]]; an entry is a number or [real, imaginary].
#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>

namespace helio::photonics {

// Throws Error(kInput) at "source:line:column" or "source: [1][0]".
Eigen::MatrixXcd parse_matrix(std::string_view text, const std::string& source);

}  // namespace helio::photonics
