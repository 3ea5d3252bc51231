#include "codegen/gpu/gpu_object.h"

#include <sys/stat.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/backend.h"
#include "runtime/vulkan/vulkan.h"
#include "tests/fakes/test_kernels.h"

namespace halyard::testing {
namespace {

using runtime::Binding;
using runtime::Block;
using runtime::Device;
using runtime::DeviceInfo;
using runtime::Event;
using runtime::LaunchArgument;
using runtime::Space;
using ::testing::HasSubstr;
using ::testing::Not;

#define ASSERT_HY_OK(expression)                  \
  do {                                            \
    const runtime::Status status = (expression);  \
    ASSERT_TRUE(status.ok()) << status.message(); \
  } while (false)

// Kernels run on the first Vulkan device, for which a software device is enough.
class LaunchListOnVulkan : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_HY_OK(runtime::vulkan::OpenDevice(0, {}, &device_)); }
  void TearDown() override {
    if (device_ != nullptr) device_->Destroy();
  }

  // Runs the kernel once. `output` keeps the elements that the kernel does not write.
  template <typename T>
  void Run(const absl::StatusOr<KernelObjectSpec>& spec,
           const std::type_identity_t<std::vector<std::vector<T>>>& inputs,
           std::vector<T>* output) {
    ASSERT_TRUE(spec.ok()) << spec.status();
    const std::string bytes = WriteKernelObject(*spec);
    runtime::KernelObjectView view;
    ASSERT_HY_OK(runtime::ParseKernelObject(
        {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &view));
    runtime::Kernel* kernel = nullptr;
    ASSERT_HY_OK(device_->LoadKernel(view, &kernel));
    std::vector<Block> blocks(inputs.size() + 2);
    std::vector<Binding> bindings(blocks.size());
    std::vector<runtime::SliceRef> slices;
    runtime::SegmentStep step;
    Event done;
    for (size_t i = 0; i < blocks.size(); ++i) {
      const bool scratch = i + 1 == blocks.size();
      const uint64_t size = scratch             ? spec->scratch_bytes
                            : i < inputs.size() ? inputs[i].size() * sizeof(T)
                                                : output->size() * sizeof(T);
      ASSERT_HY_OK(device_->Allocate(size, Space::kDevice, &blocks[i]));
      bindings[i].block = &blocks[i];
      runtime::SliceRef slice;
      slice.allocation = static_cast<uint32_t>(i);
      slice.bytes = size;
      if (scratch) {
        step.scratch = slice;
      } else {
        slices.push_back(slice);
        const void* data = i < inputs.size() ? inputs[i].data() : output->data();
        ASSERT_HY_OK(device_->Upload(data, blocks[i], 0, size, 0, &done));
      }
    }
    step.kernel = kernel;
    step.slices = slices.data();
    step.num_slices = static_cast<uint32_t>(slices.size());
    step.num_inputs = static_cast<uint32_t>(inputs.size());
    runtime::Segment segment;
    segment.steps = &step;
    segment.num_steps = 1;
    runtime::Recording* recording = nullptr;
    const auto count = static_cast<uint32_t>(bindings.size());
    ASSERT_HY_OK(device_->Record(segment, bindings.data(), count, &recording));
    ASSERT_HY_OK(device_->Submit(recording, bindings.data(), count, 0, &done));
    ASSERT_HY_OK(device_->Download(blocks[inputs.size()], 0, output->size() * sizeof(T),
                                   output->data(), 0, &done));
    ASSERT_HY_OK(device_->Wait(done));
    device_->FreeRecording(recording);
    device_->FreeKernel(kernel);
    for (Block& block : blocks) device_->Free(&block);
  }

  Device* device_ = nullptr;
};

std::vector<float> Random(size_t n, int seed) {
  std::mt19937 engine(static_cast<unsigned>(seed));
  std::uniform_real_distribution<float> values(-2.0f, 2.0f);
  std::vector<float> result(n);
  for (float& v : result) v = values(engine);
  return result;
}

std::vector<float> Filled(size_t n, const std::function<float(size_t)>& value) {
  std::vector<float> result(n);
  for (size_t i = 0; i < n; ++i) result[i] = value(i);
  return result;
}

TEST_F(LaunchListOnVulkan, ElementwiseOfOddSizesIsExact) {
  for (int n : {1, 63, 64, 65, 1000, 4097}) {
    const auto a = Random(n, 1), b = Random(n, 2);
    std::vector<float> out(n, -1.0f);
    Run(ScaleAdd(n, device_->info()), {a, b}, &out);
    EXPECT_EQ(out, Filled(n, [&](size_t i) { return 2.5f * a[i] + b[i]; })) << n;
  }
}

TEST_F(LaunchListOnVulkan, StagesShareScratch) {
  const int n = 777;
  const auto spec = Stages(n, device_->info());
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->launches.size(), 3u);
  // Both buffers are live at the last launch: two times 777 floats, padded to 256 bytes.
  EXPECT_EQ(spec->scratch_bytes, 2u * 3328u);
  const auto a = Random(n, 3);
  std::vector<float> out(n);
  Run(spec, {a}, &out);
  EXPECT_EQ(out, Filled(n, [&](size_t i) {
              const float t = a[i] * a[i], other = a[n - 1 - i] * a[n - 1 - i];
              return (t + other) - t * 2.0f;
            }));
}

