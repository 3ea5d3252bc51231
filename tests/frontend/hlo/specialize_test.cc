// Dynamic programs: made static for given shapes, cut where sizes depend on values, and evaluated
// directly.
#include "frontend/hlo/dynamic/specialize.h"

#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "frontend/stablehlo/stablehlo.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::hlo {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<Module> Parse(const std::string& text) {
  absl::StatusOr<std::unique_ptr<Module>> module = text.substr(0, 9) == "HloModule"
                                                       ? hlo_text::ParseModule(text, "p.hlo")
                                                       : stablehlo::ParseStableHlo(text, "p.mlir");
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? *std::move(module) : nullptr;
}

Literal Floats(std::vector<int64_t> dims, std::vector<double> values) {
  return Literal::FromValues<double>(ElementType::kF32, std::move(dims), values);
}
Literal Ints32(std::vector<int64_t> dims, std::vector<int64_t> values) {
  return Literal::FromValues<int64_t>(ElementType::kS32, std::move(dims), values);
}

// Returns the text of the static module for these shapes, or the error.
std::string Static(const std::string& text, const std::vector<Shape>& shapes) {
  std::unique_ptr<Module> module = Parse(text);
  if (module == nullptr) return "";
  absl::StatusOr<std::unique_ptr<Module>> made = SpecializeForShapes(*module, shapes);
  if (!made.ok()) return std::string(made.status().message());
  EXPECT_FALSE(NeedsSpecialization(**made));
  return hlo_text::Print(**made);
}

std::string Evaluated(const std::string& text, const std::vector<Literal>& arguments) {
  std::unique_ptr<Module> module = Parse(text);
  if (module == nullptr) return "";
  absl::StatusOr<std::unique_ptr<Module>> prepared = PrepareDynamic(*module);
  EXPECT_TRUE(prepared.ok()) << prepared.status();
  Evaluator evaluator;
  absl::StatusOr<Literal> result = evaluator.Run(**prepared, arguments);
  return result.ok() ? result->ToString() : std::string(result.status().message());
}

Shape F32(std::vector<int64_t> dims) { return Shape::Array(ElementType::kF32, std::move(dims)); }

constexpr char kAdd[] =
    R"(func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
})";

TEST(Specialize, TakesTheArgumentsShapes) {
  EXPECT_THAT(Static(kAdd, {F32({3, 4}), F32({3, 4})}), HasSubstr("f32[3,4] add("));
  EXPECT_THAT(Static(kAdd, {F32({3, 5}), F32({3, 4})}),
              HasSubstr("argument 0 is f32[3,5]; the program takes f32[?,4]"));
  EXPECT_THAT(Static(kAdd, {}), HasSubstr("the sizes of f32[?,4] are known when the program is"));
}

TEST(Specialize, SizesThatDifferAreErrorsAtTheOp) {
  const std::string error = Static(kAdd, {F32({3, 4}), F32({2, 4})});
  EXPECT_THAT(error, HasSubstr("p.mlir:2:"));
  EXPECT_THAT(error, HasSubstr("C1: operands must have the same type: f32[3,4] and f32[2,4]"));
  EXPECT_THAT(
      Evaluated(kAdd, {Floats({1, 4}, {1, 2, 3, 4}), Floats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})}),
      HasSubstr("p.mlir:2:"));
}

TEST(Specialize, StatedSizesMustBeThoseOfTheRun) {
  constexpr char kAbs[] = R"(func.func @main(%x: tensor<?xf32>) -> tensor<2xf32> {
  %0 = stablehlo.abs %x : (tensor<?xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
})";
  EXPECT_THAT(Static(kAbs, {F32({2})}), HasSubstr("f32[2] abs("));
  EXPECT_THAT(Static(kAbs, {F32({3})}),
              HasSubstr("C1: the result is f32[3] in this run; its type is f32[2]"));
  EXPECT_EQ(Evaluated(kAbs, {Floats({2}, {-1, 2})}), "{1, 2}");
  EXPECT_THAT(Evaluated(kAbs, {Floats({3}, {1, 2, 3})}), HasSubstr("its type is f32[2]"));
}

