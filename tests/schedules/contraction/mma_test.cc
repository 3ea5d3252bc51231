// Tests products by tensor cores: the template's fragments, with the intrinsics' CPU equivalents,
// against the evaluator; and the code for CUDA.

#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/gpu/ptx/ptxas.h"
#include "codegen/service/kernel_compiler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A dot of `batch` products (0: there is no such dimension). The factors' dimensions are (batch, m,
// k) and (batch, n, k), or with the last two exchanged.
struct Dot {
  std::string lhs = "f16", rhs = "f16", result = "f32";
  int64_t m = 16, n = 8, k = 16, batch = 0;
  bool k_first_lhs = false, k_first_rhs = false;
  std::string algorithm;
  bool epilogue = false;
};

std::string Type(const std::string& type, const std::vector<int64_t>& dims) {
  return absl::StrCat(type, "[", absl::StrJoin(dims, ","), "]");
}

std::string Hlo(const Dot& d) {
  std::vector<int64_t> lhs = {d.m, d.k}, rhs = {d.n, d.k}, out = {d.m, d.n};
  if (d.k_first_lhs) std::swap(lhs[0], lhs[1]);
  if (d.k_first_rhs) std::swap(rhs[0], rhs[1]);
  const int b = d.batch > 0 ? 1 : 0;
  if (b == 1)
    for (auto* dims : {&lhs, &rhs, &out}) dims->insert(dims->begin(), d.batch);
  std::string text = absl::StrCat(
      "HloModule m\n\nENTRY e {\n  a = ", Type(d.lhs, lhs),
      " parameter(0)\n  b = ", Type(d.rhs, rhs), " parameter(1)\n  ", d.epilogue ? "" : "ROOT ",
      "d = ", Type(d.result, out), " dot(a, b)",
      b == 1 ? ", lhs_batch_dims={0}, rhs_batch_dims={0}" : "", ", lhs_contracting_dims={",
      b + (d.k_first_lhs ? 0 : 1), "}, rhs_contracting_dims={", b + (d.k_first_rhs ? 0 : 1), "}",
      d.algorithm.empty() ? "" : ", algorithm=" + d.algorithm, "\n");
  if (d.epilogue) {
    // A bias along n, a residual, an activation.
    absl::StrAppend(
        &text, "  s = ", Type(d.result, {d.n}), " parameter(2)\n  sb = ", Type(d.result, out),
        " broadcast(s), dimensions={", b + 1, "}\n  r = ", Type(d.result, out),
        " parameter(3)\n  t = ", Type(d.result, out), " add(d, sb)\n  u = ", Type(d.result, out),
        " maximum(t, r)\n  ROOT v = ", Type(d.result, out), " add(u, r)\n");
  }
  return text + "}\n";
}

double ToleranceOf(const Dot& d) {
  if (d.result == "s32") return 0;
  if (d.algorithm == "dot_tf32_tf32_f32" || d.algorithm == "dot_f16_f16_f32") return 1e-2;
  if (d.algorithm == "dot_bf16_bf16_f32") return 1e-1;
  return d.result == "f32" ? 1e-5 * static_cast<double>(d.k) : 2e-2;
}

std::string CheckLanes(const Dot& d, const std::string& knobs = "") {
  return CheckKernel(Hlo(d), "x86", ToleranceOf(d), absl::StrCat("contraction_mma_lanes ", knobs));
}

TEST(MmaLanesTest, EveryTypeOfFactor) {
  bool rows_contiguous = false;
  for (const auto& [lhs, rhs, result] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"f16", "f16", "f32"},
           {"bf16", "bf16", "f32"},
           {"bf16", "bf16", "bf16"},
           {"f16", "f16", "f16"},
           {"s8", "s8", "s32"},
           {"u8", "u8", "u32"},
           {"s4", "s4", "s32"},
           {"f8e4m3fn", "f8e4m3fn", "f32"},
           {"s8", "s8", "s8"}}) {
    Dot d;
    d.lhs = lhs;
    d.rhs = rhs;
    d.result = result;
    d.m = 40;
    d.n = 24;
    d.k = 80;
    d.k_first_lhs = rows_contiguous = !rows_contiguous;
    d.k_first_rhs = !rows_contiguous;
    EXPECT_EQ(CheckLanes(d), "") << Hlo(d);
  }
}

