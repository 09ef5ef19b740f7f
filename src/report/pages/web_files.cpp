// SPDX-License-Identifier: Apache-2.0
#include "report/pages/web_files.h"

#include <stdexcept>
#include <string>

namespace helio::report {

const WebFile& web_file(std::string_view name) {
  for (const WebFile& file : web_files())
    if (file.name == name) return file;
  throw std::logic_error("the program was built without web/" + std::string(name));
}

}  // namespace helio::report
