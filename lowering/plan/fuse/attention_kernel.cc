#include "lowering/plan/fuse/attention_kernel.h"

#include <algorithm>
#include <utility>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/attention/moves.h"
#include "lowering/kernels/kernel_form.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

namespace {

constexpr int kMostRepeats = 24;
constexpr int kDeepestPlaces = 16;
// What a kernel's text may grow by when its dimensions are collapsed.
constexpr size_t kSpareInstructions = 8;

// Returns whether the value is part of an array in memory, and every 16 bytes of the part that
// could be loaded at once can be.
bool IsAlignedSlice(const Instruction& inst) {
  if (inst.opcode != Opcode::kSlice) return false;
  constexpr int64_t kLoadBits = 128;
  const hlo::Shape& whole = inst.operand(0)->shape;
  int64_t stride = hlo::BitWidth(whole.element_type());
  for (int64_t d = whole.rank(); d-- > 0;) {
    const hlo::SliceDim& dim = inst.GetSlice()[d];
    const bool all = dim.start == 0 && dim.limit == whole.dim(d);
    if (dim.stride != 1 || dim.start * stride % kLoadBits != 0) return false;
    stride *= whole.dim(d);
    if (!all && stride % kLoadBits != 0) return false;
  }
  return true;
}

bool IsCheap(const Instruction& inst) {
  return hlo::RowOf(inst.opcode).elementwise && !IsTranscendental(inst.opcode) &&
         CostOf(inst.opcode) != OpCost::kDivision && !HasComplex(inst.shape);
}

}  // namespace

bool IsLightFactorOp(const Instruction& inst) {
  return inst.opcode == Opcode::kConvert || IsMove(inst) || IsAlignedSlice(inst);
}

Instruction* LastMoveAfter(Instruction* last, const UserMap& users) {
  while (true) {
    const std::vector<Instruction*>& next = users.at(last);
    if (next.size() != 1 || last == last->parent->root()) return last;
    Instruction* user = next[0];
    if (user->opcode != Opcode::kConvert && !IsMove(*user)) return last;
    if (user->opcode == Opcode::kConvert && !hlo::IsFloat(user->shape.element_type())) return last;
    last = user;
  }
}

AttentionKernelMaker::AttentionKernelMaker(const AttentionForm& form, hlo::Module* module,
                                           std::function<Instruction*(Instruction* row)> reciprocal)
    : form_(form), reciprocal_(std::move(reciprocal)) {
  const Shape& scores = form.scores->shape;
  keys_ = scores.dim(form.key_dim);
  mask_size_ = keys_;
  for (int64_t d = 0; d < scores.rank(); ++d)
    if (form.is_query[static_cast<size_t>(d)]) mask_size_ *= scores.dim(d);
  kernel_.computation = module->AddComputation("attention");
}

// Of statistics, what lies between the maximum and the shift depends on the scores, too.
bool AttentionKernelMaker::IsDependent(const Instruction* inst) const {
  if (form_.places.contains(inst)) return true;
  if (form_.kind != AttentionForm::Kind::kStatistics) return false;
  return inst == form_.sum || inst == form_.extra ||
         std::find(form_.row_ops.begin(), form_.row_ops.end(), inst) != form_.row_ops.end();
}

// Returns whether the value follows from places and constants alone.
bool AttentionKernelMaker::IsOfPlaces(const Instruction& inst, int depth) const {
  if (inst.opcode == Opcode::kIota) return true;
  if (inst.opcode == Opcode::kConstant) return inst.shape.ByteSize() <= kMaxInlineConstantBytes;
  if (depth == kDeepestPlaces || !inst.shape.IsArray()) return false;
  if (!IsCheap(inst) && inst.opcode != Opcode::kBroadcast && !IsMove(inst)) return false;
  return std::all_of(inst.operands.begin(), inst.operands.end(),
                     [&](const Instruction* operand) { return IsOfPlaces(*operand, depth + 1); });
}

