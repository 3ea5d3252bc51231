// What a model adds to an application: constants, kernels and a small runtime. The figures are
// printed beside those of Halide's own ahead-of-time libraries, and of IREE's runtime where
// scripts/setup_iree has installed it; scripts/test shows them at its end.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::CommandResult;
using testing::RunHalyard;
using testing::RunProgram;
using testing::TestFolder;
using testing::WriteTestFile;

constexpr int64_t kConstantBytes = 16 * 4;
constexpr char kProgram[] = R"(HloModule digits
ENTRY e {
  x = f32[4,8] parameter(0)
  y = f32[8,16] parameter(1)
  d = f32[4,16] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[16] constant({1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16})
  b = f32[4,16] broadcast(c), dimensions={1}
  ROOT r = f32[4,16] add(d, b)
})";

int64_t SizeOf(const std::string& path) {
  return static_cast<int64_t>(std::filesystem::file_size(path));
}

// Returns the size of a program without symbols that consists of this text and these files.
int64_t AppSize(const std::string& text, const std::vector<std::string>& files) {
  const std::string app = TestFolder() + "/app";
  std::vector<std::string> command = {"gcc", "-std=c99", "-s", "-Wl,--gc-sections",
                                      WriteTestFile("app.c", text)};
  command.insert(command.end(), files.begin(), files.end());
  command.insert(command.end(), {"-lm", "-lpthread", "-ldl", "-o", app});
  const CommandResult built = RunProgram(command);
  EXPECT_EQ(built.status, 0) << built.err;
  return built.status == 0 ? SizeOf(app) : 0;
}

TEST(Sizes, AreThoseOfConstantsKernelsAndASmallRuntime) {
  const std::string folder = TestFolder() + "/sizes";
  const std::string program = WriteTestFile("digits.hlo", kProgram);
  const int64_t empty = AppSize("int main(void) { return 0; }\n", {});
  struct Case {
    const char *targets, *what;
    int64_t limit;  // beyond weights, and beyond kernels for several targets
  };
  for (const Case& c :
       {Case{"--target=x86:v3", "x86 alone", 200 << 10},
        Case{"--target=x86:v3,vulkan,cuda:sm_80", "x86, Vulkan and CUDA", 600 << 10}}) {
    const CommandResult compiled =
        RunHalyard({"compile", program, c.targets, "--emit=static", "-o", folder, "--name=digits"});
    ASSERT_EQ(compiled.status, 0) << compiled.err;
    const int64_t app = AppSize(
        "#include \"" + folder +
            "/digits.h\"\n"
            "int main(void) { static float x[32], y[128], out[64]; digits_model* m = NULL;\n"
            "  return digits_create(1, &m) != NULL || digits_run(m, x, y, out) != NULL; }\n",
        {folder + "/libdigits.a"});
    printf("figure: a small model for %s adds %lld KB to an application (archive: %lld KB)\n",
           c.what, static_cast<long long>((app - empty) / 1024),
           static_cast<long long>(SizeOf(folder + "/libdigits.a") / 1024));
    EXPECT_LE(app - empty, c.limit + kConstantBytes) << c.what;
    EXPECT_GT(app, empty);
  }
}

// The same computation as a library of Halide, with its runtime. Not a limit: a number to compare.
TEST(Sizes, OfHalide) {
  for (const auto& [target, what] :
       {std::pair{"x86-64-linux-sse41-avx-avx2-fma-no_bounds_query", "x86 alone"},
        std::pair{"x86-64-linux-sse41-avx-avx2-fma-no_bounds_query-cuda-vulkan",
                  "x86, Vulkan and CUDA"}}) {
    Halide::ImageParam x(Halide::Float(32), 2), y(Halide::Float(32), 2), c(Halide::Float(32), 1);
    Halide::Var i, j;
    Halide::RDom k(0, 8);
    Halide::Func d;
    d(j, i) = c(j);
    d(j, i) += x(k, i) * y(j, k);
    const std::string base = TestFolder() + "/halide";
    try {
      d.compile_to_static_library(base, {x, y, c}, "halide_net", Halide::Target(target));
    } catch (const std::exception& error) {
      FAIL() << error.what();
    }
    const int64_t app = AppSize(
        "struct b; int halide_net(struct b*, struct b*, struct b*, struct "
        "b*);\nint main(int n, char** v) {\n"
        "  return n > 1 ? halide_net(0, 0, 0, (struct b*)v) : 0; }\n",
        {base + ".a"});
    printf("figure: Halide's own library of that kernel for %s: an application of %lld KB\n", what,
           static_cast<long long>(app / 1024));
    EXPECT_GT(app, 0);
  }
}

TEST(Sizes, OfIree) {
  const std::filesystem::path environment = HALYARD_SOURCE_DIR "/.venv-iree";
  std::error_code error;
  int found = 0;
  for (std::filesystem::recursive_directory_iterator it(environment, error), end;
       !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename();
    if (it->path().string().find("_runtime_libs") == std::string::npos ||
        it->path().extension() != ".so") {
      continue;
    }
    printf("figure: IREE's runtime, %s: %lld KB\n", name.c_str(),
           static_cast<long long>(SizeOf(it->path()) / 1024));
    ++found;
  }
  if (found == 0) GTEST_SKIP() << "there is no IREE: scripts/setup_iree installs it";
}

}  // namespace
}  // namespace halyard
