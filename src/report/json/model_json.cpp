// SPDX-License-Identifier: Apache-2.0
#include "report/json/model_json.h"

namespace helio::report {

Json model_json(const workload::Workload& model) {
  Json layers = Json::array();
  for (const workload::Layer& layer : model.layers)
    layers.push_back({{"name", layer.name},
                      {"repeat", layer.repeat},
                      {"parameters", layer.parameters},
                      {"forward_flops", layer.forward_flops()}});
  return {{"model", model.name},
          {"title", model.title},
          {"parameters", model.parameters()},
          {"tokens", model.tokens},
          {"forward_flops", model.forward_flops()},
          {"shape", model.shape},
          {"not_modelled", model.not_modelled},
          {"layers", layers}};
}

}  // namespace helio::report
