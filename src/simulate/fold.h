// SPDX-License-Identifier: Apache-2.0
// A program folded along its symmetries: what happens alike happens once.
//
// Replicas of a job, cells of a stage and ranks of a ring do the same at the same time, on links of their own or on links that
// they load alike. Operations, links and templates are divided into classes, so that
//
//   operations  of a class are equal, stand in templates of one class, call templates of one class, cross links of the same classes,
//               and wait for operations of the same classes;
//   links       of a class have one rate, and from each class of operations they carry the same weight;
//   templates   of a class hold as many operations of each class, and as many of each class call them.
//
// Then all of a class are in one state at any time. What an operation waits for ends together, so those of a class start together.
// While links are shared (sharing.h) the links of a class have one level, are full together and stop their flows at one rate; so
// these end together. By induction one of each class tells what all do. It is a program again: of each class the first member is
// left, and a flow loads a link as all of its class do.
//
//     a ─▶ ═══ ◀─ b                         a ─▶ ═══            a with weight 2 on the link,
//     c ─▶ ═══ ◀─ d       folds to                              a/b/c/d one class, the links one class
//
// The classes are those of colour refinement (Weisfeiler and Leman 1968; fractional symmetries of max-min sharing need no more): colours
// are hashes that take in the colours of the neighbours until no class falls apart any more. Hashes may collide, so what they give
// is checked, every member against the first of its class.
//
// Not folded: programs with channels or controllers, where somebody is always first; a template that two operations of one class
// call, since it then runs twice at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "flow/program.h"
#include "simulate/timeline.h"

namespace helio::simulate {

class Folded {
 public:
  flow::Program program;

  // What the folded program's timeline says of the whole one, which carries `traffic` on every resource: its places are those of first
  // members, its spans those of all.
  void unfold(std::vector<double> traffic, Timeline& timeline) const;

 private:
  friend class Folding;
  struct Member {
    flow::TemplateId where;
    std::uint32_t operation;
  };
  std::vector<flow::TemplateId> first_;  // of each template here
  std::vector<std::vector<std::vector<Member>>>
      members_;  // of each operation here, the first first; or the first alone
};

// Of what `top` runs, as if it met nobody else. Nothing where too little would be gained. `spans`: those of all members will be asked
// for, not only of the first. Requires: check(program) passed.
std::optional<Folded> fold(const flow::Program& program, flow::TemplateId top, bool spans = true);

}  // namespace helio::simulate