TEST(Specialize, AnnotationsAreTheirOperand) {
  constexpr char kText[] = R"(func.func @main(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = stablehlo.custom_call @LayoutConstraint(%x) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %1 = stablehlo.negate %0 : tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
})";
  EXPECT_THAT(Static(kText, {F32({3, 2})}),
              AllOf(HasSubstr("f32[3,2] negate("), Not(HasSubstr("custom-call"))));
  EXPECT_EQ(Evaluated(kText, {Floats({1, 2}, {1, 2})}), "{ {-1, -2} }");
}

// A shape computed from sizes is known.
constexpr char kRows[] = R"(func.func @main(%x: tensor<?x3xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %m = func.call @times(%n, %three) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %s = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %y = stablehlo.add %r, %i : tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func private @times(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.multiply %a, %b : tensor<i32>
  return %0 : tensor<i32>
})";

TEST(Specialize, ShapeArithmeticIsFolded) {
  const std::string text = Static(kRows, {F32({2, 3})});
  EXPECT_THAT(text, HasSubstr("f32[6] iota()"));
  EXPECT_THAT(text, Not(HasSubstr("multiply")));
  EXPECT_EQ(Evaluated(kRows, {Floats({2, 3}, {0, 1, 2, 3, 4, 5})}), "{0, 2, 4, 6, 8, 10}");
}

// Returns the ops of the static module for x of this shape, in order, "op:rank of the result".
std::string OpsOf(const std::string& text, const Shape& x, FoldedArrays folded) {
  std::unique_ptr<Module> module = Parse(text);
  if (module == nullptr) return "";
  absl::StatusOr<std::unique_ptr<Module>> made = SpecializeForShapes(*module, {x}, folded);
  if (!made.ok()) return std::string(made.status().message());
  std::string ops;
  for (const auto& inst : (*made)->entry()->instructions())
    absl::StrAppend(&ops, RowOf(inst->opcode).hlo_name, ":", inst->shape.rank(), " ");
  return ops;
}

// Some of these ops do nothing if n is 1 or 4, but are there for every n.
TEST(Specialize, OpsDoNotDependOnSizes) {
  constexpr char kText[] = R"(func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %t = stablehlo.concatenate %four, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %y = stablehlo.dynamic_reshape %x, %t : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<4x?xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %w = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x?xf32>, tensor<f32>) -> tensor<4xf32>
  %a = stablehlo.set_dimension_size %w, %n, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  %b = stablehlo.add %a, %w : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<4xf32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  %v = stablehlo.slice %w [0:1] : (tensor<4xf32>) -> tensor<1xf32>
  %c = stablehlo.dynamic_broadcast_in_dim %v, %n1, dims = [0] : (tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>
  %i = stablehlo.dynamic_iota %n1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %f = stablehlo.convert %i : (tensor<?xi32>) -> tensor<?xf32>
  %d = stablehlo.add %c, %f : tensor<?xf32>
  %r = stablehlo.concatenate %b, %d, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
})";
  const std::string ops = OpsOf(kText, F32({4, 4}), FoldedArrays::kOfStatedSizes);
  EXPECT_THAT(ops, AllOf(HasSubstr("iota:1 "), HasSubstr("reshape:2 "), Not(HasSubstr("error"))));
  for (const int64_t n : {1, 2, 3})
    EXPECT_EQ(OpsOf(kText, F32({n, 4}), FoldedArrays::kOfStatedSizes), ops) << n;
  EXPECT_THAT(OpsOf(kText, F32({4, 4}), FoldedArrays::kAll), Not(HasSubstr("iota")));
}

TEST(Specialize, AssertionsAreChecked) {
  constexpr char kText[] = R"(func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %c = stablehlo.constant dense<2> : tensor<i32>
  %ok = stablehlo.compare GE, %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %n) {error_message = "need 2 elements, have {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return %x : tensor<?xf32>
})";
  EXPECT_THAT(Static(kText, {F32({3})}), Not(HasSubstr("custom-call")));
  EXPECT_THAT(Static(kText, {F32({1})}), HasSubstr("need 2 elements, have 1"));
  EXPECT_THAT(Evaluated(kText, {Floats({1}, {1})}), HasSubstr("need 2 elements, have 1"));
}

