// Forms that exporters write beyond StableHLO's own grammar: MHLO's names, nested modules,
// attributes of custom calls, accuracies, elided constants.
#include "frontend/hlo/ir/op_table.h"
#include "tests/frontend/stablehlo/evaluating.h"

namespace halyard::stablehlo {
namespace {

std::string ErrorOf(const std::string& text) {
  auto module = ParseStableHlo(text, "p.mlir");
  return module.ok() ? "" : std::string(module.status().message());
}

const hlo::Instruction* FindOp(const hlo::Module& module, hlo::Opcode opcode) {
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      if (inst->opcode == opcode) return inst.get();
    }
  }
  return nullptr;
}

TEST(Exporters, MhloIsReadAsStableHlo) {
  EXPECT_EQ(Evaluate(R"(
module @m attributes {mhlo.is_dynamic = false} {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<3xf32> {
    %0 = mhlo.constant dense<0.0> : tensor<f32>
    %1 = mhlo.reduce(%x init: %0) applies mhlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %2 = "mhlo.compare"(%1, %1) {comparison_direction = #mhlo<comparison_direction EQ>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %3 = "mhlo.select"(%2, %1, %1) : (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %4 = "mhlo.dot_general"(%3, %x) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
    %5 = "mhlo.broadcast_in_dim"(%4) {broadcast_dimensions = dense<0> : tensor<1xi64>} : (tensor<2xf32>) -> tensor<2x3xf32>
    %6 = "mhlo.reduce"(%5, %0) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %7 = mhlo.maximum %a, %b : tensor<f32>
      mhlo.return %7 : tensor<f32>
    }) {dimensions = dense<0> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %t = mhlo.create_token : !mhlo.token
    %u = "mhlo.after_all"(%t) : (!mhlo.token) -> !mhlo.token
    return %6 : tensor<3xf32>
  }
})",
                     {Floats({2, 3}, {1, 2, 3, 4, 5, 6})}),
            "{109, 109, 109}");
  EXPECT_EQ(ErrorOf("func.func @main() { %0 = \"mhlo.domain\"() : () -> tensor<f32> return }"),
            "p.mlir:1:26: error: 'mhlo.domain': this operation is not supported");
}

TEST(Exporters, ModulesInModules) {
  const std::string inner = R"(
  module @inner {
    func.func @f(%x: tensor<i32>) -> tensor<i32> {
      %0 = call @g(%x) : (tensor<i32>) -> tensor<i32>
      return %0 : tensor<i32>
    }
    func.func private @g(%x: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.negate %x : tensor<i32>
      return %0 : tensor<i32>
    }
  })";
  EXPECT_EQ(Evaluate("module {" + inner + R"(
  func.func @main(%x: tensor<i32>) -> tensor<i32> {
    %0 = call @inner::@f(%x) : (tensor<i32>) -> tensor<i32>
    %1 = call @g(%0) : (tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @g(%x: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.add %x, %x : tensor<i32>
    return %0 : tensor<i32>
  }
})",
                     {Ints32({}, {3})}),
            "-6");
  EXPECT_EQ(
      ErrorOf("module {" + inner + "\nfunc.func @main() { func.call @f() : () -> () return }}"),
      "p.mlir:12:21: error: 'func.call': there is no function @f");
  EXPECT_EQ(ErrorOf("module { module { } func.func @main() { return } }"),
            "p.mlir:1:10: error: 'builtin.module': a module in another needs a name");
}

TEST(Exporters, LayoutsAndAliasesOfCustomCalls) {
  const auto program = [](const std::string& attributes) {
    return "func.func @main(%x: tensor<2x3xf32>, %y: tensor<f32>) -> tensor<2x3xf32> {\n"
           "  %0:2 = stablehlo.custom_call @f(%x, %y) {" +
           attributes +
           "} : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2x3xf32>, tensor<f32>)\n"
           "  return %0#0 : tensor<2x3xf32>\n}";
  };
  const std::string operands =
      "operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]";
  auto module = ParseStableHlo(
      program(operands +
              ", result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], "
              "output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = "
              "[0], operand_index = 0, operand_tuple_indices = []>]"),
      "p.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const hlo::Instruction* call = FindOp(**module, hlo::Opcode::kCustomCall);
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(call->GetString(hlo::Attr::kOperandLayoutConstraints), "{f32[2,3]{0,1}, f32[]}");
  EXPECT_EQ(call->GetString(hlo::Attr::kOutputToOperandAliasing), "{{0}: (0, {})}");
  EXPECT_EQ(call->shape.ToString(), "(f32[2,3]{0,1}, f32[])");
  const std::string results =
      ", result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]";
  EXPECT_EQ(ErrorOf(program("operand_layouts = [dense<[0, 1]> : tensor<2xindex>]" + results)),
            "p.mlir:2:62: error: 'stablehlo.custom_call': operand_layouts must have 2 layouts");
  EXPECT_EQ(ErrorOf(program("operand_layouts = [dense<[0, 0]> : tensor<2xindex>, dense<> : "
                            "tensor<0xindex>]" +
                            results)),
            "p.mlir:2:63: error: 'stablehlo.custom_call': no layout of tensor<2x3xf32>");
  EXPECT_EQ(ErrorOf(program("output_operand_aliases = [#stablehlo.output_operand_alias<"
                            "output_tuple_indices = [0], operand_index = 2, "
                            "operand_tuple_indices = []>]")),
            "p.mlir:2:70: error: there is no operand 2");
}

TEST(Exporters, ScatterBodiesUseScalarsOfOutside) {
  EXPECT_EQ(Evaluate(R"(
func.func @main(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>, %k: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.multiply %b, %k : tensor<f32>
    %2 = stablehlo.add %a, %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
})",
                     {Floats({4}, {1, 2, 3, 4}), Ints32({2, 1}, {1, 3}), Floats({2}, {10, 20}),
                      Floats({}, {0.5})}),
            "{1, 7, 3, 14}");
}

