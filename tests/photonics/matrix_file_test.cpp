// SPDX-License-Identifier: Apache-2.0
#include "photonics/matrix_file.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::photonics {
namespace {

TEST(MatrixFile, EntriesAreNumbersOrPairs) {
  const Eigen::MatrixXcd matrix = parse_matrix("[[1, 0.5, 2], [0, [0, 1], [2, -3]]]", "f");
  ASSERT_EQ(matrix.rows(), 2);
  ASSERT_EQ(matrix.cols(), 3);
  EXPECT_EQ(matrix(0, 1), 0.5);
  EXPECT_EQ(matrix(1, 2), std::complex<double>(2, -3));
}

// A long first row and many short ones: as many entries as their product are never allocated.
TEST(MatrixFile, MistakesHaveAPlace) {
  std::string ragged = "[[0";
  for (int i = 0; i < 1'000'000; ++i) ragged += ",0";
  ragged += "]";
  for (int i = 0; i < 1'000'000; ++i) ragged += ",[]";
  const std::pair<std::string, const char*> wrongs[] = {{"", "f:1:1"},
                                                        {"{}", "f"},
                                                        {"[]", "f"},
                                                        {"[[]]", "f"},
                                                        {"[1]", "f: [0]"},
                                                        {"[[1, 2], [3]]", "f: [1]"},
                                                        {"[[1, [2]]]", "f: [0][1]"},
                                                        {"[[1, [2, \"3\"]]]", "f: [0][1][1]"},
                                                        {"[[1, null]]", "f: [0][1]"},
                                                        {"[[1, 1e999]]", "f:1:10"},
                                                        {ragged + "]", "f: [1]"}};
  for (const auto& [text, place] : wrongs) try {
      parse_matrix(text, "f");
      ADD_FAILURE() << "read: " << text.substr(0, 80);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.place(), place) << error.what();
    }
}

}  // namespace
}  // namespace helio::photonics
