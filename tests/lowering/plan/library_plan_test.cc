// Tests ops that a device's libraries have: which become library ops, and that plans with them
// compute the same.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "lowering/kernels/kernel_request.h"
#include "lowering/kernels/library/form.h"
#include "lowering/plan/passes.h"
#include "tests/lowering/plan/plan_checks.h"
#include "tests/lowering/plan/plan_interpreter.h"

namespace halyard::lowering {
namespace {

using hlo::Literal;

PlanOptions WithCufft() {
  PlanOptions options = VulkanOptions();
  options.device.kind = runtime::DeviceKind::kCuda;
  options.device.cuda_capability = 90;
  options.device.libraries = runtime::kCufft;
  options.target = "cuda";
  return options;
}

std::string Program(const std::string& from, const std::string& to, const std::string& type,
                    const std::string& lengths) {
  return absl::StrCat("HloModule m\nENTRY e {\n  x = ", from, " parameter(0)\n  ROOT y = ", to,
                      " fft(x), fft_type=", type, ", fft_length={", lengths, "}\n}\n");
}

// Returns how many kernels are calls of the library. Checks results.
int LibraryKernels(const std::string& text, const PlanOptions& options) {
  const auto module = Parse(text);
  Literal x(module->entry()->parameters()[0]->shape.WithDefaultLayout());
  for (int64_t i = 0; i < x.shape().NumElements(); ++i) {
    const double re = static_cast<double>(i * 7 % 19) / 9 - 1, im = static_cast<double>(i % 5) - 2;
    if (hlo::IsComplex(x.shape().element_type())) {
      x.SetComplex(i, {re, im});
    } else {
      x.SetFloat(i, re);
    }
  }
  const ProgramSpec spec = PlanOf(*module, options);
  const auto want = hlo::Evaluator().Run(*module, {x});
  const auto got = InterpretPlan(spec, {x});
  EXPECT_TRUE(want.ok() && got.ok()) << want.status() << got.status() << text;
  if (want.ok() && got.ok()) {
    const auto difference = hlo::Compare((*got)[0], *want, 1e-4, 1e-4);
    EXPECT_TRUE(difference.ok() && difference->within) << text << DescribePlan(spec);
  }
  int count = 0;
  for (const ProgramSpec::Kernel& kernel : spec.kernels) {
    count += absl::StrContains(kernel.request, "unscaled-fft");
  }
  return count;
}

TEST(LibraryPlan, TransformsAreCuffts) {
  const PlanOptions cufft = WithCufft();
  PlanOptions none = WithCufft();
  none.device.libraries = 0;
  for (const auto& [from, to, type, lengths] :
       {std::tuple("c64[2,3,40]", "c64[2,3,40]", "FFT", "40"),
        std::tuple("c64[2,3,40]", "c64[2,3,40]", "IFFT", "40"),
        std::tuple("c64[40]", "c64[40]", "IFFT", "40"),
        std::tuple("c64[5,6,7]", "c64[5,6,7]", "FFT", "5,6,7"),
        std::tuple("c128[2,6,34]", "c128[2,6,34]", "IFFT", "6,34"),
        std::tuple("f32[3,40]", "c64[3,21]", "RFFT", "40"),
        std::tuple("f32[3,5,21]", "c64[3,5,11]", "RFFT", "5,21"),
        std::tuple("c64[3,21]", "f32[3,40]", "IRFFT", "40"),
        std::tuple("c64[3,11]", "f32[3,21]", "IRFFT", "21"),
        // A convolution with a chirp, by transforms of length 1024.
        std::tuple("c64[2,307]", "c64[2,307]", "FFT", "307")}) {
    const std::string text = Program(from, to, type, lengths);
    EXPECT_GE(LibraryKernels(text, cufft), 1) << text;
    EXPECT_EQ(LibraryKernels(text, none), 0) << text;
  }
}

TEST(LibraryPlan, ShortLinesAreOnePassOfOurs) {
  EXPECT_EQ(LibraryKernels(Program("c64[100,16]", "c64[100,16]", "FFT", "16"), WithCufft()), 0);
}

PlanOptions H200WithCublasLt() {
  PlanOptions options = VulkanOptions();
  options.target = "cuda";
  runtime::DeviceInfo& device = options.device;
  device.kind = runtime::DeviceKind::kCuda;
  device.software = false;
  device.cuda_capability = 90;
  device.compute_units = 132;
  device.subgroup_size = 32;
  device.max_threads_per_group = 1024;
  device.max_group[0] = device.max_group[1] = 1024;
  device.max_group[2] = 64;
  device.max_grid[0] = INT32_MAX;
  device.max_shared_bytes = 227 << 10;
  device.max_storage_range_bytes = device.max_allocation_bytes = uint64_t{1} << 37;
  device.max_thread_registers = 255;
  device.max_group_registers = 65536;
  device.has_f16 = device.has_i16 = device.has_i8 = device.has_i64 = true;
  device.libraries = runtime::kCublasLt;
  return options;
}

// A block of GPT-2's kind in bf16, for 4 sequences of 2048: norm, attention of 16 heads of 64,
// norm, and two products with a GELU between them.
std::string TransformerBlock() {
  constexpr char kNorm[] = R"(
  IN_f = f32[4,2048,1024] convert(IN)
  IN_s = f32[4,2048] reduce(IN_f, zero), dimensions={2}, to_apply=sum
  IN_m = f32[4,2048] multiply(IN_s, part)
  IN_mb = f32[4,2048,1024] broadcast(IN_m), dimensions={0,1}
  IN_c = f32[4,2048,1024] subtract(IN_f, IN_mb)
  IN_q = f32[4,2048,1024] multiply(IN_c, IN_c)
  IN_v = f32[4,2048] reduce(IN_q, zero), dimensions={2}, to_apply=sum
  IN_w = f32[4,2048] multiply(IN_v, part)
  IN_r = f32[4,2048] rsqrt(IN_w)
  IN_rb = f32[4,2048,1024] broadcast(IN_r), dimensions={0,1}
  IN_n = f32[4,2048,1024] multiply(IN_c, IN_rb)
  OUT = bf16[4,2048,1024] convert(IN_n))";
  auto norm = [&](const char* in, const char* out) {
    return absl::StrReplaceAll(kNorm, {{"IN", in}, {"OUT", out}});
  };
  std::string heads;
  for (int i = 0; i < 3; ++i) {
    absl::StrAppend(&heads, "\n  p", i,
                    " = bf16[4,2048,1024] slice(qkv), slice={[0:4], [0:2048], [", i * 1024, ":",
                    i * 1024 + 1024, "]}\n  h", i, " = bf16[4,2048,16,64] reshape(p", i, ")\n  t",
                    i, " = bf16[4,16,2048,64] transpose(h", i, "), dimensions={0,2,1,3}");
  }
  return absl::StrCat(R"(HloModule block
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
max {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] maximum(a, b)
}
ENTRY block {
  x = bf16[4,2048,1024] parameter(0)
  wqkv = bf16[1024,3072] parameter(1)
  wo = f32[1024,1024] parameter(2)
  wu = bf16[1024,4096] parameter(3)
  wd = bf16[4096,1024] parameter(4)
  bu = bf16[4096] parameter(5)
  zero = f32[] constant(0)
  low = f32[] constant(-inf)
  small = f32[] constant(0.0009765625)
  part = f32[4,2048] broadcast(small), dimensions={})",
                      norm("x", "x1"), R"(
  qkv = bf16[4,2048,3072] dot(x1, wqkv), lhs_contracting_dims={2}, rhs_contracting_dims={0})",
                      heads, R"(
  sc = f32[4,16,2048,2048] dot(t0, t1), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_contracting_dims={3}
  eighth = f32[] constant(0.125)
  eb = f32[4,16,2048,2048] broadcast(eighth), dimensions={}
  sl = f32[4,16,2048,2048] multiply(sc, eb)
  sm = f32[4,16,2048] reduce(sl, low), dimensions={3}, to_apply=max
  smb = f32[4,16,2048,2048] broadcast(sm), dimensions={0,1,2}
  sd = f32[4,16,2048,2048] subtract(sl, smb)
  se = f32[4,16,2048,2048] exponential(sd)
  ss = f32[4,16,2048] reduce(se, zero), dimensions={3}, to_apply=sum
  ssb = f32[4,16,2048,2048] broadcast(ss), dimensions={0,1,2}
  sp = f32[4,16,2048,2048] divide(se, ssb)
  sn = bf16[4,16,2048,2048] convert(sp)
  av = bf16[4,16,2048,64] dot(sn, t2), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_contracting_dims={2}
  at = bf16[4,2048,16,64] transpose(av), dimensions={0,2,1,3}
  ar = bf16[4,2048,1024] reshape(at)
  won = bf16[1024,1024] convert(wo)
  pr = bf16[4,2048,1024] dot(ar, won), lhs_contracting_dims={2}, rhs_contracting_dims={0}
  y = bf16[4,2048,1024] add(x, pr))",
                      norm("y", "y1"), R"(
  up = bf16[4,2048,4096] dot(y1, wu), lhs_contracting_dims={2}, rhs_contracting_dims={0}
  bub = bf16[4,2048,4096] broadcast(bu), dimensions={2}
  ub = bf16[4,2048,4096] add(up, bub)
  uf = f32[4,2048,4096] convert(ub)
  rt = f32[] constant(0.70710678)
  rtb = f32[4,2048,4096] broadcast(rt), dimensions={}
  ur = f32[4,2048,4096] multiply(uf, rtb)
  ue = f32[4,2048,4096] erf(ur)
  ug = f32[4,2048,4096] multiply(uf, ue)
  un = bf16[4,2048,4096] convert(ug)
  dn = bf16[4,2048,1024] dot(un, wd), lhs_contracting_dims={2}, rhs_contracting_dims={0}
  ROOT z = bf16[4,2048,1024] add(y, dn)
}
)");
}

