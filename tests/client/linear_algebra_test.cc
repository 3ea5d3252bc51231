// Compares fft, cholesky and triangular-solve, as whole programs on every target, with the
// evaluator.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "tests/client/clients.h"
#include "tests/sample.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;
using testing::ClientFor;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Literal Random(const Shape& shape, uint32_t seed) {
  std::mt19937 random(seed);
  auto next = [&] { return static_cast<double>(random() % 4001) / 1000.0 - 2.0; };
  Literal literal(shape);
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    if (hlo::IsComplex(shape.element_type())) {
      literal.SetComplex(i, {next(), next()});
    } else {
      literal.SetFloat(i, next());
    }
  }
  return literal;
}

std::complex<double> At(const Literal& literal, int64_t i) {
  return hlo::IsComplex(literal.shape().element_type()) ? literal.GetComplex(i)
                                                        : literal.GetFloat(i);
}
bool IsNan(std::complex<double> x) { return std::isnan(x.real()) || std::isnan(x.imag()); }

bool IsFinite(std::complex<double> x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }

// Returns the largest error, relative to the largest finite element. Returns 1e300 if an element is
// NaN or infinite on one side and the other side differs.
double Error(const Literal& got, const Literal& want) {
  double largest = 1e-300, error = 0;
  for (int64_t i = 0; i < want.shape().NumElements(); ++i) {
    if (IsFinite(At(want, i))) largest = std::max(largest, std::abs(At(want, i)));
  }
  for (int64_t i = 0; i < want.shape().NumElements(); ++i) {
    std::complex<double> x = At(got, i), y = At(want, i);
    if (IsNan(x) != IsNan(y)) return 1e300;
    if (IsNan(x) || x == y) continue;
    if (!IsFinite(x) || !IsFinite(y)) return 1e300;
    error = std::max(error, std::abs(x - y) / largest);
  }
  return error;
}

TEST(LinearAlgebraError, OfInfinitiesIsNotNothing) {
  auto of = [](std::vector<double> values) {
    return Literal::FromValues<double>(ElementType::kF64, {3}, values);
  };
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  EXPECT_EQ(Error(of({1, inf, nan}), of({1, inf, nan})), 0);
  EXPECT_NEAR(Error(of({1.5, inf, 2}), of({1, inf, 2})), 0.25, 1e-12);
  EXPECT_GT(Error(of({1, 7, 2}), of({1, inf, 2})), 1);
  EXPECT_GT(Error(of({1, -inf, 2}), of({1, inf, 2})), 1);
  EXPECT_GT(Error(of({1, inf, 2}), of({1, 5, 2})), 1);
  EXPECT_GT(Error(of({1, 5, 2}), of({1, nan, 2})), 1);
}

void Check(const std::string& target, const std::string& text, const std::vector<Literal>& inputs,
           double tolerance) {
  auto module = hlo_text::ParseModule(text, "test");
  ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
  auto want = hlo::Evaluator().Run(**module, inputs);
  ASSERT_TRUE(want.ok()) << want.status() << "\n" << text;
  auto executable = ClientFor(target)->Compile(**module);
  ASSERT_TRUE(executable.ok()) << executable.status() << "\n" << text;
  auto got = (*executable)->RunLiterals(inputs);
  ASSERT_TRUE(got.ok()) << got.status() << "\n" << text;
  ASSERT_EQ(got->size(), want->shape().IsTuple() ? want->elements().size() : 1);
  for (size_t i = 0; i < got->size(); ++i) {
    const Literal& wanted = want->shape().IsTuple() ? want->elements()[i] : *want;
    EXPECT_LE(Error((*got)[i], wanted), tolerance) << target << ", result " << i << "\n" << text;
  }
}

std::string FftText(const std::string& type, const Shape& from, const Shape& to,
                    const std::vector<int64_t>& length) {
  return absl::StrCat("HloModule m\nENTRY e { x = ", from.ToString(),
                      " parameter(0) ROOT y = ", to.ToString(), " fft(x), fft_type=", type,
                      ", fft_length={", absl::StrJoin(length, ","), "} }");
}

