// SPDX-License-Identifier: Apache-2.0
#include "pipeline/experiment.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::pipeline {
namespace {

TEST(Experiment, RemediesKeepTheirOrder) {
  EXPECT_EQ(remedies_named("endpoint,block", ""), (std::vector{Remedy::kEndpoint, Remedy::kBlock}));
  EXPECT_EQ(remedies_named("block,middle,endpoint,replace", "").size(), 4u);
  EXPECT_TRUE(remedies_named("", "").empty());
}

TEST(Experiment, AnUnknownRemedyIsToldAtItsPlace) {
  try {
    remedies_named("block,endpiont", "--remedy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), "--remedy");
    EXPECT_NE(error.advice().find("'endpoint'"), std::string::npos);
  }
}

}  // namespace
}  // namespace helio::pipeline
