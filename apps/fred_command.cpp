// SPDX-License-Identifier: Apache-2.0
#include "fred_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/text_file.h"
#include "base/units.h"
#include "fabric/fred_router.h"
#include "fabric/fred_simulation.h"
#include "fabric/fred_switch.h"

namespace helio::apps {
namespace {

using fabric::Flow;

std::uint32_t port_number(long long port, const std::string& place) {
  if (port < 0 || port > 0xffffffffll)
    throw Error(ErrorKind::kInput, fmt::format("no port can have the number {}", port), place,
                "Ports are numbered from 0.");
  return static_cast<std::uint32_t>(port);
}

// "0,3,6;1,4,9" as all-reduce flows.
std::vector<Flow> flows_in_groups(const std::string& text) {
  std::vector<Flow> flows;
  std::vector<std::uint32_t> ports;
  std::string number;
  const auto end_of_number = [&] {
    try {
      ports.push_back(port_number(parse_integer(number), "--groups"));
    } catch (const Error& error) {
      throw error.at("--groups");
    }
    number.clear();
  };
  for (const char c : text + ";") {
    if (c != ',' && c != ';') {
      if (c != ' ') number += c;
      continue;
    }
    end_of_number();
    if (c == ';') flows.push_back(fabric::all_reduce_flow(std::exchange(ports, {})));
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
          if (!port.is_number_integer()) throw wrong(fmt::format("{} is no number of a port", port.dump()));
          side->push_back(port_number(port.get<long long>(), path));
        }
      }
      flows.push_back(std::move(flow));
    }
  } catch (const nlohmann::json::exception& error) {
    throw wrong(fmt::format("this is no JSON: {}", error.what()));
  }
  return flows;
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
  const std::vector<Flow> flows = options.groups.empty() ? flows_in_file(options.flows) : flows_in_groups(options.groups);
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

  nlohmann::ordered_json result = {{"ports", ports}, {"middle", middle}, {"flows", flows.size()}};
  result["routed"] = configuration != nullptr;
  result["verified"] = check.verified;
  result["colours"] = configuration ? nlohmann::ordered_json(configuration->colours) : nlohmann::ordered_json(nullptr);
  result["adders"] = check.activity.adders;
  result["copiers"] = check.activity.copiers;
  result["proven"] = blocked ? blocked->proven : false;
  result["proof"] = blocked ? nlohmann::ordered_json(blocked->reason) : nlohmann::ordered_json(nullptr);
  if (json) return result.dump(2) + "\n";

  std::string text = fmt::format("{} flows through Fred_{}({})\n", flows.size(), middle, ports);
  if (!configuration) return text + fmt::format("  not routed   {}\n", blocked->reason);
  for (std::size_t i = 0; i < flows.size(); ++i)
    text += fmt::format("  flow {:<8} {} to {}, middle switches {}\n", i, fmt::join(flows[i].inputs, ","),
                        fmt::join(flows[i].outputs, ","), fmt::join(configuration->colours[i], " > "));
  return text + fmt::format("  verified     {}, {} adders and {} copiers in use\n",
                            check.verified ? "yes, by pushing numbers through it" : "NO: " + check.failure,
                            check.activity.adders, check.activity.copiers);
}

}  // namespace helio::apps
