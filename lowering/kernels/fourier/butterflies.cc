// fft-pass: one pass of Stockham's autosorting transform (semantics: frontend/hlo/evaluate/fft.cc).
// Butterflies are written out. A radix that is not a prime consists of two stages of smaller
// radices (Cooley and Tukey 1965). Those of odd primes use the symmetry of sines and cosines.

#include <cmath>
#include <numbers>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/emitter.h"
#include "lowering/kernels/fourier/define.h"
#include "lowering/numerics/float_ops.h"

namespace halyard::lowering {

using Halide::Expr;
using hlo::Attr;
using hlo::Instruction;
using numerics::Fp;
using Parts = Transform::Parts;

namespace {

struct Complex {
  Fp re, im;
};

Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(const Complex& a, const Complex& b) { return {a.re - b.re, a.im - b.im}; }
Complex operator*(const Complex& a, const Complex& b) {
  return {SubtractProduct(a.im, b.im, a.re * b.re), MultiplyAdd(a.im, b.re, a.re * b.im)};
}
Complex operator-(const Complex& a) { return {Negate(a.re), Negate(a.im)}; }
// Multiplies by a real number, with and without a sum.
Complex operator*(const Complex& a, double factor) { return {a.re * factor, a.im * factor}; }
Complex AddTimes(const Complex& sum, double factor, const Complex& a) {
  return {MultiplyAdd(a.re, a.re.Const(factor), sum.re),
          MultiplyAdd(a.im, a.im.Const(factor), sum.im)};
}

std::vector<Complex> Join(const Parts& parts) {
  std::vector<Complex> values;
  for (size_t i = 0; i < parts.size(); i += 2) values.push_back({{parts[i]}, {parts[i + 1]}});
  return values;
}

Parts Flatten(const std::vector<Complex>& values) {
  Parts parts;
  for (const Complex& value : values) parts.insert(parts.end(), {value.re.e, value.im.e});
  return parts;
}

// Butterflies of one type and direction.
class Butterfly {
 public:
  Butterfly(Halide::Type type, int sign) : type_(type), sign_(sign) {}

  // x·e^(sign·2πi·k/n), in as few operations as the angle allows.
  Complex Rotate(const Complex& x, int64_t k, int64_t n) const {
    k %= n;
    if (k == 0) return x;
    if (4 * k == n) return Turn(x, sign_);
    if (2 * k == n) return -x;
    if (4 * k == 3 * n) return Turn(x, -sign_);
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    if (8 * k % n == 0) {
      // ±(1 ± i)/√2
      const Complex turned = Turn(x, sign_);
      const bool second = k * 4 > n && k * 4 < 3 * n, lower = 2 * k > n;
      const Complex sum = second ? turned - x : x + turned;
      const Complex other = second ? turned + x : x - turned;
      const Complex chosen = lower ? other : sum;
      const bool negative = lower && second;
      return (negative ? -chosen : chosen) * (std::numbers::sqrt2 / 2);
    }
    return x * Complex{Constant(std::cos(angle)), Constant(sign_ * std::sin(angle))};
  }

  std::vector<Complex> Small(const std::vector<Complex>& x) const {
    switch (x.size()) {
      case 1:
        return x;
      case 2:
        return {x[0] + x[1], x[0] - x[1]};
      case 4: {
        const Complex a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3];
        const Complex d = Turn(x[1] - x[3], sign_);
        return {a + c, b + d, a - c, b - d};
      }
      default:
        return OddPrime(x);
    }
  }

  // y_k = x_0 + Σ_j cos(jk)·(x_j + x_p-j) ± i·Σ_j sin(jk)·(x_j − x_p-j), j up to half of p.
  std::vector<Complex> OddPrime(const std::vector<Complex>& x) const {
    const int64_t p = static_cast<int64_t>(x.size()), half = p / 2;
    std::vector<Complex> sums, differences, y(p);
    y[0] = x[0];
    for (int64_t j = 1; j <= half; ++j) {
      sums.push_back(x[j] + x[p - j]);
      differences.push_back(Turn(x[j] - x[p - j], sign_));
      y[0] = y[0] + sums.back();
    }
    for (int64_t k = 1; k <= half; ++k) {
      Complex even = x[0], odd;
      for (int64_t j = 1; j <= half; ++j) {
        const double angle =
            2 * std::numbers::pi * static_cast<double>(j * k % p) / static_cast<double>(p);
        even = AddTimes(even, std::cos(angle), sums[j - 1]);
        odd = j == 1 ? differences[j - 1] * std::sin(angle)
                     : AddTimes(odd, std::sin(angle), differences[j - 1]);
      }
      y[k] = even + odd;
      y[p - k] = even - odd;
    }
    return y;
  }