// Returns how many of the kernels' dots read what is rounded on its way to them.
int RoundedFactors(const ProgramSpec& spec) {
  int count = 0;
  for (const ProgramSpec::Kernel& kernel : spec.kernels) {
    const auto request = KernelRequest::Parse(kernel.request);
    if (!request.ok()) continue;
    const auto module = Parse(request->hlo);
    for (const auto& inst : module->entry()->instructions()) {
      if (inst->opcode != hlo::Opcode::kDot) continue;
      for (const hlo::Instruction* factor : inst->operands) {
        count += factor->opcode == hlo::Opcode::kConvert &&
                 factor->operand(0)->opcode == hlo::Opcode::kParameter &&
                 factor->operand(0)->shape.element_type() == hlo::ElementType::kF32;
      }
    }
  }
  return count;
}

// Returns how many kernels are products that the library takes by default.
int LibraryProducts(const ProgramSpec& spec, const runtime::DeviceInfo& device) {
  int count = 0;
  for (const ProgramSpec::Kernel& kernel : spec.kernels) {
    const auto request = KernelRequest::Parse(kernel.request);
    if (!request.ok()) continue;
    const auto call = FindLibraryCall(*Parse(request->hlo)->entry(), device);
    count += call.has_value() && call->by_default;
  }
  return count;
}

