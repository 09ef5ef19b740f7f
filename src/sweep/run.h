// SPDX-License-Identifier: Apache-2.0
// A sweep from where it stands to its end: points that are not in the store yet are asked for, and stored as their answers come.
#pragma once

#include <cstdint>
#include <functional>

#include "sweep/pool.h"
#include "sweep/space.h"
#include "sweep/store.h"

namespace helio::sweep {

// Who else asks for points and brings answers beside the pool, such as other machines (apps/helio_execute.cpp); nobody by default.
struct Others {
  // Hands out what `next` gives (false: no more) and takes what came; true while somebody still works.
  std::function<bool(const std::function<bool(std::uint64_t&)>& next, const std::function<void(Row)>& take)> serve = {};
};

// Of all points those whose number leaves `part` when divided by `parts`: what one job of several does.
struct Share {
  std::uint64_t part = 0, parts = 1;
};

struct Progress {
  std::uint64_t points = 0, finished = 0, found = 0;  // found: before this run
  std::uint64_t refused = 0;                          // of this run: points without a result
  bool interrupted = false;
};

// `watch` is told now and then, and says false to stop: what was answered until then is stored.
Progress run(const Space& space, Store& store, Pool& pool, const std::function<bool(const Progress&)>& watch = {},
             const Others& others = {}, const Share& share = {});

}  // namespace helio::sweep