// Factors that a conversion has widened are exact in their own type. So tensor cores compute
// products of f32 and s32, also of different types.
TEST(MmaLanesTest, WidenedFactors) {
  for (const auto& [lhs, rhs, wide] :
       std::vector<std::tuple<std::string, std::string, std::string>>{{"bf16", "bf16", "f32"},
                                                                      {"s8", "u8", "s32"},
                                                                      {"u8", "s8", "s32"},
                                                                      {"s8", "s4", "s32"}}) {
    const std::string hlo =
        absl::StrCat("HloModule m\n\nENTRY e {\n  p = ", lhs, "[40,50] parameter(0)\n  q = ", rhs,
                     "[50,24] parameter(1)\n  a = ", wide, "[40,50] convert(p)\n  b = ", wide,
                     "[50,24] convert(q)\n  ROOT d = ", wide,
                     "[40,24] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n");
    EXPECT_EQ(CheckKernel(hlo, "x86", 1e-3, "contraction_mma_lanes"), "") << hlo;
  }
}

TEST(MmaLanesTest, Algorithms) {
  for (const char* algorithm : {"dot_tf32_tf32_f32", "dot_bf16_bf16_f32"}) {
    for (bool k_first : {false, true}) {
      Dot d;
      d.lhs = d.rhs = "f32";
      d.m = 33;
      d.n = 20;
      d.k = 37;
      d.k_first_lhs = k_first;
      d.k_first_rhs = !k_first;
      d.algorithm = algorithm;
      EXPECT_EQ(CheckLanes(d), "") << Hlo(d);
    }
  }
  // Without an algorithm, products of f32 are not rounded.
  Dot d;
  d.lhs = d.rhs = "f32";
  EXPECT_THAT(CheckLanes(d), HasSubstr("does not fit"));
}

// Zeros fill up a product, so a sum of nothing but -0 is +0. Also tests factors that f16 or tf32
// cannot hold: the tuner's rules, which apply here, allow for what becomes of them.
TEST(MmaLanesTest, SpecialFactors) {
  Dot one;
  one.m = 512, one.n = 8, one.k = 1;
  EXPECT_EQ(CheckLanes(one), "");
  for (const char* algorithm : {"dot_tf32_tf32_f32", "dot_bf16_bf16_f32", "dot_f16_f16_f32"}) {
    Dot rounded;
    rounded.lhs = rounded.rhs = "f32";
    rounded.m = 64, rounded.n = 64, rounded.k = 8;
    rounded.algorithm = algorithm;
    EXPECT_EQ(CheckLanes(rounded), "") << algorithm;
  }
}

TEST(MmaLanesTest, RandomSizesAndTiles) {
  std::mt19937 random(3);
  auto pick = [&](std::vector<int64_t> values) { return values[random() % values.size()]; };
  for (int i = 0; i < 16; ++i) {
    Dot d;
    const std::vector<std::pair<std::string, std::string>> types = {
        {"f16", "f32"}, {"bf16", "bf16"}, {"s8", "s32"}};
    std::tie(d.lhs, d.result) = types[random() % types.size()];
    d.rhs = d.lhs;
    d.m = pick({1, 8, 17, 32, 48, 63, 64});
    d.n = pick({1, 7, 8, 24, 30, 64});
    d.k = pick({1, 2, 8, 15, 32, 36, 64, 100});
    d.batch = pick({0, 0, 3});
    d.k_first_lhs = random() % 2 == 1;
    d.k_first_rhs = random() % 2 == 1;
    d.epilogue = random() % 2 == 1 && d.result != "s32";
    const std::string knobs =
        absl::StrCat("mt=", pick({1, 2, 4}), " nt=", pick({1, 2, 4, 8}), " wm=", pick({1, 2}),
                     " wn=", pick({1, 2}), " words=", pick({2, 4}), " raster=", pick({1, 2, 4}));
    EXPECT_EQ(CheckLanes(d, knobs), "") << knobs << "\n" << Hlo(d);
  }
}

