// SPDX-License-Identifier: Apache-2.0
#include "second_opinion/replay.h"

#include <fmt/format.h>
#include <xbt/log.h>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "second_opinion/expressible.h"
#include "second_opinion/frontier.h"

namespace helio::second_opinion {
namespace {

namespace s4u = ::simgrid::s4u;
using flow::OperationKind;
using Token = Frontier::Token;

constexpr const char* kSettings[] = {
    "network/model:CM02",       "network/TCP-gamma:0",        "network/crosstraffic:0", "network/weight-S:0",
    "network/latency-factor:1", "network/bandwidth-factor:1", "maxmin/precision:1e-14",  // relative to a link's rate
};

// Octaves of the clock begin here: shorter than anything that we simulate.
constexpr double kFirstOctave = 0x1p-50;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A Comm has a whole number of bytes. Bytes and rates are therefore counted in units of 1/scale bytes, a power of two that
// takes the largest transfer to some 2^60 units.
double scale_for(const flow::Program& program) {
  double largest = 1;
  for (const flow::Template& body : program.templates)
    for (const flow::Operation& op : body.operations) largest = std::max(largest, op.bytes);
  return std::ldexp(1.0, 60 - std::ilogb(largest));
}

class Replay {
 public:
  explicit Replay(const flow::Program& program)
      : program_(program), frontier_(program), scale_(scale_for(program)), engine_(named_engine()) {
    build_platform();
    s4u::Activity::on_completion_cb([this](const s4u::Activity& activity) { transfer_ended(activity); });
  }

  Answer run() {
    const auto wall = std::chrono::steady_clock::now();
    const double processor = processor_seconds();
    frontier_.open(ready_);
    start_ready();
    enter_octave(kFirstOctave);
    if (!frontier_.finished()) engine_.run();
    if (!frontier_.finished())
      throw Error(ErrorKind::kInfeasible,
                  "the program stops before its end: operations wait for each other in a circle");
    answer_.processor_s = processor_seconds() - processor;
    answer_.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    answer_.time_s = end_;
    answer_.operations_s = frontier_.entry_ends();
    return std::move(answer_);
  }

 private:
  static std::string named_engine() {
    xbt_log_control_set("root.thresh:critical");
    return "helio-simgrid";
  }

