// SPDX-License-Identifier: Apache-2.0
#include "report/pages/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/units.h"
#include "pipeline/counted.h"

namespace helio::report {
namespace {

using simulate::Split;

struct Part {
  const char* name;
  Time Split::*time;
};

constexpr std::array<Part, 7> kParts = {{{"transmission", &Split::transmission},
                                         {"latency", &Split::latency},
                                         {"the overhead of steps", &Split::overhead},
                                         {"setting up circuits", &Split::setup},
                                         {"compute or a planned wait", &Split::compute},
                                         {"waiting for channels", &Split::waiting},
                                         {"control", &Split::control}}};

constexpr double kNothing = 0.005;  // a change below this is none
constexpr double kAtBound = 1.01;
constexpr double kMoved = 0.1;  // a share that falls by less says little

std::string capital(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string sentence(const std::string& text) {
  return text.empty() || text.ends_with('.') ? capital(text) : capital(text) + ".";
}

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

std::string seconds(double value) { return format(Time::seconds(value)); }

double share_of(const Split& path, const Part& part) {
  const double whole = path.total().to_seconds();
  return whole > 0 ? (path.*part.time).to_seconds() / whole : 0;
}

// "1.6 times as long", "38 % less", "as long as now"
std::string against(double now, double then) {
  if (now <= 0 || std::abs(then - now) <= kNothing * now) return "no change worth naming";
  if (then > 2 * now) return fmt::format("{:.3g} times as long", then / now);
  return fmt::format("{} {}", percent(std::abs(then - now) / now), then < now ? "less" : "more");
}

// The part whose share falls most, by ten points or more, is what the change is about.
std::string moved_share(const Split& now, const Split& then) {
  if (now.total().is_zero() || then.total().is_zero()) return "";
  const auto fall = [&](const Part& part) { return share_of(now, part) - share_of(then, part); };
  const Part* most = &kParts[0];
  for (const Part& part : kParts)
    if (fall(part) > fall(*most)) most = &part;
  if (fall(*most) < kMoved) return "";
  return fmt::format(": {} is {} of the time now and would be {}", most->name, percent(share_of(now, *most)),
                     percent(share_of(then, *most)));
}

std::string answers(double now, const Split& path, const std::vector<WhatIf>& asked) {
  std::string text;
  for (const WhatIf& other : asked)
    text +=
        fmt::format("{}{} it would take {}, {}{}{}.", text.empty() ? "" : " ", other.change, seconds(other.time_s),
                    against(now, other.time_s), other.algorithm.empty() ? "" : fmt::format(", by {}", other.algorithm),
                    moved_share(path, other.critical));
  return text;
}

std::string distance(double time, double bound, const std::string& why) {
  if (bound <= 0) return "";
  const double ratio = time / bound;
  if (ratio < 1.0005) return fmt::format("That is the lower bound: no schedule can be faster ({}).", why);
  return ratio <= kAtBound
             ? fmt::format(
                   "That is {:.3f} times the lower bound of {}: no schedule can be faster by more than {} ({}).", ratio,
                   seconds(bound), percent(std::max(0.0, 1 - 1 / ratio)), why)
             : fmt::format("No schedule can take less than {} ({}); this one takes {:.3g} times as long.",
                           seconds(bound), why, ratio);
}

std::string others(const pipeline::Result& result) {
  const pipeline::Alternative* next = nullptr;
  std::size_t ran = 0, refused = 0;
  for (const pipeline::Alternative& other : result.alternatives) {
    if (!other.time) {
      ++refused;
      continue;
    }
    ++ran;
    if (!next || *other.time < *next->time) next = &other;
  }
  if (!next) return "";
  return fmt::format(
      "{} was the fastest of {} algorithms that were tried; the next, {}, takes {}, {}{}.", capital(result.algorithm),
      ran + 1, next->algorithm, format(*next->time), against(result.time_s, next->time->to_seconds()),
      refused > 0 ? fmt::format("; {} more cannot do it here or would take too long to try", refused) : "");
}

void add(std::vector<std::string>& paragraphs, const std::string& text) {
  if (!text.empty()) paragraphs.push_back(text);
}

}  // namespace

std::vector<std::pair<std::string, double>> shares_of(const Split& path) {
  std::vector<std::pair<std::string, double>> shares;
  for (const Part& part : kParts)
    if (const double share = share_of(path, part); share > 0) shares.emplace_back(part.name, share);
  std::ranges::stable_sort(shares, [](const auto& a, const auto& b) { return a.second > b.second; });
  return shares;
}

std::vector<std::string> explain(const pipeline::Result& result, const std::vector<WhatIf>& asked) {
  std::vector<std::string> paragraphs;
  const std::string who = result.groups > 1
                              ? fmt::format("{} groups of {}", result.groups, pipeline::counted(result.ranks, "rank"))
                              : pipeline::counted(result.ranks, "rank");
  add(paragraphs,
      fmt::format("{} of {} among {} on {}, by {}, takes {}. {}", capital(std::string(schedule::name_of(result.kind))),
                  format(result.bytes), who, result.fabric, result.algorithm, format(result.time),
                  distance(result.time_s, result.bound_s, result.bound)));
  add(paragraphs, sentence(result.bottleneck));
  add(paragraphs, answers(result.time_s, result.critical, asked));
  add(paragraphs, others(result));
  return paragraphs;
}

std::vector<std::string> explain(const pipeline::IterationResult& job, const std::vector<WhatIf>& asked) {
  std::vector<std::string> paragraphs;
  add(paragraphs, fmt::format("One iteration of {} on {} x {} takes {}. The bound is {} ({}): {} of the time is spent "
                              "on everything else, and nothing "
                              "but faster NPUs or another split gets below it.",
                              job.model, job.npus, job.npu, format(job.time), seconds(job.bound_s), job.bound,
                              job.time_s > 0 ? percent(std::max(0.0, 1 - job.bound_s / job.time_s)) : "nothing"));
  add(paragraphs, sentence(job.critical_path));
  add(paragraphs, answers(job.time_s, {}, asked));
  return paragraphs;
}

}  // namespace helio::report
