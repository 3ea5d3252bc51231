// Tests programs that serve a range of sizes: for every size, they must compute what the program of
// that size computes, whatever lies behind the valid elements of their arguments.
#include "lowering/plan/sizes/pad_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "tests/lowering/plan/sizes/sized_programs.h"

namespace halyard::lowering {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Module;
using hlo::Shape;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::unique_ptr<Module> Parsed(const std::string& text) {
  absl::StatusOr<std::unique_ptr<Module>> module = hlo_text::ParseModule(text, "p.hlo");
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << text;
  return module.ok() ? *std::move(module) : nullptr;
}

Literal RandomLiteral(const Shape& shape, std::mt19937& random) {
  Literal literal(shape);
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    const int64_t value = static_cast<int64_t>(random() % 17) - 8;
    if (hlo::IsFloat(shape.element_type())) {
      literal.SetFloat(i, static_cast<double>(value) / 2);
    } else {
      literal.SetInt(i, value);
    }
  }
  return literal;
}

// Copies the elements that both have from one array to another of other sizes.
void CopyCommon(const Literal& from, Literal* to) {
  const Shape &a = from.shape(), &b = to->shape();
  const std::vector<int64_t> a_strides = a.Strides(), b_strides = b.Strides();
  for (int64_t i = 0; i < b.NumElements(); ++i) {
    int64_t at = 0;
    bool inside = true;
    for (int64_t d = 0; d < b.rank(); ++d) {
      const int64_t index = i / b_strides[d] % b.dim(d);
      inside = inside && index < a.dim(d);
      at += index * a_strides[d];
    }
    if (inside) to->CopyElement(i, from, at);
  }
}

// What lies behind the valid elements: NaN, or the extremes of a type.
Literal Padded(const Literal& valid, const Shape& shape, std::mt19937& random) {
  Literal literal(shape);
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    const bool odd = random() % 2 == 0;
    if (hlo::IsFloat(shape.element_type())) {
      literal.SetFloat(i, random() % 3 == 0
                              ? std::numeric_limits<double>::quiet_NaN()
                              : (odd ? -1 : 1) * std::numeric_limits<double>::infinity());
    } else if (shape.element_type() == ElementType::kPred) {
      literal.SetInt(i, odd ? 1 : 0);
    } else {
      literal.SetInt(i, odd ? INT32_MAX : INT32_MIN);
    }
  }
  CopyCommon(valid, &literal);
  return literal;
}

// Zeros may differ in sign: the evaluator's products of other sizes begin with another zero.
bool SameNumbers(const Literal& got, const Literal& want) {
  for (int64_t i = 0; i < want.shape().NumElements(); ++i) {
    if (got.GetBits(i) == want.GetBits(i)) continue;
    const double a = got.GetAsDouble(i), b = want.GetAsDouble(i);
    const bool same = hlo::IsFloat(want.shape().element_type()) && (a == b || (a != a && b != b));
    if (!same) return false;
  }
  return true;
}

// Returns what is wrong with one size, or "".
std::string CheckSize(const PaddedProgram& padded, const Module& wanted, int64_t combination,
                      const std::vector<int64_t>& sizes, std::mt19937& random) {
  hlo::Evaluator evaluator;
  std::vector<Literal> valid, arguments;
  for (const hlo::Instruction* parameter : wanted.entry()->parameters())
    valid.push_back(RandomLiteral(parameter->shape, random));
  absl::StatusOr<Literal> want = evaluator.Run(wanted, valid);
  if (!want.ok()) return absl::StrCat("the program: ", want.status().ToString());
  for (size_t i = 0; i < valid.size(); ++i) {
    arguments.push_back(Padded(valid[i], padded.module->entry()->parameters()[i]->shape, random));
  }
  for (const int64_t size : sizes)
    arguments.push_back(Literal::FromValues<int64_t>(ElementType::kS32, {}, {size}));
  absl::StatusOr<Literal> got = evaluator.Run(*padded.module, arguments);
  if (!got.ok()) return absl::StrCat("padded: ", got.status().ToString());
  for (size_t leaf = 0; leaf < want->elements().size(); ++leaf) {
    const Literal& expected = want->elements()[leaf];
    for (int64_t d = 0; d < expected.shape().rank(); ++d) {
      if (padded.results[leaf][static_cast<size_t>(d)][static_cast<size_t>(combination)] !=
          expected.shape().dim(d))
        return absl::StrCat("result ", leaf, " has another size");
    }
    Literal cut(expected.shape());
    CopyCommon(got->elements()[leaf], &cut);
    if (SameNumbers(cut, expected)) continue;
    return absl::StrCat("result ", leaf, " is ", cut.ToString(), ", not ", expected.ToString());
  }
  return "";
}

