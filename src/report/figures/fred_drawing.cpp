// SPDX-License-Identifier: Apache-2.0
#include "report/figures/fred_drawing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "report/figures/fred_picture.h"
#include "report/pages/html_parts.h"

namespace helio::report {
namespace {

using fabric::FredSwitch;
using fabric::kNoFlow;

// On light paper and on dark, told apart by the colour-blind (after Okabe and Ito, 2008), without the grey of what is idle.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kColours = {{{"#0072b2", "#56a8e0"},
                                                                                    {"#c24e00", "#f28a3c"},
                                                                                    {"#00795a", "#3ccaa0"},
                                                                                    {"#a8447f", "#e09cc3"},
                                                                                    {"#8a6200", "#e6b422"},
                                                                                    {"#3f3f9f", "#9c9cf0"},
                                                                                    {"#8c3b1f", "#d58a6c"}}};
constexpr std::array<std::string_view, 4> kDashes = {"none", "9 4", "2.5 3", "10 3 2.5 3"};

// In pixels.
constexpr double kMargin = 20, kPortRoom = 44, kTop = 92;
constexpr double kLegendRow = 20, kLetter = 6.4, kSample = 36;

std::string curve(const FredPicture::Line& line) {
  const auto [from, to] = line;
  const double middle = (from.x + to.x) / 2;
  return fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", from.x, from.y, middle, from.y, middle,
                     to.y, to.x, to.y);
}

std::string text_at(Point at, std::string_view anchor, std::string_view text, std::string_view look = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", at.x, at.y, anchor,
                     look.empty() ? "" : fmt::format(" class=\"{}\"", look), escaped(text));
}

// + where vectors are added, < where one is copied.
std::string mark(const FredPicture::Mark& place) {
  const auto [at, radius, adds] = place;
  const double r = 0.55 * radius;
  const std::string sign = adds ? fmt::format("M{0:.1f} 0H{1:.1f}M0 {0:.1f}V{1:.1f}", -r, r)
                                : fmt::format("M{1:.1f} {0:.1f}L{2:.1f} 0L{1:.1f} {1:.1f}", -r, 0.8 * r, -0.9 * r);
  return fmt::format(
      "<g class=\"{}\" transform=\"translate({:.1f} {:.1f})\"><circle r=\"{:.1f}\"/><path stroke-width=\"{:.1f}\" "
      "d=\"{}\"/></g>\n",
      adds ? "adds" : "copies", at.x, at.y, radius, 0.23 * radius, sign);
}

std::string style() {
  const auto themed = [](bool dark) {
    const std::string_view ink = dark ? "#e4e6e9" : "#22262b", paper = dark ? "#15181c" : "#ffffff";
    std::string css = fmt::format(".fred {{ color: {}; }} .fred .paper, .fred .box {{ fill: {}; }}\n", ink, paper);
    css += fmt::format(".fred .adds path, .fred .copies path {{ stroke: {}; }}\n", paper);
    for (std::size_t i = 0; i < kColours.size(); ++i)
      css += fmt::format(".fred .colour{} {{ color: {}; }}\n", i, dark ? kColours[i].second : kColours[i].first);
    return css;
  };
  std::string css =
      ".fred text { fill: currentColor; font: 12px system-ui, sans-serif; }\n"
      ".fred .head { font-size: 16px; font-weight: 600; } .fred .name { font-weight: 700; }\n"
      ".fred .quiet { fill-opacity: .72; font-size: 11px; }\n"
      ".fred .frame { fill: currentColor; fill-opacity: .045; stroke: currentColor; stroke-opacity: .22; }\n"
      ".fred .box { stroke: currentColor; stroke-width: 1.2; } .fred .unused { stroke-opacity: .35; }\n"
      ".fred .idle path { fill: none; stroke: currentColor; stroke-opacity: .2; stroke-width: .8; }\n"
      ".fred .wire, .fred .inside { fill: none; stroke: currentColor; stroke-width: 2.4; }\n"
      ".fred .adds circle, .fred .copies circle { fill: currentColor; }\n"
      ".fred .adds path, .fred .copies path { fill: none; stroke-linecap: round; }\n";
  for (std::size_t i = 1; i < kDashes.size(); ++i)
    css += fmt::format(".fred .dash{} .wire {{ stroke-dasharray: {}; }}\n", i, kDashes[i]);
  return "<style>\n" + css + themed(false) + "@media (prefers-color-scheme: dark) {\n" + themed(true) + "}\n</style>\n";
}

// The picture, piece by piece: what lies at the back, then what is idle, then the flows.
class Drawing {
 public:
  Drawing(const FredSwitch& fred, const fabric::FredConfiguration& configuration, std::span<const fabric::Flow> flows)
      : fred_(fred),
        picture_(picture_of(fred, configuration, flows, kMargin + kPortRoom + FredPicture::kStub, kTop)),
        of_flow_(flows.size()) {}

  std::string finish() {
    frames_and_headings();
    elements();
    ports_and_wires();
    const double right = picture_.right + FredPicture::kStub + kPortRoom + kMargin;
    const auto [below, legend_right] = legend(picture_.bottom + 36, right);
    std::string svg =
        head(std::max(right, legend_right), below) + back_ + "<g class=\"idle\">\n" + idle_ + "</g>\n" + boxes_;
    for (std::size_t f = 0; f < of_flow_.size(); ++f)
      svg += opened(f) + fmt::format("<title>{}</title>\n", escaped(words(f))) + of_flow_[f] + "</g>\n";
    return svg + legend_ + "</svg>\n";
  }