TEST_F(LaunchListOnVulkan, RowSumsThroughSharedMemory) {
  const int n = 1000, rows = 5;
  const auto spec = RowSums(n, rows, device_->info());
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_GT(spec->launches.back().shared_bytes, 0u);
  // With whole numbers, any order of addition is exact.
  const auto a = Filled(n * rows, [](size_t i) { return static_cast<float>(i % 17) - 5.0f; });
  std::vector<float> out(rows);
  Run(spec, {a}, &out);
  for (int y = 0; y < rows; ++y) {
    float want = 0;
    for (int x = 0; x < n; ++x) want += a[y * n + x];
    EXPECT_EQ(out[y], want) << y;
  }
}

TEST_F(LaunchListOnVulkan, GridOfThreeDimensions) {
  const int nx = 13, ny = 6, nz = 9;
  const auto a = Random(nx * ny * nz, 4);
  std::vector<float> out(a.size());
  const auto spec = Transpose3(nx, ny, nz, device_->info());
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->launches[0].grid[0], 3u);
  EXPECT_EQ(spec->launches[0].grid[1], 2u);
  EXPECT_EQ(spec->launches[0].grid[2], 4u);
  Run(spec, {a}, &out);
  for (int x = 0; x < nx; ++x) {
    for (int y = 0; y < ny; ++y) {
      for (int z = 0; z < nz; ++z) {
        ASSERT_EQ(out[(x * ny + y) * nz + z], a[(z * ny + y) * nx + x] + 100.0f);
      }
    }
  }
}

TEST_F(LaunchListOnVulkan, ScalarsTravelInAUniformBuffer) {
  const int n = 100, rows = 4;
  const auto spec = ScalarRows(n, rows, device_->info());
  ASSERT_TRUE(spec.ok()) << spec.status();
  ASSERT_EQ(spec->launches.size(), 4u);
  EXPECT_EQ(spec->modules.size(), 1u);
  int scalars = 0;
  for (const auto& argument : spec->launches[3].arguments) {
    scalars += argument.kind == LaunchArgument::Kind::kScalar;
  }
  EXPECT_GE(scalars, 1);
  const auto a = Random(n * rows, 5);
  std::vector<float> out(a.size());
  Run(spec, {a}, &out);
  EXPECT_EQ(out, Filled(a.size(), [&](size_t i) { return a[i] + static_cast<float>(i / n); }));
}

TEST_F(LaunchListOnVulkan, StrictArithmeticIsNotRewritten) {
  const int n = 256;
  const auto a = Random(n, 6), b = Random(n, 7);
  std::vector<float> out(n);
  Run(StrictArithmetic(n, device_->info()), {a, b}, &out);
  for (int i = 0; i < n; ++i) {
    volatile float big = a[i] + 1e8f;
    volatile float product = a[i] * b[i];
    volatile float rounded = big - 1e8f, sum = product + a[i];
    ASSERT_EQ(out[i], rounded + sum) << i;
  }
}

