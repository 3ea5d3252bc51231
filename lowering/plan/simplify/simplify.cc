#include <algorithm>
#include <optional>

#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/communication.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/simplify/rules.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

constexpr int64_t kMaxFoldedBytes = 64 << 10;
// Terms that may be added, or combined, while one result is folded.
constexpr int64_t kMaxFoldedTerms = int64_t{1} << 22;
constexpr int kMaxRounds = 20;

using UserCounts = std::unordered_map<const Instruction*, int>;

// Returns the value of a constant, or (`splat`) of a constant scalar that is broadcast.
std::optional<Literal> ConstantOf(Instruction* inst, bool* splat) {
  if (!inst->shape.IsArray() || inst->shape.ByteSize() > kMaxFoldedBytes) return std::nullopt;
  if (inst->opcode == Opcode::kConstant) return inst->literal;
  const Instruction* scalar = SplatOf(inst);
  if (scalar == nullptr || scalar->opcode != Opcode::kConstant) return std::nullopt;
  *splat = true;
  Literal literal(inst->shape);
  for (int64_t i = 0; i < inst->shape.NumElements(); ++i) {
    literal.CopyElement(i, scalar->literal, 0);
  }
  return literal;
}

// Returns how many terms the results of `inst` have together. Ops whose work is about that of
// reading operands and writing results count as 0.
double FoldedTerms(const Instruction& inst) {
  double terms = static_cast<double>(inst.shape.NumElements());
  switch (inst.opcode) {
    case Opcode::kDot:
      for (int64_t d : inst.GetInts(Attr::kLhsContractingDims)) {
        terms *= static_cast<double>(inst.operand(0)->shape.dim(d));
      }
      return terms;
    case Opcode::kConvolution: {
      const Shape& kernel = inst.operand(1)->shape;
      const int64_t features = kernel.dim(inst.GetConvDims().kernel_output_feature);
      return terms * static_cast<double>(kernel.NumElements()) /
             static_cast<double>(std::max<int64_t>(features, 1));
    }
    case Opcode::kSelectAndScatter:
      terms = static_cast<double>(inst.operand(1)->shape.NumElements());
      [[fallthrough]];
    case Opcode::kReduceWindow:
      for (const hlo::WindowDim& dim : inst.GetWindow().dims) {
        terms *= static_cast<double>(dim.size);
      }
      return terms;
    default:
      return 0;
  }
}

// Array ops on constants only, where neither result nor operands are large. Splats count as
// constants beside others: what is known here need not be found out by Halide, which is wrong of
// integers that overflow (numerics/integer_ops.cc).
Instruction* Fold(Rewriter& rewriter, Instruction* inst) {
  if (!inst->shape.IsArray() || inst->operands.empty() || hlo::HasSideEffect(*inst)) return nullptr;
  if (inst->shape.ByteSize() > kMaxFoldedBytes) return nullptr;
  switch (inst->opcode) {
    case Opcode::kBroadcast:  // stays a broadcast: cheaper than the bytes
      if (inst->operands[0]->opcode == Opcode::kConstant && inst->operands[0]->shape.IsScalar()) {
        return nullptr;
      }
      break;
    case Opcode::kCustomCall:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kOptimizationBarrier:
      return nullptr;
    default:
      if (hlo::IsCommunication(inst->opcode)) return nullptr;  // the grid decides
      break;
  }
  if (FoldedTerms(*inst) > kMaxFoldedTerms) return nullptr;
  std::vector<Literal> operands;
  size_t splats = 0;
  for (Instruction* operand : inst->operands) {
    bool splat = false;
    std::optional<Literal> value = ConstantOf(operand, &splat);
    if (!value.has_value()) return nullptr;
    splats += splat;
    operands.push_back(*std::move(value));
  }
  if (splats > 0 && (splats == operands.size() || !hlo::RowOf(inst->opcode).elementwise)) {
    return nullptr;
  }
  hlo::Evaluator evaluator;
  absl::StatusOr<Literal> value = hlo::RowOf(inst->opcode).evaluate(evaluator, *inst, operands);
  if (!value.ok()) return nullptr;  // the kernel will say why
  return rewriter.AddConstant(*inst, *std::move(value));
}

