// SPDX-License-Identifier: Apache-2.0
#include "ask/testbed.h"

#include "base/error.h"

namespace helio::ask {

pipeline::TestbedResult testbed(const TestbedQuestion& asked, const Watch& watch) {
  if (asked.fabric != "oddl") throw unknown_name("testbed", asked.fabric, {"oddl"}, asked.place);
  const pipeline::Experiment experiment = pipeline::interpret(draft_of({.kind = "all-reduce",
                                                                        .fabric = asked.fabric,
                                                                        .bytes = asked.bytes,
                                                                        .nodes = asked.nodes,
                                                                        .algorithm = asked.algorithm,
                                                                        .set = asked.set,
                                                                        .place = asked.place,
                                                                        .called = asked.called}));
  const pipeline::Collective& collective = experiment.collectives.front();
  pipeline::TestbedQuestion question{.fabric = experiment.fabric,
                                     .algorithm = collective.algorithm,
                                     .bytes = collective.bytes,
                                     .namespaces = !asked.loopback};
  Settings settings;
  for (const auto& [name, value] : {std::pair{"steps", &asked.steps}, {"scale", &asked.scale}, {"kill", &asked.kill}})
    if (*value) settings[name] = {**value, asked.called(name)};
  pipeline::read_testbed(Parameters("testbed", pipeline::testbed_parameters(), settings), question);
  return pipeline::run_testbed(question, watch.stage);
}

}  // namespace helio::ask
