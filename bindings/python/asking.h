// SPDX-License-Identifier: Apache-2.0
// A question as Python asks it: without the interpreter's lock, within a budget, stopped by Ctrl-C, its files noted.
//
//     keywords ─▶ Question ─▶ asked(…) ─▶ Answered ─▶ to_json(), text(), report(dir), trace(path), look()
//                 reads the keywords,       keeps the question, to ask it again for what
//                 with the lock             only a page, a trace or arrays need
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ask/experiment.h"
#include "ask/front_end.h"
#include "keywords.h"
#include "report/pages/folder.h"

namespace helio::python {

// What the process allows a question, unless it says otherwise: as the command's --budget.
inline constexpr const char* kUsualBudget = "8 s, 2 GB";

// Runs what needs no interpreter. Throws Error as helio::within_budget, and KeyboardInterrupt after Ctrl-C in the main thread. `budget`: empty: none.
void asked(const std::string& budget, const std::function<void()>& work);

// What a question gave. Nothing changes after it was made, but for the texts that are made when they are first asked for.
struct Answered {
  std::function<std::string()> json, text;
  std::function<report::Report()> report = {};  // none: it has no page
  std::function<report::Report()> picture =
      {};                                   // the same without what is asked again for its reasons; none: the report
  std::function<std::string()> trace = {};  // none: it has none
  std::function<std::shared_ptr<const ask::Answer>()> collectives = {};  // that arrays can be taken of
  std::string data_file = {};                                            // of the report
  std::string budget = {};
  std::vector<std::string> files = {};  // that were read
  std::string call = {};                // how to ask again, for pages

  // Throw Error(kUsage) for an output that would replace a file that was read.
  void write_report(const std::string& folder) const;
  void write_trace(const std::string& path) const;
  std::string html() const;
};

// A command, and what it does with its keywords: `read` with the lock, the function that it gives without.
struct Question {
  const char* name;  // "fred.route"
  std::function<std::function<Answered()>(Keywords&)> read;
  const char* budget = kUsualBudget;      // empty: none
  std::vector<const char*> outputs = {};  // keywords that name files it writes
};
const std::vector<Question>& questions();

std::shared_ptr<const Answered> ask_question(const std::string& name, const py::dict& given, const std::string& call);

}  // namespace helio::python
