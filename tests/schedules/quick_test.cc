// Tests the schedules of --O0: which they are, and that kernels compute with them what they should.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "lowering/kernels/quick_line.h"
#include "tests/schedules/kernel_cases.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

using ::testing::StartsWith;

// kMaxQuickTerms in schedules/quick.h, which needs Halide.
constexpr int64_t kMaxTerms = 65536;

std::string Product(const std::string& type) {
  return "HloModule m\nENTRY e { a = " + type + " parameter(0) b = " + type +
         " parameter(1) ROOT d = " + type +
         " dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }";
}
const std::string kProduct = Product("f32[64,64]");

const std::string kSum =
    "HloModule m\nsum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }\n";

std::string Rows(int64_t rows, int64_t columns) {
  const std::string all = "f32[" + std::to_string(rows) + "," + std::to_string(columns) + "]";
  const std::string reduced = "f32[" + std::to_string(rows) + "]";
  return kSum + "ENTRY e { a = " + all + " parameter(0) e = " + all +
         " exponential(a) z = f32[] constant(0) s = " + reduced +
         " reduce(e, z), dimensions={1}, to_apply=sum t = " + all +
         " broadcast(s), dimensions={0} ROOT d = " + all + " divide(e, t) }";
}

std::string Sum(int64_t terms) {
  return kSum + "ENTRY e { a = f32[" + std::to_string(terms) +
         "] parameter(0) z = f32[] constant(0) ROOT s = f32[] reduce(a, z), dimensions={0}, "
         "to_apply=sum }";
}

std::string LineOf(const std::string& hlo, const runtime::DeviceInfo& device) {
  const auto reply = CompileHlo(hlo, device, lowering::kQuickLine);
  return reply.ok() ? reply->schedule : reply.status().ToString();
}

TEST(Quick, OnCpusIsPlainWithoutVectors) {
  const runtime::DeviceInfo cpu = InfoNamed("x86");
  for (const std::string& hlo : {kProduct, Rows(64, 100), Sum(1000)}) {
    EXPECT_EQ(LineOf(hlo, cpu), "plain vec=1") << hlo;
    // It is not the default.
    const auto reply = CompileHlo(hlo, cpu);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_NE(reply->schedule, "plain vec=1") << hlo;
  }
}

TEST(Quick, IsTheDefaultBeyondItsLimits) {
  const runtime::DeviceInfo cpu = InfoNamed("x86");
  EXPECT_EQ(LineOf(Sum(kMaxTerms), cpu), "plain vec=1");
  EXPECT_THAT(LineOf(Sum(kMaxTerms + 1), cpu), StartsWith("reduction "));
  // The exponentials of all rows would be kept.
  EXPECT_THAT(LineOf(Rows(8192, 1024), cpu), StartsWith("row "));
}

TEST(Quick, OfOtherFormsHasTheSmallestVectors) {
  const std::string update =
      "HloModule m\nENTRY e { a = f32[100] parameter(0) u = f32[10] parameter(1) i = s32[] "
      "parameter(2) ROOT r = f32[100] dynamic-update-slice(a, u, i) }";
  EXPECT_THAT(LineOf(update, InfoNamed("x86")), StartsWith("sequence vec=1 "));
}

// `plain` would add up all that is before each element.
TEST(Quick, OfCumulativeSumsIsTheDefault) {
  const std::string scan = kSum +
                           "ENTRY e { a = f32[4096] parameter(0) z = f32[] constant(0) ROOT s = "
                           "f32[4096] reduce-window(a, z), window={size=4096 pad=4095_0}, "
                           "to_apply=sum }";
  EXPECT_THAT(LineOf(scan, InfoNamed("x86")), StartsWith("scan "));
}

TEST(Quick, OnGpusIsPlainForProductsAlone) {
  for (const char* name : {"vulkan", "cuda"}) {
    runtime::DeviceInfo device;
    if (std::string(name) == "vulkan") {
      if (DeviceNamed(name) == nullptr) continue;
      device = InfoNamed(name);
    } else {
      device.kind = runtime::DeviceKind::kCuda;
      device.cuda_capability = 80;
      device.max_threads_per_group = device.max_group[0] = device.max_group[1] = 1024;
      device.max_group[2] = 64;
      device.max_grid[0] = INT32_MAX;
      device.max_grid[1] = device.max_grid[2] = 65535;
      device.max_shared_bytes = 48 << 10;
      device.max_storage_range_bytes = uint64_t{1} << 40;
      device.max_storage_buffers = 64;
      device.max_allocation_bytes = uint64_t{1} << 36;
      device.has_f64 = device.has_f16 = device.has_i64 = device.has_i16 = device.has_i8 = true;
    }
    EXPECT_THAT(LineOf(kProduct, device), StartsWith("plain threads=")) << name;
    EXPECT_THAT(LineOf(Rows(64, 100), device), StartsWith("row ")) << name;
    if (device.kind != runtime::DeviceKind::kCuda) continue;
    // What a library computes need not be compiled.
    device.libraries = runtime::kCublasLt;
    EXPECT_THAT(LineOf(Product("f16[4096,4096]"), device), StartsWith("library "));
  }
}

class QuickKernels : public ::testing::TestWithParam<std::tuple<std::string, KernelCase>> {};

TEST_P(QuickKernels, AgreeWithEvaluator) {
  const auto& [device, test] = GetParam();
  if (DeviceNamed(device) == nullptr) GTEST_SKIP() << device << " is not on this machine";
  EXPECT_EQ(CheckKernel(test.hlo, device, test.tolerance, lowering::kQuickLine), "");
}

// On Vulkan, other kernels have their defaults.
std::vector<std::tuple<std::string, KernelCase>> Cases() {
  std::vector<std::tuple<std::string, KernelCase>> cases;
  for (const KernelCase& test : kKernelCases) {
    cases.emplace_back("x86", test);
    const std::string hlo = test.hlo;
    if (hlo.find(" dot(") != std::string::npos || hlo.find(" convolution(") != std::string::npos)
      cases.emplace_back("vulkan", test);
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, QuickKernels, ::testing::ValuesIn(Cases()),
                         [](const ::testing::TestParamInfo<QuickKernels::ParamType>& info) {
                           return std::get<0>(info.param) + "_" + std::get<1>(info.param).name;
                         });

}  // namespace
}  // namespace halyard::testing
