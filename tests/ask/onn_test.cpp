// SPDX-License-Identifier: Apache-2.0
#include "ask/onn.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "ask/refusal.h"
#include "photonics/onn_compile.h"
#include "photonics/onn_cost.h"
#include "photonics/onn_file.h"

namespace helio::ask {
namespace {

// A network that averages two codes of two bits, in a file for as long as this lives.
class File {
 public:
  File() : path_((std::filesystem::temp_directory_path() / "helio_ask_onn_test.json").string()) {
    OnnBuildQuestion question;
    question.task.servers = 2;
    question.task.bits = 2;
    question.out = path_;
    question.command = "by a test";
    built = onn_build(question);
  }
  ~File() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }
  OnnAnswer built;

 private:
  std::string path_;
};

// Construction is exact, and what was built is what evaluate and describe find in the file.
TEST(Onn, IsBuiltEvaluatedAndDescribed) {
  const File file;
  EXPECT_EQ(file.built.json["wrong"], 0);
  const photonics::Onn onn = photonics::load_onn(file.path());
  EXPECT_EQ(onn.provenance.command, "by a test");
  const long mzis = photonics::cost(photonics::compile(onn, photonics::Compilation::kCompact)).mzis;
  EXPECT_EQ(file.built.json["mzis"], mzis);
  OnnEvaluateQuestion evaluated;
  evaluated.file = file.path();
  EXPECT_EQ(onn_evaluate(evaluated).json["points"], file.built.json["points"]);
  OnnDescribeQuestion described{.file = file.path()};
  described.report = true;
  const OnnAnswer answer = onn_describe(described);
  EXPECT_EQ(answer.json["mzis"], mzis);
  ASSERT_EQ(answer.report.pages.size(), 1u);
  EXPECT_EQ(answer.report.files[0].second, answer.to_json());
}

// A unitary matrix of n modes takes n (n - 1) / 2 MZIs (Clements et al. 2016).
TEST(Onn, DecomposesARandomMatrix) {
  const OnnAnswer answer = onn_decompose({.modes = 8});
  EXPECT_EQ(answer.json["mzis"], 8 * 7 / 2);
  EXPECT_LT(answer.json["rebuild_error"].get<double>(), 1e-9);
  EXPECT_TRUE(answer.report.pages.empty());
}

TEST(Onn, NamesFieldsAsTheFrontEndDoes) {
  EXPECT_EQ(refusal([] { onn_decompose({.called = shouted}); })->message(), "give either <modes> or <matrix>");
  EXPECT_EQ(refusal([] { onn_decompose({.modes = 8, .layout = "round"}); })->place(), "layout");
  OnnBuildQuestion question;
  question.task.servers = 2;
  question.task.bits = 2;
  question.best = "price";
  EXPECT_EQ(refusal([&] { onn_build(question); })->place(), "best");
  const File file;
  OnnEvaluateQuestion evaluated;
  evaluated.file = file.path();
  evaluated.phase_error = "3";
  EXPECT_EQ(refusal([&] { onn_evaluate(evaluated); })->place(), "phase_error");
}

}  // namespace
}  // namespace helio::ask