TEST_F(LaunchListOnVulkan, SpecialValuesSurvive) {
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<float> a = {0.0f, -0.0f, 1.0f,  -1.0f,  inf,  -inf,   std::nanf(""),
                          3.0f, 1e38f, 3e38f, 1e-36f, 0.1f, -7.25f, 16777217.0f};
  for (float v : Random(500, 11)) a.push_back(v);
  for (int operation = 0; operation < kSpecialOperations; ++operation) {
    std::vector<float> out(a.size());
    Run(Special(operation, static_cast<int>(a.size()), device_->info()), {a}, &out);
    for (size_t i = 0; i < a.size(); ++i) {
      const float want = SpecialOperation(operation, a[i]);
      if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(out[i])) << operation << " of " << a[i] << ": " << out[i];
      } else {
        EXPECT_EQ(out[i], want) << operation << " of " << a[i];
        EXPECT_EQ(std::signbit(out[i]), std::signbit(want)) << operation << " of " << a[i];
      }
    }
  }
}

TEST_F(LaunchListOnVulkan, TypesOfAllWidths) {
  const int n = 101;
  const auto check = [&](int code, auto zero) {
    using T = decltype(zero);
    std::vector<T> a(n), out(n), want(n);
    for (int i = 0; i < n; ++i) {
      a[i] = static_cast<T>(i * 3 - (code == 1 ? 0 : 50));
      want[i] = static_cast<T>(a[i] * a[i] + a[i]);
    }
    Run(Arithmetic(code, sizeof(T) * 8, n, device_->info()), {a}, &out);
    EXPECT_EQ(out, want) << code << " of " << sizeof(T) * 8 << " bits";
  };
  const DeviceInfo& info = device_->info();
  check(0, int32_t{});
  check(1, uint32_t{});
  check(2, float{});
  if (info.has_i8) check(1, uint8_t{});
  if (info.has_i8) check(0, int8_t{});
  if (info.has_i16) check(1, uint16_t{});
  if (info.has_i16) check(0, int16_t{});
  if (info.has_i64) check(1, uint64_t{});
  if (info.has_i64) check(0, int64_t{});
  if (info.has_f64) check(2, double{});
}

TEST_F(LaunchListOnVulkan, MatMulKeepsItsAccumulatorsFree) {
  const int m = 32, n = 64, k = 40;
  TestKernelOptions options;
  std::string assembly;
  options.assembly = &assembly;
  options.fuse_multiply_accumulate = true;
  const auto spec = MatMul(m, n, k, device_->info(), options);
  // Only the epilogue's eight multiplications and additions keep their form.
  size_t decorations = 0;
  for (size_t at = 0; (at = assembly.find("NoContraction", at)) != std::string::npos; ++at) {
    ++decorations;
  }
  EXPECT_EQ(decorations, 16u);
  const auto a = Filled(m * k, [](size_t i) { return static_cast<float>(i % 7) - 3.0f; });
  const auto b = Filled(n * k, [](size_t i) { return static_cast<float>(i % 5) - 2.0f; });
  std::vector<float> out(m * n);
  Run(spec, {a, b}, &out);
  for (int y = 0; y < m; ++y) {
    for (int x = 0; x < n; ++x) {
      float sum = 0;
      for (int r = 0; r < k; ++r) sum += a[y * k + r] * b[r * n + x];
      ASSERT_EQ(out[y * n + x], sum * 0.5f + 3.0f);
    }
  }
}

TEST_F(LaunchListOnVulkan, HostStagesAreRefused) {
  const auto spec = HostStage(64, device_->info());
  EXPECT_EQ(spec.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(spec.status().message()), HasSubstr("host"));
}

