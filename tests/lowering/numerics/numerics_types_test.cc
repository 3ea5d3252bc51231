// Tests narrow floats (every value of each) and conversions between classes of types, against exact
// oracles.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "frontend/hlo/ir/op_table.h"
#include "tests/lowering/numerics/harness.h"

namespace halyard::lowering::testing {
namespace {

using hlo::ElementType;
using hlo::Opcode;

const ElementType kNarrow[] = {
    ElementType::kF4E2M1FN,   ElementType::kF6E2M3FN,      ElementType::kF6E3M2FN,
    ElementType::kF8E3M4,     ElementType::kF8E4M3,        ElementType::kF8E4M3FN,
    ElementType::kF8E4M3FNUZ, ElementType::kF8E4M3B11FNUZ, ElementType::kF8E5M2,
    ElementType::kF8E5M2FNUZ, ElementType::kF8E8M0FNU,     ElementType::kBF16,
    ElementType::kF16};

float AsFloat(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
bool TinyFloat(double x) { return x != 0 && std::fabs(x) < 0x1.0001p-126; }

// Returns whether the codes are equal, or both are NaN.
bool SameCode(ElementType type, uint64_t a, uint64_t b) {
  return a == b || (std::isnan(hlo::DecodeFloat(type, a)) && std::isnan(hlo::DecodeFloat(type, b)));
}

// Returns as doubles, around every value and every tie between neighbours, the nearest f32 and f64
// on either side.
std::vector<double> Boundaries(ElementType type) {
  std::vector<double> values;
  for (uint64_t code : AllCodes(type)) {
    const double value = hlo::DecodeFloat(type, code);
    if (!std::isfinite(value)) continue;
    // The neighbour with the larger magnitude may be beyond the largest value, where overflow
    // begins.
    const double next = hlo::DecodeFloat(type, code + 1);
    const double step = std::isfinite(next) && next != 0 ? next - value : value * 0.125;
    for (double x : {value, value + step * 0.5, value + step * 0.25}) {
      values.insert(values.end(), {x, std::nextafter(x, 1e300), std::nextafter(x, -1e300)});
      values.push_back(std::nextafter(static_cast<float>(x), HUGE_VALF));
      values.push_back(std::nextafter(static_cast<float>(x), -HUGE_VALF));
    }
  }
  for (double x :
       {0.0, -0.0, HUGE_VAL, -HUGE_VAL, std::nan(""), 1e-45, 1e38, 1e300, -1e300, 1e-300})
    values.push_back(x);
  return values;
}

std::vector<Device> TestDevices() {
  std::vector<Device> devices{BestX86()};
  if (Devices().back().gpu) devices.push_back(Devices().back());
  return devices;
}

// Values of one type after those of the other, for kernels that convert to all of them.
struct Parts {
  Planes in{1};
  std::vector<size_t> first;
  void Add(const std::vector<uint64_t>& values) {
    first.push_back(in[0].size());
    in[0].insert(in[0].end(), values.begin(), values.end());
  }
};

std::vector<Op> ToEachNarrow(ElementType from) {
  std::vector<Op> ops;
  for (ElementType type : kNarrow) ops.push_back(ConvertOp(from, type));
  return ops;
}

TEST(NumericsTypes, NarrowToFloatAndBack) {
  for (const Device& device : TestDevices()) {
    Parts wide;
    for (ElementType type : kNarrow)
      wide.Add(RunOp(ConvertOp(type, ElementType::kF32), device, {AllCodes(type)})[0]);
    const std::vector<Planes> back = RunOps(ToEachNarrow(ElementType::kF32), device, wide.in);
    for (size_t t = 0; t < std::size(kNarrow); ++t) {
      const ElementType type = kNarrow[t];
      const std::vector<uint64_t> codes = AllCodes(type);
      int wrong = 0;
      for (size_t i = 0; i < codes.size() && wrong < 4; ++i) {
        const double want = hlo::DecodeFloat(type, codes[i]);
        if (!device.keeps_denormals && TinyFloat(want) && type != ElementType::kBF16) continue;
        const size_t place = wide.first[t] + i;
        const float got = AsFloat(wide.in[0][place]);
        const bool same = std::isnan(want) ? std::isnan(got)
                                           : got == want && std::signbit(got) == std::signbit(want);
        if (same && SameCode(type, back[t][0][place], codes[i])) continue;
        ++wrong;
        ADD_FAILURE() << hlo::HloName(type) << " on " << device.name << ": code " << codes[i]
                      << " is " << got << ", not " << want << ", and back " << back[t][0][place];
      }
    }
  }
}

TEST(NumericsTypes, RoundingToNarrow) {
  std::vector<std::vector<double>> values;
  for (ElementType type : kNarrow) values.push_back(Boundaries(type));
  for (ElementType from : {ElementType::kF32, ElementType::kF64}) {
    Parts parts;
    for (const std::vector<double>& of_type : values) {
      std::vector<uint64_t> bits;
      for (double x : of_type)
        bits.push_back(from == ElementType::kF32 ? Bits32(static_cast<float>(x)) : Bits64(x));
      parts.Add(bits);
    }
    for (const Device& device : TestDevices()) {
      const std::vector<Planes> out = RunOps(ToEachNarrow(from), device, parts.in);
      for (size_t t = 0; t < std::size(kNarrow); ++t) {
        const ElementType type = kNarrow[t];
        int wrong = 0;
        for (size_t i = 0; i < values[t].size() && wrong < 4; ++i) {
          const double x =
              from == ElementType::kF32 ? static_cast<float>(values[t][i]) : values[t][i];
          if (!device.keeps_denormals && TinyFloat(x)) continue;
          const uint64_t want = hlo::EncodeFloat(type, x), got = out[t][0][parts.first[t] + i];
          if (SameCode(type, got, want)) continue;
          ++wrong;
          ADD_FAILURE() << hlo::HloName(from) << " to " << hlo::HloName(type) << " on "
                        << device.name << ": " << x << " gives code " << got << ", not " << want;
        }
      }
    }
  }
}

struct Arithmetic {
  Opcode opcode;
  double (*oracle)(double, double);
};
double Plus(double a, double b) { return a + b; }
double Minus(double a, double b) { return a - b; }
double Times(double a, double b) { return a * b; }
double Over(double a, double b) { return a / b; }
double Larger(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b);
}

// f64 has more than twice the digits of each type, so rounding its results is the same as rounding
// once.
TEST(NumericsTypes, NarrowArithmetic) {
  const Arithmetic ops[] = {
      {Opcode::kAdd, Plus},    {Opcode::kSubtract, Minus},      {Opcode::kMultiply, Times},
      {Opcode::kDivide, Over}, {Opcode::kRemainder, std::fmod}, {Opcode::kMaximum, Larger}};
  for (const Device& device : TestDevices()) {
    for (ElementType type : kNarrow) {
      if (device.gpu && type != ElementType::kBF16 && type != ElementType::kF8E4M3FN) continue;
      Planes in(2);
      const uint64_t mask = (uint64_t{1} << hlo::BitWidth(type)) - 1;
      for (uint64_t i = 0; i < 65536; ++i) {
        const uint64_t h = Hash(i);
        in[0].push_back(mask > 255 ? h & mask : i & mask);
        in[1].push_back(mask > 255 ? h >> 32 & mask : i >> 8 & mask);
      }
      std::vector<Op> together;
      for (const Arithmetic& op : ops) together.push_back(BinaryOp(op.opcode, type));
      const std::vector<Planes> outs = RunOps(together, device, in);
      for (size_t k = 0; k < together.size(); ++k) {
        const Arithmetic& op = ops[k];
        const Planes& out = outs[k];
        int wrong = 0;
        for (size_t i = 0; i < out[0].size() && wrong < 3; ++i) {
          const double a = hlo::DecodeFloat(type, in[0][i]), b = hlo::DecodeFloat(type, in[1][i]);
          double result = op.oracle(a, b);
          if (std::isnan(result))
            result = std::nan("");  // with either sign, which types without NaN would show
          if (!device.keeps_denormals && (TinyFloat(a) || TinyFloat(b) || TinyFloat(result)))
            continue;
          const uint64_t want = hlo::EncodeFloat(type, result);
          if (SameCode(type, out[0][i], want)) continue;
          ++wrong;
          ADD_FAILURE() << hlo::RowOf(op.opcode).hlo_name << " " << hlo::HloName(type) << " on "
                        << device.name << ": " << a << ", " << b << " gives "
                        << hlo::DecodeFloat(type, out[0][i]) << ", not "
                        << hlo::DecodeFloat(type, want);
        }
      }
    }
  }
}

double LogisticOf(double x) { return 1 / (1 + std::exp(-x)); }
double RsqrtOf(double x) { return 1 / std::sqrt(x); }

// Tests every argument of the 16-bit types. An error of an ulp or two in f32 can only change a near
// tie.
TEST(NumericsTypes, HalfTranscendentals) {
  struct Function {
    Opcode opcode;
    double (*oracle)(double);
  };
  const Function functions[] = {
      {Opcode::kExp, std::exp},     {Opcode::kExpm1, std::expm1},    {Opcode::kLog, std::log},
      {Opcode::kLog1p, std::log1p}, {Opcode::kLogistic, LogisticOf}, {Opcode::kTanh, std::tanh},
      {Opcode::kSin, std::sin},     {Opcode::kCos, std::cos},        {Opcode::kTan, std::tan},
      {Opcode::kSqrt, std::sqrt},   {Opcode::kRsqrt, RsqrtOf},       {Opcode::kCbrt, std::cbrt},
      {Opcode::kErf, std::erf}};
  for (const Device& device : TestDevices()) {
    for (ElementType type : {ElementType::kBF16, ElementType::kF16}) {
      const std::vector<uint64_t> codes = AllCodes(type);
      std::vector<Op> together;
      for (const Function& f : functions) together.push_back(UnaryOp(f.opcode, type));
      const std::vector<Planes> outs = RunOps(together, device, {codes});
      for (size_t k = 0; k < together.size(); ++k) {
        const Function& f = functions[k];
        const Planes& out = outs[k];
        int off_by_one = 0, wrong = 0;
        for (size_t i = 0; i < codes.size(); ++i) {
          const double x = hlo::DecodeFloat(type, codes[i]), result = f.oracle(x);
          if (!device.keeps_denormals && (TinyFloat(x) || TinyFloat(result))) continue;
          const uint64_t want = hlo::EncodeFloat(type, result);
          if (SameCode(type, out[0][i], want)) continue;
          const bool close = out[0][i] + 1 == want || want + 1 == out[0][i];
          close ? ++off_by_one : ++wrong;
          if (!close && wrong < 4) {
            ADD_FAILURE() << hlo::RowOf(f.opcode).hlo_name << " " << hlo::HloName(type) << " on "
                          << device.name << ": " << x << " gives "
                          << hlo::DecodeFloat(type, out[0][i]) << ", not " << result;
          }
        }
        std::printf("| %-13s | %-4s | %-7s | %d of 65536 not the nearest |\n",
                    std::string(hlo::RowOf(f.opcode).hlo_name).c_str(),
                    std::string(hlo::HloName(type)).c_str(), device.name.c_str(), off_by_one);
        EXPECT_LE(off_by_one, 64);
      }
    }
  }
}

uint64_t Extend(ElementType type, uint64_t stored) {
  const int shift = 64 - hlo::BitWidth(type);
  if (!hlo::IsSigned(type)) return stored << shift >> shift;
  return static_cast<uint64_t>(static_cast<int64_t>(stored << shift) >> shift);
}

// Returns a double that rounds in the same way as the integer itself: an inexact one is odd.
double RoundToOdd(long double x) {
  double nearest = static_cast<double>(x);
  if (nearest == x || (std::bit_cast<uint64_t>(nearest) & 1)) return nearest;
  return std::nextafter(nearest, x > nearest ? HUGE_VAL : -HUGE_VAL);
}

TEST(NumericsTypes, IntegerToFloat) {
  const ElementType integers[] = {ElementType::kS4,  ElementType::kS8,  ElementType::kU16,
                                  ElementType::kS32, ElementType::kU32, ElementType::kS64,
                                  ElementType::kU64};
  const ElementType floats[] = {ElementType::kF32, ElementType::kF64,      ElementType::kBF16,
                                ElementType::kF16, ElementType::kF8E4M3FN, ElementType::kF8E5M2};
  for (const Device& device : TestDevices()) {
    for (ElementType from : integers) {
      Planes in(1);
      for (int bit = 0; bit < hlo::BitWidth(from); ++bit) {
        for (int low = 0; low <= bit; ++low) {
          const uint64_t base = (uint64_t{1} << bit) | (uint64_t{1} << low);
          for (uint64_t around : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}}) {
            in[0].push_back(StoredInteger(from, base + around));
            in[0].push_back(StoredInteger(from, -(base + around)));
          }
        }
      }
      for (int i = 0; i < 5000; ++i) in[0].push_back(StoredInteger(from, Hash(i) >> (i & 63)));
      std::vector<Op> ops;
      for (ElementType to : floats) ops.push_back(ConvertOp(from, to));
      const std::vector<Planes> outs = RunOps(ops, device, in);
      for (size_t k = 0; k < ops.size(); ++k) {
        const ElementType to = ops[k].result;
        const Planes& out = outs[k];
        int wrong = 0;
        for (size_t i = 0; i < in[0].size() && wrong < 4; ++i) {
          const uint64_t bits = Extend(from, in[0][i]);
          const long double value =
              hlo::IsSigned(from) ? static_cast<long double>(static_cast<int64_t>(bits)) : bits;
          const uint64_t want = to == ElementType::kF64 ? Bits64(static_cast<double>(value))
                                                        : hlo::EncodeFloat(to, RoundToOdd(value));
          if (out[0][i] == want) continue;
          ++wrong;
          ADD_FAILURE() << hlo::HloName(from) << " to " << hlo::HloName(to) << " on " << device.name
                        << ": " << value << " gives " << hlo::DecodeFloat(to, out[0][i]) << ", not "
                        << hlo::DecodeFloat(to, want);
        }
      }
    }
  }
}

