// SPDX-License-Identifier: Apache-2.0
// helio-tokens as people run it: exit codes, messages, files.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/listed_options.h"

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

// What cannot be printed is not lost without a word.
TEST(HelioTokens, AFullStandardOutputIsNoticed) {
  for (const char* asked : {"--help", "encode --help"})
    EXPECT_EQ(run(std::string(asked) + " >/dev/full").code, 3) << asked;
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
}

// A text that cannot be read to its end has not ended: five lines are no file.
TEST(HelioTokens, AStreamThatFailsIsNoEnd) {
  const std::string text = made_text("e.txt"), model = file("e.model"), out = file("e.u16");
  ASSERT_EQ(run("train --text " + text + " --vocabulary 300 --out " + model).code, 0);
  std::filesystem::remove(out);
  // A program's memory can be opened, and its first page cannot be read; a folder neither.
  for (const std::string& source : {std::string("/proc/self/mem"), testing::TempDir()}) {
    const std::string with = " --out " + out, from = " </proc/self/mem";
    for (const std::string& asked :
         {"train --text " + source + " --vocabulary 300" + with, "encode --model " + model + " --text " + source + with,
          "encode --model " + source + " --text " + text + with, "decode --model " + model + " --tokens " + source,
          "encode --model " + model + " --text -" + with + from}) {
      const Ran ran = run(asked);
      EXPECT_EQ(ran.code, 3) << asked << ran.text;
      EXPECT_NE(ran.text.find("cannot read"), std::string::npos) << asked << ran.text;
      EXPECT_FALSE(std::filesystem::exists(out)) << asked;
    }
  }
}

// What is read stays: text and model are no place for what is made of them, by whatever name.
TEST(HelioTokens, InputsAreNotReplaced) {
  const std::string text = made_text("d.txt"), model = file("d.model"), before = content(text);
  ASSERT_EQ(run("train --text " + text + " --vocabulary 300 --out " + model).code, 0);
  const std::string pairs = content(model);
  EXPECT_EQ(run("train --text " + text + " --vocabulary 300 --out " + text).code, 2);
  EXPECT_EQ(run("encode --model " + model + " --text " + text + " --out " + text).code, 2);
  EXPECT_EQ(run("encode --model " + model + " --text " + text + " --out " + model).code, 2);
  const std::string link = file("d.link"), hard = file("d.hard");
  std::filesystem::remove(link);
  std::filesystem::remove(hard);
  std::filesystem::create_symlink(text, link);
  std::filesystem::create_hard_link(text, hard);
  for (const std::string& name : {link, hard}) {
    EXPECT_EQ(run("encode --model " + model + " --text " + text + " --out " + name).code, 2);
    EXPECT_EQ(run("encode --model " + model + " --text - --out " + name + " <" + text).code, 2);
  }
  EXPECT_EQ(content(text), before);
  EXPECT_EQ(content(hard), before);
  EXPECT_EQ(content(model), pairs);
  EXPECT_EQ(run("encode --model " + model + " --text " + text + " --out " + testing::TempDir()).code, 3);
  const std::string tokens = file("d.u16");
  ASSERT_EQ(run("encode --model " + model + " --text " + text + " --out " + tokens).code, 0);
  EXPECT_EQ(run("decode --model " + model + " --tokens " + tokens + " >/dev/full").code, 3);
}

TEST(HelioTokens, WholeNumbersAreRead) {
  apps::expect_integers_are_read(
      HELIO_TOKENS_BINARY,
      {{"train",
        {"train", {{"--text", made_text("numbers.txt")}, {"--out", file("numbers.model")}, {"--vocabulary", "300"}}}}});
}

TEST(HelioTokens, FilesMayHaveAnyName) {
  const std::string folder = file("names"), text = made_text("named.txt"), model = file("named.model"),
                    tokens = file("named.u16");
  std::filesystem::create_directories(folder);
  const std::string path = " '" + folder + "/" + apps::kNoUtf8 + "' ", learn = " --vocabulary 300 --json";
  ASSERT_EQ(run("train --text " + text + learn + " --out " + model).code, 0);
  ASSERT_EQ(run("encode --model " + model + " --text " + text + " --out " + tokens).code, 0);
  apps::expect_any_path(
      HELIO_TOKENS_BINARY, folder,
      {{"train", "--text", "train" + learn + " --out " + model + " --text" + path, text},
       {"train", "--out", "train" + learn + " --text " + text + " --out" + path},
       {"train", "--out", "train --vocabulary 300 --text " + text + " --out" + path},
       {"encode", "--model", "encode --json --text " + text + " --out " + tokens + " --model" + path, model},
       {"encode", "--text", "encode --json --model " + model + " --out " + tokens + " --text" + path, text},
       {"encode", "--out", "encode --json --model " + model + " --text " + text + " --out" + path},
       {"decode", "--model", "decode --tokens " + tokens + " --model" + path, model},
       {"decode", "--tokens", "decode --model " + model + " --tokens" + path, tokens}});
  std::filesystem::remove_all(folder);
}

// SentencePiece counts the characters of a word in 15 bits: one more ends in a message, not in a crash.
TEST(HelioTokens, AWordMayBeTooLong) {
  const std::string text = file("word.txt"),
                    train = "train --vocabulary 300 --text " + text + " --out " + file("word.model");
  for (const auto& [letters, code] : {std::pair{32767, 0}, {32768, 4}, {70000, 4}}) {
    const std::string lines = content(made_text("words.txt"));
    std::ofstream(text, std::ios::binary)
        << lines << "one " << std::string(static_cast<std::size_t>(letters), 'a') << " two\n";
    const Ran ran = run(train);
    EXPECT_EQ(ran.code, code) << letters << ran.text;
    const bool told = ran.text.find(std::to_string(letters) + " characters") != std::string::npos;
    EXPECT_EQ(told, code == 4) << ran.text;
  }
}

// A machine of 200 MB reads 600 MB of text: one line without end, and many.
TEST(HelioTokens, MemoryThatIsNotThereIsNobodysFault) {
  const std::string train = "train --vocabulary 300 --text - --out " + file("large.model") + ")";
  for (const char* text :
       {"head -c 600000000 /dev/zero | tr '\\0' 'a' | ", "yes 'light moves on' | head -c 600000000 | "}) {
    const Ran ran = run(train, std::string(text) + "(ulimit -v 200000; exec ");
    EXPECT_EQ(ran.code, 4) << text << ran.text;
    EXPECT_NE(ran.text.find("more memory than"), std::string::npos) << ran.text;
  }
}

TEST(HelioTokens, HelpListsTheCommandsAndAnExample) {
  const Ran ran = run("--help");
  EXPECT_EQ(ran.code, 0);
  for (const char* words : {"learn a byte-pair vocabulary", "write text as 16-bit tokens", "write tokens as text",
                            "Example", "helio-tokens encode --model"})
    EXPECT_NE(ran.text.find(words), std::string::npos) << words << "\n" << ran.text;
  // What is done to each file, as its word.
  for (const char* words : {"--model INFILE", "--text INFILE", "--out OUTFILE"})
    EXPECT_NE(run("encode --help").text.find(words), std::string::npos) << words;
  for (const char* words : {"--text INFILE", "--out OUTFILE"})
    EXPECT_NE(run("train --help").text.find(words), std::string::npos) << words;
  for (const char* words : {"--model INFILE", "--tokens INFILE"})
    EXPECT_NE(run("decode --help").text.find(words), std::string::npos) << words;
}

}  // namespace
}  // namespace helio::tokens