TEST_F(LaunchListOnVulkan, LimitsAreChecked) {
  DeviceInfo small = device_->info();
  small.max_storage_range_bytes = 1024;
  EXPECT_EQ(Increment(1000, small).status().code(), absl::StatusCode::kResourceExhausted);
  small = device_->info();
  small.max_threads_per_group = 32;
  EXPECT_EQ(Increment(1000, small).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(LaunchListForCuda, PtxasTakesEveryKernel) {
  for (int capability : {80, 90, 100}) {
    const DeviceInfo device = CudaDescription(capability);
    TestKernelOptions options;
    options.ptxas = HALYARD_PTXAS;
    for (const auto& spec :
         {ScaleAdd(1000, device, options), Stages(777, device, options),
          RowSums(1000, 5, device, options), Transpose3(13, 6, 9, device, options),
          ScalarRows(100, 4, device, options), StrictArithmetic(256, device, options),
          MatMul(32, 64, 40, device, options), InvertBytes(1001, device, options)}) {
      ASSERT_TRUE(spec.ok()) << capability << ": " << spec.status();
      ASSERT_EQ(spec->modules.size(), 1u);
      EXPECT_EQ(spec->modules[0].substr(1, 3), "ELF");
    }
  }
}

TEST(LaunchListForCuda, PtxasTakesEveryType) {
  TestKernelOptions options;
  options.ptxas = HALYARD_PTXAS;
  for (int code : {0, 1, 2}) {
    for (int bits : {8, 16, 32, 64}) {
      if (code == 2 && bits == 8) continue;
      const auto spec = Arithmetic(code, bits, 101, CudaDescription(90), options);
      EXPECT_TRUE(spec.ok()) << code << " of " << bits << " bits: " << spec.status();
    }
  }
}

TEST(LaunchListForCuda, WithoutPtxasKeepsText) {
  const auto spec = RowSums(1000, 5, CudaDescription(90));
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_THAT(spec->modules[0], HasSubstr(".visible .entry"));
  EXPECT_THAT(spec->modules[0], HasSubstr(".maxntid 32, 1, 1"));
  EXPECT_THAT(spec->modules[0], HasSubstr("hy_shared"));
}

// The driver compiles the text then. If ptxas refuses a wrong text, this stays an error.
TEST(LaunchListForCuda, AnUnusablePtxasKeepsText) {
  const std::string old = ::testing::TempDir() + "/old_ptxas";
  for (const char* words : {"ptxas fatal   : Value 'sm_90' is not defined for option 'gpu-name'",
                            "ptxas k.ptx, line 1; fatal   : Unsupported .version 8.0"}) {
    std::ofstream(old) << "#!/bin/sh\necho \"" << words << "\"\nexit 255\n";
    chmod(old.c_str(), 0700);
    TestKernelOptions options;
    options.ptxas = old;
    const auto spec = RowSums(1000, 5, CudaDescription(90), options);
    ASSERT_TRUE(spec.ok()) << spec.status();
    EXPECT_THAT(spec->modules[0], HasSubstr(".visible .entry"));
  }
  TestKernelOptions options;
  options.ptxas = "/nowhere/ptxas";
  EXPECT_TRUE(RowSums(1000, 5, CudaDescription(90), options).ok());
  std::ofstream(old) << "#!/bin/sh\necho 'k.ptx, line 4; error : Not a name'\nexit 255\n";
  options.ptxas = old;
  EXPECT_FALSE(RowSums(1000, 5, CudaDescription(90), options).ok());
}

TEST(LaunchListForCuda, StrictOperationsStayApart) {
  TestKernelOptions options;
  std::string assembly;
  options.assembly = &assembly;
  ASSERT_TRUE(StrictArithmetic(256, CudaDescription(80), options).ok());
  EXPECT_THAT(assembly, Not(HasSubstr("fma")));
  EXPECT_THAT(assembly, HasSubstr("mul.rn.f32"));
  assembly.clear();
  options.fuse_multiply_accumulate = true;
  ASSERT_TRUE(MatMul(32, 64, 40, CudaDescription(80), options).ok());
  // Accumulators stay fused, but the epilogue does not.
  size_t fused = 0;
  for (size_t at = 0; (at = assembly.find("fma.rn.f32", at)) != std::string::npos; ++at) ++fused;
  EXPECT_GE(fused, 8u);
  EXPECT_THAT(assembly, HasSubstr("%hy_product32, %"));
}

}  // namespace
}  // namespace halyard::testing
