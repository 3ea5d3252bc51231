// cholesky and triangular-solve → products of blocks, and kernels for the blocks on the diagonal.
//
// Both halve their matrix until a block is left (recursive blocking: Gustavson 1997, Elmroth and
// others, SIAM Review 46, 2004): of the work all but a thin band is in products, and equal halves
// share their kernels. Everything is brought to one form first: upper factors for cholesky; lower,
// left, not transposed, with rows divided by the diagonal for triangular-solve. The triangle that
// is not to be read is moved about, but goes into no result. Narrow floats are computed in f32.
#include <algorithm>

#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;

// A matrix of n rows is padded to blocks of `base` rows, 2^levels of them.
struct Blocking {
  int64_t base = 1, size = 1;
};

Blocking BlockingOf(int64_t n) {
  int64_t largest = n <= 2048 ? 64 : 128;
  int64_t blocks = 1;
  while ((n + blocks - 1) / blocks > largest) blocks *= 2;
  Blocking blocking;
  blocking.base = (n + blocks - 1) / blocks;
  blocking.size = blocking.base * blocks;
  return blocking;
}

class MatrixExpander {
 public:
  MatrixExpander(Rewriter* rewriter, const Instruction* inst)
      : graph_(rewriter, inst), inst_(*inst) {}

  Instruction* Cholesky();
  Instruction* TriangularSolve();

 private:
  // Returns [batch…, rows, columns] in the type to compute in, with the batch dimensions joined.
  Instruction* Load(Instruction* x);
  // Goes back to the result's shape and type.
  Instruction* Store(Instruction* x);
  Instruction* Swap(Instruction* x) { return graph_.Transpose(x, {0, 2, 1}); }
  Instruction* Block(Instruction* x, int64_t row, int64_t rows, int64_t column, int64_t columns) {
    return graph_.Slice(graph_.Slice(x, 1, row, row + rows), 2, column, column + columns);
  }
  // Computes Σ a(b, …, k, …)·y(b, k, …), where a's dimension `summed` is k.
  Instruction* Product(Instruction* a, int64_t summed, Instruction* y);
  // Returns the diagonal of square matrices: [batch, n].
  Instruction* Diagonal(Instruction* x);
  Instruction* DivideRows(Instruction* x, Instruction* divisors) {
    return graph_.Add(Opcode::kDivide, {x, graph_.Broadcast(divisors, x->shape.dims(), {0, 1})});
  }

  // Returns the upper factor of [batch, n, n].
  Instruction* Factor(Instruction* a, int64_t base);
  // Solves a·x = b for x, where a is lower and has a diagonal of ones, which is not read.
  Instruction* Substitute(Instruction* a, Instruction* b, int64_t base);

  GraphBuilder graph_;
  const Instruction& inst_;
};

Instruction* MatrixExpander::Load(Instruction* x) {
  const std::vector<int64_t>& dims = x->shape.dims();
  int64_t rank = x->shape.rank(), batch = 1;
  for (int64_t d = 0; d < rank - 2; ++d) batch *= dims[d];
  ElementType type = x->shape.element_type();
  if (hlo::IsFloat(type) && hlo::BitWidth(type) < 32) x = graph_.Convert(x, ElementType::kF32);
  return graph_.Reshape(x, {batch, dims[rank - 2], dims[rank - 1]});
}

Instruction* MatrixExpander::Store(Instruction* x) {
  return graph_.Convert(graph_.Reshape(x, inst_.shape.dims()), inst_.shape.element_type());
}

Instruction* MatrixExpander::Product(Instruction* a, int64_t summed, Instruction* y) {
  hlo::AttrMap attrs;
  attrs.Set(Attr::kLhsBatchDims, hlo::Ints{0});
  attrs.Set(Attr::kRhsBatchDims, hlo::Ints{0});
  attrs.Set(Attr::kLhsContractingDims, hlo::Ints{summed});
  attrs.Set(Attr::kRhsContractingDims, hlo::Ints{1});
  return graph_.Add(Opcode::kDot, {a, y}, std::move(attrs));
}

Instruction* MatrixExpander::Diagonal(Instruction* x) {
  int64_t batch = x->shape.dim(0), n = x->shape.dim(1);
  return graph_.Slice(graph_.Reshape(x, {batch, n * n}), 1, 0, n * n, n + 1);
}

Instruction* MatrixExpander::Substitute(Instruction* a, Instruction* b, int64_t base) {
  int64_t n = a->shape.dim(1), half = n / 2, columns = b->shape.dim(2);
  if (n == base) return graph_.Add(Opcode::kTriangularBlock, {b, a});
  Instruction* first = Substitute(Block(a, 0, half, 0, half), Block(b, 0, half, 0, columns), base);
  Instruction* known = Product(Block(a, half, half, 0, half), 2, first);
  Instruction* rest = graph_.Add(Opcode::kSubtract, {Block(b, half, half, 0, columns), known});
  return graph_.Concatenate({first, Substitute(Block(a, half, half, half, half), rest, base)}, 1);
}

