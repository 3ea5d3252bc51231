// Builds examples/embed_c with gcc alone, together with a model that has the digit classifier's
// signature, and compares its answers.
#include <Halide.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/archive/static_library.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace halyard {
namespace {

constexpr int kBatch = 32, kPixels = 64, kClasses = 10, kImages = 70;  // the last batch is not full

// A single layer: logits = images · weights.
ProgramSpec LinearClassifier(const std::vector<float>& weights) {
  Halide::Var c("c"), n("n");
  Halide::ImageParam image(Halide::Float(32), 2), weight(Halide::Float(32), 2);
  Halide::RDom p(0, kPixels);
  Halide::Func logits("logits");
  logits(c, n) = 0.0f;
  logits(c, n) += image(p, n) * weight(c, p);
  logits.parallel(n);
  logits.update().parallel(n);
  testing::ProgramBuilder b("digits");
  const auto in = b.Parameter("f32", {kBatch, 8, 8, 1}, 4 * kBatch * kPixels);
  const auto out = b.Result("f32", {kBatch, kClasses}, 4 * kBatch * kClasses);
  const auto constant =
      b.Constant(std::string(reinterpret_cast<const char*>(weights.data()), 4 * weights.size()));
  const std::string kernel =
      testing::MakeKernel("hyk_linear", logits, {image, weight},
                          {{kPixels, kBatch}, {kClasses, kPixels}}, {kClasses, kBatch});
  b.Launch(0, b.Kernel(kernel), {in, constant}, {out});
  return b.spec;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

template <typename T>
void WriteFile(const std::string& path, const T* data, size_t count) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(count * sizeof(T)));
}

TEST(EmbedC, TheExampleClassifies) {
  const std::string folder = ::testing::TempDir() + "/embed_c_test_" + std::to_string(getpid());
  ASSERT_EQ(system(("mkdir -p " + folder).c_str()), 0);
  std::vector<float> weights(kPixels * kClasses), images(kImages * kPixels);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>((i * 37) % 11) - 5.0f;
  for (size_t i = 0; i < images.size(); ++i) images[i] = static_cast<float>((i * 101) % 17) / 16.0f;
  std::vector<float> logits(kImages * kClasses, 0.0f);
  std::vector<int32_t> labels(kImages);
  for (int n = 0; n < kImages; ++n) {
    for (int c = 0; c < kClasses; ++c) {
      for (int p = 0; p < kPixels; ++p)
        logits[n * kClasses + c] += images[n * kPixels + p] * weights[p * kClasses + c];
      if (logits[n * kClasses + c] > logits[n * kClasses + labels[n]]) labels[n] = c;
    }
  }
  auto library =
      MakeStaticLibrary("digits", LinearClassifier(weights), ReadFile(HALYARD_RUNTIME_ARCHIVE));
  ASSERT_TRUE(library.ok()) << library.status();
  WriteFile(folder + "/digits.h", library->header.data(), library->header.size());
  WriteFile(folder + "/libdigits.a", library->archive.data(), library->archive.size());
  WriteFile(folder + "/images.f32", images.data(), images.size());
  WriteFile(folder + "/labels.s32", labels.data(), labels.size());

  const std::string build =
      "cd " + folder + " && gcc -std=c99 -pedantic -Wall -Wextra -Werror -O2 -I. " +
      HALYARD_SOURCE_DIR + "/examples/embed_c/main.c libdigits.a -o digits_c -lm -lpthread";
  ASSERT_EQ(system(build.c_str()), 0) << build;
  ASSERT_EQ(
      system(("cd " + folder + " && ./digits_c images.f32 labels.s32 logits.f32 > log").c_str()),
      0);
  EXPECT_NE(ReadFile(folder + "/log").find("70 of 70 images told right"), std::string::npos)
      << ReadFile(folder + "/log");
  const std::string written = ReadFile(folder + "/logits.f32");
  ASSERT_EQ(written.size(), logits.size() * sizeof(float));
  for (size_t i = 0; i < logits.size(); ++i) {
    float value;
    memcpy(&value, written.data() + i * sizeof(float), sizeof(float));
    ASSERT_NEAR(value, logits[i], 1e-4f) << i;
  }
  // Wrong labels must be noticed.
  for (int32_t& label : labels) label = (label + 1) % kClasses;
  WriteFile(folder + "/labels.s32", labels.data(), labels.size());
  EXPECT_NE(system(("cd " + folder + " && ./digits_c images.f32 labels.s32 > log").c_str()), 0);
  EXPECT_EQ(system(("rm -rf " + folder).c_str()), 0);
}

}  // namespace
}  // namespace halyard
