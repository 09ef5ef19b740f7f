// SPDX-License-Identifier: Apache-2.0
#include "report/pages/study_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace helio::report {
namespace {

// A difference below this is a match.
constexpr double kEqual = 1e-9;  // what is left is rounding

std::string number_text(double value) { return fmt::format("{:.5g}", value); }

const Row& row_of(const Study& study, const Headline& headline) {
  for (const Row& row : study.rows)
    if (row.quantity == headline.quantity) return row;
  throw std::logic_error(fmt::format("study '{}' has no row '{}'", study.name, headline.quantity));
}

// "0.2 %", or how much beside a 0.
std::string difference_text(const Row& row) {
  return row.beside() == 0 ? number_text(row.within()) : fmt::format("{:.2g} %", 100 * row.within());
}

void check(const Study& study) {
  for (const Headline& headline : study.headlines)
    if (!row_of(study, headline).met() && headline.because.empty())
      throw std::logic_error(fmt::format("study '{}' does not say why '{}' differs", study.name, headline.quantity));
}

Cell number_cell(double value) { return {.text = number_text(value), .value = value}; }

// What nobody published, but follows from the described design, says so.
Cell counterpart_cell(const Row& row) {
  return {.text = number_text(row.beside()) + (row.published ? "" : fmt::format(" ({})", row.versus())),
          .value = row.beside()};
}

Cell difference_cell(const Row& row) {
  return {.text = row.within() < kEqual ? "0 %" : difference_text(row),
          .value = row.within(),
          .mark = row.met() ? "good" : "bad"};
}

std::string matches(double within) {
  if (within < kEqual) return "match to every digit";
  return within < 5e-4 ? "match within 0.05 %" : fmt::format("match within {:.2g} %", 100 * within);
}

// The headlines of one study: its rows in people's words.
Table headline_table(const std::vector<Study>& studies, bool with_study) {
  Table table{
      .name = "headlines",
      .title = "Published and ours",
      .columns =
          {{"what"}, {"published", true}, {"ours", true}, {"difference", true}, {"label"}, {"verdict"}, {"source"}},
      .rows = {}};
  if (with_study) table.columns.insert(table.columns.begin(), {"design"});
  for (const Study& study : studies)
    for (const Headline& headline : study.headlines) {
      const Row& row = row_of(study, headline);
      std::vector<Cell> cells = {{headline.words},     counterpart_cell(row), number_cell(row.ours),
                                 difference_cell(row), {row.label()},         {verdict_of(row, headline)},
                                 {row.source}};
      if (with_study) cells.insert(cells.begin(), Cell{.text = study.title, .page = study.name});
      table.rows.push_back(std::move(cells));
    }
  return table;
}

// Ours over published, so that percents, milliseconds and square millimetres stand on one axis.
Figure ratio_chart(const std::vector<Study>& studies) {
  Chart chart{.name = "headline-ratios",
              .title = "Ours over published: 1 is a match",
              .x_label = "headline",
              .y_label = "ours / published",
              .words =
                  "The ratio of our number to the published or expected one for each headline, by design. "
                  "What lies away from 1 is explained in the table of headlines."};
  double at = 0;
  for (const Study& study : studies) {
    if (study.headlines.empty()) continue;
    Series& series = chart.series.emplace_back(Series{.name = study.title, .points = {}, .joined = false});
    for (const Headline& headline : study.headlines) {
      const Row& row = row_of(study, headline);
      if (row.beside() == 0) continue;
      chart.cases.push_back(headline.words);
      series.points.emplace_back(++at, row.ours / row.beside());
    }
  }
  return figure_of(chart);
}

// What a design is known for, ours beside it, on what it rests, and where its page is.
Card card_of(const Study& study) {
  const Headline& known = study.headlines.front();
  const Row& row = row_of(study, known);
  return {.value = fmt::format("{} / {}", number_text(row.ours), number_text(row.beside())),
          .label = fmt::format("{}: {}", study.title, known.words),
          .note = fmt::format("ours / {}, {}: {}", row.versus(), row.label(),
                              row.met() ? matches(row.within()) : "differs by " + difference_text(row)),
          .page = study.name};
}

// Assumptions are long and shared by many rows: a row names them by number, and they stand once below.
class Numbered {
 public:
  std::string numbers(const Assumptions& assumptions) {
    std::string list;
    for (const Assumption& assumption : assumptions) {
      const std::size_t number = numbers_.emplace(assumption.words(), used_.size() + 1).first->second;
      if (number > used_.size()) used_.push_back({assumption, 0});
      ++used_[number - 1].rows;
      list += fmt::format("{}{}", list.empty() ? "" : ", ", number);
    }
    return list;
  }
  Table table() const {
    Table table{.name = "assumptions",
                .title = fmt::format("The {} assumptions by number", used_.size()),
                .columns = {{"number", true}, {"rows", true}, {"assumption"}, {"grade"}, {"source"}, {"uses"}},
                .rows = {},
                .folded = true};
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const auto number = static_cast<double>(i + 1), rows = static_cast<double>(used_[i].rows);
      const Assumption& one = used_[i].assumption;
      table.rows.push_back({number_cell(number),
                            number_cell(rows),
                            {one.text},
                            {std::string(name_of(one.grade))},
                            {one.source},
                            {fmt::format("{}", fmt::join(one.uses, ", "))}});
    }
    return table;
  }
  bool empty() const { return used_.empty(); }

