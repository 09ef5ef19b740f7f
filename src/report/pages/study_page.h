// SPDX-License-Identifier: Apache-2.0
// Studies as pages: what was published beside ours, in words, in pictures and in every row.
//
//     index.html     the headlines of all studies, with a verdict each          wrht.html, oddl.html, …  one study: cards, words,
//                    chart: ours over published                                                          charts, all its rows
//
// One study alone is index.html by itself.
#pragma once

#include <string>
#include <vector>

#include "report/figures/chart.h"
#include "report/pages/page.h"
#include "report/row.h"

namespace helio::report {

// A row that a design is known for.
struct Headline {
  std::string quantity;  // as its row has it
  std::string words;     // the same for people who do not know the study's language
  std::string because;   // why ours differs, or what the match rests on; "" where nothing needs saying
};

struct Study {
  std::string name, title, summary, reference;
  std::vector<Row> rows = {};
  std::vector<Headline> headlines = {};
  std::vector<Chart> charts = {};
  std::vector<Figure> figures = {};     // further ones: training curves, pictures of the design
  std::vector<std::string> words = {};  // paragraphs: what it found, and why
};

// "match within 0.2 %", "match to the last digit printed", "differs by 34 %: …"; a match that used the number says so.
std::string verdict_of(const Row& row, const Headline& headline);

// Requires: a row for each headline, and a reason for each that differs (std::logic_error names the one without).
Page page_of(const Study& study);

// The front page first. With one study, its page alone, called index.
std::vector<Page> pages_of(const std::vector<Study>& studies);

}  // namespace helio::report
