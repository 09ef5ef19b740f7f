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
#include "fabric/fred/fred_simulation.h"
#include "report/figures/fred_layout.h"
#include "report/pages/html_parts.h"

namespace helio::report {
namespace {

using fabric::Flow;
using fabric::FredSwitch;
using fabric::kNoFlow;
using fabric::MicroSwitch;

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
constexpr double kMargin = 20, kPortRoom = 44, kStub = 22, kTop = 92, kFrameSide = 16;
constexpr double kLegendRow = 20, kLetter = 6.4, kSample = 36;

std::string curve(Point from, Point to) {
  const double middle = (from.x + to.x) / 2;
  return fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", from.x, from.y, middle, from.y, middle,
                     to.y, to.x, to.y);
}

std::string text_at(Point at, std::string_view anchor, std::string_view text, std::string_view look = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", at.x, at.y, anchor,
                     look.empty() ? "" : fmt::format(" class=\"{}\"", look), escaped(text));
}

// + where vectors are added, < where one is copied.
std::string mark(bool adds, Point at, double radius) {
  const double r = 0.55 * radius;
  const std::string sign = adds ? fmt::format("M{0:.1f} 0H{1:.1f}M0 {0:.1f}V{1:.1f}", -r, r)
                                : fmt::format("M{1:.1f} {0:.1f}L{2:.1f} 0L{1:.1f} {1:.1f}", -r, 0.8 * r, -0.9 * r);
  return fmt::format(
      "<g class=\"{}\" transform=\"translate({:.1f} {:.1f})\"><circle r=\"{:.1f}\"/><path stroke-width=\"{:.1f}\" "
      "d=\"{}\"/></g>\n",
      adds ? "adds" : "copies", at.x, at.y, radius, 0.23 * radius, sign);
}

// "0-3, 6"
std::string ports_in_words(std::vector<std::uint32_t> ports) {
  std::ranges::sort(ports);
  std::vector<std::string> runs;
  for (std::size_t i = 0, j = 0; i < ports.size(); i = j) {
    for (j = i + 1; j < ports.size() && ports[j] == ports[j - 1] + 1;) ++j;
    if (j - i < 3) j = i + 1;
    runs.push_back(j - i > 1 ? fmt::format("{}-{}", ports[i], ports[j - 1]) : fmt::format("{}", ports[i]));
  }
  return fmt::format("{}", fmt::join(runs, ", "));
}

