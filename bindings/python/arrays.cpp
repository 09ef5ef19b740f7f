// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "asking.h"
#include "base/error.h"
#include "flow/program.h"
#include "pipeline/run.h"
#include "plan/auto.h"
#include "simulate/timeline.h"

namespace helio::python {
namespace {

// Which moves the tags of a template's operations number (src/fabric/lowering.cpp): those of the phase that it is named after; in dataflow
// order, where the entry has them all, those of all phases one after the other. None where names do not tell which phase it is.
class Senders {
 public:
  explicit Senders(const schedule::Schedule& schedule) : schedule_(schedule) {
    for (const schedule::Phase& phase : schedule.phases)
      if (!phases_.try_emplace(phase.name, &phase).second) phases_[phase.name] = nullptr;
  }

  std::optional<schedule::Move> move(const flow::Program& program, flow::TemplateId where, std::uint32_t tag) const {
    if (where == program.entry) {
      for (const schedule::Phase& phase : schedule_.phases) {
        if (tag < phase.moves.size()) return phase.moves[tag];
        tag -= static_cast<std::uint32_t>(phase.moves.size());
      }
      return std::nullopt;
    }
    const std::string& name = program.templates[where.value].name;
    const auto found = phases_.find(name.substr(0, name.find(" / ")));
    if (found == phases_.end() || !found->second || tag >= found->second->moves.size()) return std::nullopt;
    return found->second->moves[tag];
  }