// Returns the positive elements, moved to the front. Their number is only known after counting
// them.
constexpr char kFirst[] = R"(func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %zs = stablehlo.dynamic_broadcast_in_dim %z, %n1, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %p = stablehlo.compare GT, %x, %zs : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %q = stablehlo.convert %p : (tensor<?xi1>) -> tensor<?xi32>
  %count = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  %limit = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>
  %start = stablehlo.constant dense<0> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %r = stablehlo.real_dynamic_slice %x, %start, %limit, %one : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %r, %count : tensor<?xf32>, tensor<i32>
})";

TEST(Specialize, CutsWhereValuesDecide) {
  std::unique_ptr<Module> module = Parse(kFirst);
  absl::StatusOr<std::unique_ptr<Module>> prepared = PrepareDynamic(*module);
  ASSERT_TRUE(prepared.ok());
  absl::StatusOr<Specialization> made = Specialize(**prepared, {{F32({5}), std::nullopt}});
  ASSERT_TRUE(made.ok()) << made.status();
  ASSERT_NE(made->rest, nullptr);
  EXPECT_FALSE(NeedsSpecialization(*made->module));
  ASSERT_EQ(made->known.size(), 1);
  std::vector<KnownArgument> arguments;
  const std::vector<Shape>& values = made->module->entry()->root()->shape.elements();
  for (const Shape& shape : values) arguments.push_back({shape, std::nullopt});
  arguments[made->known[0]].value = Ints32({1}, {2});
  absl::StatusOr<Specialization> rest = Specialize(*made->rest, arguments);
  ASSERT_TRUE(rest.ok()) << rest.status();
  EXPECT_EQ(rest->rest, nullptr);
  EXPECT_EQ(rest->module->entry()->root()->shape.ToString(), "(f32[2], s32[])");
  arguments[made->known[0]].value = Ints32({1}, {7});
  EXPECT_THAT(std::string(Specialize(*made->rest, arguments).status().message()),
              HasSubstr("C3: slice [0:7] of dimension 0 is not within [0:5]"));
  EXPECT_EQ(Evaluated(kFirst, {Floats({4}, {3, -1, 2, 0})}), "({3, -1}, 2)");
}

// Doubles the array until it has ten elements, so the shape of the loop's state changes.
constexpr char kGrow[] = R"(func.func @main(%x: tensor<?xi32>) -> tensor<?xi32> {
  %r = stablehlo.while(%s = %x) : tensor<?xi32>
    cond {
      %n = stablehlo.get_dimension_size %s, dim = 0 : (tensor<?xi32>) -> tensor<i32>
      %ten = stablehlo.constant dense<10> : tensor<i32>
      %c = stablehlo.compare LT, %n, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %d = stablehlo.concatenate %s, %s, dim = 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      stablehlo.return %d : tensor<?xi32>
    }
  return %r : tensor<?xi32>
})";

TEST(Specialize, LoopsThatChangeShapesAreSteps) {
  std::unique_ptr<Module> module = Parse(kGrow);
  absl::StatusOr<std::unique_ptr<Module>> prepared = PrepareDynamic(*module);
  ASSERT_TRUE(prepared.ok());
  absl::StatusOr<Specialization> made =
      Specialize(**prepared, {{Shape::Array(ElementType::kS32, {3}), std::nullopt}});
  ASSERT_TRUE(made.ok()) << made.status();
  ASSERT_TRUE(made->step.has_value());
  EXPECT_EQ(made->step->opcode, Opcode::kWhile);
  EXPECT_EQ(made->step->programs.size(), 2);
  EXPECT_EQ(Evaluated(kGrow, {Ints32({3}, {1, 2, 3})}), "{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3}");
}

