// SPDX-License-Identifier: Apache-2.0
// The rules of the house, held against the sources themselves: which room may include which (the last column of the
// table in DESIGN.md), rooms that know no options, one way to files, the licence line on every file, names that say something, and
// folders that one can survey.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "source_dir.h"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = HELIO_SOURCE_DIR;

// "may include", as drawn. What an included room may include is then open too.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"base", {}},
    {"workload", {"base"}},
    {"schedule", {"base"}},
    {"placement", {"workload", "schedule"}},
    {"photonics", {"base"}},
    {"flow", {"base"}},
    {"fabric", {"schedule", "flow", "photonics"}},
    {"simulate", {"flow"}},
    {"emulate", {"schedule", "photonics"}},
    {"testbed", {"fabric", "simulate"}},
    {"train", {"emulate", "testbed"}},
    {"tokens", {"base"}},
    {"execute", {"emulate"}},
    {"sweep", {"workload"}},
    {"pipeline", {"placement", "fabric", "simulate", "emulate", "testbed"}},
    {"plan", {"pipeline"}},
    {"report", {"pipeline"}},
    {"ask", {"plan", "report", "studies"}},
    {"second_opinion", {"flow"}},
    {"studies", {"report", "plan"}},  // beside src, and held to the same
};

// Sources of one folder, without those of the folders in it.
constexpr std::size_t kMostSources = 70;

// The room itself and all that it may include.
std::set<std::string> visible_from(const std::string& room) {
  std::set<std::string> visible = {room};
  for (const std::string& next : kMayInclude.at(room)) visible.merge(visible_from(next));
  return visible;
}

// The path that a line includes, with its opening quote or bracket; "" when it includes nothing.
std::string included(std::string line) {
  std::erase_if(line, [](char c) { return c == ' ' || c == '\t'; });
  const std::string directive = "#include";
  if (!line.starts_with(directive)) return "";
  return line.substr(directive.size(), line.find_first_of("\">", directive.size() + 1) - directive.size());
}

// What is wrong with the includes of one file of `room`.
std::vector<std::string> include_offences(const std::string& room, const std::string& text) {
  if (!kMayInclude.contains(room)) return {"'" + room + "' is no room of the house"};
  const std::set<std::string> visible = visible_from(room);
  std::vector<std::string> offences;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string path = included(line);
    if (path.starts_with("<toml++/") && room != "pipeline" && room != "workload" && room != "sweep")
      offences.push_back("only pipeline, workload and sweep read TOML: " + line);
    if (!path.starts_with('"')) continue;
    const std::size_t slash = path.find('/');
    const std::string other = path.substr(1, slash - 1);
    if (slash == std::string::npos)
      offences.push_back("an include names its room: " + line);
    else if (!visible.contains(other))
      offences.push_back(room + " may not include " + other + ": " + line);
  }
  return offences;
}

// The string literals of a source, without their quotes: what stands in comments and between apostrophes is none.
std::vector<std::string> literals(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto skip_to = [&](const std::string& end, std::size_t from) {
      const std::size_t at = text.find(end, from);
      return i = at == std::string::npos ? text.size() : at + end.size() - 1;
    };
    if (text.compare(i, 2, "//") == 0) {
      skip_to("\n", i);
    } else if (text.compare(i, 2, "/*") == 0) {
      skip_to("*/", i + 2);
    } else if (text.compare(i, 2, "R\"") == 0) {
      const std::size_t open = text.find('(', i);
      const std::string end = ")" + text.substr(i + 2, open - i - 2) + "\"";
      const std::size_t begin = open + 1;
      skip_to(end, begin);
      found.push_back(text.substr(begin, i + 1 - end.size() - begin));
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))))) {
      const char quote = text[i];
      const std::size_t begin = ++i;
      for (; i < text.size() && text[i] != quote; ++i)
        if (text[i] == '\\') ++i;
      if (quote == '"') found.push_back(text.substr(begin, std::min(i, text.size()) - begin));
    }
  }
  return found;
}

// Whether an option stands in the words: "--" and a letter, or "-" and a letter alone.
bool names_an_option(const std::string& words) {
  const auto letter = [&](std::size_t at) {
    return at < words.size() && std::islower(static_cast<unsigned char>(words[at]));
  };
  for (std::size_t at = words.find('-'); at != std::string::npos; at = words.find('-', at + 1)) {
    if (words.compare(at, 2, "--") == 0 && letter(at + 2)) return true;
    const bool begins = at == 0 || std::string_view(" (\"'`").find(words[at - 1]) != std::string_view::npos;
    if (begins && letter(at + 1) && (at + 2 == words.size() || words[at + 2] == ' ')) return true;
  }
  return false;
}

