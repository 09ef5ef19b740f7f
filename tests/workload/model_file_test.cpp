// SPDX-License-Identifier: Apache-2.0
#include "workload/model_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "source_dir.h"
#include "workload/refusing.h"
#include "workload/zoo.h"

namespace helio::workload {
namespace {

Workload parse(const std::string& text, const Settings& settings = {}) { return parse_model(text, "m.toml", settings); }

// The smallest GPT-2: 12 · (12·768² + 13·768) + (50257 + 1024) · 768 + 2 · 768 = 124,439,808, as in Hugging Face gpt2.
TEST(ModelFile, TheExampleOfAShape) {
  const Workload workload = load(HELIO_SOURCE_DIR "/examples/models/small_gpt.toml", {}, "model");
  EXPECT_EQ(workload.parameters(), 124'439'808u);
  EXPECT_EQ(workload.name, "small_gpt");
  EXPECT_EQ(workload.title, "A small GPT");
  EXPECT_EQ(workload.family, "transformer");
  EXPECT_EQ(workload.attention_heads, 12u);
}

// A convolution of 32·(9 + 1) and a dense layer of (25088 + 1)·10 parameters; 2·784·32·9 and 2·25088·10 operations.
TEST(ModelFile, TheExampleOfLayers) {
  const Workload workload = load(HELIO_SOURCE_DIR "/examples/models/two_layer_net.toml", {}, "model");
  EXPECT_EQ(workload.family, "own");
  EXPECT_EQ(workload.sample, "image 1 x 28 x 28");
  EXPECT_EQ(workload.parameters(), 320u + 250'890u);
  EXPECT_DOUBLE_EQ(workload.forward_flops(), 451'584 + 501'760);
  ASSERT_EQ(workload.layers.size(), 2u);
  EXPECT_EQ(workload.layers[0].kernels[0].rows, 784);
  EXPECT_EQ(workload.layers[0].kernels[1].elements, 50'176);
  EXPECT_EQ(workload.layers[0].kept_whole_elements, 25'088);  // nothing said: as many as go out
  EXPECT_EQ(workload.layers[1].kept_whole_elements, 25'088);
  EXPECT_NEAR(workload.layers[1].kernels[0].rows, std::cbrt(250'880), 1e-9);  // a cube of as many operations
}

// Every key of a shape: Mixtral, written out, is the zoo's.
TEST(ModelFile, AShapeEqualsThatOfTheZoo) {
  const Workload own = parse(R"(kind = "transformer"
layers = 32
hidden = 4096
heads = 32
kv_heads = 8
head_size = 128
feed_forward = 14336
vocabulary = 32000
sequence = 4096
positions = "rotary"
norm = "rms"
head = "logits"
gated = true
attention_biases = false
feed_forward_biases = false
embedding_norm = false
final_norm = true
tied = false
dropout = false
causal = true
experts = 8
top_k = 2
)");
  const Workload zoo = load("mixtral-8x7b", {}, "model");
  EXPECT_EQ(own.parameters(), zoo.parameters());
  EXPECT_EQ(own.forward_flops(), zoo.forward_flops());
  EXPECT_EQ(own.layers[1].kept_elements, zoo.layers[1].kept_elements);
}

// … and BERT, with the other choices.
TEST(ModelFile, AnEncoderEqualsThatOfTheZoo) {
  const Workload own = parse(R"(kind = "transformer"
name = "bert"
reference = "mine"
layers = 24
hidden = 1024
heads = 16
vocabulary = 30522
sequence = 128
positions = "learned"
position_rows = 512
token_types = 2
norm = "layer"
head = "pooler"
embedding_norm = true
final_norm = false
causal = false
)");
  const Workload zoo = load("bert-large", {{"sequence", {"128", "here"}}}, "model");
  EXPECT_EQ(own.parameters(), zoo.parameters());
  EXPECT_EQ(own.forward_flops(), zoo.forward_flops());
  EXPECT_EQ(own.name, "bert");
  EXPECT_EQ(own.reference, "mine");
}

const std::string kShape = "kind = \"transformer\"\nlayers = 2\nhidden = 8\nheads = 2\nvocabulary = 10\n";

// A shorter sequence in a setting leaves the table of positions as the file has it.
TEST(ModelFile, ASettingReplacesTheSequence) {
  const Workload file = parse(kShape + "sequence = 6\n"),
                 set = parse(kShape + "sequence = 6\n", {{"sequence", {"3", "--set"}}});
  EXPECT_EQ(set.tokens, 3u);
  EXPECT_EQ(set.parameters(), file.parameters());
  expect_refused({"7 of 6", "--set", "6 positions"}, [] {
    parse(kShape + "sequence = 6\n", {{"sequence", {"7", "--set"}}});
  });
  expect_refused({"a name", "--set", "sequence"}, [] {
    parse(kShape + "sequence = 6\n", {{"hidden", {"7", "--set"}}});
  });
}

TEST(ModelFile, RowsMayRepeatAndLeaveOutOneOfTwo) {
  const Workload workload = parse(R"(kind = "layers"
tokens = 7
[[layer]]
name = "a"
repeat = 3
parameters = 10
forward_flops = 0
activation_bytes = 100
)");
  EXPECT_EQ(workload.depth(), 3u);
  EXPECT_EQ(workload.parameters(), 30u);
  EXPECT_EQ(workload.forward_flops(), 0);
  EXPECT_EQ(workload.tokens, 7u);
  EXPECT_EQ(workload.layers[0].output_elements, 50);
  EXPECT_EQ(workload.layers[0].kept_whole_elements, 50);
}

TEST(ModelFile, WrongShapesAreRefusedWhereTheyStand) {
  const Refused cases[] = {
      {"", "m.toml:1:1", "no 'kind'"},
      {"kind = 3\n", "m.toml:1:8", "must be a text"},
      {"kind = \"transfomer\"\n", "m.toml:1:8", "did you mean 'transformer'"},
      {"kind = \"transformer\nlayers", "m.toml:1:20", "not a TOML file"},
      {kShape, "m.toml:1:1", "no 'sequence'"},
      {kShape + "sequence = 6\nhiden = 8\n", "m.toml:7:1", "did you mean 'hidden'"},
      {kShape + "sequence = \"6\"\n", "m.toml:6:12", "whole number"},
      {kShape + "sequence = 6.0\n", "m.toml:6:12", "whole number"},
      {kShape + "sequence = 0\n", "m.toml:6:12", "out of bounds"},
      {kShape + "sequence = -6\n", "m.toml:6:12", "out of bounds"},
      {kShape + "sequence = 9223372036854775807\n", "m.toml:6:12", "out of bounds"},
      {kShape + "sequence = 50000000\n", "m.toml:6:12", "out of bounds"},
      {kShape + "sequence = 6\nkv_heads = 3\n", "m.toml:7:12", "do not divide"},
      {kShape + "sequence = 6\nposition_rows = 5\n", "m.toml:6:12", "5 positions"},
      {kShape + "sequence = 6\nposition_rows = 50000000\n", "m.toml:7:17", "'position_rows'"},
      {kShape + "sequence = 6\npositions = \"rotary\"\nposition_rows = 5\n", "m.toml:8:17", "only learned"},
      {kShape + "sequence = 6\nexperts = 4\n", "m.toml:1:1", "'top_k'"},
      {kShape + "sequence = 6\ngated = 1\n", "m.toml:7:9", "true or false"},
      {kShape + "sequence = 6\nnorm = \"batch\"\n", "m.toml:7:8", "unknown norm"},
      {kShape + "sequence = 6\nname = \"\"\n", "m.toml:7:8", "must be a text"},
      {kShape + "sequence = 6\n[[layer]]\nname = \"a\"\n", "m.toml:7:3", "unknown model key 'layer'"},
  };
  for (const Refused& refused : cases) expect_refused(refused, [&] { parse(refused.text); });
}

TEST(ModelFile, WrongRowsAreRefusedWhereTheyStand) {
  const std::string top = "kind = \"layers\"\n", row = top + "[[layer]]\nname = \"a\"\n";
  const std::string whole = row + "parameters = 1\noutput_elements = 1\n";
  const Refused cases[] = {
      {top, "m.toml:1:1", "no 'layer'"},
      {top + "layer = 3\n", "m.toml:2:9", "must be tables"},
      {top + "layer = []\n", "m.toml:2:9", "must be tables"},
      {top + "[layer]\nname = \"a\"\n", "m.toml:2:1", "must be tables"},
      {top + "hidden = 3\n", "m.toml:2:1", "unknown model key"},
      {top + "[[layer]]\nparameters = 1\n", "m.toml:2:1", "no 'name'"},
      {row, "m.toml:2:1", "no 'parameters'"},
      {row + "parameters = 1\n", "m.toml:2:1", "no 'output_elements'"},
      {whole, "m.toml:2:1", "no 'forward_flops'"},
      {whole + "flops = 1\n", "m.toml:6:1", "unknown layer key 'flops'"},
      {whole + "forward_flops = -1\n", "m.toml:6:17", "out of bounds"},
      {whole + "forward_flops = nan\n", "m.toml:6:17", "out of bounds"},
      {whole + "forward_flops = inf\n", "m.toml:6:17", "out of bounds"},
      {whole + "forward_flops = \"1\"\n", "m.toml:6:17", "must be a number"},
      {whole + "forward_flops = 1\nrepeat = 0\n", "m.toml:7:10", "out of bounds"},
      {whole + "forward_flops = 1\nactivation_bytes = \"3\"\n", "m.toml:7:20", "'3'"},
      {whole + "forward_flops = 1\nactivation_bytes = true\n", "m.toml:7:20", "must be a number"},
      {whole + "matrix = 3\n", "m.toml:6:10", "must be a table"},
      {whole + "matrix = { rows = 1, columns = 2 }\n", "m.toml:6:10", "the matrix has no 'inner'"},
      {whole + "matrix = { rows = 1, columns = 2, inner = 3, depth = 4 }\n", "m.toml:6:46", "unknown matrix key"},
      {whole + "matrix = { rows = 0, columns = 2, inner = 3 }\n", "m.toml:6:19", "out of bounds"},
      {whole + "forward_flops = 13\nmatrix = { rows = 1, columns = 2, inner = 3 }\n", "m.toml:6:17",
       "not what the matrix"},
      {row + "parameters = 1000000000000000000\nrepeat = 1000\nforward_flops = 1\noutput_elements = 1\n", "m.toml:2:1",
       "parameters"},
  };
  for (const Refused& refused : cases) expect_refused(refused, [&] { parse(refused.text); });
  expect_refused({"a setting", "--set", "no parameter"}, [&] {
    parse(whole + "forward_flops = 1\n", {{"sequence", {"7", "--set"}}});
  });
}

}  // namespace
}  // namespace helio::workload
