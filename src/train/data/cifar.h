// SPDX-License-Identifier: Apache-2.0
// Readers of the CIFAR-10 and CIFAR-100 binary files (Krizhevsky 2009, "Learning multiple layers of features from tiny images"):
// records one after another, without a header.
//
//     CIFAR-10    | label |                 1024 red | 1024 green | 1024 blue |      3073 bytes, label below 10
//     CIFAR-100   | coarse | fine label |   1024 red | 1024 green | 1024 blue |      3074 bytes, coarse below 20, fine below 100
//
// The fine label of CIFAR-100 is the class; the coarse one is checked and dropped.
#pragma once

#include <string>
#include <vector>

#include "train/data/labelled_images.h"

namespace helio::train {

enum class CifarLayout { kTen, kHundred };

// The records of all files, in order. Throws Error(kInput) with the file, and the record counted from 0, for files that cannot be
// read, that are no whole number of records or none, and for labels out of range. Requires: at least one file.
LabelledImages read_cifar(CifarLayout layout, const std::vector<std::string>& files);

}  // namespace helio::train
