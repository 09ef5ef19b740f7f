// SPDX-License-Identifier: Apache-2.0
// A number of the system for an open file, closed with its owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace helio {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}  // below 0: nothing is open
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  bool close() { return !open() || ::close(std::exchange(number_, -1)) == 0; }  // false: with an error, in errno

 private:
  int number_;
};

}  // namespace helio
