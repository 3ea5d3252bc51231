// Compares fft, cholesky and triangular-solve of the evaluator with their definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>

#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo {
namespace {

using Complex128 = std::complex<double>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Node {
  std::vector<std::unique_ptr<Instruction>> parameters;
  Instruction inst;
};

Node MakeNode(Opcode opcode, const std::vector<Shape>& operands, AttrMap attrs) {
  Node node;
  for (const Shape& shape : operands) {
    node.parameters.push_back(
        std::make_unique<Instruction>(Instruction{Opcode::kParameter, shape}));
    node.inst.operands.push_back(node.parameters.back().get());
  }
  node.inst.opcode = opcode;
  node.inst.attrs = std::move(attrs);
  return node;
}

Literal Evaluate(Opcode opcode, const std::vector<Literal>& operands, AttrMap attrs) {
  std::vector<Shape> shapes;
  for (const Literal& operand : operands) shapes.push_back(operand.shape());
  Node node = MakeNode(opcode, shapes, std::move(attrs));
  node.inst.shape = InferShape(node.inst).value();
  Evaluator evaluator;
  return RowOf(opcode).evaluate(evaluator, node.inst, operands).value();
}

AttrMap FftAttrs(const std::string& type, Ints length) {
  AttrMap attrs;
  attrs.Set(Attr::kFftType, type);
  attrs.Set(Attr::kFftLength, std::move(length));
  return attrs;
}

Literal RandomComplex(std::vector<int64_t> dims) {
  std::mt19937 random(1);
  auto next = [&] { return static_cast<double>(random() % 2001) / 1000.0 - 1.0; };
  Literal literal(Shape::Array(ElementType::kC128, std::move(dims)));
  for (int64_t i = 0; i < literal.shape().NumElements(); ++i)
    literal.SetComplex(i, {next(), next()});
  return literal;
}

// Computes one element by definition. The angle is reduced exactly.
Complex128 Sum(const Literal& x, int64_t k, int sign) {
  int64_t n = x.shape().dim(0);
  Complex128 sum = 0;
  for (int64_t j = 0; j < n; ++j) {
    double angle = 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
    sum += x.GetComplex(j) * Complex128(std::cos(angle), sign * std::sin(angle));
  }
  return sum;
}

TEST(Fft, IsTheSumThatDefinesIt) {
  for (int64_t n : {1, 2, 3, 4, 5, 7, 8, 12, 17, 30, 64, 97, 100, 127, 243, 1000, 1009}) {
    Literal x = RandomComplex({n});
    Literal y = Evaluate(Opcode::kFft, {x}, FftAttrs("FFT", {n}));
    Literal z = Evaluate(Opcode::kFft, {x}, FftAttrs("IFFT", {n}));
    for (int64_t k = 0; k < n; ++k) {
      EXPECT_LT(std::abs(y.GetComplex(k) - Sum(x, k, -1)), 2e-14 * std::sqrt(n) * 4) << n;
      EXPECT_LT(std::abs(z.GetComplex(k) - Sum(x, k, 1) / static_cast<double>(n)), 1e-14) << n;
    }
  }
}

TEST(Fft, RealTransformsAreHalvesOfComplexOnes) {
  for (int64_t n : {1, 2, 5, 6, 16, 67}) {
    Literal x = RandomComplex({n}), real(Shape::Array(ElementType::kF64, {n}));
    for (int64_t i = 0; i < n; ++i) {
      real.SetFloat(i, x.GetComplex(i).real());
      x.SetComplex(i, real.GetFloat(i));
    }
    Literal whole = Evaluate(Opcode::kFft, {x}, FftAttrs("FFT", {n}));
    Literal half = Evaluate(Opcode::kFft, {real}, FftAttrs("RFFT", {n}));
    ASSERT_EQ(half.shape().dim(0), n / 2 + 1);
    for (int64_t k = 0; k <= n / 2; ++k) {
      EXPECT_LT(std::abs(half.GetComplex(k) - whole.GetComplex(k)), 1e-13);
    }
    Literal back = Evaluate(Opcode::kFft, {half}, FftAttrs("IRFFT", {n}));
    for (int64_t i = 0; i < n; ++i) EXPECT_NEAR(back.GetFloat(i), real.GetFloat(i), 1e-14);
  }
}

TEST(Fft, OfSeveralAxesIsOneAfterTheOther) {
  Literal x = RandomComplex({2, 3, 4});
  Literal both = Evaluate(Opcode::kFft, {x}, FftAttrs("FFT", {3, 4}));
  Literal last = Evaluate(Opcode::kFft, {x}, FftAttrs("FFT", {4}));
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t k = 0; k < 4; ++k) {
      Literal column(Shape::Array(ElementType::kC128, {3}));
      for (int64_t j = 0; j < 3; ++j) column.SetComplex(j, last.GetComplex((b * 3 + j) * 4 + k));
      for (int64_t j = 0; j < 3; ++j) {
        EXPECT_LT(std::abs(both.GetComplex((b * 3 + j) * 4 + k) - Sum(column, j, -1)), 1e-13);
      }
    }
  }
}

TEST(Fft, OfNothing) {
  Literal empty(Shape::Array(ElementType::kF32, {3, 0}));
  Literal y = Evaluate(Opcode::kFft, {empty}, FftAttrs("RFFT", {0}));
  EXPECT_EQ(y.shape().ToString(), "c64[3,0]");
}

