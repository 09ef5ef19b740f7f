// SPDX-License-Identifier: Apache-2.0
#include "optical.h"

#include <Eigen/QR>
#include <cstring>
#include <span>

#include "base/random.h"
#include "emulate/optical_exchange.h"
#include "photonics/decompose.h"
#include "stopwatch.h"

namespace helio::bench {
namespace {

constexpr std::size_t kElements = std::size_t{1} << 22;  // of each server: 16 MiB, more than a cache holds

using Buffers = std::vector<std::vector<float>>;

Buffers gradients(std::uint32_t servers) {
  Random random(1);
  Buffers buffers(servers, std::vector<float>(kElements));
  for (std::vector<float>& buffer : buffers)
    for (float& g : buffer) g = static_cast<float>(random.normal());
  return buffers;
}

double gigabytes(std::uint32_t servers) { return 4e-9 * static_cast<double>(kElements) * servers; }

template <class Matrix>
Matrix random_matrix(int modes) {
  Random random(1);
  Matrix matrix(modes, modes);
  for (int i = 0; i < modes; ++i)
    for (int j = 0; j < modes; ++j) {
      if constexpr (Eigen::NumTraits<typename Matrix::Scalar>::IsComplex)
        matrix(i, j) = {random.normal(), random.normal()};
      else
        matrix(i, j) = random.normal();
    }
  return Eigen::HouseholderQR<Matrix>(matrix).householderQ();
}

}  // namespace

double seconds_per_exchanged_gigabyte(const std::vector<std::uint32_t>& ports) {
  emulate::OpticalExchange exchange{emulate::CodeAverager(cascade_of({}, ports, ports.size() > 1 ? 1 : 0))};
  const std::uint32_t servers = exchange.averager().servers();
  const Buffers buffers = gradients(servers);
  const std::vector<std::span<const float>> inputs(buffers.begin(), buffers.end());
  std::vector<float> sum(kElements);
  return least_seconds([&] { return exchange.all_reduce(inputs, sum).elements; }) / gigabytes(servers);
}

double seconds_per_copied_gigabyte(std::uint32_t servers) {
  const Buffers buffers = gradients(servers);
  std::vector<float> copy(kElements);
  return least_seconds([&] {
           for (const std::vector<float>& buffer : buffers) std::memcpy(copy.data(), buffer.data(), 4 * kElements);
           return copy.front();
         }) /
         gigabytes(servers);
}

double seconds_to_decompose(int modes, bool real) {
  if (real) {
    const auto matrix = random_matrix<Eigen::MatrixXd>(modes);
    return least_seconds([&] { return photonics::decompose(matrix); });
  }
  const auto matrix = random_matrix<Eigen::MatrixXcd>(modes);
  return least_seconds([&] { return photonics::decompose(matrix); });
}

}  // namespace helio::bench