 private:
  struct Used {
    Assumption assumption;
    std::size_t rows = 0;
  };
  std::map<std::string, std::size_t> numbers_;  // by their words
  std::vector<Used> used_;
};

Table rows_table(const std::string& name, const std::string& versus, const std::vector<const Row*>& rows,
                 Numbered& assumptions) {
  Table table{.name = name,
              .title = fmt::format("All {} numbers beside {}", rows.size(),
                                   rows.front()->bounded ? "their lower bounds" : "what was " + versus),
              .columns = {{"quantity"},
                          {versus, true},
                          {"ours", true},
                          {"difference", true},
                          {"label"},
                          {"predicted"},
                          {"source"},
                          {"assumptions"}},
              .rows = {}};
  for (const Row* row : rows)
    table.rows.push_back({{row->quantity},
                          {.text = fmt::format("{:.8g}", row->beside()), .value = row->beside()},
                          {.text = fmt::format("{:.8g}", row->ours), .value = row->ours},
                          difference_cell(*row),
                          {row->label()},
                          {row->predicted() ? "yes" : "no"},
                          {row->source},
                          {assumptions.numbers(row->assumptions)}});
  return table;
}

Section rows_section(const Study& study) {
  Section section{.name = "rows",
                  .title = "Every row",
                  .words = {"A row is predicted when nothing it rests on used its number: no parameter was chosen to "
                            "meet it or solved from it, and it was not restated. Its label is the weakest grade of "
                            "its assumptions: ours, recalled, fitted, calibrated, literal. Numbers under assumptions "
                            "are those of the list below."}};
  Numbered assumptions;
  std::vector<std::string> sorts;
  for (const Row& row : study.rows)
    if (!std::ranges::count(sorts, row.versus())) sorts.emplace_back(row.versus());
  for (const std::string& versus : sorts) {
    std::vector<const Row*> rows;
    for (const Row& row : study.rows)
      if (row.versus() == versus) rows.push_back(&row);
    section.tables.push_back(rows_table("rows-" + name_from(versus), versus, rows, assumptions));
  }
  if (!assumptions.empty()) section.tables.push_back(assumptions.table());
  return section;
}

// Rows, and those within 1 %.
struct Count {
  std::size_t rows = 0, met = 0;
  void add(const Row& row) {
    ++rows;
    met += row.met();
  }
  std::string text() const { return fmt::format("{} of {}", met, rows); }
};

// What is worth most first: nothing fitted, something fitted to other numbers, this number used; then our own derivations.
struct Counts {
  Count unfitted, predicted, used, expected, bounded;
  explicit Counts(const std::vector<Row>& rows) {
    for (const Row& row : rows)
      (row.bounded       ? bounded
       : !row.published  ? expected
       : row.unfitted()  ? unfitted
       : row.predicted() ? predicted
                         : used)
          .add(row);
  }
};

