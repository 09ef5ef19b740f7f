// SPDX-License-Identifier: Apache-2.0
#include "../../apps/option_words.h"

#include <gtest/gtest.h>

#include "apps/running.h"
#include "fabric/fabric.h"
#include "pipeline/draft.h"
#include "schedule/algorithm.h"

namespace helio::apps {
namespace {

TEST(OptionWords, SettingsBecomeOptions) {
  EXPECT_EQ(as_option({"remedy", "block,endpoint"}), "--remedy block,endpoint");
  EXPECT_EQ(as_option({"rate", ""}), "--rate");
  EXPECT_EQ(as_option({"verify", "true"}), "--verify");
  EXPECT_EQ(as_option({"bytes", "1 MB"}), "--bytes '1 MB'");
  EXPECT_EQ(as_option({"fabric.planes", "2"}), "--set fabric.planes=2");
  EXPECT_EQ(as_option({"fabric.rate", "1 Gb/s"}), "--set 'fabric.rate=1 Gb/s'");
  EXPECT_EQ(in_options("Use " + advised("sync", "step") + "."), "Use --sync step.");
  EXPECT_EQ(arguments_of("all-reduce fabric=ring nodes=8 fabric.latency='1 us' groups=0,1;2,3"),
            "all-reduce --fabric ring --nodes 8 --set 'fabric.latency=1 us' --groups '0,1;2,3'");
}

// The command has every option that advice can name, and every key of a collective has one.
TEST(OptionWords, TheCommandHasThem) {
  const std::string collective = run("collective --help").out, traffic = run("traffic --help").out;
  for (const std::string_view key : kKeysWithOptions)
    EXPECT_NE((collective + traffic).find(as_option({std::string(key), ""}) + " "), std::string::npos) << key;
  for (const Parameter& key : pipeline::collective_parameters())
    if (key.name != "name" && key.name != "kind") {
      EXPECT_NE(collective.find(as_option({key.name, ""}) + " "), std::string::npos) << key.name;
    }
}

// A question means the same by way of a Draft: each in the catalogues can be interpreted.
TEST(OptionWords, QuestionsAreExperiments) {
  const auto visit = [](const Description& owner) {
    for (const Parameter& parameter : owner.parameters) {
      const std::string& question = parameter.matters.question;
      const SettingWords words = setting_words(question);
      const pipeline::Experiment experiment = pipeline::interpret(pipeline::draft_in_words(question, "question"));
      EXPECT_EQ(schedule::name_of(experiment.collectives.at(0).kind), words.head) << question;
      for (const auto& [key, value] : words.settings)
        if (key == "fabric") {
          EXPECT_EQ(experiment.fabric.name, value) << question;
        }
    }
  };
  for (const auto& entry : fabric::fabrics().entries()) visit(entry.description);
  for (const auto& entry : schedule::algorithms().entries()) visit(entry.description);
}

}  // namespace
}  // namespace helio::apps
