// SPDX-License-Identifier: Apache-2.0
#include "sweep_on_ranks.h"

#include <unistd.h>

#include <chrono>
#include <cstring>
#include <deque>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "execution.h"
#include "pipeline/companion.h"

namespace helio::apps {
namespace {

enum Tag { kHello = 1, kPoint, kRow };
constexpr std::uint64_t kNoMore = ~std::uint64_t{0};

// A process of the pool is helio itself, which knows every command.
std::function<sweep::Serve(const sweep::Space&)> by_helio(const std::string& file) {
  const std::string helio = pipeline::find_companion("helio", "HELIO");
  if (helio.empty())
    throw Error(ErrorKind::kInfeasible, "the program helio is not beside helio-execute", "helio sweep",
                "build again, or name it in HELIO");
  return [helio, file](const sweep::Space&) -> sweep::Serve {
    return [helio, file](int in, int out) {
      if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0) return;
      execl(helio.c_str(), "helio", "sweep", file.c_str(), "--answer", static_cast<char*>(nullptr));
    };
  };
}

// Points for other ranks, and their rows.
class Desk {
 public:
  explicit Desk(MPI_Comm world) : world_(world), expected_(execute::size_of(world) - 1) {}

  bool serve(const std::function<bool(std::uint64_t&)>& next, const std::function<void(sweep::Row)>& take) {
    MPI_Status status;
    for (int there = 0; MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world_, &there, &status), there;) {
      int size = 0;
      MPI_Get_count(&status, MPI_BYTE, &size);
      std::string bytes(static_cast<std::size_t>(size), '\0');
      MPI_Recv(bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, world_, MPI_STATUS_IGNORE);
      std::uint64_t points = 1;
      if (status.MPI_TAG == kHello) {
        std::memcpy(&points, bytes.data(), sizeof points);
        --expected_;
        open_ += points;
      } else {
        take(sweep::row_of(bytes));
      }
      for (; points > 0; --points) {
        std::uint64_t point = kNoMore;
        if (!next(point)) --open_;
        MPI_Send(&point, sizeof point, MPI_BYTE, status.MPI_SOURCE, kPoint, world_);
      }
    }
    return expected_ > 0 || open_ > 0;
  }

 private:
  MPI_Comm world_;
  int expected_;            // ranks that have not said hello
  std::uint64_t open_ = 0;  // points, or places for them, that others have
};

// A rank other than 0, until there are no more points. For each process it has one more than that works, so that nobody waits for rank 0.
void work(sweep::Pool& pool, MPI_Comm world) {
  std::uint64_t open = 2 * pool.room();
  std::deque<std::uint64_t> ahead;
  MPI_Send(&open, sizeof open, MPI_BYTE, 0, kHello, world);
  while (open > 0) {
    for (int there = 0; MPI_Iprobe(0, kPoint, world, &there, MPI_STATUS_IGNORE), there;) {
      std::uint64_t point = kNoMore;
      MPI_Recv(&point, sizeof point, MPI_BYTE, 0, kPoint, world, MPI_STATUS_IGNORE);
      if (point == kNoMore)
        --open;
      else
        ahead.push_back(point);
    }
    for (; !ahead.empty() && pool.room() > 0; ahead.pop_front()) pool.ask(ahead.front());
    for (const sweep::Row& row : pool.answers(1)) {
      const std::string frame = sweep::frame_of(row);
      MPI_Send(frame.data(), static_cast<int>(frame.size()), MPI_BYTE, 0, kRow, world);
    }
  }
}

// Others wait without taking a core while rank 0 looks at the file.
void wait_for_rank_0(MPI_Comm world) {
  MPI_Request request;
  MPI_Ibarrier(world, &request);
  for (int done = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done;)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace

std::string sweep_on_ranks(const SweepQuestion& question, bool json, MPI_Comm world) {
  const std::size_t workers = question.workers ? question.workers : 1;
  std::optional<sweep::Space> space;
  std::function<sweep::Serve(const sweep::Space&)> serve;
  agreed(world, [&] {
    check(question);
    space = sweep::read_space(question.file);
    serve = by_helio(question.file);
  });
  if (const auto other = execute::first_other(world, space->text))
    throw AgreedFailure{
        {exit_code(ErrorKind::kInput), "ranks have different sweep files (mpirun). Give all the same."}};

  std::string text;
  if (execute::rank_in(world) == 0) {
    Desk desk(world);
    std::optional<Error> wrong;
    bool begun = false;
    const auto begin = [&] {  // once: the file is right and the database open, or not
      if (std::exchange(begun, true)) return;
      wait_for_rank_0(world);
      agreed(world, [&] {
        if (wrong) throw *wrong;
      });
    };
    try {
      text = swept(question, json, workers, serve, {[&](const auto& next, const auto& take) {
                     begin();
                     return desk.serve(next, take);
                   }});
    } catch (const Error& error) {
      if (begun) throw;
      wrong = error;
      begin();
    }
    return text;
  }
  sweep::Pool pool(workers, space->limit_s, serve(*space));
  wait_for_rank_0(world);
  agreed(world, [] {});
  work(pool, world);
  return text;
}

}  // namespace helio::apps
