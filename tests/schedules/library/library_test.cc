// Tests kernels that are calls of a library: which kernels these are, and their results against the
// evaluator (with the fake driver and the fake cuBLASLt, which multiplies).
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "frontend/hlo_text/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/kernel_object.h"
#include "tests/fakes/fake_cublaslt.h"
#include "tests/fakes/fake_cudnn.h"
#include "tests/schedules/kernel_harness.h"
#include "tests/schedules/on_fake_cuda.h"

namespace halyard::testing {
namespace {

using runtime::DeviceInfo;
using runtime::DeviceKind;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Returns the device that the fake driver describes.
DeviceInfo Hopper(uint32_t libraries = runtime::kCublasLt) {
  DeviceInfo device;
  device.kind = DeviceKind::kCuda;
  snprintf(device.name, sizeof(device.name), "a fake GPU");
  device.cuda_capability = 90;
  device.compute_units = 132;
  device.max_threads_per_group = device.max_group[0] = device.max_group[1] = 1024;
  device.max_group[2] = 64;
  device.max_grid[0] = 0x7fffffff;
  device.max_grid[1] = device.max_grid[2] = 65535;
  device.max_shared_bytes = 227 << 10;
  device.subgroup_size = 32;
  device.memory_bytes = device.max_allocation_bytes = uint64_t{80} << 30;
  device.has_f64 = device.has_f16 = device.has_i64 = device.has_i16 = device.has_i8 = true;
  device.libraries = libraries;
  return device;
}

// Returns a dot of the size from which the library is the default.
std::string Dot(const std::string& in, const std::string& out, const std::string& attributes = "",
                int64_t size = 256) {
  return absl::StrReplaceAll(R"(HloModule m
ENTRY e {
  a = IN[N,N] parameter(0)
  b = IN[N,N] parameter(1)
  ROOT d = OUT[N,N] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={1}MORE
})",
                             {{"IN", in},
                              {"OUT", out},
                              {"MORE", attributes},
                              {"[N,N]", absl::StrCat("[", size, ",", size, "]")}});
}

// Returns the schedule line that a kernel gets.
std::string LineOf(const std::string& hlo, const DeviceInfo& device,
                   const std::string& schedule = "") {
  const auto reply = CompileHlo(hlo, device, schedule);
  return reply.ok() ? reply->schedule : std::string(reply.status().message());
}

TEST(Library, IsTheDefaultForLargeProductsOfNarrowTypes) {
  for (const auto& [in, out] :
       {std::pair("bf16", "bf16"), std::pair("bf16", "f32"), std::pair("f16", "f16"),
        std::pair("s8", "s32"), std::pair("f8e4m3fn", "f32"), std::pair("f8e4m3fn", "bf16")}) {
    EXPECT_EQ(LineOf(Dot(in, out), Hopper()), "library algorithm=0") << in << " " << out;
  }
}

// On devices whose library was measured to be faster.
TEST(Library, IsTheDefaultForLargeProductsOfF32) {
  const std::string large = Dot("f32", "f32", "", 1024);
  DeviceInfo ada = Hopper();
  ada.cuda_capability = 89;
  EXPECT_EQ(LineOf(large, Hopper()), "library algorithm=0");
  EXPECT_EQ(LineOf(Dot("f32", "f32", ", algorithm=dot_tf32_tf32_f32", 1024), Hopper()),
            "library algorithm=0");
  EXPECT_THAT(LineOf(large, ada), Not(StartsWith("library")));
}

TEST(Library, IsNotTheDefaultOtherwise) {
  EXPECT_THAT(LineOf(Dot("bf16", "f32", "", 128), Hopper()), Not(StartsWith("library")));
  EXPECT_THAT(LineOf(Dot("bf16", "f32"), Hopper(0)), Not(StartsWith("library")));
  EXPECT_THAT(LineOf(Dot("f32", "f32"), Hopper()), Not(StartsWith("library")));
  EXPECT_THAT(LineOf(Dot("f8e4m3fn", "f32", ", operand_precision={highest,highest}"), Hopper()),
              Not(StartsWith("library")));
}

TEST(Library, MayBeNamed) {
  EXPECT_EQ(LineOf(Dot("f32", "f32"), Hopper(), "library algorithm=3"), "library algorithm=3");
  EXPECT_EQ(LineOf(Dot("f64", "f64"), Hopper(), "library"), "library algorithm=0");
  EXPECT_THAT(LineOf(Dot("f32", "f32"), Hopper(), "library algorithm=99"),
              HasSubstr("not possible"));
  EXPECT_THAT(LineOf(Dot("f32", "f32"), Hopper(0), "library"), HasSubstr("does not fit"));
  DeviceInfo vulkan = InfoNamed("vulkan");
  vulkan.libraries = runtime::kCublasLt;
  EXPECT_THAT(LineOf(Dot("f32", "f32"), vulkan, "library"), HasSubstr("does not fit"));
}

// Returns the library's entry for the kernel, or "" if the library does not compute it.
std::string EntryOf(const std::string& hlo, const DeviceInfo& device,
                    uint32_t library = runtime::kCublasLt) {
  const auto reply = CompileHlo(hlo, device, "library");
  runtime::KernelObjectView object;
  if (!reply.ok() ||
      !runtime::ParseKernelObject(
           {reinterpret_cast<const uint8_t*>(reply->object.data()), reply->object.size()}, &object)
           .ok()) {
    return "";
  }
  const runtime::Launch launch = object.launch(0);
  EXPECT_EQ(launch.library, library);
  EXPECT_EQ(object.num_modules, 0u);
  return launch.entry.data;
}

TEST(Library, TensorFloatsOnlyWhereTheProgramAsksForThem) {
  EXPECT_THAT(EntryOf(Dot("f32", "f32"), Hopper()), HasSubstr("compute=68 "));
  EXPECT_THAT(EntryOf(Dot("f32", "f32", ", algorithm=dot_f32_f32_f32"), Hopper()),
              HasSubstr("compute=68 "));
  EXPECT_THAT(EntryOf(Dot("f32", "f32", ", algorithm=dot_tf32_tf32_f32"), Hopper()),
              HasSubstr("compute=77 "));
  EXPECT_EQ(EntryOf(Dot("f32", "f32", ", algorithm=dot_bf16_bf16_f32"), Hopper()), "");
  EXPECT_THAT(EntryOf(Dot("f8e4m3fn", "f32", ", algorithm=dot_any_f8_any_f8_f32"), Hopper()),
              HasSubstr("fast=0 "));
  EXPECT_THAT(
      EntryOf(Dot("f8e4m3fn", "f32", ", algorithm=dot_any_f8_any_f8_f32_fast_accum"), Hopper()),
      HasSubstr("fast=1 "));
}

// A byte of zero is 2^-127 in f8E8M0FNU, which a rectifier does not compare with.
TEST(Library, ARectifierComparesWithZero) {
  const auto kernel = [](const char* type, const char* value) {
    return absl::Substitute(R"(HloModule m
ENTRY e {
  a = f32[8,16] parameter(0)
  b = f32[16,24] parameter(1)
  d = f32[8,24] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = $0[] constant($1)
  c = f32[] convert(z)
  zb = f32[8,24] broadcast(c), dimensions={}
  ROOT r = f32[8,24] maximum(d, zb)
})",
                            type, value);
  };
  EXPECT_NE(EntryOf(kernel("f8e5m2", "0"), Hopper()), "");
  EXPECT_EQ(EntryOf(kernel("f8e8m0fnu", "5.8774717541114375e-39"), Hopper()), "");
}

