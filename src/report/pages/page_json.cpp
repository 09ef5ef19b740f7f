// SPDX-License-Identifier: Apache-2.0
#include "report/pages/page_json.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "base/json_dump.h"
#include "base/json_node.h"
#include "report/json/json_values.h"

namespace helio::report {
namespace {

constexpr std::string_view kFormat = "helio-page-1";

// Values as they are written; what is empty is left out where most are.

Json object(const Card& card);
Json object(const Cell& cell);
Json object(const Column& column);
Json object(const Table& table);
Json object(const Figure& figure);
Json object(const Section& section);
Json object(const pipeline::Configuration& owner);

template <class Value>
Json list(const std::vector<Value>& values) {
  Json json = Json::array();
  for (const Value& value : values) json.push_back(object(value));
  return json;
}

Json object(const Card& card) {
  Json json = {{"value", card.value}, {"label", card.label}};
  if (!card.note.empty()) json["note"] = card.note;
  if (!card.page.empty()) json["page"] = card.page;
  return json;
}

Json object(const Cell& cell) {
  if (!cell.value && cell.mark.empty() && cell.page.empty()) return cell.text;
  Json json = {{"text", cell.text}};
  if (cell.value) json["value"] = number(*cell.value);
  if (!cell.mark.empty()) json["mark"] = cell.mark;
  if (!cell.page.empty()) json["page"] = cell.page;
  return json;
}

Json object(const Column& column) { return {{"name", column.name}, {"number", column.number}}; }

Json object(const Table& table) {
  Json rows = Json::array();
  for (const std::vector<Cell>& row : table.rows) rows.push_back(list(row));
  return {{"name", table.name},
          {"title", table.title},
          {"folded", table.folded},
          {"columns", list(table.columns)},
          {"rows", std::move(rows)}};
}

Json object(const Figure& figure) {
  return {{"name", figure.name}, {"kind", figure.kind}, {"title", figure.title},          {"words", figure.words},
          {"data", figure.data}, {"csv", figure.csv},   {"csv_beside", figure.csv_beside}};
}

Json object(const Section& section) {
  return {{"name", section.name},   {"title", section.title},           {"cards", list(section.cards)},
          {"words", section.words}, {"figures", list(section.figures)}, {"tables", list(section.tables)}};
}

// Lists of pairs, so that an owner may stand there twice.
Json object(const pipeline::Configuration& owner) { return {{"owner", owner.owner}, {"values", owner.values}}; }

// Values as they are read

std::string text_or_none(const JsonNode& node, std::string_view key) {
  return node.has(key) ? node.at(key).text() : "";
}

Card card_of(const JsonNode& node) {
  return {node.at("value").text(), node.at("label").text(), text_or_none(node, "note"), text_or_none(node, "page")};
}

Cell cell_of(const JsonNode& node) {
  if (node.is_text()) return {.text = node.text()};
  Cell cell{.text = node.at("text").text(), .mark = text_or_none(node, "mark"), .page = text_or_none(node, "page")};
  if (node.has("value")) cell.value = node.at("value").number();
  return cell;
}

template <class Value>
std::vector<Value> all(const JsonNode& node, Value (*one)(const JsonNode&)) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < node.size(); ++i) values.push_back(one(node.at(i)));
  return values;
}

Column column_of(const JsonNode& node) { return {node.at("name").text(), node.at("number").truth()}; }

std::vector<Cell> row_of(const JsonNode& node) { return all(node, cell_of); }

Table table_of(const JsonNode& node) {
  return {node.at("name").text(), node.at("title").text(), all(node.at("columns"), column_of),
          all(node.at("rows"), row_of), node.at("folded").truth()};
}

Figure figure_of(const JsonNode& node) {
  return {node.at("name").text(),
          node.at("kind").text(),
          node.at("title").text(),
          node.at("words").text(),
          node.at("data").value(),
          node.at("csv").text(),
          node.has("csv_beside") && node.at("csv_beside").truth()};
}

Section section_of(const JsonNode& node) {
  return {node.at("name").text(),
          node.at("title").text(),
          all(node.at("cards"), card_of),
          node.at("words").texts(),
          all(node.at("figures"), figure_of),
          all(node.at("tables"), table_of)};
}

std::pair<std::string, std::string> setting_of(const JsonNode& node) {
  if (node.size() != 2) throw node.wrong("a name and a value are expected here");
  return {node.at(0).text(), node.at(1).text()};
}

pipeline::Configuration configuration_of(const JsonNode& node) {
  return {node.at("owner").text(), all(node.at("values"), setting_of)};
}

Page page_of(const JsonNode& node) {
  return {node.at("name").text(),
          node.at("title").text(),
          node.at("menu").text(),
          node.at("lead").text(),
          node.at("command").text(),
          node.at("version").text(),
          all(node.at("configuration"), configuration_of),
          all(node.at("sections"), section_of),
          node.at("further").texts()};
}

// Names become ids and files of a page: what is none, or stands there twice, is no page of ours.
std::string fault_of(const Page& page) {
  std::set<std::string> seen = {"main", "asked", "tip", "theme", "command", "page-data"};
  std::string fault;
  const auto name = [&](const std::string& text) {
    if (!is_name(text)) fault = fmt::format("'{}' is no name of a part of a page", text);
    if (!seen.insert(text).second)
      fault = fmt::format("the name '{}' stands twice on the page, or is the page's own", text);
  };
  if (!is_name(page.name)) fault = fmt::format("'{}' is no name of a page", page.name);
  for (const std::string& other : page.further)
    if (!is_name(other)) fault = fmt::format("'{}' is no name of a page", other);
  for (const Section& section : page.sections) {
    name(section.name);
    for (const Card& card : section.cards)
      if (!card.page.empty() && !is_name(card.page)) fault = fmt::format("'{}' is no name of a page", card.page);
    for (const Figure& figure : section.figures) {
      name(figure.name);
      if (!is_name(figure.kind)) fault = fmt::format("'{}' is no kind of a figure", figure.kind);
    }
    for (const Table& table : section.tables) {
      name(table.name);
      for (const std::vector<Cell>& row : table.rows) {
        if (row.size() != table.columns.size())
          fault = fmt::format("a row of table '{}' is not as long as its head", table.name);
        for (const Cell& cell : row) {
          if (!cell.page.empty() && !is_name(cell.page)) fault = fmt::format("'{}' is no name of a page", cell.page);
          if (!cell.mark.empty() && cell.mark != "good" && cell.mark != "bad")
            fault = fmt::format("a cell cannot be marked '{}'", cell.mark);
        }
      }
    }
  }
  return fault;
}

}  // namespace

std::string to_json(const Page& page) {
  const Json json = {{"format", kFormat},
                     {"name", page.name},
                     {"title", page.title},
                     {"menu", page.menu},
                     {"lead", page.lead},
                     {"command", page.command},
                     {"version", page.version},
                     {"configuration", list(page.configuration)},
                     {"sections", list(page.sections)},
                     {"further", page.further}};
  return json_dump(json) + "\n";
}

Page read_page(const std::string& text, const std::string& place) {
  const JsonOrigin origin{place, "write the report again with --report DIR"};
  const Json document = parse_json(text, place, origin.advice);
  const JsonNode root(document, origin);
  if (!root.has("format") || root.at("format").value() != kFormat)
    throw root.wrong(fmt::format("this is no page that helio saved (format {})", kFormat));
  Page page = page_of(root);
  if (const std::string fault = fault_of(page); !fault.empty()) throw root.wrong(fault);
  return page;
}

}  // namespace helio::report
