#include "client/devices/device_file.h"

#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "client/devices/device_catalog.h"
#include "client/devices/device_file_texts.h"
#include "client/devices/target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/device_fields.h"

namespace halyard {
namespace {

using runtime::DeviceInfo;
using runtime::DeviceKind;
using ::testing::Contains;
using ::testing::HasSubstr;

std::vector<uint64_t> FieldsOf(const DeviceInfo& device) {
  std::vector<uint64_t> values;
  runtime::VisitDeviceFields(device, [&](const char*, auto value, bool) {
    values.push_back(static_cast<uint64_t>(value));
  });
  return values;
}

TEST(DeviceFiles, AllParse) {
  EXPECT_GE(kDeviceFiles.size(), 15u);
  for (const DeviceFileText& file : kDeviceFiles) {
    absl::StatusOr<DeviceInfo> device = ParseDeviceFile(file.text, file.name);
    EXPECT_TRUE(device.ok()) << device.status();
    if (!device.ok()) continue;
    EXPECT_THAT(DescribedDeviceNames(device->kind), Contains(file.name));
  }
}

// Every figure names a source, which the head of the file explains.
TEST(DeviceFiles, EveryFigureHasASource) {
  for (const DeviceFileText& file : kDeviceFiles) {
    std::set<std::string> sources;
    for (absl::string_view line : absl::StrSplit(file.text, '\n', absl::SkipEmpty())) {
      if (absl::StartsWith(line, "# [")) {
        sources.insert(std::string(line.substr(2, line.find(']') - 1)));
      } else if (!absl::StartsWith(line, "#") && !absl::StartsWith(line, "kind = ") &&
                 !absl::StartsWith(line, "name = ") && !absl::StartsWith(line, "cuda_capability")) {
        const size_t begin = line.find("# [");
        ASSERT_NE(begin, absl::string_view::npos) << file.name << ": " << line;
        EXPECT_EQ(sources.count(std::string(line.substr(begin + 2))), 1u)
            << file.name << ": " << line;
      }
    }
  }
}

TEST(DeviceFiles, WrittenAndReadIsTheSame) {
  for (const DeviceFileText& file : kDeviceFiles) {
    const DeviceInfo device = *ParseDeviceFile(file.text, file.name);
    absl::StatusOr<DeviceInfo> again = ParseDeviceFile(WriteDeviceFile(device), "again");
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(FieldsOf(device), FieldsOf(*again)) << file.name;
    EXPECT_STREQ(device.name, again->name);
  }
}

TEST(DeviceFiles, H200) {
  const DeviceInfo device = *DescribedDevice(DeviceKind::kCuda, "h200");
  EXPECT_EQ(device.cuda_capability, 90);
  EXPECT_EQ(device.max_shared_bytes, 227u << 10);
  EXPECT_EQ(device.unit_registers, 65536u);
  EXPECT_EQ(device.memory_bandwidth, 4800000000000u);
  EXPECT_FALSE(DescribedDevice(DeviceKind::kVulkan, "h200").has_value());
}

// Returns the error of the H200's file with `from` replaced by `to`.
std::string ErrorOf(absl::string_view from, absl::string_view to) {
  std::string text;
  for (const DeviceFileText& file : kDeviceFiles) {
    if (strcmp(file.name, "h200") == 0) text = file.text;
  }
  EXPECT_THAT(text, HasSubstr(std::string(from)));
  const absl::StatusOr<DeviceInfo> device =
      ParseDeviceFile(absl::StrReplaceAll(text, {{from, to}}), "f.device");
  return device.ok() ? "no error" : std::string(device.status().message());
}

TEST(DeviceFiles, ErrorsHavePlaces) {
  EXPECT_THAT(ErrorOf("subgroup_size = 32", "subgroup_sise = 32"),
              HasSubstr(":1: error: no field `subgroup_sise`"));
  EXPECT_THAT(ErrorOf("has_f64 = yes", "has_f64 = maybe"),
              HasSubstr(":11: error: `maybe` is not yes or no"));
  EXPECT_THAT(ErrorOf("227 KiB", "227 kB"), HasSubstr("error: unit `kB`; there are KiB, MiB"));
  EXPECT_THAT(ErrorOf("227 KiB", ""), HasSubstr("is not a whole number"));
  EXPECT_THAT(ErrorOf("227 KiB", "99 GiB"), HasSubstr("too large"));
  EXPECT_THAT(ErrorOf("227 KiB", "99999999999999 TiB"), HasSubstr("too large"));
  EXPECT_THAT(ErrorOf("227 KiB", "8 KiB"),
              HasSubstr("max_shared_bytes = 8192; kernels need 16384 at least"));
  EXPECT_THAT(ErrorOf("subgroup_size = 32", "subgroup_size = 33"), HasSubstr("power of two"));
  EXPECT_THAT(ErrorOf("kind = cuda", "kind = opencl"),
              HasSubstr("f.device:6:8: error: `opencl`; there are x86, cuda, vulkan"));
  EXPECT_THAT(ErrorOf("kind = cuda", ""), HasSubstr("no line `kind"));
  EXPECT_THAT(ErrorOf("has_i8 = yes", "has_i8 = yes\nhas_i8 = no"),
              HasSubstr("a second line for `has_i8`"));
  EXPECT_THAT(ErrorOf("max_grid_y = 65535", "max_grid_y 65535"), HasSubstr("field = value"));
  EXPECT_THAT(ErrorOf("has_i8 = yes", "libraries = cublaslt foo"),
              HasSubstr("`foo`; there are cublaslt, cudnn"));
  EXPECT_THAT(ErrorOf("subgroup_size = 32", ""), HasSubstr("no line for subgroup_size"));
}

// Elsewhere 0 means that there is no limit, so the files must not state 0. Other values that are
// too small are refused as well.
TEST(DeviceFiles, ValuesAreSensible) {
  EXPECT_THAT(ErrorOf("max_storage_buffers = 256", "max_storage_buffers = 0"),
              HasSubstr(":23: error: max_storage_buffers = 0; a device has some"));
  EXPECT_THAT(ErrorOf("max_storage_buffers = 256", "max_storage_buffers = 3"),
              HasSubstr(":23: error: max_storage_buffers = 3; kernels need 4 at least"));
  EXPECT_EQ(ErrorOf("max_storage_buffers = 256", "max_storage_buffers = 4"), "no error");
  for (const char* field : {"memory_bytes", "max_allocation_bytes", "max_storage_range_bytes"}) {
    EXPECT_THAT(ErrorOf(absl::StrCat(field, " = 141 G"), absl::StrCat(field, " = 0")),
                HasSubstr(absl::StrCat("error: ", field, " = 0")));
  }
  for (const char* capability : {"500", "50", "9"}) {
    EXPECT_THAT(ErrorOf("cuda_capability = 90", absl::StrCat("cuda_capability = ", capability)),
                HasSubstr(absl::StrCat("f.device:8:19: error: cuda_capability = ", capability)));
  }
  for (const char* type : {"f64", "f16", "i64", "i16", "i8"}) {
    const std::string field = absl::StrCat("has_", type);
    EXPECT_THAT(ErrorOf(absl::StrCat(field, " = yes"), absl::StrCat(field, " = no")),
                HasSubstr(absl::StrCat("error: ", field, " = no; all CUDA devices do")));
    EXPECT_EQ(ErrorOf(absl::StrCat(field, " = yes"), ""), "no error");
  }
  for (const char* line : {"keeps_denormals = no", "software = yes", "x86_features = avx",
                           "float_controls = to_even_f16", "l1_bytes = 1 KiB"}) {
    EXPECT_THAT(ErrorOf("has_i8 = yes", absl::StrCat("has_i8 = yes\n", line)), HasSubstr("error: "))
        << line;
  }
}

// A live CUDA device has no limits for storage buffers, so none are written. Counts are written
// without units of bytes.
TEST(DeviceFiles, WhatIsNotKnownIsNotWritten) {
  DeviceInfo device = *DescribedDevice(DeviceKind::kCuda, "h200");
  device.max_storage_buffers = 0;
  device.max_storage_range_bytes = 0;
  const std::string text = WriteDeviceFile(device);
  const absl::StatusOr<DeviceInfo> again = ParseDeviceFile(text, "again");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(FieldsOf(device), FieldsOf(*again));
  EXPECT_THAT(text, HasSubstr("max_threads_per_group = 1024\n"));
  EXPECT_THAT(text, HasSubstr("unit_registers = 65536\n"));
  EXPECT_THAT(text, HasSubstr("max_shared_bytes = 227 KiB\n"));
}

// --device numbers GPUs. If there is no such GPU, `auto` is x86.
TEST(Targets, AutoIsX86WhereThereIsNoSuchGpu) {
  const absl::StatusOr<Target> target = ParseTarget("auto", 99);
  ASSERT_TRUE(target.ok()) << target.status();
  EXPECT_EQ(target->device.kind, DeviceKind::kX86);
}

TEST(DeviceFiles, ATargetMayBeAFile) {
  const std::string path = ::testing::TempDir() + "/small.device";
  DeviceInfo device = *DescribedDevice(DeviceKind::kCuda, "t4");
  device.max_shared_bytes = 16384;
  std::ofstream(path) << WriteDeviceFile(device);
  absl::StatusOr<Target> target = ParseTarget("cuda:" + path);
  ASSERT_TRUE(target.ok()) << target.status();
  EXPECT_EQ(target->device.max_shared_bytes, 16384u);
  EXPECT_EQ(target->text, "cuda:" + path);
  target = ParseTarget("vulkan:" + path);
  EXPECT_THAT(std::string(target.status().message()),
              HasSubstr("does not describe a device of vulkan"));
  EXPECT_EQ(std::string(ParseTarget("cuda:" + ::testing::TempDir()).status().message()),
            ::testing::TempDir() + ": Is a directory");
  EXPECT_EQ(ParseTarget("cuda:./no/such.device").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ParseTarget("cuda:nosuchname").status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace halyard
