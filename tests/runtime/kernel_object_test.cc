#include "runtime/kernel_object.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>

#include "runtime/hash.h"
#include "runtime/program/program_spec.h"
#include "runtime/status.h"
#include "tests/runtime/kernel_argument.h"

namespace halyard::runtime {
namespace {

ByteSpan Span(const std::string& bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

KernelObjectSpec GpuSpec() {
  KernelObjectSpec spec;
  spec.kind = DeviceKind::kCuda;
  spec.name = "hyk_0123456789abcdef";
  spec.num_inputs = 2;
  spec.num_outputs = 1;
  spec.arguments = {testing::F32Argument(64, 32), testing::F32Argument(64, 32),
                    testing::F32Argument(32, 8)};
  spec.scratch_bytes = 4096;
  spec.counter_bytes = 256;
  spec.modules = {"// PTX text", std::string("\x03\x02\x23\x07 words", 10)};
  for (int i = 0; i < 3; ++i) {
    KernelObjectSpec::LaunchSpec launch;
    launch.module = i % 2;
    launch.entry = "_kernel_f_s0_" + std::to_string(i);
    launch.grid[0] = 4 + i;
    launch.block[0] = 32;
    launch.shared_bytes = 128 * i;
    launch.arguments = {{LaunchArgument::Kind::kBuffer, 2, 64, 512, 0},
                        {LaunchArgument::Kind::kScratch, 0, 256, 1024, 0},
                        {LaunchArgument::Kind::kScalar, 0, 0, 4, 0x3f800000u + i}};
    spec.launches.push_back(launch);
  }
  return spec;
}

TEST(KernelObject, RoundTripOfALaunchList) {
  const KernelObjectSpec spec = GpuSpec();
  const std::string bytes = WriteKernelObject(spec);
  EXPECT_EQ(bytes, WriteKernelObject(spec));
  KernelObjectView view;
  Status status = ParseKernelObject(Span(bytes), &view);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(view.kind, DeviceKind::kCuda);
  EXPECT_STREQ(view.name.data, spec.name.c_str());
  EXPECT_EQ(view.num_inputs, 2u);
  EXPECT_EQ(view.num_outputs, 1u);
  EXPECT_EQ(view.scratch_bytes, 4096u);
  EXPECT_EQ(view.counter_bytes, 256u);
  for (uint32_t i = 0; i < 3; ++i) {
    const KernelArgument a = view.argument(i);
    EXPECT_EQ(0, memcmp(a.extent, spec.arguments[i].extent, sizeof(a.extent)));
    EXPECT_EQ(0, memcmp(a.stride, spec.arguments[i].stride, sizeof(a.stride)));
    EXPECT_EQ(a.bytes, spec.arguments[i].bytes);
    EXPECT_EQ(a.rank, 2);
    EXPECT_EQ(a.type_code, 2);
    EXPECT_EQ(a.type_bits, 32);
    const Launch launch = view.launch(i);
    EXPECT_EQ(launch.module, i % 2);
    EXPECT_STREQ(launch.entry.data, spec.launches[i].entry.c_str());
    EXPECT_EQ(launch.grid[0], 4 + i);
    EXPECT_EQ(launch.grid[1], 1u);
    EXPECT_EQ(launch.block[0], 32u);
    EXPECT_EQ(launch.shared_bytes, 128 * i);
    ASSERT_EQ(launch.num_arguments, 3u);
    EXPECT_EQ(launch.arguments[0].index, 2u);
    EXPECT_EQ(launch.arguments[1].offset, 256u);
    EXPECT_EQ(launch.arguments[2].scalar_bits, 0x3f800000u + i);
  }
  ASSERT_EQ(view.num_modules, 2u);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(view.module(1).data), view.module(1).size),
            spec.modules[1]);
}

TEST(KernelObject, RoundTripOfX86Code) {
  KernelObjectSpec spec;
  spec.name = "hyk_x";
  spec.num_outputs = 1;
  spec.arguments = {testing::F32Argument(1, 1)};
  spec.x86_object = std::string(
      "\x7f"
      "ELF\0\0code",
      10);
  spec.scratch_bytes_per_task = 77;
  KernelObjectView view;
  const std::string bytes = WriteKernelObject(spec);
  ASSERT_TRUE(ParseKernelObject(Span(bytes), &view).ok());
  EXPECT_EQ(view.kind, DeviceKind::kX86);
  EXPECT_EQ(view.scratch_bytes_per_task, 77u);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(view.x86_object.data), view.x86_object.size),
            spec.x86_object);
}

TEST(KernelObject, EveryDamagedByteIsNoticed) {
  const std::string bytes = WriteKernelObject(GpuSpec());
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const char flip : {'\x01', '\x80'}) {
      std::string damaged = bytes;
      damaged[i] ^= flip;
      KernelObjectView view;
      Status status = ParseKernelObject(Span(damaged), &view);
      ASSERT_EQ(status.code(), Code::kDataLoss) << i;
      ASSERT_NE(std::string(status.message()).find("kernel object: "), std::string::npos);
    }
  }
}

