// Copies of products in stages (lowering/kernels/contraction/staged_product.h): from the element
// that a thread's copy begins with, as a Func reads it, to the call of kStagedCopy.
#ifndef HALYARD_CODEGEN_PASSES_GPU_STAGED_COPIES_H_
#define HALYARD_CODEGEN_PASSES_GPU_STAGED_COPIES_H_

#include <cstdint>
#include <vector>

#include "Halide.h"
#include "codegen/passes/gpu/staged/calls.h"

namespace halyard::lowering {

// Throws LimitError: another schedule may do.
[[noreturn]] void RefuseCopy(const char* why);

// A call of an intrinsic as a statement.
Halide::Internal::Stmt DoIntrinsic(const char* name, const std::vector<Halide::Expr>& arguments);

// Substitutes lets, as often as it takes.
Halide::Expr ResolveLets(Halide::Expr e, const Lets& lets);

// The element of a copy: where it is loaded, and where it is not (undefined if it always is).
struct CopySource {
  const Halide::Internal::Load* load = nullptr;
  Halide::Expr inside;
};

// Throws LimitError if the element is computed, and not only loaded.
CopySource FindCopySource(const Halide::Expr& element, const Lets& lets);

// Throws LimitError if pieces of 16 bytes do not begin at multiples of that.
void CheckCopyAlignment(const Halide::Internal::Load& load, const Lets& lets);

// 16 bytes to `place` + `offset` of the stages, if `run`. `own`: lets that index and condition may
// use, by whose values clamps are left out that change nothing where the condition holds.
Halide::Internal::Stmt CopyPiece(const CopySource& source, const Lets& own,
                                 const Halide::Expr& place, int64_t offset,
                                 const Halide::Expr& run);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_STAGED_COPIES_H_
