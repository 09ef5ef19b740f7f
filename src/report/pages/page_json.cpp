// SPDX-License-Identifier: Apache-2.0
#include "report/pages/page_json.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "base/error.h"
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

// Values as they are read. The JSON library throws where something has another shape.

Card card_of(const Json& json) { return {json.at("value"), json.at("label"), json.value("note", "")}; }

Cell cell_of(const Json& json) {
  if (json.is_string()) return {.text = json};
  Cell cell{.text = json.at("text"), .mark = json.value("mark", ""), .page = json.value("page", "")};
  if (const auto value = json.find("value"); value != json.end()) cell.value = value->get<double>();
  return cell;
}

template <class Value>
std::vector<Value> all(const Json& json, Value (*one)(const Json&)) {
  std::vector<Value> values;
  for (const Json& item : json.get_ref<const Json::array_t&>()) values.push_back(one(item));
  return values;
}

Column column_of(const Json& json) { return {json.at("name"), json.at("number")}; }

std::vector<Cell> row_of(const Json& json) { return all(json, cell_of); }

Table table_of(const Json& json) {
  return {json.at("name"), json.at("title"), all(json.at("columns"), column_of), all(json.at("rows"), row_of),
          json.at("folded")};
}

Figure figure_of(const Json& json) {
  return {json.at("name"),
          json.at("kind"),
          json.at("title"),
          json.at("words"),
          json.at("data"),
          json.at("csv"),
          json.value("csv_beside", false)};
}

Section section_of(const Json& json) {
  return {json.at("name"),
          json.at("title"),
          all(json.at("cards"), card_of),
          json.at("words"),
          all(json.at("figures"), figure_of),
          all(json.at("tables"), table_of)};
}

pipeline::Configuration configuration_of(const Json& json) { return {json.at("owner"), json.at("values")}; }

Page page_of(const Json& json) {
  return {json.at("name"),
          json.at("title"),
          json.at("menu"),
          json.at("lead"),
          json.at("command"),
          json.at("version"),
          all(json.at("configuration"), configuration_of),
          all(json.at("sections"), section_of),
          json.at("further")};
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
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Page read_page(const std::string& text, const std::string& place) {
  const auto wrong = [&](const std::string& what) {
    return Error(ErrorKind::kInput, what, place, "write the report again with --report DIR");
  };
  try {
    const Json json = Json::parse(text);
    if (!json.is_object() || json.value("format", "") != kFormat)
      throw wrong(fmt::format("this is no page that helio saved (format {})", kFormat));
    Page page = page_of(json);
    if (const std::string fault = fault_of(page); !fault.empty()) throw wrong(fault);
    return page;
  } catch (const Json::exception& error) {
    throw wrong(fmt::format("this is no page that helio saved: {}", error.what()));
  }
}

}  // namespace helio::report
