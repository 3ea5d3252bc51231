// Factorisations that exporters leave as calls of LAPACK, cuSOLVER or TPU routines, as graphs of
// loops. Matrices are [batch, rows, columns] of f32, f64 or complex numbers of these.
#ifndef HALYARD_FRONTEND_STABLEHLO_CONVERT_LINEAR_ALGEBRA_CALLS_H_
#define HALYARD_FRONTEND_STABLEHLO_CONVERT_LINEAR_ALGEBRA_CALLS_H_

#include <functional>
#include <vector>

#include "frontend/stablehlo/graph.h"

namespace halyard::stablehlo {

// Of positions and counts.
inline constexpr hlo::ElementType kIndex = hlo::ElementType::kS32;

using LoopBody = std::function<std::vector<Term>(Graph&, Term step, std::vector<Term> state)>;

// Returns `state` after steps 0 … count - 1 (s64). With `while_true`, a PRED scalar of the state by
// number, the loop goes on only as long as that holds.
std::vector<Term> CountedLoop(Graph& graph, int64_t count, const std::vector<Term>& state,
                              const LoopBody& body, int64_t while_true = -1);

// Gaussian elimination with partial pivoting.
struct LuFactors {
  Term lu;           // L below the diagonal, whose own diagonal is ones, and U
  Term pivots;       // s32[batch, min(rows, columns)]: the row that was swapped with row i
  Term permutation;  // s32[batch, rows]: row i of LU is that row of the matrix
  Term info;         // s32[batch]: 0, or the number of the first pivot that is 0, counted from 1
};
LuFactors Lu(Term a);
// Returns swaps that are done one after another as a permutation of `rows`.
Term PivotsToPermutation(Term pivots, int64_t rows);

// Householder reflections 1 - tau v v^H in the form of LAPACK's geqrf: the tails of v are below R.
struct QrFactors {
  Term packed;
  Term taus;  // [batch, min(rows, columns)]
};
QrFactors Qr(Term a);
// Returns the first columns of the reflections' product, as many as `packed` has.
Term HouseholderProduct(Term packed, Term taus);

// Jacobi's method on a Hermitian matrix, of which it reads one triangle. Eigenvalues ascend.
struct EighFactors {
  Term vectors;  // columns
  Term values;   // real
};
EighFactors Eigh(Term a, bool lower);

// One-sided Jacobi method. Singular values descend.
struct SvdFactors {
  Term u;       // [batch, rows, rows], or min(rows, columns) columns
  Term values;  // real
  Term v;       // columns: a = u diag(values) v^H
};
SvdFactors Svd(Term a, bool full);

// Small pieces. [batch, rows, columns] of PRED or indices.
Term ConjugateTranspose(Term a);
Term Along(Term vector, const std::vector<int64_t>& dims, int64_t dim);  // [batch, dims[dim]]

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_CONVERT_LINEAR_ALGEBRA_CALLS_H_
