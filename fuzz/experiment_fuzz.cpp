// SPDX-License-Identifier: Apache-2.0
// Experiment files: TOML to Draft to Experiment, and every path=value of `--set` in front of them. The input is the file; lines
// that begin with "#set " are taken as settings too, so that the fuzzer reaches both.
#include "pipeline/config_file.h"
#include "reading.h"

namespace {

using namespace helio;

void apply_settings(pipeline::Draft& draft, std::string_view text) {
  constexpr std::string_view kMark = "#set ";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with(kMark)) continue;
    line.remove_prefix(kMark.size());
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    pipeline::set(draft, line.substr(0, equals), {std::string(line.substr(equals + 1)), "--set"});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::as_text(data, size);
  fuzz::reads([&] {
    pipeline::Draft draft = pipeline::parse_draft(text, "fuzz.toml");
    apply_settings(draft, text);
    const pipeline::Experiment experiment = pipeline::interpret(draft);
    if (experiment.collectives.empty() && experiment.jobs.empty()) fuzz::finding("an experiment without a question");
  });
  return 0;
}
