// SPDX-License-Identifier: Apache-2.0
// What a row of a study may not say, judged by what `helio reproduce --json` prints of it and by nothing else: whoever reads the rows
// can do the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace helio::studies {

using Json = nlohmann::json;

// An assumption as it is printed: "grade: text (source) (uses 1, 2)".
struct PrintedAssumption {
  std::string grade, text;  // with the source
  std::vector<double> uses;
  bool says(const char* pattern) const { return std::regex_search(text, std::regex(pattern)); }
};

inline PrintedAssumption printed_assumption(const std::string& words) {
  PrintedAssumption printed;
  std::string rest = words;
  if (std::smatch uses; std::regex_search(words, uses, std::regex(R"( \(uses ([-+0-9.e, ]+)\)$)"))) {
    std::string numbers = uses[1];
    for (std::smatch one; std::regex_search(numbers, one, std::regex(R"([-+0-9.e]+)")); numbers = one.suffix())
      printed.uses.push_back(std::stod(one.str()));
    rest = uses.prefix();
  }
  const std::size_t colon = rest.find(": ");
  printed.grade = colon == std::string::npos ? "" : rest.substr(0, colon);
  printed.text = colon == std::string::npos ? rest : rest.substr(colon + 2);
  return printed;
}

// What is wrong with a row, each in words; `reference`: the publications of its study, as its catalogue entry names them.
inline std::vector<std::string> contradictions(const Json& row, const std::string& reference) {
  std::vector<std::string> wrong;
  const auto refuse_if = [&](bool bad, const std::string& why) {
    if (bad) wrong.push_back(why);
  };
  const bool published = row["published"].is_number(), expected = row["expected"].is_number();
  refuse_if(published == expected, "neither or both of published and expected");
  const double beside = published ? row["published"].get<double>() : expected ? row["expected"].get<double>() : 0;
  const std::string source = row["source"], label = row["label"];

  // Whose number it stands beside: what is published names one of the study's publications first
  refuse_if(source.empty(), "no source");
  const std::string named = source.substr(0, source.find_first_of(",(:"));
  const bool publication =
      !named.empty() && !named.starts_with("papers/") && reference.find(named) != std::string::npos;
  refuse_if(published && !publication, "published, and its source is no publication of the study");
  refuse_if(expected && !published && publication, "expected, and its source is a publication");

  // What it rests on
  const std::vector<std::string> from_weakest = {"ours", "recalled", "fitted", "calibrated", "literal", "note"};
  std::size_t weakest = from_weakest.size() - 1;
  bool used = false, any_used = false, by_hand = false;
  for (const Json& words : row["assumptions"]) {
    const PrintedAssumption one = printed_assumption(words.get<std::string>());
    const auto grade = std::find(from_weakest.begin(), from_weakest.end(), one.grade);
    if (grade == from_weakest.end()) {
      wrong.push_back("an assumption without a grade");
      continue;
    }
    weakest = std::min(weakest, static_cast<std::size_t>(grade - from_weakest.begin()));
    refuse_if(one.grade != "ours" && one.says(R"(\b[Oo]urs?\b|\bguess\b)"),
              "ours by its words, and graded " + one.grade);
    refuse_if(one.grade != "ours" && one.says(R"(\bnot known\b|\bnot published\b)"),
              "not known by its words, and graded " + one.grade);
    refuse_if(one.grade != "ours" && one.grade != "recalled" && one.says(R"(\brecalled\b|\bfrom memory\b)"),
              "recalled by its words, and graded " + one.grade);
    refuse_if((one.grade == "literal" || one.grade == "note") && one.says(R"(\bchosen\b|\bsolved\b|\bfitted\b)"),
              "fitted by its words, and graded " + one.grade);
    refuse_if(
        one.grade == "literal" && !one.says(R"(arXiv \d{4}\.\d{5}|JOCN|OJ-COMS|slides of|Performance Comparison)"),
        "literal without a publication");
    refuse_if((one.grade == "fitted" || one.grade == "calibrated") && one.uses.empty(),
              one.grade + " without saying to what");
    for (const double number : one.uses) used = used || std::abs(number - beside) <= 1e-12 * std::abs(beside);
    any_used = any_used || !one.uses.empty();
    by_hand = by_hand || one.says(R"(nothing was run|by hand|restated|inputs divided)");
  }
  refuse_if(weakest + 1 == from_weakest.size(), "nothing but notes");
  refuse_if(weakest + 1 < from_weakest.size() && label != from_weakest[weakest], "label is not that of the weakest");

  // Whether it is predicted
  const bool predicted = row["predicted"];
  refuse_if(predicted && used, "predicted, and its number was used");
  refuse_if(predicted && by_hand, "predicted, and nothing was computed");
  refuse_if(!predicted && !any_used, "not predicted, and no number was used");

  // How far off
  const double within = std::abs(row["ours"].get<double>() - beside) / (beside == 0 ? 1 : std::abs(beside));
  refuse_if(!(std::abs(row["within"].get<double>() - within) <= 1e-12 * (1 + within)), "within is something else");
  return wrong;
}

}  // namespace helio::studies
