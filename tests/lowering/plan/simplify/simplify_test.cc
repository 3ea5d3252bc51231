#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "lowering/plan/compile_plan.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/steps/kernel_text.h"
#include "tests/lowering/plan/pass_modules.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;

// `body` is the text of the entry.
std::unique_ptr<hlo::Module> Entry(absl::string_view body) {
  return Parse(absl::StrCat("HloModule test\nENTRY main {\n", body, "\n}"));
}

std::unique_ptr<hlo::Module> Simplified(absl::string_view body) {
  std::unique_ptr<hlo::Module> module = Entry(body);
  EXPECT_TRUE(Simplify(*module).ok());
  EXPECT_TRUE(hlo::VerifyModule(*module).ok()) << hlo::VerifyModule(*module);
  return module;
}

TEST(Simplify, FoldsConstantsBesideSplats) {
  auto folded = Simplified(
      "i = u32[3] constant({4294967295, 5, 3})\n n = u32[] constant(10)\n"
      "b = u32[3] broadcast(n), dimensions={}\n s = u32[3] add(i, b)\n"
      "ROOT c = s32[3] convert(s)");
  ASSERT_EQ(folded->entry()->root()->opcode, Opcode::kConstant);
  EXPECT_EQ(folded->entry()->root()->literal.GetInt(0), 9);
  EXPECT_EQ(folded->entry()->root()->literal.GetInt(1), 15);
}

TEST(Simplify, FoldsConstantsUpToItsCap) {
  auto small = Simplified("a = f32[3] constant({1, 2, 3})\n ROOT b = f32[3] negate(a)");
  EXPECT_EQ(small->entry()->root()->opcode, Opcode::kConstant);
  EXPECT_EQ(small->entry()->root()->literal.GetFloat(2), -3);
  auto large = Simplified(
      "i = s32[200,200] iota(), iota_dimension=0\n j = s32[200,200] iota(), iota_dimension=1\n"
      "ROOT b = s32[200,200] add(i, j)");
  EXPECT_EQ(large->entry()->root()->opcode, Opcode::kAdd);
}

