// Sums and other folds over a dimension of variable size: what lies behind the size becomes
// neutral.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/constant_value.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/sizes/sized_builder.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

using Limits = std::vector<SizedBuilder::Limit>;

Literal True() {
  Literal value(Shape::Scalar(ElementType::kPred));
  value.SetInt(0, 1);
  return value;
}

// Returns the parts of a scalar computation's result.
std::vector<Instruction*> Parts(Computation* computation, Instruction* result) {
  if (!result->shape.IsTuple()) return {result};
  if (result->opcode == Opcode::kTuple) return result->operands;
  std::vector<Instruction*> parts;
  for (size_t i = 0; i < result->shape.elements().size(); ++i) {
    parts.push_back(computation->Add(Opcode::kGetTupleElement, result->shape.elements()[i],
                                     {result}, OneAttr(Attr::kIndex, static_cast<int64_t>(i))));
  }
  return parts;
}

// Returns the fold of (x..., flag) that leaves out what has a false flag.
Computation* FoldOfFlagged(hlo::Module& module, const Computation& fold) {
  const int64_t n = fold.num_parameters() / 2;
  Computation* flagged = module.AddComputation(fold.name() + ".flagged");
  std::vector<Instruction*> arguments, flags;
  const Shape pred = Shape::Scalar(ElementType::kPred);
  for (int64_t side = 0; side < 2; ++side) {
    for (int64_t i = 0; i < n; ++i) {
      arguments.push_back(
          flagged->AddParameter(side * (n + 1) + i, fold.parameters()[side * n + i]->shape));
    }
    flags.push_back(flagged->AddParameter(side * (n + 1) + n, pred));
  }
  const std::vector<Instruction*> folded = Parts(flagged, InlineInto(fold, arguments, flagged));
  std::vector<Instruction*> results;
  std::vector<Shape> shapes;
  for (int64_t i = 0; i < n; ++i) {
    const Shape& shape = folded[i]->shape;
    Instruction* both = flagged->Add(Opcode::kSelect, shape, {flags[1], folded[i], arguments[i]});
    results.push_back(flagged->Add(Opcode::kSelect, shape, {flags[0], both, arguments[n + i]}));
    shapes.push_back(shape);
  }
  results.push_back(flagged->Add(Opcode::kOr, pred, {flags[0], flags[1]}));
  shapes.push_back(pred);
  flagged->set_root(flagged->Add(Opcode::kTuple, Shape::Tuple(shapes), results));
  return flagged;
}

// A fold without a known neutral element takes a flag for each element along.
void ReduceFlagged(SizedBuilder& b, Instruction* inst, const Limits& limits) {
  const size_t n = inst->operands.size() / 2;
  std::vector<Instruction*> operands(inst->operands.begin(), inst->operands.begin() + n);
  operands.push_back(b.Mask(*inst, inst->operands[0]->shape.dims(), limits));
  operands.insert(operands.end(), inst->operands.begin() + n, inst->operands.end());
  operands.push_back(b.rewriter().AddConstant(*inst, True()));
  std::vector<Shape> shapes = hlo::FlattenShape(inst->shape);
  shapes.push_back(shapes[0].WithElementType(ElementType::kPred));
  Instruction* reduce =
      b.rewriter().Add(*inst, Opcode::kReduce, Shape::Tuple(shapes), operands, inst->attrs,
                       {FoldOfFlagged(b.module(), *inst->called[0])});
  std::vector<Instruction*> parts;
  for (size_t i = 0; i < n; ++i)
    parts.push_back(b.rewriter().AddGetTupleElement(*inst, reduce, static_cast<int64_t>(i)));
  b.rewriter().Replace(inst, inst->shape.IsTuple()
                                 ? b.rewriter().Add(*inst, Opcode::kTuple, inst->shape, parts)
                                 : parts[0]);
}

std::vector<Literal> NeutralOf(const Instruction& fold) {
  const Computation& body = *fold.called[0];
  const Shape& operand = fold.operands[0]->shape;
  if (fold.operands.size() != 2 || body.root()->shape.element_type() != operand.element_type())
    return {};
  return NeutralElement(OneOpOf(body), operand.element_type());
}

// Whether a constant expression is computed from constants that vary.
bool FollowsFromSizes(const SizedBuilder& b, const Instruction& inst) {
  if (b.facts().Literals(&inst) != nullptr || b.facts().HasVaryingShape(&inst)) return true;
  return std::any_of(inst.operands.begin(), inst.operands.end(),
                     [&](const Instruction* operand) { return FollowsFromSizes(b, *operand); });
}

// Returns whether the value of `inst`, a scalar, is known to be this; for sums, either zero will
// do.
bool IsNeutral(const SizedBuilder& b, const Instruction& inst,
               const std::vector<Literal>& neutral) {
  if (neutral.empty() || !hlo::IsConstantExpression(inst) || FollowsFromSizes(b, inst))
    return false;
  const absl::StatusOr<Literal> value = hlo::ConstantValue(inst);
  if (!value.ok()) return false;
  return value->BitwiseEqual(neutral[0]) ||
         (hlo::IsFloat(inst.shape.element_type()) && neutral[0].GetFloat(0) == 0 &&
          value->GetFloat(0) == 0);
}