MakeStatic FromTexts(const std::vector<std::string>& texts, int64_t low) {
  return [texts, low](const std::vector<int64_t>& sizes) {
    return hlo_text::ParseModule(texts[static_cast<size_t>(sizes[0] - low)], "p.hlo");
  };
}

// Returns what is wrong, or "". Counts the ops of the program, and refusals.
std::string Check(const std::vector<std::string>& texts, int64_t low, uint32_t seed,
                  std::map<std::string, int>* counts) {
  const int64_t high = low + static_cast<int64_t>(texts.size()) - 1;
  const SizeBox box{{"n"}, {low}, {high}};
  absl::StatusOr<PaddedProgram> padded = PadProgram(box, FromTexts(texts, low));
  if (!padded.ok()) {
    ++(*counts)[padded.status().code() == absl::StatusCode::kUnimplemented ? "refused" : "failed"];
    return padded.status().code() == absl::StatusCode::kUnimplemented ? ""
                                                                      : padded.status().ToString();
  }
  std::mt19937 random(seed);
  for (int64_t size = low; size <= high; ++size) {
    const std::unique_ptr<Module> wanted = Parsed(texts[static_cast<size_t>(size - low)]);
    if (wanted == nullptr) return "not parsed";
    const std::string wrong = CheckSize(*padded, *wanted, size - low, {size}, random);
    if (!wrong.empty()) return absl::StrCat("size ", size, ": ", wrong);
  }
  const std::unique_ptr<Module> largest = Parsed(texts.back());
  for (const auto& inst : largest->entry()->instructions())
    ++(*counts)[std::string(hlo::RowOf(inst->opcode).hlo_name)];
  return "";
}

