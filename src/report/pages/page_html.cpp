// SPDX-License-Identifier: Apache-2.0
#include "report/pages/page_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/json_dump.h"
#include "base/visible.h"
#include "report/figures/chart.h"
#include "report/pages/html_parts.h"
#include "report/pages/page_scripts.h"
#include "report/pages/web_files.h"

namespace helio::report {
namespace {

constexpr std::size_t kMostInMenu = 16;

using Json = nlohmann::ordered_json;

std::string cards_of(const std::vector<Card>& cards) {
  if (cards.empty()) return "";
  std::string html = "<ul class=\"cards\">\n";
  for (const Card& card : cards)
    html += fmt::format("<li><span class=\"label\">{}</span> <strong>{}</strong>{}</li>\n",
                        card.page.empty()
                            ? escaped(card.label)
                            : fmt::format("<a href=\"{}\">{}</a>", html_file_of(card.page), escaped(card.label)),
                        escaped(card.value),
                        card.note.empty() ? "" : fmt::format(" <span class=\"note\">{}</span>", escaped(card.note)));
  return html + "</ul>\n";
}

std::string cell_of(const Cell& cell, const Column& column) {
  std::string classes = column.number ? "number" : "";
  if (!cell.mark.empty()) classes += (classes.empty() ? "" : " ") + cell.mark;
  const std::string text = escaped(cell.text);
  return fmt::format("<td{}{}>{}</td>", classes.empty() ? "" : fmt::format(" class=\"{}\"", classes),
                     cell.value ? fmt::format(" data-value=\"{}\"", *cell.value) : "",
                     cell.page.empty() ? text : fmt::format("<a href=\"{}\">{}</a>", html_file_of(cell.page), text));
}

std::string grid_of(const Table& table) {
  std::string html = fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table class=\"sortable\" id=\"{1}\">\n"
      "<caption>{0}</caption>\n<thead><tr>",
      escaped(table.title), table.name);
  for (const Column& column : table.columns)
    html += fmt::format("<th scope=\"col\"{}>{}</th>", column.number ? " class=\"number\"" : "", escaped(column.name));
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<Cell>& row : table.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) html += cell_of(row[i], table.columns[i]);
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string table_of(const Table& table) {
  if (!table.folded) return grid_of(table);
  return fmt::format("<details class=\"folded\"><summary>{}</summary>\n{}</details>\n", escaped(table.title),
                     grid_of(table));
}

// What stands in a figure's place where no script runs: a picture, or the values of bars that are stacked, or where they are.
std::string still_of(const Figure& figure) {
  if (is_chart(figure)) return to_svg(chart_of(figure));
  if (figure.kind == "stacked") {
    Table table{.name = figure.name + "-values",
                .title = figure.title,
                .columns = {{""}, {"part"}, {figure.data.at("value_label"), true}},
                .rows = {}};
    for (const Json& part : figure.data.at("parts"))
      for (std::size_t i = 0; i < part.at("values").size(); ++i)
        table.rows.push_back({{figure.data.at("bars").at(i)},
                              {part.at("name")},
                              {fmt::format("{:.4g}", part.at("values").at(i).get<double>())}});
    return grid_of(table);
  }
  return "<p>This picture is drawn by a script.</p>\n";
}

std::string figure_html(const Figure& figure) {
  try {
    return fmt::format(
        "<figure id=\"{}\" class=\"kind-{}\">\n<h3>{}</h3>\n<div class=\"host\"></div>\n<noscript>\n{}</noscript>\n"
        "<figcaption>{}</figcaption>\n<p class=\"files\">{}</p>\n</figure>\n",
        figure.name, figure.kind, escaped(figure.title), still_of(figure), escaped(figure.words),
        figure.csv.empty() && !figure.csv_beside ? "" : fmt::format("<a href=\"{}.csv\">CSV</a>", figure.name));
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::kInput,
                fmt::format("figure '{}' has not the data of a {}: {}", figure.name, figure.kind, error.what()), "",
                "write the report again with --report DIR");
  }
}

// Ordinary charts stand beside each other, the domain's pictures have the whole width.
std::string figures_of(const std::vector<Figure>& figures) {
  std::string html;
  bool open = false;
  for (const Figure& figure : figures) {
    const bool beside = is_chart(figure) || figure.kind == "stacked";
    if (open && !beside) html += "</div>\n";
    if (!open && beside) html += "<div class=\"charts\">\n";
    open = beside;
    html += figure_html(figure);
  }
  return html + (open ? "</div>\n" : "");
}

