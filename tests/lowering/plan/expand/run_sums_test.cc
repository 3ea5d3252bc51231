// Sums of many updates of one place: no sum is longer than a chunk or a block, whatever the places,
// and plans compute what the evaluator does.
#include "lowering/plan/expand/run_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "lowering/plan/passes.h"
#include "tests/lowering/plan/plan_checks.h"
#include "tests/lowering/plan/plan_interpreter.h"

namespace halyard::lowering {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

constexpr int64_t kPlaces = 9;

PlanOptions GpuOptions() {
  PlanOptions options = VulkanOptions();
  options.device.software = false;
  return options;
}

// `vectors` updates of scalars, or of rows if `row` is not empty ("3,2").
std::string Program(const std::string& op, const std::string& type, int64_t vectors,
                    const std::string& row = "", const std::string& more = "") {
  const std::string rest = row.empty() ? "" : "," + row;
  std::string windows;
  for (int64_t d = 1; d <= std::count(rest.begin(), rest.end(), ','); ++d)
    absl::StrAppend(&windows, d > 1 ? "," : "", d);
  return absl::StrReplaceAll(
      R"(HloModule m
f { x = TYPE[] parameter(0) y = TYPE[] parameter(1) ROOT z = TYPE[] OP(x, y) }
ENTRY e {
  a = TYPE[9REST] parameter(0)
  i = s32[VECTORS] parameter(1)
  u = TYPE[VECTORSREST] parameter(2)
  ROOT r = TYPE[9REST] scatter(a, i, u), update_window_dims={WINDOWS}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, MOREto_apply=f
}
)",
      {{"TYPE", type},
       {"OP", op},
       {"REST", rest},
       {"VECTORS", absl::StrCat(vectors)},
       {"WINDOWS", windows},
       {"MORE", more}});
}

using PlaceOf = std::function<int64_t(int64_t)>;

const std::map<std::string, PlaceOf>& Spreads() {
  static const auto* spreads = new std::map<std::string, PlaceOf>{
      {"AllAtOnePlace", [](int64_t) { return 4; }},
      {"None", [](int64_t i) { return i % 2 == 0 ? -3 : kPlaces; }},
      {"Alternating", [](int64_t i) { return i % 2 == 0 ? 8 : 0; }},
      {"Even", [](int64_t i) { return i % kPlaces; }},
      {"OneAmongMany", [](int64_t i) { return i == 700 ? 3 : 5; }},
      // Runs that begin and end beside the ends of chunks.
      {"BesideChunks", [](int64_t i) { return i <= 127   ? 0
                                              : i <= 128 ? 1
                                              : i < 384  ? 2
                                                         : 6; }},
      {"SomeOutside", [](int64_t i) { return i % 300 - 140 < 7 ? i % 300 - 140 : 7; }},
  };
  return *spreads;
}

Literal Places(int64_t vectors, const PlaceOf& place, bool sorted = false) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < vectors; ++i) values.push_back(place(i));
  if (sorted) std::sort(values.begin(), values.end());
  return Literal::FromValues<int64_t>(ElementType::kS32, {vectors}, values);
}