// For RFFT and IRFFT, `dims` are those of the real array.
void CheckFft(const std::string& target, const std::string& type, std::vector<int64_t> dims,
              size_t axes, bool wide) {
  const Shape real = Shape::Array(wide ? ElementType::kF64 : ElementType::kF32, dims);
  Shape complex = real.WithElementType(wide ? ElementType::kC128 : ElementType::kC64);
  if (type == "RFFT" || type == "IRFFT") {
    std::vector<int64_t> half = dims;
    if (half.back() > 0) half.back() = half.back() / 2 + 1;
    complex = complex.WithDims(half);
  }
  const Shape& from = type == "RFFT" ? real : complex;
  const Shape& to = type == "IRFFT" ? real : complex;
  const std::vector<int64_t> length(dims.end() - static_cast<int64_t>(axes), dims.end());
  Check(target, FftText(type, from, to, length), {Random(from, 7)}, wide ? 2e-15 : 8e-7);
}

class LinearAlgebra : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (ClientFor(GetParam()) == nullptr) GTEST_SKIP() << GetParam() << " is not there";
  }

  // Returns whether this target runs the case of that number. Targets take turns without
  // $HALYARD_ALL_CASES (tests/sample.h): what they share is tested on one of them.
  static bool HasTurn(size_t number) {
    return testing::AllCases() || (number + (GetParam() == std::string("x86") ? 0 : 1)) % 2 == 0;
  }
};

TEST_P(LinearAlgebra, FftOfManyLengths) {
  size_t number = 0;
  for (int64_t n : {0,  1,  2,  3,   4,   5,   7,   8,   12,  16,   17,   30,  31,
                    32, 64, 97, 100, 127, 128, 243, 256, 323, 1000, 1009, 1024}) {
    if (HasTurn(number++)) CheckFft(GetParam(), "FFT", {2, n}, 1, false);
  }
}

TEST_P(LinearAlgebra, FftOfEveryType) {
  size_t number = 0;
  for (const char* type : {"IFFT", "RFFT", "IRFFT"}) {
    for (int64_t n : {0, 1, 2, 9, 12, 17, 100, 131, 256}) {
      if (HasTurn(number++)) CheckFft(GetParam(), type, {3, n}, 1, false);
    }
  }
}

TEST_P(LinearAlgebra, FftOfDoubles) {
  size_t number = 0;
  for (const char* type : {"FFT", "IFFT", "RFFT", "IRFFT"}) {
    for (int64_t n : {8, 30, 149}) {
      if (HasTurn(number++)) CheckFft(GetParam(), type, {2, n}, 1, true);
    }
  }
}

TEST_P(LinearAlgebra, FftOfSeveralAxes) {
  size_t number = 0;
  for (const char* type : {"FFT", "IFFT", "RFFT", "IRFFT"}) {
    if (HasTurn(number)) CheckFft(GetParam(), type, {4, 6}, 2, false);
    if (HasTurn(++number)) CheckFft(GetParam(), type, {2, 3, 20, 5}, 3, false);
  }
}

// Twiddle factors and rotations each come from two small tables.
TEST_P(LinearAlgebra, FftOfLongLines) {
  CheckFft(GetParam(), "FFT", {1 << 17}, 1, false);
  CheckFft(GetParam(), "RFFT", {1 << 14}, 1, false);
}

// Returns a Hermitian positive definite matrix whose other triangle is NaN.
Literal PositiveDefinite(const Shape& shape, bool lower) {
  const int64_t n = shape.dims().back();
  Literal a = Random(shape, 3);
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    const int64_t row = i / n % n, column = i % n;
    const std::complex<double> x = At(a, i) * 0.5;
    const double diagonal = static_cast<double>(2 * n) + x.real();
    const std::complex<double> value = row == column             ? diagonal
                                       : (row > column) == lower ? x
                                                                 : std::complex<double>(kNaN, kNaN);
    if (hlo::IsComplex(shape.element_type())) {
      a.SetComplex(i, value);
    } else {
      a.SetFloat(i, value.real());
    }
  }
  return a;
}

