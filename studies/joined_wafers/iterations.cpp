// SPDX-License-Identifier: Apache-2.0
// Every machine with every model, by injection.
#include <fmt/format.h>

#include "studies/joined_wafers/assumption.h"
#include "studies/joined_wafers/chapters.h"

namespace helio::studies::one_system_study {
namespace {

report::Row row_of(Runs& runs, const Question& question) {
  const IterationBound bound = runs.bound(question);
  return bounded_row(fmt::format("{}, {}, {:g} Tb/s a wafer: iteration (s)", question.model->title,
                                 name_of(question.system), question.injection / 1e12),
                     bound.seconds(), runs.seconds(question),
                     Assumptions{strategy_of(*question.model)} + network_of(question.system),
                     fmt::format("lower bound: {}", bound.binds()));
}

}  // namespace

Rows iterations(Runs& runs) {
  Rows rows;
  for (const Model* model : kModels)
    for (const double rate : kRates)
      for (const System& system : systems()) rows.push_back(row_of(runs, {system, model, rate}));
  for (const Model* model : kModels)
    rows.push_back(row_of(runs, {{Inside::kFredD, Between::kWrhtPublished}, model, kInjection}));
  return rows;
}

}  // namespace helio::studies::one_system_study
