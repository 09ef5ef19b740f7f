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

}  // namespace
}  // namespace helio::apps