double Tolerance(ElementType type) {
  switch (type) {
    case ElementType::kBF16:
      return 8e-3;
    case ElementType::kF16:
      return 1e-3;
    case ElementType::kF64:
    case ElementType::kC128:
      return 1e-14;
    default:
      return 3e-6;
  }
}

void CheckCholesky(const std::string& target, const Shape& shape, bool lower) {
  Check(target,
        absl::StrCat("HloModule m\nENTRY e { a = ", shape.ToString(), " parameter(0) ROOT y = ",
                     shape.ToString(), " cholesky(a)", lower ? ", lower=true" : "", " }"),
        {PositiveDefinite(shape, lower)}, Tolerance(shape.element_type()));
}

TEST_P(LinearAlgebra, CholeskyOfManySizes) {
  size_t number = 0;
  for (int64_t n : {0, 1, 2, 5, 33, 64, 65, 130}) {
    if (!HasTurn(number++)) continue;
    CheckCholesky(GetParam(), Shape::Array(ElementType::kF32, {n, n}), n % 2 == 0);
  }
  if (HasTurn(0)) CheckCholesky(GetParam(), Shape::Array(ElementType::kF32, {2, 3, 70, 70}), true);
}

TEST_P(LinearAlgebra, CholeskyOfEveryType) {
  size_t number = 0;
  for (ElementType type : {ElementType::kF64, ElementType::kC64, ElementType::kC128,
                           ElementType::kBF16, ElementType::kF16}) {
    ++number;  // the upper triangle is another target's with the next type
    for (bool lower : {false, true}) {
      if (HasTurn(number++)) CheckCholesky(GetParam(), Shape::Array(type, {2, 5, 5}), lower);
    }
  }
  CheckCholesky(GetParam(), Shape::Array(ElementType::kC64, {67, 67}), true);
}

TEST_P(LinearAlgebra, CholeskyOfIndefiniteMatrixIsNan) {
  for (double pivot : {-1.0, 0.0, kNaN}) {
    for (int64_t n : {3, 80}) {
      const Shape shape = Shape::Array(ElementType::kF32, {n, n});
      Literal a = PositiveDefinite(shape, true);
      a.SetFloat(n + 1, pivot);
      Check(GetParam(),
            absl::StrCat("HloModule m\nENTRY e { a = ", shape.ToString(),
                         " parameter(0) ROOT y = ", shape.ToString(), " cholesky(a), lower=true }"),
            {a}, 3e-6);
    }
  }
}

// Returns a triangular matrix far from singular. Elements that must not be read are NaN.
Literal Triangle(const Shape& shape, bool lower, bool unit) {
  const int64_t n = shape.dims().back();
  Literal a = Random(shape, 5);
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    const int64_t row = i / n % n, column = i % n;
    std::complex<double> value = At(a, i) / static_cast<double>(n);
    if (row == column) value = unit ? kNaN : 1.5 + value;
    if (row != column && (row > column) != lower) value = kNaN;
    if (hlo::IsComplex(shape.element_type())) {
      a.SetComplex(i, value);
    } else {
      a.SetFloat(i, value.real());
    }
  }
  return a;
}

struct SolveCase {
  bool left, lower, unit;
  const char* transpose;
};

std::string SolveText(const Shape& a, const Shape& b, const SolveCase& c) {
  auto word = [](bool flag) { return flag ? "true" : "false"; };
  return absl::StrCat("HloModule m\nENTRY e { a = ", a.ToString(),
                      " parameter(0) b = ", b.ToString(), " parameter(1) ROOT y = ", b.ToString(),
                      " triangular-solve(a, b), left_side=", word(c.left),
                      ", lower=", word(c.lower), ", unit_diagonal=", word(c.unit),
                      ", transpose_a=", c.transpose, " }");
}