std::string in_words(const Flow& flow, const std::vector<std::uint32_t>& colours) {
  const std::string from = ports_in_words(flow.inputs), to = ports_in_words(flow.outputs);
  const std::string words = from == to ? "all-reduce " + from : from + " to " + to;
  return colours.empty() ? words : words + fmt::format(", middle {}", fmt::join(colours, "."));
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
  Drawing(const FredSwitch& fred, const fabric::FredConfiguration& configuration, std::span<const Flow> flows)
      : fred_(fred),
        configuration_(configuration),
        flows_(flows),
        layout_(fred, kMargin + kPortRoom + kStub, kTop),
        on_wire_(fabric::flows_on_wires(fred, configuration.settings, flows)),
        of_flow_(flows.size()) {}

  std::string finish() {
    frames();
    headings();
    for (std::size_t e = 0; e < fred_.micro_switches().size(); ++e) element(e);
    wires();
    const double right = layout_.right() + kStub + kPortRoom + kMargin;
    const auto [below, legend_right] = legend(layout_.bottom() + 36, right);
    std::string svg =
        head(std::max(right, legend_right), below) + back_ + "<g class=\"idle\">\n" + idle_ + "</g>\n" + boxes_;
    for (std::size_t f = 0; f < flows_.size(); ++f)
      svg += opened(f) + fmt::format("<title>{}</title>\n", escaped(words(f))) + of_flow_[f] + "</g>\n";
    return svg + legend_ + "</svg>\n";
  }

 private:
  std::string words(std::size_t flow) const {
    return fmt::format("{}: {}", flow_name(flow), in_words(flows_[flow], configuration_.colours[flow]));
  }

  // Seven colours and four dash patterns: together they repeat after 28 flows; the letter never does.
  static std::string opened(std::size_t flow) {
    return fmt::format("<g class=\"flow{} colour{} dash{}\">\n", flow, flow % kColours.size(), flow % kDashes.size());
  }

  std::string head(double width, double height) const {
    std::vector<std::string> list;
    for (std::size_t f = 0; f < flows_.size(); ++f) list.push_back(words(f));
    const std::string title = fmt::format("Fred_{}({}) carrying {} flow{}", fred_.middles(), fred_.ports(),
                                          flows_.size(), flows_.size() == 1 ? "" : "s");
    const std::string work = fmt::format("{} of {} micro-switches in use: {} add, {} copy", used_,
                                         fred_.micro_switches().size(), adders_, copiers_);
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fred\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
               "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\">\n<title>{2}</title>\n<desc>{3}. {4}.</desc>\n",
               std::ceil(width), std::ceil(height), title, work, escaped(fmt::format("{}", fmt::join(list, "; ")))) +
           style() + "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n" +
           text_at({kMargin, 30}, "start", title, "head") + text_at({kMargin, 49}, "start", work, "quiet");
  }

  // A middle switch has its number in the numbers of those around it.
  void frames() {
    std::vector<std::string> around = {""};
    for (std::uint32_t level = 1; level <= fred_.levels() && layout_.has_frame(level); ++level) {
      std::vector<std::string> names;
      for (const std::string& outer : around)
        for (std::uint32_t k = 0; k < fred_.middles(); ++k)
          names.push_back(outer.empty() ? fmt::format("{}", k) : fmt::format("{}.{}", outer, k));
      const double left = layout_.column(level) - layout_.width(level) / 2 - kFrameSide;
      const double right = layout_.column(2 * fred_.levels() - level) + layout_.width(level) / 2 + kFrameSide;
      for (std::uint32_t stage = 0; stage < names.size(); ++stage) {
        const double top = layout_.stage_top(level, stage);
        back_ += fmt::format(
            "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"6\"/>\n", left,
            top, right - left, layout_.stage_height(level));
        back_ += text_at({(left + right) / 2, top + 12}, "middle", level == 1 ? "middle " + names[stage] : names[stage],
                         "quiet");
      }
      around = std::move(names);
    }
  }

  void headings() {
    const std::uint32_t last = 2 * fred_.levels();
    for (std::uint32_t column = 0; column <= last; ++column)
      back_ += text_at({layout_.column(column), kTop - 14}, "middle",
                       2 * column < last   ? "R"
                       : 2 * column > last ? "D"
                                           : "RD",
                       "quiet");
    back_ += text_at({layout_.left() - kStub, kTop - 14}, "end", "in", "quiet") +
             text_at({layout_.right() + kStub, kTop - 14}, "start", "out", "quiet");
  }

  void element(std::size_t number) {
    const MicroSwitch& element = fred_.micro_switches()[number];
    const std::vector<FredJoint> joints = joints_of(element, configuration_.settings[number], on_wire_);
    const Point at = layout_.centre(element);
    const double height = layout_.height(element), width = layout_.width(element.level);
    boxes_ +=
        fmt::format("<rect class=\"box{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\"/>\n",
                    joints.empty() ? " unused" : "", at.x - width / 2, at.y - height / 2, width, height);
    used_ += !joints.empty();

    // Inputs to where they are added, from there to where the sum is copied, and on to the outputs
    for (const FredJoint& joint : joints) {
      const std::uint32_t flow = on_wire_[element.inputs[joint.inputs[0]]];
      const double radius = std::max(5.0, 0.25 * layout_.unit(element.level));
      const double aside = joint.adds() && joint.copies() ? 1.1 * radius : 0;
      const Point sum = joint.adds() ? Point{at.x - aside, at.y} : layout_.input_pin(element, joint.inputs[0]);
      const Point fork = joint.copies() ? Point{at.x + aside, at.y} : layout_.output_pin(element, joint.outputs[0]);
      std::string path = curve(sum, fork), marks;
      if (joint.adds()) {
        for (const std::uint32_t pin : joint.inputs) path += curve(layout_.input_pin(element, pin), sum);
        marks += mark(true, sum, radius);
      }
      if (joint.copies()) {
        for (const std::uint32_t pin : joint.outputs) path += curve(fork, layout_.output_pin(element, pin));
        marks += mark(false, fork, radius);
      }
      of_flow_[flow] += fmt::format("<path class=\"inside\" d=\"{}\"/>\n", path) + marks;
      adders_ += joint.adds();
      copiers_ += joint.copies();
    }
  }

  // Each from the pin where it begins to the pin where it ends; at the edge of the switch, a straight piece.
  void wires() {
    const auto [from, to] = layout_.wire_ends(kStub);
    for (std::uint32_t port = 0; port < fred_.ports(); ++port) {
      const fabric::Wire in = fred_.input_wire(port), out = fred_.output_wire(port);
      label(port, in, from[in], -1);
      label(port, out, to[out], 1);
    }
    for (fabric::Wire wire = 0; wire < fred_.wires(); ++wire) {
      const bool idle = on_wire_[wire] == kNoFlow;
      (idle ? idle_ : of_flow_[on_wire_[wire]]) += fmt::format(
          "<path{} data-wire=\"{}\" d=\"{}\"/>\n", idle ? "" : " class=\"wire\"", wire, curve(from[wire], to[wire]));
    }
  }

  // The number of a port, and between it and the switch the letter of its flow.
  void label(std::uint32_t port, fabric::Wire wire, Point at, double side) {
    const std::string_view anchor = side > 0 ? "start" : "end";
    back_ += text_at({at.x + side * 22, at.y + 4}, anchor, fmt::format("{}", port), "port");
    if (on_wire_[wire] != kNoFlow)
      of_flow_[on_wire_[wire]] += text_at({at.x + side * 5, at.y + 4}, anchor, flow_name(on_wire_[wire]), "name");
  }

  // In as many columns as fit; gives back where it ends.
  std::pair<double, double> legend(double y, double right) {
    std::size_t longest = 0;
    for (std::size_t f = 0; f < flows_.size(); ++f) longest = std::max(longest, words(f).size());
    const double cell = kSample + kLetter * static_cast<double>(longest) + 24;
    const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor((right - 2 * kMargin) / cell)));
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      const Point at{kMargin + static_cast<double>(f % columns) * cell,
                     y + static_cast<double>(f / columns) * kLegendRow};
      legend_ += opened(f) + fmt::format("<path class=\"wire\" d=\"M{:.1f} {:.1f}h{}\"/>\n", at.x, at.y, kSample - 8) +
                 "</g>\n" + text_at({at.x + kSample, at.y + 4}, "start", words(f));
    }
    const auto rows = (flows_.size() + columns - 1) / columns;
    y += kLegendRow * static_cast<double>(rows);
    legend_ += text_at({kMargin, y + 4}, "start", "+ adds two vectors, < copies one; thin and grey: idle", "quiet");
    return {y + kMargin, kMargin + cell};
  }

  const FredSwitch& fred_;
  const fabric::FredConfiguration& configuration_;
  std::span<const Flow> flows_;
  FredLayout layout_;
  std::vector<std::uint32_t> on_wire_;
  std::string back_, idle_, boxes_, legend_;
  std::vector<std::string> of_flow_;
  std::uint64_t used_ = 0, adders_ = 0, copiers_ = 0;
};

}  // namespace

std::string flow_name(std::size_t flow) {
  std::string name;
  for (++flow; flow > 0; flow = (flow - 1) / 26) name.insert(name.begin(), static_cast<char>('a' + (flow - 1) % 26));
  return name;
}

std::string fred_svg(const FredSwitch& fred, const fabric::FredConfiguration& configuration,
                     std::span<const Flow> flows) {
  if (fred.micro_switches().size() > kMostDrawnElements)
    throw Error(ErrorKind::kInput,
                fmt::format("Fred_{}({}) has {} micro-switches, too many for a drawing", fred.middles(), fred.ports(),
                            fred.micro_switches().size()),
                {},
                fmt::format("at most {} can be drawn; take fewer ports or fewer middle switches", kMostDrawnElements));
  return Drawing(fred, configuration, flows).finish();
}

}  // namespace helio::report
