// Numerics: what each HLO scalar operation means as a Halide expression, the same on every backend,
// fused or not.
//
// A Value is in *compute form*: PRED is Halide Bool; integers are Halide ints of the type's storage
// width holding the exact value (sub-byte types wrapped after every op); bf16, f16 and every
// narrower float are Float(32) holding a value of the type exactly (rounded after every op); f32
// and f64 are themselves; complex has two parts. Buffers hold the *storage form*: what StorageType
// says (PRED u8, bf16/f16 u16, f8 and narrower floats u8, sub-byte integers i8/u8), because bool
// inputs, bf16 and f16 break Halide or its GPU backends.
//
// Every float op is emitted as one of Halide's strict_* intrinsics (never a walk of the whole
// tree), with selects where these are not enough. Sums and products of many terms (SumAdd, SumMul,
// MultiplyAccumulate) are strict too, step by step; only their order is open, to schedules, and
// whether a product is rounded before it is added. Transcendentals are our own polynomials:
// nothing native, no libm. Decisions: docs/numerics.md.
#ifndef HALYARD_LOWERING_NUMERICS_H_
#define HALYARD_LOWERING_NUMERICS_H_

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/module.h"
#include "lowering/numerics/float_ops.h"

namespace halyard::lowering {

struct Value {
  hlo::ElementType type;
  Halide::Expr re;
  Halide::Expr im;  // complex types only
  // If defined: the storage form of the same value as one of `stored_type`, where it was at hand (a
  // load, moved, selected or widened). For those who want bits rather than the value.
  Halide::Expr stored = {};
  hlo::ElementType stored_type = hlo::ElementType::kPred;
};

// Expressions made while one of these lives, on its thread, are for this target (without one: x86
// without FMA, or CUDA).
class TargetScope {
 public:
  explicit TargetScope(const Halide::Target& target);
  ~TargetScope();
  TargetScope(const TargetScope&) = delete;
  TargetScope& operator=(const TargetScope&) = delete;

 private:
  numerics::TargetTraits previous_;
};

// Of one buffer element (complex: of one part).
Halide::Type StorageType(hlo::ElementType type);
Halide::Type ComputeType(hlo::ElementType type);
Value FromStorage(hlo::ElementType type, Halide::Expr re, Halide::Expr im = Halide::Expr());
Halide::Expr ToStorage(hlo::ElementType type, const Halide::Expr& part);

// The element of `literal` at row-major `index`, as a constant.
Value ConstantValue(const hlo::Literal& literal, int64_t index);
Value Zero(hlo::ElementType type);
Value IntegerValue(hlo::ElementType type,
                   const Halide::Expr& int32_or_int64);  // iota: converts an index to the type

// `inst` is an elementwise op of the op table (unary, binary, compare, select, clamp, convert,
// reduce-precision, same-width bitcast-convert); operands are its scalar operands. kUnimplemented
// names op and element type.
absl::StatusOr<Value> ApplyElementwise(const hlo::Instruction& inst,
                                       absl::Span<const Value> operands);
bool HasElementwiseLowering(hlo::Opcode opcode);

// One step of a fold whose order is a schedule's choice. Same-type operands (floats, integers wrap,
// PRED: or / and, complex). Each is a strict operation, so NaN, infinities and -0 are as IEEE 754
// has them.
Value SumAdd(const Value& a, const Value& b);
Value SumMul(const Value& a, const Value& b);
// sum + a * b; where the target fuses the two, f32, f64 and complex parts are rounded once.
Value MultiplyAccumulate(const Value& sum, const Value& a, const Value& b);
// Rounds to `type`, or widens: as HLO convert.
Value ConvertTo(const Value& value, hlo::ElementType type);

// The identity of a commutative, associative op on `type` (add 0, multiply 1, maximum -inf, …), for
// partial reductions.
absl::StatusOr<Value> IdentityOf(hlo::Opcode opcode, hlo::ElementType type);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_NUMERICS_H_
