// Tests Halide's own autoschedulers as templates: right results where they have a schedule, and
// errors that say what is wrong where they have none.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "absl/strings/match.h"
#include "codegen/service/kernel_compiler.h"
#include "schedules/space_text.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;

#define SUM "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }\n"
#define MAX "max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] maximum(a, b) }\n"

struct Case {
  const char* name;
  const char* hlo;
};

const Case kCases[] = {
    {"Sgemm",
     "HloModule m\nENTRY e { a = f32[70,64] parameter(0) b = f32[64,96] parameter(1) ROOT d = "
     "f32[70,96] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }"},
    {"Int8Product",
     "HloModule m\nENTRY e { a = s8[32,64] parameter(0) b = s8[64,48] parameter(1) ROOT d = "
     "s32[32,48] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }"},
    {"Convolution",
     "HloModule m\nENTRY e { a = f32[1,14,14,16] parameter(0) w = f32[3,3,16,32] parameter(1) ROOT "
     "c = f32[1,14,14,32] convolution(a, w), window={size=3x3 pad=1_1x1_1}, "
     "dim_labels=b01f_01io->b01f }"},
    {"Depthwise",
     "HloModule m\nENTRY e { a = f32[1,14,14,32] parameter(0) w = f32[3,3,1,32] parameter(1) ROOT "
     "c = f32[1,14,14,32] convolution(a, w), window={size=3x3 pad=1_1x1_1}, "
     "dim_labels=b01f_01io->b01f, feature_group_count=32 }"},
    {"Softmax",
     "HloModule m\n" MAX SUM
     "ENTRY e { a = f32[40,256] parameter(0) i = f32[] constant(-inf) m = f32[40] reduce(a, i), "
     "dimensions={1}, to_apply=max b = f32[40,256] broadcast(m), dimensions={0} d = f32[40,256] "
     "subtract(a, b) x = f32[40,256] exponential(d) z = f32[] constant(0) s = f32[40] reduce(x, z)"
     ", dimensions={1}, to_apply=sum t = f32[40,256] broadcast(s), dimensions={0} ROOT r = "
     "f32[40,256] divide(x, t) }"},
    {"Elementwise",
     "HloModule m\nENTRY e { a = f32[33,200] parameter(0) b = f32[33,200] parameter(1) m = "
     "f32[33,200] multiply(a, b) t = f32[33,200] tanh(m) ROOT r = f32[33,200] add(t, a) }"},
    {"TwoOutputs",
     "HloModule m\nENTRY e { a = f32[33,200] parameter(0) n = f32[33,200] negate(a) e = "
     "f32[33,200] exponential(a) ROOT r = (f32[33,200], f32[33,200]) tuple(n, e) }"},
    {"ReduceRows",
     "HloModule m\n" SUM "ENTRY e { a = f32[40,600] parameter(0) z = f32[] constant(0.5) ROOT r = "
     "f32[40] reduce(a, z), dimensions={1}, to_apply=sum }"},
    {"Transpose",
     "HloModule m\nENTRY e { a = f32[70,130] parameter(0) ROOT r = f32[130,70] transpose(a), "
     "dimensions={1,0} }"},
};

class Autoschedulers : public ::testing::TestWithParam<std::tuple<Case, const char*>> {
 protected:
  const Case& kernel() const { return std::get<0>(GetParam()); }
  const char* line() const { return std::get<1>(GetParam()); }
};

class OnX86 : public Autoschedulers {};
TEST_P(OnX86, GiveRightResults) { EXPECT_EQ(CheckKernel(kernel().hlo, "x86", 2e-5, line()), ""); }

class OnVulkan : public Autoschedulers {};
TEST_P(OnVulkan, GiveRightResults) {
  if (DeviceNamed("vulkan") == nullptr) GTEST_SKIP() << "no Vulkan driver";
  const std::string error = CheckKernel(kernel().hlo, "vulkan", 2e-5, line());
  // Images have four dimensions, of which this autoscheduler maps three.
  if (absl::StrContains(kernel().hlo, "convolution")) {
    EXPECT_THAT(error, HasSubstr("template mullapudi2016 does not fit this kernel"));
  } else {
    EXPECT_EQ(error, "");
  }
}

runtime::DeviceInfo Sm80() {
  runtime::DeviceInfo device;
  device.kind = runtime::DeviceKind::kCuda;
  device.cuda_capability = 80;
  device.compute_units = 108;
  device.max_threads_per_group = 1024;
  device.max_group[0] = device.max_group[1] = 1024;
  device.max_group[2] = 64;
  device.max_grid[0] = INT32_MAX;
  device.max_grid[1] = device.max_grid[2] = 65535;
  device.max_shared_bytes = 48 << 10;
  device.max_storage_range_bytes = uint64_t{1} << 40;
  device.max_storage_buffers = 64;
  device.max_allocation_bytes = uint64_t{1} << 36;
  device.has_f64 = device.has_f16 = device.has_i64 = device.has_i16 = device.has_i8 = true;
  return device;
}

class OnCuda : public Autoschedulers {};
TEST_P(OnCuda, AreAssembled) {
  const auto reply = CompileHlo(kernel().hlo, Sm80(), line());
  if (absl::StrContains(kernel().hlo, "ROOT r = (")) {
    EXPECT_THAT(std::string(reply.status().message()),
                HasSubstr("template anderson2021 does not fit this kernel"));
  } else {
    EXPECT_TRUE(reply.ok()) << reply.status();
  }
}
// Runs in the fake driver's interpreter, or on a GPU.
TEST_P(OnCuda, GiveRightResults) {
  if (DeviceNamed("cuda") == nullptr) GTEST_SKIP() << "no CUDA driver";
  if (absl::StrContains(kernel().hlo, "ROOT r = (")) GTEST_SKIP() << "two outputs";
  EXPECT_EQ(CheckKernel(kernel().hlo, "cuda", 2e-5, line()), "");
}

