// SPDX-License-Identifier: Apache-2.0
#include "sweep/pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace helio::sweep {
namespace {

constexpr std::size_t kAhead = 2;  // points that a process has, so that it never waits for the next
constexpr int kTooLong = 124;      // as timeout(1) ends

bool write_all(int to, const void* data, std::size_t size) {
  const char* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(to, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int from, void* data, std::size_t size) {
  char* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::read(from, bytes, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

struct Header {
  std::uint64_t size;  // of all
  std::uint64_t point;
  std::int64_t code;
  double seconds, value;
  std::uint64_t configuration, result, reason;  // their sizes
};

// Both ends are closed in programs that a process turns into, unless they are handed on.
void make_pipe(Descriptor& read_end, Descriptor& write_end) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw Error(ErrorKind::kInfeasible, fmt::format("no more processes can be started: {}", std::strerror(errno)), "",
                "ask for fewer workers");
  read_end = Descriptor(ends[0]);
  write_end = Descriptor(ends[1]);
}

}  // namespace

std::string frame_of(const Row& row) {
  const Header header{sizeof(Header) + row.configuration.size() + row.result.size() + row.reason.size(),
                      row.point,
                      row.code,
                      row.seconds,
                      row.value,
                      row.configuration.size(),
                      row.result.size(),
                      row.reason.size()};
  std::string frame(reinterpret_cast<const char*>(&header), sizeof header);
  return frame + row.configuration + row.result + row.reason;
}

Row row_of(const std::string& frame) {
  Header header;
  assert(frame.size() >= sizeof header);
  std::memcpy(&header, frame.data(), sizeof header);
  std::size_t at = sizeof header;
  const auto take = [&](std::uint64_t size) {
    const std::string part = frame.substr(at, size);
    at += size;
    return part;
  };
  Row row{
      .point = header.point, .code = static_cast<int>(header.code), .seconds = header.seconds, .value = header.value};
  row.configuration = take(header.configuration);
  row.result = take(header.result);
  row.reason = take(header.reason);
  return row;
}

void answer_points(int in, int out, const Answer& answer) {
  std::uint64_t point = 0;
  while (read_all(in, &point, sizeof point)) {
    const auto start = std::chrono::steady_clock::now();
    Row row = answer(point);
    row.point = point;
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::string frame = frame_of(row);
    if (!write_all(out, frame.data(), frame.size())) return;
  }
}

Pool::Pool(std::size_t workers, double limit_s, Serve serve) : limit_s_(limit_s), serve_(std::move(serve)) {
  ::signal(SIGPIPE, SIG_IGN);
  workers_.resize(workers);
  for (Worker& worker : workers_) start(worker);
}

Pool::~Pool() {
  for (Worker& worker : workers_) worker.in.close();
  for (Worker& worker : workers_) {
    if (worker.process <= 0) continue;
    if (!worker.points.empty()) ::kill(worker.process, SIGKILL);
    ::waitpid(worker.process, nullptr, 0);
  }
}

void Pool::start(Worker& worker) {
  Descriptor child_in, child_out;
  make_pipe(child_in, worker.in);
  make_pipe(worker.out, child_out);
  const pid_t parent = ::getpid();
  worker.process = ::fork();
  if (worker.process < 0)
    throw Error(ErrorKind::kInfeasible, fmt::format("no more processes can be started: {}", std::strerror(errno)), "",
                "ask for fewer workers");
  if (worker.process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody works for a parent that was killed
    ::signal(SIGINT, SIG_IGN);           // who types Ctrl-C means the parent
    if (::getppid() != parent) ::_exit(0);
    for (Worker& other : workers_) {
      other.in.close();
      other.out.close();
    }
    serve_(child_in.number(), child_out.number());
    ::_exit(0);
  }
  worker.since = Clock::now();
  worker.bytes.clear();
}

std::size_t Pool::busy() const {
  std::size_t points = 0;
  for (const Worker& worker : workers_) points += worker.points.size();
  return points;
}
std::size_t Pool::room() const { return kAhead * workers_.size() - busy(); }

void Pool::send(Worker& worker, std::uint64_t point) {
  if (worker.points.empty()) worker.since = Clock::now();
  worker.points.push_back(point);
  write_all(worker.in.number(), &point, sizeof point);  // a process that is gone is noticed where its answers are read
}

void Pool::ask(std::uint64_t point) {
  assert(room() > 0);
  Worker* least = &workers_.front();
  for (Worker& worker : workers_)
    if (worker.points.size() < least->points.size()) least = &worker;
  send(*least, point);
}

// Its first point has its end; the others are asked again.
void Pool::replace(Worker& worker, const std::string& reason, int code, std::vector<Row>& rows) {
  std::deque<std::uint64_t> points = std::move(worker.points);
  worker.points.clear();
  if (!points.empty()) {
    Row row{.point = points.front(), .code = code, .value = std::numeric_limits<double>::quiet_NaN(), .reason = reason};
    row.seconds = std::chrono::duration<double>(Clock::now() - worker.since).count();
    rows.push_back(std::move(row));
    points.pop_front();
  }
  start(worker);
  for (const std::uint64_t point : points) send(worker, point);
}

void Pool::read(Worker& worker, std::vector<Row>& rows) {
  char buffer[1 << 16];
  const ssize_t got = ::read(worker.out.number(), buffer, sizeof buffer);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) {
    int status = 0;
    ::waitpid(worker.process, &status, 0);
    worker.process = -1;
    if (WIFSIGNALED(status))
      return replace(
          worker,
          fmt::format("its process was ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status))),
          128 + WTERMSIG(status), rows);
    return replace(worker, fmt::format("its process ended with {}", WEXITSTATUS(status)), 1, rows);
  }
  worker.bytes.append(buffer, static_cast<std::size_t>(got));
  std::size_t at = 0;
  for (Header header; worker.bytes.size() - at >= sizeof header;) {
    std::memcpy(&header, worker.bytes.data() + at, sizeof header);
    if (worker.bytes.size() - at < header.size) break;
    rows.push_back(row_of(worker.bytes.substr(at, header.size)));
    at += header.size;
    worker.points.pop_front();
    worker.since = Clock::now();
  }
  worker.bytes.erase(0, at);
}

std::vector<Row> Pool::answers(int milliseconds) {
  std::vector<pollfd> watched;
  for (const Worker& worker : workers_) watched.push_back({worker.out.number(), POLLIN, 0});
  std::vector<Row> rows;
  if (::poll(watched.data(), watched.size(), milliseconds) > 0)
    for (std::size_t i = 0; i < workers_.size(); ++i)
      if (watched[i].revents) read(workers_[i], rows);
  for (Worker& worker : workers_)
    if (!worker.points.empty() && std::chrono::duration<double>(Clock::now() - worker.since).count() > limit_s_) {
      ::kill(worker.process, SIGKILL);
      ::waitpid(worker.process, nullptr, 0);
      worker.process = -1;
      replace(worker, fmt::format("took longer than {:g} s, the limit of a point", limit_s_), kTooLong, rows);
    }
  return rows;
}

}  // namespace helio::sweep
