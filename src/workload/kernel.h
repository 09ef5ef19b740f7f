// SPDX-License-Identifier: Apache-2.0
// How the tables of this room write a kernel: one call per line, so that a layer reads as the list of what an NPU runs.
//
// Elements of a memory kernel are those it reads plus those it writes, in the activation precision (2 bytes where nothing
// else is said): a byte of a dropout mask is half an element, a number in fp32 is two.
#pragma once

#include <string>
#include <utility>

#include "workload/workload.h"

namespace helio::workload {

// [rows x inner] · [inner x columns] with a parameter as the second factor; rows grow with the samples.
inline Kernel product(std::string name, Share share, double rows, double columns, double inner) {
  return {.name = std::move(name), .share = share, .rows = rows, .columns = columns, .inner = inner};
}

// `batch` products of two activations per sample: attention, and the interaction of features.
inline Kernel batched_product(std::string name, Share share, double batch, double rows, double columns, double inner) {
  return {.name = std::move(name),
          .share = share,
          .batch = batch,
          .rows = rows,
          .columns = columns,
          .inner = inner,
          .rows_grow = false,
          .weighted = false};
}

inline Kernel memory(std::string name, Share share, double elements) {
  return {
      .name = std::move(name), .kind = KernelKind::kMemory, .share = share, .weighted = false, .elements = elements};
}

inline Kernel then(Kernel kernel, Exchange exchange, double elements) {
  kernel.exchange = exchange;
  kernel.exchange_elements = elements;
  return kernel;
}

}  // namespace helio::workload