// Results are small, but each takes thousands of steps.
TEST(Simplify, DoesNotFoldWhatTakesLong) {
  // Returns the root of a body that is made of `count` constants x.
  auto root = [](int count, const char* type, const std::string& body) {
    std::vector<std::string> numbers;
    for (int i = 0; i < count; ++i) numbers.push_back(absl::StrCat(i * 7 % 61));
    auto module = Parse(absl::StrCat(
        "HloModule test\nadd { a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
        "ROOT c = s32[] add(a, b) }\nge { a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
        "ROOT c = pred[] compare(a, b), direction=GE }\nENTRY main {\nz = s32[] constant(0)\n",
        "x = ", type, "[", count, "] constant({", absl::StrJoin(numbers, ", "), "})\n", body,
        "\n}"));
    EXPECT_TRUE(Simplify(*module).ok());
    return module->entry()->root()->opcode;
  };
  auto windows = [&](int size) {
    return root(4096, "s32",
                absl::Substitute("ROOT r = s32[4096] reduce-window(x, z), "
                                 "window={size=$0 pad=$1_0}, to_apply=add",
                                 size, size - 1));
  };
  EXPECT_EQ(windows(1024), Opcode::kConstant);
  EXPECT_EQ(windows(1025), Opcode::kReduceWindow);
  auto convolution = [&](int size) {
    return root(
        4096, "s32",
        absl::Substitute("a = s32[1,4096,1] reshape(x)\n k = s32[$0] slice(x), slice={[0:$0]}\n"
                         "b = s32[$0,1,1] reshape(k)\n ROOT r = s32[1,4096,1] convolution(a, b), "
                         "window={size=$0 pad=$1_0}, dim_labels=b0f_0io->b0f",
                         size, size - 1));
  };
  EXPECT_EQ(convolution(1024), Opcode::kConstant);
  EXPECT_EQ(convolution(1025), Opcode::kConvolution);
  auto product = [&](int n, const char* type) {
    return root(n * n, type,
                absl::Substitute("a = $0[$1,$1] reshape(x)\n ROOT r = $0[$1,$1] dot(a, a), "
                                 "lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                                 type, n));
  };
  EXPECT_EQ(product(128, "s32"), Opcode::kConstant);
  EXPECT_EQ(product(256, "s8"), Opcode::kDot);
  EXPECT_EQ(root(4096, "s32",
                 "s = s32[2049] slice(x), slice={[0:2049]}\n ROOT r = s32[4096] "
                 "select-and-scatter(x, s, z), window={size=2048 pad=0_0}, select=ge, scatter=add"),
            Opcode::kSelectAndScatter);
}

TEST(Simplify, SplatConstantsStayBroadcasts) {
  auto module = Simplified(
      "x = f32[100] parameter(0)\n c = f32[] constant(2)\n d = f32[] constant(3)\n"
      "cb = f32[100] broadcast(c), dimensions={}\n db = f32[100] broadcast(d), dimensions={}\n"
      "p = f32[100] multiply(cb, db)\n ROOT r = f32[100] add(x, p)");
  EXPECT_EQ(module->entry()->instructions().size(), 4u) << hlo_text::Print(*module);
}

// These constants are larger than what is folded.
TEST(Simplify, CountedConstantsAreIotas) {
  std::vector<std::string> counted, other;
  for (int i = 0; i < 20; ++i) {
    counted.push_back(absl::StrCat(i - 7));
    other.push_back(absl::StrCat(i == 13 ? 0 : i - 7));
  }
  const auto body = [](const std::vector<std::string>& elements) {
    return absl::StrCat("x = s32[20,1000] parameter(0)\n c = s32[20] constant({",
                        absl::StrJoin(elements, ", "),
                        "})\n b = s32[20,1000] broadcast(c), dimensions={0}\n "
                        "ROOT y = s32[20,1000] multiply(x, b)");
  };
  const auto module = Simplified(body(counted));
  EXPECT_EQ(Count(*module, Opcode::kIota), 1);
  const std::vector<hlo::Literal> inputs = {[] {
    hlo::Literal x(hlo::Shape::Array(hlo::ElementType::kS32, {20, 1000}));
    for (int64_t i = 0; i < 20000; ++i) x.SetInt(i, i + 1);
    return x;
  }()};
  hlo::Evaluator evaluator;
  const auto got = evaluator.Run(*module, inputs),
             want = evaluator.Run(*Entry(body(counted)), inputs);
  ASSERT_TRUE(got.ok() && want.ok());
  EXPECT_TRUE(got->BitwiseEqual(*want));
  EXPECT_EQ(Count(*Simplified(body(other)), Opcode::kIota), 0);
}

TEST(Simplify, FloatZerosAreNotNeutral) {
  const auto root = [](const char* type, const char* op) {
    return Simplified(absl::Substitute("x = $0[4] parameter(0)\n z = $0[] constant(0)\n"
                                       "zb = $0[4] broadcast(z), dimensions={}\n"
                                       "ROOT r = $0[4] $1(x, zb)",
                                       type, op))
        ->entry()
        ->root()
        ->opcode;
  };
  EXPECT_EQ(root("f32", "add"), Opcode::kAdd);            // -0 + 0 is 0
  EXPECT_EQ(root("f32", "multiply"), Opcode::kMultiply);  // nan * 0 is nan
  EXPECT_EQ(root("s32", "add"), Opcode::kParameter);
}

// Its least number is a byte of zero, and it has no negative ones.
TEST(Simplify, KnowsThatF8E8M0FNUHasNoZero) {
  const auto padded = [](const char* type, const char* value) {
    return Count(*Simplified(absl::Substitute(
                     "x = $0[1,2,1] parameter(0)\n k = $0[2,1,1] parameter(1)\n"
                     "z = $0[] constant($1)\n p = $0[1,6,1] pad(x, z), padding=0_0x2_2x0_0\n"
                     "ROOT r = f32[1,5,1] convolution(p, k), window={size=2}, "
                     "dim_labels=b0f_0io->b0f",
                     type, value)),
                 Opcode::kPad);
  };
  EXPECT_EQ(padded("f8e8m0fnu", "5.8774717541114375e-39"), 1);
  EXPECT_EQ(padded("f8e5m2", "0"), 0);
  const auto negated = [](const char* type) {
    return Count(*Simplified(absl::Substitute("x = $0[4] parameter(0)\n n = $0[4] negate(x)\n"
                                              "ROOT r = $0[4] negate(n)",
                                              type)),
                 Opcode::kNegate);
  };
  EXPECT_EQ(negated("f8e8m0fnu"), 2);
  EXPECT_EQ(negated("f8e5m2"), 0);
}

TEST(Simplify, MovesThatUndoEachOther) {
  auto module = Simplified(
      "x = f32[2,3,4] parameter(0)\n t = f32[4,2,3] transpose(x), dimensions={2,0,1}\n"
      "u = f32[2,3,4] transpose(t), dimensions={1,2,0}\n r = f32[24] reshape(u)\n"
      "s = f32[2,3,4] reshape(r)\n ROOT c = f32[2,3,4] convert(s)");
  EXPECT_EQ(module->entry()->root()->opcode, Opcode::kParameter);
}

TEST(Simplify, ReshapesMoveBelowElementwise) {
  auto module = Simplified(
      "x = f32[6] parameter(0)\n y = f32[6] parameter(1)\n a = f32[6,1] reshape(x)\n"
      "b = f32[6,1] reshape(y)\n s = f32[6,1] add(a, b)\n e = f32[6,1] exponential(s)\n"
      "f = f32[6] reshape(e)\n ROOT r = f32[6,5] broadcast(f), dimensions={0}");
  EXPECT_EQ(Count(*module, Opcode::kReshape), 0) << hlo_text::Print(*module);
}

TEST(Simplify, TransposesBecomeDimensionsOfDots) {
  auto module = Simplified(
      "x = f32[5,3] parameter(0)\n y = f32[7,5] parameter(1)\n"
      "t = f32[3,5] transpose(x), dimensions={1,0}\n u = f32[5,7] transpose(y), dimensions={1,0}\n"
      "d = f32[3,7] dot(t, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "ROOT r = f32[7,3] transpose(d), dimensions={1,0}");
  EXPECT_EQ(Count(*module, Opcode::kTranspose), 0) << hlo_text::Print(*module);
}

// Dimensions of one element between a transpose and a product, as caches of attention have.
TEST(Simplify, ProductsReadReshapedTransposes) {
  auto module = Simplified(
      "k = f32[1,12,7,5] parameter(0)\n q = f32[12,1,5] parameter(1)\n"
      "t = f32[1,12,5,7] transpose(k), dimensions={0,1,3,2}\n r = f32[12,5,7] reshape(t)\n"
      "ROOT d = f32[12,1,7] dot(q, r), lhs_batch_dims={0}, rhs_batch_dims={0}, "
      "lhs_contracting_dims={2}, rhs_contracting_dims={1}");
  const Instruction* dot = module->entry()->root();
  EXPECT_EQ(dot->GetInts(Attr::kRhsContractingDims), hlo::Ints{2});
  EXPECT_EQ(dot->operand(1)->opcode, Opcode::kReshape);
  EXPECT_EQ(dot->operand(1)->operand(0)->opcode, Opcode::kParameter);
  // Dimensions of one element are added, between others and at both ends.
  module = Simplified(
      "x = f32[2,1,3,4] parameter(0)\n t = f32[4,2,1,3] transpose(x), dimensions={3,0,1,2}\n"
      "ROOT r = f32[1,4,1,2,3,1] reshape(t)");
  const Instruction* transpose = module->entry()->root();
  ASSERT_EQ(transpose->opcode, Opcode::kTranspose);
  EXPECT_EQ(transpose->operand(0)->opcode, Opcode::kReshape);
  const auto before = Entry(
      "x = f32[2,1,3,4] parameter(0)\n t = f32[4,2,1,3] transpose(x), dimensions={3,0,1,2}\n"
      "ROOT r = f32[1,4,1,2,3,1] reshape(t)");
  hlo::Literal x(before->entry()->parameters()[0]->shape);
  for (int64_t i = 0; i < x.shape().NumElements(); ++i) x.SetFloat(i, static_cast<double>(i));
  hlo::Evaluator evaluator;
  EXPECT_TRUE(evaluator.Run(*module, {x})->BitwiseEqual(*evaluator.Run(*before, {x})));
}

TEST(Simplify, ConvolutionsPadByThemselves) {
  std::string body =
      "x = f32[1,4,4,2] parameter(0)\n k = f32[3,3,2,3] parameter(1)\n z = f32[] constant(0)\n"
      "p = f32[1,6,5,2] pad(x, z), padding=0_0x1_1x-1_2x0_0\n"
      "ROOT c = f32[1,4,3,3] convolution(p, k), window={size=3x3}, dim_labels=b01f_01io->b01f";
  EXPECT_EQ(Count(*Simplified(body), Opcode::kPad), 0);
  ExpectPlanComputesTheSame(*Entry(body));
  body.replace(body.find("constant(0)"), 11, "constant(1)");
  EXPECT_EQ(Count(*Simplified(body), Opcode::kPad), 1);
  ExpectPlanComputesTheSame(*Entry(body));
}

// The convolution's own padding must not bring back what a pad has cropped.
TEST(Simplify, ConvolutionsOfSingleElementsAreDots) {
  auto result = [](absl::string_view convolution) {
    const std::unique_ptr<hlo::Module> module = Simplified(
        absl::Substitute("x = f32[2,5,6,7] parameter(0) w = f32[1,1,7,9] parameter(1) "
                         "v = f32[9,7,1,1] parameter(2) y = f32[7,2,5,6] parameter(3) ROOT r = $0",
                         convolution));
    return Count(*module, Opcode::kDot);
  };
  const std::string one = ", window={size=1x1}, dim_labels=";
  EXPECT_EQ(result("f32[2,5,6,9] convolution(x, w)" + one + "b01f_01io->b01f"), 1);
  EXPECT_EQ(result("f32[2,5,6,9] convolution(x, v)" + one + "b01f_oi01->b01f"), 1);
  // With another order of the result, another stride, or padding.
  EXPECT_EQ(result("f32[9,2,5,6] convolution(x, w)" + one + "b01f_01io->fb01"), 0);
  EXPECT_EQ(result("f32[2,3,3,9] convolution(x, w), window={size=1x1 stride=2x2}, "
                   "dim_labels=b01f_01io->b01f"),
            0);
  EXPECT_EQ(result("f32[2,6,6,9] convolution(x, w), window={size=1x1 pad=1_0x0_0}, "
                   "dim_labels=b01f_01io->b01f"),
            0);
}

TEST(Simplify, CroppedElementsStayAwayFromConvolutions) {
  struct Case {
    const char* pad;   // of the first spatial dimension, which has 4 elements
    const char* size;  // of the result in that dimension
    const char* window;
    const char* result;  // its size
    int pads_left;
  };
  const Case cases[] = {
      {"-1_0", "3", "size=2x1 pad=1_0x0_0", "3", 1},  // cropped, then padded at the same end
      {"0_-2", "2", "size=2x1 pad=0_1x0_0", "2", 1},
      {"-1_-1", "2", "size=2x1 pad=1_1x0_0", "3", 1},
      {"-3_5", "6", "size=2x1 pad=2_0x0_0", "7", 1},
      {"-1_0", "3", "size=2x1 pad=0_1x0_0", "3", 0},   // at the other end
      {"2_-1", "5", "size=2x1 pad=-1_0x0_0", "3", 0},  // padded, then cropped
      {"-1_0", "3", "size=2x1 pad=-1_0x0_0", "1", 0},  // cropped twice
      {"-1_1", "4", "size=2x1", "3", 0},
      {"1_0", "5", "size=2x1 pad=1_0x0_0", "5", 0},
      {"5_-6", "3", "size=2x1 pad=1_0x0_0", "3", 0},  // nothing remains of the array
      {"-1_0_1", "6", "size=2x1 pad=1_0x0_0", "6", 1},
      {"-1_0", "3", "size=2x1 pad=0_0x0_0 lhs_dilate=2x1", "4", 1},
      {"-1_0", "3", "size=2x1 pad=1_0x0_0 stride=2x1 rhs_reversal=1x0", "2", 1},
  };
  for (const Case& c : cases) {
    const std::string body = absl::StrCat(
        "x = f32[1,4,2,2] parameter(0)\n k = f32[2,1,2,3] parameter(1)\n z = f32[] constant(0)\n"
        "p = f32[1,",
        c.size, ",2,2] pad(x, z), padding=0_0x", c.pad,
        "x0_0x0_0\n"
        "ROOT c = f32[1,",
        c.result, ",2,3] convolution(p, k), window={", c.window, "}, dim_labels=b01f_01io->b01f");
    SCOPED_TRACE(body);
    EXPECT_EQ(Count(*Simplified(body), Opcode::kPad), c.pads_left);
    ExpectPlanComputesTheSame(*Entry(body));
  }
}

TEST(Simplify, MergesEqualInstructionsAndReducers) {
  auto module = Parse(R"(HloModule test
a {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
b {
  u = f32[] parameter(0)
  v = f32[] parameter(1)
  ROOT w = f32[] add(u, v)
}
ENTRY main {
  x = f32[4,4] parameter(0)
  z = f32[] constant(0)
  o = f32[] constant(0)
  r = f32[4] reduce(x, z), dimensions={0}, to_apply=a
  s = f32[4] reduce(x, o), dimensions={0}, to_apply=b
  ROOT t = f32[4] multiply(r, s)
})");
  ASSERT_TRUE(Simplify(*module).ok());
  EXPECT_EQ(Count(*module, Opcode::kReduce), 1);
  EXPECT_EQ(module->computations().size(), 2u);
}

// Returns the trip count of `for (i = start; i DIRECTION bound; i = i OP step)`, or -1.
int64_t TripCountOf(absl::string_view type, absl::string_view start, absl::string_view direction,
                    absl::string_view bound, absl::string_view op, absl::string_view step) {
  std::string text = absl::StrCat(R"(HloModule test
body {
  p = (T[]) parameter(0)
  i = T[] get-tuple-element(p), index=0
  s = T[] constant()",
                                  step, R"()
  j = T[] )",
                                  op, R"((i, s)
  ROOT t = (T[]) tuple(j)
}
cond {
  p = (T[]) parameter(0)
  i = T[] get-tuple-element(p), index=0
  b = T[] constant()",
                                  bound, R"()
  ROOT c = pred[] compare(i, b), direction=)",
                                  direction, R"(
}
ENTRY main {
  z = T[] constant()",
                                  start, R"()
  t = (T[]) tuple(z)
  ROOT w = (T[]) while(t), condition=cond, body=body
})");
  auto module = Parse(absl::StrReplaceAll(text, {{"T[]", absl::StrCat(type, "[]")}}));
  if (module == nullptr) return -2;
  EXPECT_TRUE(AnalyzeLoops(*module).ok());
  return module->entry()->root()->GetInt(Attr::kKnownTripCount, -1);
}

// Kernels cannot count these positions. Each is legal, and the evaluator accepts it.
TEST(CheckWindows, RefusesWhat32BitsCannotIndex) {
  constexpr absl::string_view kReduceWindow =
      "x = f32[8] parameter(0)\n z = f32[] constant(0)\n"
      "ROOT y = f32[$0] reduce-window(x, z), window={$1}, to_apply=add";
  constexpr absl::string_view kConvolution =
      "x = f32[1,8,1] parameter(0)\n k = f32[$2,1,1] parameter(1)\n"
      "ROOT y = f32[1,$0,1] convolution(x, k), window={$1}, dim_labels=b0f_0io->b0f";
  constexpr absl::string_view kSelect =
      "x = f32[8] parameter(0)\n s = f32[$0] parameter(1)\n z = f32[] constant(0)\n"
      "ROOT y = f32[8] select-and-scatter(x, s, z), window={$1}, select=ge, scatter=add";
  constexpr absl::string_view kPad =
      "x = f32[$2] parameter(0)\n z = f32[] constant(0)\n"
      "ROOT y = f32[$0] pad(x, z), padding=$1";
  struct Case {
    absl::string_view text;
    int64_t results;
    absl::string_view attribute;
    int64_t size;  // of the kernel or of the operand
    bool fits;
  };
  const Case cases[] = {
      {kReduceWindow, 1, "size=1 stride=2147483648", 0, false},
      {kReduceWindow, 1, "size=1 stride=2147483647", 0, true},
      {kReduceWindow, 8, "size=1 pad=4294967296_-4294967296", 0, false},
      {kReduceWindow, 1, "size=1 stride=4294967296 lhs_dilate=4294967296 pad=0_-30064771072", 0,
       false},
      {kReduceWindow, 2, "size=8 stride=1073741824 lhs_dilate=1073741824 pad=0_-5368709120", 0,
       false},
      {kReduceWindow, 8, "size=2 pad=4294967296_0 rhs_dilate=4294967296", 0, false},
      // None of its numbers is large, but the place of the last element is.
      {kReduceWindow, 8, "size=1 stride=1000000000 lhs_dilate=1000000000", 0, false},
      {kConvolution, 1, "size=1 stride=2147483648", 1, false},
      {kConvolution, 8, "size=2 pad=4294967296_0 rhs_dilate=4294967296", 2, false},
      {kConvolution, 8, "size=1 stride=1000000000 lhs_dilate=1000000000", 1, false},
      {kConvolution, 8, "size=3 pad=1_1", 3, true},
      {kSelect, 1, "size=8 stride=2147483648", 0, false},
      {kSelect, 1, "size=8 stride=2147483647", 0, true},
      {kPad, 1, "0_0_2147483647", 1, false},
      {kPad, 1, "0_0_2147483646", 1, true},
      {kPad, 8, "4294967296_-4294967296", 8, false},
      {kPad, 8, "-4294967296_4294967296", 8, false},
      {kPad, 7, "0_-7000000001_1000000000", 8, false},
  };
  for (const Case& c : cases) {
    const std::string body = absl::Substitute(c.text, c.results, c.attribute, c.size);
    auto module = hlo_text::ParseModule(
        absl::StrCat("HloModule test\nadd { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
                     "ROOT c = f32[] add(a, b) }\nge { a = f32[] parameter(0)\n"
                     "b = f32[] parameter(1)\n ROOT c = pred[] compare(a, b), direction=GE }\n"
                     "ENTRY main {\n",
                     body, "\n}"),
        "windows.hlo");
    ASSERT_TRUE(module.ok()) << module.status() << "\n" << body;
    const absl::Status status = CheckWindows(**module);
    EXPECT_EQ(status.ok(), c.fits) << body << "\n" << status;
    if (status.ok()) continue;
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    EXPECT_TRUE(absl::StartsWith(status.message(), "windows.hlo:")) << status;
    EXPECT_TRUE(absl::EndsWith(status.message(), "kernels index with 32 bits")) << status;
    EXPECT_FALSE(PlanProgram(**module, {}).ok()) << body;
  }
}

TEST(AnalyzeLoops, CountsWithoutWrapping) {
  EXPECT_EQ(TripCountOf("s32", "0", "LT", "10", "add", "1"), 10);
  EXPECT_EQ(TripCountOf("s32", "0", "LT", "10", "add", "3"), 4);
  EXPECT_EQ(TripCountOf("s32", "0", "LE", "9", "add", "3"), 4);
  EXPECT_EQ(TripCountOf("s32", "10", "GT", "0", "add", "-3"), 4);
  EXPECT_EQ(TripCountOf("s32", "10", "GE", "0", "subtract", "5"), 3);
  EXPECT_EQ(TripCountOf("s32", "0", "NE", "12", "add", "4"), 3);
  EXPECT_EQ(TripCountOf("s32", "0", "NE", "13", "add", "4"), -1);
  EXPECT_EQ(TripCountOf("s32", "5", "LT", "5", "add", "1"), 0);
  EXPECT_EQ(TripCountOf("s32", "0", "LT", "10", "add", "0"), -1);
  EXPECT_EQ(TripCountOf("s32", "0", "LT", "10", "add", "-1"), -1);
  EXPECT_EQ(TripCountOf("s32", "0", "EQ", "0", "add", "1"), 1);
  EXPECT_EQ(TripCountOf("s32", "0", "LT", "10", "multiply", "1"), -1);
  EXPECT_EQ(TripCountOf("s8", "0", "LE", "127", "add", "1"), -1);
  EXPECT_EQ(TripCountOf("s8", "100", "LT", "120", "add", "50"), -1);
  EXPECT_EQ(TripCountOf("u8", "0", "LT", "255", "add", "1"), 255);
}

TEST(CollapseDimensions, MergesWhatNoOpTellsApart) {
  auto module = Parse(R"(HloModule test
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
ENTRY main {
  x = f32[2,3,1,4,5] parameter(0)
  b = f32[4,5] parameter(1)
  bb = f32[2,3,1,4,5] broadcast(b), dimensions={3,4}
  s = f32[2,3,1,4,5] add(x, bb)
  z = f32[] constant(0)
  ROOT r = f32[2,3,1] reduce(s, z), dimensions={3,4}, to_apply=add
})");
  ASSERT_TRUE(CollapseDimensions(*module).ok());
  ASSERT_TRUE(hlo::VerifyModule(*module).ok()) << hlo::VerifyModule(*module);
  const auto& parameters = module->entry()->parameters();
  EXPECT_EQ(parameters[0]->shape.dims(), (std::vector<int64_t>{6, 20}));
  EXPECT_EQ(parameters[1]->shape.dims(), (std::vector<int64_t>{20}));
  EXPECT_EQ(module->entry()->root()->shape.dims(), (std::vector<int64_t>{6}));
}

TEST(CollapseDimensions, KeepsWhatOpsName) {
  auto module = Entry(
      "x = f32[2,3,4] parameter(0)\n i = f32[2,3,4] iota(), iota_dimension=1\n"
      "s = f32[2,3,4] add(x, i)\n r = f32[2,3,4] reverse(s), dimensions={2}\n"
      "ROOT t = f32[4,2,3] transpose(r), dimensions={2,0,1}");
  ASSERT_TRUE(CollapseDimensions(*module).ok());
  ASSERT_TRUE(hlo::VerifyModule(*module).ok()) << hlo::VerifyModule(*module);
  EXPECT_EQ(module->entry()->root()->shape.dims(), (std::vector<int64_t>{4, 2, 3}));
}

// The dimension of one element, which the product keeps, joins its neighbour.
TEST(CollapseDimensions, ReversesNoNeighbourOfADimensionOfOneElement) {
  auto module = Entry(
      "x = f32[1,5,7] parameter(0)\n w = f32[7,3] parameter(1)\n"
      "r = f32[1,5,7] reverse(x), dimensions={0,2}\n"
      "ROOT d = f32[1,5,3] dot(r, w), lhs_contracting_dims={2}, rhs_contracting_dims={0}");
  ASSERT_TRUE(CollapseDimensions(*module).ok());
  ASSERT_TRUE(hlo::VerifyModule(*module).ok()) << hlo::VerifyModule(*module);
  const Instruction* dot = module->entry()->root();
  ASSERT_EQ(dot->opcode, Opcode::kDot);
  ASSERT_EQ(dot->operand(0)->opcode, Opcode::kReverse);
  EXPECT_EQ(dot->operand(0)->shape.dims(), (std::vector<int64_t>{5, 7}));
  EXPECT_EQ(dot->operand(0)->GetInts(Attr::kDimensions), (hlo::Ints{1}));

  module = Entry(
      "x = f32[1,5,7] parameter(0)\n w = f32[7,3] parameter(1)\n"
      "r = f32[1,5,7] reverse(x), dimensions={0}\n"
      "ROOT d = f32[1,5,3] dot(r, w), lhs_contracting_dims={2}, rhs_contracting_dims={0}");
  ASSERT_TRUE(CollapseDimensions(*module).ok());
  EXPECT_EQ(module->entry()->root()->operand(0)->opcode, Opcode::kParameter);
}

TEST(RemoveDeadState, DropsWhatNothingNeeds) {
  auto module = Parse(kCounted);
  // The result of the loop's array is not used any more.
  Instruction* root = module->entry()->root();
  root->attrs.Set(Attr::kIndex, int64_t{0});
  root->shape = root->operand(0)->shape.elements()[0];
  ASSERT_TRUE(RemoveDeadState(*module).ok());
  ASSERT_TRUE(hlo::VerifyModule(*module).ok()) << hlo::VerifyModule(*module);
  EXPECT_EQ(module->entry()->root()->operand(0)->shape.elements().size(), 2u);
  EXPECT_EQ(Count(*module, Opcode::kTanh), 0);
}

}  // namespace
}  // namespace halyard::lowering