// What a file below the front ends says of one of them.
std::vector<std::string> option_offences(const std::string& text) {
  std::vector<std::string> offences;
  for (const std::string& words : literals(text))
    if (names_an_option(words)) offences.push_back("a room knows no option (base/advice.h): \"" + words + "\"");
  return offences;
}

// Who makes values of text beside the two that bound its depth first.
std::vector<std::string> parsing_offences(const std::string& path, std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  std::vector<std::string> offences;
  const std::string json = "src/base/json_reader.cpp", toml = "src/workload/toml_text.cpp";
  for (const auto& [call, reader] : {std::pair{"json::parse(", json},
                                     {"json::sax_parse(", json},
                                     {"json::accept(", json},
                                     {"toml::parse(", toml},
                                     {"toml::parse_file(", toml}})
    if (path != reader && text.find(call) != std::string::npos)
      offences.push_back(std::string(call) + "…) is for " + reader + " only");
  return offences;
}

// Who writes for the outside beside those that make names harmless first.
std::vector<std::string> writing_offences(const std::string& path, const std::string& text) {
  std::vector<std::string> offences;
  const std::string json = "src/base/json_dump.h", print = "apps/program.cpp";
  for (const auto& [call, writer] : {std::pair{".dump(", json},
                                     {"fmt::print(", print},
                                     {"std::cout", print},
                                     {"std::printf(", print},
                                     {"std::puts(", print},
                                     {"fwrite(", print}})
    if (path != writer && text.find(call) != std::string::npos)
      offences.push_back(std::string(call) + " is for " + writer + " only");
  return offences;
}

// How else a file could be opened, replaced or lost than by base/file.h, which checks every step and asks the ledger.
std::vector<std::string> file_offences(const std::string& text) {
  static const std::set<std::string> kOthers = {"O_CREAT",   "O_RDONLY", "O_RDWR",     "O_WRONLY",    "basic_filebuf",
                                                "copy_file", "creat",    "fdopen",     "filebuf",     "fopen",
                                                "freopen",   "fstream",  "ifstream",   "mkostemp",    "mkstemp",
                                                "ofstream",  "rename",   "remove_all", "resize_file", "tmpfile",
                                                "unlink",    "truncate", "ftruncate",  "mmap",        "sendfile"};
  std::vector<std::string> offences;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string code = line.substr(0, line.find("//"));
    const auto named = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (std::size_t at = 0; at < code.size();) {
      const auto begin = std::find_if(code.begin() + static_cast<std::ptrdiff_t>(at), code.end(), named);
      const auto end = std::find_if_not(begin, code.end(), named);
      if (kOthers.contains(std::string(begin, end))) offences.push_back("files are base/file.h's: " + line);
      at = static_cast<std::size_t>(end - code.begin());
    }
    for (const char* call : {"filesystem::remove(", "fs::remove(", "filesystem::copy(", "fs::copy("})
      if (code.find(call) != std::string::npos) offences.push_back("files are base/file.h's: " + line);
  }
  return offences;
}

bool has_licence(const std::string& text) { return text.starts_with("// SPDX-License-Identifier: Apache-2.0\n"); }

// The word in `path` that names nothing, or "".
std::string empty_word(std::string path) {
  std::ranges::transform(path, path.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* word : {"utils", "common", "manager", "helper", "system"})
    if (path.find(word) != std::string::npos) return word;
  return "";
}

// Folders that hold more sources than can be surveyed.
std::vector<std::string> crowded(const std::vector<fs::path>& files) {
  std::map<std::string, std::size_t> held;
  for (const fs::path& path : files) ++held[path.parent_path().generic_string()];
  std::vector<std::string> folders;
  for (const auto& [folder, count] : held)
    if (count > kMostSources) folders.push_back(folder);
  return folders;
}

