// Sums of many terms in pieces. Where one accumulator takes n terms one after the other, the last
// of n roundings is of the whole sum. Pieces of b terms are summed by themselves and then added,
// which bounds the error by b + n / b roundings (Higham, "The accuracy of floating point
// summation", 1993).
#ifndef HALYARD_SCHEDULES_PIECES_H_
#define HALYARD_SCHEDULES_PIECES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "lowering/kernels/kernel.h"

namespace halyard::schedules {

// The domain of a fold.
struct FoldDomain {
  std::vector<Halide::RVar> terms;   // of a piece, fastest first
  std::vector<Halide::RVar> pieces;  // fastest first; empty: the fold is whole
  std::vector<Halide::Var> piece;    // for each of `pieces`, the Var in which a piece is defined
  lowering::Indices at;              // where a term lies in each reduced dimension
};
// `may_cut`: it is in pieces if the hero folds so many floats that this pays.
FoldDomain DomainOf(const lowering::LoweredKernel& kernel, const lowering::Hero& hero,
                    bool may_cut);

struct PiecedFold {
  Halide::Func total;  // (axes…)
  Halide::Func piece;  // (axes…, domain.piece…); undefined: the fold is whole
};
// `step` returns the accumulators after the term at domain.at, given those before it.
using FoldStep = std::function<std::vector<lowering::Value>(const std::vector<lowering::Value>&)>;
PiecedFold DefineOverDomain(const lowering::LoweredKernel& kernel, const lowering::Hero& hero,
                            const FoldDomain& domain, const char* name, const FoldStep& step);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_PIECES_H_