// The number of updates that the sorted scatter has for the fullest place, and the terms of the
// longest reduction.
struct Longest {
  int64_t updates = 0, terms = 0;
};
Longest LongestSums(const std::string& text, const Literal& places) {
  Longest longest;
  const auto module = Parse(text);
  if (module == nullptr) return longest;
  const absl::Status grouped = GroupScatters(*module, GpuOptions().device);
  EXPECT_TRUE(grouped.ok()) << grouped;
  std::vector<Literal> arguments;
  for (const hlo::Instruction* parameter : module->entry()->parameters())
    arguments.emplace_back(parameter->shape);
  arguments[1] = places;
  for (const auto& inst : module->entry()->instructions()) {
    if (inst->opcode == Opcode::kReduce) {
      for (int64_t d : inst->GetInts(hlo::Attr::kDimensions))
        longest.terms = std::max(longest.terms, inst->operand(0)->shape.dim(d));
    }
    if (inst->opcode != Opcode::kScatter) continue;
    EXPECT_TRUE(inst->GetBool(hlo::Attr::kIndicesAreSorted));
    hlo::Evaluator evaluator;
    module->entry()->set_root(inst->operands[1]);
    absl::StatusOr<Literal> indices = evaluator.Run(*module, arguments);
    EXPECT_TRUE(indices.ok()) << indices.status();
    if (!indices.ok()) return longest;
    const int64_t columns = indices->shape().dims().back();
    std::map<int64_t, int64_t> count;
    std::vector<int64_t> before;
    for (int64_t i = 0; i < indices->shape().NumElements() / columns; ++i) {
      std::vector<int64_t> at;
      for (int64_t c = 0; c < columns; ++c) at.push_back(indices->GetInt(i * columns + c));
      EXPECT_TRUE(before <= at) << "not in order at " << i;
      before = at;
      if (columns > 1 && at[1] != 0) continue;
      if (at[0] < 0 || at[0] >= kPlaces) continue;
      longest.updates = std::max(longest.updates, ++count[at[0]]);
    }
  }
  return longest;
}

TEST(RunSums, NoSumIsLong) {
  for (const auto& [name, place] : Spreads()) {
    for (int64_t vectors : {8192, 8193, 70001}) {
      for (bool sorted : {false, true}) {
        const Longest longest = LongestSums(
            Program("add", "f32", vectors, "", sorted ? "indices_are_sorted=true, " : ""),
            Places(vectors, place, sorted));
        EXPECT_LE(longest.updates, kRunChunk) << name << " " << vectors << " " << sorted;
        EXPECT_LE(longest.terms, kRunBlock) << name << " " << vectors << " " << sorted;
        EXPECT_GE(longest.terms, kRunChunk) << name << " " << vectors << " " << sorted;
      }
    }
  }
}

// Returns the plan's results and the evaluator's, which has no chunks.
void Compare(const std::string& text, const std::vector<Literal>& arguments,
             const std::string& what) {
  const auto module = Parse(text);
  ASSERT_NE(module, nullptr);
  hlo::Evaluator evaluator;
  absl::StatusOr<Literal> want = evaluator.Run(*module, arguments);
  ASSERT_TRUE(want.ok()) << want.status();
  for (bool fuse : {true, false}) {
    PlanOptions options = GpuOptions();
    options.fuse = fuse;
    const ProgramSpec spec = PlanOf(*module, options);
    bool sums = false;
    for (const ProgramSpec::Kernel& kernel : spec.kernels)
      sums = sums || absl::StrContains(kernel.request, " reduce(");
    EXPECT_TRUE(sums) << what << "\n" << DescribePlan(spec);
    absl::StatusOr<std::vector<Literal>> got = InterpretPlan(spec, arguments);
    ASSERT_TRUE(got.ok()) << what << ": " << got.status() << "\n" << DescribePlan(spec);
    EXPECT_TRUE((*got)[0].BitwiseEqual(*want)) << what << "\n"
                                               << (*got)[0].ToString() << "\n"
                                               << want->ToString();
  }
}

// Whole numbers, whose sums are exact in every type.
Literal Whole(const std::string& type, std::vector<int64_t> dims, int64_t modulus) {
  ElementType element = hlo::ElementTypeFromHloName(type).value();
  Literal literal(Shape::Array(element, std::move(dims)));
  for (int64_t i = 0; i < literal.shape().NumElements(); ++i) {
    const int64_t value = i * 7919 % modulus - modulus / 2;
    hlo::IsFloat(element) ? literal.SetFloat(i, static_cast<double>(value))
                          : literal.SetInt(i, value);
  }
  return literal;
}

