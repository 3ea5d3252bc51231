#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdio>

#include "codegen/gpu/ptx/ptx_passes.h"
#include "frontend/hlo/ir/op_table.h"
#include "tests/lowering/numerics/harness.h"
#include "tests/lowering/numerics/known_values.h"
#include "tests/worst_error.h"

namespace halyard::lowering::testing {
namespace {

TEST(NumericsGolden, IntegerOverflowIsDefined) {
  for (const Device& device : Devices()) {
    Build greater = [](absl::Span<const Value> v) {
      const Value one{ElementType::kS32, Halide::Expr(1), {}};
      return Apply(Opcode::kCompare, {Apply(Opcode::kAdd, {v[0], one}), v[0]}, "GT");
    };
    EXPECT_EQ(RunBuild(greater, {ElementType::kS32}, device, {{0x7fffffff, 5}})[0],
              (std::vector<uint64_t>{0, 1}))
        << device.name;
  }
}

TEST(NumericsGolden, TotalOrder) {
  // These are in increasing order, and each is equal only to itself.
  const std::vector<float> order = {-kNan, -kInf, -1, -0.0f, 0.0f, 1, kInf, kNan};
  Planes in(2);
  for (float a : order) {
    for (float b : order) in[0].push_back(Bits32(a)), in[1].push_back(Bits32(b));
  }
  Op op{Opcode::kCompare, {ElementType::kF32, ElementType::kF32}, ElementType::kPred, {}};
  op.attrs.Set(hlo::Attr::kDirection, std::string("LT"));
  op.attrs.Set(hlo::Attr::kType, std::string("TOTALORDER"));
  for (const Device& device : Devices()) {
    Planes out = RunOp(op, device, in);
    for (size_t i = 0; i < out[0].size(); ++i)
      EXPECT_EQ(out[0][i], i / order.size() < i % order.size()) << device.name << " " << i;
  }
}

TEST(NumericsGolden, ReducePrecision) {
  Op op = UnaryOp(Opcode::kReducePrecision, ElementType::kF64);
  op.attrs.Set(hlo::Attr::kExponentBits, int64_t{5});
  op.attrs.Set(hlo::Attr::kMantissaBits, int64_t{10});
  const Planes in{{Bits64(HUGE_VAL), 0x7FF8000000000000, 1, 0, Bits64(65519.0), Bits64(65520.0),
                   Bits64(-65520.0)}};
  const std::vector<uint64_t> want = {Bits64(HUGE_VAL), 0x7FF8000000000000, 0, 0, Bits64(65504.0),
                                      Bits64(HUGE_VAL), Bits64(-HUGE_VAL)};
  for (const Device& device : Devices()) EXPECT_EQ(RunOp(op, device, in)[0], want) << device.name;
}

// Of every type, to every number of bits that makes a difference at one of its ends, beside the
// definition in long double: the significand is rounded to even, then what is above the range is
// infinite and what would be a denormal zero. NaN stays NaN, with whatever bits are left.
double Reduced(double x, const hlo::FloatFormat& from, int exponent_bits, int mantissa_bits) {
  if (!std::isfinite(x) || x == 0) return x;
  const int least = 1 - from.bias, kept = std::min(mantissa_bits, from.mantissa_bits);
  const int unit = std::max(std::ilogb(x), least) - kept;  // denormals have fewer bits to lose
  const long double rounded = std::ldexp(std::nearbyint(std::ldexp((long double){x}, -unit)), unit);
  if (rounded == 0) return std::copysign(0.0, x);
  const int exponent = std::ilogb(rounded);
  const int own = from.bias;
  if (exponent > own) return std::copysign(HUGE_VAL, x);
  if (exponent_bits < from.exponent_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    if (exponent > bias) return std::copysign(HUGE_VAL, x);
    if (exponent < 1 - bias) return std::copysign(0.0, x);
  }
  return static_cast<double>(rounded);
}

TEST(NumericsGolden, ReducePrecisionAtTheEnds) {
  for (ElementType type :
       {ElementType::kF16, ElementType::kBF16, ElementType::kF32, ElementType::kF64}) {
    const hlo::FloatFormat format = hlo::FormatOf(type);
    const uint64_t infinity = ((uint64_t{1} << format.exponent_bits) - 1) << format.mantissa_bits;
    const uint64_t one = static_cast<uint64_t>(format.bias) << format.mantissa_bits;
    const uint64_t quiet = infinity | (uint64_t{1} << (format.mantissa_bits - 1));
    std::vector<uint64_t> codes = {infinity,
                                   infinity + 1,
                                   quiet,
                                   infinity - 1,
                                   infinity - 2,
                                   0,
                                   1,
                                   2,
                                   3,
                                   one,
                                   one + 1,
                                   one - 1,
                                   one + one / 16,
                                   (uint64_t{1} << format.mantissa_bits) - 1,
                                   uint64_t{1} << format.mantissa_bits,
                                   infinity | ((uint64_t{1} << format.mantissa_bits) - 1)};
    const size_t positive = codes.size();
    const uint64_t sign = uint64_t{1} << (hlo::BitWidth(type) - 1);
    for (size_t i = 0; i < positive; ++i) codes.push_back(codes[i] | sign);
    const std::pair<int, int> sizes[] = {{format.exponent_bits, 0}, {5, 0},  {1, 0}, {1, 3},
                                         {format.exponent_bits, 1}, {4, 60}, {64, 0}};
    std::vector<Op> ops;
    for (auto [exponent_bits, mantissa_bits] : sizes) {
      ops.push_back(UnaryOp(Opcode::kReducePrecision, type));
      ops.back().attrs.Set(hlo::Attr::kExponentBits, int64_t{exponent_bits});
      ops.back().attrs.Set(hlo::Attr::kMantissaBits, int64_t{mantissa_bits});
    }
    for (const Device& device : Devices()) {
      if (!device.gpu && &device != &BestX86()) continue;
      const std::vector<Planes> outs = RunOps(ops, device, {codes});
      for (size_t k = 0; k < ops.size(); ++k) {
        const auto [exponent_bits, mantissa_bits] = sizes[k];
        const Planes& out = outs[k];
        for (size_t i = 0; i < codes.size(); ++i) {
          const double x = hlo::DecodeFloat(type, codes[i]);
          const double want = Reduced(x, format, exponent_bits, mantissa_bits);
          const double got = hlo::DecodeFloat(type, out[0][i]);
          const bool equal = got == want && std::signbit(got) == std::signbit(want);
          const bool same = std::isnan(want) ? std::isnan(got) : equal;
          EXPECT_TRUE(same) << device.name << " " << hlo::HloName(type) << " " << x << " to "
                            << exponent_bits << " and " << mantissa_bits << " bits: " << got
                            << ", not " << want;
        }
      }
    }
  }
}

using C = std::complex<long double>;

C Expm1Of(C x) {
  const long double half = std::sin(x.imag() / 2);
  return {std::expm1(x.real()) * std::cos(x.imag()) - 2 * half * half, std::exp(x).imag()};
}

C Log1pOf(C x) { return std::log(C(1) + x); }
C LogisticOf(C x) { return C(1) / (C(1) + std::exp(-x)); }
C RsqrtOf(C x) { return C(1) / std::sqrt(x); }
C CbrtOf(C x) { return std::polar(std::cbrt(std::abs(x)), std::arg(x) / 3); }
C SignOf(C x) { return x / std::abs(x); }

template <C (*F)(const C&)>
C Of(C x) {
  return F(x);
}

TEST(NumericsGolden, Complex) {
  struct Function {
    Opcode opcode;
    C (*oracle)(C);
  };
  const Function functions[] = {{Opcode::kExp, [](C x) { return std::exp(x); }},
                                {Opcode::kLog, [](C x) { return std::log(x); }},
                                {Opcode::kExpm1, Expm1Of},
                                {Opcode::kLog1p, Log1pOf},
                                {Opcode::kLogistic, LogisticOf},
                                {Opcode::kTanh, [](C x) { return std::tanh(x); }},
                                {Opcode::kSqrt, [](C x) { return std::sqrt(x); }},
                                {Opcode::kRsqrt, RsqrtOf},
                                {Opcode::kCbrt, CbrtOf},
                                {Opcode::kSin, [](C x) { return std::sin(x); }},
                                {Opcode::kCos, [](C x) { return std::cos(x); }},
                                {Opcode::kTan, [](C x) { return std::tan(x); }},
                                {Opcode::kSign, SignOf}};
  for (ElementType type : {ElementType::kC64, ElementType::kC128}) {
    const bool single = type == ElementType::kC64;
    Planes in(2);
    std::vector<C> values;
    for (int i = 0; i < 4000; ++i) {
      const double u = static_cast<double>(Hash(2 * i) >> 11) * 0x1p-52 - 1,
                   v = static_cast<double>(Hash(2 * i + 1) >> 11) * 0x1p-52 - 1;
      const double scale = i % 2 ? 3 : 20;
      const double re = single ? static_cast<float>(u * scale) : u * scale,
                   im = single ? static_cast<float>(v * 3) : v * 3;
      values.emplace_back(re, im);
      in[0].push_back(single ? Bits32(static_cast<float>(re)) : Bits64(re));
      in[1].push_back(single ? Bits32(static_cast<float>(im)) : Bits64(im));
    }
    for (const Function& f : functions) {
      Planes out = RunOp(UnaryOp(f.opcode, type), BestX86(), in);
      long double worst = 0;
      for (size_t i = 0; i < values.size(); ++i) {
        auto part = [&](int plane) -> long double {
          return single ? std::bit_cast<float>(static_cast<uint32_t>(out[plane][i]))
                        : std::bit_cast<double>(out[plane][i]);
        };
        const C want = f.oracle(values[i]);
        worst =
            halyard::testing::Worse(worst, std::abs(C(part(0), part(1)) - want) / std::abs(want));
      }
      const long double unit = single ? 0x1p-24L : 0x1p-53L;
      std::printf("| %-13s | %-4s | %6.2Lf units of rounding |\n",
                  std::string(hlo::RowOf(f.opcode).hlo_name).c_str(), single ? "c64" : "c128",
                  worst / unit);
      EXPECT_LE(worst / unit, 16) << hlo::RowOf(f.opcode).hlo_name;
    }
  }
}

TEST(NumericsGolden, ComplexArithmetic) {
  // Pairs (a, b) for products and quotients, with extreme ones among them.
  const Planes in{{Bits64(1), Bits64(3), Bits64(1e300), Bits64(1), Bits64(2)},
                  {Bits64(2), Bits64(-4), Bits64(1e300), Bits64(1), Bits64(0)},
                  {Bits64(3), Bits64(0), Bits64(1e300), Bits64(HUGE_VAL), Bits64(0)},
                  {Bits64(4), Bits64(2), Bits64(1e300), Bits64(1), Bits64(0)}};
  const ElementType type = ElementType::kC128;
  Planes quotient = RunOp(BinaryOp(Opcode::kDivide, type), BestX86(), in);
  EXPECT_EQ(quotient[0], (std::vector<uint64_t>{Bits64(0.44), Bits64(-2), Bits64(1), Bits64(0),
                                                Bits64(HUGE_VAL)}));
  EXPECT_EQ(std::bit_cast<double>(quotient[1][0]), 0.08);
  EXPECT_EQ(std::bit_cast<double>(quotient[1][1]), -1.5);
  Planes product = RunOp(BinaryOp(Opcode::kMultiply, type), BestX86(), in);
  EXPECT_EQ(product[0][0], Bits64(-5));
  EXPECT_EQ(product[1][0], Bits64(10));
  Op abs{Opcode::kAbs, {type}, ElementType::kF64, {}};
  Planes modulus = RunOp(abs, BestX86(), {in[0], in[1]});
  EXPECT_EQ(modulus[0][1], Bits64(5));
  EXPECT_DOUBLE_EQ(std::bit_cast<double>(modulus[0][2]), 1e300 * M_SQRT2);
}

}  // namespace
}  // namespace halyard::lowering::testing
