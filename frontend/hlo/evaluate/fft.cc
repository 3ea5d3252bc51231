// fft in double: mixed radix for lengths of small primes, Bluestein's chirp transform (1970) for
// the others; and fft-pass, one pass of the lowering's transforms.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/values/decoded.h"

namespace halyard::hlo {
namespace {

using Complexes = std::vector<Complex128>;

constexpr int64_t kMaxDirectPrime = 64;

// e^(sign·2πi·k/n), k taken modulo n.
Complex128 Root(int64_t k, int64_t n, int sign) {
  k %= n;
  double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), sign * std::sin(angle)};
}

int64_t SmallestFactor(int64_t n) {
  for (int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

Complexes Transform(const Complexes& x, int sign);

// Prime lengths: jk = (j² + k² − (k − j)²) / 2 makes the sum a convolution with a chirp, which is
// circular at a power of two.
Complexes Bluestein(const Complexes& x, int sign) {
  int64_t n = static_cast<int64_t>(x.size()), size = 1;
  while (size < 2 * n - 1) size *= 2;
  Complexes chirp(n), a(size), b(size);
  for (int64_t k = 0; k < n; ++k) chirp[k] = Root(k * k % (2 * n), 2 * n, sign);
  for (int64_t k = 0; k < n; ++k) {
    a[k] = x[k] * chirp[k];
    b[k] = b[(size - k) % size] = std::conj(chirp[k]);
  }
  a = Transform(a, -1);
  b = Transform(b, -1);
  for (int64_t k = 0; k < size; ++k) a[k] *= b[k];
  a = Transform(a, 1);
  Complexes y(n);
  for (int64_t k = 0; k < n; ++k) y[k] = a[k] * chirp[k] / static_cast<double>(size);
  return y;
}

// Σ_n x_n e^(sign·2πi·kn/N), unnormalised.
Complexes Transform(const Complexes& x, int sign) {
  int64_t n = static_cast<int64_t>(x.size());
  if (n <= 1) return x;
  int64_t p = SmallestFactor(n), m = n / p;
  if (p > kMaxDirectPrime) {
    if (m == 1) return Bluestein(x, sign);
  }
  std::vector<Complexes> parts(p);
  for (int64_t j = 0; j < p; ++j) {
    Complexes part(m);
    for (int64_t i = 0; i < m; ++i) part[i] = x[i * p + j];
    parts[j] = m == 1 ? part : Transform(part, sign);
  }
  Complexes roots(n), y(n);
  for (int64_t k = 0; k < n; ++k) roots[k] = Root(k, n, sign);
  for (int64_t k = 0; k < n; ++k) {
    Complex128 sum = 0;
    for (int64_t j = 0; j < p; ++j) sum += parts[j][k % m] * roots[j * k % n];
    y[k] = sum;
  }
  return y;
}

// If an element of a line is not finite, all of the line becomes NaN in both parts, because what
// infinities become would depend on the algorithm.
bool IsFinite(const Complexes& line) {
  return std::all_of(line.begin(), line.end(), [](Complex128 x) {
    return std::isfinite(x.real()) && std::isfinite(x.imag());
  });
}

// Transforms every line along dimension `axis` of an array of `dims`, and divides by `divisor`.
void TransformAxis(const Ints& dims, int64_t axis, int sign, double divisor, Complexes* values) {
  int64_t n = dims[axis], inner = 1, total = static_cast<int64_t>(values->size());
  for (size_t d = axis + 1; d < dims.size(); ++d) inner *= dims[d];
  if (total == 0) return;
  for (int64_t start = 0; start < total; start += n * inner) {
    for (int64_t i = start; i < start + inner; ++i) {
      Complexes line(n);
      for (int64_t k = 0; k < n; ++k) line[k] = (*values)[i + k * inner];
      line = IsFinite(line) ? Transform(line, sign) : Complexes(n, Complex128(NAN, NAN));
      for (int64_t k = 0; k < n; ++k) {
        (*values)[i + k * inner] = divisor == 1 ? line[k] : line[k] / divisor;
      }
    }
  }
}

// Resizes the last dimension of `values` from `from` elements to `to`: cuts it off, or fills in the
// missing half from the conjugates of the first.
Complexes ResizeLast(const Complexes& values, int64_t from, int64_t to) {
  int64_t rows = from == 0 ? 0 : static_cast<int64_t>(values.size()) / from;
  Complexes result(rows * to);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t k = 0; k < to; ++k) {
      result[row * to + k] =
          k < from ? values[row * from + k] : std::conj(values[row * from + to - k]);
    }
  }
  return result;
}

