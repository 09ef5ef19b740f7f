// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/schedule_exchange.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "schedule/algorithm.h"
#include "schedule/capabilities.h"
#include "schedule/verify.h"

namespace helio::train {
namespace {

using schedule::Action;
using schedule::Buffer;
using schedule::Capabilities;
using schedule::Move;
using schedule::Phase;
using schedule::Position;

constexpr int kWavelengths = 64;  // as wdm-ring has by default
constexpr int kMostExtent = 1'000'000;

std::vector<long long> most_square(int servers) {
  long long rows = 1;
  for (long long r = 1; r * r <= servers; ++r)
    if (servers % r == 0) rows = r;
  return {rows, servers / rows};
}

long long whole(const std::string& name, std::string_view text) {
  long long value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 1 || value > kMostExtent)
    throw Error(ErrorKind::kInput, fmt::format("{} = '{}' is no whole number above 0", name, text), name);
  return value;
}

// What an algorithm asks of a fabric, which a training has to be told.
std::vector<Parameter> fabric_parameters(const std::string& algorithm) {
  if (algorithm == "wrht")
    return {{.name = "wavelengths",
             .type = ParameterType::kInteger,
             .fallback = std::to_string(kWavelengths),
             .minimum = "1",
             .maximum = std::to_string(kMostExtent),
             .description = "of the ring that the schedule is made for, per direction; as many as wdm-ring has"}};
  if (algorithm == "dimension-ordered")
    return {{.name = "dimensions",
             .type = ParameterType::kDimensions,
             .description = "of the grid that the servers stand on; the most square one when left out",
             .optional = true}};
  return {};
}

// The fabric that an algorithm asks for, and no more of it; what it takes from the settings is taken out of them.
Capabilities fabric_for(const std::string& algorithm, int servers, std::map<std::string, std::string>& settings) {
  Capabilities fabric;
  fabric.fabric = "training";
  fabric.nodes = static_cast<std::uint64_t>(servers);
  const auto take = [&](const char* name) {
    const auto found = settings.find(name);
    const std::string text = found == settings.end() ? "" : found->second;
    if (found != settings.end()) settings.erase(found);
    return text;
  };
  if (algorithm == "wrht") {
    const std::string text = take("wavelengths");
    fabric.adjacency = schedule::Adjacency::kRing;
    fabric.directions = 2;
    fabric.wavelengths = text.empty() ? kWavelengths : static_cast<int>(whole("wavelengths", text));
  }
  if (algorithm == "dimension-ordered") {
    const std::string text = take("dimensions");
    fabric.adjacency = schedule::Adjacency::kGrid;
    fabric.dimensions.clear();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('x', at), text.size());
      fabric.dimensions.push_back(whole("dimensions", std::string_view(text).substr(at, end - at)));
      at = end + 1;
    }
    if (fabric.dimensions.empty()) fabric.dimensions = most_square(servers);
    double nodes = 1;
    for (const long long extent : fabric.dimensions) nodes *= static_cast<double>(extent);
    if (nodes != servers)
      throw Error(ErrorKind::kInput,
                  fmt::format("a grid of {} has {:.0f} nodes, and there are {} servers", text, nodes, servers),
                  "dimensions");
  }
  return fabric;
}

schedule::Schedule build(const ExchangeSpec& spec, int servers, std::int64_t length) {
  std::map<std::string, std::string> settings = spec.settings;
  const Capabilities fabric = fabric_for(spec.name, servers, settings);
  Settings resolved;
  for (const auto& [name, text] : settings) resolved[name] = {text, name};
  const Bytes bytes{static_cast<double>(length) * sizeof(float)};
  schedule::Schedule built = schedule::build(
      spec.name, schedule::request_on_all(schedule::Kind::kAllReduce, bytes, servers), fabric, resolved);
  if (!built.sets.empty())
    throw Error(ErrorKind::kInfeasible,
                fmt::format("'{}' adds or copies within the fabric, and servers have none here", spec.name), "",
                "use 'optinc' for a switch that averages, or a schedule between servers such as ring");
  return built;
}

}  // namespace

ScheduleExchange::ScheduleExchange(const ExchangeSpec& spec, int servers, std::int64_t length)
    : schedule_(build(spec, servers, length)),
      length_(length),
      width_((length + schedule_.chunks - 1) / schedule_.chunks) {
  const schedule::Verification proof = schedule::verify(schedule_);
  if (!proof.verified)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("'{}' for {} servers is not proven: {}", spec.name, servers,
                            proof.failure.empty() ? proof.method : proof.failure),
                "", "use other settings, or another schedule");
  proof_ = proof.method;
  for (const Buffer buffer : {Buffer::kData, Buffer::kOutput, Buffer::kScratch})
    written_[static_cast<std::size_t>(buffer)].assign(static_cast<std::size_t>(servers) * schedule_.slots(buffer), 0);
}

at::Tensor ScheduleExchange::view(const Run& run) const {
  return rows_[static_cast<std::size_t>(run.buffer)].select(0, run.rank).narrow(0, run.slot, run.count);
}

