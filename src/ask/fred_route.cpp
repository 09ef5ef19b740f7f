// SPDX-License-Identifier: Apache-2.0
#include "ask/fred_route.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "fabric/fred/fred_flow_file.h"
#include "fabric/fred/fred_switch.h"
#include "report/figures/fred_drawing.h"

namespace helio::ask {
namespace {

using fabric::Flow;

std::uint32_t port_number(long long port, const std::string& place) {
  if (port < 0 || port > 0xffffffffll)
    throw Error(ErrorKind::kInput, fmt::format("no port can have the number {}", port), place,
                "Ports are numbered from 0.");
  return static_cast<std::uint32_t>(port);
}

// "0,3,6;1,4,9" as all-reduce flows; blanks around a number do not count.
std::vector<Flow> flows_in_groups(const std::string& text, const std::string& place) {
  std::vector<Flow> flows;
  std::vector<std::uint32_t> ports;
  std::string number;
  const auto end_of_number = [&] {
    number.erase(0, number.find_first_not_of(' '));
    number.erase(number.find_last_not_of(' ') + 1);
    if (number.empty())
      throw Error(ErrorKind::kInput, fmt::format("group {} has a port without a number, or none at all", flows.size()),
                  place, "Write ports with a ',' and groups with a ';' between them, such as \"0,3,6;1,4,9\".");
    try {
      ports.push_back(port_number(parse_integer(number), place));
    } catch (const Error& error) {
      throw error.at(place);
    }
    number.clear();
  };
  for (const char c : text + ";") {
    if (c != ',' && c != ';') {
      number += c;
      continue;
    }
    end_of_number();
    if (c == ';') flows.push_back(fabric::all_reduce_flow(std::exchange(ports, {})));
  }
  return flows;
}

}  // namespace

FredRoute fred_route(const FredQuestion& question) {
  const Naming& called = question.called;
  if (question.groups.empty() == question.flows.empty())
    throw Error(ErrorKind::kUsage, fmt::format("give either {} or {}", called("groups"), called("flows")), "",
                fmt::format("For example {} \"0,3,6;1,4,9\".", called("groups")));
  const std::string place = question.groups.empty() ? question.flows : called("groups");
  const auto check = [&](long long value, const char* field, const char* what) {
    if (value < 2 || value > fabric::FredSwitch::kMostPorts)
      throw Error(ErrorKind::kInput, fmt::format("no FRED switch has {} {}", value, what), called(field),
                  fmt::format("Give a number from 2 to {}.", fabric::FredSwitch::kMostPorts));
  };
  check(question.ports, "ports", "ports");
  check(question.middle, "middle", "middle switches");
  const auto ports = static_cast<std::uint32_t>(question.ports), middle = static_cast<std::uint32_t>(question.middle);
  const fabric::FredSwitch fred = [&] {
    try {
      return fabric::FredSwitch(ports, middle);
    } catch (const Error& error) {
      throw error.at(called("ports"));
    }
  }();
  const std::vector<Flow> flows =
      question.groups.empty()
          ? fabric::parse_flows(read_text(question.flows, called("flows"), "file of flows", "docs/fred.md"),
                                question.flows)
          : flows_in_groups(question.groups, called("groups"));
  try {
    fabric::check_flows(ports, flows);
  } catch (const Error& error) {
    throw error.at(place);
  }

  FredRoute found{
      .ports = ports, .middle = middle, .flows = flows, .routing = fabric::route(fred, flows), .svg = question.svg};
  const auto* configuration = std::get_if<fabric::FredConfiguration>(&found.routing);
  if (configuration) found.check = fabric::check_collective(fred, configuration->settings, flows);
  found.drawn = found.check.verified && !question.svg.empty();
  try {
    if (found.drawn)
      write_file(question.svg, report::fred_svg(fred, *configuration, flows), called("svg"), Parents::kMade);
  } catch (const Error& error) {
    throw error.at(called("svg"));
  }
  return found;
}

}  // namespace helio::ask
