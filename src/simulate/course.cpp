// SPDX-License-Identifier: Apache-2.0
#include "simulate/course.h"

#include <algorithm>

#include "base/budget.h"

namespace helio::simulate {

bool Course::runs(const flow::Program& program, const flow::Template& body) {
  if (!body.edges.empty() || body.operations.empty()) return false;
  return std::ranges::all_of(body.operations, [&](const flow::Operation& op) {
    return op.kind == flow::OperationKind::kTransfer && op.route.valid() && op.repeat == 1 && op.alternatives == 1 &&
           !op.controlled && op.priority == body.operations.front().priority &&
           program.routes.channels(op.route).empty();
  });
}

Course::Course(const flow::Program& program, const flow::Template& body) : program_(program), body_(body) {
  for (std::uint32_t i = 0; i < body.operations.size(); ++i)
    starts_.push_back({body.operations[i].duration + program.routes.latency(body.operations[i].route), i});
  std::ranges::stable_sort(starts_, {}, &Start::time);
}

std::size_t Course::waves() const {
  std::size_t waves = 1;
  for (std::size_t i = 1; i < starts_.size(); ++i) waves += starts_[i].time != starts_[i - 1].time;
  return waves;
}

bool Course::advance() {
  ended_.clear();
  const double next = links_ ? links_->next_end() : kNever;
  const bool start = started_ < starts_.size() && starts_[started_].time.to_seconds() <= next;
  if (!start && next == kNever) return false;
  now_ = start ? starts_[started_].time.to_seconds() : next;
  time_ = start ? starts_[started_].time : Time::seconds(next);
  if (next == now_) {
    links_->take_ended(now_, of_links_);
    Budget::spend(static_cast<std::int64_t>(8 * of_links_.size()));
    events_ += of_links_.size();
    for (const std::uint32_t operation : of_links_) end(operation);
  }
  for (; started_ < starts_.size() && starts_[started_].time == time_; ++started_) {
    const std::uint32_t operation = starts_[started_].operation;
    ++running_;
    if (body_.operations[operation].bytes <= 0 || program_.routes.links(body_.operations[operation].route).empty())
      end(operation);
    else
      fresh_.push_back(operation);
  }
  return true;
}

void Course::share() {
  if (!links_ && fresh_.empty()) return;
  if (!links_) links_.emplace(program_, body_);
  for (const std::uint32_t operation : fresh_) links_->begin(operation, now_);
  fresh_.clear();
  links_->share(now_);
}

void Course::end(std::uint32_t operation) {
  ended_.push_back(operation);
  --running_;
  if (time_ > last_.time || body_.operations[operation].step > body_.operations[last_.operation].step)
    last_ = {time_, operation};
}

}  // namespace helio::simulate