// The runtime clears counters at the start of a kernel's scratch on CUDA devices, and nowhere else.
TEST(KernelObject, CountersLieInTheScratch) {
  KernelObjectView view;
  for (const uint32_t bytes : {4u, 255u, 4352u, 0xffffff00u}) {
    KernelObjectSpec spec = GpuSpec();
    spec.counter_bytes = bytes;
    const Status status = ParseKernelObject(Span(WriteKernelObject(spec)), &view);
    EXPECT_EQ(status.code(), Code::kDataLoss) << bytes;
    EXPECT_NE(std::string(status.message()).find("counters outside the scratch"),
              std::string::npos);
  }
  KernelObjectSpec spec = GpuSpec();
  spec.counter_bytes = 4096;
  EXPECT_TRUE(ParseKernelObject(Span(WriteKernelObject(spec)), &view).ok());
  spec.kind = DeviceKind::kVulkan;
  EXPECT_EQ(ParseKernelObject(Span(WriteKernelObject(spec)), &view).code(), Code::kDataLoss);
}

TEST(KernelObject, EveryTruncationIsNoticed) {
  const std::string bytes = WriteKernelObject(GpuSpec());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::string part = bytes.substr(0, size);  // own storage, so that ASan sees overreads
    KernelObjectView view;
    ASSERT_EQ(ParseKernelObject(Span(part), &view).code(), Code::kDataLoss) << size;
  }
}

// Tests manipulation rather than damage: the checksum is right, but the contents are wrong.
TEST(KernelObject, WrongContentsWithARightChecksum) {
  const std::string bytes = WriteKernelObject(GpuSpec());
  int rejected = 0, accepted = 0;
  for (size_t i = 24; i < bytes.size(); ++i) {
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string changed = bytes;
      changed[i] = value;
      const uint64_t checksum = Hash64(changed.data() + 24, changed.size() - 24);
      memcpy(&changed[16], &checksum, sizeof(checksum));
      KernelObjectView view;
      if (!ParseKernelObject(Span(changed), &view).ok()) {
        ++rejected;
        continue;
      }
      ++accepted;  // everything in it must then be readable
      for (uint32_t k = 0; k < view.num_inputs + view.num_outputs; ++k) view.argument(k);
      for (uint32_t k = 0; k < view.num_launches; ++k) {
        EXPECT_LT(view.launch(k).module, view.num_modules);
      }
      for (uint32_t k = 0; k < view.num_modules; ++k) {
        const ByteSpan module = view.module(k);
        if (module.size != 0) {
          volatile uint8_t last = module.data[module.size - 1];
          (void)last;
        }
      }
    }
  }
  EXPECT_GT(rejected, 500);
  EXPECT_GT(accepted, 100);
}

// With 16 dimensions, the last element is at byte 2^66 or later, which wraps to a small number in
// 64 bits.
TEST(KernelObject, ExtentsThatOverflow) {
  KernelObjectSpec spec = GpuSpec();
  KernelArgument& argument = spec.arguments[0];
  argument.rank = kMaxKernelRank;
  // Sixteen times 2^60 is 2^64.
  for (int d = 0; d < kMaxKernelRank; ++d) {
    argument.extent[d] = (1 << 30) + 1;
    argument.stride[d] = 1 << 30;
  }
  KernelObjectView view;
  const std::string bytes = WriteKernelObject(spec);
  const Status status = ParseKernelObject(Span(bytes), &view);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(strstr(status.message(), "an argument too large"), nullptr) << status.message();
}

TEST(Hash64, DependsOnEveryBitAndOnTheSize) {
  std::string data(100, '\0');
  const uint64_t zero = Hash64(data.data(), data.size());
  for (size_t size = 0; size < data.size(); ++size) EXPECT_NE(Hash64(data.data(), size), zero);
  for (size_t bit = 0; bit < 8 * data.size(); ++bit) {
    std::string flipped = data;
    flipped[bit / 8] ^= 1 << (bit % 8);
    EXPECT_NE(Hash64(flipped.data(), flipped.size()), zero) << bit;
  }
}

TEST(Status, CarriesItsMessage) {
  Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_STREQ(status.message(), "");
  status = MakeStatus(Code::kNotFound, "%s of %d bytes", "block", 12);
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_STREQ(status.message(), "block of 12 bytes");
  Status moved = std::move(status);
  EXPECT_TRUE(status.ok());  // NOLINT: moved-from is OK by contract
  Status adopted = Status::Adopt(moved.Release());
  EXPECT_TRUE(moved.ok());  // NOLINT
  EXPECT_STREQ(adopted.message(), "block of 12 bytes");
}

}  // namespace
}  // namespace halyard::runtime