void CheckSolve(const std::string& target, ElementType type, std::vector<int64_t> batch, int64_t n,
                int64_t columns, const SolveCase& c) {
  std::vector<int64_t> a = batch, b = batch;
  a.insert(a.end(), {n, n});
  b.insert(b.end(), {c.left ? n : columns, c.left ? columns : n});
  const Shape a_shape = Shape::Array(type, a), b_shape = Shape::Array(type, b);
  Check(target, SolveText(a_shape, b_shape, c),
        {Triangle(a_shape, c.lower, c.unit), Random(b_shape, 9)}, Tolerance(type));
}

TEST_P(LinearAlgebra, TriangularSolveWithEveryFlag) {
  for (bool left : {false, true}) {
    for (bool lower : {false, true}) {
      for (bool unit : {false, true}) {
        size_t number = static_cast<size_t>(left) + lower + unit;  // any two meet on both targets
        for (const char* transpose : {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}) {
          if (!HasTurn(number++)) continue;
          CheckSolve(GetParam(), ElementType::kC64, {2}, 4, 3, {left, lower, unit, transpose});
        }
      }
    }
  }
}

TEST_P(LinearAlgebra, TriangularSolveOfManySizes) {
  CheckSolve(GetParam(), ElementType::kF32, {}, 1, 1, {true, true, false, "NO_TRANSPOSE"});
  if (HasTurn(1))
    CheckSolve(GetParam(), ElementType::kF32, {}, 70, 1, {true, false, false, "NO_TRANSPOSE"});
  if (HasTurn(0))
    CheckSolve(GetParam(), ElementType::kF32, {2, 2}, 130, 20, {false, true, false, "TRANSPOSE"});
  CheckSolve(GetParam(), ElementType::kF32, {}, 0, 3, {true, true, false, "NO_TRANSPOSE"});
  CheckSolve(GetParam(), ElementType::kF32, {}, 3, 0, {true, true, false, "NO_TRANSPOSE"});
}

TEST_P(LinearAlgebra, TriangularSolveOfEveryType) {
  for (ElementType type :
       {ElementType::kF64, ElementType::kC128, ElementType::kBF16, ElementType::kF16}) {
    CheckSolve(GetParam(), type, {}, 6, 4, {true, false, false, "ADJOINT"});
  }
}

bool BothNan(std::complex<double> x, bool complex) {
  return std::isnan(x.real()) && (!complex || std::isnan(x.imag()));
}

// If an element of a transform (of `points` elements) is not finite, all of its `results` must be
// NaN in both parts, else finite. `counts(i)`: whether element i's imaginary part matters.
template <typename Counts>
void ExpectMarked(const Literal& in, const Literal& out, int64_t points, int64_t results,
                  Counts counts, const std::string& what) {
  const bool complex = hlo::IsComplex(out.shape().element_type());
  int wrong = 0;
  for (int64_t t = 0; t < in.shape().NumElements() / points; ++t) {
    bool finite = true;
    for (int64_t i = 0; i < points; ++i) {
      const std::complex<double> x = At(in, t * points + i);
      finite = finite && IsFinite(counts(i) ? x : x.real());
    }
    for (int64_t i = t * results; i < (t + 1) * results; ++i) {
      const bool right = finite ? IsFinite(At(out, i)) : BothNan(At(out, i), complex);
      if (!right && ++wrong < 4) ADD_FAILURE() << what << ", element " << i << ": " << At(out, i);
    }
  }
}

