#include "lowering/kernels/kernel_form.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/attention/form.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::OpKind;

absl::Status Broken(int rule, const Instruction& inst, absl::string_view what) {
  return absl::InternalError(absl::StrCat("kernel form, rule ", rule, ": ",
                                          hlo::RowOf(inst.opcode).hlo_name, " ", inst.name, ": ",
                                          what));
}

const std::vector<int64_t>& DimsOf(const Instruction& inst) {
  return inst.shape.IsTuple() ? inst.shape.elements().front().dims() : inst.shape.dims();
}

// Rule 1.
absl::Status VerifyHeroes(const std::vector<const Instruction*>& heroes) {
  if (heroes.size() < 2) return absl::OkStatus();
  const Instruction& first = *heroes.front();
  for (const Instruction* hero : heroes) {
    if (hero->opcode != Opcode::kReduce) return Broken(1, *hero, "one of several heroes");
    if (hero->operand(0)->shape.dims() != first.operand(0)->shape.dims() ||
        hero->GetInts(Attr::kDimensions) != first.GetInts(Attr::kDimensions)) {
      return Broken(1, *hero, "reduces other dimensions than the kernel's first reduce");
    }
  }
  return absl::OkStatus();
}

bool HasSeveralResults(const std::vector<const Instruction*>& heroes) {
  return heroes.size() == 1 && heroes.front()->shape.IsTuple();
}

// Rule 4, depth: longest chain of instructions.
absl::Status VerifySize(const Computation& kernel, size_t outputs, bool several_results = false) {
  int quarters = 0;
  for (const auto& inst : kernel.instructions()) quarters += QuartersOf(*inst);
  if (quarters > 4 * kMaxKernelInstructions) {
    return Broken(4, *kernel.root(), "more instructions than kMaxKernelInstructions");
  }
  const size_t most = several_results || IsSequence(kernel.root()->opcode) ? kMaxSequenceBuffers
                                                                           : kMaxKernelBuffers;
  if (kernel.num_parameters() + outputs > most) {
    return Broken(4, *kernel.root(), absl::StrCat("more parameters and outputs than ", most));
  }
  std::unordered_map<const Instruction*, int> depth;
  for (const auto& inst : kernel.instructions()) {
    int deepest = 0;
    for (const Instruction* operand : inst->operands) deepest = std::max(deepest, depth[operand]);
    depth[inst.get()] = deepest + 1;
    if (deepest >= kMaxExpressionDepth) return Broken(4, *inst, "deeper than kMaxExpressionDepth");
  }
  return absl::OkStatus();
}

// Rule 3: returns how many elementwise ops compute `inst` from parameters, or -1 if one of them is
// a transcendental or a hero.
int PrologueOps(const Instruction& inst) {
  if (IsHero(inst) || IsTranscendental(inst.opcode)) return -1;
  int count = hlo::RowOf(inst.opcode).elementwise ? 1 : 0;
  for (const Instruction* operand : inst.operands) {
    int below = PrologueOps(*operand);
    if (below < 0) return -1;
    count += below;
  }
  return count;
}

absl::Status VerifyPrologue(const Instruction& hero,
                            const std::optional<AttentionForm>& attention) {
  if (hero.opcode != Opcode::kDot && hero.opcode != Opcode::kConvolution &&
      hero.opcode != Opcode::kReduceWindow) {
    return absl::OkStatus();
  }
  for (const Instruction* operand : hero.operands) {
    if (attention.has_value() && &hero == attention->product &&
        operand == hero.operand(attention->weights_operand)) {
      continue;
    }
    int ops = PrologueOps(*operand);
    if (ops < 0 || ops > kMaxPrologueOps) {
      return Broken(3, hero, absl::StrCat("operand ", operand->name, " is costly"));
    }
  }
  return absl::OkStatus();
}

absl::Status VerifyOutputs(const std::vector<const Instruction*>& outputs) {
  for (const Instruction* output : outputs) {
    if (!output->shape.IsArray()) return Broken(2, *output, "an output that is no array");
    if (output->shape.dims() != outputs.front()->shape.dims()) {
      return Broken(2, *output, "outputs of different dimensions");
    }
    if (HasComplex(output->shape) != HasComplex(outputs.front()->shape)) {
      return Broken(2, *output, "complex and real outputs");
    }
  }
  return absl::OkStatus();
}