TEST(NumericsTypes, FloatToIntegerSaturates) {
  const ElementType integers[] = {ElementType::kS4,  ElementType::kU4,  ElementType::kS8,
                                  ElementType::kU8,  ElementType::kS32, ElementType::kU32,
                                  ElementType::kS64, ElementType::kU64};
  std::vector<double> values = {0.0,  -0.0,     0.5,       -0.5,         0.999, -0.999, 1.5,
                                -1.5, HUGE_VAL, -HUGE_VAL, std::nan(""), 1e30,  -1e30};
  for (int bit = 0; bit < 66; ++bit) {
    for (double x : {std::ldexp(1.0, bit), std::ldexp(1.0, bit) - 1, std::ldexp(1.0, bit) + 1,
                     std::ldexp(1.0, bit) - 0.5}) {
      values.insert(values.end(), {x, -x});
    }
  }
  for (const Device& device : TestDevices()) {
    for (ElementType from : {ElementType::kF32, ElementType::kF64, ElementType::kBF16}) {
      Planes in(1);
      for (double x : values) in[0].push_back(hlo::EncodeFloat(from, x));
      std::vector<Op> ops;
      for (ElementType to : integers) ops.push_back(ConvertOp(from, to));
      const std::vector<Planes> outs = RunOps(ops, device, in);
      for (size_t k = 0; k < ops.size(); ++k) {
        const ElementType to = ops[k].result;
        const Planes& out = outs[k];
        const int bits = hlo::BitWidth(to);
        const long double end = std::ldexp(1.0L, hlo::IsSigned(to) ? bits - 1 : bits),
                          least = hlo::IsSigned(to) ? -end : 0;
        for (size_t i = 0; i < values.size(); ++i) {
          const long double x = hlo::DecodeFloat(from, in[0][i]);
          uint64_t want = 0;
          if (x >= end) {
            want = (uint64_t{1} << (hlo::IsSigned(to) ? bits - 1 : bits - 1)) - 1;
            if (!hlo::IsSigned(to)) want = want * 2 + 1;
          } else if (x <= least) {
            want = hlo::IsSigned(to) ? uint64_t{1} << (bits - 1) : 0;
          } else if (x == x) {
            want =
                x < 0 ? static_cast<uint64_t>(static_cast<int64_t>(x)) : static_cast<uint64_t>(x);
          }
          EXPECT_EQ(out[0][i], StoredInteger(to, want))
              << hlo::HloName(from) << " to " << hlo::HloName(to) << " on " << device.name << ": "
              << static_cast<double>(x);
        }
      }
    }
  }
}

}  // namespace
}  // namespace halyard::lowering::testing
