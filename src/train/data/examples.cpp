// SPDX-License-Identifier: Apache-2.0
#include "train/data/examples.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "train/data/cifar.h"
#include "train/data/image_examples.h"
#include "train/data/made_images.h"
#include "train/data/token_examples.h"
#include "train/data/token_file.h"

namespace helio::train {
namespace {

std::unique_ptr<Examples> make_token_examples(const DataSpec& spec, const at::Device& device) {
  if (spec.vocabulary < 0 || spec.vocabulary > kTokenLimit)
    throw Error(ErrorKind::kInput, fmt::format("a vocabulary of {} tokens", spec.vocabulary), "",
                fmt::format("Ask for 1 to {}, or 0 for the largest token of the files and one more", kTokenLimit));
  const std::vector<std::uint16_t> train = read_tokens(spec.train, spec.vocabulary);
  const std::vector<std::uint16_t> test = read_tokens(spec.test, spec.vocabulary);
  std::int64_t vocabulary = spec.vocabulary;
  if (vocabulary == 0) vocabulary = std::max(*std::ranges::max_element(train), *std::ranges::max_element(test)) + 1;
  return std::make_unique<TokenExamples>(train, test, spec.context, vocabulary, spec.seed, device);
}

}  // namespace

nlohmann::json DataSpec::words() const {
  nlohmann::json words = {{"format", format}};
  if (format == "tokens")
    words.update({{"context", context}, {"vocabulary", vocabulary}});
  else
    words["augment"] = augment;
  if (format == "made") words.update({{"made_images", made_images}, {"made_classes", made_classes}});
  return words;
}

std::unique_ptr<Examples> make_examples(const DataSpec& spec, const at::Device& device, at::ScalarType precision) {
  // What the format reads, and what it does not.
  const std::vector<std::string> formats = {"made", "cifar10", "cifar100", "tokens"};
  if (std::ranges::find(formats, spec.format) == formats.end()) throw unknown_name("data format", spec.format, formats);
  if (spec.format == "made" && !(spec.train.empty() && spec.test.empty()))
    throw Error(ErrorKind::kInput, "made images are drawn, not read: the files would be ignored", "",
                "Name the files' format, or no files");
  if (spec.format != "made" && (spec.train.empty() || spec.test.empty()))
    throw Error(ErrorKind::kInput,
                fmt::format("the format {} needs files to train on and files to test on", spec.format), "",
                "Name at least one of each");
  if (spec.format != "tokens" && spec.vocabulary != 0)
    throw Error(ErrorKind::kInput, "images have no vocabulary", "", "Leave it out, or use the format tokens");

  // Read, or drawn.
  if (spec.format == "tokens") return make_token_examples(spec, device);
  if (spec.format == "made") {
    const MadeImages made = make_images(spec.made_images, spec.made_classes, spec.seed);
    return std::make_unique<ImageExamples>(made.train, made.held_out, spec.augment, spec.seed, device, precision);
  }
  const CifarLayout layout = spec.format == "cifar10" ? CifarLayout::kTen : CifarLayout::kHundred;
  const LabelledImages train = read_cifar(layout, spec.train), test = read_cifar(layout, spec.test);
  return std::make_unique<ImageExamples>(train, test, spec.augment, spec.seed, device, precision);
}

}  // namespace helio::train