std::string Convolution(const std::string& type, const std::string& input,
                        const std::string& kernel, const std::string& labels,
                        const std::string& output, const std::string& window) {
  return absl::StrCat("HloModule m\n\nENTRY e {\n  a = ", type, "[", input,
                      "] parameter(0)\n  b = ", type, "[", kernel,
                      "] parameter(1)\n  ROOT c = ", type == "s8" ? "s32" : type, "[", output,
                      "] convolution(a, b), window={", window, "}, dim_labels=", labels, "\n}\n");
}

TEST(MmaLanesTest, Convolutions) {
  for (const char* type : {"bf16", "f16", "s8"}) {
    for (const auto& hlo : {
             Convolution(type, "2,9,10,16", "3,3,16,24", "b01f_01io->b01f", "2,9,10,24",
                         "size=3x3 pad=1_1x1_1"),
             Convolution(type, "2,12,9,8", "10,12,3,2", "bf01_oi01->bf01", "2,10,4,9",
                         "size=3x2 stride=2x1 pad=1_0x1_1"),
             Convolution(type, "1,11,11,3", "5,5,3,8", "b01f_01io->b01f", "1,5,5,8",
                         "size=5x5 stride=2x2 pad=1_1x1_1"),
             Convolution(type, "2,7,8,4", "3,3,4,9", "b01f_01io->b01f", "2,3,4,9",
                         "size=3x3 rhs_dilate=2x2"),
         }) {
      if (std::string(type) == "f16" && hlo.find("12,9,8") == std::string::npos) continue;
      EXPECT_EQ(CheckKernel(hlo, "x86", 2e-2, "contraction_mma_lanes mt=2 nt=2"), "") << hlo;
    }
  }
}

// Returns a device of this `capability`.
runtime::DeviceInfo Cuda(int capability) {
  runtime::DeviceInfo info;
  info.kind = runtime::DeviceKind::kCuda;
  info.cuda_capability = capability;
  info.compute_units = 108;
  info.max_threads_per_group = 1024;
  info.max_group[0] = info.max_group[1] = 1024;
  info.max_group[2] = 64;
  info.max_grid[0] = INT32_MAX;
  info.max_grid[1] = info.max_grid[2] = 65535;
  info.max_shared_bytes = 49152;
  info.subgroup_size = 32;
  info.has_f64 = info.has_f16 = info.has_i64 = info.has_i16 = info.has_i8 = true;
  info.max_thread_registers = 255;
  info.max_group_registers = 65536;
  return info;
}

struct Code {
  std::string schedule, ptx;
};

Code CompileForCuda(const std::string& hlo, int capability, const std::string& schedule = "") {
  static auto* compiler =
      lowering::KernelCompiler::Create({absl::StrCat(HALYARD_BIN_DIR, "/halyard-codegen"), 2, 60})
          .release();
  lowering::KernelRequest request;
  request.hlo = hlo;
  request.device = Cuda(capability);
  request.schedule = schedule;
  request.dump = true;
  const auto reply = compiler->Compile({request})[0];
  EXPECT_TRUE(reply.ok()) << reply.status() << "\n" << hlo;
  if (!reply.ok()) return {};
  return {reply->schedule, reply->dump.assembly};
}

void ExpectAssembles(const Code& code, int capability) {
  const auto assembled = lowering::gpu::RunPtxas(HALYARD_PTXAS, code.ptx, capability);
  ASSERT_TRUE(assembled.ok()) << assembled.status();
  for (const auto& kernel : assembled->kernels) {
    EXPECT_EQ(kernel.spill_load_bytes + kernel.spill_store_bytes, 0)
        << code.schedule << " on sm_" << capability << ": " << kernel.registers << " registers";
  }
}

// Checks the code for sm_80, which all newer devices take, too. With `newer`, also checks the code
// that newer devices get.
void ExpectMma(const std::string& hlo, const std::string& instruction, bool newer = false) {
  for (int capability : {80, 90}) {
    if (capability == 90 && !newer) continue;
    const Code code = CompileForCuda(hlo, capability);
    EXPECT_THAT(code.schedule,
                AnyOf(HasSubstr("contraction_mma "), HasSubstr("contraction_staged ")))
        << hlo;
    EXPECT_THAT(code.ptx, HasSubstr("mma.sync.aligned." + instruction)) << hlo;
    EXPECT_THAT(code.ptx, Not(HasSubstr("halyard_intrinsic"))) << hlo;
    for (int device : {80, 90, 100}) {
      if (device >= capability) ExpectAssembles(code, device);
    }
  }
}

