// SPDX-License-Identifier: Apache-2.0
// Experiment files: TOML in, Draft out (docs/experiment-file.md).
//
//     [fabric]                         [[collective]]
//     name  = "ring"                   kind      = "all-reduce"
//     nodes = 1024                     bytes     = "100 MB"
//     rate  = "400 Gb/s"               algorithm = "ring"
//
// Only shape is judged here: which tables exist, and that a value is a number, a text, a truth value or, where a list
// belongs, a list. What keys mean is the business of `interpret`.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/draft.h"

namespace helio::pipeline {

// Throws Error(kInput) with file:line:column.
Draft read_draft(const std::string& path);
Draft parse_draft(std::string_view text, const std::string& source);

}  // namespace helio::pipeline