TEST(LibraryPlan, ATransformerBlockIsEightLaunches) {
  const auto module = Parse(TransformerBlock());
  ASSERT_NE(module, nullptr);
  const PlanOptions options = H200WithCublasLt();
  const ProgramSpec spec = PlanOf(*module, options);
  const int kernels = CountSteps(spec, ProgramSpec::Step::Kind::kKernel);
  // Two norms, the product of queries, keys and values, attention, three products, and the last
  // sum, which cuBLASLt would not round as the program does. The weights that are f32 are rounded
  // once, by a kernel of their own.
  EXPECT_LE(kernels, 8 + 1) << DescribePlan(spec);
  const auto of_bf16 = Parse(
      absl::StrReplaceAll(TransformerBlock(), {{"wo = f32[1024,1024]", "wo = bf16[1024,1024]"},
                                               {"  won = bf16[1024,1024] convert(wo)\n", ""},
                                               {"dot(ar, won)", "dot(ar, wo)"}}));
  ASSERT_NE(of_bf16, nullptr);
  const ProgramSpec all_bf16 = PlanOf(*of_bf16, options);
  EXPECT_LE(CountSteps(all_bf16, ProgramSpec::Step::Kind::kKernel), 8) << DescribePlan(all_bf16);
  EXPECT_EQ(RoundedFactors(spec), 0) << DescribePlan(spec);
  // The two products whose results go straight to memory, or are so long that it pays.
  EXPECT_EQ(LibraryProducts(spec, options.device), 2) << DescribePlan(spec);

  PlanOptions none = options;
  none.device.libraries = 0;
  const ProgramSpec own = PlanOf(*module, none);
  EXPECT_EQ(CountSteps(own, ProgramSpec::Step::Kind::kKernel), kernels - 1) << DescribePlan(own);
  EXPECT_EQ(RoundedFactors(own), 0);
}

