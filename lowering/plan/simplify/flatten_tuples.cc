#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;

// Makes an array per result of a barrier; tokens and nested tuples are taken apart, too.
Instruction* BarrierOf(Rewriter& rewriter, const Instruction& barrier, Instruction* value) {
  if (value->shape.IsToken()) return value;
  if (value->shape.IsArray()) {
    return rewriter.Add(barrier, Opcode::kOptimizationBarrier, value->shape, {value});
  }
  std::vector<Instruction*> parts;
  for (size_t i = 0; i < value->shape.elements().size(); ++i) {
    Instruction* part = value->opcode == Opcode::kTuple
                            ? value->operands[i]
                            : rewriter.AddGetTupleElement(barrier, value, i);
    parts.push_back(BarrierOf(rewriter, barrier, part));
  }
  return rewriter.Add(barrier, Opcode::kTuple, value->shape, std::move(parts));
}

Instruction* ExpandBarrier(Rewriter& rewriter, const Instruction& barrier) {
  if (barrier.operands.size() == 1) return BarrierOf(rewriter, barrier, barrier.operands[0]);
  std::vector<Instruction*> parts;
  for (Instruction* operand : barrier.operands) {
    parts.push_back(BarrierOf(rewriter, barrier, operand));
  }
  return rewriter.Add(barrier, Opcode::kTuple, barrier.shape, std::move(parts));
}

// Makes a constant per array of a constant tuple.
Instruction* TakeConstantApart(Rewriter& rewriter, const Instruction& source,
                               const hlo::Literal& value) {
  if (!value.shape().IsTuple()) return rewriter.AddConstant(source, value);
  std::vector<Instruction*> parts;
  for (const hlo::Literal& element : value.elements()) {
    parts.push_back(TakeConstantApart(rewriter, source, element));
  }
  return rewriter.Add(source, Opcode::kTuple, value.shape(), std::move(parts));
}

bool IsSeveralResults(const Instruction& inst) {
  return inst.shape.IsTuple() && FormOf(inst.opcode) != OpForm::kNone;
}

}  // namespace

absl::Status FlattenTuples(hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    Rewriter rewriter(computation.get());
    // tuple(get-tuple-element…) of an op with several results, for its other users.
    std::unordered_map<Instruction*, Instruction*> taken_apart;
    std::vector<Instruction*> list = rewriter.Snapshot();
    for (Instruction* inst : list) {
      rewriter.ResolveOperands(inst);
      if (inst->opcode == Opcode::kGetTupleElement) {
        Instruction* tuple = inst->operands[0];
        if (tuple->opcode == Opcode::kTuple) {
          rewriter.Replace(inst, tuple->operands[inst->GetInt(Attr::kIndex)]);
        }
        continue;
      }
      for (Instruction*& operand : inst->operands) {
        if (auto found = taken_apart.find(operand); found != taken_apart.end()) {
          operand = found->second;
        }
      }
      if (inst->opcode == Opcode::kOptimizationBarrier &&
          (inst->shape.IsTuple() || inst->operands.size() != 1)) {
        rewriter.Replace(inst, ExpandBarrier(rewriter, *inst));
      } else if (inst->opcode == Opcode::kConstant && inst->shape.IsTuple()) {
        rewriter.Replace(inst, TakeConstantApart(rewriter, *inst, inst->literal));
      } else if (IsSeveralResults(*inst)) {
        std::vector<Instruction*> parts;
        for (size_t i = 0; i < inst->shape.elements().size(); ++i) {
          parts.push_back(rewriter.AddGetTupleElement(*inst, inst, i));
        }
        taken_apart[inst] = rewriter.Add(*inst, Opcode::kTuple, inst->shape, std::move(parts));
      }
    }
    Instruction* root = rewriter.Resolve(computation->root());
    if (auto found = taken_apart.find(root); found != taken_apart.end()) {
      computation->set_root(found->second);
    }
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