// Returns whether the kernel may compute the value, which does not depend on the scores, again for
// each use: masks and broadcasts, but not what there is one of for a row.
bool AttentionKernelMaker::MayRepeat(const Instruction& inst) const {
  if (!inst.shape.IsArray()) return false;
  if (IsOfPlaces(inst, 0)) return true;
  if (inst.shape.NumElements() < mask_size_) return false;
  return inst.opcode == Opcode::kBroadcast || IsMove(inst) || IsCheap(inst);
}

Instruction* AttentionKernelMaker::Added(Opcode opcode, Shape shape,
                                         std::vector<Instruction*> operands, hlo::AttrMap attrs) {
  return kernel_.computation->Add(opcode, std::move(shape), std::move(operands), std::move(attrs));
}

Instruction* AttentionKernelMaker::Input(Instruction* inst) {
  auto found = copies_.find(inst);
  if (found != copies_.end()) return found->second;
  Instruction* parameter =
      kernel_.computation->AddParameter(static_cast<int64_t>(kernel_.inputs.size()), inst->shape);
  kernel_.inputs.push_back(inst);
  return copies_[inst] = parameter;
}

Instruction* AttentionKernelMaker::CopyFactor(Instruction* inst) {
  if (!IsLightFactorOp(*inst)) return Input(inst);
  auto found = factors_.find(inst);
  if (found != factors_.end()) return found->second;
  Instruction* copy = kernel_.computation->AddClone(*inst, {CopyFactor(inst->operands[0])});
  return factors_[inst] = copy;
}

// Copies x / row as x · (1 / row), with 1 / row in f32. Returns null if the row has no reciprocal.
Instruction* AttentionKernelMaker::CopyDivision(Instruction* inst) {
  Instruction* reciprocal = reciprocal_(inst->operands[1]->operands[0]);
  if (reciprocal == nullptr) return nullptr;
  Instruction* factor = Input(reciprocal);
  const std::vector<int64_t>& dims = inst->shape.dims();
  const ElementType type = inst->shape.element_type();
  const Shape wide = Shape::Array(ElementType::kF32, dims);
  Instruction* all =
      Added(Opcode::kBroadcast, wide, {factor},
            OneAttr(Attr::kDimensions, inst->operand(1)->GetInts(Attr::kDimensions)));
  Instruction* x = Copy(inst->operands[0]);
  if (type == ElementType::kF32) return Added(Opcode::kMultiply, wide, {x, all});
  Instruction* product = Added(Opcode::kMultiply, wide, {Added(Opcode::kConvert, wide, {x}), all});
  return Added(Opcode::kConvert, inst->shape, {product});
}

// select(mask, factor, 0), before the conversions that follow in the program.
Instruction* AttentionKernelMaker::Masked(Instruction* factor) {
  if (factor->opcode == Opcode::kConvert)
    return kernel_.computation->AddClone(*factor, {Masked(factor->operands[0])});
  Instruction* value = Copy(factor);
  Instruction* zero =
      kernel_.computation->AddConstant(hlo::Literal(Shape::Scalar(factor->shape.element_type())));
  Instruction* zeros =
      Added(Opcode::kBroadcast, factor->shape, {zero}, OneAttr(Attr::kDimensions, hlo::Ints{}));
  return Added(Opcode::kSelect, factor->shape, {Copy(mask_), value, zeros});
}

