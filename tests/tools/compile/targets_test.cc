// Tests libraries and bundles that hold a program for several targets: an application links them by
// itself, runs the best target that the machine has, and can say which and why. Damaged bundles are
// errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "runtime/c_api/halyard_rt.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ReadTestFile;
using testing::RunGcc;
using testing::RunHalyard;
using testing::RunProgram;
using ::testing::StartsWith;
using testing::TestFolder;
using testing::WriteTestFile;

// A product and a constant: 0.25 · i times (j % 7) - 3, plus the column's number.
constexpr char kProgram[] = R"(HloModule digits
ENTRY e {
  x = f32[4,8] parameter(0)
  y = f32[8,16] parameter(1)
  d = f32[4,16] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[16] constant({1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16})
  b = f32[4,16] broadcast(c), dimensions={1}
  ROOT r = f32[4,16] add(d, b)
})";

constexpr char kApp[] = R"(#include "digits.h"
#include <stdio.h>
int main(void) {
  float x[32], y[128], out[64];
  digits_model* model = NULL;
  hy_status status;
  int i;
  for (i = 0; i < 32; i++) x[i] = i * 0.25f;
  for (i = 0; i < 128; i++) y[i] = (float)(i % 7) - 3;
  status = digits_create(1, &model);
  if (status == NULL) status = digits_run(model, x, y, out);
  if (status != NULL) {
    printf("error: %s\n", hy_status_message(status));
    return 1;
  }
  printf("%s\n%s%g %g %g\n", digits_chosen(model), digits_choice(model), out[0], out[17], out[63]);
  digits_destroy(model);
  return 0;
}
)";
constexpr char kResults[] = "-0.75 -2 4\n";
constexpr char kTargets[] = "--target=x86:v2,x86:v3,x86:v4,vulkan,cuda:sm_80,cuda:sm_90";

class Library : public ::testing::TestWithParam<const char*> {
 protected:
  // Compiles, links as the header says, and returns the application's path.
  static std::string Build(const std::string& emit, const std::string& targets) {
    const std::string folder = TestFolder() + "/" + emit;
    const CommandResult compiled =
        RunHalyard({"compile", WriteTestFile("digits.hlo", kProgram), targets, "--emit=" + emit,
                    "-o", folder, "--name=digits"});
    EXPECT_EQ(compiled.status, 0) << compiled.err;
    const std::string app = WriteTestFile("app.c", kApp), program = folder + "/app";
    std::vector<std::string> link = {"-std=c99", "-Wall", "-Werror", "-I" + folder, app};
    if (emit == "static") {
      link.push_back(folder + "/libdigits.a");
    } else {
      link.insert(link.end(), {"-L" + folder, "-ldigits", "-Wl,-rpath," + folder});
    }
    link.insert(link.end(), {"-lm", "-lpthread", "-o", program});
    const CommandResult built = RunGcc(link);
    EXPECT_EQ(built.status, 0) << built.err;
    return program;
  }

  // What it prints where the environment has these variables.
  static std::string Run(const std::string& program, std::vector<std::string> variables) {
    variables.insert(variables.begin(), "env");
    variables.push_back(program);
    return RunProgram(variables).out;
  }
};

TEST_P(Library, RunsTheBestTargetAndSaysWhy) {
  const std::string program = Build(GetParam(), kTargets);
  const bool vulkan = RunHalyard({"devices"}).out.find("vulkan") != std::string::npos;

  const std::string v3 = Run(program, {"HALYARD_CPU=v3", "HALYARD_TARGET="});
  EXPECT_THAT(v3, AllOf(StartsWith("x86:v3\n"), HasSubstr("x86:v3: chosen, on "),
                        AnyOf(HasSubstr("x86:v4: HALYARD_CPU=v3 leaves out avx512"),
                              HasSubstr("x86:v4: this CPU lacks avx512")),
                        HasSubstr("x86:v2: x86:v3 comes first\n"), HasSubstr("cuda:sm_90: "),
                        HasSubstr(kResults)));
  EXPECT_THAT(Run(program, {"HALYARD_CPU=v2", "HALYARD_TARGET="}), StartsWith("x86:v2\n"));
  EXPECT_THAT(Run(program, {"HALYARD_TARGET=x86:v2"}),
              AllOf(StartsWith("x86:v2\n"), HasSubstr("x86:v3: not asked for\n")));

  EXPECT_THAT(Run(program, {"HALYARD_CPU=v3", "HALYARD_TARGET=vulkan,x86",
                            "VK_DRIVER_FILES=/nonexistent", "VK_ICD_FILENAMES=/nonexistent"}),
              AllOf(StartsWith("x86:v3\nvulkan: "), HasSubstr(kResults)));
  if (vulkan) {
    EXPECT_THAT(Run(program, {"HALYARD_TARGET=vulkan,x86"}),
                AllOf(StartsWith("vulkan\nvulkan: chosen, on "), HasSubstr(kResults)));
  }

  EXPECT_THAT(Run(program, {"HALYARD_TARGET=tpu"}),
              StartsWith("error: HALYARD_TARGET=tpu: 'tpu' is no target"));
  EXPECT_THAT(Run(program, {"HALYARD_TARGET=cuda:sm_70"}),
              AllOf(StartsWith("error: HALYARD_TARGET=cuda:sm_70: "),
                    HasSubstr("is compiled for x86:v2, x86:v3, x86:v4, vulkan, cuda:sm_80")));
  EXPECT_THAT(Run(program, {"HALYARD_CPU=v9"}), StartsWith("error: HALYARD_CPU=v9: "));
}

