// Operations, regions, functions, names.
#include "tests/frontend/mlir/reading.h"

namespace halyard::mlir {
namespace {

TEST(Operations, GenericForm) {
  Reading reading(R"(
%r:2, %s = "d.pair"() {n = 1 : i32} : () -> (tensor<f32>, tensor<i1>, tensor<f32>)
"d.use"(%r#1, %s, %r#0) <{p = true}> ({
^bb0(%x: tensor<f32>, %y: tensor<i1>):
  %z = "d.inner"(%x, %r#0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "d.return"(%z) : (tensor<f32>) -> ()
}, {
}) {q = "s"} : (tensor<i1>, tensor<f32>, tensor<f32>) -> () loc("here")
)");
  ASSERT_EQ(reading.error, "");
  const Operation& pair = *reading.op(0);
  const Operation& use = *reading.op(1);
  EXPECT_EQ(pair.results.size(), 3u);
  EXPECT_EQ(use.name, "d.use");
  EXPECT_EQ(use.operands[0], pair.results[1].get());
  EXPECT_EQ(use.operands[1], pair.results[2].get());
  EXPECT_TRUE(use.Attr("p")->boolean);
  EXPECT_EQ(use.Attr("q")->text, "s");
  ASSERT_EQ(use.regions.size(), 2u);
  const Block& block = *use.regions[0].blocks[0];
  EXPECT_EQ(block.label, "bb0");
  EXPECT_EQ(block.operations[0]->operands[0], block.arguments[0].get());
  EXPECT_EQ(block.operations[0]->operands[1], pair.results[0].get());
  EXPECT_TRUE(use.regions[1].blocks.empty());
  EXPECT_EQ(reading.document->source.Describe(use.offset), "f.mlir:3:1");
}

TEST(Operations, ModulesAndFunctions) {
  Reading reading(R"(// a comment
module @m attributes {k = 1 : i64} {
  func.func public @main(%arg0: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %1: tensor<i1>)
      -> (tensor<2xf32> {jax.result_info = "r"}, tensor<i1>) attributes {x} {
    %0:2 = call @helper(%arg0, %1) : (tensor<2xf32>, tensor<i1>) -> (tensor<2xf32>, tensor<i1>)
    return %0#0, %0#1 : tensor<2xf32>, tensor<i1>
  }
  func.func private @helper(%arg0: tensor<2xf32>, %arg1: tensor<i1>) -> (tensor<2xf32>, tensor<i1>) {
    func.return %arg0, %arg1 : tensor<2xf32>, tensor<i1>
  }
  func.func private @declared(tensor<f32>) -> tensor<f32>
  func.func @no_brackets() -> tensor<f32>, tensor<f32> { "d.stop"() : () -> () }
}
)");
  ASSERT_EQ(reading.error, "");
  const Operation& module = *reading.op();
  EXPECT_EQ(module.Attr("sym_name")->text, "m");
  EXPECT_EQ(module.Attr("k")->integer, 1);
  const auto& functions = module.regions[0].blocks[0]->operations;
  ASSERT_EQ(functions.size(), 4u);
  const Operation& main = *functions[0];
  EXPECT_EQ(main.Attr("sym_visibility")->text, "public");
  EXPECT_EQ(ToString(*main.Attr("function_type")),
            "(tensor<2xf32>, tensor<i1>) -> (tensor<2xf32>, tensor<i1>)");
  EXPECT_EQ(Find(main.Attr("arg_attrs")->elements[0]->entries, "tf.aliasing_output")->integer, 0);
  EXPECT_EQ(main.regions[0].blocks[0]->operations[0]->Attr("callee")->text, "helper");
  EXPECT_TRUE(functions[2]->regions[0].blocks.empty());
  EXPECT_EQ(functions[3]->Attr("function_type")->type->results.size(), 2u);
}

TEST(Operations, NamesAreScoped) {
  // Functions do not see names of other functions, and sibling regions may use the same names.
  Reading reading(R"(
func.func @f(%a: tensor<f32>) { "d.op"() ({ %b = "d.x"() : () -> i1 }, { %b = "d.x"() : () -> i1 }) : () -> () return }
func.func @g(%a: tensor<f32>) { return }
)");
  EXPECT_EQ(reading.error, "");
}

struct Wrong {
  const char* text;
  const char* error;
};
class WrongOperation : public testing::TestWithParam<Wrong> {};

TEST_P(WrongOperation, IsALocatedError) {
  EXPECT_EQ(Reading(GetParam().text).error, GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Operations, WrongOperation,
    testing::Values(
        Wrong{"d.op %x", "f.mlir:1:1: error: unknown operation 'd.op'"},
        Wrong{"\"d.op\"(%x) : (i1) -> ()",
              "f.mlir:1:8: error: '%x' is not defined before this use"},
        Wrong{"%x = \"d.op\"() : () -> i1\n%x = \"d.op\"() : () -> i1",
              "f.mlir:2:1: error: '%x' is already defined at f.mlir:1:1"},
        Wrong{"%x:3 = \"d.op\"() : () -> (i1, i1)", "f.mlir:1:1: error: 'd.op' has only 2 results"},
        Wrong{"%x = \"d.op\"() : () -> (i1, i1)",
              "f.mlir:1:6: error: 'd.op' has 2 results but 1 are named"},
        Wrong{"%x = \"d.op\"() : () -> i1\n\"d.op\"(%x#1) : (i1) -> ()",
              "f.mlir:2:8: error: '%x' has 1 results, and no #1"},
        Wrong{"%x = \"d.op\"() : () -> i1\n\"d.op\"(%x) : (i2) -> ()",
              "f.mlir:2:14: error: operand 0 ('%x') of 'd.op' has type i1, not i2"},
        Wrong{"%x = \"d.op\"() : () -> i1\n\"d.op\"(%x) : () -> ()",
              "f.mlir:2:14: error: 'd.op' has 1 operands but 0 operand types"},
        Wrong{
            "\"d.op\"()[^bb1] : () -> ()",
            "f.mlir:1:9: error: branches between blocks are not supported; expected ':', got '['"},
        Wrong{"\"d.op\"() ({", "f.mlir:1:12: error: expected an operation, but the text ends here"},
        Wrong{"\"d.op\"() {a = 1} {b = 2} : () -> ()", "f.mlir:1:18: error: expected ':', got '{'"},
        Wrong{"func.func @f(%a: i1, i1) { return }",
              "f.mlir:1:22: error: either all arguments have names or none, got 'i1'"},
        Wrong{"\"d.op\"() : () -> () \x01", "f.mlir:1:21: error: unexpected character '\\x01'"},
        Wrong{"\"d.op", "f.mlir:1:1: error: string without a closing quote"},
        Wrong{"%", "f.mlir:1:1: error: expected a name after '%'"},
        Wrong{"func.func @f(%a: i1) { func.func @g() { \"d.x\"(%a) : (i1) -> () } }",
              "f.mlir:1:47: error: '%a' is not defined before this use"}));

TEST(Operations, DeepNestingIsAnError) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "\"d.op\"() ({";
  EXPECT_NE(Reading(deep).error.find("nested more than 200 deep"), std::string::npos);
}

}  // namespace
}  // namespace halyard::mlir
