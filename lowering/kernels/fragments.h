// The building blocks of algorithms that use device intrinsics (device_intrinsics.h): packed words,
// warp-wide products, shuffles. Each takes functions that return a lane's value. On the CPU, lanes
// are loop iterations, and the equivalent of an intrinsic reads what the partner lanes hold. Lane
// 4g + q of a warp is (q, g); on CUDA, q and g are threads x and y of a group.
#ifndef HALYARD_LOWERING_KERNELS_FRAGMENTS_H_
#define HALYARD_LOWERING_KERNELS_FRAGMENTS_H_

#include <functional>
#include <vector>

#include "Halide.h"
#include "lowering/kernels/device_intrinsics.h"
#include "lowering/numerics/numerics.h"

namespace halyard::lowering {

// Returns the storage-form bits of the value as one of `type`, unsigned. Uses bits that exist
// already if they are exact, and rounds otherwise.
Halide::Expr BitsAs(const Value& value, hlo::ElementType type);
// Returns the type of at most 16 bits that is known to hold the value exactly, or else the value's
// own type.
hlo::ElementType NarrowestType(const Value& value);

// Returns one word (UInt(32)) of elements of 8, 16 or 32 bits, the first in the low bits.
// Neighbours in memory become one load, also in vectors of words (PackWords).
Halide::Expr PackWord(const std::vector<Halide::Expr>& elements);
// Returns the word of an f32 for tf32 products.
Halide::Expr Tf32Word(const Halide::Expr& value, bool on_device);

using LaneValue = std::function<Halide::Expr(const Halide::Expr& q, const Halide::Expr& g)>;
using LaneWord =
    std::function<Halide::Expr(int word, const Halide::Expr& q, const Halide::Expr& g)>;

// Returns the four values of A·B + C of lane (q, g). `c` holds this lane's values of C.
std::vector<Halide::Expr> Mma(const MmaIntrinsic& mma, const std::vector<Halide::Expr>& c,
                              const LaneWord& a, const LaneWord& b, const Halide::Expr& q,
                              const Halide::Expr& g, bool on_device);

// Operations on f32, with instructions of a device of `capability` where it has them (0 for the CPU
// equivalents): two values rounded to f16 or bf16, as a word; the maximum (NaN if either is NaN);
// and e^x with an error of about 2^-21 and |x|·2^-24.
Halide::Expr RoundedPair(hlo::ElementType type, const Halide::Expr& low, const Halide::Expr& high,
                         int capability);
Halide::Expr MaximumOf(const Halide::Expr& a, const Halide::Expr& b, int capability);
Halide::Expr FastExp(const Halide::Expr& x, int capability);

// Returns the 32-bit value of lane (this lane xor mask), mask < 32.
Halide::Expr ShuffleXor(const LaneValue& value, const Halide::Expr& q, const Halide::Expr& g,
                        int mask, bool on_device);

// Removes the PackWord calls of a lowered pipeline. They become one load of whole words where
// elements are neighbours and aligned, and shifts otherwise. It is a custom lowering pass of every
// pipeline that contains such calls.
class PackWords : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Call* call) override;
  Halide::Expr visit(const Halide::Internal::Let* let) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* let) override;

  Halide::Internal::Scope<Halide::Expr> lets_;
};

// An element that is zero unless a condition holds.
struct ZeroUnless {
  Halide::Expr condition, element;
};

// Returns the parts of such an expression, or undefined ones.
ZeroUnless FindZeroUnless(const Halide::Expr& e);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_FRAGMENTS_H_