std::string LongProduct(const std::string& epilogue, int64_t terms = 4096) {
  return absl::StrCat("HloModule m\nENTRY e {\n  a = bf16[2048,", terms,
                      "] parameter(0)\n  b = bf16[", terms, R"(,2048] parameter(1)
  s = f32[2048] parameter(2)
  r = bf16[2048,2048] parameter(3)
)",
                      epilogue, "}\n");
}

// What the call takes stays with it; what it does not take is another kernel, if the product is so
// long that this pays: on Hopper, where kernels of our own use wgmma, longer than elsewhere.
TEST(LibraryPlan, CallsKeepTheEpiloguesThatTheyTake) {
  PlanOptions options = H200WithCublasLt();
  auto kernels = [&](const std::string& text, int64_t terms = 4096, int calls = 1) {
    const auto module = Parse(LongProduct(text, terms));
    const ProgramSpec spec = PlanOf(*module, options);
    EXPECT_EQ(LibraryProducts(spec, options.device), calls) << DescribePlan(spec);
    return CountSteps(spec, ProgramSpec::Step::Kind::kKernel);
  };
  EXPECT_EQ(kernels(R"(
  d = f32[2048,2048] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[2048,2048] broadcast(s), dimensions={1}
  ROOT u = f32[2048,2048] add(d, t)
)"),
            1);
  const std::string other = R"(
  d = bf16[2048,2048] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  l = bf16[2048,2048] tanh(d)
  ROOT u = bf16[2048,2048] add(l, r)
)";
  EXPECT_EQ(kernels(other, 16384), 2);
  EXPECT_EQ(kernels(other, 4096, 0), 1);
  options.device.cuda_capability = 100;
  EXPECT_EQ(kernels(other, 4096), 2);
}

// A matrix whose lines lie along the summed dimension is read at memory's bandwidth by kernels of
// our own.
TEST(LibraryPlan, AVectorTimesLinesAlongTheSumIsOurs) {
  const PlanOptions options = H200WithCublasLt();
  const auto by_default = [&](int64_t rows, int dimension) {
    const auto module = Parse(absl::StrCat(
        "HloModule m\nENTRY e {\n  a = bf16[", rows, ",4096] parameter(0)\n",
        "  b = bf16[4096,4096] parameter(1)\n  ROOT d = bf16[", rows, ",4096] dot(a, b), ",
        "lhs_contracting_dims={1}, rhs_contracting_dims={", dimension, "}\n}\n"));
    const auto call = FindLibraryCall(*module->entry(), options.device);
    return call.has_value() && call->by_default;
  };
  EXPECT_FALSE(by_default(1, 1));
  EXPECT_TRUE(by_default(1, 0));
  EXPECT_TRUE(by_default(64, 1));
}

// On devices whose tensor cores the library reaches no better, everything is fused.
TEST(LibraryPlan, OthersFuseWhatFollows) {
  PlanOptions options = H200WithCublasLt();
  options.device.cuda_capability = 80;
  const auto module = Parse(LongProduct(R"(
  d = bf16[2048,2048] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT u = bf16[2048,2048] add(d, r)
)"));
  EXPECT_EQ(CountSteps(PlanOf(*module, options), ProgramSpec::Step::Kind::kKernel), 1);
}

PlanOptions H100WithCudnn() {
  PlanOptions options = H200WithCublasLt();
  options.device.libraries = runtime::kCudnn;
  return options;
}

// A layer as JAX writes it: what it reads is computed before, its weights are as LABELS say, and a
// bias and a rectifier follow.
std::string Layer(const std::string& type, const std::string& labels, const std::string& weights,
                  const std::string& more = "") {
  return absl::StrReplaceAll(
      R"(HloModule m
ENTRY e {
  x = TYPE[1,16,16,128] parameter(0)
  w = TYPE[WEIGHTS] parameter(1)
  b = TYPE[512] parameter(2)
  z = TYPE[] constant(0)
  zx = TYPE[1,16,16,128] broadcast(z), dimensions={}
  r = TYPE[1,16,16,128] maximum(x, zx)
  c = TYPE[1,16,16,512] convolution(r, w), window={size=3x3 pad=1_1x1_1}, dim_labels=LABELSMORE
  bb = TYPE[1,16,16,512] broadcast(b), dimensions={3}
  s = TYPE[1,16,16,512] add(c, bb)
  zy = TYPE[1,16,16,512] broadcast(z), dimensions={}
  ROOT y = TYPE[1,16,16,512] maximum(s, zy)
})",
      {{"TYPE", type}, {"WEIGHTS", weights}, {"LABELS", labels}, {"MORE", more}});
}