std::string NameOf(const ::testing::TestParamInfo<std::tuple<Case, const char*>>& info) {
  const std::string line = std::get<1>(info.param);
  std::string name = std::string(std::get<0>(info.param).name) + "_";
  for (char c : line) name += isalnum(c) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, OnX86,
                         ::testing::Combine(::testing::ValuesIn(kCases),
                                            ::testing::Values("adams2019", "adams2019 seed=3",
                                                              "li2018", "mullapudi2016")),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(
    All, OnVulkan,
    ::testing::Combine(::testing::ValuesIn(kCases),
                       ::testing::Values("mullapudi2016",
                                         "mullapudi2016 parallelism=64 cache_kib=16")),
    NameOf);
INSTANTIATE_TEST_SUITE_P(All, OnCuda,
                         ::testing::Combine(::testing::ValuesIn(kCases),
                                            ::testing::Values("anderson2021 beam=1",
                                                              "anderson2021 beam=1 seed=3")),
                         NameOf);

lowering::KernelRequest Request(const char* hlo, const std::string& line) {
  lowering::KernelRequest request;
  request.hlo = hlo;
  request.device = InfoNamed("x86");
  request.schedule = line;
  return request;
}

std::string ErrorOf(const lowering::KernelRequest& request) {
  lowering::KernelCompilerOptions options;
  options.codegen_path = std::string(HALYARD_BIN_DIR) + "/halyard-codegen";
  options.jobs = 1;
  const auto reply = lowering::KernelCompiler::Create(options)->Compile({request})[0];
  return reply.ok() ? "" : std::string(reply.status().message());
}

// Halide does not take a strict sum for associative. So no autoscheduler lets threads add to a sum
// as they come, which would make results differ from run to run.
TEST(AutoschedulerErrors, SumsAreInOneOrder) {
  const std::string error = ErrorOf(Request(
      "HloModule m\n" SUM
      "ENTRY e { a = f32[1000000] parameter(0) z = f32[] constant(0) ROOT total = f32[] reduce(a, "
      "z), dimensions={0}, to_apply=sum }",
      "li2018"));
  EXPECT_EQ(error, "");
}

TEST(AutoschedulerErrors, AreNotForOperationsInPlace) {
  lowering::KernelRequest request = Request(kCases[0].hlo, "adams2019");
  request.hlo = "HloModule m\nENTRY e { a = f32[100] parameter(0) ROOT r = f32[100] add(a, a) }";
  request.aliases = {{0, 0}};
  EXPECT_THAT(ErrorOf(request), HasSubstr("template adams2019 does not fit this kernel"));
}

// If a plugin ends its process, this is an error of its candidate.
TEST(AutoschedulerErrors, CrashesNameTheKernel) {
  setenv("HALYARD_CODEGEN_FAULT", "abort:adams2019", 1);
  const std::string error = ErrorOf(Request(kCases[0].hlo, "adams2019"));
  unsetenv("HALYARD_CODEGEN_FAULT");
  EXPECT_THAT(error, HasSubstr("kernel `d = f32[70,96] dot"));
  EXPECT_THAT(error, HasSubstr("died of signal 6"));
}

// Returns the folder of the libHalide that `process` has loaded.
std::filesystem::path FolderOfHalide(const std::string& program) {
  const std::string command = "ldd " + program;
  FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  for (char buffer[4096]; fgets(buffer, sizeof(buffer), pipe) != nullptr;) text += buffer;
  pclose(pipe);
  const size_t begin = text.find("=> ", text.find("libHalide.so")) + 3;
  return std::filesystem::path(text.substr(begin, text.find(" (", begin) - begin)).parent_path();
}

TEST(AutoschedulerErrors, MissingPluginsAreNamed) {
  std::string folder =
      (std::filesystem::temp_directory_path() / "halyard-autoscheduler-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::filesystem::path real =
      FolderOfHalide(std::string(HALYARD_BIN_DIR) + "/halyard-codegen");
  std::filesystem::create_symlink(real / "libHalide.so", folder + "/libHalide.so");
  setenv("LD_LIBRARY_PATH", folder.c_str(), 1);
  const std::string error = ErrorOf(Request(kCases[0].hlo, "li2018"));
  unsetenv("LD_LIBRARY_PATH");
  std::filesystem::remove_all(folder);
  EXPECT_THAT(error, HasSubstr("template li2018 needs Halide's autoscheduler " + folder +
                               "/libautoschedule_li2018.so, which does not exist"));
}

// They are in the space of a kernel, but are never its default.
TEST(AutoschedulerSpaces, AreNamedAndNoDefaults) {
  lowering::KernelRequest request = Request(kCases[0].hlo, "");
  request.describe = true;
  lowering::KernelCompilerOptions options;
  options.codegen_path = std::string(HALYARD_BIN_DIR) + "/halyard-codegen";
  const auto reply = lowering::KernelCompiler::Create(options)->Compile({request})[0];
  ASSERT_TRUE(reply.ok()) << reply.status();
  const auto space = schedules::ParseSpace(reply->space);
  ASSERT_TRUE(space.ok()) << space.status();
  EXPECT_EQ(space->front().name, "contraction");
  std::set<std::string> names;
  for (const schedules::TemplateSpace& one : *space) names.insert(one.name);
  EXPECT_THAT(names, ::testing::IsSupersetOf({"adams2019", "li2018", "mullapudi2016", "plain"}));
  EXPECT_EQ(names.count("anderson2021"), 0u);
}

}  // namespace
}  // namespace halyard::testing