  // Links as they are, and a pair of hosts for every route that carries bytes.
  void build_platform() {
    for (const char* setting : kSettings) s4u::Engine::set_config(setting);
    s4u::NetZone* zone = s4u::create_full_zone("flow");
    std::vector<s4u::Link*> links(program_.resources.size(), nullptr);
    const float crossings = has_half_weights(program_) ? 2 : 1;  // per weight, on links that are as much faster
    for (std::uint32_t i = 0; i < links.size(); ++i) {
      const flow::ResourceId id{i};
      if (program_.resources.is_channel(id)) continue;
      links[i] = zone->create_link(std::to_string(i), program_.resources.rate(id).value / 8 * scale_ * crossings)
                     ->set_latency(0.0)
                     ->seal();
    }

    // The routes in use
    std::vector<flow::RouteId> used;
    way_of_.resize(program_.routes.size(), kNoWay);
    for (const flow::Template& body : program_.templates)
      for (const flow::Operation& op : body.operations) {
        if (op.kind != OperationKind::kTransfer || !op.route.valid() || program_.routes.links(op.route).empty())
          continue;
        if (way_of_[op.route.value] != kNoWay) continue;
        way_of_[op.route.value] = static_cast<std::uint32_t>(used.size());
        used.push_back(op.route);
      }
    const auto hosts = static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(used.size())))) + 1;
    for (std::uint32_t i = 0; i < hosts; ++i) hosts_.push_back(zone->create_host(std::to_string(i), 1.0));
    for (std::uint32_t way = 0; way < used.size(); ++way) {
      std::vector<s4u::LinkInRoute> crossed;
      for (const flow::LinkUse& use : program_.routes.links(used[way]))
        crossed.insert(crossed.end(), static_cast<std::size_t>(crossings * use.weight),
                       s4u::LinkInRoute(links[use.link.value]));
      const auto [from, to] = ends_of(way);
      zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, crossed, false);
    }
    zone->seal();
  }

  std::pair<s4u::Host*, s4u::Host*> ends_of(std::uint32_t way) const {
    const auto others = static_cast<std::uint32_t>(hosts_.size()) - 1;
    const std::uint32_t from = way / others, to = way % others;
    return {hosts_[from], hosts_[to < from ? to : to + 1]};
  }

  // Ends closer than surf/precision seconds are one event to SimGrid. Where many flows meet without a barrier the error grows by
  // itself, a millionfold within a collective (docs/simgrid.md), so the precision has to be as fine as the clock; but
  // finer than a double's digit, and SimGrid steps over the end of a flow and never sees it. The digit grows with time, and
  // so does the precision: a timer at every power of two sets it to two digits of the times before the next.
  void enter_octave(double end) {
    s4u::Engine::set_config("surf/precision", end * std::numeric_limits<double>::epsilon());
    ::simgrid::kernel::timer::Timer::set(end, [this, end] {
      if (flowing_ > 0 || !waiting_.empty()) enter_octave(2 * end);
    });
  }

  // Everything that may start now, and what follows from it in no time.
  void start_ready() {
    while (!ready_.empty()) {
      const Token token = ready_.back();
      ready_.pop_back();
      const flow::Operation& op = frontier_.operation(token);
      Time pause = op.duration;
      if (op.kind == OperationKind::kTransfer && op.route.valid()) pause += program_.routes.latency(op.route);
      if (pause.is_zero())
        after_pause(token);
      else
        wait(token, pause.to_seconds());
    }
  }

  // One timer for all that wait until the same time.
  void wait(Token token, double seconds) {
    const double until = s4u::Engine::get_clock() + seconds;
    const auto [found, is_new] = waiting_.try_emplace(until);
    found->second.push_back(token);
    if (!is_new) return;
    ::simgrid::kernel::timer::Timer::set(until, [this, until] {
      const std::vector<Token> due = std::move(waiting_.extract(until).mapped());
      for (const Token one : due) after_pause(one);
      start_ready();
    });
  }

  // Overhead and latency are over, or there were none.
  void after_pause(Token token) {
    const flow::Operation& op = frontier_.operation(token);
    const bool flows = op.kind == OperationKind::kTransfer && op.route.valid() && way_of_[op.route.value] != kNoWay;
    const double units = flows ? std::round(op.bytes * scale_) : 0;
    if (units == 0) return ended(token);
    const auto [from, to] = ends_of(way_of_[op.route.value]);
    s4u::CommPtr comm = s4u::Comm::sendto_init(from, to);
    comm->set_payload_size(static_cast<std::uint64_t>(units));
    comm->set_data(reinterpret_cast<void*>(static_cast<std::uintptr_t>(token)));
    if (running_.size() <= token) running_.resize(token + 1);
    running_[token] = comm;
    comm->vetoable_start();
    ++flowing_;
    ++answer_.transfers;
  }

  void transfer_ended(const s4u::Activity& activity) {
    const auto& comm = static_cast<const s4u::Comm&>(activity);
    const auto token = static_cast<Token>(reinterpret_cast<std::uintptr_t>(comm.get_data<void>()));
    --flowing_;
    last_ended_ = std::move(running_[token]);  // SimGrid still holds on to it while this runs
    ended(token);
    start_ready();
  }

  void ended(Token token) {
    end_ = s4u::Engine::get_clock();
    frontier_.end(token, end_, ready_);
  }

  static constexpr std::uint32_t kNoWay = 0xffffffffu;
  const flow::Program& program_;
  Frontier frontier_;
  double scale_;
  s4u::Engine engine_;
  std::vector<s4u::Host*> hosts_;
  std::vector<std::uint32_t> way_of_;  // by route: which pair of hosts
  std::vector<Token> ready_;
  std::unordered_map<double, std::vector<Token>> waiting_;  // by the time until which
  std::vector<s4u::CommPtr> running_;                       // by token
  s4u::CommPtr last_ended_;
  std::uint64_t flowing_ = 0;
  double end_ = 0;
  Answer answer_;
};

}  // namespace

Answer replay(const flow::Program& program) {
  refuse_what_simgrid_cannot_express(program);
  return Replay(program).run();
}

}  // namespace helio::second_opinion
