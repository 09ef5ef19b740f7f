// SPDX-License-Identifier: Apache-2.0
// What helio makes of a companion that does not do its work. Each is a shell script in the place of helio-simgrid.
#include "pipeline/second_opinion.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/budget.h"
#include "base/error.h"
#include "flow/program_file.h"

namespace helio::pipeline {
namespace {

namespace fs = std::filesystem;

// 500 bytes over 8000 b/s take half a second.
const char* const kProgram =
    "heliograph-flow 1\nlink 8000 a\nroute 0 0\ntemplate t\ntransfer route=0 bytes=500\nentry 0\n";
constexpr double kBound = 0.5;

class Companion {
 public:
  explicit Companion(const std::string& script)
      : path_((fs::path(testing::TempDir()) / ("helio_companion_" + std::to_string(getpid()))).string()) {
    std::ofstream(path_) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(path_, fs::perms::owner_all);
  }
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;
  ~Companion() { fs::remove(path_); }

  SecondOpinion asked() const { return ask_simgrid(flow::parse_program(kProgram, "test"), path_, "--engine", kBound); }

 private:
  std::string path_;
};

std::string answering(const std::string& time) {
  return "echo '{\"time_s\": " + time + ", \"wall_s\": 0.25, \"processor_s\": 0.125}'";
}

TEST(SecondOpinion, AnAnswerIsTaken) {
  const SecondOpinion opinion = Companion("cat >/dev/null; " + answering("0.75")).asked();
  EXPECT_EQ(opinion.time_s, 0.75);
  EXPECT_EQ(opinion.wall_s, 0.25);
  EXPECT_EQ(opinion.processor_s, 0.125);
  // What the two engines may differ by is no sign of a mistake
  EXPECT_EQ(Companion(answering("0.4999999999")).asked().time_s, 0.4999999999);
}

// It reads the program.
TEST(SecondOpinion, TheProgramIsOnStandardInput) {
  EXPECT_EQ(Companion("read first; test \"$first\" = 'heliograph-flow 1' && " + answering("1")).asked().time_s, 1);
}

TEST(SecondOpinion, WhatIsNoAnswerIsRefusedWithWhatTheCompanionDid) {
  struct Case {
    std::string script, words;
  };
  for (const Case& one :
       {Case{"kill -9 $$", "signal 9 (Killed)"},
        {"kill -SEGV $$", "signal 11"},
        {"exit 1", "failed with code 1: it does not say why"},
        {"echo 'helio-simgrid: our fault, not yours: oh.' >&2; exit 1", "code 1: our fault, not yours: oh"},
        {"exit 4", "failed with code 4"},
        {"exit 127", "cannot be run"},
        {"", "answered nothing"},
        {"echo", "answered nothing"},
        {"echo hello", "what is no answer"},
        {"echo '{}'", "time_s"},
        {"echo '[1, 2]'", "what is no answer"},
        {"echo '{\"time_s\": 1'", "what is no answer"},
        {"echo '{\"time_s\": 1}'", "wall_s"},
        {answering("\"1\""), "time_s"},
        {answering("null"), "time_s"},
        {answering("NaN"), "what is no answer"},
        {answering("1e999"), "what is no answer"},
        {answering("1e300"), "no time"},
        {answering("-1"), "answered -1 s, which is no time"},
        {answering("0"), "answered 0 s, and nothing is faster than the lower bound, 0.5 s"},
        {answering("0.4999"), "lower bound"},
        {"exec yes", "signal 25"}}) {  // more than an answer can be
    try {
      Companion(one.script).asked();
      ADD_FAILURE() << one.script << " is taken for an answer";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible) << one.script;
      EXPECT_NE(error.message().find(one.words), std::string::npos) << one.script << ": " << error.message();
      EXPECT_EQ(error.place(), "--engine");
      EXPECT_NE(error.advice().find("engine=helio"), std::string::npos) << error.advice();
    }
  }
}

// It never answers, or never stops to: the question's budget ends it, and so does a budget for one that is in time.
TEST(SecondOpinion, WhoHangsIsNotWaitedFor) {
  for (const char* script : {"exec sleep 1000", "while :; do :; done"}) {
    const Budget budget({.seconds = 0.05});
    try {
      Companion(script).asked();
      ADD_FAILURE() << script << " is waited for";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
      EXPECT_NE(error.message().find("did not answer within 0.05 s, the budget"), std::string::npos) << error.message();
      EXPECT_NE(error.advice().find("budget=0.2 s"), std::string::npos) << error.advice();
    }
  }
  const Budget budget({.seconds = 1000});
  EXPECT_EQ(Companion(answering("0.75")).asked().time_s, 0.75);
}

// What SimGrid cannot express is its word, not its failure.
TEST(SecondOpinion, AReasonIsHandedOn) {
  try {
    Companion("echo 'helio-simgrid: SimGrid cannot express channels.' >&2; exit 4").asked();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_EQ(error.message(), "SimGrid cannot express channels");
  }
}

}  // namespace
}  // namespace helio::pipeline