 private:
  const schedule::Schedule& schedule_;
  std::map<std::string, const schedule::Phase*, std::less<>> phases_;
};

std::vector<TimelineRow> rows_of(const flow::Program& program, const simulate::Timeline& timeline,
                                 const schedule::Schedule* schedule) {
  std::optional<Senders> senders;
  if (schedule) senders.emplace(*schedule);
  std::vector<TimelineRow> rows;
  rows.reserve(timeline.spans.size());
  for (const simulate::Span& span : timeline.spans) {
    const flow::Operation& op = program.templates[span.where.value].operations[span.operation];
    TimelineRow& row = rows.emplace_back();
    row = {.start_s = span.start.to_seconds(),
           .end_s = span.end.to_seconds(),
           .period_s = span.period.to_seconds(),
           .bytes = op.kind == flow::OperationKind::kTransfer ? op.bytes : 0,
           .rounds = static_cast<std::int64_t>(span.rounds),
           .depth = static_cast<std::int32_t>(span.depth),
           .kind = static_cast<std::uint8_t>(op.kind)};
    if (op.kind == flow::OperationKind::kTransfer && senders)
      if (const auto move = senders->move(program, span.where, op.tag)) {
        if (move->source >= 0) row.rank = static_cast<std::int32_t>(move->source);
        if (move->destination >= 0) row.peer = static_cast<std::int32_t>(move->destination);
      }
    if (!op.route.valid()) continue;
    const auto links = program.routes.links(op.route);
    const auto channels = program.routes.channels(op.route);
    row.hops = static_cast<std::int32_t>(links.size() + channels.size());
    if (row.hops > 0)
      row.link = static_cast<std::int32_t>(links.empty() ? channels.front().value : links.front().link.value);
  }
  return rows;
}

void add_links(const flow::Program& program, const simulate::Timeline& timeline, Look& look) {
  const std::vector<double> bytes = flow::traffic(program);
  for (std::uint32_t r = 0; r < program.resources.size(); ++r) {
    const flow::ResourceId id{r};
    look.links.push_back(
        {bytes[r], timeline.busy_seconds[r], program.resources.rate(id).value, program.resources.is_channel(id)});
    look.link_names.push_back(program.resources.name(id));
  }
}

}  // namespace

std::shared_ptr<const Look> look_at(const ask::Answer& answer, std::size_t i, std::size_t most_spans) {
  if (i >= answer.results.size())
    throw Error(ErrorKind::kUsage, fmt::format("there is no collective {}", i), "look",
                fmt::format("this answer has {} of them", answer.results.size()));
  const pipeline::Result& result = answer.results[i];
  pipeline::Collective collective = answer.experiment.collectives[i];
  pipeline::Choice choice = plan::choice_of(result);
  if (choice.name.empty() || !result.attempts.empty())
    throw Error(ErrorKind::kInfeasible,
                fmt::format("'{}' is no schedule of one algorithm of the catalogue", result.algorithm), "look",
                "name an algorithm that the fabric carries as it is");
  collective.algorithm = std::move(choice);
  collective.verify = false;

  const auto look = std::make_shared<Look>();
  pipeline::RunOptions options;
  options.trace_limit = most_spans;
  options.saw_schedule = [&](const schedule::Schedule& schedule) {
    look->schedule = std::make_shared<schedule::Schedule>(schedule);
  };
  options.saw_timeline = [&](const flow::Program& program, const simulate::Timeline& timeline) {
    look->timeline = rows_of(program, timeline, look->schedule.get());
    look->timeline_cut = timeline.spans_cut;
    add_links(program, timeline, *look);
  };
  const pipeline::Result again = pipeline::run(answer.experiment, collective, options);
  constexpr double kAlike = 1e-9;  // rounds that are condensed are rounded otherwise
  if (std::abs(again.time_s - result.time_s) > kAlike * result.time_s && again.engine == "helio")
    throw std::logic_error(
        fmt::format("'{}' took {} s, and looked at {} s", result.algorithm, result.time_s, again.time_s));
  if (look->schedule)
    for (const schedule::Phase& phase : look->schedule->phases) {
      std::vector<schedule::Move>& moves = look->moves.emplace_back();
      moves.reserve(phase.moves.size());
      for (const schedule::Move& move : phase.moves) moves.push_back(move);
    }
  return look;
}

void know_rows() {
  static bool known = false;
  if (known) return;
  using schedule::Lane;
  using schedule::Move;
  PYBIND11_NUMPY_DTYPE(Lane, wavelength, width, direction);
  PYBIND11_NUMPY_DTYPE(Move, source, destination, source_slot, destination_slot, count, stride, first_round, last_round,
                       queue, lane, action, source_buffer, destination_buffer);
  PYBIND11_NUMPY_DTYPE(TimelineRow, start_s, end_s, period_s, bytes, rounds, link, hops, depth, rank, peer, kind);
  PYBIND11_NUMPY_DTYPE(LinkRow, bytes, busy_s, rate, channel);
  known = true;
}

void add_arrays(py::module_& module) {
  py::class_<Look, std::shared_ptr<Look>>(
      module, "Look", "A collective as it ran: its schedule, operations and links, as arrays without copies.")
      .def_property_readonly(
          "timeline", [](const py::object& self) { return seen(self.cast<const Look&>().timeline, self); },
          "A row for each operation: start_s, end_s, period_s, bytes, rounds, link (a row of `links`), hops, depth, "
          "rank and peer (of a transfer; -1: several), kind (0 delay, 1 compute, 2 transfer, 3 call).")
      .def_property_readonly(
          "links", [](const py::object& self) { return seen(self.cast<const Look&>().links, self); },
          "A row for each link and channel: bytes, busy_s, rate (b/s), channel.")
      .def_readonly("timeline_cut", &Look::timeline_cut, "Whether the timeline was too long to keep whole.")
      .def("link_name",
           [](const Look& look, std::size_t i) {
             if (i >= look.link_names.size()) throw py::index_error("there is no such link");
             return look.link_names[i];
           })
      .def_property_readonly(
          "phases",
          [](const py::object& self) {
            const Look& look = self.cast<const Look&>();
            py::list phases;
            for (std::size_t p = 0; p < look.moves.size(); ++p)
              phases.append(py::make_tuple(look.schedule->phases[p].name, look.schedule->phases[p].repeat,
                                           seen(look.moves[p], self)));
            return phases;
          },
          "The schedule: for each phase its name, how often it repeats, and its moves.")
      .def_property_readonly("chunks", [](const Look& look) { return look.schedule ? look.schedule->chunks : 0; })
      .def_property_readonly("sets", [](const Look& look) {
        py::list sets;
        if (look.schedule)
          for (const auto& set : look.schedule->sets) {
            py::list members;
            for (const auto member : set) members.append(member);
            sets.append(members);
          }
        return sets;
      });
  module.def("move_dtype", [] {
    know_rows();
    return py::dtype::of<schedule::Move>();
  });
}

}  // namespace helio::python