// The last product, without summed dimensions of size 1.
Instruction* AttentionKernelMaker::CopyProduct(Instruction* inst) {
  std::vector<Instruction*> operands;
  hlo::AttrMap attrs = inst->attrs;
  for (int64_t side : {0, 1}) {
    Instruction* operand = inst->operands[static_cast<size_t>(side)];
    const bool is_factor = side == form_.weights_operand;
    Instruction* copy = !is_factor         ? CopyFactor(operand)
                        : mask_ == nullptr ? Copy(operand)
                                           : Masked(operand);
    const Attr summed_attr = side == 0 ? Attr::kLhsContractingDims : Attr::kRhsContractingDims;
    const Attr batch_attr = side == 0 ? Attr::kLhsBatchDims : Attr::kRhsBatchDims;
    const hlo::Ints summed = inst->GetInts(summed_attr);
    std::vector<int64_t> dims, renamed(static_cast<size_t>(operand->shape.rank()), -1);
    for (int64_t d = 0; d < operand->shape.rank(); ++d) {
      const bool drop =
          operand->shape.dim(d) == 1 && std::find(summed.begin(), summed.end(), d) != summed.end();
      if (drop) continue;
      renamed[static_cast<size_t>(d)] = static_cast<int64_t>(dims.size());
      dims.push_back(operand->shape.dim(d));
    }
    if (dims.size() != renamed.size())
      copy = Added(Opcode::kReshape, operand->shape.WithDims(dims), {copy});
    for (Attr attr : {summed_attr, batch_attr}) {
      hlo::Ints kept;
      for (int64_t d : inst->GetInts(attr))
        if (renamed[static_cast<size_t>(d)] >= 0) kept.push_back(renamed[static_cast<size_t>(d)]);
      if (inst->Has(attr)) attrs.Set(attr, kept);
    }
    operands.push_back(copy);
  }
  return Added(Opcode::kDot, inst->shape, std::move(operands), std::move(attrs));
}

Instruction* AttentionKernelMaker::CopyDependent(Instruction* inst) {
  if (inst == form_.product) return CopyProduct(inst);
  const bool scores = inst == form_.scores || inst == form_.second;
  if (inst->opcode == Opcode::kDivide && !IsDependent(inst->operand(1)) &&
      inst->operand(1)->opcode == Opcode::kBroadcast && hlo::IsFloat(inst->shape.element_type()) &&
      inst->operand(1)->operand(0)->shape.NumElements() * keys_ <= inst->shape.NumElements()) {
    if (Instruction* copy = CopyDivision(inst); copy != nullptr) return copy;
  }
  std::vector<Instruction*> operands;
  for (Instruction* operand : inst->operands)
    operands.push_back(scores ? CopyFactor(operand) : Copy(operand));
  return kernel_.computation->AddClone(*inst, std::move(operands));
}

Instruction* AttentionKernelMaker::Copy(Instruction* inst) {
  auto found = copies_.find(inst);
  if (found != copies_.end()) return found->second;
  // Too much already: the caller gives up.
  if (kernel_.computation->instructions().size() > kMaxKernelInstructions) return Input(inst);
  Instruction* copy = nullptr;
  if (IsDependent(inst) || inst->opcode == Opcode::kTuple) {
    copy = CopyDependent(inst);
  } else if (repeated_ < kMostRepeats && MayRepeat(*inst)) {
    if (inst->opcode != Opcode::kConstant) ++repeated_;
    std::vector<Instruction*> operands;
    for (Instruction* operand : inst->operands) operands.push_back(Copy(operand));
    copy = kernel_.computation->AddClone(*inst, std::move(operands));
  } else {
    return Input(inst);
  }
  copy->attrs.Erase(Attr::kFrontendAttributes);
  copy->provenance = inst->provenance;
  kernel_.provenance.Unite(inst->provenance);
  return copies_[inst] = copy;
}

bool AttentionKernelMaker::Make(Instruction* root, const UserMap& users, size_t max_buffers) {
  Instruction* copy = Copy(root);
  size_t outputs = 1;
  kernel_.last = root;
  if (root->opcode == Opcode::kTuple) {
    outputs = root->operands.size();
  } else {
    Instruction* last = LastMoveAfter(root, users);
    for (Instruction* at = root; at != last;) {
      at = users.at(at)[0];
      copy = kernel_.computation->AddClone(*at, {copy});
      kernel_.provenance.Unite(at->provenance);
    }
    kernel_.last = last;
  }
  kernel_.computation->set_root(copy);
  return kernel_.computation->instructions().size() + kSpareInstructions <=
             kMaxKernelInstructions &&
         kernel_.inputs.size() + outputs <= max_buffers &&
         VerifyKernelForm(*kernel_.computation).ok();
}

}  // namespace halyard::lowering