// The library computes large convolutions alone, whatever the order of their weights.
TEST(LibraryPlan, ConvolutionsAreCudnns) {
  const PlanOptions options = H100WithCudnn();
  auto kernels = [&](const std::string& text, int calls, const PlanOptions& o) {
    const auto module = Parse(text);
    const ProgramSpec spec = PlanOf(*module, o);
    EXPECT_EQ(LibraryProducts(spec, o.device), calls) << DescribePlan(spec);
    return CountSteps(spec, ProgramSpec::Step::Kind::kKernel);
  };
  EXPECT_EQ(kernels(Layer("f32", "b01f_o01i->b01f", "512,3,3,128"), 1, options), 3);
  const std::string jax = Layer("f32", "b01f_01io->b01f", "3,3,128,512");
  EXPECT_EQ(kernels(jax, 1, options), 4);
  for (const auto& [text, what] :
       {std::pair(Layer("f64", "b01f_01io->b01f", "3,3,128,512"), "f64"),
        std::pair(Layer("f16", "b01f_01io->b01f", "3,3,128,512"), "too small for tensor cores"),
        std::pair(Layer("f32", "b01f_01io->b01f", "3,3,64,512", ", feature_group_count=2"),
                  "groups"),
        std::pair(absl::StrReplaceAll(jax, {{"1_1x1_1", "2_2x2_2 rhs_dilate=2x2"}}), "holes")}) {
    SCOPED_TRACE(what);
    EXPECT_EQ(kernels(text, 0, options), 2);
  }
  PlanOptions none = options;
  none.device.libraries = 0;
  EXPECT_EQ(kernels(jax, 0, none), 2);
  none = options;
  none.without.Add(Rewrite::kArrangedConvolutions);
  EXPECT_EQ(kernels(jax, 0, none), 2);
}

// Weights in another order give the same results, also NaN and infinities.
TEST(LibraryPlan, ArrangedWeightsAreTheSame) {
  for (const char* labels : {"b01f_01io->b01f", "b01f_i10o->b01f", "bf01_10oi->bf01"}) {
    const bool first = labels[1] == 'f';
    const std::string weights = labels[5] == 'i' ? "w = f32[256,3,2,256] parameter(1)"
                                : first          ? "w = f32[3,2,256,256] parameter(1)"
                                                 : "w = f32[2,3,256,256] parameter(1)";
    for (const bool constant : {false, true}) {
      const auto module = Parse(absl::StrCat(
          "HloModule m\nENTRY e {\n  x = f32[", first ? "2,256,17,15" : "2,17,15,256",
          "] parameter(0)\n  ", weights, "\n  ROOT c = f32[", first ? "2,256,16,13" : "2,16,13,256",
          "] convolution(x, w), window={size=2x3}, dim_labels=", labels, "\n}\n"));
      ASSERT_NE(module, nullptr);
      std::vector<Literal> arguments;
      for (const hlo::Instruction* parameter : module->entry()->parameters()) {
        Literal value(parameter->shape.WithDefaultLayout());
        for (int64_t i = 0; i < value.shape().NumElements(); ++i)
          value.SetFloat(i, static_cast<double>(i * 37 % 101) / 50 - 1);
        arguments.push_back(std::move(value));
      }
      arguments[0].SetFloat(5, std::numeric_limits<double>::quiet_NaN());
      arguments[1].SetFloat(70, std::numeric_limits<double>::infinity());
      const auto want = hlo::Evaluator().Run(*module, arguments);
      ASSERT_TRUE(want.ok()) << want.status();
      auto changed = module->Clone();
      if (constant)
        changed->entry()->root()->operands[1] = changed->entry()->AddConstant(arguments[1]);
      ASSERT_TRUE(ArrangeConvolutions(*changed, H100WithCudnn().device).ok());
      const hlo::Instruction* factor = changed->entry()->root()->operand(1);
      EXPECT_EQ(factor->opcode, constant ? hlo::Opcode::kConstant : hlo::Opcode::kTranspose);
      EXPECT_NE(factor->shape.dims(), module->entry()->parameters()[1]->shape.dims());
      const auto got = hlo::Evaluator().Run(*changed, arguments);
      ASSERT_TRUE(got.ok()) << got.status();
      EXPECT_EQ(got->bytes(), want->bytes()) << labels;
    }
  }
}

}  // namespace
}  // namespace halyard::lowering