absl::Status VerifyTransform(const Instruction& inst, const Computation& kernel) {
  if (inst.opcode != Opcode::kFftPass) return absl::OkStatus();
  if (&inst != kernel.root()) return Broken(6, inst, "is not the root");
  for (size_t i = 1; i < inst.operands.size(); ++i) {
    if (inst.operand(i)->opcode != Opcode::kParameter) {
      return Broken(6, inst, absl::StrCat("operand ", i, " is computed"));
    }
  }
  return absl::OkStatus();
}

absl::Status VerifyLibraryOp(const Instruction& inst, const Computation& kernel) {
  if (!IsLibraryOp(inst.opcode)) return absl::OkStatus();
  if (&inst != kernel.root()) return Broken(6, inst, "is not the root");
  for (const Instruction* operand : inst.operands) {
    if (operand->opcode != Opcode::kParameter) {
      return Broken(6, inst, absl::StrCat("operand ", operand->name, " is computed"));
    }
  }
  return absl::OkStatus();
}

absl::Status VerifySequence(const Instruction& inst, const Computation& kernel) {
  if (!IsSequence(inst.opcode)) return absl::OkStatus();
  if (&inst != kernel.root()) return Broken(5, inst, "is not the root");
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    const Instruction* operand = inst.operand(i);
    const SequenceOperand form = SequenceOperandOf(inst, i);
    if (form != SequenceOperand::kInPlace && form != SequenceOperand::kMemory) continue;
    if (operand->opcode != Opcode::kParameter) {
      return Broken(5, inst, absl::StrCat("operand ", i, " is computed"));
    }
    if (form != SequenceOperand::kInPlace) continue;
    int64_t uses = 0;
    for (const auto& user : kernel.instructions()) {
      uses += std::count(user->operands.begin(), user->operands.end(), operand);
    }
    if (uses != 1) return Broken(5, inst, absl::StrCat("operand ", i, " is used elsewhere too"));
  }
  return absl::OkStatus();
}

}  // namespace

bool HasComplex(const hlo::Shape& shape) {
  for (const hlo::Shape& leaf : hlo::FlattenShape(shape)) {
    if (leaf.IsArray() && hlo::IsComplex(leaf.element_type())) return true;
  }
  return false;
}

OpForm FormOf(Opcode opcode) {
  switch (hlo::RowOf(opcode).kind) {
    case OpKind::kElementwise:
    case OpKind::kMove:
      return OpForm::kExpr;
    case OpKind::kHero:
    case OpKind::kSequence:
    case OpKind::kLibrary:
      return OpForm::kFunc;
    case OpKind::kMapped:
    case OpKind::kExpanded:
    case OpKind::kCollective:
    case OpKind::kProcessId:
      return OpForm::kSteps;
    case OpKind::kReplaced:
    case OpKind::kStructure:
    case OpKind::kTransfer:
      return OpForm::kNone;
  }
  return OpForm::kNone;
}

std::optional<Opcode> SingleCommutativeOp(const hlo::Computation& body) {
  const Instruction* root = body.root();
  if (root->operands.size() != 2 || body.num_parameters() != 2) return std::nullopt;
  const Instruction *a = root->operand(0), *b = root->operand(1);
  if (a->opcode != Opcode::kParameter || b->opcode != Opcode::kParameter || a == b)
    return std::nullopt;
  switch (root->opcode) {
    case Opcode::kAdd:
    case Opcode::kMultiply:
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
      return root->opcode;
    default:
      return std::nullopt;
  }
}

bool IsZero(const Instruction& value) {
  return value.opcode == Opcode::kConstant && value.shape.IsScalar() &&
         hlo::IsFloat(value.shape.element_type()) && value.literal.GetFloat(0) == 0;
}

bool IsFoldBy(const Instruction& inst, Opcode opcode) {
  return inst.opcode == Opcode::kReduce && inst.operands.size() == 2 &&
         SingleCommutativeOp(*inst.called[0]) == opcode;
}

bool IsLibraryOp(Opcode opcode) { return hlo::RowOf(opcode).kind == OpKind::kLibrary; }

bool IsSequence(Opcode opcode) { return hlo::RowOf(opcode).kind == OpKind::kSequence; }

