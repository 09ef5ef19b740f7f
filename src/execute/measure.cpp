// SPDX-License-Identifier: Apache-2.0
#include "execute/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "execute/agreement.h"
#include "execute/counterpart.h"
#include "execute/runner.h"

namespace helio::execute {
namespace {

constexpr int kWarm = 2, kFewest = 5, kMost = 101;  // runs of each, where nobody says how many
constexpr double kLong = 1;                         // seconds for ours, where that allows more than the fewest
constexpr double kSlowest = 2e7;  // bytes a second that MPI moves at least, before it counts as hanging

// The part of the group in which this rank stands, if it stands in one.
struct Seat {
  int group = -1;
  schedule::Position position = 0;
};

Seat seat_of(const Task& task, MPI_Comm world) {
  const auto rank = static_cast<std::uint32_t>(rank_in(world));
  for (std::size_t g = 0; g < task.groups.size(); ++g)
    if (const auto found = std::ranges::find(task.groups[g], rank); found != task.groups[g].end())
      return {static_cast<int>(g), static_cast<schedule::Position>(found - task.groups[g].begin())};
  return {};
}

// What one rank runs.
class Part {
 public:
  Part(const Task& task, const Seat& seat, MPI_Comm group, const Progress& progress)
      : task_(task),
        bytes_(bytes_of(task.element)),
        plan_(plan_rank(task.schedule, seat.position, task.elements, task.piece)),
        runner_(plan_, task.element, group, task.combiner, [&progress] { progress(0); }),
        counterpart_(task.schedule, plan_, task.element, group) {}

  // Each begins with numbers that every rank can tell.
  void prepare(bool mpi) {
    std::byte* const to = mpi ? counterpart_.data() : runner_.data();
    fill(task_.element, to + plan_.input.first * bytes_, plan_.input.first, plan_.input.count,
         static_cast<std::uint64_t>(plan_.rank));
  }
  void run(bool mpi) {
    if (mpi)
      counterpart_.run();
    else
      runner_.run();
    if (task_.average) divide(task_.element, result(mpi), plan_.result_run.count, static_cast<int>(plan_.ranks));
  }

  // The first number that is not MPI's, or "".
  std::string fault() {
    const std::size_t count = plan_.result_run.count;
    const bool adds = task_.schedule.kind == schedule::Kind::kAllReduce ||
                      task_.schedule.kind == schedule::Kind::kReduceScatter ||
                      task_.schedule.kind == schedule::Kind::kReduce;
    const double most = !adds            ? 0
                        : task_.combiner ? task_.most_apart
                                         : tolerance(task_.element, static_cast<int>(plan_.ranks));
    const std::size_t wrong = first_apart(task_.element, result(false), result(true), count, most);
    if (wrong == count) return "";
    return fmt::format("element {} of rank {} is {:.9g}, and MPI has {:.9g}", plan_.result_run.first + wrong,
                       plan_.rank, value_at(task_.element, result(false), wrong),
                       value_at(task_.element, result(true), wrong));
  }
  // Sums of squares of the error and of the result.
  void errors(double& error, double& size) {
    for (std::size_t i = 0; i < plan_.result_run.count; ++i) {
      const double exact = value_at(task_.element, result(true), i);
      error += std::pow(value_at(task_.element, result(false), i) - exact, 2);
      size += exact * exact;
    }
  }

 private:
  std::byte* result(bool mpi) {
    return mpi ? const_cast<std::byte*>(counterpart_.result()) : runner_.result() + plan_.result_run.first * bytes_;
  }
  const Task& task_;
  std::size_t bytes_;
  RankPlan plan_;
  Runner runner_;
  Counterpart counterpart_;
};

}  // namespace

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void check(const Task& task) { check_dealing(task.schedule, task.elements); }

Outcome measure(const Task& task, MPI_Comm world, const Progress& progress) {
  const Seat seat = seat_of(task, world);
  const double vector_s = static_cast<double>(task.elements * bytes_of(task.element)) * size_of(world) / kSlowest;
  progress(vector_s);
  MPI_Comm group = MPI_COMM_NULL;
  MPI_Comm_split(world, seat.group < 0 ? MPI_UNDEFINED : seat.group, seat.position, &group);
  std::optional<Part> part;
  if (seat.group >= 0) part.emplace(task, seat, group, progress);

  // Ours and MPI's by turns, so that both meet the same machine; the first of each warm up. All ranks know the same times
  std::vector<double> times[2];
  double spent = 0;
  const int warm = task.repeat == 0 ? 0 : kWarm;
  const auto more = [&](int turn) {
    if (task.repeat) return turn < warm + std::max(*task.repeat, 1);
    return turn < kWarm + kFewest || (turn < kWarm + kMost && spent < kLong);
  };
  for (int turn = 0; more(turn); ++turn)
    for (const bool mpi : {false, true}) {
      progress(vector_s);
      if (part) part->prepare(mpi);
      MPI_Barrier(world);
      progress(mpi ? vector_s : 0);
      const double start = MPI_Wtime();
      if (part) part->run(mpi);
      double took = MPI_Wtime() - start;
      progress(vector_s);
      MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, world);
      if (turn >= warm) times[mpi].push_back(took);
      if (!mpi) spent += took;
    }

  // Whether they agree
  const int runs = static_cast<int>(times[0].size());
  Outcome outcome{.time_s = median(times[0]), .mpi_time_s = median(times[1]), .repeat = runs};
  std::optional<Failure> wrong;
  if (part)
    if (std::string fault = part->fault(); !fault.empty()) wrong = Failure{1, std::move(fault)};
  if (const std::optional<Failure> first = first_failure(world, wrong)) outcome.fault = first->words;
  outcome.verified = outcome.fault.empty();
  if (task.combiner) {
    double squares[2] = {0, 0};
    if (part) part->errors(squares[0], squares[1]);
    MPI_Allreduce(MPI_IN_PLACE, squares, 2, MPI_DOUBLE, MPI_SUM, world);
    outcome.value_error = squares[1] > 0 ? std::sqrt(squares[0] / squares[1]) : 0;
  }
  part.reset();
  if (group != MPI_COMM_NULL) MPI_Comm_free(&group);
  return outcome;
}

}  // namespace helio::execute
