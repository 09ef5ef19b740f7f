// SPDX-License-Identifier: Apache-2.0
// Exchanges on small networks (src/schedule/fitted/exchange.h) beside the linear program of the maximum concurrent flow, solved exactly by CLP:
//
//   minimise T;  x(source, arc) >= 0, bytes that this source sends over the arc
//   for every source and vertex      Σ leaving x - Σ entering x   =  what it puts in, or -1 at every other node, or 0 at a switch
//   for every arc                    Σ over sources  x · seconds of a byte  <=  T
#include <gtest/gtest.h>

#include <coin/Cbc_C_Interface.h>

#include <memory>
#include <vector>

#include "schedule/fitted/exchange.h"
#include "schedule/fitted/networks.h"

namespace helio::schedule {
namespace {

double least_load(const Network& network) {
  const int n = static_cast<int>(network.nodes), vertices = static_cast<int>(network.vertices),
            arcs = static_cast<int>(network.arcs.size());
  // Columns: by source and arc, then T; rows: by source and vertex, then arcs. In nanoseconds
  const int columns = n * arcs + 1, rows = n * vertices + arcs;
  std::vector<int> start{0}, index;
  std::vector<double> value;
  for (int s = 0; s < n; ++s)
    for (int a = 0; a < arcs; ++a) {
      const Network::Arc& arc = network.arcs[static_cast<std::size_t>(a)];
      index.insert(index.end(), {s * vertices + static_cast<int>(arc.from), s * vertices + static_cast<int>(arc.to),
                                 n * vertices + a});
      value.insert(value.end(), {1, -1, 1e9 * seconds_at(Bytes{1}, arc.rate)});
      start.push_back(static_cast<int>(index.size()));
    }
  for (int a = 0; a < arcs; ++a) index.push_back(n * vertices + a), value.push_back(-1);
  start.push_back(static_cast<int>(index.size()));

  std::vector<double> least(static_cast<std::size_t>(rows), -1e30), most(static_cast<std::size_t>(rows), 0);
  for (int s = 0; s < n; ++s)
    for (int v = 0; v < vertices; ++v) {
      const auto row = static_cast<std::size_t>(s * vertices + v);
      least[row] = most[row] = v == s ? n - 1 : v < n ? -1 : 0;
    }
  const std::vector<double> none(static_cast<std::size_t>(columns), 0), free(static_cast<std::size_t>(columns), 1e30);
  std::vector<double> cost = none;
  cost.back() = 1;
  const std::unique_ptr<Cbc_Model, void (*)(Cbc_Model*)> model(Cbc_newModel(), Cbc_deleteModel);
  Cbc_loadProblem(model.get(), columns, rows, start.data(), index.data(), value.data(), none.data(), free.data(),
                  cost.data(), least.data(), most.data());
  Cbc_setParameter(model.get(), "log", "0");
  Cbc_solve(model.get());
  EXPECT_TRUE(Cbc_isProvenOptimal(model.get()));
  return 1e-9 * Cbc_getObjValue(model.get());
}

TEST(Exchange, AndItsBoundAreNearTheLinearProgram) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Network network = random_network(seed, 9, 3);
    std::vector<std::vector<NodeId>> groups(1);
    for (std::uint32_t node = 0; node < network.nodes; ++node) groups[0].push_back({node});
    const auto exchange = exchange_on(network, groups);
    const double exact = least_load(network);
    constexpr double kRounded = 1e-6;  // CLP's tolerances
    EXPECT_LE(exchange->least, exact * (1 + kRounded)) << seed;
    EXPECT_GE(exchange->busiest, exact * (1 - kRounded)) << seed;
    EXPECT_LE(exchange->busiest, exact * 1.02) << seed;
    EXPECT_GE(exchange->least, exact * 0.98) << seed;
  }
}

}  // namespace
}  // namespace helio::schedule