// Clears the imaginary parts that real results of `length` elements ignore: of the first and, if
// there is one in the middle, of the last of `size` elements.
void DropImaginaryEnds(int64_t size, int64_t length, Complexes* values) {
  for (size_t row = 0; row + size <= values->size() && size > 0; row += size) {
    (*values)[row] = (*values)[row].real();
    if (length % 2 == 0) (*values)[row + size - 1] = (*values)[row + size - 1].real();
  }
}

Literal Evaluate(const Instruction& inst, const Literal& operand, bool scaled) {
  const std::string& type = inst.GetString(Attr::kFftType);
  Ints dims = operand.shape().dims();
  int64_t rank = operand.shape().rank();
  int64_t first = rank - static_cast<int64_t>(inst.GetInts(Attr::kFftLength).size());
  int sign = type == "FFT" || type == "RFFT" ? -1 : 1;
  auto transform = [&](const Ints& of, int64_t axis, Complexes* values) {
    TransformAxis(of, axis, sign, scaled && sign > 0 ? static_cast<double>(of[axis]) : 1, values);
  };
  Complexes values = DecodeComplexes(operand);
  if (type == "RFFT") {
    transform(dims, rank - 1, &values);
    values = ResizeLast(values, dims.back(), inst.shape.dims().back());
    dims = inst.shape.dims();
  }
  bool real = type == "RFFT" || type == "IRFFT";
  for (int64_t axis = first; axis < rank - (real ? 1 : 0); ++axis) {
    transform(dims, axis, &values);
  }
  if (type != "IRFFT") return EncodeComplexes(inst.shape, values);
  const int64_t length = inst.shape.dims().back();
  DropImaginaryEnds(dims.back(), length, &values);
  values = ResizeLast(values, dims.back(), inst.shape.dims().back());
  transform(inst.shape.dims(), rank - 1, &values);
  std::vector<double> reals(values.size());
  for (size_t i = 0; i < values.size(); ++i) reals[i] = values[i].real();
  return EncodeFloats(inst.shape, reals);
}

}  // namespace

absl::StatusOr<Literal> EvaluateFft(Evaluator&, const Instruction& inst,
                                    absl::Span<const Literal> operands) {
  return Evaluate(inst, operands[0], /*scaled=*/true);
}

// unscaled-fft, an op of the lowering: fft without the division by the length.
absl::StatusOr<Literal> EvaluateUnscaledFft(Evaluator&, const Instruction& inst,
                                            absl::Span<const Literal> operands) {
  return Evaluate(inst, operands[0], /*scaled=*/false);
}

// fft-pass, an op of the lowering: one pass of Stockham's autosorting transform (Van Loan,
// Computational Frameworks for the Fast Fourier Transform, 1.7). Operands x[b,r,m,s] and, if
// m > 1, tables high[h] and low[l] of factors w(p) = e^(∓2πi·p/(r·m)) = high(p / l)·low(p % l).
//   y[b,m,r,s]: y(b,p,k,q) = w(p)^k · Σ_j x(b,j,p,q) · e^(∓2πi·jk/r)
// fft_type=IFFT has the other sign and divides by r. With m = 1 there may be a table of the r-th
// roots e^(∓2πi·j/r) instead.
absl::StatusOr<Literal> EvaluateFftPass(Evaluator&, const Instruction& inst,
                                        absl::Span<const Literal> operands) {
  const Ints& dims = operands[0].shape().dims();
  int64_t batch = dims[0], r = dims[1], m = dims[2], s = dims[3];
  int sign = inst.GetString(Attr::kFftType) == "FFT" ? -1 : 1;
  Complexes x = DecodeComplexes(operands[0]), y(x.size()), roots(r);
  Complexes high = {1}, low(m, 1);
  if (operands.size() == 3) {
    high = DecodeComplexes(operands[1]);
    low = DecodeComplexes(operands[2]);
  }
  for (int64_t j = 0; j < r; ++j) roots[j] = Root(j, r, sign);
  if (operands.size() == 2) roots = DecodeComplexes(operands[1]);
  int64_t width = static_cast<int64_t>(low.size());
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t p = 0; p < m; ++p) {
      Complex128 w = high[p / width] * low[p % width], power = 1;
      for (int64_t k = 0; k < r; ++k, power *= w) {
        for (int64_t q = 0; q < s; ++q) {
          Complex128 sum = 0;
          for (int64_t j = 0; j < r; ++j) {
            sum += x[((b * r + j) * m + p) * s + q] * roots[j * k % r];
          }
          sum *= power;
          y[((b * m + p) * r + k) * s + q] = sign > 0 ? sum / static_cast<double>(r) : sum;
        }
      }
    }
  }
  return EncodeComplexes(inst.shape, y);
}

}  // namespace halyard::hlo
