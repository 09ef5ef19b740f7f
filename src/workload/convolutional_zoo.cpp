// SPDX-License-Identifier: Apache-2.0
#include "workload/convolutional_zoo.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace helio::workload {
namespace {

constexpr Image kImageNet{3, 224};
constexpr std::uint64_t kClasses = 1000;

Step dropped(Step step) {
  step.dropout = true;
  return step;
}

Step classifier(std::string name) {
  Step step = dense(std::move(name), kClasses);
  step.activation = false;
  return step;
}

// 1x1 to `width`, 3x3 that strides, 1x1 to four times as many channels, beside the image itself, or a 1x1 projection of it
// where its size changes.
Step bottleneck(const std::string& name, std::uint64_t width, std::uint64_t stride, bool projected) {
  Step last = normed_convolution(name + ".conv3", 4 * width, 1, 1, 0);
  last.activation = false;
  std::vector<Step> shortcut;
  if (projected) {
    shortcut = {normed_convolution(name + ".shortcut", 4 * width, 1, stride, 0)};
    shortcut[0].activation = false;
  }
  return branches(StepKind::kSum, name,
                  {{normed_convolution(name + ".conv1", width, 1, 1, 0),
                    normed_convolution(name + ".conv2", width, 3, stride, 1), std::move(last)},
                   std::move(shortcut)});
}

// 1x1 | 1x1 then 3x3 | 1x1 then 3x3 | pool then 1x1, with so many channels each.
struct Inception {
  const char* name;
  std::uint64_t one, before_second, second, before_third, third, pooled;
};

Step inception(const Inception& row) {
  const std::string name = row.name;
  return branches(StepKind::kConcat, name,
                  {{normed_convolution(name + ".1", row.one, 1, 1, 0)},
                   {normed_convolution(name + ".2a", row.before_second, 1, 1, 0),
                    normed_convolution(name + ".2b", row.second, 3, 1, 1)},
                   {normed_convolution(name + ".3a", row.before_third, 1, 1, 0),
                    normed_convolution(name + ".3b", row.third, 3, 1, 1)},
                   {max_pool(name + ".4a", 3, 1, 1, true), normed_convolution(name + ".4b", row.pooled, 1, 1, 0)}});
}

}  // namespace

std::vector<Step> alexnet() {
  return {convolution("conv1", 64, 11, 4, 2),
          max_pool("pool1", 3, 2, 0, false),
          convolution("conv2", 192, 5, 1, 2),
          max_pool("pool2", 3, 2, 0, false),
          convolution("conv3", 384, 3, 1, 1),
          convolution("conv4", 256, 3, 1, 1),
          convolution("conv5", 256, 3, 1, 1),
          max_pool("pool5", 3, 2, 0, false),
          dropped(dense("fc6", 4096)),
          dropped(dense("fc7", 4096)),
          classifier("fc8")};
}

std::vector<Step> vgg(const std::vector<std::uint64_t>& stages) {
  std::vector<Step> steps;
  std::uint64_t channels = 64;
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    for (std::uint64_t i = 0; i < stages[stage]; ++i)
      steps.push_back(convolution(fmt::format("conv{}_{}", stage + 1, i + 1), channels, 3, 1, 1));
    steps.push_back(max_pool(fmt::format("pool{}", stage + 1), 2, 2, 0, false));
    channels = std::min<std::uint64_t>(2 * channels, 512);
  }
  steps.push_back(dense("fc6", 4096));
  steps.push_back(dropped(dense("fc7", 4096)));
  steps.push_back(dropped(classifier("fc8")));
  return steps;
}

std::vector<Step> googlenet() {
  return {normed_convolution("conv1", 64, 7, 2, 3),
          max_pool("pool1", 3, 2, 0, true),
          normed_convolution("conv2", 64, 1, 1, 0),
          normed_convolution("conv3", 192, 3, 1, 1),
          max_pool("pool3", 3, 2, 0, true),
          inception({"inception3a", 64, 96, 128, 16, 32, 32}),
          inception({"inception3b", 128, 128, 192, 32, 96, 64}),
          max_pool("pool4", 3, 2, 0, true),
          inception({"inception4a", 192, 96, 208, 16, 48, 64}),
          inception({"inception4b", 160, 112, 224, 24, 64, 64}),
          inception({"inception4c", 128, 128, 256, 24, 64, 64}),
          inception({"inception4d", 112, 144, 288, 32, 64, 64}),
          inception({"inception4e", 256, 160, 320, 32, 128, 128}),
          max_pool("pool5", 2, 2, 0, true),
          inception({"inception5a", 256, 160, 320, 32, 128, 128}),
          inception({"inception5b", 384, 192, 384, 48, 128, 128}),
          average_pool("average", 7),
          dropped(classifier("fc"))};
}

std::vector<Step> resnet(const std::vector<std::uint64_t>& stages) {
  std::vector<Step> steps = {normed_convolution("conv1", 64, 7, 2, 3), max_pool("pool1", 3, 2, 1, false)};
  std::uint64_t width = 64;
  for (std::size_t stage = 0; stage < stages.size(); ++stage, width *= 2)
    for (std::uint64_t i = 0; i < stages[stage]; ++i) {
      const std::uint64_t stride = stage > 0 && i == 0 ? 2 : 1;
      steps.push_back(bottleneck(fmt::format("conv{}_{}", stage + 2, i + 1), width, stride, i == 0));
    }
  steps.push_back(average_pool("average", 7));
  steps.push_back(classifier("fc"));
  return steps;
}

Workload imagenet(const std::vector<Step>& steps) {
  Workload workload{.family = "convolutional", .sample = "image 3 x 224 x 224"};
  workload.layers = convolutional_layers(steps, kImageNet);
  return workload;
}

}  // namespace helio::workload
