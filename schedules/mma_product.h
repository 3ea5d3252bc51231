// A contraction as warp-wide products (lowering/kernels/device_intrinsics.h): which axes are its
// rows and columns, and its factors and result in the coordinates of fragments. Shared by templates
// that use tensor cores.
#ifndef HALYARD_SCHEDULES_MMA_PRODUCT_H_
#define HALYARD_SCHEDULES_MMA_PRODUCT_H_

#include <cstdint>
#include <vector>

#include "lowering/kernels/device_intrinsics.h"
#include "lowering/kernels/kernel.h"

namespace halyard::schedules {

// One factor: rows × k, rows being the axes that only it depends on, as one number.
struct MmaFactor {
  int operand = 0;               // 0: lhs (the rows of C), 1: rhs (its columns)
  std::vector<int> axes;         // of the hero, fastest first
  std::vector<int64_t> extents;  // of these
  int64_t rows = 1;              // their product
  bool contiguous_k =
      false;  // neighbours along k (else perhaps along the rows) are neighbours in memory
  bool contiguous_rows = false;
  // The same, and a piece of neighbours can be copied as memory has it (IsCopy).
  bool copied_k = false, copied_rows = false;
};

struct MmaProduct {
  const lowering::MmaIntrinsic* mma = nullptr;
  MmaFactor lhs, rhs;
  std::vector<int> batch;  // axes that both factors depend on, fastest first
  std::vector<int64_t> batch_extents;
  int64_t batches = 1;
  std::vector<int64_t> k_extents;  // r[0] first
  int64_t k = 1;                   // their product
};

// Both factors of a contraction at its axes, for what can be known from their types and loads. All
// terms have one index, `k`.
std::vector<lowering::Value> FactorsOf(const lowering::Hero& hero);

// Of the first load of an input that a factor's value is made from: whether the element after `var`
// is the next one in memory, and the bytes of an element, 0 if there is no load.
bool IsContiguous(const Halide::Expr& value, const Halide::Var& var);
int64_t LoadedBytes(const Halide::Expr& value);

// Returns whether elements along `var` are those of an input, or zeros by a condition that is the
// same for all of them: copies decide for whole pieces.
bool IsCopy(const Halide::Expr& stored, const Halide::Var& var);

// What the program's algorithm rounds a product's f32 factors to; kF64 if it does not.
hlo::ElementType AlgorithmType(const hlo::Instruction& product);

// False if the contraction is none that tensor cores of `capability` do within the rules of
// docs/numerics.md: factors of 16 or 8 bits (or f32 that were), f32 only where the program's
// algorithm says so.
bool FindMmaProduct(const lowering::LoweredKernel& kernel, const lowering::Hero& hero,
                    int capability, MmaProduct* product);

// An index of several dimensions (fastest first) from one number: `base`, a multiple of `unit`,
// plus `offset` < unit, where `unit` divides extents[0].
lowering::Indices SplitIndex(const Halide::Expr& base, const Halide::Expr& offset, int64_t unit,
                             const std::vector<int64_t>& extents);

// How a warp's lane holds a factor: `rows` rows one after the other, of each `words` words of
// neighbouring elements of k. Vectors run along k where that is contiguous, else along the rows.
struct FragmentShape {
  int64_t rows = 1, words = 1;
  int64_t vector = 1;  // words of a vector
  bool along_k = true;
  int64_t element_unit = 1;  // elements of k that lie in one piece and end together
};
FragmentShape ShapeOfFragment(const MmaProduct& product, const MmaFactor& factor, int64_t rows,
                              int64_t words);

// Fragment(v, o, i, q, g, warp, block, step): word (row i', k word j') of lane (q, g). Which of the
// two runs over (v, o) depends on the shape; FragmentIndex says.
lowering::Indices FragmentIndex(const FragmentShape& shape, const Halide::Expr& row,
                                const Halide::Expr& word);

// The words. `first_row`: of the lane (q, g) of (warp, block), a multiple of shape.rows;
// `batch`: of the block; steps of k are chunks of 4 · words · mma.elements.
struct FragmentPlace {
  Halide::Var q{"q"}, g{"g"}, warp{"warp"}, block{"block"}, step{"step"};
};
Halide::Func DefineFragment(lowering::LoweredKernel& kernel, const lowering::Hero& hero,
                            const MmaProduct& product, const MmaFactor& factor,
                            const FragmentShape& shape, const FragmentPlace& place,
                            const Halide::Expr& first_row, const Halide::Expr& batch,
                            bool on_device, const char* name);

// The kernel's output as one update, of the elements at `index` (by its axes) in the coordinates of
// fragments, wherever these lie.
void DefineOutputAt(lowering::LoweredKernel& kernel, const lowering::Indices& index);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_MMA_PRODUCT_H_