SequenceOperand SequenceOperandOf(const Instruction& sequence, size_t operand) {
  switch (sequence.opcode) {
    case Opcode::kScatter: {
      const size_t inputs = sequence.operands.size() / 2;
      if (operand < inputs) return SequenceOperand::kInPlace;
      return operand == inputs ? SequenceOperand::kRepeated : SequenceOperand::kOnce;
    }
    case Opcode::kDynamicUpdateSlice:
      return operand == 0 ? SequenceOperand::kInPlace : SequenceOperand::kOnce;
    case Opcode::kCountingPass:
      return SequenceOperand::kRepeated;
    case Opcode::kCholeskyBlock:
    case Opcode::kTriangularBlock:
      return operand == 0 ? SequenceOperand::kInPlace : SequenceOperand::kMemory;
    default:
      return SequenceOperand::kMemory;
  }
}

bool IsNumber(const Instruction& inst) {
  if (inst.opcode == Opcode::kBroadcast) return inst.operand(0)->shape.IsScalar();
  return inst.opcode == Opcode::kConstant && inst.shape.IsScalar();
}

int QuartersOf(const Instruction& inst) {
  if (IsNumber(inst)) return 0;
  switch (inst.opcode) {
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kNot:
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightLogical:
    case Opcode::kShiftRightArithmetic: {
      const hlo::ElementType type = inst.shape.element_type();
      return hlo::IsInteger(type) && hlo::BitWidth(type) <= 32 ? 1 : 4;
    }
    default:
      return 4;
  }
}

bool IsHero(const Instruction& inst) { return FormOf(inst.opcode) == OpForm::kFunc; }

OpCost CostOf(Opcode opcode) { return hlo::RowOf(opcode).cost; }

bool IsTranscendental(Opcode opcode) {
  const OpCost cost = CostOf(opcode);
  return cost == OpCost::kFunction || cost == OpCost::kCompound;
}

absl::Status VerifyKernelForm(const Computation& kernel) {
  const Instruction* root = kernel.root();
  std::vector<const Instruction*> outputs = {root};
  if (root->opcode == Opcode::kTuple) outputs.assign(root->operands.begin(), root->operands.end());
  std::vector<const Instruction*> heroes;
  const std::optional<AttentionForm> attention = AttentionOfKernel(kernel);
  for (const auto& inst : kernel.instructions()) {
    OpForm form = FormOf(inst->opcode);
    if (form == OpForm::kFunc) heroes.push_back(inst.get());
    bool structure = inst->opcode == Opcode::kParameter || inst->opcode == Opcode::kTuple ||
                     inst->opcode == Opcode::kGetTupleElement;
    if (form == OpForm::kSteps || (form == OpForm::kNone && !structure)) {
      return Broken(1, *inst, "not an op of a kernel");
    }
    if (inst->opcode == Opcode::kTuple && inst.get() != root) {
      return Broken(1, *inst, "a tuple inside of a kernel");
    }
    if (inst->opcode == Opcode::kConstant && inst->shape.ByteSize() > kMaxInlineConstantBytes) {
      return Broken(4, *inst, "a constant larger than kMaxInlineConstantBytes");
    }
    if (inst->opcode == Opcode::kConcatenate && inst->operands.size() > kMaxConcatOperands) {
      return Broken(4, *inst, "more operands than kMaxConcatOperands");
    }
    if (absl::Status s = VerifyPrologue(*inst, attention); !s.ok()) return s;
    if (absl::Status s = VerifySequence(*inst, kernel); !s.ok()) return s;
    if (absl::Status s = VerifyTransform(*inst, kernel); !s.ok()) return s;
    if (absl::Status s = VerifyLibraryOp(*inst, kernel); !s.ok()) return s;
  }
  if (attention.has_value()) return VerifySize(kernel, outputs.size());
  if (absl::Status s = VerifyHeroes(heroes); !s.ok()) return s;
  if (root->opcode != Opcode::kTuple && root->shape.IsTuple()) {
    // The root itself is a hero with several results.
    for (const hlo::Shape& element : root->shape.elements()) {
      if (element.dims() != DimsOf(*root))
        return Broken(2, *root, "outputs of different dimensions");
    }
    return VerifySize(kernel, root->shape.elements().size(), /*several_results=*/true);
  }
  if (absl::Status s = VerifyOutputs(outputs); !s.ok()) return s;
  return VerifySize(kernel, outputs.size(), HasSeveralResults(heroes));
}

}  // namespace halyard::lowering
