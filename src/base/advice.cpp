// SPDX-License-Identifier: Apache-2.0
#include "base/advice.h"

#include <ostream>

namespace helio {

Advice::Advice(AdvisedSetting setting) : text_(setting.key) {
  if (!setting.value.empty()) text_ += "=" + setting.value;
  marks_.push_back({0, text_.size(), std::move(setting)});
}

std::string Advice::written(const std::function<std::string(const AdvisedSetting&)>& write) const {
  std::string words;
  std::size_t at = 0;
  for (const Mark& mark : marks_) {
    words.append(text_, at, mark.begin - at).append(write(mark.setting));
    at = mark.begin + mark.length;
  }
  return words.append(text_, at);
}

Advice Advice::renamed(std::string_view key, const std::string& name) const {
  Advice result;
  std::size_t at = 0;
  for (const Mark& mark : marks_) {
    result += text_.substr(at, mark.begin - at);
    result += advised(mark.setting.key == key ? name : mark.setting.key, mark.setting.value);
    at = mark.begin + mark.length;
  }
  return result += text_.substr(at);
}

Advice& Advice::operator+=(const Advice& more) {
  const std::size_t before = text_.size(), marks = more.marks_.size();
  text_ += more.text_;
  for (std::size_t i = 0; i < marks; ++i) {
    marks_.push_back(more.marks_[i]);
    marks_.back().begin += before;
  }
  return *this;
}

std::ostream& operator<<(std::ostream& out, const Advice& advice) { return out << advice.text(); }

}  // namespace helio
