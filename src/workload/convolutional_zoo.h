// SPDX-License-Identifier: Apache-2.0
// The convolutional networks of the zoo, on ImageNet (3 x 224 x 224, 1000 classes), in the form that torchvision has them: its
// parameter counts are exact and public, and its tables of operations count multiply-adds of convolutions and dense layers, as
// ours do (2 FLOPs each).
//
//     alexnet    Krizhevsky 2014 ("One weird trick"): one column, no groups, no local response norm. The two-column network of
//                2012 has 60,965,224 parameters, and 62.3 M, as often quoted, without its groups.
//     vgg16/19   Simonyan and Zisserman 2015, configurations D and E
//     googlenet  Szegedy et al. 2015 with batch norm, 3 x 3 windows in the third branch, and no auxiliary heads
//     resnet-N   He et al. 2016, the stride of a block in its 3 x 3 convolution ("v1.5")
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "workload/convolution.h"

namespace helio::workload {

std::vector<Step> alexnet();
// How many convolutions each of the five stages has.
std::vector<Step> vgg(const std::vector<std::uint64_t>& stages);
std::vector<Step> googlenet();
// How many bottleneck blocks each of the four stages has.
std::vector<Step> resnet(const std::vector<std::uint64_t>& stages);

// The workload of a table on ImageNet; name, title and reference are the caller's.
Workload imagenet(const std::vector<Step>& steps);

}  // namespace helio::workload
