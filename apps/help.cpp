// SPDX-License-Identifier: Apache-2.0
#include "help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "fabric/fabric.h"
#include "fabric/part.h"
#include "placement/npu.h"
#include "schedule/algorithm.h"
#include "workload/zoo.h"

namespace helio::apps {

const std::vector<Ending>& endings() {
  static const std::vector<Ending> all = {
      {"",
       "index.md",
       {"helio new job > my.toml && helio simulate my.toml",
        "helio collective all-reduce --fabric fat-tree --nodes 64 --bytes \"100 MB\"",
        "helio compare all-reduce --nodes 64 --bytes 1GB --fabric switch --fabric torus",
        "helio describe examples/models/llama-7b/config.json"}},
      {"list", "terminal.md", {"helio list", "helio list npus"}},
      {"describe",
       "terminal.md",
       {"helio describe ring", "helio describe oddl --nodes 64",
        "helio describe examples/models/llama-7b/config.json"}},
      {"reference", "terminal.md", {"helio reference fabrics", "helio reference --out out/reference"}},
      {"man", "terminal.md", {"helio man collective", "helio man --out out/man"}},
      {"help", "terminal.md", {"helio help collective", "helio help onn build"}},
      {"completion", "terminal.md", {"helio completion bash > ~/.local/share/bash-completion/completions/helio"}},
      {"new", "experiment-file.md", {"helio new job", "helio new collective --out my.toml"}},
      {"collective",
       "tutorial-collectives.md",
       {"helio collective all-reduce --fabric ring --nodes 1024 --bytes \"100 MB\" --algorithm ring --verify",
        "helio collective all-to-all --fabric switch --nodes 64 --bytes 1GiB --set \"fabric.rate=400 Gb/s\" --json"}},
      {"simulate",
       "experiment-file.md",
       {"helio simulate examples/gpt3_3d.toml --trace out/gpt3.trace.json",
        "helio simulate examples/vgg16_dp64.toml --fabric torus:dimensions=8x8"}},
      {"reproduce", "results.md", {"helio reproduce closed-forms", "helio reproduce all --report out/report"}},
      {"validate",
       "validate.md",
       {"helio validate measured.csv", "helio validate measured.csv --where gpu=h100 --json"}},
      {"fit", "validate.md", {"helio fit measured.csv --where gpu=h100"}},
      {"report", "report.md", {"helio report out/report"}},
      {"compare",
       "compare.md",
       {"helio compare all-reduce --nodes 64 --bytes 1GB --fabric switch --fabric torus --injection \"2.4 Tb/s\"",
        "helio compare examples/vgg16_dp64.toml --fabric fat-tree --fabric wdm-ring"}},
      {"plan",
       "model-plan.md",
       {"helio plan examples/plan_gpt3.toml",
        "helio plan gpt2-xl --npus 8 --npu a100-80 --fabric switch --tp 1,2 --pp 1"}},
      {"plan collective",
       "plan.md",
       {"helio plan collective all-reduce --nodes 8,64 --bytes \"1 kB,100 MB\" --fabric ring --fabric switch"}},
      {"sweep",
       "sweep.md",
       {"helio sweep examples/sweep.toml --out results.db", "helio sweep show results.db --best 5"}},
      {"sweep show", "sweep.md", {"helio sweep show results.db --best 5", "helio sweep show results.db --csv all.csv"}},
      {"sweep join", "sweep.md", {"helio sweep join part-*.db --out all.db"}},
      {"export",
       "schedule-file.md",
       {"helio export schedule all-reduce --fabric torus --set fabric.dimensions=4x4 --bytes 64MB --out "
        "out/torus.json"}},
      {"export schedule",
       "schedule-file.md",
       {"helio export schedule all-reduce --fabric torus --set fabric.dimensions=4x4 --bytes 64MB --out "
        "out/torus.json"}},
      {"execute", "execute.md", {"mpirun -n 4 helio execute all-reduce --algorithm ring --bytes 64MB"}},
      {"fred", "fred.md", {"helio fred route --ports 12 --groups \"0,3,6;1,4,9\""}},
      {"fred route",
       "fred.md",
       {"helio fred route --ports 12 --groups \"0,3,6;1,4,9\"",
        "helio fred route --ports 8 --groups \"0,1;2,3\" --svg out/switch.svg"}},
      {"traffic",
       "traffic.md",
       {"helio traffic --nodes 16 --bytes \"64 MB\" --fabric oddl --fabric switch",
        "helio traffic --flows examples/traces/flows.csv --nodes 16 --fabric switch"}},
      {"slices",
       "oddl-slices.md",
       {"helio slices examples/oddl_slices.toml", "helio slices --log examples/traces/jobs.csv --nodes 64"}},
      {"testbed", "testbed.md", {"helio testbed oddl --bytes 40kB --steps 1"}},
      {"onn", "onn.md", {"helio onn build --servers 4 --bits 8 --out out/network.json"}},
      {"onn build", "onn.md", {"helio onn build --servers 4 --bits 8 --out out/network.json"}},
      {"onn evaluate", "onn.md", {"helio onn evaluate out/network.json --noise 0.05 --points 1000"}},
      {"onn describe", "onn.md", {"helio onn describe out/network.json"}},
      {"onn decompose", "meshes.md", {"helio onn decompose --modes 8 --svg out/mesh.svg"}},
      {"onn train", "onn-training.md", {"helio onn train --help"}},
      {"train", "training.md", {"helio train mlp --epochs 3"}},
  };
  return all;
}

namespace {

std::string path_of(const CLI::App& app) {
  if (!app.get_parent()) return "";
  const std::string above = path_of(*app.get_parent());
  return above.empty() ? app.get_name() : above + " " + app.get_name();
}

template <class Names>
const std::string* same_but_case(const Names& names, const std::string& word) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  for (const std::string& name : names)
    if (std::ranges::equal(name, word, {}, lower, lower)) return &name;
  return nullptr;
}

const std::vector<std::string>& known_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const auto& more : {fabric::fabrics().names(), schedule::algorithms().names(), workload::models().names(),
                             placement::npus().names(), fabric::parts().names()})
      names.insert(names.end(), more.begin(), more.end());
    for (const schedule::Kind kind : schedule::kAllKinds) names.emplace_back(schedule::name_of(kind));
    return names;
  }();
  return all;
}

}  // namespace

