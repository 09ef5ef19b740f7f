// SPDX-License-Identifier: Apache-2.0
#include "testbed/shared.h"

#include <sys/mman.h>

#include <memory>
#include <new>

namespace helio::testbed {

Shared::Shared(const Plan& plan, std::size_t steps) : elements_(plan.elements), each_(plan.flows.size()) {
  const std::size_t flows = steps * each_;
  size_ = flows * (sizeof(FlowTimes) + sizeof(LitTimes)) + steps * sizeof(StepTimes) + sizeof(Counts) +
          plan.nodes() * elements_ * sizeof(float) + 1024;
  memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory_ == MAP_FAILED) throw std::bad_alloc();
  void* at = memory_;
  std::size_t left = size_;
  const auto take = [&]<class T>(std::span<T>& span, std::size_t count) {
    T* first = static_cast<T*>(std::align(alignof(T), count * sizeof(T), at, left));
    for (std::size_t i = 0; i < count; ++i) new (first + i) T();
    span = {first, count};
    at = first + count;
    left -= count * sizeof(T);
  };
  take(flows_, flows);
  take(lit_, flows);
  take(steps_, steps);
  std::span<Counts> counts;
  take(counts, 1);
  counts_ = counts.data();
  // Rows are zero, as the system maps them: touching them all would cost what they take
  rows_ = {static_cast<float*>(std::align(alignof(float), sizeof(float), at, left)), plan.nodes() * elements_};
}

Shared::~Shared() { munmap(memory_, size_); }

}  // namespace helio::testbed
