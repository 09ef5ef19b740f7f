// SPDX-License-Identifier: Apache-2.0
// What would work, in words. A setting among them (a remedy, another algorithm) is held as what it is, and only who talks to the user
// knows how it is written there:
//
//     "Use an endpoint algorithm, or " + advised("remedy", "endpoint") + "."
//
//     text()              Use an endpoint algorithm, or remedy=endpoint.        neutral: files, Python
//     written(option)     Use an endpoint algorithm, or --remedy endpoint.      the command line
//
// Invariant: marks lie one after the other within the words, and each covers the neutral form of its setting.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

// A key of an experiment, or a parameter's full path ("fabric.rate"), and its value; without a value, the key alone is meant.
struct AdvisedSetting {
  std::string key, value;
};

class Advice {
 public:
  Advice() = default;
  Advice(std::string words) : text_(std::move(words)) {}  // NOLINT: words alone are advice
  Advice(const char* words) : text_(words) {}             // NOLINT
  explicit Advice(AdvisedSetting setting);

  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }
  // The words with each setting as `write` puts it.
  std::string written(const std::function<std::string(const AdvisedSetting&)>& write) const;
  // The same with the settings called `key` called `name`: what is "remedy" for a collective is "job.remedy" for a job.
  Advice renamed(std::string_view key, const std::string& name) const;
  // Where the neutral text has `words`, or npos.
  std::size_t find(std::string_view words) const { return text_.find(words); }

  Advice& operator+=(const Advice& more);
  friend Advice operator+(Advice some, const Advice& more) { return std::move(some += more); }
  friend bool operator==(const Advice& a, const Advice& b) { return a.text_ == b.text_; }

 private:
  struct Mark {
    std::size_t begin, length;
    AdvisedSetting setting;
  };
  std::string text_;
  std::vector<Mark> marks_;
};

std::ostream& operator<<(std::ostream& out, const Advice& advice);  // its text

// A setting to put among words.
inline Advice advised(std::string key, std::string value = {}) {
  return Advice(AdvisedSetting{std::move(key), std::move(value)});
}

}  // namespace helio
