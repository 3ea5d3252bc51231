#include "frontend/hlo/dynamic/static_form.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/dynamic/dynamic_call.h"
#include "frontend/hlo/dynamic/result_sizes.h"
#include "frontend/hlo/dynamic/shape_operands.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/custom_call.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo {
namespace {

using Instructions = std::vector<Instruction*>;

AttrMap OneAttr(Attr attr, AttrValue value) {
  AttrMap attrs;
  attrs.Set(attr, std::move(value));
  return attrs;
}

// Makes the static form of one instruction. Which ops it makes must not depend on sizes that the
// program does not state, even where one does nothing for some sizes, such as a slice that takes
// everything: a program for a range of sizes has to be alike for all of them.
class Maker {
 public:
  Maker(const Instruction& inst, absl::Span<Instruction* const> operands,
        absl::Span<const Literal* const> values, Computation* into)
      : inst_(inst), operands_(operands.begin(), operands.end()), values_(values), into_(into) {}

  absl::StatusOr<Instruction*> DimensionSize() {
    const int64_t size = operands_[0]->shape.dim(inst_.GetInts(Attr::kDimensions)[0]);
    HLO_REQUIRE(size <= INT32_MAX, "O1", "a size of ", size, " does not fit s32");
    Literal value(Shape::Scalar(ElementType::kS32));
    value.SetInt(0, size);
    Instruction* constant = into_->AddConstant(std::move(value));
    constant->provenance = inst_.provenance;
    return constant;
  }

  absl::StatusOr<Instruction*> SetSize() {
    const int64_t dim = inst_.GetInts(Attr::kDimensions)[0], size = values_[1]->GetInt(0);
    const Shape& operand = operands_[0]->shape;
    HLO_REQUIRE(size >= 0 && size <= operand.dim(dim), "size", "the size ", size, " of dimension ",
                dim, " is not in [0, ", operand.dim(dim), "]");
    SliceDims slice;
    for (int64_t d = 0; d < operand.rank(); ++d) {
      slice.push_back({0, d == dim ? size : operand.dim(d), 1});
    }
    return Add(Opcode::kSlice, {operands_[0]}, OneAttr(Attr::kSlice, std::move(slice)));
  }

  absl::StatusOr<Instruction*> Reshape() {
    Ints dims;
    if (inst_.operands.size() == 2 && inst_.operand(1)->shape.rank() == 1) {
      dims = ValuesOf(*values_[1]);
    } else {
      for (size_t i = 1; i < values_.size(); ++i) dims.push_back(values_[i]->GetInt(0));
    }
    absl::StatusOr<Shape> shape = Asked(operands_[0]->shape, dims);
    if (!shape.ok()) return shape.status();
    return Add(Opcode::kReshape, {operands_[0]}, {}, *shape);
  }

  // Dimensions of size 1 that are stretched, or might be in other runs, are dropped first.
  absl::StatusOr<Instruction*> BroadcastInDim() {
    absl::StatusOr<Shape> shape = Asked(operands_[0]->shape, ValuesOf(*values_[1]));
    if (!shape.ok()) return shape.status();
    const Shape& operand = operands_[0]->shape;
    const Ints& dims = inst_.GetInts(Attr::kDimensions);
    std::vector<int64_t> kept_sizes;
    Ints kept;
    for (size_t i = 0; i < dims.size(); ++i) {
      const int64_t size = operand.dim(i), result = shape->dim(dims[i]);
      HLO_REQUIRE(size == 1 || size == result, "C5", "operand dimension ", i, " of size ", size,
                  " maps to result dimension ", dims[i], " of size ", result);
      HLO_REQUIRE(size == result || !Contains(inst_.GetInts(Attr::kKnownNonexpandingDimensions), i),
                  "C10", "operand dimension ", i, " is known not to expand, but does, to ", result);
      const bool may_stretch =
          !inst_.operand(0)->shape.IsDynamicDim(i) && inst_.shape.IsDynamicDim(dims[i]);
      if (size == 1 && (result != 1 || may_stretch)) continue;
      kept.push_back(dims[i]);
      kept_sizes.push_back(size);
    }
    AttrMap attrs = OneAttr(Attr::kDimensions, kept);
    if (kept.size() == dims.size()) {
      return Add(Opcode::kBroadcast, {operands_[0]}, std::move(attrs), *shape);
    }
    // A quantized array is reshaped as its stored integers, because its quantization dimension may
    // be among those dropped.
    const bool quantized = operand.IsQuantized();
    absl::StatusOr<Instruction*> from = operands_[0];
    if (quantized) from = Add(Opcode::kBitcastConvert, {*from}, {}, operand.Storage());
    if (!from.ok()) return from;
    from = Add(Opcode::kReshape, {*from}, {}, operand.Storage().WithDims(std::move(kept_sizes)));
    if (!from.ok()) return from;
    from = Add(Opcode::kBroadcast, {*from}, std::move(attrs), shape->Storage());
    if (!from.ok() || !quantized) return from;
    return Add(Opcode::kBitcastConvert, {*from}, {}, *shape);
  }