// The example of the documentation. The other triangle must not be read.
TEST(Cholesky, ReadsOneTriangle) {
  for (bool lower : {true, false}) {
    std::vector<double> a = {1, 2, 3, 2, 20, 26, 3, 26, 70}, want = {1, 0, 0, 2, 4, 0, 3, 5, 6};
    for (int64_t i : {1, 2, 5}) a[lower ? i : i % 3 * 3 + i / 3] = kNaN;
    AttrMap attrs;
    attrs.Set(Attr::kLower, lower);
    Literal y = Evaluate(Opcode::kCholesky,
                         {Literal::FromValues<double>(ElementType::kF32, {3, 3}, a)}, attrs);
    for (int64_t i = 0; i < 9; ++i) {
      EXPECT_EQ(y.GetFloat(lower ? i : i % 3 * 3 + i / 3), want[i]) << lower << " " << i;
    }
  }
}

TEST(Cholesky, IsNanFromTheFirstPivotThatIsNotPositive) {
  AttrMap attrs;
  attrs.Set(Attr::kLower, true);
  Literal a = Literal::FromValues<double>(ElementType::kF64, {3, 3}, {4, 0, 0, 2, 1, 0, 2, 3, 9});
  Literal y = Evaluate(Opcode::kCholesky, {a}, attrs);
  EXPECT_EQ(y.GetFloat(0), 2);
  EXPECT_EQ(y.GetFloat(3), 1);
  for (int64_t i : {4, 7, 8}) EXPECT_TRUE(std::isnan(y.GetFloat(i))) << i;
}

// For every flag, op(a)·x or x·op(a) must give b again. Elements of a that must not be read are
// NaN.
TEST(TriangularSolve, InvertsTheProduct) {
  const int64_t n = 3, others = 2;
  for (int flags = 0; flags < 24; ++flags) {
    bool left = flags & 1, lower = flags & 2, unit = flags & 4;
    const char* transpose[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
    int op = flags / 8;
    Literal a = RandomComplex({n, n}), b = RandomComplex({left ? n : others, left ? others : n});
    std::vector<Complex128> used(n * n);  // op(a)
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        if (i == j) a.SetComplex(i * n + j, unit ? kNaN : 2.0);
        if (i != j && (i > j) != lower) a.SetComplex(i * n + j, kNaN);
        bool read = i == j ? !unit : (i > j) == lower;
        Complex128 value = read ? a.GetComplex(i * n + j) : i == j ? 1.0 : 0.0;
        used[op == 0 ? i * n + j : j * n + i] = op == 2 ? std::conj(value) : value;
      }
    }
    AttrMap attrs;
    attrs.Set(Attr::kLeftSide, left);
    attrs.Set(Attr::kLower, lower);
    attrs.Set(Attr::kUnitDiagonal, unit);
    attrs.Set(Attr::kTransposeA, std::string(transpose[op]));
    Literal x = Evaluate(Opcode::kTriangularSolve, {a, b}, attrs);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t c = 0; c < others; ++c) {
        Complex128 sum = 0;
        for (int64_t k = 0; k < n; ++k) {
          sum += left ? used[i * n + k] * x.GetComplex(k * others + c)
                      : x.GetComplex(c * n + k) * used[k * n + i];
        }
        EXPECT_LT(std::abs(sum - b.GetComplex(left ? i * others + c : c * n + i)), 1e-13) << flags;
      }
    }
  }
}

// Passes of every radix that kernels have, applied one after the other, must give the transform.
TEST(FftPass, PassesMakeATransform) {
  const int64_t n = 12 * 13;
  Literal x = RandomComplex({n});
  auto table = [&](int64_t size, int64_t step) {
    Literal t(Shape::Array(ElementType::kC128, {size}));
    for (int64_t i = 0; i < size; ++i) {
      t.SetComplex(i, std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i * step) / n));
    }
    return t;
  };
  AttrMap attrs;
  attrs.Set(Attr::kFftType, std::string("FFT"));
  auto reshaped = [](const Literal& from, std::vector<int64_t> dims) {
    std::vector<std::byte> bytes(from.bytes().begin(), from.bytes().end());
    return Literal::FromBytes(Shape::Array(ElementType::kC128, std::move(dims)), std::move(bytes));
  };
  Literal y =
      Evaluate(Opcode::kFftPass, {reshaped(x, {1, 12, 13, 1}), table(4, 4), table(4, 1)}, attrs);
  ASSERT_EQ(y.shape().ToString(), "c128[1,13,12,1]");
  y = Evaluate(Opcode::kFftPass, {reshaped(y, {1, 13, 1, 12})}, attrs);
  for (int64_t k = 0; k < n; ++k) {
    EXPECT_LT(std::abs(y.GetComplex(k) - Sum(x, k, -1)), 1e-12) << k;
  }
  // The whole transform as one pass, with a table of the roots.
  y = Evaluate(Opcode::kFftPass, {reshaped(x, {1, n, 1, 1}), table(n, 1)}, attrs);
  for (int64_t k = 0; k < n; ++k) {
    EXPECT_LT(std::abs(y.GetComplex(k) - Sum(x, k, -1)), 1e-12) << k;
  }
}

}  // namespace
}  // namespace halyard::hlo
