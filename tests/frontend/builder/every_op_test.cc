// Checks that a method of XlaBuilder makes each op of the table, or that a list states why none
// does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "frontend/builder/xla_ops.h"
#include "frontend/hlo/ir/op_table.h"
#include "tests/frontend/builder/run_computation.h"

namespace halyard {
namespace {

using hlo::Opcode;

XlaOp Matrix(XlaBuilder* b) { return ConstantR2<float>(b, {{4, 2}, {2, 4}}); }
XlaOp Vector(XlaBuilder* b) { return b->ConstantR1<float>({1, 2}); }
XlaOp Scalar(XlaBuilder* b) { return ConstantR0<float>(b, 1); }
XlaOp Int(XlaBuilder* b) { return ConstantR0<int32_t>(b, 1); }

XlaComputation Compare() {
  XlaBuilder b("less");
  XlaOp x = b.Parameter(0, Shape::Scalar(F32)), y = b.Parameter(1, Shape::Scalar(F32));
  b.Ge(x, y);
  return b.Build().value();
}

XlaComputation Unary(bool condition) {
  XlaBuilder b("unary");
  XlaOp x = b.Parameter(0, Shape::Scalar(F32));
  condition ? Lt(x, Scalar(&b)) : x + x;
  return b.Build().value();
}

using Build = std::function<void(XlaBuilder*)>;

// Adds the elementwise ops, each with the method of the same name.
void AddElementwise(std::map<Opcode, Build>* builds) {
  auto unary = [&](Opcode opcode, XlaOp (*op)(XlaOp)) {
    (*builds)[opcode] = [op](XlaBuilder* b) { op(Vector(b)); };
  };
  auto integer = [&](Opcode opcode, XlaOp (*op)(XlaOp)) {
    (*builds)[opcode] = [op](XlaBuilder* b) { op(Int(b)); };
  };
  auto binary = [&](Opcode opcode, XlaOp (*op)(XlaOp, XlaOp, Int64Span), bool of_floats) {
    (*builds)[opcode] = [=](XlaBuilder* b) {
      of_floats ? op(Vector(b), Scalar(b), {}) : op(Int(b), Int(b), {});
    };
  };
  unary(Opcode::kAbs, Abs), unary(Opcode::kNegate, Neg), unary(Opcode::kSign, Sign);
  unary(Opcode::kExp, Exp), unary(Opcode::kExpm1, Expm1), unary(Opcode::kLog, Log);
  unary(Opcode::kLog1p, Log1p), unary(Opcode::kLogistic, Logistic), unary(Opcode::kTanh, Tanh);
  unary(Opcode::kSqrt, Sqrt), unary(Opcode::kRsqrt, Rsqrt), unary(Opcode::kCbrt, Cbrt);
  unary(Opcode::kSin, Sin), unary(Opcode::kCos, Cos), unary(Opcode::kTan, Tan);
  unary(Opcode::kErf, Erf), unary(Opcode::kCeil, Ceil), unary(Opcode::kFloor, Floor);
  unary(Opcode::kRoundNearestAfz, Round), unary(Opcode::kRoundNearestEven, RoundNearestEven);
  unary(Opcode::kIsFinite, IsFinite), unary(Opcode::kReal, Real), unary(Opcode::kImag, Imag);
  integer(Opcode::kNot, Not), integer(Opcode::kPopcnt, PopulationCount), integer(Opcode::kClz, Clz);
  binary(Opcode::kAdd, Add, true), binary(Opcode::kSubtract, Sub, true);
  binary(Opcode::kMultiply, Mul, true), binary(Opcode::kDivide, Div, true);
  binary(Opcode::kRemainder, Rem, true), binary(Opcode::kPower, Pow, true);
  binary(Opcode::kMaximum, Max, true), binary(Opcode::kMinimum, Min, true);
  binary(Opcode::kAtan2, Atan2, true), binary(Opcode::kComplex, Complex, true);
  binary(Opcode::kCompare, Lt, true), binary(Opcode::kAnd, And, false);
  binary(Opcode::kOr, Or, false), binary(Opcode::kXor, Xor, false);
  binary(Opcode::kShiftLeft, ShiftLeft, false);
  binary(Opcode::kShiftRightArithmetic, ShiftRightArithmetic, false);
  binary(Opcode::kShiftRightLogical, ShiftRightLogical, false);
}

void AddData(std::map<Opcode, Build>* builds) {
  auto add = [&](Opcode opcode, Build build) { (*builds)[opcode] = std::move(build); };
  add(Opcode::kParameter, [](XlaBuilder* b) { Parameter(b, 0, Shape::Scalar(F32)); });
  add(Opcode::kConstant, [](XlaBuilder* b) { Scalar(b); });
  add(Opcode::kConvert, [](XlaBuilder* b) { ConvertElementType(Int(b), F32); });
  add(Opcode::kBitcastConvert, [](XlaBuilder* b) { BitcastConvertType(Int(b), F32); });
  add(Opcode::kReducePrecision, [](XlaBuilder* b) { ReducePrecision(Scalar(b), 5, 10); });
  add(Opcode::kSelect, [](XlaBuilder* b) { Select(b->ConstantR0<bool>(true), Int(b), Int(b)); });
  add(Opcode::kClamp, [](XlaBuilder* b) { Clamp(Scalar(b), Vector(b), Scalar(b)); });
  add(Opcode::kIota, [](XlaBuilder* b) { Iota(b, F32, 3); });
  add(Opcode::kBroadcast, [](XlaBuilder* b) { Broadcast(Vector(b), {3}); });
  add(Opcode::kReshape, [](XlaBuilder* b) { Reshape(Matrix(b), {4}); });
  add(Opcode::kTranspose, [](XlaBuilder* b) { Trans(Matrix(b)); });
  add(Opcode::kReverse, [](XlaBuilder* b) { Rev(Vector(b), {0}); });
  add(Opcode::kSlice, [](XlaBuilder* b) { Slice(Vector(b), {0}, {1}); });
  add(Opcode::kConcatenate, [](XlaBuilder* b) { ConcatInDim(b, {Vector(b), Vector(b)}, 0); });
  add(Opcode::kPad, [](XlaBuilder* b) {
    Pad(Vector(b), Scalar(b), MakeEdgePaddingConfig({{1, 2}}));
  });
  add(Opcode::kDynamicSlice, [](XlaBuilder* b) { DynamicSlice(Vector(b), {Int(b)}, {1}); });
  add(Opcode::kDynamicUpdateSlice,
      [](XlaBuilder* b) { DynamicUpdateSlice(Vector(b), Vector(b), {Int(b)}); });
  add(Opcode::kGather, [](XlaBuilder* b) { TorchIndexSelect(Vector(b), Int(b), 0); });
  add(Opcode::kScatter, [](XlaBuilder* b) {
    Scatter(
        Vector(b), b->ConstantR1<int32_t>({0}), b->ConstantR1<float>({5}), AddComputation(F32),
        {.inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}, .index_vector_dim = 1});
  });
  add(Opcode::kGetDimensionSize, [](XlaBuilder* b) { GetDimensionSize(Vector(b), 0); });
  add(Opcode::kSetDimensionSize, [](XlaBuilder* b) { SetDimensionSize(Vector(b), Int(b), 0); });
  add(Opcode::kDot, [](XlaBuilder* b) { Dot(Matrix(b), Vector(b)); });
  add(Opcode::kConvolution, [](XlaBuilder* b) {
    XlaOp x = Reshape(Matrix(b), {1, 1, 2, 2});
    Conv(x, x, {1, 1}, Padding::kSame);
  });
}

void AddFolds(std::map<Opcode, Build>* builds) {
  auto add = [&](Opcode opcode, Build build) { (*builds)[opcode] = std::move(build); };
  XlaComputation sum = AddComputation(F32), ge = Compare();
  add(Opcode::kReduce, [=](XlaBuilder* b) { ReduceAll(Vector(b), Scalar(b), sum); });
  add(Opcode::kReduceWindow,
      [=](XlaBuilder* b) { ReduceWindow(Vector(b), Scalar(b), sum, {2}, {1}, Padding::kSame); });
  add(Opcode::kSelectAndScatter, [=](XlaBuilder* b) {
    SelectAndScatter(Vector(b), ge, {2}, {2}, Padding::kValid, b->ConstantR1<float>({1}), Scalar(b),
                     sum);
  });
  add(Opcode::kSort, [](XlaBuilder* b) { Sort(Vector(b)); });
  add(Opcode::kTopK, [](XlaBuilder* b) { TopK(Vector(b), 1); });
  add(Opcode::kMap, [=](XlaBuilder* b) { Map(b, {Vector(b), Vector(b)}, sum); });
  add(Opcode::kFft, [](XlaBuilder* b) { Fft(Vector(b), FftType::RFFT, {2}); });
  add(Opcode::kCholesky, [](XlaBuilder* b) { Cholesky(Matrix(b)); });
  add(Opcode::kTriangularSolve, [](XlaBuilder* b) {
    TriangularSolve(Matrix(b), Matrix(b), true, true, false, TriangularSolveOptions::TRANSPOSE);
  });
  add(Opcode::kBatchNormTraining,
      [](XlaBuilder* b) { BatchNormTraining(Matrix(b), Vector(b), Vector(b), 1, 1); });
  add(Opcode::kBatchNormInference, [](XlaBuilder* b) {
    BatchNormInference(Matrix(b), Vector(b), Vector(b), Vector(b), Vector(b), 1, 1);
  });
  add(Opcode::kBatchNormGrad, [](XlaBuilder* b) {
    BatchNormGrad(Matrix(b), Vector(b), Vector(b), Vector(b), Matrix(b), 1, 1);
  });
  add(Opcode::kRng, [](XlaBuilder* b) { RngUniform(Scalar(b), Scalar(b), Shape::Scalar(F32)); });
  add(Opcode::kRngBitGenerator, [](XlaBuilder* b) {
    RngBitGenerator(RandomAlgorithm::RNG_PHILOX, b->ConstantR1<uint64_t>({1, 2, 3}),
                    Shape::Scalar(U32));
  });
}

void AddControl(std::map<Opcode, Build>* builds) {
  auto add = [&](Opcode opcode, Build build) { (*builds)[opcode] = std::move(build); };
  XlaComputation sum = AddComputation(F32), body = Unary(false), condition = Unary(true);
  add(Opcode::kTuple, [](XlaBuilder* b) { Tuple(b, {Int(b)}); });
  add(Opcode::kGetTupleElement, [](XlaBuilder* b) { GetTupleElement(Tuple(b, {Int(b)}), 0); });
  add(Opcode::kCall, [=](XlaBuilder* b) { Call(b, sum, {Scalar(b), Scalar(b)}); });
  add(Opcode::kWhile, [=](XlaBuilder* b) { While(condition, body, Scalar(b)); });
  add(Opcode::kConditional, [=](XlaBuilder* b) {
    Conditional(b->ConstantR0<bool>(true), Scalar(b), body, Scalar(b), body);
  });
  add(Opcode::kCustomCall, [](XlaBuilder* b) { CustomCall(b, "f", {}, Shape::Scalar(F32)); });
  add(Opcode::kOptimizationBarrier, [](XlaBuilder* b) { OptimizationBarrier(Scalar(b)); });
  add(Opcode::kAfterAll, [](XlaBuilder* b) { AfterAll(b, {CreateToken(b)}); });
  add(Opcode::kAllGather, [](XlaBuilder* b) { AllGather(Vector(b), 0, 1); });
  add(Opcode::kAllReduce, [=](XlaBuilder* b) { AllReduce(Vector(b), sum); });
  add(Opcode::kReduceScatter, [=](XlaBuilder* b) { ReduceScatter(Vector(b), sum, 0, 1); });
  add(Opcode::kAllToAll, [](XlaBuilder* b) { AllToAll(Vector(b), 0, 0, 1); });
  add(Opcode::kCollectivePermute, [](XlaBuilder* b) { CollectivePermute(Vector(b), {{0, 0}}); });
  add(Opcode::kCollectiveBroadcast, [](XlaBuilder* b) { CollectiveBroadcast(Vector(b), {{0}}); });
  add(Opcode::kReplicaId, [](XlaBuilder* b) { ReplicaId(b); });
  add(Opcode::kPartitionId, [](XlaBuilder* b) { PartitionId(b); });
  add(Opcode::kInfeed, [](XlaBuilder* b) { Infeed(b, Shape::Scalar(F32)); });
  add(Opcode::kOutfeed,
      [](XlaBuilder* b) { OutfeedWithToken(Scalar(b), CreateToken(b), Shape::Scalar(F32)); });
  for (Opcode opcode : {Opcode::kSend, Opcode::kSendDone}) {
    add(opcode, [](XlaBuilder* b) { SendWithToken(Scalar(b), CreateToken(b), {1}); });
  }
  for (Opcode opcode : {Opcode::kRecv, Opcode::kRecvDone}) {
    add(opcode, [](XlaBuilder* b) { Recv(b, Shape::Scalar(F32), {1}); });
  }
}

// Ops that no method makes, with the reason.
const std::map<Opcode, const char*> kReasons = {
    {Opcode::kFusion, "a call that a compiler made; programs have Call"},
    {Opcode::kCopy, "a compiler's; it says nothing of values"},
    {Opcode::kDynamicReshape, "StableHLO's; shapes that are operands"},
    {Opcode::kDynamicBroadcastInDim, "StableHLO's"},
    {Opcode::kDynamicIota, "StableHLO's"},
    {Opcode::kDynamicPad, "StableHLO's"},
    {Opcode::kRealDynamicSlice, "StableHLO's"},
    {Opcode::kDynamicGather, "StableHLO's"},
    {Opcode::kDynamicConvolution, "StableHLO's"},
    {Opcode::kUniformQuantize, "StableHLO's; XLA has no quantized types"},
    {Opcode::kUniformDequantize, "StableHLO's"},
    {Opcode::kBitcast, "a compiler's; programs have Reshape and BitcastConvertType"},
};

TEST(EveryOp, IsReachableFromAMethod) {
  std::map<Opcode, Build> builds;
  AddElementwise(&builds);
  AddData(&builds);
  AddFolds(&builds);
  AddControl(&builds);
  int reached = 0;
  for (const hlo::OpRow& row : hlo::AllOps()) {
    // The lowering makes these ops when it expands others.
    if (row.stablehlo_name.empty() &&
        (absl::EndsWith(row.hlo_name, "-pass") || absl::EndsWith(row.hlo_name, "-block") ||
         row.opcode == Opcode::kUnscaledFft || row.opcode == Opcode::kExchange)) {
      continue;
    }
    if (kReasons.contains(row.opcode)) {
      EXPECT_FALSE(builds.contains(row.opcode)) << row.hlo_name;
      continue;
    }
    ASSERT_TRUE(builds.contains(row.opcode)) << row.hlo_name << " has no method, and no reason";
    XlaBuilder b("f");
    builds[row.opcode](&b);
    absl::StatusOr<XlaComputation> built = b.Build();
    ASSERT_TRUE(built.ok()) << row.hlo_name << ": " << built.status();
    std::set<Opcode> made;
    for (const auto& inst : built->module().entry()->instructions()) made.insert(inst->opcode);
    EXPECT_TRUE(made.contains(row.opcode)) << row.hlo_name;
    ++reached;
  }
  EXPECT_GT(reached, 100);
}

}  // namespace
}  // namespace halyard
