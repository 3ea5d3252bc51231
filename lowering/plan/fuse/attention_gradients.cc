// Makes kernels of attention whose weights more than one product reads, as in a training step:
// statistics of the rows once, and then each product computes the scores again and keeps them in
// registers. docs/passes.md, Attention.
#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/attention/form.h"
#include "lowering/kernels/attention/mask.h"
#include "lowering/kernels/attention/moves.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/fuse/attention_kernel.h"
#include "lowering/plan/fuse/attention_training.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

// Rewrites one group, if all of its members become kernels.
class TrainingRewriter {
 public:
  TrainingRewriter(const AttentionTraining& group, const runtime::DeviceInfo& device,
                   const UserMap& users, size_t max_buffers, Rewriter& rewriter)
      : group_(group),
        device_(device),
        users_(users),
        max_buffers_(max_buffers),
        rewriter_(rewriter) {}

  // If a member does not become a kernel, only dead instructions are added.
  void Rewrite();

 private:
  Instruction* AddExtra();
  Instruction* ScaledExtra(Instruction* extra);
  Instruction* RowOf(const AttentionTraining::Factor& factor);
  Instruction* Reciprocal(Instruction* row);
  bool MakeStatistics(bool with_extra, AttentionKernel* kernel);
  bool CotangentNeedsSums() const;
  bool IsMultiple(const Instruction& factor) const;
  bool IsOfSums(const Instruction& row) const;
  bool MakeProduct(Instruction* product);
  // The mask by which the chain's factor may be made zero, or null.
  Instruction* MaskFor(const AttentionForm& form) const;
  Instruction* AddFusion(const AttentionKernel& kernel);

  const AttentionTraining& group_;
  const runtime::DeviceInfo& device_;
  const UserMap& users_;
  const size_t max_buffers_;
  Rewriter& rewriter_;
  std::map<Instruction*, Instruction*> reciprocals_;
  const Instruction* mask_select_ = nullptr;  // of the logits, if hidden keys' weights are 0
  std::vector<AttentionKernel> products_;
};

// 1 / row in f32, or null if the row does not come from the sums: only divisions by those are
// multiplications (docs/numerics.md).
Instruction* TrainingRewriter::Reciprocal(Instruction* row) {
  if (!IsOfSums(*row)) return nullptr;
  Instruction*& made = reciprocals_[row];
  if (made != nullptr) return made;
  const Shape shape = Shape::Array(ElementType::kF32, row->shape.dims());
  Instruction* one = rewriter_.AddConstant(*row, hlo::Literal(Shape::Scalar(ElementType::kF32)));
  one->literal.SetFloat(0, 1);
  Instruction* wide = row->shape.element_type() == ElementType::kF32
                          ? row
                          : rewriter_.Add(*row, Opcode::kConvert, shape, {row});
  Instruction* ones = shape.rank() == 0 ? one : rewriter_.AddBroadcast(*row, one, shape.dims(), {});
  return made = rewriter_.Add(*row, Opcode::kDivide, shape, {ones, wide});
}

// Σ E · cotangent over the keys, in f32.
Instruction* TrainingRewriter::AddExtra() {
  const Instruction& like = *group_.extra;
  const Shape wide = Shape::Array(ElementType::kF32, group_.exponential->shape.dims());
  auto widened = [&](Instruction* value) {
    return value->shape.element_type() == ElementType::kF32
               ? value
               : rewriter_.Add(like, Opcode::kConvert, wide, {value});
  };
  Instruction* term = rewriter_.Add(like, Opcode::kMultiply, wide,
                                    {widened(group_.exponential), widened(group_.cotangent)});
  Instruction* zero = rewriter_.AddConstant(like, hlo::Literal(Shape::Scalar(ElementType::kF32)));
  return rewriter_.Add(like, Opcode::kReduce, Shape::Array(ElementType::kF32, like.shape.dims()),
                       {term, zero}, OneAttr(Attr::kDimensions, like.GetInts(Attr::kDimensions)),
                       {group_.sum->called[0]});
}

