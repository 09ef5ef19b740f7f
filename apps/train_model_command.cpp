// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json_dump.h"
#include "base/visible.h"
#include "exchange_options.h"
#include "idle_options.h"
#include "option_bounds.h"
#include "path_options.h"
#include "program.h"
#include "progress.h"
#include "train/device.h"
#include "train/model_training.h"
#include "train_commands.h"

namespace helio::apps {
namespace {

constexpr const char* kExamples = R"(Examples (more in docs/training.md):
  helio train mlp --epochs 3
  helio train llama --data tokens --train train.u16 --test valid.u16 --exchange quantised --bits 8)";

constexpr std::uint64_t kMostTimed = 1'000'000;

struct TrainModelOptions {
  train::ModelRecipe recipe;
  train::ModelFiles files;
  std::string device = "cpu";
  ExchangeOptions exchange;
  int time_steps = 0;
  bool no_augmentation = false, json = false;
};

void add_data_options(CLI::App& app, TrainModelOptions& o) {
  train::ModelRecipe& r = o.recipe;
  app.add_option("MODEL", r.model.name, "mlp, resnet18, resnet50 or llama")->required();
  add_integer(app, "--width", r.model.width, "mlp: of hidden layers; resnet: of the first stage; llama: of a token",
              {.least = 1});
  add_integer(app, "--layers", r.model.layers, "mlp: hidden layers; llama: blocks", {.least = 1});
  add_integer(app, "--heads", r.model.heads, "llama: of attention", {.least = 1});
  add_integer(app, "--context", r.data.context, "llama: tokens of a sequence", {.least = 1})->capture_default_str();
  app.add_option("--data", r.data.format, "cifar10, cifar100, tokens, or made: images from the seed")
      ->capture_default_str();
  add_path(app, "--train", r.data.train, PathUse::kRead, "files to learn from");
  add_path(app, "--test", r.data.test, PathUse::kRead, "files that are held out");
  add_integer(app, "--vocabulary", r.data.vocabulary, "tokens: how many there are; 0: as many as the files use",
              {.least = 0});
  add_integer(app, "--made-images", r.data.made_images, "made: how many", {.least = 1})->capture_default_str();
  add_integer(app, "--made-classes", r.data.made_classes, "made: of how many classes", {.least = 1})
      ->capture_default_str();
  app.add_flag("--no-augmentation", o.no_augmentation, "images as they are: no crops, no flips");
}

void add_recipe_options(CLI::App& app, TrainModelOptions& o) {
  train::ModelRecipe& r = o.recipe;
  add_integer(app, "--servers", r.servers, "N, data-parallel servers")->capture_default_str();
  add_integer(app, "--batch", r.batch, "examples of one server's micro-batch")->capture_default_str();
  app.add_option("--epochs", r.epochs, "passes over the data; may be a part of one")->capture_default_str();
  add_integer(app, "--seed", r.seed, "of start values and batches")->capture_default_str();
  app.add_option("--precision", r.precision, "float, or bf16 with float norms, weights and gradients")
      ->capture_default_str();
  app.add_option("--optimiser", r.optimiser, "sgd or adamw; adamw for llama, sgd otherwise");
  app.add_option("--rate", r.rate, "learning rate after the warm-up; 0.1, mlp 0.02, adamw 6e-4");
  app.add_option("--floor", r.floor, "share of the rate at the end of the cosine")->capture_default_str();
  app.add_option("--warmup", r.warmup, "epochs of rising rate; 1, or a tenth of --epochs where that is less");
  app.add_option("--momentum", r.momentum, "of the gradient; adamw: weight of its mean")->capture_default_str();
  app.add_option("--second", r.second, "adamw: of the gradient's square")->capture_default_str();
  app.add_option("--decay", r.decay, "of weights; 5e-4, adamw 0.1");
  app.add_option("--smoothing", r.smoothing, "of labels")->capture_default_str();
  app.add_option("--clip", r.clip, "largest norm of an averaged gradient; none, llama 1");
  app.add_option("--device", o.device, "cpu or cuda")->capture_default_str();
}

void add_file_options(CLI::App& app, TrainModelOptions& o) {
  train::ModelFiles& f = o.files;
  add_path(app, "--checkpoint", f.checkpoint, PathUse::kUpdated, "file to go on from after a kill");
  app.add_option("--checkpoint-every", f.checkpoint_every, "epochs")->capture_default_str()->check(above_zero);
  CLI::Option* resume = app.add_flag("--resume", f.resume, "go on from --checkpoint");
  app.add_flag("--go-on", f.resume_if_there,
               "go on from --checkpoint where it is there, else begin: for runs in slices")
      ->excludes(resume);
  add_integer(app, "--evaluate-every", f.evaluate_every, "epochs between two looks at the held-out examples",
              {.least = 1})
      ->capture_default_str();
  app.add_option("--minutes", f.minutes, "stop at the first end of an epoch after this time, with a checkpoint")
      ->check(above_zero);
  add_path(app, "--metrics", f.metrics, PathUse::kUpdated, "file of JSON lines, one an epoch");
  add_path(app, "--csv", f.csv, PathUse::kWritten, "the same as a table");
  add_integer(app, "--time-steps", o.time_steps, "only time this many steps, part by part",
              {.least = 1, .most = kMostTimed});
  app.add_flag("--json", o.json, "print the result as one JSON object");
}

// Options that not every command line reads.
std::vector<OptionReader> readers(const TrainModelOptions& o) {
  const train::ModelRecipe& r = o.recipe;
  const bool llama = r.model.name == "llama", mlp = r.model.name == "mlp", trains = o.time_steps == 0;
  const bool kept = !o.files.checkpoint.empty(), cifar = r.data.format.starts_with("cifar");
  // A format that nobody knows is complained of by its reader, not through its options.
  const bool made = r.data.format != "tokens" && !cifar, tokens = r.data.format != "made" && !cifar;
  std::vector<OptionReader> rows = {{"--layers", mlp || llama, "by mlp and llama"},
                                    {"--heads", llama, "by llama"},
                                    {"--context", llama, "by llama"},
                                    {"--vocabulary", tokens, "with --data tokens"},
                                    {"--made-images", made, "with --data made"},
                                    {"--made-classes", made, "with --data made"},
                                    {"--no-augmentation", r.data.format != "tokens", "with images"},
                                    {"--train", r.data.format != "made", "with --data cifar10, cifar100 or tokens"},
                                    {"--test", r.data.format != "made", "with --data cifar10, cifar100 or tokens"},
                                    {"--second", r.optimiser == "adamw", "with --optimiser adamw"}};
  for (const char* option : {"--checkpoint", "--checkpoint-every", "--resume", "--go-on", "--minutes", "--metrics",
                             "--csv", "--evaluate-every"})
    rows.push_back({option, trains, "without --time-steps"});
  for (const char* option : {"--checkpoint-every", "--resume", "--go-on", "--minutes"})
    rows.push_back({option, kept, "with --checkpoint FILE"});
  return rows;
}

// What was not said follows from what was.
void complete(const CLI::App& app, TrainModelOptions& o) {
  train::ModelRecipe& r = o.recipe;
  r.data.augment = !o.no_augmentation;
  const bool llama = r.model.name == "llama", mlp = r.model.name == "mlp";
  if (app.count("--optimiser") == 0) r.optimiser = llama ? "adamw" : "sgd";
  // Without norms between its layers an mlp leaves the numbers at 0.1; docs/training.md has the trial.
  if (app.count("--rate") == 0) r.rate = r.optimiser == "adamw" ? 6e-4 : mlp ? 0.02 : 0.1;
  if (app.count("--decay") == 0) r.decay = r.optimiser == "adamw" ? 0.1 : 5e-4;
  if (app.count("--clip") == 0) r.clip = llama ? 1 : 0;
  if (app.count("--warmup") == 0) r.warmup = std::min(1.0, r.epochs / 10);
  r.exchange.seed = r.seed;
  complete(app, o.exchange, r.exchange);
}

void print_times(const TrainModelOptions& o, const at::Device& device) {
  train::ServerTrainer trainer(o.recipe, device);
  const train::ServerTrainer::StepTimes times = trainer.time_steps(o.time_steps);
  const double rate = static_cast<double>(trainer.batch_size()) / times.all;
  const nlohmann::ordered_json result = {{"step_s", times.all},
                                         {"compute_s", times.compute},
                                         {"exchange_s", times.exchange},
                                         {"optimiser_s", times.optimiser},
                                         {"examples_per_s", rate},
                                         {"exchange", trainer.exchange().describe()},
                                         {"device", train::describe(device)}};
  print(o.json
            ? json_dump(result) + "\n"
            : fmt::format("a step: {:.3f} ms ({:.0f} examples/s); forward and backward {:.3f} ms, exchange {:.3f} ms, "
                          "optimiser {:.3f} ms\n",
                          1e3 * times.all, rate, 1e3 * times.compute, 1e3 * times.exchange, 1e3 * times.optimiser));
}

void train_a_model(const TrainModelOptions& o, const at::Device& device, const std::string& command) {
  train::ModelOutcome outcome;
  {
    Progress progress;
    outcome = train::train_model(o.recipe, device, o.files, [&](const train::ModelNews& news) {
      const std::string accuracy = news.accuracy < 0 ? "" : fmt::format("  accuracy {:.2f} %", 100 * news.accuracy);
      progress.show(fmt::format("{} epoch {:.1f}  loss {:.4f}{}  {:.0f} examples/s  {:.0f} s left",
                                progress_bar(static_cast<double>(news.step) / static_cast<double>(news.steps)),
                                news.epoch, news.loss, accuracy, news.examples_per_s, news.seconds_left));
    });
  }
  const train::HeldOut& held_out = outcome.held_out;
  if (o.json) {
    const nlohmann::ordered_json result = {{"model", o.recipe.model.name},
                                           {"parameters", outcome.parameters},
                                           {"servers", o.recipe.servers},
                                           {"exchange", outcome.exchange},
                                           {"steps", outcome.steps},
                                           {"steps_done", outcome.steps_done},
                                           {"steps_before", outcome.steps_before},
                                           {"finished", outcome.finished},
                                           {"loss", outcome.loss},
                                           {"held_out_loss", held_out.loss},
                                           {"accuracy", held_out.accuracy},
                                           {"held_out", held_out.examples},
                                           {"examples_per_s", outcome.examples_per_s},
                                           {"training_s", outcome.seconds},
                                           {"device", train::describe(device)},
                                           {"seed", o.recipe.seed},
                                           {"label", "ours"},
                                           {"command", command}};
    return print(json_dump(result) + "\n");
  }
  std::string text =
      fmt::format("{}: {} parameters, {} servers, {}\n{} of {} steps in {:.0f} s ({:.0f} examples/s on {})\n",
                  o.recipe.model.name, outcome.parameters, o.recipe.servers, visible(outcome.exchange),
                  outcome.steps_done, outcome.steps, outcome.seconds, outcome.examples_per_s, train::describe(device));
  text += fmt::format("loss {:.4f}; held out ({}): loss {:.4f}, accuracy {:.2f} %\n", outcome.loss, held_out.examples,
                      held_out.loss, 100 * held_out.accuracy);
  const std::string checkpoint = visible(o.files.checkpoint);
  if (outcome.steps_before == outcome.steps)
    text +=
        fmt::format("nothing was left to do: '{}' is of a finished training, and these are its numbers\n", checkpoint);
  if (!outcome.finished) text += fmt::format("not finished: go on with --resume --checkpoint {}\n", checkpoint);
  print(text);
}

}  // namespace

void add_model_training(CLI::App& app, TrainCommands& commands) {
  CLI::App* model = app.add_subcommand("model", "train a model whose gradients go through a network");
  const auto options = std::make_shared<TrainModelOptions>();
  model->footer(kExamples);
  add_data_options(*model, *options);
  add_recipe_options(*model, *options);
  add_exchange_options(*model, options->recipe.exchange, options->exchange);
  add_file_options(*model, *options);
  commands.push_back({model, [model, options](const std::string& command) {
                        TrainModelOptions& o = *options;
                        complete(*model, o);
                        o.recipe.check();
                        o.recipe.model.resolved();  // an unknown model has no readers
                        refuse_idle_options(*model, readers(o));
                        o.files.check(o.recipe);
                        const at::Device device = train::device_named(o.device, "--device");
                        if (o.time_steps > 0)
                          print_times(o, device);
                        else
                          train_a_model(o, device, command);
                        return true;
                      }});
}

}  // namespace helio::apps
