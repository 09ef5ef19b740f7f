// SPDX-License-Identifier: Apache-2.0
// A page with something in every field, all of it hostile where text from outside may stand.
#pragma once

#include "report/figures/chart.h"
#include "report/figures/stacked.h"
#include "report/pages/page.h"

namespace helio::report {

inline constexpr const char* kHostile = "</script><script>alert(\"x\")</script><img src=x onerror='y'> & more";

inline Chart a_chart_of_three() {
  return {.name = "a-sweep",
          .title = kHostile,
          .x_label = "nodes",
          .y_label = "time (ms)",
          .log_x = true,
          .series = {{kHostile, {{1, 2}, {10, 1.0 / 3}}}, {"paper", {{1, 2}}, true}}};
}

inline Page a_page() {
  Page page{
      .name = "index", .title = kHostile, .menu = "menu", .lead = kHostile, .command = kHostile, .version = "0.1.0"};
  page.configuration = {{"fabric", {{"nodes", "8"}, {"<b>", kHostile}}}};
  Section section{.name = "first", .title = kHostile};
  section.cards = {{"5 ms", kHostile, kHostile}, {"1", "plain", ""}};
  section.words = {kHostile, "second"};
  section.figures = {figure_of(a_chart_of_three()),
                     figure_of(Stacked{.name = "a-stack",
                                       .title = kHostile,
                                       .words = kHostile,
                                       .value_label = "ms",
                                       .bars = {kHostile},
                                       .parts = {{"compute", {2}}, {kHostile, {1}}, {"nothing", {0}}}})};
  section.tables = {{"a-table",
                     kHostile,
                     {{"name"}, {"time", true}},
                     {{{kHostile}, {.text = "2 ms", .value = 1.0 / 3, .mark = "good"}},
                      {{.text = "there", .page = "other"}, {.text = "-"}}}},
                    {"folded-table", "f", {{"x"}}, {{{"1"}}}, true}};
  page.sections = {section, {.name = "second", .title = ""}};
  return page;
}

}  // namespace helio::report