TEST(RunSums, EveryTypeAndOp) {
  for (const char* type : {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"}) {
    for (const char* op : {"add", "multiply", "minimum", "maximum", "and", "or", "xor"}) {
      Compare(Program(op, type, 8200),
              {Whole(type, {kPlaces}, 250), Places(8200, Spreads().at("SomeOutside")),
               Whole(type, {8200}, 251)},
              absl::StrCat(type, " ", op));
    }
  }
  for (const char* type : {"bf16", "f16", "f32", "f64"}) {
    for (const char* op : {"add", "minimum", "maximum", "multiply"}) {
      Compare(Program(op, type, 8200),
              {Whole(type, {kPlaces}, 3), Places(8200, Spreads().at("SomeOutside")),
               Whole(type, {8200}, 3)},
              absl::StrCat(type, " ", op));
    }
  }
  for (const char* op : {"and", "or", "xor"}) {
    Compare(
        Program(op, "pred", 8200),
        {Whole("pred", {kPlaces}, 2), Places(8200, Spreads().at("Even")), Whole("pred", {8200}, 3)},
        absl::StrCat("pred ", op));
  }
}

TEST(RunSums, EverySpread) {
  for (const auto& [name, place] : Spreads()) {
    Compare(Program("add", "f32", 8321),
            {Whole("f32", {kPlaces}, 100), Places(8321, place), Whole("f32", {8321}, 91)}, name);
    Compare(Program("add", "f32", 8320, "", "indices_are_sorted=true, "),
            {Whole("f32", {kPlaces}, 100), Places(8320, place, true), Whole("f32", {8320}, 91)},
            name + " sorted");
    Compare(
        Program("add", "s32", 8192, "3,4"),
        {Whole("s32", {kPlaces, 3, 4}, 100), Places(8192, place), Whole("s32", {8192, 3, 4}, 5000)},
        name + " rows");
  }
  Compare(Program("add", "s16", 8300, "3"),
          {Whole("s16", {kPlaces, 3}, 100), Places(8300, Spreads().at("Alternating")),
           Whole("s16", {8300, 3}, 5000)},
          "short rows");
  Compare(
      Program("maximum", "f32", 8300, "2", "indices_are_sorted=true, "),
      {Whole("f32", {kPlaces, 2}, 100), Places(8300, Spreads().at("Alternating"), /*sorted=*/true),
       Whole("f32", {8300, 2}, 5000)},
      "sorted rows");
  Compare(Program("add", "s32", 70001),
          {Whole("s32", {kPlaces}, 100), Places(70001, Spreads().at("OneAmongMany")),
           Whole("s32", {70001}, 60007)},
          "chunks of chunks");
}

TEST(RunSums, SpecialValues) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr int64_t kVectors = 8200;
  for (const char* type : {"bf16", "f32", "f64"}) {
    for (const char* op : {"add", "minimum", "maximum"}) {
      Literal input = Whole(type, {kPlaces}, 1), updates = Whole(type, {kVectors}, 1);
      for (int64_t i = 0; i < kPlaces; ++i) input.SetFloat(i, -0.0);
      for (int64_t i = 0; i < kVectors; ++i) {
        const int64_t place = i % kPlaces;
        // Place 0 has -0 alone, 1 an infinity, 2 one of either sign, 3 a NaN, 4 a single +0.
        updates.SetFloat(i, -0.0);
        if (place == 1 && i > 5000) updates.SetFloat(i, infinity);
        if (place == 2 && i > 5000) updates.SetFloat(i, i > 7000 ? -infinity : infinity);
        if (place == 3 && i > 4000 && i < 4010) updates.SetFloat(i, nan);
        if (place == 4 && i > 4000 && i < 4010) updates.SetFloat(i, 0.0);
      }
      Compare(Program(op, type, kVectors), {input, Places(kVectors, Spreads().at("Even")), updates},
              absl::StrCat(type, " ", op));
    }
  }
}

// What has to be done in order, stays so: bodies that are not associative, and floats without an
// infinity.
TEST(RunSums, OnlyWhatMayBeGrouped) {
  const Literal places = Places(8192, Spreads().at("AllAtOnePlace"));
  EXPECT_EQ(LongestSums(Program("subtract", "f32", 8192), places).updates, 8192);
  EXPECT_EQ(LongestSums(Program("power", "f32", 8192), places).updates, 8192);
  EXPECT_EQ(LongestSums(Program("add", "f8e4m3fn", 8192), places).updates, 8192);
  EXPECT_EQ(LongestSums(Program("add", "f8e4m3fn", 8192), places).terms, 0);
}

}  // namespace
}  // namespace halyard::lowering