// Runs transforms with each special value at several places, and some without any.
void CheckFftOfInfinities(const std::string& target, const std::string& type,
                          std::vector<int64_t> dims, bool wide) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const std::complex<double> specials[] = {{kInf, 0}, {1, kNaN}, {-kInf, 2},   {0, kInf},
                                           {kNaN, 1}, {1, 1},    {kNaN, kNaN}, {kInf, -kInf}};
  const int64_t batch = 3 * std::size(specials);
  const bool to_real = type == "IRFFT", from_real = type == "RFFT";
  std::vector<int64_t> half = dims, length = dims;
  half.back() = half.back() / 2 + 1;
  auto shape = [&](bool real, std::vector<int64_t> sizes) {
    sizes.insert(sizes.begin(), batch);
    const ElementType part = wide ? ElementType::kF64 : ElementType::kF32;
    const ElementType pair = wide ? ElementType::kC128 : ElementType::kC64;
    return Shape::Array(real ? part : pair, sizes);
  };
  const Shape from = shape(from_real, to_real ? half : dims);
  const Shape to = shape(to_real, from_real ? half : dims);
  const int64_t points = from.NumElements() / batch, results = to.NumElements() / batch;
  Literal in = Random(from, 11);
  for (int64_t t = 0; t < batch; ++t) {
    // At the beginning, at the end and in the middle.
    const int64_t place = t * points + (t % 3 == 0 ? 0 : t % 3 == 1 ? points - 1 : points / 2);
    const std::complex<double> special = specials[t / 3];
    from_real ? in.SetFloat(place, special.real()) : in.SetComplex(place, special);
  }
  const std::string text = FftText(type, from, to, length);
  auto module = hlo_text::ParseModule(text, "test");
  ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
  auto want = hlo::Evaluator().Run(**module, {in});
  ASSERT_TRUE(want.ok()) << want.status() << "\n" << text;
  auto counts = [&](int64_t i) {
    const bool end = i == 0 || (dims.back() % 2 == 0 && i == points - 1);
    return !(to_real && dims.size() == 1 && end);
  };
  ExpectMarked(in, *want, points, results, counts, "evaluator: " + text);
  auto executable = ClientFor(target)->Compile(**module);
  ASSERT_TRUE(executable.ok()) << executable.status() << "\n" << text;
  auto got = (*executable)->RunLiterals({in});
  ASSERT_TRUE(got.ok()) << got.status() << "\n" << text;
  ExpectMarked(in, (*got)[0], points, results, counts, target + ": " + text);
  EXPECT_LE(Error((*got)[0], *want), wide ? 2e-15 : 8e-7) << target << "\n" << text;
}

TEST_P(LinearAlgebra, FftOfInfinities) {
  // Sizes for butterflies, passes, a matrix product and a chirp.
  size_t number = 0;
  for (int64_t n : {1, 2, 8, 17, 30, 149}) {
    if (HasTurn(number++)) CheckFftOfInfinities(GetParam(), "FFT", {n}, false);
  }
  for (const char* type : {"IFFT", "RFFT", "IRFFT"}) {
    ++number;  // lengths change targets with the next type
    for (int64_t n : {9, 12}) {
      if (HasTurn(number++)) CheckFftOfInfinities(GetParam(), type, {n}, false);
    }
  }
  for (const char* type : {"FFT", "IRFFT"}) {
    if (HasTurn(number++)) CheckFftOfInfinities(GetParam(), type, {4, 6}, false);
  }
  CheckFftOfInfinities(GetParam(), "FFT", {12}, true);
}

// Lines that fit one workgroup, and one that is too long for a workgroup of llvmpipe.
TEST(FftLines, OnVulkan) {
  if (ClientFor("vulkan") == nullptr) GTEST_SKIP() << "no Vulkan driver";
  int number = 0;
  for (int64_t n : {8, 60, 256, 1000, 4096}) {
    const int turn = number++ % 3;
    for (int64_t batch : {1, 5, 64}) {
      if (testing::AllCases() || batch != (turn == 0 ? 1 : turn == 1 ? 5 : 64))
        CheckFft("vulkan", "FFT", {batch, n}, 1, false);
    }
  }
  for (const char* type : {"IFFT", "RFFT", "IRFFT"}) {
    const bool one = number++ % 2 == 0;  // one axis or two
    if (testing::AllCases() || one) CheckFft("vulkan", type, {7, 240}, 1, false);
    if (testing::AllCases() || !one) CheckFft("vulkan", type, {3, 18, 40}, 2, false);
  }
  CheckFft("vulkan", "FFT", {2, 5, 26, 22}, 3, false);
  CheckFft("vulkan", "IFFT", {6, 96}, 1, true);
}