TEST(Library, WhatItWouldRoundOtherwiseIsNotTaken) {
  DeviceInfo turing = Hopper();
  turing.cuda_capability = 75;
  EXPECT_EQ(EntryOf(Dot("bf16", "f32"), turing), "");
  EXPECT_EQ(EntryOf(Dot("f8e5m2", "f32"), Hopper()), "");       // two such factors
  EXPECT_EQ(EntryOf(Dot("s8", "s32", "", 264), Hopper()), "");  // not in pieces of 16
  // A bias that is added after the product was rounded.
  EXPECT_EQ(EntryOf(R"(HloModule m
ENTRY e {
  a = bf16[32,48] parameter(0)
  b = bf16[48,64] parameter(1)
  c = bf16[64] parameter(2)
  d = bf16[32,64] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  cb = bf16[32,64] broadcast(c), dimensions={1}
  ROOT s = bf16[32,64] add(d, cb)
})",
                    Hopper()),
            "");
  // Another function of the product.
  EXPECT_EQ(EntryOf(R"(HloModule m
ENTRY e {
  a = bf16[32,48] parameter(0)
  b = bf16[48,64] parameter(1)
  d = f32[32,64] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT s = f32[32,64] exponential(d)
})",
                    Hopper()),
            "");
}

class LibraryRuns : public OnFakeCuda {
 protected:
  void SetUp() override {
    setenv("HALYARD_CUDA_LIBRARIES", HALYARD_FAKE_CUDA_LIBRARIES, 1);
    lt_ = FreshFake<FakeCublasLt>(HALYARD_FAKE_CUDA_LIBRARIES "/libcublasLt.so.12",
                                  "HalyardFakeCublasLt");
    dnn_ = FreshFake<FakeCudnn>(HALYARD_FAKE_CUDA_LIBRARIES "/libcudnn.so.9", "HalyardFakeCudnn");
    ASSERT_TRUE(lt_ != nullptr && dnn_ != nullptr);
    OnFakeCuda::SetUp();
  }
  void TearDown() override {
    OnFakeCuda::TearDown();
    EXPECT_THAT(lt_->violations, IsEmpty());
    EXPECT_EQ(lt_->live, 0);
    EXPECT_THAT(dnn_->violations, IsEmpty());
    EXPECT_EQ(dnn_->live, 0);
  }

