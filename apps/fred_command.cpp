// SPDX-License-Identifier: Apache-2.0
#include "fred_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/split.h"
#include "base/text_file.h"
#include "base/units.h"
#include "fabric/fred/fred_router.h"
#include "fabric/fred/fred_simulation.h"
#include "fabric/fred/fred_switch.h"
#include "pipeline/counted.h"
#include "report/figures/fred_drawing.h"
#include "report/pages/folder.h"

namespace helio::apps {
namespace {

using fabric::Flow;

std::uint32_t port_number(long long port, const std::string& place) {
  if (port < 0 || port > 0xffffffffll)
    throw Error(ErrorKind::kInput, fmt::format("no port can have the number {}", port), place,
                "Ports are numbered from 0.");
  return static_cast<std::uint32_t>(port);
}

// "0,3,6;1,4,9" as all-reduce flows; blanks around a number do not count.
std::vector<Flow> flows_in_groups(const std::string& text) {
  std::vector<Flow> flows;
  for (const std::string& group : split(text, ';')) {
    std::vector<std::uint32_t> ports;
    for (std::string number : split(group, ',')) {
      number.erase(0, number.find_first_not_of(' '));
      number.erase(number.find_last_not_of(' ') + 1);
      if (number.empty())
        throw Error(ErrorKind::kInput,
                    fmt::format("group {} has a port without a number, or none at all", flows.size()), "--groups",
                    "Write ports with a ',' and groups with a ';' between them, such as \"0,3,6;1,4,9\".");
      try {
        ports.push_back(port_number(parse_integer(number), "--groups"));
      } catch (const Error& error) {
        throw error.at("--groups");
      }
    }
    flows.push_back(fabric::all_reduce_flow(std::move(ports)));
  }
  return flows;
}

std::vector<Flow> flows_in_file(const std::string& path) {
  const auto wrong = [&](const std::string& what) {
    return Error(ErrorKind::kInput, what, path, "Write [{\"inputs\": [0, 1], \"outputs\": [2]}, …].");
  };
  std::vector<Flow> flows;
  try {
    const auto json = nlohmann::json::parse(read_text(path, "--flows", "file of flows", "docs/fred.md"));
    if (!json.is_array()) throw wrong("this is no list of flows");
    for (const auto& item : json) {
      Flow flow;
      for (auto [key, side] : {std::pair{"inputs", &flow.inputs}, {"outputs", &flow.outputs}}) {
        if (!item.is_object() || !item.contains(key) || !item[key].is_array())
          throw wrong(fmt::format("a flow has no list of {}", key));
        for (const auto& port : item[key]) {
          if (!port.is_number_integer() || port > std::numeric_limits<std::uint32_t>::max())
            throw wrong(fmt::format("{} is no number of a port", port.dump()));
          side->push_back(port_number(port.get<long long>(), path));
        }
      }
      for (const auto& [key, value] : item.items())
        if (key != "inputs" && key != "outputs") throw wrong(fmt::format("a flow has no '{}'", key));
      flows.push_back(std::move(flow));
    }
  } catch (const nlohmann::json::exception& error) {
    throw wrong(fmt::format("this is no JSON: {}", error.what()));
  }
  return flows;
}

// Requires: `configuration` was checked.
void draw(const fabric::FredSwitch& fred, const fabric::FredConfiguration& configuration,
          const std::vector<Flow>& flows, const std::string& path) {
  try {
    report::write_file(path, report::fred_svg(fred, configuration, flows), "--svg");
  } catch (const Error& error) {
    throw error.at("--svg");
  }
}

}  // namespace

std::string fred_route(const FredRouteOptions& options, bool json) {
  if (options.groups.empty() == options.flows.empty())
    throw Error(ErrorKind::kUsage, "give either --groups or --flows", "", "For example --groups \"0,3,6;1,4,9\".");
  const std::string place = options.groups.empty() ? options.flows : "--groups";
  if (options.ports < 0 || options.ports > 0xffffffffll || options.middle < 0 || options.middle > 0xffffffffll)
    throw Error(ErrorKind::kInput, "a switch has 2 ports and 2 middle switches at least", "--ports", "Raise them.");
  const auto ports = static_cast<std::uint32_t>(options.ports), middle = static_cast<std::uint32_t>(options.middle);
  const fabric::FredSwitch fred(ports, middle);
  const std::vector<Flow> flows =
      options.groups.empty() ? flows_in_file(options.flows) : flows_in_groups(options.groups);
  try {
    fabric::check_flows(ports, flows);
  } catch (const Error& error) {
    throw error.at(place);
  }

  const fabric::FredRouting routing = fabric::route(fred, flows);
  const auto* configuration = std::get_if<fabric::FredConfiguration>(&routing);
  const auto* blocked = std::get_if<fabric::FredBlocked>(&routing);
  fabric::FredCheck check;
  if (configuration) check = fabric::check_collective(fred, configuration->settings, flows);
  const bool drawn = check.verified && !options.svg.empty();
  if (drawn) draw(fred, *configuration, flows, options.svg);

  nlohmann::ordered_json result = {{"ports", ports}, {"middle", middle}, {"flows", flows.size()}};
  result["routed"] = configuration != nullptr;
  result["verified"] = check.verified;
  result["colours"] = configuration ? nlohmann::ordered_json(configuration->colours) : nlohmann::ordered_json(nullptr);
  result["adders"] = check.activity.adders;
  result["copiers"] = check.activity.copiers;
  result["proven"] = blocked ? blocked->proven : false;
  result["proof"] = blocked ? nlohmann::ordered_json(blocked->reason) : nlohmann::ordered_json(nullptr);
  result["svg"] = drawn ? nlohmann::ordered_json(options.svg) : nlohmann::ordered_json(nullptr);
  if (json) return result.dump(2) + "\n";

  std::string text = fmt::format("{} through Fred_{}({})\n", pipeline::counted(flows.size(), "flow"), middle, ports);
  const std::string drawing =
      options.svg.empty() ? ""
      : drawn             ? fmt::format("  drawing      {}\n", options.svg)
              : fmt::format("  drawing      none: {} was not written, for nothing routed can be shown\n", options.svg);
  if (!configuration) return text + fmt::format("  not routed   {}\n", blocked->reason) + drawing;
  for (std::size_t i = 0; i < flows.size(); ++i)
    text += fmt::format("  flow {:<8} {} to {}, middle switches {}\n", i, fmt::join(flows[i].inputs, ","),
                        fmt::join(flows[i].outputs, ","), fmt::join(configuration->colours[i], " > "));
  return text +
         fmt::format("  verified     {}, {} adders and {} copiers in use\n",
                     check.verified ? "yes, by pushing numbers through it" : "NO: " + check.failure,
                     check.activity.adders, check.activity.copiers) +
         drawing;
}

}  // namespace helio::apps
