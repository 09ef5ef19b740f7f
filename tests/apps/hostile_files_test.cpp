// SPDX-License-Identifier: Apache-2.0
// Files that a reader by recursion does not survive, and files that say one thing twice: every command that reads one refuses it with its
// place, exit code 3, and one line.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "apps/refused.h"
#include "apps/running.h"

namespace helio::apps {
namespace {

constexpr std::size_t kDeep = 100'000;

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

class HostileFile : public testing::Test {
 protected:
  HostileFile() {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ + "/job.toml") << "[fabric]\nname = \"ring\"\nnodes = 2\n[[job]]\nmodel = \"" << folder_
                                         << "/config.json\"\n";
    std::ofstream(folder_ + "/own.toml") << "[fabric]\nname = \"ring\"\nnodes = 2\n[[job]]\nmodel = \"" << folder_
                                         << "/model.toml\"\n";
  }
  ~HostileFile() override { std::filesystem::remove_all(folder_); }

  // `command` reads the file `name` of the folder.
  struct Reader {
    std::string command, name;
  };
  void expect_all_refuse(const std::vector<Reader>& readers, const std::string& text, const std::string& place,
                         const std::string& words) const {
    for (const auto& [command, name] : readers) {
      const std::string path = folder_ + "/" + name;
      std::ofstream(path, std::ios::binary) << text;
      expect_refused(command, 3, {path + place, words});
    }
  }

  const std::string folder_ = scratch_file("hostile");
  const std::vector<Reader> json_ = {{"fred route --ports 8 --flows " + folder_ + "/flows.json", "flows.json"},
                                     {"report " + folder_, "page.json"},
                                     {"onn describe " + folder_ + "/net.json", "net.json"},
                                     {"onn evaluate " + folder_ + "/net.json", "net.json"},
                                     {"onn decompose --matrix " + folder_ + "/matrix.json", "matrix.json"},
                                     {"simulate " + folder_ + "/job.toml", "config.json"}};
  const std::vector<Reader> toml_ = {{"simulate " + folder_ + "/experiment.toml", "experiment.toml"},
                                     {"slices " + folder_ + "/events.toml", "events.toml"},
                                     {"simulate " + folder_ + "/own.toml", "model.toml"}};
};

TEST_F(HostileFile, JsonThatIsTooDeep) {
  expect_all_refuse(json_, repeated("[", kDeep), ":1:101", "nested more than 100 deep");
  expect_all_refuse(json_, repeated("[", kDeep) + repeated("]", kDeep), ":1:101", "nested");
  expect_all_refuse(json_, repeated("{\"a\":", kDeep) + "1" + repeated("}", kDeep), ":1:501", "nested");
}

TEST_F(HostileFile, JsonThatSaysAKeyTwice) {
  expect_all_refuse(json_, R"({"inputs": 1, "inputs": 1})", ":1:15", "'inputs' is given twice");
  expect_all_refuse(json_, "[{\"a\": [{\"b\": 0,\n\"b\": 0}]}]", ":2:1", "'b' is given twice");
}

TEST_F(HostileFile, TomlThatIsTooDeep) {
  expect_all_refuse(toml_, repeated("a.", 31'000) + "a = 1\n", ":1:64", "a key of more than 32 parts");
  expect_all_refuse(toml_, "[" + repeated("a.", 31'000) + "a]\n", ":1:65", "a key of more than 32 parts");
  expect_all_refuse(toml_, "a = " + repeated("[", kDeep) + repeated("]", kDeep) + "\n", ":1:37", "nested");
  expect_all_refuse(toml_, "a = " + repeated("{a=", kDeep) + "1" + repeated("}", kDeep) + "\n", ":1:101", "nested");
}

TEST_F(HostileFile, TomlThatSaysAKeyTwice) {
  expect_all_refuse(toml_, "a = 1\na = 2\n", ":2:", "not a TOML file");
  expect_all_refuse(toml_, "[x]\na.b = 1\na.b = 2\n", ":3:", "not a TOML file");
}

TEST_F(HostileFile, SettingsWithManyParts) {
  const std::string asked = "collective all-reduce --fabric ring --nodes 4 --bytes 1MB --algorithm ring --set ";
  expect_refused(asked + repeated("a.", 31'000) + "a=1", 3, {"unknown path"});
  expect_refused(asked + "fabric." + repeated("a", 60'000) + "=1", 3, {"aaa"});
  expect_refused(asked + "x." + repeated("a", 60'000) + "=1", 3, {"unknown path"});
}

TEST_F(HostileFile, CsvThatSaysAColumnTwiceOrIsCut) {
  const std::vector<Reader> csv = {{"validate " + folder_ + "/measured.csv", "measured.csv"}};
  expect_all_refuse(csv, "size_B,time_us,time_us\n8,20,30\n", ":1:16", "'time_us' is there twice");
  expect_all_refuse(csv, "size_B,time_us\n8,20\n16,2", ":3:5", "may be cut off");
}

}  // namespace
}  // namespace helio::apps