std::string section_of(const Section& section) {
  std::string html = fmt::format("<section id=\"{}\">\n", section.name);
  if (!section.title.empty()) html += fmt::format("<h2>{}</h2>\n", escaped(section.title));
  html += cards_of(section.cards);
  for (const std::string& paragraph : section.words) html += fmt::format("<p>{}</p>\n", escaped(paragraph));
  html += figures_of(section.figures);
  for (const Table& table : section.tables) html += table_of(table);
  return html + "</section>\n";
}

// All pages; of many only the first and this one: tables lead to the others.
std::string menu_of(const Page& page, const std::vector<Neighbour>& neighbours) {
  if (neighbours.size() < 2) return "";
  const bool many = neighbours.size() > kMostInMenu;
  std::string html = "<nav aria-label=\"pages of this report\">\n";
  for (const Neighbour& other : neighbours)
    if (!many || &other == &neighbours.front() || other.name == page.name)
      html += fmt::format("<a href=\"{}\"{}>{}</a>\n", html_file_of(other.name),
                          other.name == page.name ? " aria-current=\"page\"" : "", escaped(other.title));
  return html + "</nav>\n";
}

std::string asked_of(const Page& page) {
  std::string html = "<section id=\"asked\">\n<h2>To see it again</h2>\n";
  if (!page.command.empty())
    html += fmt::format(
        "<p class=\"command\"><code id=\"command\">{}</code> <button type=\"button\" class=\"copy\" "
        "data-of=\"command\">copy</button></p>\n",
        escaped(page.command));
  html += fmt::format("<p>Heliograph {}. The same command and the same version give the same numbers.</p>\n",
                      escaped(page.version));
  if (!page.configuration.empty()) {
    Table table{.name = "configuration",
                .title = "every parameter as it was used",
                .columns = {{"owner"}, {"parameter"}, {"value"}},
                .rows = {},
                .folded = true};
    for (const pipeline::Configuration& owner : page.configuration)
      for (const auto& [name, value] : owner.values) table.rows.push_back({{owner.owner}, {name}, {value}});
    html += table_of(table);
  }
  return html + "</section>\n";
}

constexpr const char* kLabels =
    "<footer>\n<p>Labels. <b>literal</b>: published parameters at face value. <b>fitted</b>: an assumption was chosen "
    "because it "
    "meets a published number. <b>calibrated</b>: one free parameter was solved from one published number. "
    "<b>ours</b>: no "
    "published counterpart.</p>\n</footer>\n";

// All its text: scripts write it as it stands.
void make_visible(Json& json) {
  if (json.is_string()) json = visible_lines(json.get_ref<const std::string&>());
  if (json.is_structured())
    for (Json& value : json) make_visible(value);
}

std::string data_of(const Page& page) {
  Json figures = Json::array();
  for (const Section& section : page.sections)
    for (const Figure& figure : section.figures) {
      figures.push_back({{"name", figure.name},
                         {"kind", figure.kind},
                         {"title", figure.title},
                         {"words", figure.words},
                         {"data", figure.data},
                         {"csv", figure.csv}});
    }
  make_visible(figures);
  return escaped_json(json_dump(Json{{"figures", std::move(figures)}}));
}

}  // namespace

std::string html_file_of(const std::string& page) { return page + ".html"; }
std::string json_file_of(const std::string& page) { return page == "index" ? "page.json" : page + ".json"; }

std::string to_html(const Page& page, const std::vector<Neighbour>& neighbours) {
  const std::vector<const WebFile*> scripts = scripts_for(page);
  std::string hashes;
  for (const WebFile* script : scripts) hashes += fmt::format(" 'sha256-{}'", script->sha256);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src{}; style-src "
      "'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n<style>\n{}</style>\n"
      "</head>\n<body>\n<a class=\"skip\" href=\"#main\">skip to the content</a>\n"
      "<header>\n<p class=\"brand\">Heliograph</p>\n{}<div class=\"tools\"></div>\n</header>\n<main "
      "id=\"main\">\n<h1>{}</h1>\n",
      hashes, escaped(page.title), web_file("page.css").text, menu_of(page, neighbours), escaped(page.title));
  if (!page.lead.empty()) html += fmt::format("<p class=\"lead\">{}</p>\n", escaped(page.lead));
  for (const Section& section : page.sections) html += section_of(section);
  html += asked_of(page) + "</main>\n" + kLabels;
  html += fmt::format("<script type=\"application/json\" id=\"page-data\">{}</script>\n", data_of(page));
  for (const WebFile* script : scripts) html += fmt::format("<script>{}</script>\n", script->text);
  return html + "</body>\n</html>\n";
}

}  // namespace helio::report
