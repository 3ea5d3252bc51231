// Random programs over every op and type, compiled and run, against the evaluator. Results that no
// inexact op takes part in must have the evaluator's bits; others may be off by some times what
// rounding noise in the evaluator does to them. $HALYARD_RANDOM_PROGRAMS says how many programs
// (nightly: thousands; tests/asked_count.h), $HALYARD_RANDOM_SEED the first; with
// $HALYARD_RANDOM_PRINT each is printed before it is tried. A mismatch prints the smallest program
// that still shows it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <limits>

#include "absl/strings/str_cat.h"
#include "client/api/client.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/parser.h"
#include "tests/asked_count.h"
#include "tests/programs/agreement.h"
#include "tests/programs/makers/random_program.h"
#include "tests/programs/minimize.h"
#include "tests/sample.h"

namespace halyard::testing {
namespace {

using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;

class Checker {
 public:
  explicit Checker(const ClientOptions& options)
      : options_(options), client_(Client::Create(options)) {}

  const absl::Status& status() const { return client_.status(); }

  // Returns what is wrong, or "".
  std::string Check(const Program& program) {
    auto agreement = Agreement::WithEvaluator(program);
    if (!agreement.ok()) return absl::StrCat("evaluator: ", agreement.status().ToString());
    auto got = Run(program);
    // A kernel that failed on the device has broken it for this client.
    if (absl::IsAborted(got.status())) {
      client_ = absl::AbortedError("");
      client_ = Client::Create(options_);
    }
    if (!got.ok()) return got.status().ToString();
    return agreement->Check(*got, options_.target == "vulkan");
  }

  // The same for a program of moves, whose results must have the evaluator's bits, NaNs included.
  std::string CheckBits(const Program& program) {
    auto want = Evaluate(*program.module, program.arguments);
    if (!want.ok()) return absl::StrCat("evaluator: ", want.status().ToString());
    auto got = Run(program);
    if (!got.ok()) return got.status().ToString();
    const Instruction* root = program.module->entry()->root();
    for (size_t i = 0; i < got->size(); ++i) {
      const Instruction* result = root->shape.IsTuple() ? root->operands[i] : root;
      const Literal& wanted = want->at(result->name);
      if ((*got)[i].BitwiseEqual(wanted)) continue;
      return absl::StrCat("result ", i, " has other bits", WhereBitsDiffer((*got)[i], wanted));
    }
    return "";
  }

 private:
  static std::string WhereBitsDiffer(const Literal& got, const Literal& want) {
    if (hlo::BitWidth(want.shape().element_type()) > 64) return "";
    for (int64_t i = 0; i < want.shape().NumElements(); ++i) {
      if (got.GetBits(i) == want.GetBits(i)) continue;
      return absl::StrCat(": at ", i, " ", absl::Hex(got.GetBits(i)), ", not ",
                          absl::Hex(want.GetBits(i)));
    }
    return "";
  }

  absl::StatusOr<std::vector<Literal>> Run(const Program& program) {
    if (!client_.ok()) return client_.status();
    auto executable = (*client_)->Compile(*program.module);
    if (!executable.ok()) return executable.status();
    return (*executable)->RunLiterals(program.arguments);
  }

