// SPDX-License-Identifier: Apache-2.0
// N data-parallel servers in one process, step by step:
//
//     batch ─▷ [ server 0 │ server 1 │ … ] forward, backward ─▷ gradients [N × P] ─▷ exchange ─▷ average [P] ─▷ optimiser ─▷ weights
//              own micro-batch, own batch statistics,                the plug          one set of weights: what every
//              own gradient (server_ops.h)                                             server holds after the exchange
//
// On CUDA forward and backward are recorded once and replayed. What a step does follows from the recipe and its number alone.
//
// Numbers that leave the finite ones stop the training, whoever notices first: the loss, the weights after a step, or an exchange that
// cannot carry the gradients (at once on the CPU, with the next look at its state on CUDA).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "train/data/examples.h"
#include "train/device.h"
#include "train/divergence.h"
#include "train/exchange/gradient_exchange.h"
#include "train/model_recipe.h"
#include "train/optimiser.h"

namespace helio::train {

struct HeldOut {
  double loss = 0;      // mean over examples (tokens)
  double accuracy = 0;  // share of examples whose class (next token) has the highest score
  std::int64_t examples = 0;
};

class ServerTrainer {
 public:
  // Throws what the recipe's check(), make_examples, make_model and make_exchange throw.
  ServerTrainer(const ModelRecipe& recipe, const at::Device& device);
  ~ServerTrainer();

  std::int64_t steps_done() const { return step_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  std::int64_t batch_size() const { return recipe_.batch * recipe_.servers; }  // of all servers, examples
  double rate() const;                                                         // of the next step
  Model& model() { return *model_; }
  GradientExchange& exchange() { return *exchange_; }

  // One step. Does not wait for the device. Throws Divergence.
  void run_step();
  // Sum of the losses of the steps since the last call; waits. Throws Divergence where it or a weight is not a number.
  struct Losses {
    double sum = 0;
    std::int64_t steps = 0;
  };
  Losses take_losses();
  HeldOut evaluate();  // throws Divergence where the loss is not a number
  // What the exchange says about the gradients of the last step.
  nlohmann::ordered_json measured();

  // Where the time of a step goes, seconds per step over `rounds` steps: forward and backward, exchange, optimiser, all.
  struct StepTimes {
    double compute = 0, exchange = 0, optimiser = 0, all = 0;
  };
  StepTimes time_steps(int rounds);

  void write(Checkpoint& checkpoint) const;
  // Throws Error(kInput) for a checkpoint of other options, and of other contents of the files of data and networks.
  void read(const Checkpoint& checkpoint, const std::string& path, std::string_view place);

 private:
  void forward_and_backward();
  void load_batch();
  // What an exchange cannot carry is a divergence like any other.
  void exchanging(std::int64_t step, const std::function<void()>& part) const;
  // `noticed` is what is not a number; `step` the last one that may have made it so.
  [[noreturn]] void complain(const std::string& noticed, std::int64_t step) const;

  ModelRecipe recipe_;
  nlohmann::json contents_;  // of files, by option
  at::Device device_;
  std::unique_ptr<Examples> examples_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<GradientExchange> exchange_;
  std::unique_ptr<Optimiser> optimiser_;
  std::unique_ptr<RecordedStep> recorded_;
  Batch batch_;         // of the step, always the same tensors
  at::Tensor average_;  // [P]
  at::Tensor losses_;   // sum over the steps since it was taken, double
  std::int64_t step_ = 0, steps_ = 0, steps_per_epoch_ = 0, warm_ = 0, since_ = 0;
};

}  // namespace helio::train
