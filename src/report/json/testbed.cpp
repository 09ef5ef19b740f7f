// SPDX-License-Identifier: Apache-2.0
#include "report/json/testbed.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_dump.h"
#include "base/units.h"
#include "base/visible.h"
#include "pipeline/counted.h"
#include "report/json/json_values.h"

namespace helio::report {

using pipeline::TestbedFlow;
using pipeline::TestbedResult;
using pipeline::TestbedStep;

namespace {

// Of what was to be carried over light.
double lost_bytes(const TestbedResult& result) {
  double sent = 0;
  for (const TestbedFlow& flow : result.flows) sent += flow.bytes.value;
  return std::max(0.0, sent - static_cast<double>(result.bytes));
}

}  // namespace

std::string to_json(const TestbedResult& result) {
  const double scale = result.asked.scale;
  const fabric::OddlOptions& o = result.options;
  Json json = {{"version", result.version},
               {"fabric", result.asked.fabric.name},
               {"nodes", o.nodes},
               {"transport", result.isolation},
               {"bytes", number(result.asked.bytes.value.value)},
               {"algorithm", result.asked.algorithm.name},
               {"rate_bps", number(o.rate.value)},
               {"step_s", result.step.to_seconds()},
               {"predicted_step_s", result.predicted_step.to_seconds()},
               {"ideal_step_s", result.ideal_step.to_seconds()},
               {"ratio", result.slowdown()},
               {"predicted_ratio", result.predicted_step.to_seconds() / result.ideal_step.to_seconds()},
               {"prediction_error", result.prediction_error()},
               {"exact", result.exact},
               {"lost", lost_bytes(result)},
               {"scale", scale},
               {"modelled",
                {{"rate_bps", o.rate.value * scale},
                 {"tune_s", o.tune.to_seconds() / scale},
                 {"lock_s", o.lock.to_seconds() / scale},
                 {"guard_s", o.guard.to_seconds() / scale},
                 {"step_s", result.step.to_seconds() / scale}}},
               {"control_messages", result.messages},
               {"control_messages_lost", result.messages_lost},
               {"predicted_control_messages", result.predicted_messages},
               {"carried_bytes", result.bytes},
               {"frames", result.frames},
               {"circuits", result.circuits},
               {"late_s", result.late.to_seconds()}};
  json["steps"] = Json::array();
  for (const TestbedStep& step : result.steps)
    json["steps"].push_back({{"measured_s", step.measured.to_seconds()},
                             {"predicted_s", step.predicted.to_seconds()},
                             {"ideal_s", step.ideal.to_seconds()}});
  json["flows"] = Json::array();
  for (const TestbedFlow& flow : result.flows)
    json["flows"].push_back({{"step", flow.step},
                             {"round", flow.round},
                             {"source", flow.source.value},
                             {"destination", flow.destination.value},
                             {"bytes", number(flow.bytes.value)},
                             {"light", flow.light},
                             {"ready_s", flow.ready.to_seconds()},
                             {"started_s", flow.started.to_seconds()},
                             {"lit_s", flow.lit.to_seconds()},
                             {"dark", flow.dark},
                             {"ended_s", flow.ended.to_seconds()},
                             {"predicted_ready_s", flow.simulated_ready.to_seconds()},
                             {"predicted_ended_s", flow.simulated_ended.to_seconds()},
                             {"ideal_ended_s", flow.ideal_ended.to_seconds()}});
  json["configuration"] = configured({result.configuration});
  json["label"] = result.label;
  return json_dump(json, 2) + "\n";
}

std::string to_text(const TestbedResult& result) {
  const fabric::OddlOptions& o = result.options;
  const double scale = result.asked.scale;
  const auto over = [&](Time time) { return format(Time::seconds(time.to_seconds() / scale)); };
  std::string text =
      fmt::format("all-reduce of {} over a testbed of {}, {} by {}, {}\n", format(result.asked.bytes.value),
                  result.asked.fabric.name, pipeline::counted(o.nodes, "node"), shown(result.asked.algorithm.name),
                  pipeline::counted(result.steps.size(), "step"));
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", name, visible(value));
  };
  line("nodes", result.isolation == "namespaces" ? "processes in network namespaces of their own"
                                                 : "processes over " + result.isolation);
  line("step", fmt::format("{} over light, {} over an ideal switch: {:.3f} x", format(result.step),
                           format(result.ideal_step), result.slowdown()));
  line("predicted",
       fmt::format("{} by the simulator, {:+.1f} %", format(result.predicted_step), 100 * result.prediction_error()));
  line("sums", result.exact ? "exact on every node in every step, over both switches" : "WRONG");
  line("enforced", fmt::format("{}, tune {}, lock {}, guard {}, a control message {}", format(o.rate), format(o.tune),
                               format(o.lock), format(o.guard), format(o.control.message_time())));
  line("modelled", fmt::format("over {:g}: {}, tune {}, lock {}, guard {}; a step {}", scale, format(o.rate * scale),
                               over(o.tune), over(o.lock), over(o.guard), over(result.step)));
  line("light", fmt::format("{} in {} frames, {}", format(Bytes{static_cast<double>(result.bytes)}), result.frames,
                            pipeline::counted(result.circuits, "change") + " of circuits"));
  line("switch", fmt::format("handed frames on {} late on average{}", format(result.late),
                             result.kept_up() ? "" : ": it did not keep up; ask for a lower rate or fewer nodes"));
  line("control", fmt::format("{}, {} lost; the simulator's were {}", pipeline::counted(result.messages, "message"),
                              result.messages_lost, result.predicted_messages));
  for (std::size_t i = 0; i < result.steps.size(); ++i)
    line(fmt::format("step {}", i).c_str(),
         fmt::format("{}, predicted {}, ideal {}", format(result.steps[i].measured), format(result.steps[i].predicted),
                     format(result.steps[i].ideal)));
  line("label", result.label);
  return text;
}

}  // namespace helio::report