void end_help(CLI::App& app) {
  const std::string path = path_of(app);
  const auto ending = std::ranges::find(endings(), path, &Ending::command);
  if (ending != endings().end()) {
    std::string text = "Examples:\n";
    for (const std::string_view example : ending->examples) text += fmt::format("  {}\n", example);
    app.footer(text + fmt::format("Read docs/{}, or helio man {}", ending->page, path.empty() ? "COMMAND" : path));
  }
  for (CLI::App* within : app.get_subcommands([](const CLI::App*) { return true; })) end_help(*within);
}

std::vector<std::string> without_help_word(int argc, const char* const* argv) {
  std::vector<std::string> words(argv, argv + argc);
  const bool asks = words.size() > 1 && words[1] == "help" &&
                    std::ranges::none_of(words, [](const std::string& word) { return word.starts_with("-"); });
  if (!asks) return words;
  words.erase(words.begin() + 1);
  words.emplace_back("--help");
  return words;
}

void take_names_in_any_case(CLI::App& app) {
  constexpr std::string_view kNamed[] = {"--fabric", "--algorithm", "--npu",    "KIND",
                                         "NAME",     "MODEL",       "QUESTION", "FABRIC"};
  for (CLI::Option* option : app.get_options())
    if (std::ranges::find(kNamed, option->get_name()) != std::end(kNamed)) option->transform(in_known_case);
  for (CLI::App* within : app.get_subcommands([](const CLI::App*) { return true; })) take_names_in_any_case(*within);
}

std::string in_known_case(const std::string& word) {
  if (const std::size_t comma = word.find(','); comma != std::string::npos && word.find(':') > comma)
    return in_known_case(word.substr(0, comma)) + "," + in_known_case(word.substr(comma + 1));
  const std::string name = word.substr(0, word.find(':'));
  const std::string* known = same_but_case(known_names(), name);
  return known ? *known + word.substr(name.size()) : word;
}

}  // namespace helio::apps
