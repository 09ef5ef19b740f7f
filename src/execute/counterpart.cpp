// SPDX-License-Identifier: Apache-2.0
#include "execute/counterpart.h"

namespace helio::execute {
namespace {

using schedule::Kind;

// MPI has no bf16.
void add_bf16(void* from, void* to, int* count, MPI_Datatype*) {
  add(Element::kBf16, to, from, static_cast<std::size_t>(*count));
}

}  // namespace

Counterpart::Counterpart(const schedule::Schedule& schedule, const RankPlan& plan, Element element, MPI_Comm group)
    : plan_(plan), kind_(schedule.kind), root_(schedule.root), bytes_(bytes_of(element)), group_(group) {
  switch (element) {
    case Element::kFloat32: type_ = MPI_FLOAT; break;
    case Element::kFloat64: type_ = MPI_DOUBLE; break;
    case Element::kInt32: type_ = MPI_INT32_T; break;
    case Element::kBf16:
      type_ = MPI_UINT16_T;
      own_sum_ = MPI_Op_create(add_bf16, 1, &sum_) == MPI_SUCCESS;
      break;
  }
  if (schedule::is_rank_indexed(kind_))
    for (schedule::Position p = 0; p < plan.ranks; ++p) {
      const RankPlan::Run block = block_run(schedule, plan.elements, p);
      starts_.push_back(static_cast<int>(block.first));
      counts_.push_back(static_cast<int>(block.count));
    }
  data_ = std::make_unique<std::byte[]>(plan.elements * bytes_);
  result_ = std::make_unique<std::byte[]>(plan.elements * bytes_);
}

Counterpart::~Counterpart() {
  if (own_sum_) MPI_Op_free(&sum_);
}

void Counterpart::run() {
  const auto all = static_cast<int>(plan_.elements);
  std::byte *const from = data_.get(), *const to = result_.get();
  switch (kind_) {
    case Kind::kAllReduce: MPI_Allreduce(from, to, all, type_, sum_, group_); break;
    case Kind::kReduceScatter: MPI_Reduce_scatter(from, to, counts_.data(), type_, sum_, group_); break;
    case Kind::kAllGather:
      MPI_Allgatherv(from + plan_.input.first * bytes_, static_cast<int>(plan_.input.count), type_, to, counts_.data(),
                     starts_.data(), type_, group_);
      break;
    case Kind::kBroadcast: MPI_Bcast(from, all, type_, root_, group_); break;
    case Kind::kReduce: MPI_Reduce(from, to, all, type_, sum_, root_, group_); break;
    case Kind::kAllToAll: {
      const int block = all / static_cast<int>(plan_.ranks);
      MPI_Alltoall(from, block, type_, to, block, type_, group_);
      break;
    }
  }
}

// MPI broadcasts in place, and hands a rank its block alone.
const std::byte* Counterpart::result() const {
  if (kind_ == Kind::kBroadcast) return data_.get();
  return result_.get();
}

}  // namespace helio::execute
