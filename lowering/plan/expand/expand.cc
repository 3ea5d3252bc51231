#include <algorithm>

#include "frontend/hlo/ir/custom_call.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

Instruction* ScalarS32(Rewriter& rewriter, const Instruction& source, int64_t value) {
  hlo::Literal literal(Shape::Scalar(ElementType::kS32));
  literal.SetInt(0, value);
  return rewriter.AddConstant(source, std::move(literal));
}

// The index of a conditional on a PRED becomes s32; true selects branch 0.
void ExpandPredicate(Rewriter& rewriter, Instruction* conditional) {
  Instruction* pred = conditional->operands[0];
  if (pred->shape.element_type() != ElementType::kPred) return;
  conditional->operands[0] = rewriter.Add(
      *conditional, Opcode::kSelect, Shape::Scalar(ElementType::kS32),
      {pred, ScalarS32(rewriter, *conditional, 0), ScalarS32(rewriter, *conditional, 1)});
}

// select and clamp may have scalars beside arrays; kernels see operands of one shape.
void BroadcastScalars(Rewriter& rewriter, Instruction* inst) {
  if (inst->shape.IsScalar()) return;
  for (Instruction*& operand : inst->operands) {
    if (operand->shape.IsScalar()) {
      operand = rewriter.AddBroadcast(*inst, operand, inst->shape.dims(), {});
    }
  }
}

// Returns `count` copies of `part`, one after the other along `dim`.
Instruction* Repeated(Rewriter& rewriter, const Instruction& source, Instruction* part, int64_t dim,
                      int64_t count) {
  std::vector<int64_t> dims = part->shape.dims(), places;
  for (int64_t d = 0; d < part->shape.rank(); ++d) places.push_back(d < dim ? d : d + 1);
  std::vector<int64_t> stacked = dims;
  stacked.insert(stacked.begin() + dim, count);
  dims[dim] *= count;
  return rewriter.AddReshape(source, rewriter.AddBroadcast(source, part, stacked, places), dims);
}

// Returns the operands; neighbours that are one value have become one operand.
std::vector<Instruction*> JoinEqualNeighbours(Rewriter& rewriter, const Instruction& concatenate,
                                              int64_t dim) {
  const std::vector<Instruction*>& all = concatenate.operands;
  std::vector<Instruction*> parts;
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end] == all[begin]) ++end;
    parts.push_back(end - begin == 1 ? all[begin]
                                     : Repeated(rewriter, concatenate, all[begin], dim,
                                                static_cast<int64_t>(end - begin)));
  }
  return parts;
}

// Makes a tree of concatenations of at most kMaxConcatOperands.
void SplitConcatenate(Rewriter& rewriter, Instruction* inst) {
  if (inst->operands.size() <= kMaxConcatOperands) return;
  int64_t dim = inst->GetInts(Attr::kDimensions)[0];
  std::vector<Instruction*> parts = JoinEqualNeighbours(rewriter, *inst, dim);
  while (parts.size() > kMaxConcatOperands) {
    std::vector<Instruction*> groups;
    for (size_t begin = 0; begin < parts.size(); begin += kMaxConcatOperands) {
      size_t end = std::min<size_t>(parts.size(), begin + kMaxConcatOperands);
      std::vector<Instruction*> some(parts.begin() + begin, parts.begin() + end);
      std::vector<int64_t> dims = inst->shape.dims();
      dims[dim] = 0;
      for (const Instruction* part : some) dims[dim] += part->shape.dim(dim);
      groups.push_back(some.size() == 1
                           ? some[0]
                           : rewriter.Add(*inst, Opcode::kConcatenate, inst->shape.WithDims(dims),
                                          some, inst->attrs));
    }
    parts = std::move(groups);
  }
  inst->operands = std::move(parts);
}

}  // namespace

absl::Status ExpandOps(hlo::Module& module, uint32_t libraries, const runtime::DeviceInfo& device) {
  if (absl::Status s = SplitComplex(module); !s.ok()) return s;
  for (const auto& computation : module.computations()) {
    Rewriter rewriter(computation.get());
    for (Instruction* inst : rewriter.Snapshot()) {
      rewriter.ResolveOperands(inst);
      switch (inst->opcode) {
        case Opcode::kConditional:
          ExpandPredicate(rewriter, inst);
          break;
        case Opcode::kSelect:
        case Opcode::kClamp:
          BroadcastScalars(rewriter, inst);
          break;
        case Opcode::kConcatenate:
          SplitConcatenate(rewriter, inst);
          break;
        case Opcode::kCustomCall:
          if (hlo::IsAnnotation(*inst)) {
            rewriter.Replace(inst, inst->operands[0]);
            Rewriter::Discard(inst);
          }
          break;
        default:
          break;
      }
    }
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  if (absl::Status s = ExpandDimensionSizes(module); !s.ok()) return s;
  if (absl::Status s = ExpandRandom(module); !s.ok()) return s;
  if (absl::Status s = ExpandBatchNorm(module); !s.ok()) return s;
  if (absl::Status s = ExpandFft(module, libraries, device); !s.ok()) return s;
  if (absl::Status s = ExpandScatters(module); !s.ok()) return s;
  if (absl::Status s = GroupScatters(module, device); !s.ok()) return s;
  if (absl::Status s = ExpandLinearAlgebra(module); !s.ok()) return s;
  return absl::OkStatus();
}

}  // namespace halyard::lowering
