// Which ops take quantized operands or give quantized results, and how.
#include "frontend/hlo/values/quantized.h"

namespace halyard::hlo {
namespace {

struct RuleRow {
  Opcode opcode;
  QuantizedRule rule;
};

constexpr QuantizedRule Through() { return {QuantizedUse::kThrough, true}; }
constexpr QuantizedRule ThroughPerTensor() { return {QuantizedUse::kThrough, false}; }
constexpr QuantizedRule Real(absl::string_view agree = "") {
  return {QuantizedUse::kReal, false, 0, -1, agree};
}
constexpr QuantizedRule Move(int last, absl::string_view agree = "") {
  return {QuantizedUse::kMove, false, 0, last, agree};
}
constexpr QuantizedRule MovePerAxis() { return {QuantizedUse::kMove, true, 0, 1}; }
constexpr QuantizedRule Fold() { return {QuantizedUse::kFold, false}; }

// Every op that takes quantized operands or gives quantized results. Only the ops for which the
// specification says so take per-axis types.
constexpr RuleRow kRules[] = {
    {Opcode::kParameter, Through()},
    {Opcode::kConstant, Through()},
    {Opcode::kTuple, Through()},
    {Opcode::kGetTupleElement, Through()},
    {Opcode::kCall, Through()},
    {Opcode::kFusion, Through()},
    {Opcode::kWhile, Through()},
    {Opcode::kConditional, {QuantizedUse::kThrough, true, 1, -1}},
    {Opcode::kCustomCall, Through()},
    {Opcode::kCopy, Through()},
    {Opcode::kInfeed, Through()},
    {Opcode::kOutfeed, Through()},
    {Opcode::kSend, Through()},
    {Opcode::kSendDone, Through()},
    {Opcode::kRecv, Through()},
    {Opcode::kRecvDone, Through()},
    {Opcode::kGetDimensionSize, Through()},
    {Opcode::kOptimizationBarrier, ThroughPerTensor()},

    {Opcode::kAbs, Real()},
    {Opcode::kNegate, Real()},
    {Opcode::kSign, Real()},
    {Opcode::kExp, Real()},
    {Opcode::kExpm1, Real()},
    {Opcode::kLog, Real()},
    {Opcode::kLog1p, Real()},
    {Opcode::kLogistic, Real()},
    {Opcode::kTanh, Real()},
    {Opcode::kSqrt, Real()},
    {Opcode::kRsqrt, Real()},
    {Opcode::kCbrt, Real()},
    {Opcode::kSin, Real()},
    {Opcode::kCos, Real()},
    {Opcode::kTan, Real()},
    {Opcode::kCeil, Real()},
    {Opcode::kFloor, Real()},
    {Opcode::kRoundNearestAfz, Real()},
    {Opcode::kRoundNearestEven, Real()},
    {Opcode::kIsFinite, Real()},
    {Opcode::kReducePrecision, Real()},
    {Opcode::kAdd, {QuantizedUse::kReal, true}},
    {Opcode::kSubtract, Real("C1")},
    {Opcode::kMultiply, Real("C1")},
    {Opcode::kDivide, Real("C1")},
    {Opcode::kRemainder, Real("C1")},
    {Opcode::kPower, Real("C1")},
    {Opcode::kMaximum, Real("C1")},
    {Opcode::kMinimum, Real("C1")},
    {Opcode::kAtan2, Real("C1")},
    {Opcode::kCompare, Real("C1")},
    {Opcode::kSelect, {QuantizedUse::kReal, false, 1, 3, "C2"}},
    {Opcode::kClamp, Real("C3")},
    {Opcode::kIota, Real()},
    {Opcode::kDynamicIota, {QuantizedUse::kReal, false, 0, 0}},
    {Opcode::kDot, {QuantizedUse::kReal, true}},
    {Opcode::kConvolution, {QuantizedUse::kReal, true}},
    {Opcode::kDynamicConvolution, {QuantizedUse::kReal, true, 0, 2}},
    {Opcode::kCholesky, Real()},
    {Opcode::kTriangularSolve, Real("C1")},
    {Opcode::kBatchNormInference, Real("C2")},
    {Opcode::kBatchNormTraining, Real("C2")},
    {Opcode::kBatchNormGrad, Real("C2")},
    {Opcode::kUniformQuantize, {QuantizedUse::kOwn, true}},
    {Opcode::kUniformDequantize, {QuantizedUse::kOwn, true}},

    {Opcode::kBitcastConvert, MovePerAxis()},
    {Opcode::kBroadcast, MovePerAxis()},
    {Opcode::kReshape, MovePerAxis()},
    {Opcode::kTranspose, MovePerAxis()},
    {Opcode::kDynamicReshape, MovePerAxis()},
    {Opcode::kDynamicBroadcastInDim, MovePerAxis()},
    {Opcode::kReverse, Move(1)},
    {Opcode::kSlice, Move(1)},
    {Opcode::kConcatenate, Move(-1, "C1")},
    {Opcode::kPad, Move(2, "C1")},
    {Opcode::kDynamicSlice, Move(1)},
    {Opcode::kDynamicUpdateSlice, Move(2, "C2")},
    {Opcode::kGather, Move(1)},
    {Opcode::kDynamicPad, Move(2, "C1")},
    {Opcode::kRealDynamicSlice, Move(1)},
    {Opcode::kDynamicGather, Move(1)},
    {Opcode::kAllGather, Move(-1)},
    {Opcode::kAllToAll, Move(-1)},
    {Opcode::kCollectivePermute, Move(1)},
    {Opcode::kCollectiveBroadcast, Move(1)},

    {Opcode::kSort, Fold()},
    {Opcode::kMap, Fold()},
    {Opcode::kReduce, Fold()},
    {Opcode::kReduceWindow, Fold()},
    {Opcode::kScatter, Fold()},
    {Opcode::kSelectAndScatter, Fold()},
    {Opcode::kAllReduce, Fold()},
    {Opcode::kReduceScatter, Fold()},
};

}  // namespace

QuantizedRule QuantizedRuleOf(Opcode opcode) {
  for (const RuleRow& row : kRules) {
    if (row.opcode == opcode) return row.rule;
  }
  return {};
}

}  // namespace halyard::hlo
