// The expressions that compilers like to rewrite, special values, complex functions, and the PTX
// that all of it becomes.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "absl/strings/str_cat.h"
#include "codegen/gpu/ptx/ptx_passes.h"
#include "frontend/hlo/ir/op_table.h"
#include "tests/lowering/numerics/harness.h"
#include "tests/lowering/numerics/vulkan_hook.h"
#include "tests/worst_error.h"

namespace halyard::lowering::testing {
namespace {

using hlo::ElementType;
using hlo::Opcode;

constexpr float kInf = HUGE_VALF;
const float kNan = std::nanf("");

Value F32(float x) { return {ElementType::kF32, Halide::Expr(x), {}}; }
Value Apply(Opcode opcode, std::vector<Value> operands, const char* direction = nullptr) {
  std::vector<ElementType> types;
  for (const Value& v : operands) types.push_back(v.type);
  Op op{opcode, types, direction ? ElementType::kPred : types[0], {}};
  if (direction) op.attrs.Set(hlo::Attr::kDirection, std::string(direction));
  return BuildOf(op)(operands);
}

struct Golden {
  const char* name;
  Build build;
  std::vector<float> x, y, want;
};

// x and y are inputs, so that nothing is known of them at compile time.
std::vector<Golden> Goldens() {
  auto binary = [](Opcode opcode) -> Build {
    return [opcode](auto v) { return Apply(opcode, {v[0], v[1]}); };
  };
  auto unary = [](Opcode opcode) -> Build {
    return [opcode](auto v) { return Apply(opcode, {v[0]}); };
  };
  auto with = [](Opcode opcode, float c) -> Build {
    return [=](auto v) { return Apply(opcode, {v[0], F32(c)}); };
  };
  auto after = [](float c, Opcode opcode) -> Build {
    return [=](auto v) { return Apply(opcode, {F32(c), v[0]}); };
  };
  auto same = [](Opcode opcode) -> Build {
    return [opcode](auto v) { return Apply(opcode, {v[0], v[0]}); };
  };
  const std::vector<float> specials = {kNan, kInf, -kInf, 0.0f, -0.0f, 1.5f, -1.5f};
  const std::vector<float> none(7, 0.0f);
  return {
      {"(x + 1e8) - 1e8",
       [](auto v) {
         return Apply(Opcode::kSubtract, {Apply(Opcode::kAdd, {v[0], F32(1e8f)}), F32(1e8f)});
       },
       {1.25f, 3.0f, 5.0f},
       {0, 0, 0},
       {0, 0, 8}},
      {"x y - x y",
       [](auto v) {
         Value product = Apply(Opcode::kMultiply, {v[0], v[1]});
         return Apply(Opcode::kSubtract, {product, product});
       },
       {1.1f, 3.3f},
       {1.1f, 0.7f},
       {0, 0}},
      {"select",
       [](auto v) {
         return Apply(Opcode::kSelect, {Apply(Opcode::kCompare, {v[0], v[1]}, "LE"), v[1], v[0]});
       },
       specials,
       none,
       {kNan, kInf, 0, 0, 0, 1.5f, 0}},
      {"x - y at inf", binary(Opcode::kSubtract), {kInf, -kInf}, {kInf, -kInf}, {kNan, kNan}},
      {"x - x", same(Opcode::kSubtract), specials, none, {kNan, kNan, kNan, 0, 0, 0, 0}},
      {"x + y at zeros",
       binary(Opcode::kAdd),
       {-0.0f, -0.0f, 0.0f},
       {0.0f, -0.0f, -0.0f},
       {0.0f, -0.0f, 0.0f}},
      {"x + 0", with(Opcode::kAdd, 0.0f), specials, none, {kNan, kInf, -kInf, 0, 0, 1.5f, -1.5f}},
      {"x - 0",
       with(Opcode::kSubtract, 0.0f),
       specials,
       none,
       {kNan, kInf, -kInf, 0, -0.0f, 1.5f, -1.5f}},
      {"0 - x",
       after(0.0f, Opcode::kSubtract),
       specials,
       none,
       {kNan, -kInf, kInf, 0, 0, -1.5f, 1.5f}},
      {"x * 0",
       with(Opcode::kMultiply, 0.0f),
       specials,
       none,
       {kNan, kNan, kNan, 0, -0.0f, 0, -0.0f}},
      {"x * 1", with(Opcode::kMultiply, 1.0f), specials, none, specials},
      {"0 / x",
       after(0.0f, Opcode::kDivide),
       specials,
       none,
       {kNan, 0, -0.0f, kNan, kNan, 0, -0.0f}},
      {"x / 0",
       with(Opcode::kDivide, 0.0f),
       specials,
       none,
       {kNan, kInf, -kInf, kNan, kNan, kInf, -kInf}},
      {"x / x", same(Opcode::kDivide), specials, none, {kNan, kNan, kNan, kNan, kNan, 1, 1}},
      {"x / 3.1",
       with(Opcode::kDivide, 3.1f),
       {1, 7, 1e10f, 0.3f},
       {0, 0, 0, 0},
       {1 / 3.1f, 7 / 3.1f, 1e10f / 3.1f, 0.3f / 3.1f}},
      {"x == x",
       [](auto v) {
         return ConvertTo(Apply(Opcode::kCompare, {v[0], v[0]}, "EQ"), ElementType::kF32);
       },
       specials,
       none,
       {0, 1, 1, 1, 1, 1, 1}},
      {"x != x",
       [](auto v) {
         return ConvertTo(Apply(Opcode::kCompare, {v[0], v[0]}, "NE"), ElementType::kF32);
       },
       specials,
       none,
       {1, 0, 0, 0, 0, 0, 0}},
      {"max(x, 0)", with(Opcode::kMaximum, 0.0f), specials, none, {kNan, kInf, 0, 0, 0, 1.5f, 0}},
      {"min(x, 0)",
       with(Opcode::kMinimum, 0.0f),
       specials,
       none,
       {kNan, 0, -kInf, 0, -0.0f, 0, -1.5f}},
      {"max(x, y)",
       binary(Opcode::kMaximum),
       {kNan, 0, -0.0f, 0, 2},
       {0, kNan, 0, -0.0f, 3},
       {kNan, kNan, 0, 0, 3}},
      {"min(x, y)",
       binary(Opcode::kMinimum),
       {kNan, 0, -0.0f, 0, 2},
       {0, kNan, 0, -0.0f, 3},
       {kNan, kNan, -0.0f, -0.0f, 2}},
      {"exp",
       unary(Opcode::kExp),
       {kInf, -kInf, kNan, 0, 89, -104, 1e30f},
       none,
       {kInf, 0, kNan, 1, kInf, 0, kInf}},
      {"expm1",
       unary(Opcode::kExpm1),
       {kInf, -kInf, kNan, -0.0f, 89, -104, 1e-30f},
       none,
       {kInf, -1, kNan, -0.0f, kInf, -1, 1e-30f}},
      {"log",
       unary(Opcode::kLog),
       {kInf, 0, -0.0f, kNan, -1, 1, -kInf},
       none,
       {kInf, -kInf, -kInf, kNan, kNan, 0, kNan}},
      {"log-plus-one",
       unary(Opcode::kLog1p),
       {kInf, -1, -0.0f, kNan, -2, 0},
       none,
       {kInf, -kInf, -0.0f, kNan, kNan, 0}},
      {"tanh", unary(Opcode::kTanh), {kInf, -kInf, kNan, -0.0f, 20}, none, {1, -1, kNan, -0.0f, 1}},
      {"logistic",
       unary(Opcode::kLogistic),
       {kInf, -kInf, kNan, 0, 100},
       none,
       {1, 0, kNan, 0.5f, 1}},
      {"sine", unary(Opcode::kSin), {kInf, kNan, 0, -0.0f}, none, {kNan, kNan, 0, -0.0f}},
      {"sqrt",
       unary(Opcode::kSqrt),
       {kInf, -0.0f, -1, kNan, 4},
       none,
       {kInf, -0.0f, kNan, kNan, 2}},
      {"rsqrt", unary(Opcode::kRsqrt), {kInf, 0, -0.0f, -1, 4}, none, {0, kInf, -kInf, kNan, 0.5f}},
      {"cbrt",
       unary(Opcode::kCbrt),
       {kInf, -kInf, -0.0f, -27, 8},
       none,
       {kInf, -kInf, -0.0f, -3, 2}},
      {"sign", unary(Opcode::kSign), specials, none, {kNan, 1, -1, 0, -0.0f, 1, -1}},
      {"ceil",
       unary(Opcode::kCeil),
       {-0.8166f, -0.253f, 0.253f, 2, -0.0f},
       none,
       {-0.0f, -0.0f, 1, 2, -0.0f}},
      {"floor", unary(Opcode::kFloor), {-0.8166f, -0.0f, 0.8f, 1e10f}, none, {-1, -0.0f, 0, 1e10f}},
      {"round-nearest-afz",
       unary(Opcode::kRoundNearestAfz),
       {-2.5f, 0.4f, 0.5f, 2.5f, -0.3f, 0.49999997f, 8388609},
       none,
       {-3, 0, 1, 3, -0.0f, 0, 8388609}},
      {"round-nearest-even",
       unary(Opcode::kRoundNearestEven),
       {-2.5f, 0.4f, 0.5f, 2.5f, -0.3f, 3.5f, kInf},
       none,
       {-2, 0, 0, 2, -0.0f, 4, kInf}},
      {"power",
       binary(Opcode::kPower),
       {-2, -0.0f, -36, 0, kNan, 1, -1, 2, -0.0f},
       {2, 2, 1.1f, -1, 0, kNan, kInf, -kInf, -3},
       {4, 0, kNan, kInf, 1, 1, 1, 0, -kInf}},
      {"atan2",
       binary(Opcode::kAtan2),
       {0, -0.0f, 0, 1, kInf, -0.0f},
       {1, 1, -1, 0, kInf, -0.0f},
       {0, -0.0f, 3.14159265f, 1.57079637f, 0.785398163f, -3.14159265f}},
      {"remainder",
       binary(Opcode::kRemainder),
       {17, -17, 17, -17, 5, kInf, 5, -0.0f},
       {3, 3, -3, -3, 0, 1, kInf, 3},
       {2, -2, 2, -2, kNan, kNan, 5, -0.0f}},
  };
}

bool SameFloat(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

int CountWrong(const Golden& golden, const Device& device, bool report) {
  Planes in(2);
  for (size_t i = 0; i < golden.want.size(); ++i) {
    in[0].push_back(Bits32(golden.x[i]));
    in[1].push_back(Bits32(golden.y[i]));
  }
  Planes out = RunBuild(golden.build, {ElementType::kF32, ElementType::kF32}, device, in);
  int wrong = 0;
  for (size_t i = 0; i < golden.want.size(); ++i) {
    const float got = std::bit_cast<float>(static_cast<uint32_t>(out[0][i]));
    if (SameFloat(got, golden.want[i])) continue;
    ++wrong;
    if (report) {
      ADD_FAILURE() << golden.name << " on " << device.name << ": x = " << golden.x[i]
                    << ", y = " << golden.y[i] << " gives " << got << ", not " << golden.want[i];
    }
  }
  return wrong;
}

TEST(NumericsGolden, RewrittenExpressions) {
  for (const Device& device : Devices()) {
    for (const Golden& golden : Goldens()) CountWrong(golden, device, true);
  }
}

// Without the decoration some must go wrong, or the hook (and Halyard's pass) would be for nothing.
TEST(NumericsGolden, VulkanNeedsNoContraction) {
  if (!Devices().back().gpu) GTEST_SKIP() << "no Vulkan device";
  DecorateNoContraction(false);
  int needing = 0;
  for (const Golden& golden : Goldens()) {
    if (CountWrong(golden, Devices().back(), false) == 0) continue;
    ++needing;
    std::printf("needs NoContraction on Vulkan: %s\n", golden.name);
  }
  DecorateNoContraction(true);
  EXPECT_GT(needing, 0);
}

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
  // In increasing order, and equal only to itself.
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
    std::vector<uint64_t> codes = {infinity, infinity + 1, quiet,
                                   infinity - 1, infinity - 2, 0, 1, 2, 3, one, one + 1, one - 1,
                                   one + one / 16, (uint64_t{1} << format.mantissa_bits) - 1,
                                   uint64_t{1} << format.mantissa_bits,
                                   infinity | ((uint64_t{1} << format.mantissa_bits) - 1)};
    const size_t positive = codes.size();
    const uint64_t sign = uint64_t{1} << (hlo::BitWidth(type) - 1);
    for (size_t i = 0; i < positive; ++i) codes.push_back(codes[i] | sign);
    const std::pair<int, int> sizes[] = {{format.exponent_bits, 0}, {5, 0}, {1, 0}, {1, 3},
                                         {format.exponent_bits, 1}, {4, 60}, {64, 0}};
    for (auto [exponent_bits, mantissa_bits] : sizes) {
      Op op = UnaryOp(Opcode::kReducePrecision, type);
      op.attrs.Set(hlo::Attr::kExponentBits, int64_t{exponent_bits});
      op.attrs.Set(hlo::Attr::kMantissaBits, int64_t{mantissa_bits});
      for (const Device& device : Devices()) {
        if (!device.gpu && &device != &BestX86()) continue;
        const Planes out = RunOp(op, device, {codes});
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
        worst = halyard::testing::Worse(worst,
                                        std::abs(C(part(0), part(1)) - want) / std::abs(want));
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
  // (a, b) for products and quotients, extreme ones among them.
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

// The PTX text lies in the object file as it is.
std::string PtxOf(const Op& op) {
  using F = Halide::Target::Feature;
  Halide::Target target(
      Halide::Target::Linux, Halide::Target::X86, 64,
      {F::SSE41, F::CUDA, F::CUDACapability80, F::NoRuntime, F::NoAsserts, F::NoBoundsQuery});
  OpenKernel kernel = MakeKernel(BuildOf(op), op.operands, true, target);
  const std::string path =
      (std::filesystem::temp_directory_path() / "halyard_numerics_ptx.o").string();
  kernel.func.compile_to_object(
      path, std::vector<Halide::Argument>(kernel.inputs.begin(), kernel.inputs.end()), "kernel",
      target);
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::filesystem::remove(path);
  const size_t start = bytes.find(".version");
  if (start == std::string::npos) return "";
  return bytes.substr(start, bytes.find('\0', start) - start);
}

TEST(NumericsGolden, PtxIsStrictAndAssembles) {
  const Opcode unary[] = {Opcode::kExp,      Opcode::kExpm1,
                          Opcode::kLog,      Opcode::kLog1p,
                          Opcode::kLogistic, Opcode::kTanh,
                          Opcode::kSqrt,     Opcode::kRsqrt,
                          Opcode::kCbrt,     Opcode::kSin,
                          Opcode::kTan,      Opcode::kErf,
                          Opcode::kFloor,    Opcode::kRoundNearestEven};
  const Opcode binary[] = {Opcode::kAdd,   Opcode::kMultiply, Opcode::kDivide, Opcode::kRemainder,
                           Opcode::kPower, Opcode::kAtan2,    Opcode::kMaximum};
  std::vector<Op> ops;
  for (ElementType type : {ElementType::kF32, ElementType::kF64}) {
    for (Opcode opcode : unary) ops.push_back(UnaryOp(opcode, type));
    for (Opcode opcode : binary) ops.push_back(BinaryOp(opcode, type));
  }
  ops.push_back(UnaryOp(Opcode::kTanh, ElementType::kBF16));
  ops.push_back(BinaryOp(Opcode::kMultiply, ElementType::kF16));
  ops.push_back(BinaryOp(Opcode::kAdd, ElementType::kF8E4M3FN));
  for (ElementType type : {ElementType::kS8, ElementType::kS32, ElementType::kU64}) {
    for (Opcode opcode : {Opcode::kDivide, Opcode::kPower, Opcode::kShiftRightArithmetic})
      ops.push_back(BinaryOp(opcode, type));
    ops.push_back(UnaryOp(Opcode::kClz, type));
  }
  ops.push_back(ConvertOp(ElementType::kF32, ElementType::kU64));
  ops.push_back(ConvertOp(ElementType::kS64, ElementType::kBF16));
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  std::string all_files;
  for (size_t i = 0; i < ops.size(); ++i) {
    const std::string name =
        absl::StrCat(hlo::RowOf(ops[i].opcode).hlo_name, " ", hlo::HloName(ops[i].operands[0]));
    const absl::StatusOr<std::string> prepared = gpu::PreparePtx(PtxOf(ops[i]), {});
    ASSERT_TRUE(prepared.ok()) << name << ": " << prepared.status();
    const std::string& ptx = *prepared;
    ASSERT_FALSE(ptx.empty()) << name;
    EXPECT_EQ(ptx.find(".ftz"), std::string::npos) << name;
    EXPECT_EQ(ptx.find(".approx"), std::string::npos) << name;
    EXPECT_EQ(ptx.find("div.full"), std::string::npos) << name;
    EXPECT_EQ(ptx.find(".extern .func"), std::string::npos) << name;
    // With a rounding mode spelt out, ptxas may not fuse either.
    for (const char* fusible :
         {"fma.", "mul.f32", "mul.f64", "add.f32", "add.f64", "sub.f32", "sub.f64"}) {
      EXPECT_EQ(ptx.find(fusible), std::string::npos) << name << ": " << fusible;
    }
    const std::filesystem::path file = folder / "halyard_numerics_test.ptx";
    std::ofstream(file) << ptx;
    const std::string command =
        std::string(HALYARD_PTXAS) + " -arch=sm_80 -o /dev/null " + file.string();
    EXPECT_EQ(std::system(command.c_str()), 0) << name;
    std::filesystem::remove(file);
  }
}

}  // namespace
}  // namespace halyard::lowering::testing
