// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/runs.h"

#include "workload/zoo.h"

namespace helio::studies::optinc_study {
namespace {

const std::map<std::string, std::string> kSerialisationAlone = {{"rate", "6400 Gb/s"}, {"latency", "0 s"}};
// Serialisation and quantisation alone: networks whose optics have no flaw.
const std::map<std::string, std::string> kFlawless = {
    {"rate", "6400 Gb/s"}, {"latency", "0 s"}, {"network", "constructed"}};

}  // namespace

Question on_optinc(double parameters, int servers) {
  return {.fabric = "optinc",
          .settings = kFlawless,
          .algorithm = "in-fabric",
          .bytes = kFloatBytes * parameters,
          .nodes = servers};
}

Question on_ring(double parameters, int servers, int bits) {
  return {.fabric = "switch", .settings = kSerialisationAlone, .bytes = parameters * bits / 8, .nodes = servers};
}

double resnet50_parameters() {
  static const double parameters = static_cast<double>(workload::load("resnet-50", {}, "studies/optinc").parameters());
  return parameters;
}

}  // namespace helio::studies::optinc_study