const char* InstructionOf(const std::string& type) {
  if (type == "f16") return "m16n8k16.row.col.f32.f16.f16.f32";
  if (type == "bf16") return "m16n8k16.row.col.f32.bf16.bf16.f32";
  return type == "f32" ? "m16n8k8.row.col.f32.tf32.tf32.f32" : "m16n8k32.row.col.s32.s8.s8.s32";
}

TEST(MmaCudaTest, LargeProducts) {
  for (const char* type : {"f16", "bf16", "f32", "s8"}) {
    for (int layout = 0; layout < 4; ++layout) {
      if (std::string(type) != "f16" && layout % 2 == (std::string(type) == "bf16" ? 0 : 1))
        continue;
      Dot d;
      d.lhs = d.rhs = type;
      d.result = std::string(type) == "s8" ? "s32" : std::string(type) == "bf16" ? "bf16" : "f32";
      d.m = d.n = d.k = 2048;
      d.k_first_lhs = layout % 2 == 1;
      d.k_first_rhs = layout / 2 == 1;
      if (d.lhs == "f32") d.algorithm = "dot_tf32_tf32_f32";
      d.epilogue = layout == 2;
      ExpectMma(Hlo(d), InstructionOf(type), layout == 1 || layout == 2);
    }
  }
}

TEST(MmaCudaTest, RaggedProducts) {
  for (const char* type : {"bf16", "s8"}) {
    Dot d;
    d.lhs = d.rhs = type;
    d.result = std::string(type) == "s8" ? "s32" : "f32";
    d.m = 1001;
    d.n = 1003;
    d.k = 777;
    ExpectMma(Hlo(d), InstructionOf(type));
  }
}

TEST(MmaCudaTest, Convolutions) {
  for (const char* type : {"f16", "bf16", "s8"}) {
    ExpectMma(Convolution(type, "8,56,56,64", "3,3,64,64", "b01f_01io->b01f", "8,56,56,64",
                          "size=3x3 pad=1_1x1_1"),
              InstructionOf(type));
  }
  ExpectMma(Convolution("bf16", "8,64,28,28", "64,64,3,3", "bf01_oi01->bf01", "8,64,28,28",
                        "size=3x3 pad=1_1x1_1"),
            InstructionOf("bf16"));
  ExpectMma(Convolution("bf16", "8,224,224,3", "7,7,3,64", "b01f_01io->b01f", "8,112,112,64",
                        "size=7x7 stride=2x2 pad=3_3x3_3"),
            InstructionOf("bf16"));
}

TEST(MmaCudaTest, OlderDevices) {
  Dot d;
  d.m = d.n = d.k = 512;
  const Code code = CompileForCuda(Hlo(d), 75);
  EXPECT_THAT(code.ptx, HasSubstr("m16n8k8.row.col.f32.f16.f16.f32"));
  ExpectAssembles(code, 75);
  d.lhs = d.rhs = "bf16";
  EXPECT_THAT(CompileForCuda(Hlo(d), 75).ptx, Not(HasSubstr("mma.sync")));
  // Strict products of f32 use multiply-adds.
  d.lhs = d.rhs = "f32";
  EXPECT_THAT(CompileForCuda(Hlo(d), 80).ptx, Not(HasSubstr("mma.sync")));
}

// This is not by tensor cores: ptxas does not do there what would allow more groups on a unit.
TEST(Assembling, SparesSpillsThatMoreGroupsOnAUnitWouldCost) {
  const Code code = CompileForCuda(
      R"(HloModule m

ENTRY e {
  a = s8[1024,1024] parameter(0)
  b = s8[1024,1024] parameter(1)
  ROOT d = s32[1024,1024] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})",
      75, "contraction tile_n=4 tile_m=8 group_n=32 group_m=8 step_k=8 parts=1 unroll_k=1");
  ExpectAssembles(code, 75);
}

}  // namespace
}  // namespace halyard::testing
