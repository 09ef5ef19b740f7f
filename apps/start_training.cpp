// SPDX-License-Identifier: Apache-2.0
#include "start_training.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "pipeline/companion.h"

namespace helio::apps {

void start_training(std::vector<std::string> words, const std::string& place) {
  constexpr const char* kProgram = "helio-train";
  const std::string program = pipeline::find_companion(kProgram, "HELIO_TRAIN");
  if (program.empty())
    throw Error(ErrorKind::kInfeasible, fmt::format("training needs the program {}, which is not there", kProgram),
                place, "install libtorch-dev and build again, or name it in HELIO_TRAIN");
  words.insert(words.begin(), place);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  execv(program.c_str(), pointers.data());
  throw Error(ErrorKind::kInfeasible, fmt::format("{} cannot be run: {}", program, std::strerror(errno)), place,
              "build again, or correct HELIO_TRAIN");
}

}  // namespace helio::apps
