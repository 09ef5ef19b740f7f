// SPDX-License-Identifier: Apache-2.0
#include "execute/runner.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace helio::execute {
namespace {

constexpr std::size_t kAhead = 32;  // temporaries of receives that are posted, or not yet used

}  // namespace

Runner::Runner(const RankPlan& plan, Element element, MPI_Comm group, const emulate::Combiner<float>* combiner,
               std::function<void()> progress)
    : plan_(plan),
      element_(element),
      bytes_(bytes_of(element)),
      group_(group),
      combiner_(combiner),
      progress_(std::move(progress)),
      uses_of_(plan.temporaries, 0) {
  for (std::size_t b = 0; b < 3; ++b) rows_[b] = std::make_unique<std::byte[]>(plan.rows[b] * bytes_);
  for (std::uint32_t s = 0; s < plan.steps.size(); ++s) {
    const Step& step = plan.steps[s];
    largest_ = std::max(largest_, step.count);
    if (step.early) early_.push_back(s);
    if (step.from.temporary != kNone) ++uses_of_[step.from.temporary];
    for (const Place& place : step.meeting)
      if (place.temporary != kNone) ++uses_of_[place.temporary];
  }
  temporary_.assign(plan.temporaries, nullptr);
}

// A temporary gets its memory when something is about to be written there.
std::byte* Runner::at(const Place& place) {
  if (place.temporary == kNone) return rows_[static_cast<std::size_t>(place.buffer)].get() + place.first * bytes_;
  std::byte*& memory = temporary_[place.temporary];
  if (!memory) {
    if (free_.empty()) {
      memory_.push_back(std::make_unique<std::byte[]>(largest_ * bytes_));
      free_.push_back(memory_.back().get());
    }
    memory = free_.back();
    free_.pop_back();
    ++held_;
  }
  return memory;
}

void Runner::release(const Place& place) {
  if (place.temporary == kNone || --uses_[place.temporary] > 0) return;
  free_.push_back(temporary_[place.temporary]);
  temporary_[place.temporary] = nullptr;
  --held_;
}

void Runner::combine(const Step& step) {
  std::byte* const sum = at(step.to);
  if (combiner_ && element_ == Element::kFloat32) {
    std::vector<std::span<const float>> inputs;
    for (const Place& place : step.meeting) inputs.push_back({reinterpret_cast<const float*>(at(place)), step.count});
    combiner_->combine(inputs, {reinterpret_cast<float*>(sum), step.count});
    return;
  }
  std::memcpy(sum, at(step.meeting.front()), step.count * bytes_);
  for (std::size_t i = 1; i < step.meeting.size(); ++i) add(element_, sum, at(step.meeting[i]), step.count);
}

// A step that waits for nothing any more: messages are under way then, everything else is done.
void Runner::begin(std::uint32_t number) {
  const Step& step = plan_.steps[number];
  const auto size = static_cast<int>(step.count * bytes_);
  switch (step.kind) {
    case StepKind::kSend:
      step_of_.push_back(number);
      MPI_Isend(at(step.from), size, MPI_BYTE, step.peer, static_cast<int>(step.tag), group_,
                &requests_.emplace_back());
      return;
    case StepKind::kReceive:
      step_of_.push_back(number);
      MPI_Irecv(at(step.to), size, MPI_BYTE, step.peer, static_cast<int>(step.tag), group_, &requests_.emplace_back());
      return;
    case StepKind::kStore: std::memcpy(at(step.to), at(step.from), step.count * bytes_); break;
    case StepKind::kAdd: add(element_, at(step.to), at(step.from), step.count); break;
    case StepKind::kCombine: combine(step); break;
  }
  end(number);
}

void Runner::end(std::uint32_t number) {
  const Step& step = plan_.steps[number];
  --left_;
  if (step.early) --on_their_way_;
  release(step.from);
  for (const Place& place : step.meeting) release(place);
  for (std::uint32_t i = plan_.first_next[number]; i < plan_.first_next[number + 1]; ++i)
    if (--waits_[plan_.next[i]] == 0) ready_.push_back(plan_.next[i]);
}

void Runner::post_ahead() {
  while (next_early_ < early_.size() && (held_ < kAhead || on_their_way_ == 0)) {
    ++on_their_way_;
    begin(early_[next_early_++]);
  }
}

// Messages that have come or gone.
void Runner::collect() {
  done_.resize(requests_.size());
  int count = 0;
  MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, done_.data(), MPI_STATUSES_IGNORE);
  if (count <= 0) return;
  if (progress_) progress_();
  const std::span<int> done(done_.data(), static_cast<std::size_t>(count));
  std::ranges::sort(done);
  for (const int i : done) end(step_of_[static_cast<std::size_t>(i)]);
  // Those that are open close up, in their order
  std::size_t kept = 0, at = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (at < done.size() && static_cast<std::size_t>(done[at]) == i) {
      ++at;
      continue;
    }
    requests_[kept] = requests_[i];
    step_of_[kept++] = step_of_[i];
  }
  requests_.resize(kept);
  step_of_.resize(kept);
}

void Runner::run() {
  waits_ = plan_.waits;
  uses_ = uses_of_;
  next_early_ = 0;
  left_ = plan_.steps.size();
  for (const RankPlan::Run& run : plan_.copied)
    std::memcpy(rows_[1].get() + run.first * bytes_, rows_[0].get() + run.first * bytes_, run.count * bytes_);
  for (std::uint32_t s = static_cast<std::uint32_t>(plan_.steps.size()); s-- > 0;)
    if (waits_[s] == 0 && !plan_.steps[s].early) ready_.push_back(s);
  while (left_ > 0) {
    post_ahead();
    while (!ready_.empty()) {
      const std::uint32_t step = ready_.back();
      ready_.pop_back();
      begin(step);
    }
    if (left_ == 0) break;
    if (requests_.empty() && next_early_ == early_.size())
      throw std::logic_error("steps of a schedule wait for each other");
    collect();
  }
}

}  // namespace helio::execute
