// Tests whole plans of small programs: what they compute, and how many kernels and copies this
// takes.
#include <gtest/gtest.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "lowering/kernels/kernel_request.h"
#include "tests/lowering/plan/plan_checks.h"
#include "tests/lowering/plan/plan_of_text.h"

namespace halyard::lowering {
namespace {

using Kind = ProgramSpec::Step::Kind;

TEST(Plan, ElementwiseChainIsOneKernel) {
  std::string text = R"(HloModule test
ENTRY main {
  x = f32[4,8] parameter(0)
  y = f32[4,8] parameter(1)
  s = f32[4,8] add(x, y)
  e = f32[4,8] exponential(s)
  t = f32[4,8] tanh(s)
  ROOT r = f32[4,8] multiply(e, t)
})";
  ExpectPlanComputesTheSame(text);
  ProgramSpec spec = PlanOfText(text);
  EXPECT_EQ(CountSteps(spec, Kind::kKernel), 1);
  EXPECT_EQ(CountSteps(spec, Kind::kCopy), 0);
  EXPECT_EQ(spec.device_arena_bytes, 0);
  // No op distinguishes the dimensions.
  EXPECT_TRUE(absl::StrContains(spec.kernels[0].request, "f32[32]")) << spec.kernels[0].request;
}

// A chain of multiply-adds by numbers of their own, as of a polynomial.
TEST(Plan, APolynomialIsOneKernel) {
  std::string text = "HloModule test\nENTRY main {\n  x = f32[70] parameter(0)\n";
  std::string last = "x";
  for (int i = 0; i < 20; ++i) {
    absl::StrAppend(&text, "  c", i, " = f32[] constant(", 0.25 * (i + 1), ")\n  b", i,
                    " = f32[70] broadcast(c", i, "), dimensions={}\n  m", i, " = f32[70] multiply(",
                    last, ", x)\n  ", i == 19 ? "ROOT " : "", "s", i, " = f32[70] add(m", i, ", b",
                    i, ")\n");
    last = absl::StrCat("s", i);
  }
  text += "}";
  ExpectPlanComputesTheSame(text);
  EXPECT_EQ(CountSteps(PlanOfText(text), Kind::kKernel), 1);
}

// Rounds of a generator, with rotations that take turns.
std::string Rounds(int64_t elements, int64_t trips, const std::string& last = "xor(a, t)") {
  return absl::StrReplaceAll(
      R"(HloModule test
body {
  p = (s32[], $T[$N], $T[$N], $T[2]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = $T[$N] get-tuple-element(p), index=1
  y = $T[$N] get-tuple-element(p), index=2
  r = $T[2] get-tuple-element(p), index=3
  one = s32[] constant(1)
  j = s32[] add(i, one)
  a = $T[$N] add(x, y)
  r0 = $T[1] slice(r), slice={[0:1]}
  r1 = $T[1] slice(r), slice={[1:2]}
  q = $T[] reshape(r0)
  b = $T[$N] broadcast(q), dimensions={}
  s = $T[$N] shift-left(y, b)
  w = $T[] constant(32)
  d = $T[] subtract(w, q)
  e = $T[$N] broadcast(d), dimensions={}
  u = $T[$N] shift-right-logical(y, e)
  t = $T[$N] or(s, u)
  z = $T[$N] $M
  n = $T[2] concatenate(r1, r0), dimensions={0}
  ROOT o = (s32[], $T[$N], $T[$N], $T[2]) tuple(j, a, z, n)
}
cond {
  p = (s32[], $T[$N], $T[$N], $T[2]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant($K)
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY main {
  x = $T[$N] parameter(0)
  y = $T[$N] parameter(1)
  zero = s32[] constant(0)
  r = $T[2] constant({13, 17})
  init = (s32[], $T[$N], $T[$N], $T[2]) tuple(zero, x, y, r)
  l = (s32[], $T[$N], $T[$N], $T[2]) while(init), condition=cond, body=body
  a = $T[$N] get-tuple-element(l), index=1
  b = $T[$N] get-tuple-element(l), index=2
  ROOT s = $T[$N] xor(a, b)
})",
      {{"$T", "u32"}, {"$N", absl::StrCat(elements)}, {"$K", absl::StrCat(trips)}, {"$M", last}});
}

TEST(Plan, ShortLoopsOverLargeArraysAreOneKernel) {
  ExpectPlanComputesTheSame(Rounds(1 << 14, 8));
  for (const PlanOptions& options : {X86Options(), VulkanOptions()}) {
    const ProgramSpec spec = PlanOfText(Rounds(1 << 14, 8), options);
    EXPECT_EQ(CountSteps(spec, Kind::kKernel), 1);
    EXPECT_EQ(CountSteps(spec, Kind::kWhile), 0);
  }
}

TEST(Plan, OtherLoopsStay) {
  const auto loops = [](const std::string& text, const PlanOptions& options = X86Options()) {
    return CountSteps(PlanOfText(text, options), Kind::kWhile);
  };
  EXPECT_EQ(loops(Rounds(1 << 14, 8)), 0);
  EXPECT_EQ(loops(Rounds((1 << 14) - 1, 8)), 1);  // small
  EXPECT_EQ(loops(Rounds(1 << 14, 9)), 1);        // long
  // A sort is a kernel of its own.
  EXPECT_EQ(loops(absl::StrCat(
                "HloModule test\nless { a = u32[] parameter(0) b = u32[] parameter(1) ROOT c = "
                "pred[] compare(a, b), direction=LT }\n",
                absl::StripPrefix(Rounds(1 << 14, 8, "sort(t), dimensions={0}, to_apply=less"),
                                  "HloModule test\n"))),
            1);
  PlanOptions without = X86Options();
  without.without.Add(Rewrite::kUnrolledLoops);
  EXPECT_EQ(loops(Rounds(1 << 14, 8), without), 1);
}

// An index of few ops is computed where it is used. One of many, each used twice, is stored.
TEST(Plan, LongIndicesAreStored) {
  const std::string uses[] = {
      "ROOT r = f32[70] gather(t, n), offset_dims={}, collapsed_slice_dims={0}, "
      "start_index_map={0}, index_vector_dim=1, slice_sizes={1}",
      "ROOT r = f32[64] scatter(t, n, y), update_window_dims={}, inserted_window_dims={0}, "
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f32",
      "s = u32[1,1] slice(n), slice={[3:4], [0:1]} q = u32[] reshape(s) ROOT r = f32[5] "
      "dynamic-slice(t, q), dynamic_slice_sizes={5}",
      "s = u32[1,1] slice(n), slice={[3:4], [0:1]} q = u32[] reshape(s) ROOT r = f32[64] "
      "dynamic-update-slice(t, y, q)"};
  for (const std::string& use : uses) {
    for (const int rounds : {3, 24}) {
      std::string text =
          "ENTRY e {\n  t = f32[64] parameter(0)\n  x = u32[70] parameter(1)\n  y = f32[" +
          std::string(absl::StrContains(use, "update-slice") ? "5" : "70") +
          "] parameter(2)\n  seven = u32[] constant(7)\n"
          "  c = u32[70] broadcast(seven), dimensions={}\n";
      std::string last = "x";
      for (int i = 0; i < rounds; ++i) {
        absl::StrAppend(&text, "  s", i, " = u32[70] shift-right-logical(", last, ", c)\n  v", i,
                        " = u32[70] xor(s", i, ", ", last, ")\n");
        last = absl::StrCat("v", i);
      }
      absl::StrAppend(&text,
                      "  m = u32[] constant(63)\n  k = u32[70] broadcast(m), "
                      "dimensions={}\n  a = u32[70] and(",
                      last, ", k)\n  n = u32[70,1] reshape(a)\n  ", use, "\n}");
      text = WithReducers(text);
      ExpectPlanComputesTheSame(text);
      const ProgramSpec spec = PlanOfText(text);
      const bool with_index = std::any_of(
          spec.kernels.begin(), spec.kernels.end(), [](const ProgramSpec::Kernel& kernel) {
            return absl::StrContains(kernel.request, "xor(") &&
                   (absl::StrContains(kernel.request, "gather(") ||
                    absl::StrContains(kernel.request, "scatter(") ||
                    absl::StrContains(kernel.request, "dynamic-slice(") ||
                    absl::StrContains(kernel.request, "dynamic-update-slice("));
          });
      EXPECT_EQ(with_index, rounds == 3) << text;
    }
  }
}

TEST(Plan, SoftmaxAndLayerNormAreOneKernelEach) {
  std::string text = WithReducers(R"(
ENTRY main {
  x = f32[3,5,16] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[3,5] reduce(x, low), dimensions={2}, to_apply=max_f32
  mb = f32[3,5,16] broadcast(m), dimensions={0,1}
  c = f32[3,5,16] subtract(x, mb)
  e = f32[3,5,16] exponential(c)
  s = f32[3,5] reduce(e, zero), dimensions={2}, to_apply=add_f32
  sb = f32[3,5,16] broadcast(s), dimensions={0,1}
  p = f32[3,5,16] divide(e, sb)
  b = f32[3,5,16] opt-barrier(p)
  n = f32[] constant(16)
  nb = f32[3,5] broadcast(n), dimensions={}
  sum = f32[3,5] reduce(b, zero), dimensions={2}, to_apply=add_f32
  mean = f32[3,5] divide(sum, nb)
  meanb = f32[3,5,16] broadcast(mean), dimensions={0,1}
  d = f32[3,5,16] subtract(b, meanb)
  dd = f32[3,5,16] multiply(d, d)
  v = f32[3,5] reduce(dd, zero), dimensions={2}, to_apply=add_f32
  var = f32[3,5] divide(v, nb)
  rs = f32[3,5] rsqrt(var)
  rsb = f32[3,5,16] broadcast(rs), dimensions={0,1}
  ROOT r = f32[3,5,16] multiply(d, rsb)
})");
  ExpectPlanComputesTheSame(text);
  EXPECT_EQ(CountSteps(PlanOfText(text), Kind::kKernel), 2);
}

// Two kernels may divide a long row among workgroups or cores. If there are enough rows for all
// cores of a CPU, this would only cost memory traffic.
TEST(Plan, LongRowsAreOneKernelWithRowsForAllCores) {
  const std::string text = WithReducers(R"(
ENTRY main {
  x = f32[ROWS,20000] parameter(0)
  zero = f32[] constant(0)
  s = f32[ROWS] reduce(x, zero), dimensions={1}, to_apply=add_f32
  sb = f32[ROWS,20000] broadcast(s), dimensions={0}
  ROOT r = f32[ROWS,20000] divide(x, sb)
})");
  const auto kernels = [&](const char* rows, const PlanOptions& options) {
    return CountSteps(PlanOfText(absl::StrReplaceAll(text, {{"ROWS", rows}}), options),
                      Kind::kKernel);
  };
  PlanOptions cpu = X86Options();
  cpu.device.compute_units = 4;
  EXPECT_EQ(kernels("3", cpu), 2);
  EXPECT_EQ(kernels("4", cpu), 1);
  EXPECT_EQ(kernels("4", VulkanOptions()), 2);
  cpu.device.compute_units = 0;  // not known
  EXPECT_EQ(kernels("4", cpu), 2);
  EXPECT_EQ(kernels("64", cpu), 1);
  ExpectPlanComputesTheSame(absl::StrReplaceAll(text, {{"ROWS", "2"}}));
}

TEST(Plan, ConvolutionTakesItsBiasReluAndResidual) {
  std::string text = R"(HloModule test
ENTRY main {
  x = f32[1,6,6,3] parameter(0)
  k = f32[3,3,3,4] parameter(1)
  bias = f32[4] parameter(2)
  skip = f32[1,6,6,4] parameter(3)
  c = f32[1,6,6,4] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  bb = f32[1,6,6,4] broadcast(bias), dimensions={3}
  a = f32[1,6,6,4] add(c, bb)
  z = f32[] constant(0)
  zb = f32[1,6,6,4] broadcast(z), dimensions={}
  r = f32[1,6,6,4] maximum(a, zb)
  ROOT s = f32[1,6,6,4] add(r, skip)
})";
  ExpectPlanComputesTheSame(text);
  EXPECT_EQ(CountSteps(PlanOfText(text), Kind::kKernel), 1);
}

TEST(Plan, ValueNeededElsewhereIsAFurtherOutput) {
  std::string text = R"(HloModule test
ENTRY main {
  x = f32[8,8] parameter(0)
  y = f32[8,8] parameter(1)
  d = f32[8,8] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[8,8] add(d, x)
  e = f32[8,8] tanh(s)
  ROOT r = (f32[8,8], f32[8,8]) tuple(s, e)
})";
  ExpectPlanComputesTheSame(text);
  ProgramSpec spec = PlanOfText(text);
  EXPECT_EQ(CountSteps(spec, Kind::kKernel), 1);
  EXPECT_EQ(CountSteps(spec, Kind::kCopy), 0);
}

// In a → dot → b, b needs a, so a must not be an output of b's kernel.
TEST(Plan, FurtherOutputMakesNoCycle) {
  ExpectPlanComputesTheSame(R"(HloModule test
ENTRY main {
  x = f32[4,4] parameter(0)
  a = f32[4,4] exponential(x)
  d = f32[4,4] dot(a, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[4,4] opt-barrier(d)
  ROOT b = f32[4,4] add(a, t)
})");
}

TEST(Plan, SortOfSeveralOperandsAlongAnyDimension) {
  for (int n : {1, 2, 3, 7, 16, 33}) {
    ExpectPlanComputesTheSame(absl::StrCat(
        R"(HloModule test
by_key {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  fa = f32[] floor(a)
  fb = f32[] floor(b)
  ROOT c = pred[] compare(fa, fb), direction=GT
}
ENTRY main {
  x = f32[2,)",
        n, R"(,3] parameter(0)
  y = s32[2,)",
        n, R"(,3] parameter(1)
  s = (f32[2,)",
        n, ",3], s32[2,", n, R"(,3]) sort(x, y), dimensions={1}, is_stable=true, to_apply=by_key
  k = f32[2,)",
        n, R"(,3] get-tuple-element(s), index=0
  v = s32[2,)",
        n, R"(,3] get-tuple-element(s), index=1
  ROOT r = (f32[2,)",
        n, ",3], s32[2,", n, R"(,3]) tuple(k, v)
})"));
  }
}

std::string LogSumExp(const std::string& dims, const std::string& rows) {
  return absl::StrReplaceAll(R"(HloModule test
maximum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT m = f32[] maximum(a, b)
}
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  x = f32[DIMS] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[ROWS] reduce(x, low), dimensions={1}, to_apply=maximum
  mb = f32[DIMS] broadcast(m), dimensions={0}
  d = f32[DIMS] subtract(x, mb)
  e = f32[DIMS] exponential(d)
  s = f32[ROWS] reduce(e, zero), dimensions={1}, to_apply=sum
  l = f32[ROWS] log(s)
  ROOT r = f32[ROWS] add(l, m)
})",
                             {{"DIMS", dims}, {"ROWS", rows}});
}

// Each element of a row and the row's result read the maximum.
TEST(Plan, LogSumExpIsOneKernel) {
  const auto kernels = [](const std::string& text) {
    return CountSteps(PlanOf(*Parse(text), VulkanOptions()), ProgramSpec::Step::Kind::kKernel);
  };
  EXPECT_EQ(kernels(LogSumExp("30,50", "30")), 1);
  EXPECT_EQ(kernels(LogSumExp("3,20000", "3")), 2);  // a row is too long for one
  EXPECT_EQ(kernels(LogSumExp("1,500", "1")), 2);
  ExpectPlanComputesTheSame(LogSumExp("30,50", "30"));
}

TEST(Plan, VariadicReduceWithUnusedResult) {
  ExpectPlanComputesTheSame(R"(HloModule test
argmax {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  g = pred[] compare(a, b), direction=GE
  v = f32[] select(g, a, b)
  k = s32[] select(g, i, j)
  ROOT t = (f32[], s32[]) tuple(v, k)
}
ENTRY main {
  x = f32[5,7] parameter(0)
  n = s32[5,7] iota(), iota_dimension=1
  low = f32[] constant(-inf)
  zero = s32[] constant(0)
  r = (f32[5], s32[5]) reduce(x, n, low, zero), dimensions={1}, to_apply=argmax
  q = (f32[7], s32[7]) reduce(x, n, low, zero), dimensions={0}, to_apply=argmax
  k = s32[5] get-tuple-element(r), index=1
  ROOT t = (s32[5], (f32[7], s32[7])) tuple(k, q)
})");
}

TEST(Plan, WideConcatenateAndMap) {
  std::string text = R"(HloModule test
twice {
  a = f32[] parameter(0)
  two = f32[] constant(2)
  ROOT m = f32[] multiply(a, two)
}
ENTRY main {
  x = f32[2] parameter(0)
  m = f32[2] map(x), dimensions={0}, to_apply=twice
)";
  std::string parts = "x";
  for (int i = 0; i < 19; ++i) absl::StrAppend(&parts, i % 2 ? ", x" : ", m");
  absl::StrAppend(&text, "  ROOT r = f32[40] concatenate(", parts, "), dimensions={0}\n}");
  ExpectPlanComputesTheSame(text);
}

TEST(Plan, EmptyArrays) {
  ExpectPlanComputesTheSame(WithReducers(R"(
ENTRY main {
  x = f32[0,4] parameter(0)
  y = f32[3,0] parameter(1)
  e = f32[0,4] exponential(x)
  zero = f32[] constant(2)
  s = f32[4] reduce(e, zero), dimensions={0}, to_apply=add_f32
  d = f32[3,4] dot(y, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  w = f32[4] parameter(2)
  c = f32[8] concatenate(w, s), dimensions={0}
  ROOT t = (f32[0,4], f32[4], f32[3,4], f32[8]) tuple(e, s, d, c)
})"));
}

TEST(Plan, BitcastsAndLayouts) {
  ExpectPlanComputesTheSame(R"(HloModule test
ENTRY main {
  x = f32[2,3]{0,1} parameter(0)
  c = f32[2,3]{1,0} copy(x)
  b = f32[3,2]{1,0} bitcast(x)
  t = f32[2,3]{1,0} transpose(b), dimensions={1,0}
  ROOT r = f32[2,3]{1,0} add(c, t)
})");
}

// Returns the largest elements of the first of `arrays` arrays, with the elements of the others at
// the same places.
std::string VariadicReduce(int arrays, bool constant_start) {
  std::string before, after, types, results, parameters, operands, starts, body, chosen;
  for (int i = 0; i < arrays; ++i) {
    const char* comma = i == 0 ? "" : ", ";
    absl::StrAppend(&before, "  x", i, " = f32[] parameter(", i, ")\n");
    absl::StrAppend(&after, "  y", i, " = f32[] parameter(", arrays + i, ")\n");
    absl::StrAppend(&body, "  m", i, " = f32[] select(first, x", i, ", y", i, ")\n");
    absl::StrAppend(&chosen, comma, "m", i);
    absl::StrAppend(&types, comma, "f32[]");
    absl::StrAppend(&results, comma, "f32[6]");
    absl::StrAppend(&parameters, "  a", i, " = f32[6,5] parameter(", i, ")\n");
    if (constant_start) {
      absl::StrAppend(&parameters, "  s", i, " = f32[] constant(", -i, ")\n");
    } else {
      absl::StrAppend(&parameters, "  s", i, " = f32[] parameter(", arrays + i, ")\n");
    }
    absl::StrAppend(&operands, comma, "a", i);
    absl::StrAppend(&starts, ", s", i);
  }
  return absl::StrCat("HloModule test\nfold {\n", before, after,
                      "  first = pred[] compare(x0, y0), direction=GE\n", body, "  ROOT r = (",
                      types, ") tuple(", chosen, ")\n}\nENTRY main {\n", parameters,
                      "  ROOT largest = (", results, ") reduce(", operands, starts,
                      "), dimensions={1}, to_apply=fold\n}\n");
}

TEST(Plan, OneReduceOfManyArrays) {
  for (int arrays : {2, 6, 7, 15}) {
    ExpectPlanComputesTheSame(VariadicReduce(arrays, /*constant_start=*/true));
    EXPECT_EQ(PlanOfText(VariadicReduce(arrays, true)).kernels.size(), 1u) << arrays;
  }
  ExpectPlanComputesTheSame(VariadicReduce(10, /*constant_start=*/false));
  for (const std::string& text : {VariadicReduce(16, true), VariadicReduce(11, false)}) {
    const auto spec = PlanProgram(*Parse(text), X86Options());
    EXPECT_EQ(spec.status().code(), absl::StatusCode::kUnimplemented);
    EXPECT_TRUE(absl::StrContains(spec.status().message(), "error: reduce largest: "))
        << spec.status();
    EXPECT_TRUE(absl::StrContains(spec.status().message(), "test.hlo:")) << spec.status();
    EXPECT_TRUE(absl::StrContains(spec.status().message(), "at most 31 together")) << spec.status();
  }
}

// The buffers of what is computed into the arrays count, too.
TEST(Plan, AReduceOfManyArraysThatAreComputed) {
  std::string text = VariadicReduce(6, /*constant_start=*/true);
  for (int i = 0; i < 6; ++i) {
    text = absl::StrReplaceAll(
        text, {{absl::StrCat("  a", i, " = f32[6,5] parameter(", i, ")\n"),
                absl::StrCat("  b", i, " = f32[6,5] parameter(", 2 * i, ")\n  c", i,
                             " = f32[6,5] parameter(", 2 * i + 1, ")\n  a", i, " = f32[6,5] add(b",
                             i, ", c", i, ")\n")}});
  }
  ExpectPlanComputesTheSame(text);
}

TEST(Plan, OneScatterOfManyArrays) {
  const auto text = [](int arrays) {
    std::string before, after, inputs, updates, types, results, parameters, last;
    for (int i = 0; i < arrays; ++i) {
      const char* comma = i == 0 ? "" : ", ";
      absl::StrAppend(&before, "  x", i, " = f32[] parameter(", i, ")\n");
      absl::StrAppend(&after, "  y", i, " = f32[] parameter(", arrays + i, ")\n");
      absl::StrAppend(&last, comma, "y", i);
      absl::StrAppend(&types, comma, "f32[]");
      absl::StrAppend(&results, comma, "f32[8]");
      absl::StrAppend(&parameters, "  a", i, " = f32[8] parameter(", i, ")\n  u", i,
                      " = f32[3] parameter(", arrays + 1 + i, ")\n");
      absl::StrAppend(&inputs, "a", i, ", ");
      absl::StrAppend(&updates, ", u", i);
    }
    return absl::StrCat(
        "HloModule test\nlast {\n", before, after, "  ROOT r = (", types, ") tuple(", last,
        ")\n}\nENTRY main {\n", parameters, "  at = s32[3,1] parameter(", arrays,
        ")\n  ROOT put = (", results, ") scatter(", inputs, "at", updates,
        "), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
        "index_vector_dim=1, to_apply=last\n}\n");
  };
  ExpectPlanComputesTheSame(text(10));
  const auto spec = PlanProgram(*Parse(text(11)), X86Options());
  EXPECT_EQ(spec.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_TRUE(absl::StrContains(spec.status().message(), "11 arrays in one scatter; at most 10"))
      << spec.status();
}

}  // namespace
}  // namespace halyard::lowering
