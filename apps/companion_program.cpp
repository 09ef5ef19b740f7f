// SPDX-License-Identifier: Apache-2.0
#include "companion_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "pipeline/companion.h"

namespace helio::apps {

void become(const CompanionProgram& program, std::vector<std::string> words, const std::string& place) {
  const std::string path = pipeline::find_companion(program.name, program.variable);
  if (path.empty())
    throw Error(ErrorKind::kInfeasible,
                fmt::format("{} needs the program {}, which is not there", program.what, program.name), place,
                fmt::format("{}, or name it in {}", program.install, program.variable));
  words.insert(words.begin(), place);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  execv(path.c_str(), pointers.data());
  throw Error(ErrorKind::kInfeasible, fmt::format("{} cannot be run: {}", path, std::strerror(errno)), place,
              fmt::format("build again, or correct {}", program.variable));
}

}  // namespace helio::apps
