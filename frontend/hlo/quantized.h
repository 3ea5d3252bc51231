// Quantized types: what makes one valid, which ops take them, and their arithmetic. Arrays of a
// quantized type hold the stored integers; so do literals, whose shapes are those of the storage.
#ifndef HALYARD_FRONTEND_HLO_QUANTIZED_H_
#define HALYARD_FRONTEND_HLO_QUANTIZED_H_

#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/evaluator.h"
#include "frontend/hlo/module.h"

namespace halyard::hlo {

// The range of an integer type. UINT64's does not fit: it is no storage type here.
int64_t MinValue(ElementType integer);
int64_t MaxValue(ElementType integer);

// C1 to C13 of the quantized element type, as far as `Quantization` can break them: "quantized type
// C5: …". Scales are checked as they are (RoundScales has made them values of the expressed type).
absl::Status CheckQuantization(ElementType storage, const Quantization& quantization);
// The same of each array in `shape`, with the constraints on the dimension.
absl::Status CheckQuantizedShape(const Shape& shape);
// C4: scales are values of the expressed type.
void RoundScales(Quantization* quantization);

bool IsPerAxis(const Shape& shape);
// Both quantized, or neither, and alike but for scales and zero points.
bool SameBaselineElement(const Shape& a, const Shape& b);
// The element types are equal, scales and zero points too. Dimensions may differ.
bool SameElement(const Shape& a, const Shape& b);
// As SameElement, but the quantization dimension may differ, and, if `any_scales`, a per-axis
// type's scales and zero points.
bool SameElementAcross(const Shape& a, const Shape& b, bool any_scales);

// An operand or the result is quantized.
bool IsQuantized(const Instruction& inst);

// How an op treats quantized operands and results.
enum class QuantizedUse : uint8_t {
  kNone,     // refuses them
  kThrough,  // hands on whole values
  kMove,     // moves stored integers
  kFold,     // moves stored integers, and gives them to computations
  kReal,     // dequantizes, computes with floats, quantizes
  kOwn,      // uniform_quantize, uniform_dequantize
};
struct QuantizedRule {
  QuantizedUse use = QuantizedUse::kNone;
  bool per_axis = false;  // takes per-axis types too
  // Operands [first, last) may be quantized; last < 0: up to the end.
  int first = 0, last = -1;
  // The constraint by which these agree: exactly for kMove, but for scales for kReal. "": none.
  absl::string_view agree = "";
};
QuantizedRule QuantizedRuleOf(Opcode opcode);

// What InferShape does for instructions with quantized operands or results.
absl::StatusOr<Shape> InferQuantized(const Instruction& inst);
// Constraints C1 and C6 of broadcast_in_dim, where dimension i of `operand` is `dims[i]` of
// `result` and may be stretched: "C6: …".
absl::Status CheckQuantizedBroadcast(const Shape& operand, absl::Span<const int64_t> dims,
                                     const Shape& result);

// `inst` as it is on real numbers: quantized operands and results have the expressed type. The
// operands are made up.
class RealTwin {
 public:
  explicit RealTwin(const Instruction& inst);
  RealTwin(const RealTwin&) = delete;
  RealTwin& operator=(const RealTwin&) = delete;
  const Instruction& inst() const { return inst_; }

 private:
  std::vector<Instruction> operands_;
  Instruction inst_;
};
// Of arrays and tuples: quantized arrays become arrays of the expressed type.
Shape RealShape(const Shape& shape);

// (stored - zero point) × scale, each step rounded to the expressed type; the difference does not
// wrap. `type` is the quantized type of the integers.
Literal Dequantize(const Literal& stored, const Shape& type);
// value ÷ scale + zero point, clamped to the storage range, rounded to the nearest even integer;
// each step rounded to the expressed type, NaN as 0. Never outside of the storage range, though its
// bounds may be rounded.
Literal Quantize(const Literal& real, const Shape& type);
// `stored` of quantized type `from` as one of quantized type `to`.
Literal Requantize(const Literal& stored, const Shape& from, const Shape& to);

// Zeros of the real numbers: of a quantized type, its zero points.
Literal RealZeros(const Shape& shape);

// The row's evaluation, or the quantized one.
absl::StatusOr<Literal> EvaluateInstruction(Evaluator& evaluator, const Instruction& inst,
                                            absl::Span<const Literal> operands);

// Of an op that folds with a computation: the parameter of that (the last that it calls) to whose
// type operand `i` is promoted before; none if it stays as it is.
std::optional<size_t> PromotedParameter(const Instruction& inst, size_t i);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_QUANTIZED_H_
