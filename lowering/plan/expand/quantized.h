// The parts of ExpandQuantized (passes.h), which express quantized arithmetic as ops on stored
// integers and floats. `type` is always the quantized type. The instructions are not quantized.
#ifndef HALYARD_LOWERING_PLAN_EXPAND_QUANTIZED_H_
#define HALYARD_LOWERING_PLAN_EXPAND_QUANTIZED_H_

#include <algorithm>
#include <optional>
#include <vector>

#include "lowering/plan/graph_builder.h"

namespace halyard::lowering {

template <typename T>
bool AllEqual(const std::vector<T>& values, T value) {
  return std::all_of(values.begin(), values.end(), [&](T v) { return v == value; });
}

// Returns an array of `dims` that holds one of `values` (double or int64_t) for each index of
// `dimension`, or the only one of them.
template <typename T>
hlo::Instruction* PerChannel(GraphBuilder& b, Rewriter& rewriter, hlo::ElementType type,
                             const std::vector<T>& values, const std::vector<int64_t>& dims,
                             std::optional<int64_t> dimension) {
  const bool equal = AllEqual(values, values[0]);
  const int64_t count = equal ? 1 : static_cast<int64_t>(values.size());
  hlo::Literal literal(equal ? hlo::Shape::Scalar(type) : hlo::Shape::Array(type, {count}));
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<T, double>) {
      literal.SetFloat(i, values[i]);
    } else {
      literal.SetInt(i, values[i]);
    }
  }
  hlo::Instruction* constant = rewriter.AddConstant(b.source(), std::move(literal));
  if (equal) return dims.empty() ? constant : b.Broadcast(constant, dims, {});
  return b.Broadcast(constant, dims, {*dimension});
}

// Returns stored - zero point, computed in `type`.
hlo::Instruction* EmitCentered(GraphBuilder& b, Rewriter& rewriter, hlo::Instruction* stored,
                               const hlo::Quantization& quantization, hlo::ElementType type);
// Returns (stored - zero point) × scale, with the same bits as hlo::Dequantize.
hlo::Instruction* EmitDequantize(GraphBuilder& b, Rewriter& rewriter, hlo::Instruction* stored,
                                 const hlo::Shape& type);
// Returns the same bits as hlo::Quantize.
hlo::Instruction* EmitQuantize(GraphBuilder& b, Rewriter& rewriter, hlo::Instruction* real,
                               const hlo::Shape& type);

// The last steps of EmitQuantize: adds the zero point to a number of quanta, clamps and rounds.
hlo::Instruction* EmitRound(GraphBuilder& b, Rewriter& rewriter, hlo::Instruction* quanta,
                            const hlo::Shape& type);

// Returns a dot or convolution of quantized factors as sums of products of integers, which are
// exact, scaled and rounded once (quantized_product.cc says how far that is from the
// specification's float arithmetic). Null if `inst` is another op or a hybrid product, or if sums
// might not fit 64 bits.
hlo::Instruction* EmitIntegerProduct(GraphBuilder& b, Rewriter& rewriter,
                                     const hlo::Instruction& inst,
                                     const std::vector<hlo::Shape>& types, const hlo::Shape& type);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_EXPAND_QUANTIZED_H_
