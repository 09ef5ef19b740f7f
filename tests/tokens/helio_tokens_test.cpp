// SPDX-License-Identifier: Apache-2.0
// helio-tokens as people run it: exit codes, messages, files.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace helio::tokens {
namespace {

struct Ran {
  int code = 0;
  std::string text;  // stdout and stderr
};

Ran run(const std::string& options, const std::string& before = "") {
  const std::string command = before + HELIO_TOKENS_BINARY + " " + options + " 2>&1";
  Ran ran;
  std::FILE* pipe = popen(command.c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) ran.text += static_cast<char>(c);
  ran.code = WEXITSTATUS(pclose(pipe));
  return ran;
}

std::string file(const std::string& name) { return testing::TempDir() + "helio_tokens_" + name; }

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A file of 100 lines.
std::string made_text(const std::string& name) {
  std::ofstream text(file(name), std::ios::binary);
  for (int i = 0; i < 100; ++i)
    text << (i % 10 == 9 ? "<|endoftext|>\n" : "light moves in the ring and light moves on\n");
  return file(name);
}

TEST(HelioTokens, LearnsEncodesAndGivesBack) {
  const std::string text = made_text("a.txt"), model = file("a.model"), tokens = file("a.u16");
  const Ran learnt = run("train --text " + text + " --vocabulary 300 --json --out " + model);
  ASSERT_EQ(learnt.code, 0) << learnt.text;
  EXPECT_EQ(nlohmann::json::parse(learnt.text).at("vocabulary"), 300);

  // 90 lines of 43 bytes and 10 of 14.
  const Ran encoded = run("encode --model " + model + " --text " + text + " --json --out " + tokens);
  ASSERT_EQ(encoded.code, 0) << encoded.text;
  const nlohmann::json counts = nlohmann::json::parse(encoded.text);
  EXPECT_EQ(counts.at("text_bytes"), 90 * 43 + 10 * 14);
  EXPECT_EQ(counts.at("articles_ended"), 10);
  EXPECT_EQ(std::filesystem::file_size(tokens), 2 * counts.at("tokens").get<std::uint64_t>());

  // From standard input the same file, and from the file the same text.
  const std::string piped = file("b.u16");
  ASSERT_EQ(run("encode --model " + model + " --text - --out " + piped, "cat " + text + " | ").code, 0);
  EXPECT_EQ(content(piped), content(tokens));
  EXPECT_EQ(run("decode --model " + model + " --tokens " + tokens).text, content(text));
}

TEST(HelioTokens, BadInputHasItsCode) {
  const std::string text = made_text("c.txt"), model = file("c.model"), out = " --out " + file("c.u16");
  ASSERT_EQ(run("train --text " + text + " --vocabulary 300 --out " + model).code, 0);
  std::filesystem::remove(file("c.u16"));
  // The command line: 2.
  EXPECT_EQ(run("").code, 2);
  EXPECT_EQ(run("train --text " + text).code, 2);
  // Values and files: 3, and nothing half-written stays.
  EXPECT_EQ(run("train --text " + file("none") + out).code, 3);
  EXPECT_EQ(run("train --text " + text + " --vocabulary 60000" + out).code, 3);
  EXPECT_EQ(run("train --text " + text + " --vocabulary 300 --out /nowhere/at/all.model").code, 3);
  EXPECT_EQ(run("encode --model " + text + " --text " + text + out).code, 3);
  EXPECT_EQ(run("encode --model " + model + " --text /dev/null" + out).code, 3);
  const Ran bad = run("encode --model " + model + " --text -" + out, "printf 'good\\n\\377\\n' | ");
  EXPECT_EQ(bad.code, 3);
  EXPECT_NE(bad.text.find("-:2"), std::string::npos) << bad.text;
  EXPECT_EQ(run("decode --model " + model + " --tokens -", "printf '\\001\\002\\003' | ").code, 3);
  EXPECT_EQ(run("decode --model " + model + " --tokens -", "printf '\\377\\377' | ").code, 3);
  EXPECT_FALSE(std::filesystem::exists(file("c.u16")));
  EXPECT_FALSE(std::filesystem::exists(file("c.u16.part")));
}

// What is read stays: text and model are no place for what is made of them, nor is a device.
TEST(HelioTokens, InputsAreNotReplaced) {
  const std::string text = made_text("d.txt"), model = file("d.model"), before = content(text);
  ASSERT_EQ(run("train --text " + text + " --vocabulary 300 --out " + model).code, 0);
  const std::string pairs = content(model);
  EXPECT_EQ(run("train --text " + text + " --vocabulary 300 --out " + text).code, 2);
  EXPECT_EQ(run("encode --model " + model + " --text " + text + " --out " + text).code, 2);
  EXPECT_EQ(run("encode --model " + model + " --text " + text + " --out " + model).code, 2);
  EXPECT_EQ(content(text), before);
  EXPECT_EQ(content(model), pairs);
  EXPECT_EQ(run("encode --model " + model + " --text " + text + " --out " + testing::TempDir()).code, 3);
  const std::string tokens = file("d.u16");
  ASSERT_EQ(run("encode --model " + model + " --text " + text + " --out " + tokens).code, 0);
  EXPECT_EQ(run("decode --model " + model + " --tokens " + tokens + " >/dev/full").code, 3);
}

TEST(HelioTokens, HelpListsTheCommandsAndAnExample) {
  const Ran ran = run("--help");
  EXPECT_EQ(ran.code, 0);
  for (const char* words : {"learn a byte-pair vocabulary", "write text as 16-bit tokens", "write tokens as text",
                            "Example", "helio-tokens encode --model"})
    EXPECT_NE(ran.text.find(words), std::string::npos) << words << "\n" << ran.text;
  EXPECT_NE(run("encode --help").text.find("--text"), std::string::npos);
}

}  // namespace
}  // namespace helio::tokens