  absl::StatusOr<Instruction*> Iota() {
    absl::StatusOr<Shape> shape = Asked(inst_.shape, ValuesOf(*values_[0]));
    if (!shape.ok()) return shape.status();
    return Add(Opcode::kIota, {}, OneAttr(Attr::kIotaDimension, inst_.GetInt(Attr::kIotaDimension)),
               *shape);
  }

  absl::StatusOr<Instruction*> Pad() {
    const Ints low = ValuesOf(*values_[2]), high = ValuesOf(*values_[3]);
    const Ints interior = ValuesOf(*values_[4]);
    PaddingConfig padding;
    for (size_t i = 0; i < low.size(); ++i) padding.push_back({low[i], high[i], interior[i]});
    return Add(Opcode::kPad, {operands_[0], operands_[1]}, OneAttr(Attr::kPadding, padding));
  }

  absl::StatusOr<Instruction*> RealSlice() {
    const Ints start = ValuesOf(*values_[1]), limit = ValuesOf(*values_[2]);
    const Ints stride = ValuesOf(*values_[3]);
    SliceDims slice;
    for (size_t i = 0; i < start.size(); ++i) slice.push_back({start[i], limit[i], stride[i]});
    return Add(Opcode::kSlice, {operands_[0]}, OneAttr(Attr::kSlice, std::move(slice)));
  }

  absl::StatusOr<Instruction*> Gather() {
    AttrMap attrs = inst_.attrs;
    attrs.Set(Attr::kSliceSizes, ValuesOf(*values_[2]));
    return Add(Opcode::kGather, {operands_[0], operands_[1]}, std::move(attrs));
  }

  absl::StatusOr<Instruction*> Convolution() {
    const Ints padding = ValuesOf(*values_[2]);
    Window window = inst_.GetWindow();
    for (size_t i = 0; i < window.dims.size(); ++i) {
      window.dims[i].pad_low = padding[2 * i];
      window.dims[i].pad_high = padding[2 * i + 1];
    }
    AttrMap attrs = inst_.attrs;
    attrs.Set(Attr::kWindow, SizedWindow(inst_, operands_, std::move(window)));
    return Add(Opcode::kConvolution, {operands_[0], operands_[1]}, std::move(attrs));
  }

  // What JAX exports of ops whose sizes are symbolic.
  absl::StatusOr<Instruction*> DynamicCall(
      const std::function<Computation*(Computation*)>& callee) {
    absl::StatusOr<StaticCall> call = StaticFormOfCall(inst_, operands_, values_);
    if (!call.ok()) return call.status();
    std::vector<Computation*> called;
    for (Computation* computation : inst_.called) called.push_back(callee(computation));
    return Add(call->opcode, std::move(call->operands), std::move(call->attrs), call->given,
               std::move(called));
  }

  // Checks the rules of the op itself for these operands.
  absl::Status CheckOperands() {
    Instruction probe;
    probe.opcode = inst_.opcode;
    probe.shape = inst_.shape;
    probe.operands = operands_;
    probe.attrs = inst_.attrs;
    return InferShape(probe).status();
  }

  bool HasUnsizedOperand() const {
    for (size_t i = 0; i < operands_.size(); ++i) {
      if (IsUnsized(inst_.operands[i]->shape, operands_[i]->shape)) return true;
    }
    return false;
  }