// The factor's value for each row, in f32 and the dimensions of the sums.
Instruction* TrainingRewriter::RowOf(const AttentionTraining::Factor& factor) {
  const Instruction& extra = *group_.extra;
  Instruction* row = factor.broadcast->operands[0];
  const hlo::Ints& summed = extra.GetInts(Attr::kDimensions);
  hlo::Ints to;
  for (int64_t d : factor.broadcast->GetInts(Attr::kDimensions)) {
    to.push_back(d - std::count_if(summed.begin(), summed.end(), [&](int64_t s) { return s < d; }));
  }
  Instruction* all = rewriter_.AddBroadcast(extra, row, extra.shape.dims(), to);
  if (all->shape.element_type() == ElementType::kF32) return all;
  return rewriter_.Add(extra, Opcode::kConvert, Shape::Array(ElementType::kF32, extra.shape.dims()),
                       {all});
}

// What the program's own sum is: that of E · cotangent, times what is the same for all keys.
Instruction* TrainingRewriter::ScaledExtra(Instruction* extra) {
  for (const AttentionTraining::Factor& factor : group_.factors) {
    extra = rewriter_.Add(*group_.extra, factor.divides ? Opcode::kDivide : Opcode::kMultiply,
                          extra->shape, {extra, RowOf(factor)});
  }
  if (group_.extra->shape.element_type() == ElementType::kF32) return extra;
  return rewriter_.Add(*group_.extra, Opcode::kConvert, group_.extra->shape, {extra});
}

bool TrainingRewriter::MakeStatistics(bool with_extra, AttentionKernel* kernel) {
  std::vector<Instruction*> folds = {group_.max, group_.sum};
  if (with_extra) folds.push_back(AddExtra());
  std::vector<Shape> shapes;
  for (const Instruction* fold : folds) shapes.push_back(fold->shape);
  Instruction* tuple = rewriter_.Add(*group_.sum, Opcode::kTuple, Shape::Tuple(shapes), folds);
  const std::optional<AttentionForm> form = FindStatistics(*tuple);
  if (!form.has_value() || !TensorCoresTake(*form, device_)) return false;
  // The weights of a query that sees no key are not 0 but no numbers.
  if (EveryQuerySeesKeys(*form)) mask_select_ = BehindConverts(form->logits);
  AttentionKernelMaker maker(*form, rewriter_.computation()->module(),
                             [&](Instruction* row) { return Reciprocal(row); });
  if (!maker.Make(tuple, users_, max_buffers_)) return false;
  *kernel = maker.kernel();
  return true;
}

// Returns whether the cotangent follows from the attention's own result, as in most training steps.
// What other attentions have become counts, because a kernel has all of its results at once.
bool TrainingRewriter::CotangentNeedsSums() const {
  return Reaches(
      *group_.cotangent,
      [&](const Instruction& at) { return &at == group_.max || &at == group_.sum; },
      [&](const Instruction& at) {
        std::vector<Instruction*> now = at.operands;
        for (Instruction*& operand : now) operand = rewriter_.Resolve(operand);
        return now;
      });
}

// Returns whether the value is 0 wherever the exponential is, as far as ops of elements show.
bool TrainingRewriter::IsMultiple(const Instruction& factor) const {
  // The operands of which one suffices.
  auto next = [](const Instruction& value) -> std::vector<Instruction*> {
    switch (value.opcode) {
      case Opcode::kConvert:
        if (!IsFloatConvert(value)) return {};
        return value.operands;
      case Opcode::kNegate:
      case Opcode::kMultiply:
        return value.operands;
      case Opcode::kDivide:
        return {value.operands[0]};
      case Opcode::kSelect: {
        const Instruction* other = ConstantOfAll(*value.operand(2));
        if (other == nullptr || !IsZero(*other)) return {};
        return {value.operands[1]};
      }
      default:
        if (!IsMove(value)) return {};
        return {value.operands[0]};
    }
  };
  return Reaches(
      factor, [&](const Instruction& value) { return &value == group_.exponential; }, next);
}

// Returns whether the rows are computed from the sums of rows.
bool TrainingRewriter::IsOfSums(const Instruction& row) const {
  return Reaches(
      row, [&](const Instruction& at) { return &at == group_.sum; },
      [&](const Instruction& at) {
        const bool passes = hlo::RowOf(at.opcode).elementwise || IsMove(at);
        return passes ? at.operands : std::vector<Instruction*>();
      });
}

