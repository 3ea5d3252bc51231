// Tests the expressions that compilers like to rewrite, special values, complex functions, and the
// PTX of all of these.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "codegen/gpu/ptx/ptx_mma.h"
#include "codegen/gpu/ptx/ptx_passes.h"
#include "frontend/hlo/ir/op_table.h"
#include "tests/lowering/numerics/harness.h"
#include "tests/lowering/numerics/known_values.h"
#include "tests/lowering/numerics/vulkan_hook.h"
#include "tests/sample.h"
#include "tests/worst_error.h"

namespace halyard::lowering::testing {
namespace {

Value F32(float x) { return {ElementType::kF32, Halide::Expr(x), {}}; }

struct Golden {
  const char* name;
  Build build;
  std::vector<float> x, y, want;
};

// x and y are inputs, so that nothing is known about them when compiling.
std::vector<Golden> Goldens() {
  auto binary = [](Opcode opcode) -> Build {
    return [opcode](auto v) { return Apply(opcode, {v[0], v[1]}); };
  };
  auto unary = [](Opcode opcode) -> Build {
    return [opcode](auto v) { return Apply(opcode, {v[0]}); };
  };
  auto with = [](Opcode opcode, float c) -> Build {
    return [=](auto v) { return Apply(opcode, {v[0], F32(c)}); };
  };
  auto after = [](float c, Opcode opcode) -> Build {
    return [=](auto v) { return Apply(opcode, {F32(c), v[0]}); };
  };
  auto same = [](Opcode opcode) -> Build {
    return [opcode](auto v) { return Apply(opcode, {v[0], v[0]}); };
  };
  const std::vector<float> specials = {kNan, kInf, -kInf, 0.0f, -0.0f, 1.5f, -1.5f};
  const std::vector<float> none(7, 0.0f);
  return {
      {"(x + 1e8) - 1e8",
       [](auto v) {
         return Apply(Opcode::kSubtract, {Apply(Opcode::kAdd, {v[0], F32(1e8f)}), F32(1e8f)});
       },
       {1.25f, 3.0f, 5.0f},
       {0, 0, 0},
       {0, 0, 8}},
      {"x y - x y",
       [](auto v) {
         Value product = Apply(Opcode::kMultiply, {v[0], v[1]});
         return Apply(Opcode::kSubtract, {product, product});
       },
       {1.1f, 3.3f},
       {1.1f, 0.7f},
       {0, 0}},
      {"select",
       [](auto v) {
         return Apply(Opcode::kSelect, {Apply(Opcode::kCompare, {v[0], v[1]}, "LE"), v[1], v[0]});
       },
       specials,
       none,
       {kNan, kInf, 0, 0, 0, 1.5f, 0}},
      {"x - y at inf", binary(Opcode::kSubtract), {kInf, -kInf}, {kInf, -kInf}, {kNan, kNan}},
      {"x - x", same(Opcode::kSubtract), specials, none, {kNan, kNan, kNan, 0, 0, 0, 0}},
      {"x + y at zeros",
       binary(Opcode::kAdd),
       {-0.0f, -0.0f, 0.0f},
       {0.0f, -0.0f, -0.0f},
       {0.0f, -0.0f, 0.0f}},
      {"x + 0", with(Opcode::kAdd, 0.0f), specials, none, {kNan, kInf, -kInf, 0, 0, 1.5f, -1.5f}},
      {"x - 0",
       with(Opcode::kSubtract, 0.0f),
       specials,
       none,
       {kNan, kInf, -kInf, 0, -0.0f, 1.5f, -1.5f}},
      {"0 - x",
       after(0.0f, Opcode::kSubtract),
       specials,
       none,
       {kNan, -kInf, kInf, 0, 0, -1.5f, 1.5f}},
      {"x * 0",
       with(Opcode::kMultiply, 0.0f),
       specials,
       none,
       {kNan, kNan, kNan, 0, -0.0f, 0, -0.0f}},
      {"x * 1", with(Opcode::kMultiply, 1.0f), specials, none, specials},
      {"0 / x",
       after(0.0f, Opcode::kDivide),
       specials,
       none,
       {kNan, 0, -0.0f, kNan, kNan, 0, -0.0f}},
      {"x / 0",
       with(Opcode::kDivide, 0.0f),
       specials,
       none,
       {kNan, kInf, -kInf, kNan, kNan, kInf, -kInf}},
      {"x / x", same(Opcode::kDivide), specials, none, {kNan, kNan, kNan, kNan, kNan, 1, 1}},
      {"x / 3.1",
       with(Opcode::kDivide, 3.1f),
       {1, 7, 1e10f, 0.3f},
       {0, 0, 0, 0},
       {1 / 3.1f, 7 / 3.1f, 1e10f / 3.1f, 0.3f / 3.1f}},
      {"x == x",
       [](auto v) {
         return ConvertTo(Apply(Opcode::kCompare, {v[0], v[0]}, "EQ"), ElementType::kF32);
       },
       specials,
       none,
       {0, 1, 1, 1, 1, 1, 1}},
      {"x != x",
       [](auto v) {
         return ConvertTo(Apply(Opcode::kCompare, {v[0], v[0]}, "NE"), ElementType::kF32);
       },
       specials,
       none,
       {1, 0, 0, 0, 0, 0, 0}},
      {"max(x, 0)", with(Opcode::kMaximum, 0.0f), specials, none, {kNan, kInf, 0, 0, 0, 1.5f, 0}},
      {"min(x, 0)",
       with(Opcode::kMinimum, 0.0f),
       specials,
       none,
       {kNan, 0, -kInf, 0, -0.0f, 0, -1.5f}},
      {"max(x, y)",
       binary(Opcode::kMaximum),
       {kNan, 0, -0.0f, 0, 2},
       {0, kNan, 0, -0.0f, 3},
       {kNan, kNan, 0, 0, 3}},
      {"min(x, y)",
       binary(Opcode::kMinimum),
       {kNan, 0, -0.0f, 0, 2},
       {0, kNan, 0, -0.0f, 3},
       {kNan, kNan, -0.0f, -0.0f, 2}},
      {"exp",
       unary(Opcode::kExp),
       {kInf, -kInf, kNan, 0, 89, -104, 1e30f},
       none,
       {kInf, 0, kNan, 1, kInf, 0, kInf}},
      {"expm1",
       unary(Opcode::kExpm1),
       {kInf, -kInf, kNan, -0.0f, 89, -104, 1e-30f},
       none,
       {kInf, -1, kNan, -0.0f, kInf, -1, 1e-30f}},
      {"log",
       unary(Opcode::kLog),
       {kInf, 0, -0.0f, kNan, -1, 1, -kInf},
       none,
       {kInf, -kInf, -kInf, kNan, kNan, 0, kNan}},
      {"log-plus-one",
       unary(Opcode::kLog1p),
       {kInf, -1, -0.0f, kNan, -2, 0},
       none,
       {kInf, -kInf, -0.0f, kNan, kNan, 0}},
      {"tanh", unary(Opcode::kTanh), {kInf, -kInf, kNan, -0.0f, 20}, none, {1, -1, kNan, -0.0f, 1}},
      {"logistic",
       unary(Opcode::kLogistic),
       {kInf, -kInf, kNan, 0, 100},
       none,
       {1, 0, kNan, 0.5f, 1}},
      {"sine", unary(Opcode::kSin), {kInf, kNan, 0, -0.0f}, none, {kNan, kNan, 0, -0.0f}},
      {"sqrt",
       unary(Opcode::kSqrt),
       {kInf, -0.0f, -1, kNan, 4},
       none,
       {kInf, -0.0f, kNan, kNan, 2}},
      {"rsqrt", unary(Opcode::kRsqrt), {kInf, 0, -0.0f, -1, 4}, none, {0, kInf, -kInf, kNan, 0.5f}},
      {"cbrt",
       unary(Opcode::kCbrt),
       {kInf, -kInf, -0.0f, -27, 8},
       none,
       {kInf, -kInf, -0.0f, -3, 2}},
      {"sign", unary(Opcode::kSign), specials, none, {kNan, 1, -1, 0, -0.0f, 1, -1}},
      {"ceil",
       unary(Opcode::kCeil),
       {-0.8166f, -0.253f, 0.253f, 2, -0.0f},
       none,
       {-0.0f, -0.0f, 1, 2, -0.0f}},
      {"floor", unary(Opcode::kFloor), {-0.8166f, -0.0f, 0.8f, 1e10f}, none, {-1, -0.0f, 0, 1e10f}},
      {"round-nearest-afz",
       unary(Opcode::kRoundNearestAfz),
       {-2.5f, 0.4f, 0.5f, 2.5f, -0.3f, 0.49999997f, 8388609},
       none,
       {-3, 0, 1, 3, -0.0f, 0, 8388609}},
      {"round-nearest-even",
       unary(Opcode::kRoundNearestEven),
       {-2.5f, 0.4f, 0.5f, 2.5f, -0.3f, 3.5f, kInf},
       none,
       {-2, 0, 0, 2, -0.0f, 4, kInf}},
      {"power",
       binary(Opcode::kPower),
       {-2, -0.0f, -36, 0, kNan, 1, -1, 2, -0.0f},
       {2, 2, 1.1f, -1, 0, kNan, kInf, -kInf, -3},
       {4, 0, kNan, kInf, 1, 1, 1, 0, -kInf}},
      {"atan2",
       binary(Opcode::kAtan2),
       {0, -0.0f, 0, 1, kInf, -0.0f},
       {1, 1, -1, 0, kInf, -0.0f},
       {0, -0.0f, 3.14159265f, 1.57079637f, 0.785398163f, -3.14159265f}},
      {"remainder",
       binary(Opcode::kRemainder),
       {17, -17, 17, -17, 5, kInf, 5, -0.0f},
       {3, 3, -3, -3, 0, 1, kInf, 3},
       {2, -2, 2, -2, kNan, kNan, 5, -0.0f}},
  };
}

bool SameFloat(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

// Returns how many values each is wrong about. All are given the operands of all of them, so that
// they can be one kernel.
std::vector<int> CountWrong(const std::vector<Golden>& goldens, const Device& device, bool report) {
  Planes in(2);
  std::vector<Build> builds;
  for (const Golden& golden : goldens) {
    for (size_t i = 0; i < golden.want.size(); ++i) {
      in[0].push_back(Bits32(golden.x[i]));
      in[1].push_back(Bits32(golden.y[i]));
    }
    builds.push_back(golden.build);
  }
  const std::vector<Planes> out =
      RunBuilds(builds, {ElementType::kF32, ElementType::kF32}, device, in);
  std::vector<int> wrong(goldens.size());
  size_t first = 0;
  for (size_t g = 0; g < goldens.size(); first += goldens[g++].want.size()) {
    const Golden& golden = goldens[g];
    for (size_t i = 0; i < golden.want.size(); ++i) {
      const float got = std::bit_cast<float>(static_cast<uint32_t>(out[g][0][first + i]));
      if (SameFloat(got, golden.want[i])) continue;
      ++wrong[g];
      if (report) {
        ADD_FAILURE() << golden.name << " on " << device.name << ": x = " << golden.x[i]
                      << ", y = " << golden.y[i] << " gives " << got << ", not " << golden.want[i];
      }
    }
  }
  return wrong;
}

TEST(NumericsGolden, RewrittenExpressions) {
  for (const Device& device : Devices()) CountWrong(Goldens(), device, true);
}

// Without the decoration, some must be wrong, or the hook (and Halyard's pass) would be useless.
TEST(NumericsGolden, VulkanNeedsNoContraction) {
  if (!Devices().back().gpu) GTEST_SKIP() << "no Vulkan device";
  const std::vector<Golden> goldens = Goldens();
  DecorateNoContraction(false);
  const std::vector<int> wrong = CountWrong(goldens, Devices().back(), false);
  DecorateNoContraction(true);
  int needing = 0;
  for (size_t g = 0; g < goldens.size(); ++g) {
    if (wrong[g] == 0) continue;
    ++needing;
    std::printf("needs NoContraction on Vulkan: %s\n", goldens[g].name);
  }
  EXPECT_GT(needing, 0);
}

// Returns the PTX of one kernel with all ops, whose operands have the same types. The object file
// contains its text as it is, but for device intrinsics.
std::string PtxOf(const std::vector<Op>& ops, int capability = 80) {
  using F = Halide::Target::Feature;
  Halide::Target target(
      Halide::Target::Linux, Halide::Target::X86, 64,
      {F::SSE41, F::CUDA, capability == 80 ? F::CUDACapability80 : F::CUDACapability75,
       F::NoRuntime, F::NoAsserts, F::NoBoundsQuery});
  std::vector<Build> builds;
  for (const Op& op : ops) builds.push_back(BuildOf(op));
  OpenKernel kernel = MakeKernel(builds, ops[0].operands, true, target);
  const std::string path =
      (std::filesystem::temp_directory_path() / "halyard_numerics_ptx.o").string();
  kernel.func.compile_to_object(
      path, std::vector<Halide::Argument>(kernel.inputs.begin(), kernel.inputs.end()), "kernel",
      target);
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::filesystem::remove(path);
  const size_t start = bytes.find(".version");
  if (start == std::string::npos) return "";
  const auto ptx =
      gpu::RewriteIntrinsics(bytes.substr(start, bytes.find('\0', start) - start), capability);
  EXPECT_TRUE(ptx.ok()) << ptx.status();
  return ptx.value_or("");
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// A sum is rounded by one instruction, and nothing asks for NaN. LLVM makes an addition of f16 of
// an exact sum that is rounded, which is the same.
TEST(NumericsGolden, NarrowFloatsAreRoundedByOneInstructionOfCuda) {
  const struct {
    ElementType type;
    int capability;
    const char* instruction;
  } cases[] = {{ElementType::kBF16, 80, "cvt.rn.bf16x2.f32"},
               {ElementType::kF16, 80, "add.f16"},
               {ElementType::kF16, 75, "add.f16"}};
  for (const auto& c : cases) {
    const std::string ptx = PtxOf({BinaryOp(Opcode::kAdd, c.type)}, c.capability);
    const std::string name(hlo::HloName(c.type));
    EXPECT_EQ(Count(ptx, c.instruction), 1u) << name << "\n" << ptx;
    EXPECT_EQ(Count(ptx, "setp."), 2u) << name << ": the end of the array alone\n" << ptx;
    EXPECT_EQ(Count(ptx, "selp."), 0u) << name << "\n" << ptx;
  }
  EXPECT_EQ(Count(PtxOf({BinaryOp(Opcode::kAdd, ElementType::kBF16)}, 75), "bf16x2"), 0u);
}

TEST(NumericsGolden, PtxIsStrictAndAssembles) {
  const Opcode unary[] = {Opcode::kExp,      Opcode::kExpm1,
                          Opcode::kLog,      Opcode::kLog1p,
                          Opcode::kLogistic, Opcode::kTanh,
                          Opcode::kSqrt,     Opcode::kRsqrt,
                          Opcode::kCbrt,     Opcode::kSin,
                          Opcode::kTan,      Opcode::kErf,
                          Opcode::kFloor,    Opcode::kRoundNearestEven};
  const Opcode binary[] = {Opcode::kAdd,   Opcode::kMultiply, Opcode::kDivide, Opcode::kRemainder,
                           Opcode::kPower, Opcode::kAtan2,    Opcode::kMaximum};
  std::vector<Op> ops;
  for (ElementType type : {ElementType::kF32, ElementType::kF64}) {
    for (Opcode opcode : unary) ops.push_back(UnaryOp(opcode, type));
    for (Opcode opcode : binary) ops.push_back(BinaryOp(opcode, type));
  }
  ops.push_back(UnaryOp(Opcode::kTanh, ElementType::kBF16));
  ops.push_back(BinaryOp(Opcode::kMultiply, ElementType::kF16));
  ops.push_back(BinaryOp(Opcode::kAdd, ElementType::kF16));
  ops.push_back(BinaryOp(Opcode::kAdd, ElementType::kF8E4M3FN));
  for (ElementType type : {ElementType::kS8, ElementType::kS32, ElementType::kU64}) {
    for (Opcode opcode : {Opcode::kDivide, Opcode::kPower, Opcode::kShiftRightArithmetic})
      ops.push_back(BinaryOp(opcode, type));
    ops.push_back(UnaryOp(Opcode::kClz, type));
  }
  ops.push_back(ConvertOp(ElementType::kF32, ElementType::kU64));
  ops.push_back(ConvertOp(ElementType::kS64, ElementType::kBF16));
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  // Ops of the same operands are one kernel, which takes less time.
  std::vector<std::vector<Op>> kernels;
  for (const Op& op : ops) {
    if (kernels.empty() || kernels.back()[0].operands != op.operands ||
        halyard::testing::AllCases()) {
      kernels.emplace_back();
    }
    kernels.back().push_back(op);
  }
  for (const std::vector<Op>& kernel : kernels) {
    std::string name(hlo::HloName(kernel[0].operands[0]));
    for (const Op& op : kernel) absl::StrAppend(&name, " ", hlo::RowOf(op.opcode).hlo_name);
    const absl::StatusOr<std::string> prepared = gpu::PreparePtx(PtxOf(kernel), {});
    ASSERT_TRUE(prepared.ok()) << name << ": " << prepared.status();
    const std::string& ptx = *prepared;
    ASSERT_FALSE(ptx.empty()) << name;
    EXPECT_EQ(ptx.find(".ftz"), std::string::npos) << name;
    EXPECT_EQ(ptx.find(".approx"), std::string::npos) << name;
    EXPECT_EQ(ptx.find("div.full"), std::string::npos) << name;
    EXPECT_EQ(ptx.find(".extern .func"), std::string::npos) << name;
    // If a rounding mode is spelt out, ptxas may not fuse either.
    for (const char* fusible : {"fma.", "mul.f16", "mul.f32", "mul.f64", "add.f16", "add.f32",
                                "add.f64", "sub.f16", "sub.f32", "sub.f64"}) {
      EXPECT_EQ(ptx.find(fusible), std::string::npos) << name << ": " << fusible;
    }
    const std::filesystem::path file = folder / "halyard_numerics_test.ptx";
    std::ofstream(file) << ptx;
    const std::string command =
        std::string(HALYARD_PTXAS) + " -arch=sm_80 -o /dev/null " + file.string();
    EXPECT_EQ(std::system(command.c_str()), 0) << name;
    std::filesystem::remove(file);
  }
}

}  // namespace
}  // namespace halyard::lowering::testing
