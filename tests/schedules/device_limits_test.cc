// Tests kernels for devices with small limits: every launch fits, whatever a template would prefer.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/kernel_object.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

using runtime::DeviceInfo;
using runtime::DeviceKind;
using ::testing::HasSubstr;

// Returns the least that Vulkan allows, except for the number of bindings.
DeviceInfo SmallestVulkan() {
  DeviceInfo device;
  device.kind = DeviceKind::kVulkan;
  snprintf(device.name, sizeof(device.name), "the smallest device");
  device.max_threads_per_group = 128;
  device.max_group[0] = device.max_group[1] = 128;
  device.max_group[2] = 64;
  for (uint32_t& extent : device.max_grid) extent = 65535;
  device.max_shared_bytes = 16384;
  device.subgroup_size = 4;
  device.max_push_constant_bytes = 128;
  device.max_storage_buffers = 16;
  device.max_storage_range_bytes = uint64_t{1} << 27;
  device.max_allocation_bytes = device.memory_bytes = uint64_t{1} << 30;
  device.has_i8 = device.has_i16 = device.has_i64 = true;
  return device;
}

constexpr char kDot[] = R"(HloModule m
ENTRY e {
  a = f32[300,200] parameter(0)
  b = f32[200,500] parameter(1)
  ROOT d = f32[300,500] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})";
constexpr char kSoftmax[] = R"(HloModule m
max { x = f32[] parameter(0) y = f32[] parameter(1) ROOT m = f32[] maximum(x, y) }
add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT a = f32[] add(x, y) }
ENTRY e {
  a = f32[64,8000] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[64] reduce(a, low), dimensions={1}, to_apply=max
  mb = f32[64,8000] broadcast(m), dimensions={0}
  s = f32[64,8000] subtract(a, mb)
  x = f32[64,8000] exponential(s)
  t = f32[64] reduce(x, zero), dimensions={1}, to_apply=add
  tb = f32[64,8000] broadcast(t), dimensions={0}
  ROOT q = f32[64,8000] divide(x, tb)
})";
constexpr char kReduce[] = R"(HloModule m
add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT a = f32[] add(x, y) }
ENTRY e {
  a = f32[1000000] parameter(0)
  zero = f32[] constant(0)
  ROOT m = f32[] reduce(a, zero), dimensions={0}, to_apply=add
})";
constexpr char kTranspose[] = R"(HloModule m
ENTRY e {
  a = f32[700,900] parameter(0)
  ROOT t = f32[900,700] transpose(a), dimensions={1,0}
})";
constexpr char kConvolution[] = R"(HloModule m
ENTRY e {
  a = f32[1,56,56,64] parameter(0)
  w = f32[3,3,64,64] parameter(1)
  ROOT c = f32[1,56,56,64] convolution(a, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
})";

TEST(DeviceLimits, DefaultsFitTheSmallestDevice) {
  const DeviceInfo device = SmallestVulkan();
  for (const char* hlo : {kDot, kSoftmax, kReduce, kTranspose, kConvolution}) {
    const auto reply = CompileHlo(hlo, device);
    ASSERT_TRUE(reply.ok()) << reply.status();
    runtime::KernelObjectView object;
    ASSERT_TRUE(
        runtime::ParseKernelObject(
            {reinterpret_cast<const uint8_t*>(reply->object.data()), reply->object.size()}, &object)
            .ok());
    for (uint32_t i = 0; i < object.num_launches; ++i) {
      const runtime::Launch launch = object.launch(i);
      EXPECT_LE(launch.block[0] * launch.block[1] * launch.block[2], 128u) << reply->schedule;
      EXPECT_LE(launch.shared_bytes, 16384u) << reply->schedule;
      for (uint32_t extent : launch.grid) EXPECT_LE(extent, 65535u) << reply->schedule;
    }
  }
}

// On Vulkan devices without 64-bit integers, indices are divided by constants without them.
TEST(DeviceLimits, IndicesNeedNo64BitIntegers) {
  DeviceInfo device = SmallestVulkan();
  device.has_i64 = false;
  constexpr char kTranspose3d[] = R"(HloModule m
ENTRY e {
  a = f32[8,16,33] parameter(0)
  ROOT t = f32[33,16,8] transpose(a), dimensions={2,1,0}
})";
  constexpr char kReshapedSum[] = R"(HloModule m
ENTRY e {
  a = f32[7,11,13] parameter(0)
  t = f32[13,7,11] transpose(a), dimensions={2,0,1}
  r = f32[77,13] reshape(t)
  b = f32[77,13] parameter(1)
  ROOT s = f32[77,13] add(r, b)
})";
  for (const char* hlo :
       {kTranspose3d, kReshapedSum, kDot, kSoftmax, kReduce, kTranspose, kConvolution}) {
    const auto reply = CompileHlo(hlo, device, "", {}, /*dump=*/true);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->dump.assembly, HasSubstr("OpCapability Shader"));
    EXPECT_THAT(reply->dump.assembly, ::testing::Not(HasSubstr("Int64")));
  }
  // Cosines of large numbers multiply by more digits of pi than a number of 32 bits holds.
  device.has_f64 = true;
  const auto reply = CompileHlo(R"(HloModule m
ENTRY e {
  a = f64[100] parameter(0)
  ROOT c = f64[100] cosine(a)
})",
                                device);
  EXPECT_THAT(std::string(reply.status().message()),
              HasSubstr("the smallest device does not have 64-bit integers, which this kernel"));
}

TEST(DeviceLimits, DividedIndicesAreRight) {
  EXPECT_EQ(CheckKernel(R"(HloModule m
ENTRY e {
  a = f32[7,11,13] parameter(0)
  t = f32[13,7,11] transpose(a), dimensions={2,0,1}
  r = f32[77,13] reshape(t)
  b = f32[77,13] parameter(1)
  ROOT s = f32[77,13] add(r, b)
})",
                        "vulkan", 0),
            "");
}

TEST(DeviceLimits, ALineThatDoesNotFitIsAnErrorThatNamesTheLimit) {
  DeviceInfo device = InfoNamed("vulkan");
  const auto fits = CompileHlo(kDot, device, "contraction group_n=32 group_m=16");
  ASSERT_TRUE(fits.ok()) << fits.status();
  device.max_threads_per_group = 256;  // what the choices of knobs do not consider
  const auto reply = CompileHlo(kDot, device, "contraction group_n=32 group_m=16");
  EXPECT_EQ(reply.status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(reply.status().message()), HasSubstr("threads of a workgroup"));
  EXPECT_THAT(std::string(reply.status().message()), HasSubstr("group_n=32"));
}

TEST(DeviceLimits, MissingTypesAreNamed) {
  const auto reply = CompileHlo(R"(HloModule m
ENTRY e {
  a = f64[100] parameter(0)
  ROOT b = f64[100] add(a, a)
})",
                                SmallestVulkan());
  EXPECT_THAT(std::string(reply.status().message()),
              HasSubstr("the smallest device does not have f64; convert"));
}

}  // namespace
}  // namespace halyard::testing
