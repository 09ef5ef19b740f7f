// SPDX-License-Identifier: Apache-2.0
#include "base/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/visible.h"

namespace helio {
namespace {

constexpr std::size_t kFewKeys = 16;  // as many are compared one by one

// The letters of the text for the library, and how far it has read.
class Letters {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Letters(const char* at, const char** read) : at_(at), read_(read) {}
  reference operator*() const { return *at_; }
  Letters& operator++() {
    *read_ = ++at_;
    return *this;
  }
  bool operator==(const Letters& other) const { return at_ == other.at_; }
  bool operator!=(const Letters& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** read_;
};

// Takes what the library reads, piece by piece, and refuses before anything deep is built.
class Builder {
 public:
  Builder(std::string_view text, const std::string& source, const Advice& advice)
      : text_(text), source_(source), advice_(advice), read_(text.data()) {}

  Json built() {
    const char* end = text_.data() + text_.size();
    Json::sax_parse(Letters(text_.data(), &read_), Letters(end, &read_), this);
    return std::move(root_);
  }

  // The library's questions; true: go on.
  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // JSON has none
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    if (!open_.back().is_new(name)) throw twice(name);
    open_.back().key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …; last read: …"
    std::string_view why = error.what();
    why.remove_prefix(std::min(why.find("] "), why.size() - 2) + 2);
    if (why.starts_with("parse error at")) why.remove_prefix(std::min(why.find(": "), why.size() - 2) + 2);
    why = why.substr(0, why.find("; last read"));
    throw wrong(fmt::format("not a JSON file: {}", position > text_.size() ? "it ends too early" : shown(why)),
                position > 0 ? position - 1 : 0);
  }

 private:
  struct Open {
    Json* value;
    std::string key = {};              // under which the next value goes into an object
    std::set<std::string> names = {};  // of an object with more than a few

    bool is_new(const std::string& name) {
      const auto& object = value->get_ref<const Json::object_t&>();
      if (object.size() < kFewKeys) return object.find(name) == object.end();
      if (names.empty())
        for (const auto& [known, held] : object) names.insert(known);
      return names.insert(name).second;
    }
  };

  // The value where it now stands. What is open grows only at its end, and only while nothing within it is open: pointers hold.
  Json* place(Json value) {
    if (open_.empty()) return &(root_ = std::move(value));
    Open& top = open_.back();
    if (top.value->is_array()) {
      auto& array = top.value->get_ref<Json::array_t&>();
      array.push_back(std::move(value));
      return &array.back();
    }
    auto& object = top.value->get_ref<Json::object_t&>();
    object.emplace_back(std::move(top.key), std::move(value));  // known to be new
    return &object.back().second;
  }
  template <class Value>
  bool add(Value&& value) {
    place(Json(std::forward<Value>(value)));
    return true;
  }
  bool open(Json value) {
    if (open_.size() == kDeepestJson) throw wrong(fmt::format("nested more than {} deep", kDeepestJson), last_read());
    open_.push_back({place(std::move(value))});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::size_t last_read() const { return static_cast<std::size_t>(read_ - text_.data()) - 1; }

  Error wrong(const std::string& what, std::size_t at) const {
    const std::string_view before = text_.substr(0, at);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    return Error(ErrorKind::kInput, what, fmt::format("{}:{}:{}", source_, line, before.size() - start + 1), advice_);
  }

  Error twice(const std::string& name) const {
    // Back from the closing quote to the opening one, which no backslash stands before.
    std::size_t at = last_read();
    do at = text_.rfind('"', at - 1);
    while ((at - text_.substr(0, at).find_last_not_of('\\')) % 2 == 0);
    return wrong(fmt::format("the key '{}' is given twice", shown(name)), at);
  }

  std::string_view text_;
  const std::string& source_;
  const Advice& advice_;
  const char* read_;
  Json root_;
  std::vector<Open> open_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& source, const Advice& advice) {
  return Builder(text, source, advice).built();
}

}  // namespace helio