TEST(PadProgram, RandomProgramsComputeTheSameForEverySize) {
  std::map<std::string, int> counts;
  const uint32_t programs = getenv("HALYARD_NIGHTLY") != nullptr ? 20000 : 1200;
  int failures = 0;
  for (uint32_t seed = 1; seed <= programs && failures < 4; ++seed) {
    const int64_t low = seed % 3 == 0 ? 2 : 5, high = low + (seed % 3 == 0 ? 2 : 4);
    const std::vector<std::string> texts = testing::SizedProgramMaker(low, high, seed).Make(8);
    const std::string wrong = Check(texts, low, seed, &counts);
    if (wrong.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << wrong << "\n" << texts.back();
  }
  for (const char* op : {"reduce", "dot", "convolution", "reduce-window", "sort", "gather",
                         "scatter", "dynamic-slice", "dynamic-update-slice", "reverse", "pad",
                         "concatenate", "slice", "reshape", "while", "iota", "constant"}) {
    EXPECT_GT(counts[op], static_cast<int>(programs / 50)) << op;
  }
  EXPECT_LT(counts["refused"], static_cast<int>(programs / 8));
  std::cout << counts["refused"] << " of " << programs << " programs are refused\n";
}

// Replaces N by the size, M by the size less 1, and D by twice the size.
std::vector<std::string> ForSizes(const std::string& text, int64_t low, int64_t high) {
  std::vector<std::string> texts;
  for (int64_t size = low; size <= high; ++size) {
    texts.push_back(absl::StrReplaceAll(text, {{"$N", absl::StrCat(size)},
                                               {"$M", absl::StrCat(size - 1)},
                                               {"$D", absl::StrCat(2 * size)}}));
  }
  return texts;
}

std::string ErrorOf(const std::string& text) {
  const SizeBox box{{"n"}, {3}, {6}};
  absl::StatusOr<PaddedProgram> padded = PadProgram(box, FromTexts(ForSizes(text, 3, 6), 3));
  return padded.ok() ? "" : padded.status().ToString();
}

// Checks a program that has rules, with different arguments.
void ExpectRight(const std::string& text, int64_t low, int64_t high) {
  std::map<std::string, int> counts;
  for (uint32_t seed = 1; seed <= 12; ++seed)
    EXPECT_EQ(Check(ForSizes(text, low, high), low, seed, &counts), "") << seed << "\n" << text;
  EXPECT_EQ(counts["refused"], 0) << text;
}

// Windows begin before the array, reach behind it, and are as long as it is. The second text takes
// the updates of a place in the order of the vectors, of which there are two dimensions.
TEST(PadProgram, WindowsOfScattersAreUpdatedElementByElement) {
  const std::string add =
      "HloModule m\nadd { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }"
      "\nlast { a = f32[] parameter(0) ROOT b = f32[] parameter(1) }\nENTRY e {\n";
  ExpectRight(add + R"(x = f32[12] parameter(0) i = s32[$N,1] parameter(1)
  u = f32[$N,4] parameter(2)
  r = f32[12] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
  ROOT t = (f32[12]) tuple(r) })",
              3, 6);
  ExpectRight(add + R"(x = f32[$N,2] parameter(0) i = s16[2,$N,3] parameter(1)
  u = f32[$N,2,$N,3] parameter(2)
  r = f32[$N,2] scatter(x, i, u), update_window_dims={0,1}, inserted_window_dims={},
    scatter_dims_to_operand_dims={1,0}, index_vector_dim=0, to_apply=last
  ROOT t = (f32[$N,2]) tuple(r) })",
              3, 6);
  ExpectRight(add + R"(x = f32[$N] parameter(0) i = u64[1] parameter(1)
  u = f32[1,3] parameter(2)
  r = f32[$N] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
  ROOT t = (f32[$N]) tuple(r) })",
              3, 6);
  ExpectRight(add + R"(x = f32[3,$N] parameter(0) i = s32[3,2] parameter(1)
  u = f32[3,$M,2] parameter(2)
  r = f32[3,$N] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={},
    input_batching_dims={0}, scatter_indices_batching_dims={0},
    scatter_dims_to_operand_dims={1}, index_vector_dim=2, to_apply=add
  ROOT t = (f32[3,$N]) tuple(r) })",
              3, 6);
}

TEST(PadProgram, LargeUnsignedIndicesAreBehindTheArray) {
  ExpectRight(R"(HloModule m
ENTRY e {
  x = f32[$N] parameter(0)
  i = u64[] parameter(1)
  j = u64[3,1] parameter(2)
  u = f32[2] parameter(3)
  s = f32[1] dynamic-slice(x, i), dynamic_slice_sizes={1}
  d = f32[$N] dynamic-update-slice(x, u, i)
  g = f32[3,2] gather(x, j), offset_dims={1}, collapsed_slice_dims={}, start_index_map={0},
    index_vector_dim=1, slice_sizes={2}
  ROOT r = (f32[1], f32[$N], f32[3,2]) tuple(s, d, g)
})",
              3, 6);
}

TEST(PadProgram, TwoVariables) {
  const std::string text = R"(HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT }
ENTRY e {
  x = f32[$A,$B] parameter(0)
  z = f32[] constant(0)
  t = f32[] reduce(x, z), dimensions={0,1}, to_apply=add
  c = f32[] constant($C)
  m = f32[] divide(t, c)
  l = f32[$C] reshape(x)
  s = f32[$C] sort(l), dimensions={0}, to_apply=less
  ROOT r = (f32[], f32[$C]) tuple(m, s)
})";
  const auto text_for = [&](const std::vector<int64_t>& sizes) {
    return absl::StrReplaceAll(text, {{"$A", absl::StrCat(sizes[0])},
                                      {"$B", absl::StrCat(sizes[1])},
                                      {"$C", absl::StrCat(sizes[0] * sizes[1])}});
  };
  const SizeBox box{{"a", "b"}, {2, 3}, {4, 5}};
  absl::StatusOr<PaddedProgram> padded = PadProgram(
      box, [&](const auto& sizes) { return hlo_text::ParseModule(text_for(sizes), "p.hlo"); });
  ASSERT_TRUE(padded.ok()) << padded.status();
  std::mt19937 random(1);
  for (int64_t i = 0; i < box.Count(); ++i) {
    const std::unique_ptr<Module> wanted = Parsed(text_for(box.At(i)));
    EXPECT_EQ(CheckSize(*padded, *wanted, i, box.At(i), random), "") << box.Text(i);
  }
}