TEST(Specialize, BranchesThatAreNotTakenMayBeWrong) {
  constexpr char kText[] = R"(func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %c = stablehlo.constant dense<4> : tensor<i32>
  %p = stablehlo.compare GE, %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = "stablehlo.if"(%p) ({
    %s = stablehlo.slice %x [0:4] : (tensor<?xf32>) -> tensor<4xf32>
    %d = stablehlo.convert %s : (tensor<4xf32>) -> tensor<?xf32>
    stablehlo.return %d : tensor<?xf32>
  }, {
    stablehlo.return %x : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
})";
  EXPECT_THAT(Static(kText, {F32({6})}), HasSubstr("f32[4] slice("));
  EXPECT_THAT(Static(kText, {F32({2})}), Not(HasSubstr("slice(")));
  EXPECT_EQ(Evaluated(kText, {Floats({2}, {1, 2})}), "{1, 2}");
}

constexpr char kBounded[] = R"(HloModule m

add {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] add(a, b)
}

ENTRY e {
  x = s32[10] parameter(0)
  n = s32[] parameter(1)
  v = s32[<=10] set-dimension-size(x, n), dimensions={0}
  ones = s32[] constant(1)
  many = s32[10] broadcast(ones), dimensions={}
  w = s32[<=10] add(v, many)
  zero = s32[] constant(0)
  sum = s32[] reduce(w, zero), dimensions={0}, to_apply=add
  size = s32[] get-dimension-size(w), dimensions={0}
  ROOT r = (s32[], s32[], s32[<=10]) tuple(sum, size, w)
}
)";

TEST(Specialize, BoundedSizes) {
  const Literal x = Ints32({10}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  EXPECT_EQ(Evaluated(kBounded, {x, Ints32({}, {5})}), "(20, 5, {2, 3, 4, 5, 6})");
  EXPECT_EQ(Evaluated(kBounded, {x, Ints32({}, {0})}), "(0, 0, {})");
  EXPECT_THAT(Evaluated(kBounded, {x, Ints32({}, {11})}),
              HasSubstr("the size 11 of dimension 0 is not in [0, 10]"));
  EXPECT_THAT(Evaluated(kBounded, {x, Ints32({}, {-1})}), HasSubstr("is not in [0, 10]"));
}

// The type that a program states for set_dimension_size may be the operand's static type.
TEST(Specialize, StatedBoundsOfSetSizes) {
  constexpr char kText[] =
      R"(func.func @main(%x: tensor<10xi32>, %n: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %v = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<10xi32>, tensor<i32>) -> tensor<10xi32>
  %w = stablehlo.multiply %v, %v : tensor<10xi32>
  %f = stablehlo.convert %w : (tensor<10xi32>) -> tensor<10xf32>
  %i = stablehlo.convert %f : (tensor<10xf32>) -> tensor<10xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.reduce(%i init: %z) applies stablehlo.add across dimensions = [0] : (tensor<10xi32>, tensor<i32>) -> tensor<i32>
  %d = stablehlo.get_dimension_size %i, dim = 0 : (tensor<10xi32>) -> tensor<i32>
  return %s, %d : tensor<i32>, tensor<i32>
})";
  EXPECT_EQ(Evaluated(kText, {Ints32({10}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), Ints32({}, {3})}),
            "(14, 3)");
}

// Ops that are defined by other ops use constants of their operands' sizes.
TEST(Specialize, ConstantsOfAnySize) {
  constexpr char kText[] =
      R"(func.func @main(%x: tensor<?x2xf32>, %y: tensor<?xf32>) -> (tensor<?x2xf32>, tensor<?xf32>) {
  %a = chlo.sinh %x : tensor<?x2xf32> -> tensor<?x2xf32>
  %b = chlo.erf_inv %y : tensor<?xf32> -> tensor<?xf32>
  return %a, %b : tensor<?x2xf32>, tensor<?xf32>
})";
  EXPECT_THAT(Static(kText, {F32({3, 2}), F32({4})}), HasSubstr("(f32[3,2], f32[4]) tuple("));
  EXPECT_EQ(Evaluated(kText, {Floats({1, 2}, {0, 0}), Floats({3}, {0, 0, 0})}),
            "({ {0, 0} }, {0, 0, 0})");
  constexpr char kAlone[] = R"(HloModule m
ENTRY e {
  x = f32[] parameter(0)
  ROOT y = f32[?] broadcast(x), dimensions={}
}
)";
  EXPECT_THAT(Static(kAlone, {F32({})}), HasSubstr("is not known"));
  EXPECT_THAT(Evaluated(kAlone, {Floats({}, {1})}), HasSubstr("is not known"));
}

