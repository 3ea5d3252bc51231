// Numerics: what each HLO scalar operation means as a Halide expression. The meaning is the same on
// every backend, fused or not.
//
// A Value is in *compute form*. PRED is Halide Bool. Integers are Halide ints of the type's storage
// width that hold the exact value (sub-byte types are wrapped after every op). bf16, f16 and every
// narrower float are Float(32) and hold a value of the type exactly (they are rounded after every
// op). f32 and f64 are themselves. Complex values have two parts. Buffers hold the *storage form*,
// which StorageType states (PRED as u8, bf16 and f16 as u16, f8 and narrower floats as u8, sub-byte
// integers as i8 or u8), because bool inputs, bf16 and f16 break Halide or its GPU backends.
//
// Every float op is emitted as one of Halide's strict_* intrinsics (and not by a walk over the
// whole tree), with selects where these are not enough. Sums and products of many terms (SumAdd,
// SumMul, MultiplyAccumulate) are strict, too, step by step. Only their order is open to schedules,
// and whether a product is rounded before it is added. Transcendental functions are our own
// polynomials and use nothing native and no libm. Decisions: docs/numerics.md.
#ifndef HALYARD_LOWERING_NUMERICS_NUMERICS_H_
#define HALYARD_LOWERING_NUMERICS_NUMERICS_H_

#include "Halide.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/numerics/float_ops.h"

namespace halyard::lowering {

struct Value {
  hlo::ElementType type;
  Halide::Expr re;
  Halide::Expr im;  // complex types only
  // If defined, the storage form of exactly the value of `re`, as one of `stored_type`, where it
  // was available (a load, moved, selected or widened). Serves code that needs bits and not the
  // value, and results are made of it: who changes `re` must change or drop it.
  Halide::Expr stored = {};
  hlo::ElementType stored_type = hlo::ElementType::kPred;
};

// While one of these exists, expressions that its thread makes are for this target. Without one,
// they are for x86 without FMA, or for CUDA.
class TargetScope {
 public:
  explicit TargetScope(const Halide::Target& target);
  ~TargetScope();
  TargetScope(const TargetScope&) = delete;
  TargetScope& operator=(const TargetScope&) = delete;

 private:
  numerics::TargetTraits previous_;
};

// The type of one buffer element (for complex types, of one part).
Halide::Type StorageType(hlo::ElementType type);
Halide::Type ComputeType(hlo::ElementType type);
Value FromStorage(hlo::ElementType type, Halide::Expr re, Halide::Expr im = Halide::Expr());
Halide::Expr ToStorage(hlo::ElementType type, const Halide::Expr& part);
// The storage form of a real value: of narrow floats the stored bits themselves where they are at
// hand, because converting a signalling NaN to f32 and back makes it quiet.
Halide::Expr ToStorage(const Value& value);

// Gives `result`, a choice between two values of its type, its storage form where one of the two
// has it at hand. `choose` chooses between expressions.
void ChooseStored(const Value& first, const Value& second,
                  absl::FunctionRef<Halide::Expr(const Halide::Expr&, const Halide::Expr&)> choose,
                  Value* result);

// Returns the element of `literal` at row-major `index`, as a constant.
Value ConstantValue(const hlo::Literal& literal, int64_t index);
Value Zero(hlo::ElementType type);
Value IntegerValue(hlo::ElementType type,
                   const Halide::Expr& int32_or_int64);  // iota: converts an index to the type

// Applies an elementwise op of the op table (unary, binary, compare, select, clamp, convert,
// reduce-precision, same-width bitcast-convert) to its scalar operands. kUnimplemented names the op
// and the element type.
absl::StatusOr<Value> ApplyElementwise(const hlo::Instruction& inst,
                                       absl::Span<const Value> operands);
bool HasElementwiseLowering(hlo::Opcode opcode);

// Steps of a fold whose order a schedule chooses. The operands have the same type (floats, integers
// that wrap, PRED with or / and, complex). Each step is a strict operation, so NaN, infinities and
// -0 are as in IEEE 754.
Value SumAdd(const Value& a, const Value& b);
Value SumMul(const Value& a, const Value& b);
// Returns sum + a * b. Where the target fuses the two, f32, f64 and complex parts are rounded once.
Value MultiplyAccumulate(const Value& sum, const Value& a, const Value& b);
// Rounds to `type`, or widens, as HLO convert does.
Value ConvertTo(const Value& value, hlo::ElementType type);

// Returns the identity of a commutative, associative op on `type` (add 0, multiply 1, maximum -inf,
// …), for partial reductions.
absl::StatusOr<Value> IdentityOf(hlo::Opcode opcode, hlo::ElementType type);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_NUMERICS_NUMERICS_H_
