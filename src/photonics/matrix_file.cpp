// SPDX-License-Identifier: Apache-2.0
#include "photonics/matrix_file.h"

#include <fmt/format.h>

#include <complex>

#include "base/json_node.h"

namespace helio::photonics {

Eigen::MatrixXcd parse_matrix(std::string_view text, const std::string& source) {
  const JsonOrigin origin{source,
                          "Write the rows as [[1, 0], [0, [0, 1]]]: an entry is a number or [real, imaginary]."};
  const Json document = parse_json(text, source, origin.advice);
  const JsonNode root(document, origin);
  const std::size_t rows = root.size(), columns = rows > 0 ? root.at(0).size() : 0;
  if (columns == 0) throw root.wrong("this is no list of rows");
  for (std::size_t i = 0; i < rows; ++i)  // before anything is allocated for them
    if (const JsonNode row = root.at(i); row.size() != columns)
      throw row.wrong(fmt::format("{} entries where the first row has {}", row.size(), columns));
  Eigen::MatrixXcd matrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const Json& entry = document[i][j];
      std::complex<double>& at = matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      if (entry.is_number()) {
        at = entry.get<double>();
      } else {
        const JsonNode pair = root.at(i).at(j);
        if (!entry.is_array() || entry.size() != 2) throw pair.wrong("a number or [real, imaginary] is expected here");
        at = std::complex<double>(pair.at(0).number(), pair.at(1).number());
      }
    }
  return matrix;
}

}  // namespace helio::photonics
