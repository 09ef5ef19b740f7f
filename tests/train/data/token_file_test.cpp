// SPDX-License-Identifier: Apache-2.0
#include "train/data/token_file.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"

namespace helio::train {
namespace {

std::string written(const std::string& name, const std::string& bytes) {
  const std::string path = testing::TempDir() + "helio_token_file_" + name;
  write_file(path, bytes, "");
  return path;
}

Error refusal(const std::vector<std::string>& files, std::int64_t vocabulary) {
  try {
    read_tokens(files, vocabulary);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error;
  }
  ADD_FAILURE() << "nothing was refused";
  return Error(ErrorKind::kUsage, "");
}

// Low byte first: 01 02 is 1 + 2·256 = 513, ff ff is 65535.
TEST(TokenFile, SixteenBitsLowByteFirst) {
  const std::string a = written("a.u16", "\x01\x02\xff\xff"), b = written("b.u16", std::string("\x07\x00", 2));
  EXPECT_EQ(read_tokens({a, b}, 0), (std::vector<std::uint16_t>{513, 65535, 7}));
}

TEST(TokenFile, WhatIsNoTokenIsRefusedWithItsPlace) {
  const std::string good = written("good.u16", std::string("\x07\x00\x08\x00", 4));
  EXPECT_EQ(read_tokens({good}, 9).size(), 2u);
  // Token number 1 of the file is 8: one past a vocabulary of 8.
  const Error past = refusal({good}, 8);
  EXPECT_EQ(past.place(), good);
  EXPECT_NE(past.message().find("token number 1 is 8"), std::string::npos) << past.message();
  const std::string odd = written("odd.u16", "abc");
  EXPECT_EQ(refusal({good, odd}, 0).place(), odd);
  EXPECT_NE(refusal({written("empty.u16", "")}, 0).message().find("empty"), std::string::npos);
  const std::string none = testing::TempDir() + "helio_token_file_none.u16";
  EXPECT_NE(refusal({none}, 0).message().find(none), std::string::npos);
}

}  // namespace
}  // namespace helio::train