  void Check(const std::string& hlo, double tolerance, const std::string& line = "library") {
    SCOPED_TRACE(hlo);
    const auto reply = CompileHlo(hlo, device_->info(), line);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, tolerance), "");
  }

  FakeCublasLt* lt_ = nullptr;
  FakeCudnn* dnn_ = nullptr;
};

TEST_F(LibraryRuns, ProductsOfAllLayoutsAndTypes) {
  for (const char* type : {"f32", "bf16", "f16"}) {
    for (const int left : {0, 1}) {
      for (const int right : {0, 1}) {
        Check(absl::StrReplaceAll(
                  R"(HloModule m
ENTRY e {
  a = TYPE[LEFT] parameter(0)
  b = TYPE[RIGHT] parameter(1)
  ROOT d = f32[3,7,5] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={LC}, rhs_contracting_dims={RC}
})",
                  {{"TYPE", type},
                   {"LEFT", left == 1 ? "3,7,9" : "3,9,7"},
                   {"RIGHT", right == 1 ? "3,5,9" : "3,9,5"},
                   {"LC", left == 1 ? "2" : "1"},
                   {"RC", right == 1 ? "2" : "1"}}),
              1e-5);
      }
    }
  }
  Check(Dot("s8", "s32", "", 16), 0);
  Check(Dot("f8e4m3fn", "f32", "", 16), 1e-6);
  Check(Dot("f64", "f64", "", 9), 1e-12);
  EXPECT_EQ(lt_->matmuls, 15);
}

TEST_F(LibraryRuns, EpiloguesWithOneRounding) {
  Check(R"(HloModule m
ENTRY e {
  c = bf16[24] parameter(0)
  a = bf16[8,16] parameter(1)
  b = bf16[16,24] parameter(2)
  d = f32[8,24] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  cf = f32[24] convert(c)
  cb = f32[8,24] broadcast(cf), dimensions={1}
  s = f32[8,24] add(cb, d)
  ROOT r = bf16[8,24] convert(s)
})",
        1e-6);
  Check(R"(HloModule m
ENTRY e {
  a = f32[8,16] parameter(0)
  b = f32[16,24] parameter(1)
  c = f32[24] parameter(2)
  d = f32[8,24] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  cb = f32[8,24] broadcast(c), dimensions={1}
  s = f32[8,24] add(d, cb)
  z = f32[] constant(0)
  zb = f32[8,24] broadcast(z), dimensions={}
  ROOT r = f32[8,24] maximum(s, zb)
})",
        1e-5);
}

std::string Convolution(const std::string& type, const std::string& window,
                        const std::string& labels, const std::string& x, const std::string& w,
                        const std::string& y, const std::string& more = "") {
  return absl::StrReplaceAll(R"(HloModule m
ENTRY e {
  x = TYPE[X] parameter(0)
  w = TYPE[W] parameter(1)
  ROOT c = TYPE[Y] convolution(x, w), window={WINDOW}, dim_labels=LABELSMORE
})",
                             {{"TYPE", type},
                              {"[X]", absl::StrCat("[", x, "]")},
                              {"[W]", absl::StrCat("[", w, "]")},
                              {"[Y]", absl::StrCat("[", y, "]")},
                              {"WINDOW", window},
                              {"LABELS", labels},
                              {"MORE", more}});
}

