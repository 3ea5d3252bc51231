// Names that StableHLO keeps for old programs. Each is parsed, in its pretty form if it has one,
// and means the same as other ops.
#include <gmock/gmock.h>

#include "tests/frontend/stablehlo/evaluating.h"

namespace halyard::stablehlo {
namespace {

using testing::HasSubstr;

std::string RunMain(const std::string& arguments, const std::string& body,
                    const std::string& result, const std::vector<hlo::Literal>& values) {
  return Evaluate("func.func @main(" + arguments + ") -> " + result + " {\n" + body +
                      "\n  return %r : " + result + "\n}",
                  values);
}

const hlo::Literal kA = Floats({2, 2}, {1, 2, 3, 4}), kB = Floats({2, 2}, {5, 6, 7, 8});
constexpr char kTwo[] = "%a: tensor<2x2xf32>, %b: tensor<2x2xf32>";

TEST(Deprecated, Broadcast) {
  for (const char* op :
       {"%r = stablehlo.broadcast %a, sizes = [2] : (tensor<f32>) -> tensor<2xf32>",
        R"(%r = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64: 2>}
                              : (tensor<f32>) -> tensor<2xf32>)"}) {
    EXPECT_EQ(RunMain("%a: tensor<f32>", op, "tensor<2xf32>", {Floats({}, {2})}), "{2, 2}");
  }
}

TEST(Deprecated, CreateToken) {
  EXPECT_EQ(RunMain("%r: tensor<f32>",
                    "%t = stablehlo.create_token : !stablehlo.token\n"
                    R"(%u = "stablehlo.after_all"(%t) : (!stablehlo.token) -> !stablehlo.token)",
                    "tensor<f32>", {Floats({}, {2})}),
            "2");
}

TEST(Deprecated, Dot) {
  EXPECT_EQ(
      RunMain(kTwo,
              "%r = stablehlo.dot %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>",
              "tensor<2x2xf32>", {kA, kB}),
      "{ {19, 22}, {43, 50} }");
}

TEST(Deprecated, CrossReplicaSum) {
  // With a single replica, the sum is the operand.
  EXPECT_EQ(RunMain("%a: tensor<2x2xf32>",
                    R"(%r = "stablehlo.cross-replica-sum"(%a) {replica_groups = dense<0>
                     : tensor<1x1xi64>} : (tensor<2x2xf32>) -> tensor<2x2xf32>)",
                    "tensor<2x2xf32>", {kA}),
            "{ {1, 2}, {3, 4} }");
  auto module = ParseStableHlo(R"(
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.cross-replica-sum"(%a) {replica_groups = dense<[[0, 2], [1, -1]]>
    : tensor<2x2xi64>} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
})",
                               "p.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const hlo::Instruction* sum = (*module)->entry()->root();
  EXPECT_EQ(sum->opcode, hlo::Opcode::kAllReduce);
  EXPECT_EQ(sum->GetIntLists(hlo::Attr::kReplicaGroups), (hlo::IntLists{{0, 2}, {1}}));
}

TEST(Deprecated, Einsum) {
  for (const char* op : {R"(%r = stablehlo.einsum %a, %b, config = "ab,bc->ac"
             : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>)",
                         R"(%r = "stablehlo.einsum"(%a, %b) {einsum_config = "ab,bc->ac"}
             : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>)"}) {
    EXPECT_EQ(RunMain(kTwo, op, "tensor<2x2xf32>", {kA, kB}), "{ {19, 22}, {43, 50} }");
  }
  const char* unary = R"(%r = stablehlo.unary_einsum %a, config = "ab->a"
                           : (tensor<2x2xf32>) -> tensor<2xf32>)";
  EXPECT_EQ(RunMain("%a: tensor<2x2xf32>", unary, "tensor<2xf32>", {kA}), "{3, 7}");
  EXPECT_THAT(RunMain("%a: tensor<2x2xf32>",
                      R"(%r = stablehlo.unary_einsum %a, config = "ab->a"
                       : (tensor<2x2xf32>) -> tensor<3xf32>)",
                      "tensor<3xf32>", {kA}),
              HasSubstr("not what its type says"));
  EXPECT_THAT(RunMain("%a: tensor<2x2xf32>",
                      R"(%r = stablehlo.unary_einsum %a, config = "ab->c"
                       : (tensor<2x2xf32>) -> tensor<2xf32>)",
                      "tensor<2xf32>", {kA}),
              HasSubstr("no operand has the result's 'c'"));
}

TEST(Deprecated, TorchIndexSelect) {
  EXPECT_EQ(
      RunMain("%a: tensor<2x2xf32>, %i: tensor<3xi32>",
              R"(%r = "stablehlo.torch_index_select"(%a, %i) {dim = 1 : i64, batch_dims = 0 : i64}
                     : (tensor<2x2xf32>, tensor<3xi32>) -> tensor<2x3xf32>)",
              "tensor<2x3xf32>", {kA, Ints32({3}, {1, 0, 1})}),
      "{ {2, 1, 2}, {4, 3, 4} }");
}

TEST(Deprecated, RealDynamicSlice) {
  const char* slice = R"(
  %s = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %o = stablehlo.constant dense<1> : tensor<2xi64>
  %l = stablehlo.add %s, %o : tensor<2xi64>
  %r = stablehlo.real_dynamic_slice %a, %s, %l, %o
    : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1xf32>)";
  EXPECT_EQ(RunMain("%a: tensor<2x2xf32>", slice, "tensor<1x1xf32>", {kA}), "{ {2} }");
  EXPECT_THAT(RunMain("%a: tensor<2x2xf32>, %s: tensor<2xi64>", R"(
  %r = stablehlo.real_dynamic_slice %a, %s, %s, %s
    : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x0xf32>)",
                      "tensor<1x0xf32>",
                      {kA, hlo::Literal::FromValues<int64_t>(hlo::ElementType::kS64, {2},
                                                             std::vector<int64_t>{1, 1})}),
              HasSubstr("the result is f32[0,0] in this run; its type is f32[1,0]"));
}

}  // namespace
}  // namespace halyard::stablehlo
