// Products of quantized factors. With a and b less their zero points, Σ a·sa × b·sb is
// sa·sb × Σ a·b, so that the sum is one of integers: exact, in s32 wherever that holds it. It is
// scaled to the result's quanta by one factor. Where the result has up to 16 bits and expresses
// f32 or f64, that differs from the specification's float arithmetic, which rounds every step, by
// at most 1 quantum; where it has more bits, the floats' own error may be many quanta.
#include <cmath>

#include "frontend/hlo/values/quantized.h"
#include "lowering/kernels/contraction/sums_fit.h"
#include "lowering/plan/expand/quantized.h"
#include "lowering/plan/steps/kernel_cost.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Quantization;
using hlo::Shape;

namespace {

// Returns the largest |value - zero point| of any stored integer, whether or not it is in the
// storage range.
double LargestMagnitude(const Shape& type) {
  double largest = 0;
  for (int64_t zero : type.quantization()->zero_points) {
    const double z = static_cast<double>(zero);
    largest = std::max({largest, z - static_cast<double>(hlo::MinValue(type.element_type())),
                        static_cast<double>(hlo::MaxValue(type.element_type())) - z});
  }
  return largest;
}

// Returns which dimension of the result corresponds to dimension `d` of rhs, which is neither
// contracted nor a dimension of the window of a convolution.
int64_t ResultDimension(const Instruction& inst, const Shape& lhs, int64_t d) {
  if (inst.opcode == Opcode::kConvolution) return inst.GetConvDims().output_feature;
  const Ints& batch = inst.GetInts(Attr::kRhsBatchDims);
  const Ints& contracting = inst.GetInts(Attr::kRhsContractingDims);
  auto in_batch = std::find(batch.begin(), batch.end(), d);
  if (in_batch != batch.end()) return in_batch - batch.begin();
  int64_t place = lhs.rank() - static_cast<int64_t>(contracting.size());
  for (int64_t before = 0; before < d; ++before) {
    const bool free =
        std::find(batch.begin(), batch.end(), before) == batch.end() &&
        std::find(contracting.begin(), contracting.end(), before) == contracting.end();
    if (free) ++place;
  }
  return place;
}

// The types of the factors and of their sum: the narrowest types that hold every value.
bool ChooseTypes(const Instruction& inst, const Shape& lhs, const Shape& rhs, ElementType* factor,
                 ElementType* sum) {
  const double a = LargestMagnitude(lhs), b = LargestMagnitude(rhs);
  const double largest = a * b * static_cast<double>(std::max<int64_t>(1, TermsOfProduct(inst)));
  if (largest >= 0x1p62) return false;
  *sum = largest < 0x1p31 ? ElementType::kS32 : ElementType::kS64;
  auto centered = [](const Shape& type) {
    return AllEqual(type.quantization()->zero_points, int64_t{0});
  };
  const double widest = std::max(a, b);
  *factor = centered(lhs) && centered(rhs) ? lhs.element_type()
            : widest < 0x1p15              ? ElementType::kS16
            : widest < 0x1p31              ? ElementType::kS32
                                           : ElementType::kS64;
  return true;
}

// How many quanta of the result one quantum of the sum is, for each index of `dimension` of the
// result; and a second such factor, if both rhs and result have scales along different dimensions.
struct Factors {
  std::vector<double> values;
  std::optional<int64_t> dimension;
  std::vector<double> others;
  std::optional<int64_t> other_dimension;
};

Factors FactorsOf(const Instruction& inst, const std::vector<Shape>& types, const Shape& type) {
  const Quantization &q = *types[1].quantization(), &r = *type.quantization();
  Factors factors;
  for (double scale : q.scales) {
    factors.values.push_back(types[0].quantization()->scales[0] * scale);
  }
  if (q.dimension) factors.dimension = ResultDimension(inst, types[0], *q.dimension);
  if (r.dimension && factors.dimension && *r.dimension != *factors.dimension) {
    for (double scale : r.scales) factors.others.push_back(1 / scale);
    factors.other_dimension = r.dimension;
    return factors;
  }
  if (r.dimension && !factors.dimension) {
    factors.values.resize(r.scales.size(), factors.values[0]);
    factors.dimension = r.dimension;
  }
  for (size_t i = 0; i < factors.values.size(); ++i) {
    factors.values[i] /= r.scales.size() == 1 ? r.scales[0] : r.scales[i];
  }
  return factors;
}

// These sums are already quanta of the result, so there is nothing to scale.
Instruction* EmitUnscaled(GraphBuilder& b, Rewriter& rewriter, Instruction* sum,
                          const Shape& type) {
  const Quantization& q = *type.quantization();
  const ElementType storage = type.element_type();
  const std::vector<int64_t>& dims = type.dims();
  const bool centered = AllEqual(q.zero_points, int64_t{0});
  const bool narrow = hlo::BitWidth(storage) < 32 || storage == ElementType::kS32;
  const bool stays = sum->shape.element_type() == ElementType::kS32 && centered && narrow;
  const ElementType wide = stays ? ElementType::kS32 : ElementType::kS64;
  Instruction* quanta = b.Convert(sum, wide);
  auto spread = [&](const std::vector<int64_t>& values) {
    return PerChannel(b, rewriter, wide, values, dims, q.dimension);
  };
  if (!centered) quanta = b.Add(Opcode::kAdd, {quanta, spread(q.zero_points)});
  const bool all = wide == storage && q.storage_min == hlo::MinValue(storage) &&
                   q.storage_max == hlo::MaxValue(storage);
  if (!all) {
    quanta = b.Add(Opcode::kClamp, {spread({q.storage_min}), quanta, spread({q.storage_max})});
  }
  return b.Convert(quanta, storage);
}

}  // namespace

