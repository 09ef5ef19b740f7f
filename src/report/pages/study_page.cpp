// SPDX-License-Identifier: Apache-2.0
#include "report/pages/study_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace helio::report {
namespace {

// A difference below this is a match.
constexpr double kEqual = 1e-9;  // what is left is rounding

// What numbers of our own stand beside: nothing that they should meet.
constexpr const char* kBound = "bound";

std::string number_text(double value) { return fmt::format("{:.5g}", value); }

const Row& row_of(const Study& study, const Headline& headline) {
  for (const Row& row : study.rows)
    if (row.quantity == headline.quantity) return row;
  throw std::logic_error(fmt::format("study '{}' has no row '{}'", study.name, headline.quantity));
}

// "0.2 %", or how much where 0 is published.
std::string difference_text(const Row& row) {
  return row.published == 0 ? number_text(row.within()) : fmt::format("{:.2g} %", 100 * row.within());
}

void check(const Study& study) {
  for (const Headline& headline : study.headlines)
    if (!row_of(study, headline).met() && headline.because.empty())
      throw std::logic_error(fmt::format("study '{}' does not say why '{}' differs", study.name, headline.quantity));
}

Cell number_cell(double value) { return {.text = number_text(value), .value = value}; }

// What nobody published, but follows from the described design, says so.
Cell counterpart_cell(const Row& row) {
  return {.text = number_text(row.published) + (row.versus == "published" ? "" : fmt::format(" ({})", row.versus)),
          .value = row.published};
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
                                 difference_cell(row), {row.label},           {verdict_of(row, headline)},
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
                  "What lies away from 1 is explained in the table above."};
  double at = 0;
  for (const Study& study : studies) {
    if (study.headlines.empty()) continue;
    Series& series = chart.series.emplace_back(Series{.name = study.title, .points = {}, .joined = false});
    for (const Headline& headline : study.headlines) {
      const Row& row = row_of(study, headline);
      if (row.published == 0) continue;
      chart.cases.push_back(headline.words);
      series.points.emplace_back(++at, row.ours / row.published);
    }
  }
  return figure_of(chart);
}

// Assumptions are long and shared by many rows: a row names them by number, and they stand once below.
class Assumptions {
 public:
  std::string numbers(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) {
      const std::size_t number = numbers_.emplace(text, texts_.size() + 1).first->second;
      if (number > texts_.size()) texts_.push_back({text, 0});
      ++texts_[number - 1].rows;
      list += fmt::format("{}{}", list.empty() ? "" : ", ", number);
    }
    return list;
  }
  Table table() const {
    Table table{.name = "assumptions",
                .title = fmt::format("The {} assumptions by number", texts_.size()),
                .columns = {{"number", true}, {"rows", true}, {"assumption"}},
                .rows = {},
                .folded = true};
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const auto number = static_cast<double>(i + 1), rows = static_cast<double>(texts_[i].rows);
      table.rows.push_back({number_cell(number), number_cell(rows), {texts_[i].text}});
    }
    return table;
  }
  bool empty() const { return texts_.empty(); }

 private:
  struct Used {
    std::string text;
    std::size_t rows = 0;
  };
  std::map<std::string, std::size_t> numbers_;
  std::vector<Used> texts_;
};

Table rows_table(const std::string& name, const std::string& versus, const std::vector<const Row*>& rows,
                 Assumptions& assumptions) {
  Table table{.name = name,
              .title = versus == kBound ? fmt::format("All {} numbers beside their lower bounds", rows.size())
                                        : fmt::format("All {} numbers beside what was {}", rows.size(), versus),
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
                          {.text = fmt::format("{:.8g}", row->published), .value = row->published},
                          {.text = fmt::format("{:.8g}", row->ours), .value = row->ours},
                          difference_cell(*row),
                          {row->label},
                          {row->predicted ? "yes" : "no"},
                          {row->source},
                          {assumptions.numbers(row->assumptions)}});
  return table;
}

