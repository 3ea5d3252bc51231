// Quantized types: what makes a type valid, which ops take quantized types, and their arithmetic.
// Arrays of a quantized type hold the stored integers. So do literals, whose shapes are those of
// the storage.
#ifndef HALYARD_FRONTEND_HLO_VALUES_QUANTIZED_H_
#define HALYARD_FRONTEND_HLO_VALUES_QUANTIZED_H_

#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// The range of an integer type. That of UINT64 does not fit, so it is not a storage type here.
int64_t MinValue(ElementType integer);
int64_t MaxValue(ElementType integer);

// Checks C1 to C13 of the quantized element type, as far as `Quantization` can break them:
// "quantized type C5: …". Scales are checked as they are (RoundScales has made them values of the
// expressed type).
absl::Status CheckQuantization(ElementType storage, const Quantization& quantization);
// Checks each array in `shape`, including the constraints on the dimension.
absl::Status CheckQuantizedShape(const Shape& shape);
// C4: makes scales values of the expressed type.
void RoundScales(Quantization* quantization);

bool IsPerAxis(const Shape& shape);
// Returns whether both or neither are quantized, and they are alike except for scales and zero
// points.
bool SameBaselineElement(const Shape& a, const Shape& b);
// Returns whether the element types are equal, including scales and zero points. Dimensions may
// differ.
bool SameElement(const Shape& a, const Shape& b);
// Like SameElement, but the quantization dimension may differ, and, if `any_scales`, so may a
// per-axis type's scales and zero points.
bool SameElementAcross(const Shape& a, const Shape& b, bool any_scales);

// Returns whether an operand or the result is quantized.
bool IsQuantized(const Instruction& inst);

// How an op treats quantized operands and results.
enum class QuantizedUse : uint8_t {
  kNone,     // refuses them
  kThrough,  // passes on whole values
  kMove,     // moves stored integers
  kFold,     // moves stored integers, and passes them to computations
  kReal,     // dequantizes, computes with floats, and quantizes
  kOwn,      // uniform_quantize, uniform_dequantize
};
struct QuantizedRule {
  QuantizedUse use = QuantizedUse::kNone;
  bool per_axis = false;  // takes per-axis types, too
  // Operands [first, last) may be quantized; last < 0 stands for the end.
  int first = 0, last = -1;
  // The constraint by which these must agree: exactly for kMove, and except for scales for kReal.
  // "" if there is none.
  absl::string_view agree = "";
};
QuantizedRule QuantizedRuleOf(Opcode opcode);

// InferShape calls this for instructions with quantized operands or results.
absl::StatusOr<Shape> InferQuantized(const Instruction& inst);
// Checks constraints C1 and C6 of broadcast_in_dim, where dimension i of `operand` is `dims[i]` of
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
// For arrays and tuples, replaces quantized arrays by arrays of the expressed type.
Shape RealShape(const Shape& shape);

// Returns (stored - zero point) × scale, with each step rounded to the expressed type. The
// difference does not wrap. `type` is the quantized type of the integers.
Literal Dequantize(const Literal& stored, const Shape& type);
// Returns value ÷ scale + zero point, clamped to the storage range and rounded to the nearest even
// integer. Each step is rounded to the expressed type, and NaN counts as 0. The result is never
// outside the storage range, although its bounds may be rounded.
Literal Quantize(const Literal& real, const Shape& type);
// Converts `stored` from the quantized type `from` to the quantized type `to`.
Literal Requantize(const Literal& stored, const Shape& from, const Shape& to);

// Returns zeros of the real numbers. For a quantized type, these are its zero points.
Literal RealZeros(const Shape& shape);

// Evaluates the row's function, or the quantized one.
absl::StatusOr<Literal> EvaluateInstruction(Evaluator& evaluator, const Instruction& inst,
                                            absl::Span<const Literal> operands);

// For an op that folds with a computation: returns the parameter of that computation (the last one
// that the op calls) to whose type operand `i` is promoted before, or nothing if the operand stays
// as it is.
std::optional<size_t> PromotedParameter(const Instruction& inst, size_t i);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_VALUES_QUANTIZED_H_
