// SPDX-License-Identifier: Apache-2.0
#include "testbed/wire.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace helio::testbed {
namespace {

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

sockaddr* as_address(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

// A socket on a port of the loopback address that the system chooses.
int bound(int type, sockaddr_in& address) {
  const int fd = checked(socket(AF_INET, type | SOCK_CLOEXEC, 0), "cannot make a socket");
  address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  checked(bind(fd, as_address(address), sizeof address), "cannot bind a socket to loopback");
  socklen_t size = sizeof address;
  checked(getsockname(fd, as_address(address), &size), "a socket has no name");
  return fd;
}

void no_waiting(int fd) { checked(fcntl(fd, F_SETFL, O_NONBLOCK), "cannot make a socket non-blocking"); }

}  // namespace

bool FrameReader::fill(int fd, char* to, std::size_t size, State& state) {
  while (have_ < size) {
    const ssize_t got = recv(fd, to + have_, size - have_, 0);
    if (got > 0) {
      have_ += static_cast<std::size_t>(got);
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    state = got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? State::kNothing : State::kClosed;
    return false;
  }
  return true;
}

FrameReader::State FrameReader::next(int fd) {
  State state = State::kFrame;
  if (have_ < sizeof frame) {
    if (!fill(fd, reinterpret_cast<char*>(&frame), sizeof frame, state)) return state;
    if (frame.length > kFrameBytes) return State::kClosed;
    bytes_.resize(sizeof frame + frame.length);
  }
  if (!fill(fd, bytes_.data(), sizeof frame + frame.length, state)) return state;
  have_ = 0;
  return state;
}

char* FrameWriter::add_room(const Frame& frame) {
  if (at_ == buffer_.size()) {
    buffer_.clear();
    at_ = 0;
  }
  const std::size_t end = buffer_.size();
  buffer_.resize(end + sizeof frame + frame.length);
  std::memcpy(buffer_.data() + end, &frame, sizeof frame);
  return buffer_.data() + end + sizeof frame;
}

void FrameWriter::add(const Frame& frame, const char* payload) {
  char* room = add_room(frame);
  if (frame.length > 0) std::memcpy(room, payload, frame.length);
}

bool FrameWriter::send_now(int fd, const Frame& frame, const char* payload) {
  std::size_t sent = 0;
  if (empty()) {
    iovec parts[] = {{const_cast<Frame*>(&frame), sizeof frame}, {const_cast<char*>(payload), frame.length}};
    msghdr message = {};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    const ssize_t took = sendmsg(fd, &message, MSG_NOSIGNAL);
    if (took < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return false;
    sent = static_cast<std::size_t>(std::max<ssize_t>(took, 0));
    if (sent == sizeof frame + frame.length) return true;
  }
  add(frame, payload);
  at_ += sent;
  return true;
}

bool FrameWriter::flush(int fd) {
  while (at_ < buffer_.size()) {
    const ssize_t sent = send(fd, buffer_.data() + at_, buffer_.size() - at_, MSG_NOSIGNAL);
    if (sent >= 0)
      at_ += static_cast<std::size_t>(sent);
    else if (errno == EAGAIN || errno == EWOULDBLOCK)
      return true;
    else if (errno != EINTR)
      return false;
  }
  return true;
}

void Wires::close() {
  for (int* fd : {&data, &control}) {
    if (*fd >= 0) ::close(*fd);
    *fd = -1;
  }
}

WirePair make_wires() {
  // Whoever else connects first is turned away: the port of the one that we made is known
  WirePair wires;
  sockaddr_in listening, calling, peer;
  const int listener = bound(SOCK_STREAM, listening);
  checked(listen(listener, 4), "cannot listen");
  wires.node.data = bound(SOCK_STREAM, calling);
  checked(connect(wires.node.data, as_address(listening), sizeof listening), "cannot connect over loopback");
  for (;;) {
    socklen_t size = sizeof peer;
    wires.port.data = checked(accept4(listener, as_address(peer), &size, SOCK_CLOEXEC), "cannot accept");
    if (peer.sin_port == calling.sin_port && peer.sin_addr.s_addr == calling.sin_addr.s_addr) break;
    ::close(wires.port.data);
  }
  ::close(listener);
  sockaddr_in one, other;
  wires.node.control = bound(SOCK_DGRAM, one);
  wires.port.control = bound(SOCK_DGRAM, other);
  checked(connect(wires.node.control, as_address(other), sizeof other), "cannot connect over loopback");
  checked(connect(wires.port.control, as_address(one), sizeof one), "cannot connect over loopback");
  for (const int fd : {wires.node.data, wires.port.data}) {
    const int on = 1;
    checked(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "cannot set a socket to send at once");
    no_waiting(fd);
  }
  no_waiting(wires.node.control);
  no_waiting(wires.port.control);
  return wires;
}

std::string enter_namespace() {
  if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
    return std::string("network namespaces are not permitted here (") + std::strerror(errno) + ")";
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq device = {};
  std::strncpy(device.ifr_name, "lo", IFNAMSIZ - 1);
  bool up = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &device) == 0;
  device.ifr_flags = static_cast<short>(device.ifr_flags | IFF_UP);
  up = up && ioctl(fd, SIOCSIFFLAGS, &device) == 0;
  const std::string why = up ? "" : std::string("a namespace has no loopback device (") + std::strerror(errno) + ")";
  if (fd >= 0) ::close(fd);
  return why;
}

namespace {
Time monotonic() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return Time::zeptoseconds((static_cast<Time::Count>(time.tv_sec) * 1'000'000'000 + time.tv_nsec) * 1'000'000'000'000);
}
}  // namespace

Clock::Clock() : start_(monotonic() - Time::nanoseconds(1)) {}
Time Clock::now() const { return monotonic() - start_; }

}  // namespace helio::testbed