// Constants of one repeated value are broadcasts.
Instruction* CanonicalConstant(Rewriter& rewriter, Instruction* inst) {
  if (inst->opcode != Opcode::kConstant || !inst->shape.IsArray() || inst->shape.IsScalar()) {
    return nullptr;
  }
  if (inst->shape.NumElements() < 1 || !inst->literal.IsSplat()) return nullptr;
  Literal scalar(Shape::Scalar(inst->shape.element_type()));
  scalar.CopyElement(0, inst->literal, 0);
  return rewriter.AddBroadcast(*inst, rewriter.AddConstant(*inst, std::move(scalar)),
                               inst->shape.dims(), {});
}

Instruction* SimplifyStructure(Rewriter&, Instruction* inst) {
  if (inst->opcode == Opcode::kGetTupleElement && inst->operands[0]->opcode == Opcode::kTuple) {
    return inst->operands[0]->operands[inst->GetInt(Attr::kIndex)];
  }
  if (inst->opcode == Opcode::kWhile && TripCountOf(*inst) == 0) return inst->operands[0];
  return nullptr;
}

// Returns the first of the wanted rules that applies, or null.
Instruction* Simpler(Rewriter& rewriter, Instruction* inst, const UserCounts& users,
                     const RewriteSet& without) {
  Instruction* to = SimplifyStructure(rewriter, inst);
  auto attempt = [&](Rewrite rewrite, auto&& rule) {
    if (to == nullptr && !without.Has(rewrite)) to = rule();
  };
  if (to == nullptr) to = SimplifyEmpty(rewriter, inst);
  if (to == nullptr) to = CanonicalConstant(rewriter, inst);
  attempt(Rewrite::kFold, [&] { return Fold(rewriter, inst); });
  attempt(Rewrite::kArithmetic, [&] { return SimplifyArithmetic(rewriter, inst); });
  attempt(Rewrite::kMovement, [&] { return SimplifyDataMovement(rewriter, inst); });
  attempt(Rewrite::kSink, [&] { return SinkThroughElementwise(rewriter, inst); });
  attempt(Rewrite::kTransposedDots, [&] { return SimplifyTransposedDot(rewriter, inst, users); });
  attempt(Rewrite::kPaddedConvolutions, [&] { return SimplifyPaddedConvolution(rewriter, inst); });
  attempt(Rewrite::kPointwiseConvolutions,
          [&] { return SimplifyPointwiseConvolution(rewriter, inst); });
  attempt(Rewrite::kSingles, [&] { return SimplifySingles(rewriter, inst); });
  return to;
}

absl::Status SimplifyOnce(hlo::Computation* computation, const RewriteSet& without, bool* changed) {
  Rewriter rewriter(computation);
  UserCounts users;
  for (const auto& inst : computation->instructions()) {
    for (const Instruction* operand : inst->operands) ++users[operand];
  }
  ++users[computation->root()];
  for (Instruction* inst : rewriter.Snapshot()) {
    rewriter.ResolveOperands(inst);
    Instruction* to = Simpler(rewriter, inst, users, without);
    if (to != nullptr) rewriter.Replace(inst, to);
  }
  if (!rewriter.changed()) return absl::OkStatus();
  *changed = true;
  return rewriter.Finish();
}

}  // namespace

Instruction* SplatOf(Instruction* inst) {
  if (inst->shape.IsScalar()) return inst;
  if (inst->opcode == Opcode::kBroadcast && inst->operands[0]->shape.IsScalar()) {
    return inst->operands[0];
  }
  return nullptr;
}

absl::Status Simplify(hlo::Module& module, const RewriteSet& without) {
  bool changed = true;
  for (int round = 0; changed && round < kMaxRounds; ++round) {
    changed = false;
    for (hlo::Computation* computation : module.PostOrder()) {
      if (absl::Status s = SimplifyOnce(computation, without, &changed); !s.ok()) return s;
    }
    if (!without.Has(Rewrite::kMergeEqual)) {
      if (absl::Status s = MergeEqual(module, &changed); !s.ok()) return s;
    }
    for (const auto& computation : module.computations()) computation->RemoveDead();
    module.RemoveUnreachableComputations();
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