 private:
  std::string words(std::size_t flow) const { return fmt::format("{}: {}", flow_name(flow), picture_.flows[flow]); }

  // Seven colours and four dash patterns: together they repeat after 28 flows; the letter never does.
  static std::string opened(std::size_t flow) {
    return fmt::format("<g class=\"flow{} colour{} dash{}\">\n", flow, flow % kColours.size(), flow % kDashes.size());
  }

  std::string head(double width, double height) const {
    std::vector<std::string> list;
    for (std::size_t f = 0; f < of_flow_.size(); ++f) list.push_back(words(f));
    const std::string title = fmt::format("Fred_{}({}) carrying {} flow{}", fred_.middles(), fred_.ports(),
                                          of_flow_.size(), of_flow_.size() == 1 ? "" : "s");
    const std::string work = fmt::format("{} of {} micro-switches in use: {} add, {} copy", picture_.used,
                                         fred_.micro_switches().size(), picture_.adders, picture_.copiers);
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fred\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
               "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\">\n<title>{2}</title>\n<desc>{3}. {4}.</desc>\n",
               std::ceil(width), std::ceil(height), title, work, escaped(fmt::format("{}", fmt::join(list, "; ")))) +
           style() + "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n" +
           text_at({kMargin, 30}, "start", title, "head") + text_at({kMargin, 49}, "start", work, "quiet");
  }

  void frames_and_headings() {
    for (const FredPicture::Frame& frame : picture_.frames) {
      back_ +=
          fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"6\"/>\n",
                      frame.left, frame.top, frame.right - frame.left, frame.height);
      back_ += text_at({(frame.left + frame.right) / 2, frame.top + 12}, "middle", frame.name, "quiet");
    }
    for (const FredPicture::Heading& heading : picture_.headings)
      back_ += text_at(heading.at, "middle", heading.words, "quiet");
    const double y = picture_.headings.front().at.y;
    back_ += text_at({picture_.left - FredPicture::kStub, y}, "end", "in", "quiet") +
             text_at({picture_.right + FredPicture::kStub, y}, "start", "out", "quiet");
  }

  void elements() {
    for (const FredPicture::Box& box : picture_.boxes)
      boxes_ +=
          fmt::format("<rect class=\"box{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\"/>\n",
                      box.used ? "" : " unused", box.left, box.top, box.width, box.height);
    for (const FredPicture::Inside& inside : picture_.inside) {
      std::string path, marks;
      for (const FredPicture::Line& line : inside.lines) path += curve(line);
      for (const FredPicture::Mark& one : inside.marks) marks += mark(one);
      of_flow_[inside.flow] += fmt::format("<path class=\"inside\" d=\"{}\"/>\n", path) + marks;
    }
  }

  // The number of a port, and between it and the switch the letter of its flow.
  void ports_and_wires() {
    for (const FredPicture::Port& port : picture_.ports) {
      const std::string_view anchor = port.side > 0 ? "start" : "end";
      back_ += text_at({port.at.x + port.side * 22, port.at.y + 4}, anchor, fmt::format("{}", port.number), "port");
      if (port.flow != kNoFlow)
        of_flow_[port.flow] +=
            text_at({port.at.x + port.side * 5, port.at.y + 4}, anchor, flow_name(port.flow), "name");
    }
    for (std::size_t number = 0; number < picture_.wires.size(); ++number) {
      const FredPicture::Wire& wire = picture_.wires[number];
      const bool idle = wire.flow == kNoFlow;
      (idle ? idle_ : of_flow_[wire.flow]) +=
          fmt::format("<path{} data-wire=\"{}\" d=\"{}\"/>\n", idle ? "" : " class=\"wire\"", number, curve(wire.line));
    }
  }

  // In as many columns as fit; gives back where it ends.
  std::pair<double, double> legend(double y, double right) {
    std::size_t longest = 0;
    for (std::size_t f = 0; f < of_flow_.size(); ++f) longest = std::max(longest, words(f).size());
    const double cell = kSample + kLetter * static_cast<double>(longest) + 24;
    const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor((right - 2 * kMargin) / cell)));
    for (std::size_t f = 0; f < of_flow_.size(); ++f) {
      const Point at{kMargin + static_cast<double>(f % columns) * cell,
                     y + static_cast<double>(f / columns) * kLegendRow};
      legend_ += opened(f) + fmt::format("<path class=\"wire\" d=\"M{:.1f} {:.1f}h{}\"/>\n", at.x, at.y, kSample - 8) +
                 "</g>\n" + text_at({at.x + kSample, at.y + 4}, "start", words(f));
    }
    const auto rows = (of_flow_.size() + columns - 1) / columns;
    y += kLegendRow * static_cast<double>(rows);
    legend_ += text_at({kMargin, y + 4}, "start", "+ adds two vectors, < copies one; thin and grey: idle", "quiet");
    return {y + kMargin, kMargin + cell};
  }

  const FredSwitch& fred_;
  FredPicture picture_;
  std::string back_, idle_, boxes_, legend_;
  std::vector<std::string> of_flow_;
};

}  // namespace

std::string fred_svg(const FredSwitch& fred, const fabric::FredConfiguration& configuration,
                     std::span<const fabric::Flow> flows) {
  if (fred.micro_switches().size() > kMostDrawnElements)
    throw Error(ErrorKind::kInput,
                fmt::format("Fred_{}({}) has {} micro-switches, too many for a drawing", fred.middles(), fred.ports(),
                            fred.micro_switches().size()),
                {},
                fmt::format("at most {} can be drawn; take fewer ports or fewer middle switches", kMostDrawnElements));
  return Drawing(fred, configuration, flows).finish();
}

}  // namespace helio::report
