// SPDX-License-Identifier: Apache-2.0
#include "train/metrics.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "base/file.h"

namespace helio::train {
namespace {

const std::string kFile = testing::TempDir() + "helio_metrics.jsonl";

TEST(Metrics, OneLineEachAtOnce) {
  Metrics metrics(kFile, 0, "--metrics");
  metrics.write({{"epoch", 1}});
  EXPECT_EQ(read_bytes(kFile, ""), "{\"epoch\":1}\n");  // before it is closed
  Metrics().write({{"epoch", 1}});                      // to nowhere
}

// Resumed after epoch 2: line 3 will be written again, half of line 4 was cut by a kill.
TEST(Metrics, ResumeDropsWhatWillBeWrittenAgain) {
  write_file(kFile, "{\"epoch\":1}\n{\"epoch\":2}\n{\"epoch\":3}\n{\"epo", "");
  Metrics(kFile, 2, "--metrics").write({{"epoch", 3}, {"loss", 1}});
  EXPECT_EQ(read_bytes(kFile, ""), "{\"epoch\":1}\n{\"epoch\":2}\n{\"epoch\":3,\"loss\":1}\n");
}

TEST(Metrics, AFolderThatIsNotThereIsTheUsersMistake) {
  EXPECT_THROW(Metrics("/nowhere/at/all.jsonl", 0, "--metrics"), Error);
}

}  // namespace
}  // namespace helio::train
