// SPDX-License-Identifier: Apache-2.0
#include "asking.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <variant>

#include "ask/report.h"
#include "base/budget.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_ledger.h"
#include "base/interrupt.h"
#include "report/pages/page_html.h"
#include "schedule/own_algorithm.h"

namespace helio::python {
namespace {

// Ctrl-C while the main thread asks: our loops are told, and then the interpreter, as it would have been. Questions that other threads ask meanwhile
// stop as well.
class StoppedByCtrlC {
 public:
  StoppedByCtrlC() {
    if (depth_++ > 0) return;
    struct sigaction ours {};
    ours.sa_handler = [](int signal) {
      interrupt_requested = true;
      if (before_.sa_handler != SIG_DFL && before_.sa_handler != SIG_IGN) before_.sa_handler(signal);
    };
    sigaction(SIGINT, &ours, &before_);
  }
  ~StoppedByCtrlC() {
    if (--depth_ > 0) return;
    sigaction(SIGINT, &before_, nullptr);
    interrupt_requested = false;
  }
  StoppedByCtrlC(const StoppedByCtrlC&) = delete;
  StoppedByCtrlC& operator=(const StoppedByCtrlC&) = delete;

 private:
  static inline int depth_ = 0;  // of questions within questions; of the main thread only
  static inline struct sigaction before_ {};
};

// Whether Python hears of signals on this thread, and has a handler of its own that one without arguments can call.
bool hears_signals() {
  if (gettid() != getpid()) return false;
  struct sigaction now {};
  return sigaction(SIGINT, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler != SIG_DFL &&
         now.sa_handler != SIG_IGN;
}

// What is left out of a budget is as usual. Memory is not limited for the process, which is not ours: it is what estimates are held to.
BudgetLimits limits_of(const std::string& budget) {
  BudgetLimits limits = parse_budget(budget, "budget");
  const BudgetLimits usual = parse_budget(kUsualBudget, "budget");
  if (limits.seconds == 0) limits.seconds = usual.seconds;
  if (limits.bytes == 0) limits.bytes = usual.bytes;
  return limits;
}

}  // namespace

void asked(const std::string& budget, const std::function<void()>& work) {
  std::optional<StoppedByCtrlC> stopped;
  if (hears_signals()) stopped.emplace();
  bool interrupted = false;
  {
    const py::gil_scoped_release alone;
    const schedule::AlgorithmsInUse in_use;
    try {
      if (budget.empty())
        work();
      else
        within_budget(limits_of(budget), work);
    } catch (const Interrupted&) {
      interrupted = true;
    } catch (const std::length_error&) {
      throw Error(ErrorKind::kInfeasible, "this needs more memory than any machine has", "",
                  "ask for fewer nodes or micro-batches, or for an algorithm with fewer moves");
    }
  }
  stopped.reset();
  if (!interrupted) return;
  if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);  // a handler that only took note
  throw py::error_already_set();
}

namespace {

// Notes again what the answer was made from.
class LedgerOf {
 public:
  explicit LedgerOf(const std::vector<std::string>& files) {
    for (const std::string& file : files) note_read(file, file);
  }

 private:
  FileLedger ledger_{FileLedger::Of::kThread};
};

}  // namespace

void Answered::write_report(const std::string& folder) const {
  if (!report) throw Error(ErrorKind::kUsage, "this answer has no page", "report", "its to_json() says all of it");
  asked(budget, [&] {
    const LedgerOf ledger(files);
    declare_output(folder, "report", OutputUse::kFolder);
    report::declare_report(folder, data_file, "report");
    ask::write(report(), folder, call, "report");
  });
}

void Answered::write_trace(const std::string& path) const {
  if (!trace) throw Error(ErrorKind::kUsage, "this answer has no trace", "trace", "collective and simulate have one");
  asked(budget, [&] {
    const LedgerOf ledger(files);
    refuse_unwritable(path, "trace");
    declare_output(path, "trace");
    write_file(path, trace(), "trace", Parents::kMade);
  });
}

std::string Answered::html() const {
  std::string page;
  if (const auto& drawn = picture ? picture : report)
    asked(budget, [&] {
      report::Report made = drawn();
      if (!made.pages.empty()) {
        made.pages.front().command = call;
        page = report::to_html(made.pages.front());
      }
    });
  return page;
}

std::shared_ptr<const Answered> ask_question(const std::string& name, const py::dict& given, const std::string& call) {
  const auto known = std::ranges::find(questions(), name, [](const Question& one) { return std::string(one.name); });
  if (known == questions().end()) throw std::logic_error("there is no question '" + name + "'");
  Keywords keywords(given);
  std::string budget = known->budget;
  if (!budget.empty()) keywords.read("budget", budget);
  const std::function<Answered()> work = known->read(keywords);
  std::vector<std::pair<std::string, std::string>> outputs;  // path and place
  for (const char* output : known->outputs)
    if (keywords.has(output)) outputs.emplace_back(text_of(given[output]), output);
  keywords.check_all_read();

  const auto answer = std::make_shared<Answered>();
  asked(budget, [&] {
    const FileLedger ledger(FileLedger::Of::kThread);
    for (const auto& [path, place] : outputs) {
      refuse_unwritable(path, place);
      declare_output(path, place);
    }
    *answer = work();
    answer->files = ledger.read();
  });
  answer->call = call;
  answer->budget = budget;
  return answer;
}

}  // namespace helio::python
