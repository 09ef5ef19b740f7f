// SPDX-License-Identifier: Apache-2.0
// What NumPy sees without a copy: arrays over the vectors of C++, which live as long as anybody holds an array of them.
//
//     look(answer, i) ─▶ Look     the collective once more, with all that the engine records: the same time, or it is our mistake
//       schedule                  its moves, phase by phase           Move of schedule/moves.h, field by field
//       timeline                  every operation that ran            TimelineRow
//       links                     every link and channel              LinkRow
//     Network ─▶ layers, meshes   weights, biases, phases of MZIs     Mzi of photonics/mesh.h
//
// numpy is imported when the first array is made, not with the module.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "ask/experiment.h"
#include "schedule/schedule.h"

namespace helio::python {

namespace py = pybind11;

// One operation, or `rounds` runs of it, each `period_s` after the last.
struct TimelineRow {
  double start_s = 0, end_s = 0, period_s = 0;
  double bytes = 0;  // of a transfer
  std::int64_t rounds = 1;
  std::int32_t link = -1;  // the first of its way: a row of `links`
  std::int32_t hops = 0;   // links and channels of its way
  std::int32_t depth = 0;  // nesting of calls
  std::int32_t rank = -1;  // of a transfer, who sends it
  std::int32_t peer = -1;  // and to whom; -1: several ranks, or none
  std::uint8_t kind = 0;   // 0 delay, 1 compute, 2 transfer, 3 call
};

struct LinkRow {
  double bytes = 0;   // over the whole run
  double busy_s = 0;  // bytes over rate for links, time held for channels
  double rate = 0;    // bits per second; 0: it does not limit
  bool channel = false;
};

struct Look {
  std::shared_ptr<const schedule::Schedule> schedule;
  std::vector<std::vector<schedule::Move>> moves;  // by phase
  std::vector<TimelineRow> timeline;
  bool timeline_cut = false;
  std::vector<LinkRow> links;
  std::vector<std::string> link_names;
};

// Of collective `i` of the answer. Throws Error(kInfeasible) where the algorithm is none of the catalogue, Error(kUsage) for a number that there is not.
std::shared_ptr<const Look> look_at(const ask::Answer& answer, std::size_t i, std::size_t most_spans);

// Before an array of one of these rows is made or taken.
void know_rows();

// A vector, or a part of one, as an array that keeps `owner` alive and may not be written to.
template <class Row>
py::array seen(const std::vector<Row>& rows, const py::handle& owner) {
  know_rows();
  py::array array(py::dtype::of<Row>(), {static_cast<py::ssize_t>(rows.size())},
                  {static_cast<py::ssize_t>(sizeof(Row))}, rows.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

void add_arrays(py::module_& module);

}  // namespace helio::python