  // Gives unsized operands the sizes of the others. If all are unsized, applies the op to the
  // scalars, and returns the result, which is unsized too.
  absl::StatusOr<Instruction*> SizeOperands() {
    const bool elementwise = RowOf(inst_.opcode).elementwise;
    const Instruction* sized = nullptr;
    for (size_t i = 0; i < operands_.size() && sized == nullptr; ++i) {
      const bool alike = elementwise || inst_.opcode == Opcode::kReduce ||
                         inst_.opcode == Opcode::kReduceWindow || inst_.opcode == Opcode::kSort;
      if (alike && operands_[i]->shape.rank() > 0) sized = operands_[i];
    }
    const bool on_scalars = sized == nullptr && elementwise && inst_.opcode != Opcode::kMap;
    HLO_REQUIRE(sized != nullptr || on_scalars, "sizes",
                "the size of an operand, a scalar broadcast to any size, is not known");
    if (on_scalars) return Add(inst_.opcode, operands_, inst_.attrs, inst_.shape.WithDims({}));
    for (size_t i = 0; i < operands_.size(); ++i) {
      if (!IsUnsized(inst_.operands[i]->shape, operands_[i]->shape)) continue;
      absl::StatusOr<Instruction*> broadcast =
          Add(Opcode::kBroadcast, {operands_[i]}, OneAttr(Attr::kDimensions, Ints{}),
              operands_[i]->shape.WithDims(sized->shape.dims()));
      if (!broadcast.ok()) return broadcast.status();
      operands_[i] = *broadcast;
    }
    return nullptr;
  }

  // Copies any other op, with static shapes.
  absl::StatusOr<Instruction*> Same(const std::function<Computation*(Computation*)>& callee) {
    if (inst_.opcode == Opcode::kBroadcast && inst_.shape.IsDynamic() &&
        operands_[0]->shape.rank() == 0) {
      return operands_[0];  // IsUnsized
    }
    if (absl::Status s = CutToBounds(); !s.ok()) return s;
    absl::StatusOr<Shape> shape = StatedResult(inst_, operands_);
    if (!shape.ok()) return shape.status();
    std::vector<Computation*> called;
    for (Computation* c : inst_.called) called.push_back(callee(c));
    AttrMap attrs = inst_.attrs;
    NarrowAttributes(inst_, operands_, &attrs);
    Instruction* copy = nullptr;
    if (inst_.opcode == Opcode::kConstant) {
      copy = into_->AddClone(inst_, {});
    } else {
      absl::StatusOr<Instruction*> added =
          Add(inst_.opcode, operands_, std::move(attrs), *shape, std::move(called));
      if (!added.ok()) return added.status();
      copy = *added;
    }
    return copy;
  }

 private:
  // Adds an instruction. Its shape is inferred, or `given` if it does not follow from operands.
  absl::StatusOr<Instruction*> Add(Opcode opcode, Instructions operands, AttrMap attrs,
                                   const Shape& given, std::vector<Computation*> called = {}) {
    Instruction probe;
    probe.opcode = opcode;
    probe.shape = given;
    probe.operands = operands;
    probe.attrs = attrs;
    probe.called = called;
    absl::StatusOr<Shape> shape = InferShape(probe);
    if (!shape.ok()) return shape.status();
    HLO_REQUIRE(!shape->IsDynamic(), "sizes", "the size of the result, ", shape->ToString(),
                ", does not follow from its operands");
    Instruction* inst =
        into_->Add(opcode, *shape, std::move(operands), std::move(attrs), std::move(called));
    inst->provenance = inst_.provenance;
    return inst;
  }
  absl::StatusOr<Instruction*> Add(Opcode opcode, Instructions operands, AttrMap attrs) {
    return Add(opcode, std::move(operands), std::move(attrs), inst_.shape);
  }

  // Returns the stated type of the result with these sizes.
  absl::StatusOr<Shape> Asked(const Shape& like, const Ints& dims) {
    for (int64_t dim : dims) {
      HLO_REQUIRE(dim >= 0, "sizes", "the shape operand ", Listed(dims), " has a negative size");
    }
    Shape shape = inst_.shape.WithDims(dims);
    HLO_REQUIRE(CheckedByteSize(like.element_type(), dims) >= 0, "sizes", "the size of ",
                shape.ToString(), " does not fit 64 bits");
    HLO_REQUIRE(DimsAgree(shape, inst_.shape), "result", "the shape operand is ", Listed(dims),
                ", the result's type ", inst_.shape.ToString());
    return shape;
  }

