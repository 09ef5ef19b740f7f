// SPDX-License-Identifier: Apache-2.0
// A schedule of the catalogue, executed step by step as tensor operations on the device: the same additions in the same order as
// emulate::execute.
//
//     rows of gradients, dealt to slots      round: every move copies or adds runs of slots
//       server 0 │ 0 │ 1 │ 2 │ 3 │             1 ─▷ 2   slot 3 +=
//       server 1 │ 0 │ 1 │ 2 │ 3 │             …
//
// All moves of a round read what was there before it: what a move reads and another one writes in the same round is copied first.
// The schedule is proven once, when it is built. Light is not modelled here: wrht gets the wavelengths it asks for with
// settings["wavelengths"] (64, as on wdm-ring), dimension-ordered the grid of settings["dimensions"] (the most square one).
// Where servers add in different orders (their last bits may differ), the average is server 0's.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "schedule/schedule.h"
#include "train/exchange/gradient_exchange.h"

namespace helio::train {

class ScheduleExchange : public GradientExchange {
 public:
  // Throws what schedule::build throws, and Error(kInfeasible) for a schedule that adds in the fabric or is not proven.
  ScheduleExchange(const ExchangeSpec& spec, int servers, std::int64_t length);

  const schedule::Schedule& schedule() const { return schedule_; }

  void average(at::Tensor& gradients, at::Tensor& average) override;
  nlohmann::ordered_json measured(const at::Tensor&) override { return nlohmann::ordered_json::object(); }
  std::string describe() const override;
  void write(Checkpoint&) const override {}
  void read(const Checkpoint&, const std::string&, std::string_view) override {}

 private:
  // A run of slots of one server, contiguous.
  struct Run {
    schedule::Buffer buffer = schedule::Buffer::kData;
    schedule::Position rank = 0;
    std::uint32_t slot = 0, count = 0;
  };
  struct Step {
    schedule::Action action = schedule::Action::kStore;
    Run from, to;
    at::Tensor arriving;  // a copy, where someone writes there in this round
  };
  void run_round(const schedule::Phase& phase, std::uint32_t round);
  void collect(const schedule::Move& move, std::uint32_t round);
  at::Tensor view(const Run& run) const;
  std::int64_t offset(std::uint32_t slot) const { return slot * length_ / schedule_.chunks; }
  void deal(at::Tensor& gradients);
  void gather(at::Tensor& average) const;

  schedule::Schedule schedule_;
  std::int64_t length_, width_;  // of a row; of a slot, as long as the longest
  std::string proof_;
  at::Tensor rows_[3];                     // by buffer: [N × slots × width]
  std::vector<Step> steps_;                // of the round
  std::vector<std::uint64_t> written_[3];  // by buffer, rank and slot: the round that wrote it last
  std::uint64_t round_ = 0;
};

// An entry for every algorithm that ends with a sum on every server and needs no switch that adds. Their parameters travel as text
// (ExchangeSpec::settings); the algorithm resolves them.
std::vector<ExchangeEntry> schedules();

}  // namespace helio::train
