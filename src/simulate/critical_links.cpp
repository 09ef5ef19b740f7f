// SPDX-License-Identifier: Apache-2.0
// Links of the critical path: those that nothing running follows from are forgotten.
//
//     a ─▶ b ─▶ d ─▶ f  runs          c and e lost: whoever waited for them waited for b and d longer
//      └─▶ c └─▶ e                    kept: a b d f
#include <algorithm>
#include <vector>

#include "simulate/engine.h"

namespace helio::simulate {

std::uint32_t Engine::add_link(const Link& link) {
  timeline_.links.push_back(link);
  return static_cast<std::uint32_t>(timeline_.links.size() - 1);
}

// Calls `visit` for the last link of every path that may still be followed, and takes those off that may not. Of what is done nobody takes the
// path later than when it ended; of the entry all are kept: whoever reads them asks for each job's.
template <class Visit>
void Engine::for_each_path(Visit visit) {
  for (Facts& facts : facts_) visit(facts.path.link);
  std::vector<bool> idle(frames_.size(), false);
  for (const Facts& facts : facts_)
    for (const std::uint32_t index : facts.idle) idle[index] = true;
  for (std::uint32_t index = 0; index < frames_.size(); ++index) {
    Frame& frame = frames_[index];
    if (idle[index])
      for (Path* path : {&frame.total, &frame.best, &frame.leap_path}) path->link = Link::kNone;
    for (Path* path : {&frame.total, &frame.best, &frame.leap_path}) visit(path->link);
    const bool starts_anew = idle[index] || (frame.leaping && !frame.in_periods);
    for (std::uint32_t i = 0; i < frame.paths.size(); ++i) {
      const bool over = frame.states[i].stage == Stage::kDone && frame.clocks[i].finished < now_ && !frame.cycle &&
                        frame.parent != kNone;
      if (starts_anew || over) frame.paths[i].link = Link::kNone;
      visit(frame.paths[i].link);
    }
    if (frame.cycle)
      for (Path& path : frame.cycle->checkpoint.paths) visit(path.link);
  }
}

void Engine::drop_links() {
  std::vector<Link>& links = timeline_.links;
  std::vector<std::uint32_t> place(links.size(), kNone);  // 0: to be kept
  const auto keep = [&](std::uint32_t link) {
    if (link != Link::kNone) place[link] = 0;
  };
  for_each_path(keep);
  for (std::size_t i = links.size(); i-- > 0;)  // each after what went before it
    if (place[i] == 0) {
      keep(links[i].previous);
      keep(links[i].inner);
    }
  const auto move = [&](std::uint32_t& link) {
    if (link != Link::kNone) link = place[link];
  };
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (place[i] == kNone) continue;
    move(links[i].previous);
    move(links[i].inner);
    place[i] = kept;
    links[kept++] = links[i];
  }
  links.resize(kept);
  for_each_path(move);
  most_links_ = std::max<std::size_t>(kManyLinks, 2 * links.size());
}

}  // namespace helio::simulate