TEST(Exporters, OtherRegionsRefuseValuesOfOutside) {
  EXPECT_EQ(
      ErrorOf(R"(
func.func @main(%x: tensor<4xf32>, %u: tensor<2xf32>, %k: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.select_and_scatter"(%x, %u, %k) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.multiply %b, %k : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
})"),
      "p.mlir:3:8: error: 'stablehlo.select_and_scatter': '%k' is defined outside of the region, "
      "which can use constants of outside only");
}

TEST(Exporters, AccuraciesThatAreMet) {
  const auto error = [](const std::string& type, const std::string& accuracy) {
    return ErrorOf("func.func @main(%x: tensor<2x" + type + ">) -> tensor<2x" + type +
                   "> {\n  %0 = stablehlo.tanh %x {result_accuracy = "
                   "#stablehlo.result_accuracy<" +
                   accuracy + ">} : tensor<2x" + type + ">\n  return %0 : tensor<2x" + type +
                   ">\n}");
  };
  const auto mode = [](const std::string& word) {
    return "mode = #stablehlo.result_accuracy_mode<" + word + ">";
  };
  EXPECT_EQ(error("f32", mode("DEFAULT")), "");
  EXPECT_EQ(error("f32", mode("HIGHEST")), "");
  EXPECT_EQ(error("f32", "ulps = 2, " + mode("TOLERANCE")), "");
  EXPECT_EQ(error("f64", "ulps = 4, " + mode("TOLERANCE")), "");
  EXPECT_EQ(error("f32", "rtol = 1.0e-6, " + mode("TOLERANCE")), "");
  EXPECT_EQ(error("f32", "atol = 1.0e-6, " + mode("TOLERANCE")), "");
  EXPECT_EQ(error("f32", "ulps = 1, " + mode("TOLERANCE")),
            "p.mlir:2:45: error: 'stablehlo.tanh': result_accuracy: the error may be 2 units of "
            "the last place, which is more than the tolerance");
  EXPECT_EQ(error("f32", "ulps = 1, " + mode("HIGHEST")),
            "p.mlir:2:45: error: 'stablehlo.tanh': result_accuracy: a tolerance is for mode "
            "TOLERANCE, not HIGHEST");
  EXPECT_EQ(error("complex<f32>", "ulps = 9, " + mode("TOLERANCE")),
            "p.mlir:2:45: error: 'stablehlo.tanh': result_accuracy: no error is known for "
            "c64[2]: ask for DEFAULT");
  EXPECT_EQ(error("f32", mode("EXACT")),
            "p.mlir:2:45: error: 'stablehlo.tanh': result_accuracy: the mode must be DEFAULT, "
            "HIGHEST or TOLERANCE");
}

TEST(Exporters, ElidedConstantsSaySo) {
  EXPECT_EQ(ErrorOf("func.func @main() {\n  %0 = stablehlo.constant dense<...> : "
                    "tensor<200xf32>\n  return\n}"),
            "p.mlir:2:33: error: '...' stands for text that was left out; print the program in "
            "full");
  EXPECT_EQ(ErrorOf("func.func @main() {\n  %0 = stablehlo.constant dense_resource<__elided__> : "
                    "tensor<200xf32>\n  return\n}"),
            "p.mlir:2:27: error: the constant's elements were left out when the program was "
            "printed");
}

// Modules and functions as TensorFlow and PyTorch/XLA write them.
TEST(Exporters, AttributesOfOtherFrameworks) {
  EXPECT_EQ(Evaluate(R"(
module @IrToHlo.5 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.use_auto_spmd_partitioning = false, tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 1575 : i32}} {
  func.func @main(%arg0: tensor<2xf32> {jax.arg_info = "x", mhlo.layout_mode = "default", mhlo.memory_kind = "device", tf_saved_model.index_path = [0]}) -> (tensor<2xf32> {jax.result_info = "", mhlo.layout_mode = "default"}) attributes {tf.entry_function = {control_outputs = "", inputs = "a", outputs = "b"}} {
    %0 = stablehlo.add %arg0, %arg0 {mhlo.frontend_attributes = {a = "b"}, xla_shape = "f32[2]{0}"} : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
})",
                     {Floats({2}, {1, 2})}),
            "{2, 4}");
}

}  // namespace
}  // namespace halyard::stablehlo