// Rows as slots of one width: the gradients themselves where slots are all alike, else a copy.
void ScheduleExchange::deal(at::Tensor& gradients) {
  const std::int64_t chunks = schedule_.chunks;
  if (width_ * chunks == length_) {
    rows_[0] = gradients.view({schedule_.ranks, chunks, width_});
  } else {
    if (!rows_[0].defined()) rows_[0] = at::zeros({schedule_.ranks, chunks, width_}, gradients.options());
    for (std::uint32_t s = 0; s < schedule_.chunks; ++s) {
      const std::int64_t count = offset(s + 1) - offset(s);
      rows_[0].select(1, s).narrow(1, 0, count).copy_(gradients.narrow(1, offset(s), count));
    }
  }
  const auto uses = [&](Buffer buffer) {
    if (schedule_.result == buffer) return true;
    for (const Phase& phase : schedule_.phases)
      for (const Move& move : phase.moves)
        if (move.source_buffer == buffer || move.destination_buffer == buffer) return true;
    return false;
  };
  if (uses(Buffer::kOutput)) {
    if (!rows_[1].defined()) rows_[1] = at::empty_like(rows_[0]);
    rows_[1].copy_(rows_[0]);
  }
  if (schedule_.scratch > 0 && !rows_[2].defined())
    rows_[2] = at::zeros({schedule_.ranks, schedule_.scratch, width_}, gradients.options());
}

void ScheduleExchange::gather(at::Tensor& average) const {
  const at::Tensor row = rows_[static_cast<std::size_t>(schedule_.result)].select(0, 0);
  if (width_ * schedule_.chunks == length_) {
    average.copy_(row.view({length_}));
    return;
  }
  for (std::uint32_t s = 0; s < schedule_.chunks; ++s) {
    const std::int64_t count = offset(s + 1) - offset(s);
    average.narrow(0, offset(s), count).copy_(row.select(0, s).narrow(0, 0, count));
  }
}

// A move of this round as runs: both sides may wrap round at the end of their buffer.
void ScheduleExchange::collect(const Move& move, std::uint32_t round) {
  const std::uint32_t from_size = schedule_.slots(move.source_buffer),
                      to_size = schedule_.slots(move.destination_buffer);
  std::uint32_t from = schedule::slot_in_round(move, move.source_slot, round, from_size);
  std::uint32_t to = schedule::slot_in_round(move, move.destination_slot, round, to_size);
  for (std::uint32_t left = move.count; left > 0;) {
    const std::uint32_t count = std::min({left, from_size - from, to_size - to});
    steps_.push_back({move.action,
                      {move.source_buffer, move.source, from, count},
                      {move.destination_buffer, move.destination, to, count},
                      {}});
    left -= count;
    from = (from + count) % from_size;
    to = (to + count) % to_size;
  }
}

void ScheduleExchange::run_round(const Phase& phase, std::uint32_t round) {
  steps_.clear();
  for (const Move& move : phase.moves)
    if (const schedule::Window active = schedule::window(move, phase); round >= active.first && round < active.last)
      collect(move, round);

  // What someone reads and someone writes is read first
  ++round_;
  const auto first_mark = [&](const Run& run) {
    return written_[static_cast<std::size_t>(run.buffer)].begin() +
           static_cast<std::ptrdiff_t>(static_cast<std::size_t>(run.rank) * schedule_.slots(run.buffer) + run.slot);
  };
  for (const Step& step : steps_) std::fill_n(first_mark(step.to), step.to.count, round_);
  for (Step& step : steps_) {
    const auto mark = first_mark(step.from);
    if (std::find(mark, mark + step.from.count, round_) != mark + step.from.count)
      step.arriving = view(step.from).clone();
  }

  for (const Step& step : steps_) {
    const at::Tensor arriving = step.arriving.defined() ? step.arriving : view(step.from);
    at::Tensor to = view(step.to);
    if (step.action == Action::kStore)
      to.copy_(arriving);
    else
      to.add_(arriving);
  }
  steps_.clear();
}

void ScheduleExchange::average(at::Tensor& gradients, at::Tensor& average) {
  deal(gradients);
  for (const Phase& phase : schedule_.phases)
    for (std::uint32_t round = 0; round < phase.repeat; ++round) run_round(phase, round);
  gather(average);
  average.mul_(1.0f / static_cast<float>(schedule_.ranks));
}

std::string ScheduleExchange::describe() const {
  return fmt::format("{} on {} servers: {} rounds of float32 sums, proven by {}", schedule_.algorithm, schedule_.ranks,
                     schedule::rounds(schedule_), proof_);
}

std::vector<ExchangeEntry> schedules() {
  std::vector<ExchangeEntry> entries;
  for (const schedule::AlgorithmEntry& algorithm : schedule::algorithms().entries()) {
    if (std::ranges::find(algorithm.factory.kinds, schedule::Kind::kAllReduce) == algorithm.factory.kinds.end() ||
        algorithm.description.name == "in-fabric")
      continue;
    Description description = algorithm.description;
    for (Parameter& parameter : fabric_parameters(description.name))
      description.parameters.push_back(std::move(parameter));
    entries.push_back(
        {std::move(description), [](const ExchangeSpec& spec, int servers, std::int64_t length, const at::Device&) {
           return std::make_unique<ScheduleExchange>(spec, servers, length);
         }});
  }
  return entries;
}

}  // namespace helio::train