TEST(Specialize, FunctionsThatGrowWithoutEndAreRefused) {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    const std::string f = i == 0 ? "@main" : "private @f" + std::to_string(i);
    const std::string g = "@f" + std::to_string(i + 1);
    text += "func.func " + f + "(%x: tensor<?xf32>) -> tensor<?xf32> {\n  %0 = func.call " + g +
            "(%x) : (tensor<?xf32>) -> tensor<?xf32>\n  %1 = func.call " + g +
            "(%0) : (tensor<?xf32>) -> tensor<?xf32>\n  return %1 : tensor<?xf32>\n}\n";
  }
  text +=
      "func.func private @f60(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %0 = stablehlo.negate %x : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n";
  std::unique_ptr<Module> module = Parse(text);
  EXPECT_EQ(PrepareDynamic(*module).status().code(), absl::StatusCode::kResourceExhausted);
}

// The form in which JAX exports random bits of symbolic sizes.
TEST(Specialize, RandomBitsOfSizesInAnOperand) {
  const auto text = [](const std::string& algorithm, const std::string& sizes) {
    return "func.func @main(%key: tensor<2xui64>, %x: tensor<?xf32>, %n: tensor<2x" + sizes +
           ">) -> tensor<?x3xui32> {\n"
           "  %r:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%key, %n) "
           "{api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm " +
           algorithm + ">} : (tensor<2xui64>, tensor<2x" + sizes +
           ">) -> (tensor<2xui64>, tensor<?x3xui32>)\n"
           "  return %r#1 : tensor<?x3xui32>\n}";
  };
  const Literal key =
      Literal::FromValues<int64_t>(ElementType::kU64, {2}, std::vector<int64_t>{42, 43});
  const Literal x = Floats({1}, {0});
  for (const std::string algorithm : {"THREE_FRY", "PHILOX", "DEFAULT"}) {
    // Must equal the op whose sizes are in its type.
    const std::string fixed =
        "func.func @main(%key: tensor<2xui64>) -> tensor<2x3xui32> {\n"
        "  %s, %r = stablehlo.rng_bit_generator %key, algorithm = " +
        algorithm +
        " : (tensor<2xui64>) -> "
        "(tensor<2xui64>, tensor<2x3xui32>)\n"
        "  return %r : tensor<2x3xui32>\n}";
    const std::string want = Evaluated(fixed, {key});
    EXPECT_THAT(want, HasSubstr("{ {"));
    EXPECT_EQ(Evaluated(text(algorithm, "i32"), {key, x, Ints32({2}, {2, 3})}), want);
  }
  EXPECT_THAT(Evaluated(text("DEFAULT", "i32"), {key, x, Ints32({2}, {-1, 3})}),
              HasSubstr("the shape operand {-1,3} has a negative size"));
  EXPECT_THAT(Evaluated(text("DEFAULT", "i32"), {key, x, Ints32({2}, {2, 4})}),
              HasSubstr("its type is (u64[2], u32[?,3])"));
}

TEST(DynamicShapes, AreReadAndPrinted) {
  std::unique_ptr<Module> module = Parse(
      R"(func.func @main(%x: tensor<?x?x2xf32, #stablehlo.bounds<3, ?, ?>>) -> tensor<?x?x2xf32, #stablehlo.bounds<3, ?, ?>> {
  return %x : tensor<?x?x2xf32, #stablehlo.bounds<3, ?, ?>>
})");
  const std::string text = hlo_text::Print(*module);
  EXPECT_THAT(text, HasSubstr("f32[<=3,?,2]"));
  std::unique_ptr<Module> again = Parse(text);
  EXPECT_EQ(hlo_text::Print(*again), text);
  EXPECT_THAT(Static(text, {F32({4, 1, 2})}), HasSubstr("argument 0 is f32[4,1,2]"));
  EXPECT_THAT(Static(text, {F32({2, 7, 2})}), HasSubstr("f32[2,7,2]"));
}

}  // namespace
}  // namespace halyard::hlo
