// SPDX-License-Identifier: Apache-2.0
// helio-train as people run it: exit codes, messages, files.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/listed_options.h"
#include "base/file.h"
#include "photonics/onn_file.h"
#include "train/checkpoint_content.h"

namespace helio::train {
namespace {

struct Ran {
  int code = 0;
  std::string text;  // stdout and stderr
};

Ran run(const std::string& options, const std::string& what = "onn") {
  const std::string command = std::string(HELIO_TRAIN_BINARY) + " " + what + " " + options + " 2>&1";
  Ran ran;
  std::FILE* pipe = popen(command.c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) ran.text += static_cast<char>(c);
  ran.code = WEXITSTATUS(pclose(pipe));
  return ran;
}

std::string file(const std::string& name) { return testing::TempDir() + "helio_train_" + name; }

const std::string kTiny =
    "--servers 2 --bits 4 --activation saturating --layers 2,16,32,16,2 --rate 5e-3 --batch 16 --stop-margin 0.1 ";

TEST(HelioTrain, TrainsSavesAndCounts) {
  const Ran ran = run(kTiny + "--structure ud --epochs 2000 --json --out " + file("net.json"));
  ASSERT_EQ(ran.code, 0) << ran.text;
  const nlohmann::json result = nlohmann::json::parse(ran.text);
  EXPECT_EQ(result.at("points"), 49);
  EXPECT_EQ(result.at("wrong"), 0);
  // 2→16, 32→… in blocks: 8 of side 2, 2 of side 16 twice, 8 of side 2, each s(s−1)/2 + s (papers/optinc.md 2.3).
  EXPECT_EQ(result.at("mzis"), 2 * (8 * 3 + 2 * (16 * 15 / 2 + 16)));
  const photonics::Onn saved = photonics::load_onn(file("net.json"));
  EXPECT_NE(saved.provenance.command.find("helio-train onn --servers 2"), std::string::npos);
  EXPECT_EQ(saved.provenance.seed, 1u);
}

TEST(HelioTrain, BadInputHasItsCode) {
  // The command line: 2.
  EXPECT_EQ(run("--servers 2").code, 2);
  EXPECT_EQ(run(kTiny + "--resume --out " + file("x.json")).code, 2);
  // Values: 3, naming the option.
  const Ran blocks = run("--servers 2 --bits 4 --structure ud --layers 2,15,2 --out " + file("x.json"));
  EXPECT_EQ(blocks.code, 3);
  EXPECT_NE(blocks.text.find("does not fit layer 0"), std::string::npos) << blocks.text;
  EXPECT_EQ(run("--servers 0 --bits 4 --out " + file("x.json")).code, 3);
  EXPECT_EQ(run(kTiny + "--structure oblong --out " + file("x.json")).code, 3);
  EXPECT_EQ(run(kTiny + "--epochs 1 --out /nowhere/at/all/x.json").code, 3);
  EXPECT_EQ(run(kTiny + "--resume --checkpoint " + file("none") + " --out " + file("x.json")).code, 3);
  // What cannot be done: 4.
  EXPECT_EQ(run("--servers 16 --bits 16 --out " + file("x.json")).code, 4);
}

TEST(HelioTrain, CheckpointOfAnotherShapeIsRefused) {
  const std::string kept = " --checkpoint " + file("kept") + " --out " + file("y.json");
  ASSERT_EQ(run(kTiny + "--epochs 2" + kept).code, 0);
  const Ran other = run("--servers 2 --bits 4 --layers 2,8,2 --resume --epochs 4" + kept);
  EXPECT_EQ(other.code, 3);
  EXPECT_NE(other.text.find("another shape"), std::string::npos) << other.text;
}

TEST(HelioTrain, FilesOfANetworkAreThree) {
  const Ran ran = run(kTiny + "--epochs 1 --metrics " + file("one") + " --out " + file("one"));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.text.find("name one file"), std::string::npos) << ran.text;
}

// Of a model, quick.
const std::string kQuick = "mlp --made-images 256 --made-classes 4 --width 32 --epochs 1 --batch 8 ";

struct Mistake {
  std::string options, place, words;
  int code;
};

void expect(const std::vector<Mistake>& mistakes, const std::string& what = "model") {
  for (const Mistake& mistake : mistakes) {
    const Ran ran = run(mistake.options, what);
    EXPECT_EQ(ran.code, mistake.code) << mistake.options << "\n" << ran.text;
    EXPECT_NE(ran.text.find(mistake.place), std::string::npos) << mistake.options << "\n" << ran.text;
    EXPECT_NE(ran.text.find(mistake.words), std::string::npos) << mistake.options << "\n" << ran.text;
    EXPECT_EQ(std::count(ran.text.begin(), ran.text.end(), '\n'), 1) << "one message: " << ran.text;
  }
}

// What cannot be printed is not lost without a word.
TEST(HelioTrain, AFullStandardOutputIsNoticed) {
  for (const std::string& options : {kQuick + "--json", kQuick, std::string("--help")})
    EXPECT_EQ(run(options + " >/dev/full", "model").code, 3) << options;
}

TEST(HelioTrain, AnUnknownFormatIsNamedFirst) {
  expect({{"mlp --data bogus --made-images 9", "unknown data format", "bogus", 3}});
}

// "--minutes 3" as a message names it.
std::string named(const std::string& option) { return "(" + option.substr(0, option.find(' ')) + ")"; }

// Each option where nothing reads it: exit 2, its name, and what would read it.
TEST(HelioTrain, OptionsThatNothingReadsAreRefused) {
  const std::string images = "--data cifar10 --train a --test b ", words = "llama --data tokens --train a --test b ";
  expect({{"mlp --heads 2", "(--heads)", "by llama only", 2},
          {"resnet18 --heads 2", "(--heads)", "by llama only", 2},
          {"mlp --context 9", "(--context)", "by llama only", 2},
          {"resnet50 --layers 3", "(--layers)", "by mlp and llama only", 2},
          {"mlp " + images + "--made-images 9", "(--made-images)", "with --data made only", 2},
          {"mlp " + images + "--made-classes 9", "(--made-classes)", "with --data made only", 2},
          {"mlp " + images + "--vocabulary 9", "(--vocabulary)", "with --data tokens only", 2},
          {words + "--no-augmentation", "(--no-augmentation)", "with images only", 2},
          {"mlp --train a", "(--train)", "with --data cifar10", 2},
          {"mlp --test a", "(--test)", "with --data cifar10", 2},
          {"mlp --second 0.9", "(--second)", "with --optimiser adamw only", 2},
          {"mlp --checkpoint-every 2", "(--checkpoint-every)", "with --checkpoint FILE only", 2}});
  for (const char* option : {"--resume", "--go-on", "--minutes 3"})
    expect({{"mlp " + std::string(option), named(option), "with --checkpoint FILE only", 2}});
  for (const char* option : {"--checkpoint a", "--metrics a", "--csv a", "--evaluate-every 2"})
    expect({{"mlp --time-steps 2 " + std::string(option), named(option), "without --time-steps only", 2}});
}

// adamw reads --momentum: it is the weight of its first mean.
TEST(HelioTrain, OptionsThatAreReadAreTaken) {
  EXPECT_EQ(run(kQuick + "--optimiser adamw --momentum 0.8 --second 0.9", "model").code, 0);
}

TEST(HelioTrain, BoundsAreSaidInOneMessage) {
  expect({{"mlp --seed -1", "--seed", "whole number from 0", 2},
          {"mlp --seed 1.5", "--seed", "whole number from 0", 2},
          {"mlp --minutes -1 --checkpoint a", "--minutes", "above 0", 2},
          {"mlp --minutes nan --checkpoint a", "--minutes", "above 0", 2},
          {"mlp --minutes inf --checkpoint a", "--minutes", "above 0", 2},
          {"mlp --time-steps -1", "--time-steps", "whole number from 1", 2},
          {"mlp --time-steps 0", "--time-steps", "whole number from 1", 2},
          {"mlp --time-steps 99999999999", "--time-steps", "whole number from 1", 2},
          {"mlp --width -3", "--width", "whole number from 1", 2},
          {"mlp --width 0", "--width", "whole number from 1", 2},
          {"mlp --epochs 1e300", "(--epochs)", "never end", 3},
          {"mlp --epochs -1", "(--epochs)", "are none", 3},
          {"mlp --epochs 2 --warmup 3", "(--warmup)", "does not fit", 3},
          {"mlp --rate -0.1", "(--rate)", "moves nothing", 3},
          {"mlp --batch 9000000000000000000", "(--batch)", "fits no memory", 3},
          {"mlp --width 1000000000", "GiB", "parameters on 4 servers need", 4}});
}

// None of these trains: what is no number is refused before.
TEST(HelioTrain, WholeNumbersAreRead) {
  apps::expect_integers_are_read(
      HELIO_TRAIN_BINARY,
      {{"onn", {"onn --out " + file("numbers.json"), {{"--servers", "2"}, {"--bits", "4"}}}},
       {"model", {"model llama --data tokens --train a --test b --exchange optinc --checkpoint c"}},
       {"exchange", {"exchange", {{"--elements", "100"}, {"--compared", "0"}, {"--repeats", "1"}}}}},
      {}, {"99999999999999999999999", "-1"});                     // libtorch takes half a second to start
  for (const char* option : {"--made-images", "--made-classes"})  // read where images are made
    for (const char* value : {"99999999999999999999999", "-1", "1e3", "0x10", "''"}) {
      const Ran ran = run("mlp " + std::string(option) + " " + value, "model");
      EXPECT_EQ(ran.code, 2) << ran.text;
      EXPECT_NE(ran.text.find(option), std::string::npos) << ran.text;
    }
  expect({{"--elements 18446744073709551616", "--elements", "from 1 to 9223372036854775807", 2}}, "exchange");
}

// Result, checkpoint, metrics and network are there under their true names, and a training goes on from them.
TEST(HelioTrain, FilesMayHaveAnyName) {
  const std::string folder = file("names"), net = file("named_net.json"), kept = file("named_checkpoint");
  std::filesystem::create_directories(folder);
  const std::string path = " '" + folder + "/" + apps::kNoUtf8 + "' ", onn = "onn " + kTiny + "--epochs 1 --json ";
  const std::string model = "model " + kQuick + "--servers 2 --json ", metrics = file("named.jsonl");
  const std::string optinc = "--exchange optinc --bits 4 --network";
  const std::string images = file("named.bin"), held_out = file("named_test.bin");
  for (const std::string& name : {images, held_out}) {  // CIFAR-10: a label and 3 x 32 x 32 bytes, sixteen times
    std::string bytes(16 * (1 + 3 * 32 * 32), '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 3073 == 0 ? i % 10 : i * i % 251);
    write_file(name, bytes, "");
  }
  const std::string cifar = "model mlp --width 8 --epochs 1 --batch 4 --servers 2 --json --data cifar10 ";
  ASSERT_EQ(run(kTiny + "--epochs 1 --out " + net).code, 0);
  apps::expect_any_path(HELIO_TRAIN_BINARY, folder,
                        {{"onn", "--out", onn + "--out" + path},
                         {"onn", "--checkpoint", onn + "--out " + net + " --checkpoint" + path},
                         {"onn", "--metrics", onn + "--out " + net + " --metrics" + path},
                         {"model", "--checkpoint", model + "--checkpoint" + path},
                         {"model", "--metrics", model + "--metrics" + path},
                         {"model", "--csv", model + "--metrics " + metrics + " --csv" + path},
                         {"model", "--network", model + optinc + path + "--checkpoint " + kept, net},
                         {"model", "--network", model + optinc + path + "--resume --checkpoint " + kept, net},
                         {"model", "--train", cifar + "--test " + held_out + " --train" + path, images},
                         {"model", "--test", cifar + "--train " + images + " --test" + path, held_out},
                         {"exchange", "--network",
                          "exchange --servers 2 --elements 1000 --compared 0 --repeats 1 " + optinc + path, net}});
  std::filesystem::remove_all(folder);
}

TEST(HelioTrain, EveryFileHasOneOption) {
  expect({{kQuick + "--metrics a --csv a", "(--csv)", "name one file", 2},
          {kQuick + "--checkpoint a --metrics ./a", "(--metrics)", "name one file", 2},
          {"mlp --data cifar10 --train a --test b --checkpoint a", "(--checkpoint)", "--train and --checkpoint", 2},
          {"mlp --data cifar10 --train a --test a", "(--test)", "--train and --test", 2}});
}

// Another training is at it, and would lose what this one keeps: neither a checkpoint nor metrics are shared.
TEST(HelioTrain, TwoTrainingsDoNotShareAFile) {
  const std::string kept = file("busy");
  const FileLock other(kept, "");
  for (const char* option : {"--checkpoint", "--metrics"}) {
    expect({{kQuick + option + " " + kept, std::string("(") + option + ")", "another run is writing", 3}});
    const Ran onn = run(kTiny + "--epochs 1 --out " + file("x.json") + " " + option + " " + kept);
    EXPECT_EQ(onn.code, 3) << onn.text;
    EXPECT_NE(onn.text.find("another run is writing"), std::string::npos) << onn.text;
  }
}

// What is done to each file, as its word: what is learnt from is read, what is kept is read and written.
TEST(HelioTrain, HelpSaysWhatIsDoneToFiles) {
  for (const char* words : {"--train INFILE", "--test INFILE", "--network INFILE", "--checkpoint INOUTFILE",
                            "--metrics INOUTFILE", "--csv OUTFILE"})
    EXPECT_NE(run("--help", "model").text.find(words), std::string::npos) << words;
  for (const char* words : {"--checkpoint INOUTFILE", "--metrics INOUTFILE", "--out OUTFILE"})
    EXPECT_NE(run("--help", "onn").text.find(words), std::string::npos) << words;
}

TEST(HelioTrain, GoOnIsBlamedByItsOwnName) {
  const std::string kept = file("no_checkpoint");
  write_file(kept, "hello", "");
  const Ran ran = run(kQuick + "--go-on --checkpoint " + kept, "model");
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.text.find("(--go-on)"), std::string::npos) << ran.text;
  EXPECT_EQ(ran.text.find("--resume"), std::string::npos) << ran.text;
}

// What a header may be made to say with a checksum that fits: each is the file's fault, exit 3, and no step is made.
TEST(HelioTrain, CheckpointsThatWereMadeUpAreRefused) {
  const std::string kept = file("made_up"), network = kTiny + "--epochs 1 --out " + file("x.json") + " ";
  const auto expect_refused = [&](const std::string& what, const std::string& options, const std::string& pointer,
                                  const nlohmann::json& value) {
    ASSERT_EQ(run(options + "--checkpoint " + kept, what).code, 0);
    const std::string whole = read_bytes(kept, "");
    const std::size_t first = whole.find('\n') + 1, second = whole.find('\n', first);
    nlohmann::json header = nlohmann::json::parse(whole.substr(first, second - first));
    header[nlohmann::json::json_pointer(pointer)] = value;
    const std::string content = header.dump() + whole.substr(second);
    write_file(kept, checkpoint_first_line(content) + content, "");
    const Ran ran = run(options + "--resume --checkpoint " + kept, what);
    EXPECT_EQ(ran.code, 3) << what << pointer << value << "\n" << ran.text;
    EXPECT_NE(ran.text.find("(--resume)"), std::string::npos) << ran.text;
    EXPECT_EQ(std::count(ran.text.begin(), ran.text.end(), '\n'), 1) << "one message: " << ran.text;
  };
  const std::int64_t huge = std::int64_t{1} << 62;
  for (const char* number : {"step", "epoch_steps"})
    expect_refused("model", kQuick, "/numbers/" + std::string(number), -1);
  for (const char* number : {"seconds", "loss"})
    expect_refused("model", kQuick, "/numbers/" + std::string(number), nullptr);
  expect_refused("model", kQuick, "/numbers/step", huge);
  expect_refused("model", kQuick, "/about/contents", 7);
  expect_refused("model", kQuick, "/about", nullptr);
  expect_refused("model", kQuick, "/tensors/0/shape/0", -1);
  expect_refused("model", kQuick, "/tensors/0/shape", {huge, huge});
  expect_refused("model", kQuick, "/tensors/0/type", nullptr);
  expect_refused("model", kQuick + "--exchange quantised ", "/numbers/exchange_steps", -1);
  for (const char* number : {"epoch", "step", "best_wrong"})
    expect_refused("onn", network, "/numbers/" + std::string(number), -1);
  for (const char* number : {"best_margin", "seconds"})
    expect_refused("onn", network, "/numbers/" + std::string(number), nullptr);
}

TEST(HelioTrain, AFinishedModelSaysSo) {
  const std::string kept = " --checkpoint " + file("finished");
  ASSERT_EQ(run(kQuick + kept, "model").code, 0);
  const Ran text = run(kQuick + "--resume" + kept, "model");
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.text.find("nothing was left to do"), std::string::npos) << text.text;
  EXPECT_EQ(text.text.find("loss 0.0000;"), std::string::npos) << text.text;
  const nlohmann::json result = nlohmann::json::parse(run(kQuick + "--resume --json" + kept, "model").text);
  EXPECT_EQ(result.at("steps_before"), result.at("steps"));
  EXPECT_GT(result.at("loss"), 0);
}

// The default recipe at its full rate for 8 epochs; at 0.1, which suits models with norms, the numbers are gone in the third.
TEST(HelioTrain, TheDefaultMlpLearns) {
  const Ran ran = run("mlp --epochs 8 --floor 1 --json", "model");
  ASSERT_EQ(ran.code, 0) << ran.text;
  EXPECT_GT(nlohmann::json::parse(ran.text).at("accuracy"), 0.9);
}

// helio hands over what people typed as the first word.
TEST(HelioTrain, CallsItselfAsItWasCalled) {
  Ran ran;
  std::FILE* pipe =
      popen(("bash -c \"exec -a 'helio train' " + std::string(HELIO_TRAIN_BINARY) + " model --help\"").c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) ran.text += static_cast<char>(c);
  ran.code = WEXITSTATUS(pclose(pipe));
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.text.find("Usage: helio train [OPTIONS] MODEL"), std::string::npos) << ran.text;
  EXPECT_EQ(ran.text.find("helio-train"), std::string::npos) << ran.text;
}

}  // namespace
}  // namespace helio::train