// The fake driver interprets PTX.
TEST_P(Library, RunsTheHighestArchitectureOfAGpu) {
  const std::string out =
      Run(Build(GetParam(), kTargets), {std::string("HALYARD_LIBCUDA=") + HALYARD_FAKE_LIBCUDA,
                                        "HALYARD_FAKE_CUDA=interpret", "HALYARD_TARGET="});
  EXPECT_THAT(out, AllOf(StartsWith("cuda:sm_90\n"), HasSubstr("cuda:sm_90: chosen, on "),
                         HasSubstr("cuda:sm_80: cuda:sm_90 comes first\n"), HasSubstr(kResults)));
}

INSTANTIATE_TEST_SUITE_P(All, Library, ::testing::Values("static", "shared"),
                         [](const auto& info) { return std::string(info.param); });

class BundleFile : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string folder = TestFolder() + "/bundle";
    ASSERT_EQ(RunHalyard({"compile", WriteTestFile("digits.hlo", kProgram), kTargets,
                          "--emit=bundle", "-o", folder, "--name=digits"})
                  .status,
              0);
    bytes_ = new std::string(ReadTestFile(folder + "/digits.hybundle"));
  }
  static void TearDownTestSuite() { delete bytes_; }

  // Chooses a target of these bytes. Returns "" or the error.
  static std::string Choose(const std::string& bytes, const char* targets = "x86") {
    const std::string path = WriteTestFile("try.hybundle", bytes);
    hy_choose_options options = {};
    options.struct_size = sizeof(options);
    options.threads = 1;
    options.targets = targets;
    hy_program* program = nullptr;
    const hy_status status = hy_program_choose_file(path.c_str(), &options, &program);
    std::string message = hy_status_message(status);
    EXPECT_EQ(status == nullptr, program != nullptr);
    if (status != nullptr && message.empty()) message = "no message";
    hy_status_free(status);
    hy_program_free(program);
    return message;
  }

  static std::string* bytes_;
};
std::string* BundleFile::bytes_ = nullptr;

TEST_F(BundleFile, TwoBuildsAreEqual) {
  const std::string folder = TestFolder() + "/again";
  ASSERT_EQ(RunHalyard({"compile", WriteTestFile("digits.hlo", kProgram), kTargets, "--emit=bundle",
                        "-o", folder, "--name=digits"})
                .status,
            0);
  EXPECT_TRUE(ReadTestFile(folder + "/digits.hybundle") == *bytes_);
  EXPECT_THAT(*bytes_, Not(HasSubstr(HALYARD_SOURCE_DIR)));
  EXPECT_EQ(Choose(*bytes_), "");
}

TEST_F(BundleFile, CutShortIsAnError) {
  for (size_t size = 0; size < bytes_->size(); size += size < 1024 ? 37 : 509) {
    EXPECT_NE(Choose(bytes_->substr(0, size)), "") << size;
  }
}

// Checksums cover all but the padding, so a changed byte is an error or changes nothing that is
// looked at.
TEST_F(BundleFile, DamagedIsAnErrorOrRuns) {
  std::mt19937 random(7);
  int errors = 0;
  const int tries = getenv("HALYARD_NIGHTLY") != nullptr ? 20000 : 400;
  for (int i = 0; i < tries; ++i) {
    std::string bytes = *bytes_;
    for (uint32_t changes = 1 + random() % 3; changes > 0; --changes) {
      // Half of them in the tables at the beginning.
      const size_t at = random() % (random() % 2 == 0 ? bytes.size() : 2048);
      bytes[at] = static_cast<char>(random());
    }
    errors += Choose(bytes).empty() ? 0 : 1;
  }
  EXPECT_GT(errors, tries / 4);
}

TEST_F(BundleFile, WrongCallsAreErrors) {
  hy_program* program = nullptr;
  hy_status status = hy_program_choose_file(nullptr, nullptr, &program);
  EXPECT_EQ(hy_status_code(status), HY_INVALID_ARGUMENT);
  hy_status_free(status);
  status = hy_program_choose_file("/nonexistent/x.hybundle", nullptr, &program);
  EXPECT_EQ(hy_status_code(status), HY_NOT_FOUND);
  hy_status_free(status);
  EXPECT_THAT(Choose(*bytes_, "vulkan,x86,"), Not(HasSubstr("is no target")));
  EXPECT_THAT(Choose(*bytes_, "gpu"), HasSubstr("'gpu' is no target"));
  EXPECT_THAT(Choose(std::string(4096, 'x')), Not(HasSubstr("no message")));
  EXPECT_STREQ(hy_program_choice(nullptr), "");
}

}  // namespace
}  // namespace halyard
