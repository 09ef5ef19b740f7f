// SPDX-License-Identifier: Apache-2.0
// A picture in SVG, read as what it is: XML.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/visible.h"

namespace helio::report {

// An element of a picture, with the classes of all that it is inside of.
struct Part {
  std::string name, text;
  std::map<std::string, std::string> attributes;
  std::vector<std::string> around;  // classes, outermost first, its own last
};

// Elements in the order in which they begin. Throws where the text is no well-formed XML of the plain kind (no comments, no CDATA).
class XmlReader {
 public:
  explicit XmlReader(const std::string& text) : text_(text) {
    // Characters (XML 1.0, 2.2): UTF-8, and of what is below a blank only ends of lines and tabs
    if (valid_utf8(text_) != text_) fail("bytes that are no UTF-8");
    for (const char c : text_)
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r') fail("a control character");
    element({});
    if (text_.find_first_not_of('\n', at_) != std::string::npos) fail("something after the root");
  }
  std::vector<Part> parts;

 private:
  [[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + " at " + text_.substr(at_, 40)); }
  void expect(const std::string& word) {
    if (text_.compare(at_, word.size(), word) != 0) fail("no '" + word + "'");
    at_ += word.size();
  }
  std::string until(const std::string& stops) {
    const std::size_t end = text_.find_first_of(stops, at_);
    if (end == std::string::npos) fail("an end that never comes");
    return text_.substr(std::exchange(at_, end), end - at_);
  }
  static std::string plain(std::string text) {
    for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
      static const std::map<std::string, std::string> kNamed = {
          {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};
      const std::string name = text.substr(at, text.find(';', at) - at + 1);
      text.replace(at, name.size(), kNamed.at(name));
    }
    return text;
  }
  void element(std::vector<std::string> around) {
    expect("<");
    const std::size_t mine = parts.size();
    parts.emplace_back().name = until(" />");
    while (text_.at(at_) == ' ') {
      ++at_;
      const std::string key = until("=");
      expect("=\"");
      if (!parts[mine].attributes.emplace(key, plain(until("\"<"))).second) fail("an attribute twice");
      expect("\"");
    }
    if (parts[mine].attributes.contains("class")) around.push_back(parts[mine].attributes["class"]);
    parts[mine].around = around;
    if (text_.at(at_) == '/') return expect("/>");
    expect(">");
    for (;;) {
      parts[mine].text += plain(until("<"));
      if (text_.at(at_ + 1) == '/') break;
      element(around);
    }
    expect("</" + parts[mine].name + ">");
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace helio::report
