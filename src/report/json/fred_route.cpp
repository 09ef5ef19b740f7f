// SPDX-License-Identifier: Apache-2.0
#include "report/json/fred_route.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <variant>

#include "base/json_dump.h"
#include "base/visible.h"
#include "pipeline/counted.h"
#include "report/json/json_values.h"

namespace helio::report {

std::string to_json(const FredRoute& route) {
  const auto* configuration = std::get_if<fabric::FredConfiguration>(&route.routing);
  const auto* blocked = std::get_if<fabric::FredBlocked>(&route.routing);
  const Json result = {{"ports", route.ports},
                       {"middle", route.middle},
                       {"flows", route.flows.size()},
                       {"routed", configuration != nullptr},
                       {"verified", route.check.verified},
                       {"colours", configuration ? Json(configuration->colours) : Json(nullptr)},
                       {"adders", route.check.activity.adders},
                       {"copiers", route.check.activity.copiers},
                       {"proven", blocked ? blocked->proven : false},
                       {"proof", blocked ? Json(blocked->reason) : Json(nullptr)},
                       {"svg", route.drawn ? Json(route.svg) : Json(nullptr)}};
  return json_dump(result, 2) + "\n";
}

std::string to_text(const FredRoute& route) {
  std::string text =
      fmt::format("{} through Fred_{}({})\n", pipeline::counted(route.flows.size(), "flow"), route.middle, route.ports);
  const std::string drawing =
      route.svg.empty() ? ""
      : route.drawn     ? fmt::format("  drawing      {}\n", visible(route.svg))
                        : fmt::format("  drawing      none: {} was not written, for nothing routed can be shown\n",
                                      visible(route.svg));
  const auto* configuration = std::get_if<fabric::FredConfiguration>(&route.routing);
  if (!configuration)
    return text + fmt::format("  not routed   {}\n", std::get<fabric::FredBlocked>(route.routing).reason) + drawing;
  for (std::size_t i = 0; i < route.flows.size(); ++i)
    text += fmt::format("  flow {:<8} {} to {}, middle switches {}\n", i, fmt::join(route.flows[i].inputs, ","),
                        fmt::join(route.flows[i].outputs, ","), fmt::join(configuration->colours[i], " > "));
  return text +
         fmt::format("  verified     {}, {} adders and {} copiers in use\n",
                     route.check.verified ? "yes, by pushing numbers through it" : "NO: " + route.check.failure,
                     route.check.activity.adders, route.check.activity.copiers) +
         drawing;
}

}  // namespace helio::report
