// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_flow_file.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::fabric {
namespace {

TEST(FredFlowFile, FlowsComeInTheirOrder) {
  const std::vector<Flow> flows =
      parse_flows(R"([{"inputs": [0, 1], "outputs": [2]}, {"outputs": [], "inputs": [4294967295]}])", "f");
  ASSERT_EQ(flows.size(), 2u);
  EXPECT_EQ(flows[0].inputs, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(flows[0].outputs, std::vector<std::uint32_t>{2});
  EXPECT_EQ(flows[1].inputs, std::vector<std::uint32_t>{4294967295u});
}

TEST(FredFlowFile, MistakesHaveAPlace) {
  const std::pair<const char*, const char*> wrongs[] = {
      {"", "f:1:1"},
      {"{}", "f"},
      {"[7]", "f: [0]"},
      {R"([{"inputs": [0]}])", "f: [0]"},
      {R"([{"inputs": [0], "outputs": 1}])", "f: [0].outputs"},
      {R"([{"inputs": [0], "outputs": [1]}, {"inputs": [0, -1], "outputs": []}])", "f: [1].inputs[1]"},
      {R"([{"inputs": [4294967296], "outputs": []}])", "f: [0].inputs[0]"},
      {R"([{"inputs": [0], "outputs": [1], "colour": 3}])", "f: [0].colour"},
      {R"([{"inputs": [0], "outputs": [1], "inputs": [3]}])", "f:1:34"}};
  for (const auto& [text, place] : wrongs) try {
      parse_flows(text, "f");
      ADD_FAILURE() << "read: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.place(), place) << error.what();
      EXPECT_FALSE(error.advice().empty());
    }
}

}  // namespace
}  // namespace helio::fabric
