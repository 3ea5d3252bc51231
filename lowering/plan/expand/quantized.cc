// Quantized types → stored integers. Ops on real numbers are surrounded by (stored - zero point) ×
// scale and by the rounding back (the specification's dequantize_op_quantize); products of
// quantized factors are sums of integers, scaled once; what only moves or orders elements does so
// with the integers. Afterwards no shape is quantized.
#include "lowering/plan/expand/quantized.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/values/quantized.h"
#include "lowering/plan/passes.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Quantization;
using hlo::QuantizedUse;
using hlo::Shape;

namespace {

double RoundTo(ElementType type, double value) {
  return hlo::DecodeFloat(type, hlo::EncodeFloat(type, value));
}

bool Centered(const Quantization& q) { return AllEqual(q.zero_points, int64_t{0}); }

// Returns a type in which stored values minus a zero point do not wrap.
ElementType WideType(ElementType storage) {
  return hlo::BitWidth(storage) <= 16 ? ElementType::kS32 : ElementType::kS64;
}

}  // namespace

Instruction* EmitCentered(GraphBuilder& b, Rewriter& rewriter, Instruction* stored,
                          const Quantization& q, ElementType type) {
  Instruction* wide = b.Convert(stored, type);
  if (Centered(q)) return wide;
  return b.Add(Opcode::kSubtract, {wide, PerChannel(b, rewriter, type, q.zero_points,
                                                    stored->shape.dims(), q.dimension)});
}

Instruction* EmitDequantize(GraphBuilder& b, Rewriter& rewriter, Instruction* stored,
                            const Shape& type) {
  const Quantization& q = *type.quantization();
  Instruction* integers =
      Centered(q) ? stored : EmitCentered(b, rewriter, stored, q, WideType(type.element_type()));
  Instruction* real = b.Convert(integers, q.expressed);
  if (AllEqual(q.scales, 1.0)) return real;
  return b.Add(Opcode::kMultiply, {real, PerChannel(b, rewriter, q.expressed, q.scales,
                                                    stored->shape.dims(), q.dimension)});
}

Instruction* EmitRound(GraphBuilder& b, Rewriter& rewriter, Instruction* quanta,
                       const Shape& type) {
  const Quantization& q = *type.quantization();
  const ElementType real = quanta->shape.element_type(), storage = type.element_type();
  const std::vector<int64_t>& dims = quanta->shape.dims();
  const double low = static_cast<double>(q.storage_min), high = static_cast<double>(q.storage_max);
  Instruction* clamped =
      b.Add(Opcode::kClamp, {b.Splat(real, low, dims), quanta, b.Splat(real, high, dims)});
  Instruction* rounded = b.Add(Opcode::kRoundNearestEven, {clamped});
  // Conversions to integers saturate and take NaN to 0. That is enough unless a bound of the range
  // is rounded or 0 is outside of it.
  auto exact = [&](int64_t bound, int64_t limit) {
    return bound == limit ||
           RoundTo(real, static_cast<double>(bound)) == static_cast<double>(bound);
  };
  if (exact(q.storage_min, hlo::MinValue(storage)) &&
      exact(q.storage_max, hlo::MaxValue(storage)) && q.storage_min <= 0 && q.storage_max >= 0) {
    return b.Convert(rounded, storage);
  }
  const ElementType wide = WideType(storage);
  auto bound = [&](int64_t value) {
    return PerChannel(b, rewriter, wide, std::vector<int64_t>{value}, dims, {});
  };
  return b.Convert(
      b.Add(Opcode::kClamp, {bound(q.storage_min), b.Convert(rounded, wide), bound(q.storage_max)}),
      storage);
}

Instruction* EmitQuantize(GraphBuilder& b, Rewriter& rewriter, Instruction* real,
                          const Shape& type) {
  const Quantization& q = *type.quantization();
  const std::vector<int64_t>& dims = real->shape.dims();
  Instruction* quanta = real;
  if (!AllEqual(q.scales, 1.0)) {
    quanta = b.Add(Opcode::kDivide,
                   {quanta, PerChannel(b, rewriter, q.expressed, q.scales, dims, q.dimension)});
  }
  if (!Centered(q)) {
    std::vector<double> zeros(q.zero_points.begin(), q.zero_points.end());
    quanta = b.Add(Opcode::kAdd,
                   {quanta, PerChannel(b, rewriter, q.expressed, zeros, dims, q.dimension)});
  }
  return EmitRound(b, rewriter, quanta, type);
}

namespace {

// Rewrites one computation. `shapes` are those of all instructions before the pass.
class QuantizedExpander {
 public:
  QuantizedExpander(Rewriter* rewriter, const std::unordered_map<const Instruction*, Shape>& shapes)
      : rewriter_(*rewriter), shapes_(shapes) {}

  void Run() {
    for (Instruction* inst : rewriter_.Snapshot()) {
      std::vector<Shape> types;
      for (const Instruction* operand : inst->operands) types.push_back(shapes_.at(operand));
      rewriter_.ResolveOperands(inst);
      const Shape type = shapes_.at(inst);
      bool quantized = type.IsQuantized();
      for (const Shape& operand : types) quantized = quantized || operand.IsQuantized();
      if (quantized) Expand(inst, types, type);
    }
  }

