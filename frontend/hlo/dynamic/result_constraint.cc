// Which labelled constraint ties an op's result to its operands.
#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

struct ResultLabels {
  Opcode opcode;
  absl::string_view dims;  // the constraint on the result's dimensions
  absl::string_view type;  // on its element type; both if it is not an array
};

// Elementwise ops that are not here have C1 for both.
constexpr ResultLabels kLabels[] = {
    {Opcode::kAbs, "C1", "C2"},
    {Opcode::kReal, "C1", "C2"},
    {Opcode::kImag, "C1", "C2"},
    {Opcode::kIsFinite, "C1", "O1"},
    {Opcode::kComplex, "C2", "C3"},
    {Opcode::kCompare, "C2", "O1"},
    {Opcode::kSelect, "C2", "C2"},
    {Opcode::kClamp, "C4", "C4"},
    {Opcode::kGetTupleElement, "C2", "C2"},
    {Opcode::kTuple, "C1", "C1"},
    {Opcode::kOptimizationBarrier, "C1", "C1"},
    {Opcode::kCall, "C4", "C4"},
    {Opcode::kWhile, "C3", "C3"},
    {Opcode::kTranspose, "C3", "C1"},
    {Opcode::kReverse, "C1", "C1"},
    {Opcode::kSlice, "C5", "C1"},
    {Opcode::kConcatenate, "C6", "C5"},
    {Opcode::kPad, "C4", "C1"},
    {Opcode::kDynamicSlice, "C5", "C1"},
    {Opcode::kDynamicUpdateSlice, "C1", "C1"},
    {Opcode::kGather, "C22", "C23"},
    {Opcode::kScatter, "C24", "C25"},
    {Opcode::kSelectAndScatter, "C11", "C12"},
    {Opcode::kDot, "C12", "C13"},
    {Opcode::kConvolution, "C25", "C27"},
    {Opcode::kCholesky, "C1", "C1"},
    {Opcode::kTriangularSolve, "C4", "C4"},
    {Opcode::kFft, "C5", "C2"},
    {Opcode::kReduce, "C7", "C8"},
    {Opcode::kReduceWindow, "C15", "C16"},
    {Opcode::kMap, "C1", "C4"},
    {Opcode::kSort, "C2", "C2"},
    {Opcode::kBatchNormInference, "C7", "C7"},
    {Opcode::kBatchNormTraining, "C7", "C7"},
    {Opcode::kBatchNormGrad, "C3", "C2"},
    {Opcode::kRng, "C3", "C1"},
    {Opcode::kRngBitGenerator, "C1", "C1"},
    {Opcode::kAllGather, "C6", "C6"},
    {Opcode::kAllReduce, "C6", "C7"},
    {Opcode::kReduceScatter, "C8", "C9"},
    {Opcode::kAllToAll, "C9", "C9"},
    {Opcode::kCollectivePermute, "C5", "C5"},
    {Opcode::kCollectiveBroadcast, "C3", "C3"},
    {Opcode::kGetDimensionSize, "O1", "O1"},
    {Opcode::kDynamicPad, "C4", "C1"},
    {Opcode::kRealDynamicSlice, "C5", "C1"},
    {Opcode::kDynamicGather, "C13", "C14"},
    {Opcode::kDynamicConvolution, "C25", "C27"},
    {Opcode::kReplicaId, "O1", "O1"},
    {Opcode::kPartitionId, "O1", "O1"},
    {Opcode::kAfterAll, "O1", "O1"},
};

// Results whose parts have constraints of their own.
absl::string_view PartLabel(const Instruction& inst, size_t part, bool dims_differ) {
  if (inst.opcode == Opcode::kBatchNormTraining && part > 0) {
    return !dims_differ ? "C2" : part == 1 ? "C5" : "C6";
  }
  if (inst.opcode == Opcode::kBatchNormGrad && part > 0 && dims_differ) return "C4";
  if (inst.opcode == Opcode::kRngBitGenerator && part > 0) return "O2";
  return "";
}

}  // namespace

std::string ResultConstraint(const Instruction& inst, const Shape& inferred) {
  std::vector<Shape> want = FlattenShape(inferred), got = FlattenShape(inst.shape);
  size_t part = 0;
  bool dims_differ = true;
  if (want.size() == got.size()) {
    while (part < want.size() && ShapesAgree(want[part], got[part])) ++part;
    if (part == want.size()) part = 0;
    dims_differ =
        want[part].IsArray() && got[part].IsArray() && !DimsAgree(want[part], got[part]);
  }
  // Results that differ among themselves break a rule of their own.
  if (inst.opcode == Opcode::kReduceWindow && dims_differ && got.size() > 1) {
    for (const Shape& shape : got) {
      if (shape.IsArray() && got[0].IsArray() && !DimsAgree(shape, got[0])) return "C14";
    }
  }
  if ((inst.opcode == Opcode::kConvolution || inst.opcode == Opcode::kDynamicConvolution) &&
      inst.shape.IsArray() &&
      inst.shape.rank() != inferred.rank()) {
    return "C26";
  }
  if (inst.opcode == Opcode::kConditional) {
    return inst.operand(0)->shape.element_type() == ElementType::kPred ? "C3" : "C4";
  }
  if (absl::string_view label = PartLabel(inst, part, dims_differ); !label.empty()) {
    return std::string(label);
  }
  for (const ResultLabels& row : kLabels) {
    if (row.opcode == inst.opcode) return std::string(dims_differ ? row.dims : row.type);
  }
  return inst.opcode >= Opcode::kAbs && inst.opcode <= Opcode::kClamp ? "C1" : "result";
}

}  // namespace halyard::hlo
