// SPDX-License-Identifier: Apache-2.0
// What a page says, before it is HTML: plain values, saved as JSON (page_json.h) and drawn from it (page_html.h).
//
//     ┌ title ────────────────────────────────────────────────┐
//     │ section   cards   │ 5.019 ms │ │ 2.5 x │ │ ring │      │     a card: one number with its unit, what it is, the bound
//     │           words   Transmission is 79.6 % of the time … │     paragraphs made from the data (explain.h)
//     │           figures charts and pictures (figure.h)       │
//     │           tables  columns that sort                    │
//     │ section   …                                            │
//     │ asked     command, version, every parameter            │
//     └────────────────────────────────────────────────────────┘
//
// Nothing here is markup: whatever stands in a text is shown as text. Names of pages, sections, figures and tables are lower case
// letters, digits and '-', and unique on their page.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/result.h"
#include "report/figures/figure.h"

namespace helio::report {

struct Card {
  std::string value;      // with its unit
  std::string label;      // what it is
  std::string note = {};  // its bound, or where it comes from
  std::string page = {};  // a page of the same report to which its label leads
};

struct Cell {
  std::string text;
  std::optional<double> value = {};  // what it is sorted by; none: the text
  std::string mark = {};             // "good", "bad" or nothing
  std::string page = {};             // a page of the same report to which the cell leads
};

struct Column {
  std::string name;
  bool number = false;  // stands to the right
};

struct Table {
  std::string name;
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // as long as `columns`
  bool folded = false;                  // shown when asked for
};

struct Section {
  std::string name;
  std::string title;  // empty: follows the page's title
  std::vector<Card> cards = {};
  std::vector<std::string> words = {};
  std::vector<Figure> figures = {};
  std::vector<Table> tables = {};
};

struct Page {
  std::string name = "index";  // of its files
  std::string title;
  std::string menu = {};     // what the menu of a set calls it; empty: its title
  std::string lead = {};     // one sentence below the title
  std::string command = {};  // what to type to see it again
  std::string version = {};
  std::vector<pipeline::Configuration> configuration = {};  // every parameter as it was used, by owner
  std::vector<Section> sections = {};
  std::vector<std::string> further = {};  // of the first page of a set: names of the others
};

// A name as pages, sections, figures and tables have them; what else stands in `text` becomes '-'. Never empty.
std::string name_from(std::string_view text);
bool is_name(std::string_view text);

// Numbers the names of sections, figures and tables that stand there already, or are the page's own: "a" and its figure "a-spent" beside
// another section "a-spent". Requires: nothing refers to them yet.
void make_names_unique(Page& page);

}  // namespace helio::report