// Every source below `folder` of the repository.
std::vector<fs::path> sources(const std::string& folder) {
  std::vector<fs::path> found;
  if (!fs::exists(kRoot / folder)) return found;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
    if (entry.is_regular_file() && std::set<fs::path>{".h", ".cpp", ".cu", ".cuh"}.contains(entry.path().extension()))
      found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::vector<fs::path> all_sources() {
  std::vector<fs::path> all;
  for (const char* folder : {"src", "studies", "apps", "tests", "bench", "fuzz"})
    for (fs::path& path : sources(folder)) all.push_back(std::move(path));
  return all;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string from_root(const fs::path& path) { return path.lexically_relative(kRoot).generic_string(); }

TEST(House, RoomsIncludeOnlyWhatTheyMay) {
  for (const fs::path base : {"src", "studies"}) {
    const std::vector<fs::path> files = sources(base.string());
    ASSERT_FALSE(files.empty());
    for (const fs::path& path : files) {
      const std::string room = base == "src" ? path.lexically_relative(kRoot / base).begin()->string() : base.string();
      for (const std::string& offence : include_offences(room, read(path)))
        ADD_FAILURE() << from_root(path) << ": " << offence;
    }
  }
}

// Whatever pipeline is made of answers several front ends, and only they know how a setting is written.
TEST(House, RoomsBelowPipelineNameNoOptions) {
  std::set<std::string> rooms = visible_from("pipeline");
  rooms.erase("pipeline");
  for (const std::string& room : rooms)
    for (const fs::path& path : sources("src/" + room))
      for (const std::string& offence : option_offences(read(path)))
        ADD_FAILURE() << from_root(path) << ": " << offence;
}

// Any depth and any number of equal keys is what these libraries take.
TEST(House, TextBecomesAValueInOnePlace) {
  for (const char* folder : {"src", "studies", "apps"})
    for (const fs::path& path : sources(folder))
      for (const std::string& offence : parsing_offences(from_root(path), read(path)))
        ADD_FAILURE() << from_root(path) << ": " << offence;
}

TEST(House, WhatGoesOutGoesOneWay) {
  for (const char* folder : {"src", "studies", "apps"})
    for (const fs::path& path : sources(folder))
      for (const std::string& offence : writing_offences(from_root(path), read(path)))
        ADD_FAILURE() << from_root(path) << ": " << offence;
}

TEST(House, FilesAreReadAndWrittenInOnePlace) {
  const std::set<std::string> kThere = {"src/base/file.cpp", "src/base/file_lock.cpp",
                                        "src/testbed/shared.cpp",  // which maps memory that no file is behind
                                        "apps/program.cpp"};       // which holds standard streams that are closed
  for (const char* folder : {"src", "studies", "apps"})
    for (const fs::path& path : sources(folder))
      for (const std::string& offence : file_offences(read(path)))
        EXPECT_TRUE(kThere.contains(from_root(path))) << from_root(path) << ": " << offence;
}

TEST(House, EveryFileCarriesItsLicence) {
  for (const fs::path& path : all_sources())
    EXPECT_TRUE(has_licence(read(path))) << from_root(path) << " does not open with the SPDX line";
}

TEST(House, NamesSaySomething) {
  for (const fs::path& path : all_sources())
    EXPECT_EQ(empty_word(from_root(path)), "") << from_root(path) << ": what has no better name has no room";
}

TEST(House, FoldersCanBeSurveyed) {
  for (const std::string& folder : crowded(sources("src")))
    ADD_FAILURE() << from_root(folder) << " holds more than " << kMostSources << " sources: give it sub-rooms";
}

// simulate sees flow and, through it, base; it cannot know a fabric.
TEST(House, SightIsTransitive) {
  EXPECT_EQ(visible_from("simulate"), (std::set<std::string>{"simulate", "flow", "base"}));
  EXPECT_EQ(visible_from("emulate"), (std::set<std::string>{"emulate", "schedule", "photonics", "base"}));
  EXPECT_EQ(visible_from("report").size(),
            12u);  // all nineteen but plan, train, tokens, execute, sweep, ask and second_opinion
  EXPECT_EQ(visible_from("studies").size(), 14u);  // those, plan, and themselves
}

// The checks can fail: made-up offenders are found, each for its own reason.
TEST(House, OffendersAreFound) {
  EXPECT_EQ(
      include_offences("simulate", "#include \"flow/program.h\"\n#include \"base/time.h\"\n#include <vector>\n").size(),
      0u);
  EXPECT_EQ(include_offences("simulate", "#include <vector>\n  # include \"fabric/electrical/ring.h\"\n").size(), 1u);
  EXPECT_EQ(include_offences("base", "#include \"schedule/request.h\"\n#include \"flow/program.h\"\n").size(), 2u);
  EXPECT_EQ(include_offences("report", "#include \"plan/search.h\"\n").size(), 1u);
  EXPECT_EQ(include_offences("base", "#include <toml++/toml.h>\n").size(), 1u);
  EXPECT_EQ(include_offences("base", "#include \"toml++/toml.h\"\n").size(), 1u);
  EXPECT_EQ(include_offences("pipeline", "#include <toml++/toml.h>\n").size(), 0u);
  EXPECT_EQ(include_offences("flow", "#include \"program.h\"\n").size(), 1u);
  EXPECT_EQ(include_offences("flow", "#include \"attic/old.h\"\n").size(), 1u);
  EXPECT_EQ(include_offences("flow", "// #include \"fabric/electrical/ring.h\" would be wrong\n").size(), 0u);
  EXPECT_EQ(include_offences("ask", "#include \"studies/catalogue.h\"\n").size(), 0u);
  EXPECT_EQ(include_offences("report", "#include \"studies/catalogue.h\"\n").size(), 1u);
  EXPECT_EQ(include_offences("attic", "").size(), 1u);
  EXPECT_EQ(option_offences("throw no(\"use --sync step\"); // or \"--remedy\"\n").size(), 1u);
  EXPECT_EQ(
      option_offences("a = \"--fabric\";\nb = \"wait (--remedy \"\n\"block)\", c = R\"x(\"-n 8\" --nodes)x\";").size(),
      3u);
  EXPECT_EQ(option_offences("a = '\"'; b = \"\\\"--set x\"; c = 1'000 + \"-v\";").size(), 2u);
  EXPECT_EQ(
      option_offences("/* \"--set\" */ a = \"all-reduce at -20 dBm, 1 -- 2, -x-\"; b = \"a --> b\"; c = '-';").size(),
      0u);
  EXPECT_EQ(include_offences("studies", "#include \"plan/auto.h\"\n#include \"studies/asking.h\"\n").size(), 0u);
  EXPECT_EQ(include_offences("studies", "#include \"train/recipe.h\"\n").size(), 1u);
  EXPECT_EQ(include_offences("report", "#include \"studies/asking.h\"\n").size(), 1u);
  EXPECT_EQ(parsing_offences("src/ask/a.cpp", "x = Json::parse(text);\n").size(), 1u);
  EXPECT_EQ(parsing_offences("src/ask/a.cpp", "x = nlohmann::ordered_json::parse(t); y = toml::parse(t);").size(), 2u);
  EXPECT_EQ(parsing_offences("src/workload/toml_text.cpp", "return toml::parse(text);").size(), 0u);
  EXPECT_EQ(parsing_offences("src/ask/a.cpp", "x = parse_json(text, source);").size(), 0u);
  EXPECT_EQ(writing_offences("src/ask/a.cpp", "return json.dump(2);").size(), 1u);
  EXPECT_EQ(writing_offences("apps/a.cpp", "fmt::print(\"a\"); std::cout << 1;").size(), 2u);
  EXPECT_EQ(writing_offences("apps/a.cpp", "print(json_dump(json));").size(), 0u);
  for (const char* code : {"std::ofstream(path) << text;", "FILE* f = std::fopen(path, \"rb\");", "#include <fstream>",
                           "int f = ::open(path, O_WRONLY | O_TRUNC);", "std::rename(a, b);", "fs::rename(a, b);",
                           "std::filesystem::copy_file(a, b);", "fs::remove(path);", "std::basic_filebuf<char> b;"})
    EXPECT_GE(file_offences(code).size(), 1u) << code;
  EXPECT_EQ(file_offences("renamed(x); // fopen\nstd::remove(a.begin(), a.end(), 1); std::ostringstream s;").size(),
            0u);
  EXPECT_FALSE(has_licence("#pragma once\n"));
  EXPECT_EQ(empty_word("src/base/StringUtils.h"), "utils");
  EXPECT_EQ(empty_word("src/base/units.h"), "");
  std::vector<fs::path> full(kMostSources, "src/base/a.h");
  full.emplace_back("src/base/inner/a.h");
  EXPECT_EQ(crowded(full).size(), 0u);
  full.emplace_back("src/base/b.cu");
  EXPECT_EQ(crowded(full), std::vector<std::string>{"src/base"});
}

}  // namespace
