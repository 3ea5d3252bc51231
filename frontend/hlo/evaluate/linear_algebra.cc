// cholesky and triangular-solve, in double, row by row; and the blocks that the lowering cuts them
// into.
#include <cmath>
#include <limits>

#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/values/decoded.h"

namespace halyard::hlo {
namespace {

double Conj(double x) { return x; }
Complex128 Conj(Complex128 x) { return std::conj(x); }
double RealOf(double x) { return x; }
double RealOf(Complex128 x) { return x.real(); }

template <typename T>
Literal Encode(const Shape& shape, const std::vector<T>& values) {
  if constexpr (std::is_same_v<T, double>)
    return EncodeFloats(shape, values);
  else
    return EncodeComplexes(shape, values);
}

// Calls run with the decoder of the type's class.
template <typename Run>
Literal ByClass(ElementType type, Run run) {
  return IsComplex(type) ? run(DecodeComplexes) : run(DecodeFloats);
}

// Replaces A by L, where A = L·Lᴴ, from a(i, j) for i >= j. From the first pivot on that is not
// positive, everything is NaN.
template <typename T, typename At>
void Factor(int64_t n, At a) {
  for (int64_t j = 0; j < n; ++j) {
    double pivot = RealOf(a(j, j));
    for (int64_t k = 0; k < j; ++k) pivot -= std::norm(a(j, k));
    pivot = pivot > 0 ? std::sqrt(pivot) : std::numeric_limits<double>::quiet_NaN();
    a(j, j) = pivot;
    for (int64_t i = j + 1; i < n; ++i) {
      T sum = a(i, j);
      for (int64_t k = 0; k < j; ++k) sum -= a(i, k) * Conj(a(j, k));
      a(i, j) = sum / pivot;
    }
  }
}

// Factorises a batch of matrices. `lower` says which triangle is read and written; the other one is
// zero.
Literal FactorAll(const Shape& shape, const Literal& operand, bool lower) {
  return ByClass(shape.element_type(), [&](auto decode) {
    auto values = decode(operand);
    using T = typename decltype(values)::value_type;
    int64_t n = shape.dims().back(), size = n * n;
    for (int64_t start = 0; size > 0 && start < static_cast<int64_t>(values.size());
         start += size) {
      T* matrix = values.data() + start;
      // The upper triangle is the lower one of the adjoint.
      for (int64_t i = 0; i < n && !lower; ++i) {
        for (int64_t j = 0; j < i; ++j) matrix[i * n + j] = Conj(matrix[j * n + i]);
      }
      Factor<T>(n, [&](int64_t i, int64_t j) -> T& { return matrix[i * n + j]; });
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < i; ++j) {
          matrix[j * n + i] = lower ? T(0) : Conj(matrix[i * n + j]);
          if (!lower) matrix[i * n + j] = T(0);
        }
      }
    }
    return Encode(shape, values);
  });
}

struct SolveFlags {
  bool left = true, lower = true, unit = false, transpose = false, conjugate = false;
};

// Solves op(a)·x = b or x·op(a) = b, in place of b.
template <typename T>
void Solve(const SolveFlags& flags, int64_t n, int64_t others, const T* a, T* b) {
  // x·op(a) = b is op(a)ᵀ·xᵀ = bᵀ.
  bool swapped = flags.transpose != !flags.left;
  auto element = [&](int64_t i, int64_t j) {
    T value = swapped ? a[j * n + i] : a[i * n + j];
    return flags.conjugate ? Conj(value) : value;
  };
  bool forward = flags.lower != swapped;
  for (int64_t column = 0; column < others; ++column) {
    auto x = [&](int64_t i) -> T& {
      return flags.left ? b[i * others + column] : b[column * n + i];
    };
    for (int64_t step = 0; step < n; ++step) {
      int64_t i = forward ? step : n - 1 - step;
      T sum = x(i);
      for (int64_t j = forward ? 0 : i + 1; j < (forward ? i : n); ++j) sum -= element(i, j) * x(j);
      x(i) = flags.unit ? sum : sum / element(i, i);
    }
  }
}

Literal SolveAll(const SolveFlags& flags, const Shape& shape, absl::Span<const Literal> operands) {
  return ByClass(shape.element_type(), [&](auto decode) {
    auto a = decode(operands[0]);
    auto b = decode(operands[1]);
    int64_t n = operands[0].shape().dims().back();
    int64_t others = shape.dim(shape.rank() - (flags.left ? 1 : 2));
    if (b.empty()) return Encode(shape, b);
    int64_t batch = static_cast<int64_t>(a.size()) / (n * n);
    for (int64_t i = 0; i < batch; ++i) {
      Solve(flags, n, others, a.data() + i * n * n, b.data() + i * n * others);
    }
    return Encode(shape, b);
  });
}

}  // namespace

absl::StatusOr<Literal> EvaluateCholesky(Evaluator&, const Instruction& inst,
                                         absl::Span<const Literal> operands) {
  return FactorAll(inst.shape, operands[0], inst.GetBool(Attr::kLower));
}

absl::StatusOr<Literal> EvaluateTriangularSolve(Evaluator&, const Instruction& inst,
                                                absl::Span<const Literal> operands) {
  const std::string& transpose = inst.GetString(Attr::kTransposeA);
  SolveFlags flags;
  flags.left = inst.GetBool(Attr::kLeftSide);
  flags.lower = inst.GetBool(Attr::kLower);
  flags.unit = inst.GetBool(Attr::kUnitDiagonal);
  flags.transpose = transpose == "TRANSPOSE" || transpose == "ADJOINT";
  flags.conjugate = transpose == "ADJOINT";
  return SolveAll(flags, inst.shape, operands);
}

// Ops of the lowering. cholesky-block: a[b,n,n] → its upper factor U, a = Uᴴ·U, from the upper
// triangle. triangular-block: b[b,n,k], a[b,n,n] → x of a·x = b, where a is lower and has ones on
// its diagonal, which are not read.
absl::StatusOr<Literal> EvaluateCholeskyBlock(Evaluator&, const Instruction& inst,
                                              absl::Span<const Literal> operands) {
  return FactorAll(inst.shape, operands[0], /*lower=*/false);
}

absl::StatusOr<Literal> EvaluateTriangularBlock(Evaluator&, const Instruction& inst,
                                                absl::Span<const Literal> operands) {
  SolveFlags flags;
  flags.unit = true;
  return SolveAll(flags, inst.shape, {operands[1], operands[0]});
}

}  // namespace halyard::hlo
