// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/testbed_exchange.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"

namespace helio::train {
namespace {

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> declared = {
      {.name = "algorithm",
       .fallback = "ring",
       .description = "which moves, of those that add in place between two nodes"},
      {.name = "switch",
       .type = ParameterType::kChoice,
       .fallback = "light",
       .description = "light: circuits are tuned, locked and asked for; ideal: everything is lit",
       .choices = {"light", "ideal"}}};
  return declared;
}

// What is not of the fabric.
Parameters own(const ExchangeSpec& spec) {
  Settings settings;
  for (const auto& [name, text] : spec.settings)
    if (!name.starts_with("fabric.")) settings[name] = {text, name};
  return Parameters("exchange 'testbed'", parameters(), settings);
}

testbed::Plan plan_of(const ExchangeSpec& spec, int servers, std::int64_t length) {
  Settings fabric;
  for (const auto& [name, text] : spec.settings)
    if (name.starts_with("fabric.")) fabric[name.substr(7)] = {text, name};
  if (fabric.contains("nodes"))
    throw Error(ErrorKind::kInput, "the nodes of a testbed are the servers", "fabric.nodes",
                "Set the number of servers.");
  fabric["nodes"] = {fmt::format("{}", servers), spec.place("exchange")};
  return testbed::make_plan(fabric, own(spec).text("algorithm"), {}, static_cast<std::size_t>(length));
}

}  // namespace

TestbedExchange::TestbedExchange(const ExchangeSpec& spec, int servers, std::int64_t length)
    : ideal_(own(spec).text("switch") == "ideal"), testbed_(plan_of(spec, servers, length), {.ideal = ideal_}) {}

void TestbedExchange::average(at::Tensor& gradients, at::Tensor& average) {
  const testbed::Plan& plan = testbed_.plan();
  const auto row = [&](std::uint32_t node) {
    return at::from_blob(testbed_.row(node).data(), {static_cast<std::int64_t>(plan.elements)}, at::kFloat);
  };
  for (std::uint32_t n = 0; n < plan.nodes(); ++n) row(n).copy_(gradients[n]);
  last_ = testbed_.exchange();
  average.copy_(row(0));
  average.mul_(1.0f / static_cast<float>(plan.nodes()));
}

std::string TestbedExchange::describe() const {
  const testbed::Plan& plan = testbed_.plan();
  return fmt::format("{} of {} processes over {} of a testbed at {} ({})", plan.schedule.algorithm, plan.nodes(),
                     ideal_ ? "the ideal switch" : "the light", format(plan.options.rate), testbed_.isolation());
}

ExchangeEntry testbed_exchange() {
  return {{.name = "testbed",
           .summary = "processes that exchange real bytes along light which a switch enforces; also takes fabric.NAME",
           .reference = "ours",
           .parameters = parameters()},
          [](const ExchangeSpec& spec, int servers, std::int64_t length, const at::Device&) {
            return std::make_unique<TestbedExchange>(spec, servers, length);
          }};
}

}  // namespace helio::train
