// SPDX-License-Identifier: Apache-2.0
// No parameter is decoration: each declares a situation in which it matters, and here all of them are visited. The result
// with the first value and with the second must differ in more than the configuration that it repeats.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../apps/option_words.h"
#include "apps/running.h"
#include "fabric/fabric.h"
#include "schedule/algorithm.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

using Json = nlohmann::json;

// The numbers of a result: everything but what was put in and what is said in words.
Json numbers(const std::string& question) {
  const std::string arguments = arguments_of(question);
  const Said said = run("collective " + arguments + " --json", HELIO_SOURCE_DIR);
  EXPECT_EQ(said.code, 0) << arguments << "\n" << said.err;
  if (said.code != 0) return {};
  const Json whole = Json::parse(said.out);
  Json kept = {{"critical_path", whole.at("critical_path")}};
  for (const auto& [key, value] : whole.items())
    if (value.is_number() || value.is_boolean()) kept[key] = value;
  return kept;
}

void visit(const std::string& owner, const std::string& prefix, const Parameter& parameter) {
  SCOPED_TRACE(owner + " parameter " + parameter.name);
  const Situation& situation = parameter.matters;
  ASSERT_FALSE(situation.question.empty()) << "declares no situation in which it matters";
  ASSERT_FALSE(situation.other.empty());
  const auto with = [&](const std::string& value) {
    return situation.question + (value.empty() ? "" : " " + prefix + parameter.name + "='" + value + "'");
  };
  if (situation.refused) {
    numbers(with(situation.value));
    const int code = run("collective " + arguments_of(with(situation.other)), HELIO_SOURCE_DIR).code;
    EXPECT_TRUE(code == 3 || code == 4) << situation.question << ": " << code;
    return;
  }
  EXPECT_NE(numbers(with(situation.value)), numbers(with(situation.other))) << situation.question;
}

TEST(Parameters, EveryFabricParameterMatters) {
  for (const auto& entry : fabric::fabrics().entries())
    for (const Parameter& parameter : entry.description.parameters)
      visit("fabric " + entry.description.name, "fabric.", parameter);
}

TEST(Parameters, EveryAlgorithmParameterMatters) {
  for (const auto& entry : schedule::algorithms().entries())
    for (const Parameter& parameter : entry.description.parameters)
      visit("algorithm " + entry.description.name, "algorithm.", parameter);
}

}  // namespace
}  // namespace helio::apps
