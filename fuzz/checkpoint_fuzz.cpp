// SPDX-License-Identifier: Apache-2.0
// Checkpoints of trainings as they are, and with a first line that fits what follows: the checksum would stop the fuzzer at once.
#include "reading.h"
#include "train/checkpoint_content.h"

namespace {

using namespace helio;

void read(std::string_view bytes) {
  fuzz::reads([&] {
    const train::CheckpointContent content = train::parse_checkpoint(bytes, "fuzz", "--resume");
    if (!content.about.is_object() || !content.numbers.is_object()) fuzz::finding("words or numbers that are none");
    for (const train::TensorContent& tensor : content.tensors) {
      std::int64_t elements = 1;
      for (const std::int64_t length : tensor.shape)
        if (length < 0 || __builtin_mul_overflow(elements, length, &elements)) fuzz::finding("an impossible shape");
      if (tensor.bytes.size() != static_cast<std::size_t>(elements) * (tensor.type == "float" ? 4 : 8))
        fuzz::finding("a tensor with another number of bytes");
      if (!tensor.bytes.empty() && (tensor.bytes.data() < bytes.data() ||
                                    tensor.bytes.data() + tensor.bytes.size() > bytes.data() + bytes.size()))
        fuzz::finding("a tensor outside of the file");
    }
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content = fuzz::as_text(data, size);
  read(content);
  read(train::checkpoint_first_line(content) + std::string(content));
  return 0;
}
