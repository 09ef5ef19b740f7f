// SPDX-License-Identifier: Apache-2.0
#include "pipeline/draft.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/asking.h"

namespace helio::pipeline {
namespace {

const Texts kRing = {{"name", "ring"}, {"nodes", "4"}};
const Texts kPlain = {{"kind", "all-reduce"}, {"bytes", "1 MB"}, {"algorithm", "ring"}};

Draft two_collectives() {
  Draft draft;
  draft.source = "test";
  draft.fabric = settings_of(kRing, "fabric.");
  for (const char* name : {"a", "b"}) {
    Settings keys = settings_of(kPlain, "");
    keys["name"] = {name, "test"};
    draft.collectives.push_back({"test", keys, {}});
  }
  return draft;
}

Error error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorKind::kUsage, "");
}

TEST(Draft, EveryKeyReachesTheExperiment) {
  const Experiment experiment = asking(kRing,
                                       {{"name", "x"},
                                        {"kind", "broadcast"},
                                        {"bytes", "2 kB"},
                                        {"algorithm", "direct"},
                                        {"root", "3"},
                                        {"sync", "dataflow"},
                                        {"verify", "true"},
                                        {"remedy", "block"},
                                        {"groups", "0,1;3,2"}},
                                       {{"chunks", "7"}});
  EXPECT_EQ(experiment.fabric.name, "ring");
  EXPECT_EQ(experiment.fabric.settings.size(), 1u);
  const Collective& c = experiment.collectives.front();
  EXPECT_EQ(c.name, "x");
  EXPECT_EQ(c.kind, schedule::Kind::kBroadcast);
  EXPECT_EQ(c.bytes.value.value, 2000);
  EXPECT_EQ(c.algorithm.name, "direct");
  EXPECT_EQ(c.algorithm.settings.at("chunks").text, "7");
  EXPECT_EQ(c.root.value, 3);
  EXPECT_EQ(c.sync.value, schedule::Order::kDataflow);
  EXPECT_EQ(c.sync.place, "collective.sync");
  EXPECT_TRUE(c.verify);
  EXPECT_EQ(c.remedies.value, std::vector{Remedy::kBlock});
  EXPECT_EQ(c.remedies.place, "collective.remedy");
  ASSERT_EQ(c.groups.value.size(), 2u);
  EXPECT_EQ(c.groups.value[1], (std::vector{NodeId{3}, NodeId{2}}));
}

TEST(Draft, SetChangesOneOrAll) {
  Draft draft = two_collectives();
  set(draft, "fabric.rate", {"1 Gb/s", "--set"});
  set(draft, "collective.bytes", {"2 MB", "--set"});
  set(draft, "collective.b.bytes", {"3 MB", "--set"});
  set(draft, "algorithm.chunks", {"5", "--set"});
  set(draft, "collective.a.parameters.chunks", {"6", "--set"});
  set(draft, "engine", {"simgrid", "--set"});
  const Experiment experiment = interpret(draft);
  EXPECT_EQ(experiment.fabric.settings.at("rate").text, "1 Gb/s");
  EXPECT_EQ(experiment.engine.value, "simgrid");
  EXPECT_EQ(experiment.collectives[0].bytes.value.value, 2e6);
  EXPECT_EQ(experiment.collectives[1].bytes.value.value, 3e6);
  EXPECT_EQ(experiment.collectives[0].algorithm.settings.at("chunks").text, "6");
  EXPECT_EQ(experiment.collectives[1].algorithm.settings.at("chunks").text, "5");
}

TEST(Draft, APathThatLeadsNowhereNamesTheNearest) {
  const std::pair<const char*, const char*> cases[] = {{"fabirc.rate", "fabric.rate"},
                                                       {"colective.bytes", "collective.bytes"},
                                                       {"collective.byte", "bytes"},
                                                       {"collective.a.byte", "bytes"},
                                                       {"engin", "engine"},
                                                       {"rate", "fabric.rate"},
                                                       {"chunk", "algorithm.chunks"},
                                                       {"bytes", "collective.bytes"}};
  for (const auto& [path, nearest] : cases) {
    const Error error = error_of([&] {
      Draft draft = two_collectives();
      set(draft, path, {"1", "--set"});
    });
    EXPECT_EQ(error.kind(), ErrorKind::kInput) << path;
    EXPECT_EQ(error.place(), "--set") << path;
    EXPECT_NE(error.advice().find(std::string("'") + nearest + "'"), std::string::npos)
        << path << ": " << error.advice();
  }
  EXPECT_THROW(
      {
        Draft draft = two_collectives();
        set(draft, "collective.c.bytes", {"1", ""});
      },
      Error);
  EXPECT_THROW(
      {
        Draft draft = two_collectives();
        set(draft, "fabric.a.b", {"1", ""});
      },
      Error);
  EXPECT_THROW(
      {
        Draft draft = two_collectives();
        set(draft, "", {"1", ""});
      },
      Error);
}

TEST(Draft, WrongValuesAreToldAtTheirPlace) {
  const std::pair<const char*, const char*> cases[] = {{"kind", "all-reduse"}, {"bytes", "0 B"},     {"bytes", "-1 MB"},
                                                       {"bytes", "100 Mb/s"},  {"bytes", "100"},     {"root", "-1"},
                                                       {"root", "one"},        {"sync", "lockstep"}, {"verify", "yes"},
                                                       {"remedy", "pray"},     {"groups", "0,x"},    {"groups", "-1"}};
  for (const auto& [key, text] : cases) {
    Texts keys = kPlain;
    keys[key] = text;
    const Error error = error_of([&] { asking(kRing, keys); });
    EXPECT_EQ(error.kind(), ErrorKind::kInput) << key << " = " << text;
    EXPECT_EQ(error.place(), std::string("collective.") + key) << text;
  }
}

TEST(Draft, ARootBelongsToBroadcastAndReduce) {
  for (const schedule::Kind kind : schedule::kAllKinds) {
    const Texts keys = {
        {"kind", std::string(schedule::name_of(kind))}, {"bytes", "1 MB"}, {"algorithm", "direct"}, {"root", "0"}};
    if (kind == schedule::Kind::kBroadcast || kind == schedule::Kind::kReduce) {
      EXPECT_NO_THROW(asking(kRing, keys));
      continue;
    }
    const Error error = error_of([&] { asking(kRing, keys); });
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), "collective.root");
    EXPECT_NE(error.message().find("belongs to broadcast and reduce"), std::string::npos) << error.message();
  }
}

TEST(Draft, WhatIsMissingOrUnknownIsSaid) {
  for (const char* key : {"kind", "bytes"}) {
    Texts keys = kPlain;
    keys.erase(key);
    const Error error = error_of([&] { asking(kRing, keys); });
    EXPECT_EQ(error.place(), "test:1:1");
    EXPECT_NE(error.message().find(key), std::string::npos);
  }
  Texts keys = kPlain;
  keys["algoritm"] = "ring";
  EXPECT_NE(error_of([&] { asking(kRing, keys); }).advice().find("'algorithm'"), std::string::npos);
  EXPECT_EQ(error_of([&] { asking({{"nodes", "4"}}, kPlain); }).kind(), ErrorKind::kInput);
  EXPECT_EQ(error_of([&] { interpret(Draft{.fabric = settings_of(kRing, "")}); }).kind(), ErrorKind::kInput);
}

TEST(Draft, TwoCollectivesOfOneNameAreRefused) {
  Draft draft = two_collectives();
  draft.collectives[1].keys["name"].text = "a";
  EXPECT_THROW(interpret(draft), Error);
}

}  // namespace
}  // namespace helio::pipeline