  const ClientOptions options_;
  absl::StatusOr<std::unique_ptr<Client>> client_;
};

class Differential : public ::testing::TestWithParam<std::pair<const char*, int>> {};

// Checks programs, which `make` makes from seeds: one for every `share` of those that the test's
// parameter asks for on its target.
void CheckPrograms(std::pair<const char*, int> target_and_count, int share,
                   std::unique_ptr<hlo::Module> (*make)(uint32_t seed), bool bits = false) {
  const std::string target = target_and_count.first;
  ClientOptions options;
  options.target = target;
  options.use_cache = false;
  Checker checker(options);
  if (!checker.status().ok()) GTEST_SKIP() << checker.status();
  const auto check = [&](const Program& program) {
    return bits ? checker.CheckBits(program) : checker.Check(program);
  };
  const int count = AskedPrograms(target, target_and_count.second / share, share);
  int first = 1, failures = 0;
  if (const char* asked = getenv("HALYARD_RANDOM_SEED")) first = atoi(asked);
  for (int seed = first; seed < first + count && failures < 3; ++seed) {
    Program program{make(seed), {}};
    const absl::Status valid = hlo::VerifyModule(*program.module);
    ASSERT_TRUE(valid.ok()) << "seed " << seed << ": " << valid << "\n" << ToText(program);
    program.arguments =
        bits ? RandomBits(*program.module, seed) : RandomArguments(*program.module, seed);
    if (getenv("HALYARD_RANDOM_PRINT") != nullptr) std::cout << ToText(program) << std::endl;
    const std::string wrong = check(program);
    if (wrong.empty()) continue;
    ++failures;
    const Program small = Minimize(program, [&](const Program& p) { return !check(p).empty(); });
    ADD_FAILURE() << target << ", seed " << seed << ": " << wrong << "\nSmallest: " << check(small)
                  << "\n"
                  << ToText(small);
  }
  std::cout << target << ": " << count << " programs, " << failures << " differ\n";
}

TEST_P(Differential, AgreesWithTheEvaluator) { CheckPrograms(GetParam(), 1, RandomProgram); }

// There are fewer of these, because they are larger.
TEST_P(Differential, ProductsAgreeWithTheEvaluator) {
  CheckPrograms(GetParam(), 5, RandomProductProgram);
}

TEST_P(Differential, LayersAgreeWithTheEvaluator) {
  CheckPrograms(GetParam(), 5, RandomLayersProgram);
}

TEST_P(Differential, RowsAgreeWithTheEvaluator) { CheckPrograms(GetParam(), 5, RandomRowsProgram); }

TEST_P(Differential, LoopsAgreeWithTheEvaluator) {
  CheckPrograms(GetParam(), 5, RandomLoopsProgram);
}

TEST_P(Differential, IndicesAgreeWithTheEvaluator) {
  CheckPrograms(GetParam(), 5, RandomIndicesProgram);
}

TEST_P(Differential, MovesKeepEveryBit) {
  CheckPrograms(GetParam(), 5, RandomMovesProgram, /*bits=*/true);
}

// Programs to which random ones were reduced. Each shows a former bug.
const char* const kFound[] = {
    // Results of narrow products were stored in the wide type of their sums.
    "ENTRY e { a = bf16[1,4,2] parameter(0) b = bf16[4,2,1] parameter(1) ROOT c = bf16[1,4,2] "
    "convolution(a, b), window={size=1 stride=2 lhs_dilate=2}, dim_labels=bf0_oi0->bf0, "
    "feature_group_count=2 }",
    // One kernel has real and complex outputs.
    "ENTRY e { one = c128[] constant((1, 0)) p = c128[4] parameter(0) m = c128[4] clamp(p, p, one) "
    "n "
    "= c128[4] clamp(p, m, m) x = f32[4] convert(m) y = f32[4] convert(n) ROOT t = (f32[4], "
    "f32[4]) "
    "tuple(y, x) }",
    // An update without elements, on GPUs.
    "ENTRY e { u = f32[1,1,0] parameter(0) i = s64[] constant(5) p = f32[4,5,3] parameter(1) ROOT "
    "d "
    "= f32[4,5,3] dynamic-update-slice(p, u, i, i, i) }",
    // Halide did not know the bounds of unsigned indices.
    "ENTRY e { p = f64[3] parameter(0) i = u32[2,1] parameter(1) g = f64[2] gather(p, i), "
    "offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
    "slice_sizes={1} one = f64[] constant(1) q = f64[4] pad(g, one), padding=0_1_1 ROOT b = "
    "bf16[4,4] bitcast-convert(q) }",
    "ENTRY e { p = f64[100000] parameter(0) i = u64[2,1] parameter(1) ROOT g = f64[2] gather(p, "
    "i), "
    "offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
    "slice_sizes={1} }",
    // Reductions over no dimension in a fusion of rows.
    "ENTRY e { a = bf16[3] parameter(0) b = bf16[3] parameter(1) t = (bf16[3], bf16[3], bf16[3]) "
    "batch-norm-training(a, a, b), epsilon=0.5, feature_index=0 ROOT r = bf16[3] "
    "get-tuple-element(t), index=2 }",
    // Halide's bounds inference took exponential time.
    "ENTRY e { p = u64[2] parameter(0) r = (u64[2], s32[]) rng-bit-generator(p), "
    "algorithm=rng_three_fry ROOT g = s32[] get-tuple-element(r), index=1 }",
    "ENTRY e { p = u64[2] parameter(0) q = u64[2] parameter(1) r = (u64[2], s32[2,1]) "
    "rng-bit-generator(p), algorithm=rng_philox g = u64[2] get-tuple-element(r), index=0 ROOT w = "
    "u64[2] power(g, q) }",
    // Host code that read the condition skipped a stage that only one side of a select needs.
    "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) } ENTRY e { p = "
    "f32[700] parameter(0) q = pred[] parameter(1) r = f32[] parameter(2) z = f32[] constant(0) d "
    "= "
    "f32[] reduce(p, z), dimensions={0}, to_apply=sum ROOT s = f32[] select(q, r, d) }",
    // Halide did not know the number of tiles of 13 rows.
    "ENTRY e { a = f32[3,4,7] parameter(0) b = f32[50,7,1,3] parameter(1) ROOT d = f32[3,50,1,4] "
    "dot(b, a), lhs_batch_dims={3}, rhs_batch_dims={0}, lhs_contracting_dims={1}, "
    "rhs_contracting_dims={2} }",
    // Comparisons of constants became booleans that SPIR-V cannot be given.
    "ENTRY e { p = bf16[5] parameter(0) c = c64[5] convert(p) low = c64[] constant((0, 0)) high = "
    "c64[] constant((1, 0)) ROOT r = c64[5] clamp(low, c, high) }",
    // Products without a sum have no pairs of terms.
    "ENTRY e { a = s32[2] parameter(0) b = s32[3,4] parameter(1) ROOT d = s32[3,4,2] dot(b, a), "
    "lhs_batch_dims={}, rhs_batch_dims={}, lhs_contracting_dims={}, rhs_contracting_dims={} }",
    // Padding times NaN is NaN, but the evaluator left padding out.
    "ENTRY e { x = f32[1,3,1] parameter(0) p = f32[2,1,1] parameter(1) n = f32[2,1,1] "
    "constant({{{nan}}, {{1}}}) k = f32[2,1,1] add(p, n) ROOT c = f32[1,3,1] convolution(x, k), "
    "window={size=2 pad=1_0}, dim_labels=b0f_0io->b0f }",
    // Two neighbouring lanes became an arithmetic progression of floats: a, a + (b - a).
    "least { a = f64[] parameter(0) b = f64[] parameter(1) ROOT m = f64[] minimum(a, b) } ENTRY e "
    "{ p = f64[3] parameter(0) i = f64[] constant(inf) ROOT r = f64[2] reduce-window(p, i), "
    "window={size=3 stride=3 pad=1_2 lhs_dilate=2}, to_apply=least }",
    // The condition of a single update went into the GPU's host code.
    "least { x = f64[] parameter(0) y = f64[] parameter(1) ROOT m = f64[] minimum(x, y) } ENTRY e "
    "{ u "
    "= f64[1] parameter(0) i = u8[1,1] parameter(1) p = f64[1] parameter(2) ROOT s = f64[1] "
    "scatter(p, i, u), index_vector_dim=1, update_window_dims={}, inserted_window_dims={0}, "
    "scatter_dims_to_operand_dims={0}, to_apply=least }",
    // Real products have complex results: templates took the parts for the fastest axis.
    "ENTRY e { x = f64[9,5] parameter(0) k = f64[9,16] parameter(1) h = f64[16,5] convolution(x, "
    "k), dim_labels=fb_io->fb c = c128[16,5] complex(h, h) ROOT r = c128[16,5] negate(c) }",
    "ENTRY e { x = f64[5,3,6,15,6] parameter(0) k = f64[17,15,3,3,3] parameter(1) h = "
    "f64[17,4,1,5,5] convolution(x, k), window={size=3x3x3 pad=1_0x0_0x0_0}, "
    "dim_labels=b21f0_oi012->f120b c = c128[17,4,1,5,5] complex(h, h) p = c128[17,4,1,5,5] "
    "parameter(2) ROOT r = c128[17,4,1,5,5] add(c, p) }",
    "ENTRY e { x = f64[30,9,5] parameter(0) k = f64[15,2,9] parameter(1) h = f64[5,15,28] "
    "convolution(x, k), window={size=2 rhs_dilate=2}, dim_labels=0fb_o0i->bf0 ROOT c = "
    "c128[5,15,28] complex(h, h) }",
    // Halide makes one conversion of float to s32 to s8 to u8, which has no negative numbers.
    "ENTRY e { x = f32[8,256] parameter(0) w = s8[256,64] parameter(1) c = s8[8,256] convert(x) "
    "ROOT d = s32[8,64] dot(c, w), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
    // Conversions of known values wrap: Halide believed that it knew their signs, and left out
    // clamps.
    "ENTRY e { x = f32[10,10,10] parameter(0) i = u32[3] constant({4294967295, 2147483648, 3}) c = "
    "s32[3] convert(i) s = s32[3,1] reshape(c) ROOT g = f32[10,10,3] gather(x, s), "
    "offset_dims={0,1}, collapsed_slice_dims={2}, start_index_map={2}, index_vector_dim=1, "
    "slice_sizes={10,10,1} }",
    "ENTRY e { x = f32[10,10,10] parameter(0) i = u32[3] constant({4294967295, 2147483648, 3}) o = "
    "u32[] constant(5) b = u32[3] broadcast(o), dimensions={} m = u32[3] maximum(i, b) c = s32[3] "
    "convert(m) s = s32[3,1] reshape(c) ROOT g = f32[10,10,3] gather(x, s), offset_dims={0,1}, "
    "collapsed_slice_dims={2}, start_index_map={2}, index_vector_dim=1, slice_sizes={10,10,1} }",
    "ENTRY e { x = u32[9] parameter(0) m = u32[] constant(4026531840) b = u32[9] broadcast(m), "
    "dimensions={} o = u32[9] maximum(x, b) c = s32[9] convert(o) z = s32[] constant(0) y = s32[9] "
    "broadcast(z), dimensions={} ROOT r = pred[9] compare(c, y), direction=LT }",
    "ENTRY e { x = s64[9] parameter(0) m = s64[] constant(68719476735) b = s64[9] broadcast(m), "
    "dimensions={} o = s64[9] maximum(x, b) c = s32[9] convert(o) z = s32[] constant(7) y = s32[9] "
    "broadcast(z), dimensions={} ROOT r = s32[9] minimum(c, y) }",
    // One step of a sum and a part of a second: barriers ended up inside a condition on the lane.
    "ENTRY e { p = bf16[2,12,15,5] parameter(0) c = bf16[5,1,24,1] parameter(1) ROOT r = "
    "bf16[2,12,15,24] convolution(p, c), window={size=1x1}, dim_labels=b01f_i0o1->b01f }",
    // Complex products.
    "ENTRY e { x = c64[1,20,20,8] parameter(0) k = c64[3,3,8,16] parameter(1) ROOT c = "
    "c64[1,20,20,16] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f "
    "}",
    "ENTRY e { x = c64[65,16] parameter(0) k = c64[16,9] parameter(1) ROOT c = c64[65,9] "
    "convolution(x, k), dim_labels=bf_io->bf }",
    // Unrolled loops make constants of indices. Halide looked at the difference of two, which
    // overflows.
    "ENTRY e { i = s32[3,7,4] iota(), iota_dimension=0 c = s32[] constant(2147483646) b = "
    "s32[3,7,4] broadcast(c), dimensions={} a = s32[3,7,4] add(i, b) d = s32[] constant(3) k = "
    "s32[3,7,4] broadcast(d), dimensions={} ROOT r = pred[3,7,4] compare(a, k), direction=EQ }",
    "ENTRY e { i = s64[8,7] iota(), iota_dimension=0 x = s64[1,2] slice(i), slice={[7:8], [1:5:2]} "
    "c = s64[] constant(-9223372036854775807) b = s64[1,2] broadcast(c), dimensions={} ROOT r = "
    "pred[1,2] compare(x, b), direction=LE }",
    "ENTRY e { i = s32[2,1] iota(), iota_dimension=1 x = s32[2,1] reverse(i), dimensions={0} c = "
    "s32[] constant(-2147483648) b = s32[2,1] broadcast(c), dimensions={} ROOT r = pred[2,1] "
    "compare(x, b), direction=LE }",
    // The outputs of rows have fewer dimensions than what is folded.
    "greater { a = s8[] parameter(0) b = s8[] parameter(1) ROOT m = s8[] maximum(a, b) } ENTRY e { "
    "p = s8[4,7,90] parameter(0) q = s8[4,7] parameter(1) b = s8[4,7,90] broadcast(q), "
    "dimensions={0,1} d = s8[4,7,90] subtract(p, b) s = s8[4,7,90] add(d, d) o = s8[] constant(-1) "
    "r = s8[4] reduce(s, o), dimensions={1,2}, to_apply=greater ROOT c = s8[4,7,90] broadcast(r), "
    "dimensions={0} }",
    // Whether a sum is needed was decided by a constant, which SPIR-V cannot be given.
    "sum { a = u32[] parameter(0) b = u32[] parameter(1) ROOT s = u32[] add(a, b) } ENTRY e { p = "
    "u32[] parameter(0) x = u32[27] parameter(1) z = u32[] constant(0) s = u32[] reduce(x, z), "
    "dimensions={0}, to_apply=sum ROOT r = u32[] divide(s, p) }",
};

TEST_P(Differential, WhatWasFoundStaysMended) {
  ClientOptions options;
  options.target = GetParam().first;
  options.use_cache = false;
  Checker checker(options);
  if (!checker.status().ok()) GTEST_SKIP() << checker.status();
  for (const char* text : kFound) {
    auto module = hlo_text::ParseModule(absl::StrCat("HloModule m\n", text), "found");
    ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
    Program program{*std::move(module), {}};
    program.arguments = RandomArguments(*program.module, 7);
    EXPECT_EQ(checker.Check(program), "") << text;
  }
}

// Products of narrow floats are those of f32, whose order is free.
TEST(Agreement, KnowsWhereNarrowProductsOverflow) {
  for (const auto& [factors, may_overflow] : {std::pair{20, false}, {26, true}}) {
    auto module = hlo_text::ParseModule(
        absl::StrCat(
            "HloModule m\nproduct { a = f16[] parameter(0) b = f16[] parameter(1) ROOT m = "
            "f16[] multiply(a, b) } ENTRY e { p = f16[",
            2 * factors, "] parameter(0) o = f16[] constant(1) ROOT r = f16[] ",
            "reduce(p, o), dimensions={0}, to_apply=product }"),
        "m");
    ASSERT_TRUE(module.ok()) << module.status();
    Literal argument((*module)->entry()->parameters()[0]->shape);
    for (int i = 0; i < factors; ++i) {
      argument.SetFloat(i, 32);
      argument.SetFloat(factors + i, 1.0 / 32);
    }
    auto agreement = Agreement::WithEvaluator({*std::move(module), {argument}});
    ASSERT_TRUE(agreement.ok()) << agreement.status();
    Literal infinite(hlo::Shape::Array(ElementType::kF16, {}));
    infinite.SetFloat(0, std::numeric_limits<double>::infinity());
    EXPECT_EQ(agreement->Check({infinite}, /*flushes=*/false) == "", may_overflow) << factors;
  }
}

// Fewer without $HALYARD_ALL_CASES (tests/sample.h).
int Programs(int all) { return AllCases() ? all : all * 3 / 5; }

INSTANTIATE_TEST_SUITE_P(All, Differential,
                         ::testing::Values(std::pair{"x86", Programs(150)},
                                           std::pair{"vulkan", Programs(150)},
                                           std::pair{"cuda", Programs(100)}),
                         [](const auto& info) { return info.param.first; });

}  // namespace
}  // namespace halyard::testing