// Checks that each window of a dimension takes the same elements for all sizes, if all elements
// behind the size are like padding. `neutral`: padding makes no difference, so a window may have
// more of it. `reaches` receives whether some window reads behind the size.
absl::Status CheckSizedWindow(const SizedBuilder& b, const Instruction& inst, int64_t operand_dim,
                              int64_t result_dim, size_t window_dim, bool neutral, bool* reaches) {
  const hlo::WindowDim& most = inst.GetWindow().dims[window_dim];
  const std::vector<hlo::AttrMap>* attrs = b.facts().Attributes(&inst);
  const SizeFunction sizes = b.facts().SizesOf(inst.operands[0], operand_dim);
  const SizeFunction results = b.facts().SizesOf(&inst, result_dim);
  *reaches = false;
  for (size_t k = 0; k < sizes.size(); ++k) {
    hlo::WindowDim window = most;
    if (attrs != nullptr)
      window = std::get<hlo::Window>(*(*attrs)[k].Find(Attr::kWindow)).dims[window_dim];
    const int64_t last =
        (results[k] - 1) * most.stride - most.pad_low + (most.size - 1) * most.window_dilation;
    *reaches |= results[k] > 0 && last > (sizes[k] - 1) * most.base_dilation;
    hlo::WindowDim same = window;
    same.pad_high = most.pad_high;
    if (same == most) continue;
    same.size = most.size;
    same.pad_low = most.pad_low;
    const bool simple = neutral && same == most && window.window_dilation == 1 &&
                        window.base_dilation == 1 && !window.reversal;
    // Every window reaches to the end, or every window begins before the first element.
    const bool to_end = window.pad_low == most.pad_low && most.size >= window.size &&
                        window.size - window.pad_low >= sizes[k];
    const bool from_begin = window.stride == 1 &&
                            window.size - window.pad_low == most.size - most.pad_low &&
                            most.pad_low >= window.pad_low && results[k] - 1 <= window.pad_low;
    if (simple && (to_end || from_begin)) continue;
    return SizedBuilder::NoRule(
        inst, absl::StrCat("its windows of dimension ", operand_dim, " depend on the size"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status PadReduce(SizedBuilder& b, Instruction* inst) {
  Instruction* operand = inst->operands[0];
  const Limits limits = b.Varying(operand, inst->GetInts(Attr::kDimensions));
  if (limits.empty()) return absl::OkStatus();
  const std::vector<Literal> neutral = NeutralOf(*inst);
  if (neutral.empty()) {
    ReduceFlagged(b, inst, limits);
    return absl::OkStatus();
  }
  inst->operands[0] = b.Masked(*inst, operand, limits, b.rewriter().AddConstant(*inst, neutral[0]));
  return absl::OkStatus();
}

// Padding has the initial value, so what lies behind the size gets it, too.
absl::Status PadReduceWindow(SizedBuilder& b, Instruction* inst) {
  const size_t n = inst->operands.size() / 2;
  const bool neutral = n == 1 && IsNeutral(b, *inst->operands[1], NeutralOf(*inst));
  Limits limits;
  for (const SizedBuilder::Limit& limit : b.Varying(inst->operands[0])) {
    bool reaches = false;
    absl::Status s = CheckSizedWindow(b, *inst, limit.dim, limit.dim,
                                      static_cast<size_t>(limit.dim), neutral, &reaches);
    if (!s.ok()) return s;
    if (reaches) limits.push_back(limit);
  }
  for (int64_t d = 0; d < inst->operands[0]->shape.rank(); ++d) {
    if (b.facts().Size(inst->operands[0], d) == nullptr && b.facts().Attributes(inst) != nullptr) {
      bool reaches = false;
      absl::Status s = CheckSizedWindow(b, *inst, d, d, static_cast<size_t>(d), neutral, &reaches);
      if (!s.ok()) return s;
    }
  }
  for (size_t i = 0; i < n; ++i)
    inst->operands[i] = b.Masked(*inst, inst->operands[i], limits, inst->operands[n + i]);
  return absl::OkStatus();
}

// Both factors become zeros: 0 times NaN would be NaN. Of floats, the second is -0, so that the
// product is -0, which changes no sum.
absl::Status PadDot(SizedBuilder& b, Instruction* inst) {
  const hlo::Ints* contracted[] = {&inst->GetInts(Attr::kLhsContractingDims),
                                   &inst->GetInts(Attr::kRhsContractingDims)};
  for (int side = 0; side < 2; ++side) {
    Instruction* factor = inst->operands[side];
    const Limits limits = b.Varying(factor, *contracted[side]);
    if (limits.empty()) continue;
    const ElementType type = factor->shape.element_type();
    Literal zero(Shape::Scalar(type));
    const std::vector<Literal> negative = NeutralElement(Opcode::kAdd, type);
    if (side == 1 && hlo::IsFloat(type) && !negative.empty()) zero = negative[0];
    inst->operands[side] =
        b.Masked(*inst, factor, limits, b.rewriter().AddConstant(*inst, std::move(zero)));
  }
  return absl::OkStatus();
}

absl::Status PadConvolution(SizedBuilder& b, Instruction* inst) {
  const hlo::ConvDims& dims = inst->GetConvDims();
  Instruction *input = inst->operands[0], *kernel = inst->operands[1];
  for (const int64_t d : dims.kernel_spatial) {
    if (b.facts().Size(kernel, d) != nullptr)
      return SizedBuilder::NoRule(*inst, "its kernel's window has a variable size");
  }
  const bool batch_groups = inst->GetInt(Attr::kBatchGroupCount, 1) > 1;
  const bool feature_groups = inst->GetInt(Attr::kFeatureGroupCount, 1) > 1;
  if ((batch_groups && b.facts().Size(input, dims.input_batch) != nullptr) ||
      (feature_groups && b.facts().Size(input, dims.input_feature) != nullptr) ||
      ((batch_groups || feature_groups) &&
       b.facts().Size(kernel, dims.kernel_output_feature) != nullptr)) {
    return SizedBuilder::NoRule(*inst, "a dimension that is cut into groups has a variable size");
  }
  std::vector<int64_t> masked = {dims.input_feature};
  for (size_t i = 0; i < dims.input_spatial.size(); ++i) {
    bool reaches = false;
    absl::Status s = CheckSizedWindow(b, *inst, dims.input_spatial[i], dims.output_spatial[i], i,
                                      /*neutral=*/false, &reaches);
    if (!s.ok()) return s;
    if (reaches) masked.push_back(dims.input_spatial[i]);
  }
  Instruction* zero =
      b.rewriter().AddConstant(*inst, Literal(Shape::Scalar(input->shape.element_type())));
  inst->operands[0] = b.Masked(*inst, input, b.Varying(input, masked), zero);
  zero = b.rewriter().AddConstant(*inst, Literal(Shape::Scalar(kernel->shape.element_type())));
  inst->operands[1] = b.Masked(*inst, kernel, b.Varying(kernel, {dims.kernel_input_feature}), zero);
  return absl::OkStatus();
}

// What lies behind the size comes last, whatever the comparator says: a first key puts it there.
absl::Status PadSort(SizedBuilder& b, Instruction* inst) {
  const int64_t dim = inst->GetInts(Attr::kDimensions)[0];
  Instruction* first = inst->operands[0];
  const Limits limits = b.Varying(first, {dim});
  if (limits.empty()) return absl::OkStatus();
  GraphBuilder graph = b.For(*inst);
  Instruction* inside = b.Mask(*inst, first->shape.dims(), limits);
  Instruction* behind = graph.Convert(graph.Add(Opcode::kNot, {inside}), ElementType::kS32);

  const Computation& order = *inst->called[0];
  Computation* comparator = b.module().AddComputation(order.name() + ".sized");
  std::vector<Instruction*> arguments;
  for (const Instruction* parameter : order.parameters()) {
    arguments.push_back(comparator->AddParameter(parameter->parameter_number, parameter->shape));
  }
  const Shape pred = Shape::Scalar(ElementType::kPred), s32 = Shape::Scalar(ElementType::kS32);
  Instruction* x = comparator->AddParameter(order.num_parameters(), s32);
  Instruction* y = comparator->AddParameter(order.num_parameters() + 1, s32);
  Instruction* less =
      comparator->Add(Opcode::kCompare, pred, {x, y}, OneAttr(Attr::kDirection, std::string("LT")));
  Instruction* equal =
      comparator->Add(Opcode::kCompare, pred, {x, y}, OneAttr(Attr::kDirection, std::string("EQ")));
  Instruction* within = InlineInto(order, arguments, comparator);
  comparator->set_root(comparator->Add(Opcode::kSelect, pred, {equal, within, less}));

  std::vector<Instruction*> operands = inst->operands;
  operands.push_back(behind);
  std::vector<Shape> shapes;
  for (const Instruction* operand : operands) shapes.push_back(operand->shape);
  Instruction* sort = b.rewriter().Add(*inst, Opcode::kSort, Shape::Tuple(shapes), operands,
                                       inst->attrs, {comparator});
  std::vector<Instruction*> parts;
  for (size_t i = 0; i < inst->operands.size(); ++i)
    parts.push_back(b.rewriter().AddGetTupleElement(*inst, sort, static_cast<int64_t>(i)));
  b.rewriter().Replace(inst, inst->shape.IsTuple()
                                 ? b.rewriter().Add(*inst, Opcode::kTuple, inst->shape, parts)
                                 : parts[0]);
  return absl::OkStatus();
}

}  // namespace halyard::lowering