TEST(PadProgram, WhatHasNoRuleIsALocatedError) {
  EXPECT_THAT(ErrorOf(R"(HloModule m
ENTRY e {
  x = f32[$N,$N] parameter(0)
  ROOT r = f32[$N,$N] cholesky(x), lower=true
})"),
              AllOf(HasSubstr("p.hlo:4:"), HasSubstr("cholesky"),
                    HasSubstr("cannot be computed for a range of sizes")));
  EXPECT_THAT(ErrorOf(R"(HloModule m
ENTRY e {
  x = u64[2] parameter(0)
  ROOT r = (u64[2], u32[$N]) rng-bit-generator(x), algorithm=rng_three_fry
})"),
              HasSubstr("there is no rule for rng-bit-generator of variable sizes"));
  EXPECT_THAT(ErrorOf(R"(HloModule m
ENTRY e {
  x = c64[$N] parameter(0)
  ROOT r = c64[$N] fft(x), fft_type=FFT, fft_length={$N}
})"),
              HasSubstr("fft"));
  EXPECT_THAT(ErrorOf(R"(HloModule m
ENTRY e {
  x = f32[2,3,5] parameter(0)
  k = f32[$N,3,1] parameter(1)
  kk = f32[$D,3,1] concatenate(k, k), dimensions={0}
  ROOT r = f32[$D,1,5] convolution(x, kk), window={size=1}, dim_labels=bf0_oi0->fb0,
    batch_group_count=2
})"),
              HasSubstr("a dimension that is cut into groups has a variable size"));
  EXPECT_THAT(ErrorOf(R"(HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] constant($N) d = f32[] add(a, b)
  ROOT r = f32[] multiply(d, c) }
ENTRY e {
  x = f32[4] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=add
})"),
              HasSubstr("the computation that it calls uses a variable size"));
}

TEST(PadProgram, OtherProgramsForSomeSizesAreErrors) {
  const std::vector<std::string> texts = {
      "HloModule m\nENTRY e {\n  x = f32[3] parameter(0)\n  ROOT r = f32[3] negate(x)\n}",
      "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  ROOT r = f32[4] abs(x)\n}"};
  absl::StatusOr<PaddedProgram> padded = PadProgram({{"n"}, {3}, {4}}, FromTexts(texts, 3));
  EXPECT_THAT(padded.status().ToString(),
              AllOf(HasSubstr("p.hlo:4:"), HasSubstr("with n=3 than with n=4")));
  const std::vector<std::string> smaller = ForSizes(
      "HloModule m\nENTRY e {\n  x = f32[$N] parameter(0)\n  ROOT r = f32[6] pad(x, z), "
      "padding=0_0\n z = f32[] constant(0)\n}",
      3, 4);
  EXPECT_FALSE(PadProgram({{"n"}, {3}, {4}}, FromTexts(smaller, 3)).ok());
}

// One size needs no masks.
TEST(PadProgram, OneSizeIsTheProgramItself) {
  const std::vector<std::string> texts = ForSizes(R"(HloModule m
ENTRY e {
  x = f32[$N,$N] parameter(0)
  ROOT r = f32[$N,$N] cholesky(x), lower=true
})",
                                                  4, 4);
  absl::StatusOr<PaddedProgram> padded = PadProgram({{"n"}, {4}, {4}}, FromTexts(texts, 4));
  ASSERT_TRUE(padded.ok()) << padded.status();
  EXPECT_EQ(padded->module->entry()->num_parameters(), 2);
}

}  // namespace
}  // namespace halyard::lowering