 private:
  void Expand(Instruction* inst, const std::vector<Shape>& types, const Shape& type) {
    GraphBuilder b(&rewriter_, inst);
    const QuantizedUse use = hlo::QuantizedRuleOf(inst->opcode).use;
    inst->shape = type.Storage();
    if (inst->opcode == Opcode::kUniformQuantize || inst->opcode == Opcode::kUniformDequantize) {
      Instruction* real = inst->operands[0];
      if (types[0].IsQuantized()) real = EmitDequantize(b, rewriter_, real, types[0]);
      if (type.IsQuantized()) real = EmitQuantize(b, rewriter_, real, type);
      rewriter_.Replace(inst, real);
    } else if (use == QuantizedUse::kReal) {
      rewriter_.Replace(inst, ExpandReal(b, inst, types, type));
    } else if (use == QuantizedUse::kFold) {
      for (size_t i = 0; i < types.size(); ++i) Promote(b, inst, i, types[i]);
    } else if (inst->opcode == Opcode::kCollectivePermute ||
               inst->opcode == Opcode::kCollectiveBroadcast) {
      ShiftZeros(b, inst, type);
    }
  }

  // Operands are first converted to the types of the computation's parameters.
  void Promote(GraphBuilder& b, Instruction* inst, size_t i, const Shape& from) {
    std::optional<size_t> parameter = hlo::PromotedParameter(*inst, i);
    if (!parameter || !from.IsQuantized()) return;
    const Shape& to = shapes_.at(inst->called.back()->parameters()[*parameter]);
    if (hlo::SameElement(from, to)) return;
    Instruction* real = EmitDequantize(b, rewriter_, inst->operands[i], from);
    inst->operands[i] = EmitQuantize(b, rewriter_, real, to);
  }

  // A process that receives nothing gets the zero point, not 0: values are sent minus the zero
  // point, and wrap.
  void ShiftZeros(GraphBuilder& b, Instruction* inst, const Shape& type) {
    const Quantization& q = *type.quantization();
    if (Centered(q)) return;
    auto zero = [&] {
      return PerChannel(b, rewriter_, type.element_type(), q.zero_points, type.dims(), {});
    };
    Instruction* sent = b.Add(Opcode::kSubtract, {inst->operands[0], zero()});
    Instruction* moved = rewriter_.Add(*inst, inst->opcode, inst->shape, {sent}, inst->attrs);
    rewriter_.Replace(inst, b.Add(Opcode::kAdd, {moved, zero()}));
  }

  Instruction* ExpandReal(GraphBuilder& b, Instruction* inst, const std::vector<Shape>& types,
                          const Shape& type) {
    if (inst->opcode == Opcode::kIsFinite) {
      return PerChannel(b, rewriter_, ElementType::kPred, std::vector<int64_t>{1}, type.dims(), {});
    }
    if (Instruction* product = EmitIntegerProduct(b, rewriter_, *inst, types, type)) {
      return product;
    }
    if (Ordered(*inst, types, type)) {
      hlo::AttrMap attrs = inst->attrs;
      attrs.Erase(Attr::kType);
      return rewriter_.Add(*inst, inst->opcode, inst->shape, inst->operands, std::move(attrs));
    }
    std::vector<Instruction*> reals = inst->operands;
    for (size_t i = 0; i < reals.size(); ++i) {
      if (types[i].IsQuantized()) reals[i] = EmitDequantize(b, rewriter_, reals[i], types[i]);
    }
    Instruction* result = rewriter_.Add(*inst, inst->opcode, hlo::RealShape(type), std::move(reals),
                                        inst->attrs, inst->called);
    if (!type.IsTuple()) {
      return type.IsQuantized() ? EmitQuantize(b, rewriter_, result, type) : result;
    }
    std::vector<Instruction*> parts;
    for (size_t i = 0; i < type.elements().size(); ++i) {
      Instruction* part = rewriter_.AddGetTupleElement(*inst, result, static_cast<int64_t>(i));
      const Shape& own = type.elements()[i];
      parts.push_back(own.IsQuantized() ? EmitQuantize(b, rewriter_, part, own) : part);
    }
    return rewriter_.Add(*inst, Opcode::kTuple, type.Storage(), std::move(parts));
  }

  // Ops that choose or compare, with one and the same quantization throughout: the integers are
  // ordered as the real numbers, and come back from them unchanged, where no step of it rounds.
  static bool Ordered(const Instruction& inst, const std::vector<Shape>& types, const Shape& type) {
    const bool compares = inst.opcode == Opcode::kCompare;
    if (!compares && inst.opcode != Opcode::kSelect && inst.opcode != Opcode::kClamp &&
        inst.opcode != Opcode::kMaximum && inst.opcode != Opcode::kMinimum) {
      return false;
    }
    const Shape& first = compares ? types[0] : type;
    const Quantization& q = *first.quantization();
    // Of 8 bits in f32, which has 24: products with the scale differ, and quotients are near
    // enough. Scales whose products could leave the normal range are left to the definition.
    constexpr double kSmall = 1e-30, kLarge = 1e30;
    if (hlo::BitWidth(first.element_type()) > 8 || hlo::BitWidth(q.expressed) < 32 ||
        q.scales[0] < kSmall || q.scales[0] > kLarge) {
      return false;
    }
    // The definition clamps values outside the storage range.
    if (!compares && (q.storage_min != hlo::MinValue(first.element_type()) ||
                      q.storage_max != hlo::MaxValue(first.element_type()))) {
      return false;
    }
    for (size_t i = inst.opcode == Opcode::kSelect ? 1 : 0; i < types.size(); ++i) {
      if (!hlo::SameElement(first, types[i])) return false;
    }
    return true;
  }

  Rewriter& rewriter_;
  const std::unordered_map<const Instruction*, Shape>& shapes_;
};

}  // namespace

absl::Status ExpandQuantized(hlo::Module& module) {
  std::unordered_map<const Instruction*, Shape> shapes;
  bool any = false;
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      shapes[inst.get()] = inst->shape;
      any = any || inst->shape.IsQuantized();
    }
  }
  if (!any) return absl::OkStatus();
  for (const auto& computation : module.computations()) {
    Rewriter rewriter(computation.get());
    QuantizedExpander(&rewriter, shapes).Run();
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