std::vector<Card> cards_of(const Counts& counts) {
  std::vector<Card> cards;
  const auto add = [&](const Count& count, const char* what, const char* note) {
    if (count.rows > 0) cards.push_back({count.text(), what, note});
  };
  add(counts.unfitted, "unfitted predictions within 1 %", "beside published numbers; nothing was fitted to any");
  add(counts.predicted, "predictions from other published numbers",
      "a parameter was fitted to, or solved from, others");
  add(counts.used, "published numbers that were used", "chosen to be met, solved from or restated: no evidence");
  add(counts.expected, "own derivations met within 1 %", "expected, not published");
  if (counts.bounded.rows > 0)
    cards.push_back({fmt::format("{}", counts.bounded.rows), "results of our own", "beside lower bounds"});
  return cards;
}

std::string in_words(const Study& study) {
  const Counts counts(study.rows);
  std::vector<std::string> parts;
  const auto add = [&](const Count& count, const char* of) {
    if (count.rows > 0) parts.push_back(fmt::format("{} {}", count.text(), of));
  };
  add(counts.unfitted, "unfitted predictions of published numbers");
  add(counts.predicted, "predictions from other published numbers");
  add(counts.used, "published numbers that were used to choose something");
  add(counts.expected, "numbers that we derive ourselves");
  if (counts.bounded.rows > 0)
    return fmt::format("{}: {} results of our own, each beside a lower bound.", study.title, counts.bounded.rows);
  return fmt::format("{}, within 1 %: {}.", study.title, fmt::join(parts, "; "));
}

}  // namespace

std::string verdict_of(const Row& row, const Headline& headline) {
  std::string text = row.met() ? matches(row.within()) : "differs by " + difference_text(row);
  if (row.met() && !row.predicted()) text += ", having used it";
  return headline.because.empty() ? text : fmt::format("{}: {}", text, headline.because);
}

Page page_of(const Study& study) {
  check(study);
  Page page{.name = study.name, .title = study.title, .menu = study.title, .lead = study.summary};
  Section first{.name = "summary", .title = "", .cards = cards_of(Counts(study.rows))};
  first.words = {in_words(study), fmt::format("Source: {}.", study.reference)};
  first.words.insert(first.words.end(), study.words.begin(), study.words.end());
  if (!study.headlines.empty()) first.tables.push_back(headline_table({study}, false));
  page.sections.push_back(std::move(first));
  if (!study.charts.empty()) {
    Section charts{.name = "charts", .title = "Charts"};
    for (const Chart& chart : study.charts) charts.figures.push_back(figure_of(chart));
    page.sections.push_back(std::move(charts));
  }
  if (!study.figures.empty())
    page.sections.push_back({.name = "pictures", .title = "The design at work", .figures = study.figures});
  if (!study.rows.empty()) page.sections.push_back(rows_section(study));
  return page;
}

std::vector<Page> pages_of(const std::vector<Study>& studies) {
  if (studies.size() == 1) {
    Page page = page_of(studies.front());
    page.name = "index";
    return {page};
  }
  Page front{.name = "index",
             .title = "What moving gradients by light, or through a wafer, really buys",
             .menu = "overview",
             .lead = "Four published designs, and what we make of their numbers."};
  // Designs first, then what has no headline
  std::vector<Study> ordered = studies;
  std::stable_partition(ordered.begin(), ordered.end(), [](const Study& study) { return !study.headlines.empty(); });
  std::vector<Row> all;
  for (const Study& study : studies) all.insert(all.end(), study.rows.begin(), study.rows.end());
  // One look: all headlines on one axis; then a card for each design; then every number
  Section ratios{.name = "ratios", .title = "", .figures = {ratio_chart(ordered)}};
  Section each{.name = "designs", .title = "Design by design"};
  for (const Study& study : ordered) {
    if (!study.headlines.empty()) each.cards.push_back(card_of(study));
    each.words.push_back(in_words(study));
  }
  Section summary{.name = "summary", .title = "Every headline", .cards = cards_of(Counts(all))};
  summary.words = {
      "Most published numbers stand in several rows, one for each reading of what the papers leave open: the rows that "
      "miss "
      "say which readings cannot be meant, or what does not reproduce."};
  summary.tables.push_back(headline_table(ordered, true));
  front.sections = {std::move(ratios), std::move(each), std::move(summary)};
  std::vector<Page> pages = {std::move(front)};
  for (const Study& study : ordered) pages.push_back(page_of(study));
  return pages;
}

}  // namespace helio::report