  Fp Constant(double value) const { return Fp{Halide::Internal::make_zero(type_)}.Const(value); }

 private:
  // x·(direction·i)
  static Complex Turn(const Complex& x, int direction) {
    return direction > 0 ? Complex{Negate(x.im), x.re} : Complex{x.im, Negate(x.re)};
  }

  Halide::Type type_;
  int sign_;
};

// The larger of two factors of a radix; 1: it has its own butterfly.
int64_t OuterFactor(int64_t radix) {
  if (radix == 4) return 1;
  for (int64_t a : {4, 3, 2}) {
    if (radix > a && radix % a == 0) return a;
  }
  return 1;
}

// Stages of the butterfly of radix a·b: j = b·j1 + j2, k = k1 + a·k2.
std::vector<Transform::Stage> StagesOf(int64_t radix, const Butterfly& butterfly) {
  std::vector<Transform::Stage> stages;
  const int64_t a = OuterFactor(radix), b = radix / a;
  if (a == 1) {
    stages.push_back([=](const Parts& x) { return Flatten(butterfly.Small(Join(x))); });
    return stages;
  }
  stages.push_back([=](const Parts& parts) {
    const std::vector<Complex> x = Join(parts);
    std::vector<Complex> y(radix);
    for (int64_t j2 = 0; j2 < b; ++j2) {
      std::vector<Complex> line;
      for (int64_t j1 = 0; j1 < a; ++j1) line.push_back(x[b * j1 + j2]);
      line = butterfly.Small(line);
      for (int64_t k1 = 0; k1 < a; ++k1)
        y[j2 * a + k1] = butterfly.Rotate(line[k1], j2 * k1, radix);
    }
    return Flatten(y);
  });
  stages.push_back([=](const Parts& parts) {
    const std::vector<Complex> x = Join(parts);
    std::vector<Complex> y(radix);
    for (int64_t k1 = 0; k1 < a; ++k1) {
      std::vector<Complex> line;
      for (int64_t j2 = 0; j2 < b; ++j2) line.push_back(x[j2 * a + k1]);
      line = butterfly.Small(line);
      for (int64_t k2 = 0; k2 < b; ++k2) y[k1 + a * k2] = line[k2];
    }
    return Flatten(y);
  });
  return stages;
}

// w, w², … by products of the powers before, so that errors grow with the logarithm of the radix.
Parts Powers(const Complex& w, int64_t radix) {
  std::vector<Complex> powers = {w};
  for (int64_t k = 2; k < radix; ++k) {
    const Complex &low = powers[k / 2 - 1], &high = powers[k - k / 2 - 1];
    powers.push_back(low * high);
  }
  return Flatten(powers);
}

}  // namespace

void LowerFftPass(Emitter& emitter, const Instruction& inst, Transform* transform) {
  const hlo::Shape& shape = inst.operand(0)->shape;
  const int64_t radix = shape.dim(1);
  const bool inverse = inst.GetString(Attr::kFftType) == "IFFT";
  const Butterfly butterfly(StorageType(shape.element_type()), inverse ? 1 : -1);
  transform->instruction = &inst;
  transform->radix = radix;
  transform->load = [=, &emitter, &inst](const Expr& q, const Expr& j, const Expr& p,
                                         const Expr& b) {
    const Value x = emitter.At(inst.operand(0), {b, j, p, q});
    return Parts{x.re, x.im};
  };
  transform->stages = [=](int64_t of) {
    std::vector<Transform::Stage> stages = StagesOf(of, butterfly);
    if (!inverse) return stages;
    stages.back() = [=, last = stages.back()](const Parts& x) {
      Parts y = last(x);
      for (Expr& e : y) e = (Fp{e} * (1.0 / static_cast<double>(of))).e;
      return y;
    };
    return stages;
  };
  if (transform->IsLine()) {
    transform->root_powers = [=, &emitter, &inst](const Expr& k, int64_t powers) {
      const Value w = emitter.At(inst.operand(1), {k});
      return Powers({{w.re}, {w.im}}, powers);
    };
    return;
  }
  if (inst.operands.size() == 1 || radix == 1) return;
  transform->factors = [=, &emitter, &inst](const Expr& p) {
    const int32_t width = static_cast<int32_t>(inst.operand(2)->shape.dim(0));
    const Value high = emitter.At(inst.operand(1), {p / width});
    const Value low = emitter.At(inst.operand(2), {p % width});
    return Powers(Complex{{high.re}, {high.im}} * Complex{{low.re}, {low.im}}, radix);
  };
}

}  // namespace halyard::lowering