Instruction* EmitIntegerProduct(GraphBuilder& b, Rewriter& rewriter, const Instruction& inst,
                                const std::vector<Shape>& types, const Shape& type) {
  if (inst.opcode != Opcode::kDot && inst.opcode != Opcode::kConvolution) return nullptr;
  if (!types[0].IsQuantized() || !types[1].IsQuantized() || !type.IsQuantized()) return nullptr;
  ElementType factor, accumulator;
  if (!ChooseTypes(inst, types[0], types[1], &factor, &accumulator)) return nullptr;
  std::vector<Instruction*> integers;
  for (size_t i = 0; i < 2; ++i) {
    integers.push_back(
        EmitCentered(b, rewriter, inst.operands[i], *types[i].quantization(), factor));
  }
  hlo::AttrMap attrs = inst.attrs;
  attrs.Erase(Attr::kAlgorithm);  // of floats
  attrs.Set(Attr::kFrontendAttributes, std::string(kSumsFit));
  Instruction* sum = rewriter.Add(inst, inst.opcode, Shape::Array(accumulator, type.dims()),
                                  std::move(integers), std::move(attrs));
  const Factors factors = FactorsOf(inst, types, type);
  // If the scale is the product of the other scales, it is that product rounded to the expressed
  // type.
  const Quantization& q = *type.quantization();
  const double rounded = q.expressed == ElementType::kF64 ? 0x1p-51 : 0x1p-22;
  if (factors.others.empty() && std::all_of(factors.values.begin(), factors.values.end(),
                                            [&](double f) { return std::abs(f - 1) < rounded; })) {
    return EmitUnscaled(b, rewriter, sum, type);
  }
  const ElementType real =
      q.expressed == ElementType::kF64 || hlo::BitWidth(type.element_type()) > 16
          ? ElementType::kF64
          : ElementType::kF32;
  auto times = [&](Instruction* x, const std::vector<double>& by, std::optional<int64_t> dim) {
    return b.Add(Opcode::kMultiply, {x, PerChannel(b, rewriter, real, by, type.dims(), dim)});
  };
  Instruction* quanta = times(b.Convert(sum, real), factors.values, factors.dimension);
  if (!factors.others.empty()) quanta = times(quanta, factors.others, factors.other_dimension);
  if (!AllEqual(q.zero_points, int64_t{0})) {
    std::vector<double> zeros(q.zero_points.begin(), q.zero_points.end());
    quanta = b.Add(Opcode::kAdd,
                   {quanta, PerChannel(b, rewriter, real, zeros, type.dims(), q.dimension)});
  }
  return EmitRound(b, rewriter, quanta, type);
}

}  // namespace halyard::lowering