  // An elementwise op may have one operand with a bounded dimension, and another whose static size
  // is just that bound. Cuts the latter to the elements that the former has.
  absl::Status CutToBounds() {
    if (!RowOf(inst_.opcode).elementwise || operands_.size() < 2) return absl::OkStatus();
    std::vector<int64_t> cut;  // the size of each dimension, or -1 to leave it
    for (size_t i = 0; i < operands_.size(); ++i) {
      const Shape& stated = inst_.operands[i]->shape;
      cut.resize(std::max<size_t>(cut.size(), stated.rank()), -1);
      for (int64_t d = 0; d < stated.rank(); ++d) {
        if (stated.IsBoundedDim(d)) cut[d] = operands_[i]->shape.dim(d);
      }
    }
    for (size_t i = 0; i < operands_.size(); ++i) {
      const Shape& shape = operands_[i]->shape;
      SliceDims slice;
      bool some = false;
      for (int64_t d = 0; d < shape.rank(); ++d) {
        const bool cuts = !inst_.operands[i]->shape.IsDynamicDim(d) && cut[d] >= 0 &&
                          cut[d] <= shape.dim(d) && BoundOf(d) == shape.dim(d);
        slice.push_back({0, cuts ? cut[d] : shape.dim(d), 1});
        some = some || cuts;
      }
      if (!some) continue;
      absl::StatusOr<Instruction*> sliced =
          Add(Opcode::kSlice, {operands_[i]}, OneAttr(Attr::kSlice, std::move(slice)));
      if (!sliced.ok()) return sliced.status();
      operands_[i] = *sliced;
    }
    return absl::OkStatus();
  }
  // Returns the bound that operands state for dimension `d`, or -1.
  int64_t BoundOf(int64_t d) {
    for (const Instruction* operand : inst_.operands) {
      if (d < operand->shape.rank() && operand->shape.IsBoundedDim(d)) return operand->shape.dim(d);
    }
    return -1;
  }

  const Instruction& inst_;
  Instructions operands_;
  const absl::Span<const Literal* const> values_;
  Computation* into_;
};

}  // namespace

bool HasOtherStaticForm(const Instruction& inst, absl::Span<const Literal> operands) {
  switch (inst.opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kCall:
    case Opcode::kFusion:
      return false;
    default:
      break;
  }
  if (IsShapeAssertion(inst)) return false;
  if (inst.shape.IsDynamic() || NextShapeOperand(inst) >= 0) return true;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!Shape::SameIgnoringLayout(inst.operands[i]->shape.Storage(), operands[i].shape())) {
      return true;
    }
  }
  return false;
}

absl::StatusOr<StaticForm> AddStaticForm(const Instruction& inst,
                                         absl::Span<Instruction* const> operands,
                                         absl::Span<const Literal* const> values, Computation* into,
                                         const std::function<Computation*(Computation*)>& callee) {
  for (int64_t i = NextShapeOperand(inst); i >= 0; i = NextShapeOperand(inst, i)) {
    if (values[i] == nullptr) return StaticForm{.unknown = i};
  }
  Maker maker(inst, operands, values, into);
  if (maker.HasUnsizedOperand()) {
    absl::StatusOr<Instruction*> scalar = maker.SizeOperands();
    if (!scalar.ok()) return scalar.status();
    if (*scalar != nullptr) return StaticForm{.result = *scalar};
  }
  if (NextShapeOperand(inst) >= 0 && inst.opcode != Opcode::kCustomCall) {
    if (absl::Status s = maker.CheckOperands(); !s.ok()) return s;
  }
  absl::StatusOr<Instruction*> result = [&]() -> absl::StatusOr<Instruction*> {
    switch (inst.opcode) {
      case Opcode::kGetDimensionSize:
        return maker.DimensionSize();
      case Opcode::kSetDimensionSize:
        return maker.SetSize();
      case Opcode::kDynamicReshape:
        return maker.Reshape();
      case Opcode::kDynamicBroadcastInDim:
        return maker.BroadcastInDim();
      case Opcode::kDynamicIota:
        return maker.Iota();
      case Opcode::kDynamicPad:
        return maker.Pad();
      case Opcode::kRealDynamicSlice:
        return maker.RealSlice();
      case Opcode::kDynamicGather:
        return maker.Gather();
      case Opcode::kDynamicConvolution:
        return maker.Convolution();
      case Opcode::kCustomCall:
        if (IsAnnotation(inst)) return operands[0];
        return FirstShapeOperandOfCall(inst) >= 0 ? maker.DynamicCall(callee) : maker.Same(callee);
      default:
        return maker.Same(callee);
    }
  }();
  if (!result.ok()) return result.status();
  if (absl::Status s = CheckStatedShape(inst, (*result)->shape); !s.ok()) return s;
  return StaticForm{.result = *result};
}

}  // namespace halyard::hlo
