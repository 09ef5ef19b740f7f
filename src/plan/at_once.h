// SPDX-License-Identifier: Apache-2.0
// Independent questions on all cores: each on the next free thread, with a budget of its own like that of who asks. What the first of them
// throws, in their order, is thrown when all have ended.
#pragma once

#include <cstddef>
#include <functional>

namespace helio::plan {

// `threads`: 0: all cores.
void at_once(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& ask);

}  // namespace helio::plan