Instruction* MatrixExpander::Factor(Instruction* a, int64_t base) {
  int64_t n = a->shape.dim(1), half = n / 2;
  if (n == base) return graph_.Add(Opcode::kCholeskyBlock, {a});
  Instruction* first = Factor(Block(a, 0, half, 0, half), base);
  // first ᴴ·right = a's upper right
  Instruction* diagonal = Diagonal(first);
  Instruction* adjoint = Swap(graph_.Conjugate(first));
  Instruction* right = Substitute(DivideRows(adjoint, diagonal),
                                  DivideRows(Block(a, 0, half, half, half), diagonal), base);
  Instruction* square = Product(graph_.Conjugate(right), 1, right);
  Instruction* last =
      Factor(graph_.Add(Opcode::kSubtract, {Block(a, half, half, half, half), square}), base);
  Instruction* zeros = graph_.Splat(a->shape.element_type(), 0, right->shape.dims());
  return graph_.Concatenate(
      {graph_.Concatenate({first, right}, 2), graph_.Concatenate({zeros, last}, 2)}, 1);
}

Instruction* MatrixExpander::Cholesky() {
  bool lower = inst_.GetBool(Attr::kLower);
  Instruction* a = Load(inst_.operands[0]);
  int64_t batch = a->shape.dim(0), n = a->shape.dim(1);
  if (lower) a = Swap(graph_.Conjugate(a));
  Blocking blocking = BlockingOf(n);
  if (blocking.size > n) {
    // The rest of the diagonal is ones.
    std::vector<int64_t> dims = {batch, blocking.size, blocking.size};
    Instruction* row = graph_.Iota(ElementType::kS32, dims, 1);
    Instruction* column = graph_.Iota(ElementType::kS32, dims, 2);
    Instruction* end = graph_.Splat(ElementType::kS32, static_cast<double>(n), dims);
    Instruction* rest = graph_.Add(
        Opcode::kAnd, {graph_.Compare(row, column, "EQ"), graph_.Compare(row, end, "GE")});
    a = graph_.Select(rest, graph_.Splat(a->shape.element_type(), 1, dims), graph_.PadTo(a, dims));
  }
  Instruction* factor = Block(Factor(a, blocking.base), 0, n, 0, n);
  return Store(lower ? Swap(graph_.Conjugate(factor)) : factor);
}

Instruction* MatrixExpander::TriangularSolve() {
  const std::string& transpose = inst_.GetString(Attr::kTransposeA);
  bool left = inst_.GetBool(Attr::kLeftSide);
  // x·op(a) = b is op(a)ᵀ·xᵀ = bᵀ.
  bool swap = (transpose == "TRANSPOSE" || transpose == "ADJOINT") == left;
  bool lower = inst_.GetBool(Attr::kLower) != swap;
  Instruction* a = Load(inst_.operands[0]);
  Instruction* x = Load(inst_.operands[1]);
  if (swap) a = Swap(a);
  if (transpose == "ADJOINT") a = graph_.Conjugate(a);
  if (!left) x = Swap(x);
  if (!lower) {
    a = graph_.Reverse(a, {1, 2});
    x = graph_.Reverse(x, {1});
  }
  if (!inst_.GetBool(Attr::kUnitDiagonal)) {
    Instruction* diagonal = Diagonal(a);
    a = DivideRows(a, diagonal);
    x = DivideRows(x, diagonal);
  }
  int64_t batch = a->shape.dim(0), n = a->shape.dim(1), columns = x->shape.dim(2);
  Blocking blocking = BlockingOf(n);
  x = Substitute(graph_.PadTo(a, {batch, blocking.size, blocking.size}),
                 graph_.PadTo(x, {batch, blocking.size, columns}), blocking.base);
  x = Block(x, 0, n, 0, columns);
  if (!lower) x = graph_.Reverse(x, {1});
  return Store(left ? x : Swap(x));
}

}  // namespace

absl::Status ExpandLinearAlgebra(hlo::Module& module) {
  return RewriteEach(module, [](Rewriter& rewriter, Instruction* inst) {
    const bool cholesky = inst->opcode == Opcode::kCholesky;
    if (!cholesky && inst->opcode != Opcode::kTriangularSolve) return absl::OkStatus();
    MatrixExpander expander(&rewriter, inst);
    // Where there is nothing to compute, the last operand has the result's shape.
    Instruction* result = inst->shape.NumElements() == 0 ? inst->operands.back()
                          : cholesky                     ? expander.Cholesky()
                                                         : expander.TriangularSolve();
    rewriter.Replace(inst, result);
    return absl::OkStatus();
  });
}

}  // namespace halyard::lowering