Section rows_section(const Study& study) {
  Section section{.name = "rows",
                  .title = "Every row",
                  .words = {"A row is predicted when no parameter was chosen to meet its number. Numbers under "
                            "assumptions are those of the list below."}};
  Assumptions assumptions;
  std::vector<std::string> sorts;
  for (const Row& row : study.rows)
    if (!std::ranges::count(sorts, row.versus)) sorts.push_back(row.versus);
  for (const std::string& versus : sorts) {
    std::vector<const Row*> rows;
    for (const Row& row : study.rows)
      if (row.versus == versus) rows.push_back(&row);
    section.tables.push_back(rows_table("rows-" + name_from(versus), versus, rows, assumptions));
  }
  if (!assumptions.empty()) section.tables.push_back(assumptions.table());
  return section;
}

struct Counts {
  std::size_t rows = 0, match = 0, published = 0, published_match = 0, predicted = 0, predicted_match = 0;
  std::size_t own = 0;  // beside bounds, and in none of the others
};

Counts counts_of(const std::vector<Row>& rows) {
  Counts counts;
  for (const Row& row : rows) {
    const bool match = row.met(), published = row.versus == "published";
    if (row.versus == kBound) {
      ++counts.own;
      continue;
    }
    ++counts.rows;
    counts.match += match;
    counts.published += published;
    counts.published_match += published && match;
    counts.predicted += published && row.predicted;
    counts.predicted_match += published && row.predicted && match;
  }
  return counts;
}

std::vector<Card> cards_of(const Counts& counts) {
  std::vector<Card> cards;
  if (counts.rows > 0)
    cards.push_back(
        {fmt::format("{} of {}", counts.match, counts.rows), "rows within 1 %", "published and derived numbers"});
  if (counts.own > 0) cards.push_back({fmt::format("{}", counts.own), "rows of our own", "each beside a lower bound"});
  if (counts.published > 0)
    cards.push_back({fmt::format("{} of {}", counts.published_match, counts.published),
                     "published numbers met within 1 %", "parameters chosen to meet them included"});
  if (counts.predicted > 0)
    cards.push_back({fmt::format("{} of {}", counts.predicted_match, counts.predicted), "of those, predicted ones",
                     "no parameter was chosen to meet them"});
  return cards;
}

std::string in_words(const Study& study) {
  const Counts counts = counts_of(study.rows);
  if (counts.rows == 0)
    return fmt::format("{}: {} rows of our own, each beside a lower bound.", study.title, counts.own);
  std::string text = fmt::format("{}: {} of {} rows are within 1 %", study.title, counts.match, counts.rows);
  if (counts.published > 0)
    text += fmt::format("; of {} published numbers {} are met, and of the {} that no parameter was chosen for, {}",
                        counts.published, counts.published_match, counts.predicted, counts.predicted_match);
  return text + ".";
}

}  // namespace

std::string verdict_of(const Row& row, const Headline& headline) {
  std::string text = row.met() ? matches(row.within()) : "differs by " + difference_text(row);
  if (row.met() && !row.predicted) text += ", by a parameter chosen to meet it";
  return headline.because.empty() ? text : fmt::format("{}: {}", text, headline.because);
}

Page page_of(const Study& study) {
  check(study);
  Page page{.name = study.name, .title = study.title, .menu = study.title, .lead = study.summary};
  Section first{.name = "summary", .title = "", .cards = cards_of(counts_of(study.rows))};
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
  Section summary{.name = "summary", .title = "", .cards = cards_of(counts_of(all))};
  summary.words = {
      "Most published numbers stand in several rows, one for each reading of what the papers leave open: the rows that "
      "miss "
      "say which readings cannot be meant, or what does not reproduce."};
  summary.tables.push_back(headline_table(ordered, true));
  Section each{.name = "designs", .title = "Design by design", .figures = {ratio_chart(ordered)}};
  for (const Study& study : ordered) each.words.push_back(in_words(study));
  front.sections = {std::move(summary), std::move(each)};
  std::vector<Page> pages = {std::move(front)};
  for (const Study& study : ordered) pages.push_back(page_of(study));
  return pages;
}

}  // namespace helio::report