// Lines that one core takes in one kernel, by vectors of each width, and lengths beside them.
TEST(FftLines, OnX86) {
  int number = 0, types = 0;
  for (const char* target : {"x86:v2", "x86:v3", "x86"}) {
    if (ClientFor(target) == nullptr) continue;
    for (int64_t n : {48, 64, 128, 192, 448, 512, 832, 1024, 4096, 8192}) {
      // Every third one without $HALYARD_ALL_CASES; together, they come to all lengths.
      if (testing::AllCases() || number++ % 3 == 0) CheckFft(target, "FFT", {5, n}, 1, false);
    }
    for (const char* type : {"IFFT", "RFFT", "IRFFT"}) {
      const bool one = ++types % 2 == 0;  // each type comes to both forms, on two targets
      if (testing::AllCases() || one) CheckFft(target, type, {37, 256}, 1, false);
      if (testing::AllCases() || !one) CheckFft(target, type, {2, 3, 128}, 2, true);
    }
  }
  CheckFft("x86", "FFT", {70, 64}, 1, true);
}

// Runs PTX in the fake driver's interpreter, also for columns.
TEST(FftLines, OnCuda) {
  if (ClientFor("cuda") == nullptr) GTEST_SKIP() << "no CUDA driver";
  for (int64_t n : {8, 60, 256, 1000}) CheckFft("cuda", "FFT", {3, n}, 1, false);
  CheckFft("cuda", "FFT", {33, 40}, 1, false);
  CheckFft("cuda", "IFFT", {2, 20, 36, 3}, 3, false);
  CheckFft("cuda", "IFFT", {20, 70}, 2, false);
  CheckFft("cuda", "RFFT", {2, 96}, 1, false);
  CheckFft("cuda", "IRFFT", {2, 24, 80}, 2, false);
  CheckFft("cuda", "FFT", {2, 60}, 1, true);
  for (int64_t n : {4, 60}) CheckFftOfInfinities("cuda", "FFT", {n}, false);
  CheckFftOfInfinities("cuda", "IRFFT", {24}, false);
}

INSTANTIATE_TEST_SUITE_P(All, LinearAlgebra, ::testing::Values("x86", "vulkan"),
                         [](const auto& info) { return info.param; });

// No GPU is needed to compile for one.
TEST(LinearAlgebraCuda, Compiles) {
  auto target = ParseTarget("cuda:sm_80");
  ASSERT_TRUE(target.ok()) << target.status();
  for (const char* text :
       {"HloModule m\nENTRY e { x = c64[3,320] parameter(0) ROOT y = c64[3,320] fft(x), "
        "fft_type=FFT, fft_length={320} }",
        "HloModule m\nENTRY e { x = f64[3,34] parameter(0) ROOT y = c128[3,18] fft(x), "
        "fft_type=RFFT, fft_length={34} }",
        "HloModule m\nENTRY e { a = f32[2,80,80] parameter(0) ROOT y = f32[2,80,80] cholesky(a), "
        "lower=true }",
        "HloModule m\nENTRY e { a = c64[9,9] parameter(0) b = c64[9,4] parameter(1) ROOT y = "
        "c64[9,4] triangular-solve(a, b), left_side=true, transpose_a=ADJOINT }"}) {
    auto module = hlo_text::ParseModule(text, "test");
    ASSERT_TRUE(module.ok()) << module.status();
    ProgramCompiler compiler;
    const auto program = compiler.Compile(**module, *target);
    EXPECT_TRUE(program.ok()) << program.status() << "\n" << text;
  }
}

}  // namespace
}  // namespace halyard