TEST_F(LibraryRuns, Convolutions) {
  const std::string plain = Convolution("f32", "size=3x2 pad=1_1x0_0 stride=2x1", "b01f_o01i->b01f",
                                        "2,9,8,5", "7,3,2,5", "2,5,7,7");
  Check(plain, 1e-5);
  Check(plain, 1e-5, "library algorithm=1");
  for (const char* type : {"f16", "bf16", "f64"}) {
    Check(Convolution(type, "size=3x3 pad=2_2x2_2 rhs_dilate=2x2", "bf01_oi01->bf01", "2,4,8,9",
                      "6,2,3,3", "2,6,8,9", ", feature_group_count=2"),
          type == std::string("f64") ? 1e-12 : 2e-2);
  }
  Check(
      Convolution("f32", "size=2x2x3", "b012f_o012i->b012f", "2,4,5,6,3", "4,2,2,3,3", "2,3,4,4,4"),
      1e-5);
  EXPECT_EQ(dnn_->convolutions, 6);
  // Kernels that cuDNN does not take.
  const DeviceInfo& device = device_->info();
  for (const std::string& hlo :
       {Convolution("f32", "size=3x3 pad=0_1x1_1", "b01f_o01i->b01f", "2,9,8,5", "7,3,3,5",
                    "2,8,8,7"),
        Convolution("f32", "size=3x3 lhs_dilate=2x2", "b01f_o01i->b01f", "2,9,8,5", "7,3,3,5",
                    "2,15,13,7"),
        Convolution("f32", "size=3x3", "b01f_01io->b01f", "2,9,8,5", "3,3,5,7", "2,7,6,7")}) {
    EXPECT_THAT(LineOf(hlo, device, "library"), HasSubstr("does not fit"));
  }
  EXPECT_THAT(LineOf(plain, device), Not(StartsWith("library")));  // too small
  const std::string large = Convolution("f32", "size=3x3 pad=1_1x1_1", "b01f_o01i->b01f",
                                        "2,16,16,64", "128,3,3,64", "2,16,16,128");
  EXPECT_THAT(LineOf(large, device), StartsWith("library"));
  EXPECT_THAT(EntryOf(large, device, runtime::kCudnn), HasSubstr(" algorithm=1"));
  EXPECT_THAT(LineOf(absl::StrReplaceAll(large, {{"f32", "bf16"}}), device),
              Not(StartsWith("library")));
  EXPECT_THAT(LineOf(plain, device, "library algorithm=2"), HasSubstr("not possible"));
}

TEST_F(LibraryRuns, EachCallOfCudnnMayFail) {
  const std::string hlo =
      Convolution("f32", "size=3x2", "b01f_o01i->b01f", "2,9,8,5", "7,3,2,5", "2,7,7,7");
  Check(hlo, 1e-5, "library algorithm=0");
  const auto module = hlo_text::ParseModule(hlo, "kernel.hlo");
  const auto reply = CompileHlo(hlo, device_->info(), "library algorithm=0");
  ASSERT_TRUE(module.ok() && reply.ok());
  runtime::KernelObjectView view;
  ASSERT_TRUE(
      runtime::ParseKernelObject(
          {reinterpret_cast<const uint8_t*>(reply->object.data()), reply->object.size()}, &view)
          .ok());
  const auto load = [&](FakeCudnn state) {
    runtime::Kernel* kernel = nullptr;
    *dnn_ = state;
    dnn_->live = 1;  // the handle, which stays
    runtime::Status status = device_->LoadKernel(view, &kernel);
    if (status.ok()) device_->FreeKernel(kernel);
    EXPECT_EQ(dnn_->live, 1);
    return status;
  };
  FakeCudnn state;
  ASSERT_TRUE(load(state).ok());
  const std::vector<std::string> calls = dnn_->calls;
  ASSERT_GT(calls.size(), 10u);
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].find("Destroy") != std::string::npos) continue;
    SCOPED_TRACE(calls[i]);
    state.fail_index = static_cast<int>(i);
    const runtime::Status status = load(state);
    EXPECT_EQ(status.code(), runtime::Code::kFailedPrecondition);
    EXPECT_THAT(status.message(), HasSubstr("--no-libraries"));
  }
  state.fail_index = -1;
  state.workspace_bytes = size_t{1} << 40;
  EXPECT_THAT(load(state).message(), HasSubstr("bytes of workspace"));
  *dnn_ = FakeCudnn();
  dnn_->live = 1;
}

}  // namespace
}  // namespace halyard::testing