Instruction* TrainingRewriter::MaskFor(const AttentionForm& form) const {
  if (mask_select_ == nullptr || MaskHidesKeys(form)) return nullptr;
  const Instruction* factor = BehindConverts(form.factor());
  const auto select = form.places.find(mask_select_), value = form.places.find(factor);
  const bool same = select != form.places.end() && value != form.places.end() &&
                    select->second == value->second &&
                    factor->shape.dims() == mask_select_->shape.dims() && IsMultiple(*factor);
  return same ? mask_select_->operands[0] : nullptr;
}

bool TrainingRewriter::MakeProduct(Instruction* product) {
  const std::optional<AttentionForm> form = FindChain(*product);
  if (!form.has_value() || !TensorCoresTake(*form, device_)) return false;
  AttentionKernelMaker maker(*form, rewriter_.computation()->module(),
                             [&](Instruction* row) { return Reciprocal(row); });
  maker.set_mask(MaskFor(*form));
  if (!maker.Make(product, users_, max_buffers_)) return false;
  products_.push_back(maker.kernel());
  return true;
}

Instruction* TrainingRewriter::AddFusion(const AttentionKernel& kernel) {
  Instruction* fusion =
      rewriter_.Add(*kernel.last, Opcode::kFusion, kernel.computation->root()->shape, kernel.inputs,
                    OneAttr(Attr::kKind, std::string("kLoop")), {kernel.computation});
  fusion->provenance = kernel.provenance;
  return fusion;
}

void TrainingRewriter::Rewrite() {
  const bool has_extra = group_.extra != nullptr;
  // One kernel for all statistics, unless the maxima and sums are needed before the cotangent.
  const bool apart = has_extra && CotangentNeedsSums();
  AttentionKernel statistics, extra;
  if (!MakeStatistics(has_extra && !apart, &statistics)) return;
  if (apart && !MakeStatistics(true, &extra)) return;
  for (Instruction* product : group_.products)
    if (!MakeProduct(product)) return;
  Instruction* rows = AddFusion(statistics);
  auto result = [&](Instruction* tuple, int64_t i) {
    return rewriter_.AddGetTupleElement(*group_.sum, tuple, i);
  };
  for (const AttentionKernel& product : products_)
    rewriter_.Replace(product.last, AddFusion(product));
  if (has_extra) {
    Instruction* later = apart ? AddFusion(extra) : rows;
    rewriter_.Replace(group_.extra, ScaledExtra(result(later, 2)));
  }
  rewriter_.Replace(group_.max, result(rows, 0));
  rewriter_.Replace(group_.sum, result(rows, 1));
}

absl::Status FormGradientsIn(Computation* sequence, const runtime::DeviceInfo& device,
                             size_t max_buffers, const PlanChoices& choices) {
  if (absl::Status s = PrepareAttentionTraining(sequence, device, choices); !s.ok()) return s;
  Rewriter rewriter(sequence);
  const UserMap users = sequence->Users();
  bool looked = false;
  for (Instruction* inst : rewriter.Snapshot()) {
    if (inst->opcode != Opcode::kReduce || IsOnHost(*inst)) continue;
    const std::optional<AttentionTraining> group = FindAttentionTraining(inst, users);
    if (!group.has_value() || IsUnwanted(*group, choices)) continue;
    looked = true;
    TrainingRewriter(*group, device, users, max_buffers, rewriter).Rewrite();
  }
  return looked ? rewriter.Finish() : absl::OkStatus();
}

}  // namespace

absl::Status FormAttentionGradients(hlo::Module& module, const runtime::DeviceInfo& device,
                                    const PlanChoices& choices) {
  if (device.kind != runtime::DeviceKind::kCuda || device.software) return absl::OkStatus();
  const auto max_buffers = static_cast<size_t>(FusionLimitsOf(device).max_buffers);
  for (Computation* sequence : SequencesOf(module)) {
    if (absl::Status s = FormGradientsIn(sequence, device, max_buffers, choices); !s.ok()) return s;
  }
  module.RemoveUnreachableComputations();
  return absl::OkStatus();
}

}  // namespace halyard::lowering
