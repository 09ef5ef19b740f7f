// SPDX-License-Identifier: Apache-2.0
#include "train/models/backward_node.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <memory>
#include <type_traits>
#include <utility>

namespace helio::train {
namespace {

class BackwardNode : public torch::autograd::Node {
 public:
  BackwardNode(Backward step, torch::autograd::edge_list&& next) : Node(std::move(next)), step_(std::move(step)) {}

  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
    const Unrecorded unrecorded;
    return step_(gradients[0]);
  }
  void release_variables() override { step_ = nullptr; }

 private:
  Backward step_;
};

// Who owns a node: std::shared_ptr, or in later versions of libtorch c10::intrusive_ptr.
using NodeOwner = decltype(torch::autograd::Edge::function);

template <class Node, class Owner>
Owner owned_node(Backward step, torch::autograd::edge_list&& next) {
  if constexpr (std::is_same_v<Owner, std::shared_ptr<torch::autograd::Node>>)
    return std::make_shared<Node>(std::move(step), std::move(next));
  else
    return c10::make_intrusive<Node>(std::move(step), std::move(next));
}

}  // namespace

at::Tensor with_backward(at::Tensor y, const std::vector<at::Tensor>& inputs, Backward backward) {
  if (!at::GradMode::is_enabled()) return y;
  torch::autograd::edge_list next;
  for (const at::Tensor& input : inputs) next.push_back(torch::autograd::impl::gradient_edge(input));
  torch::autograd::create_gradient_edge(y, owned_node<BackwardNode, NodeOwner>(std::move(backward), std::move(next)));
  return y;
}

}  // namespace helio::train
