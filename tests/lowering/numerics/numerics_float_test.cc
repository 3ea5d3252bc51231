// Tests float functions of f32 against libm in f64, and of f64 against MPFR: a table of the largest
// errors, and bounds on them. tests/lowering/numerics/table.py writes the table into
// docs/numerics.md.
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/lowering/numerics/harness.h"
#include "tests/lowering/numerics/mpfr_oracle.h"
#include "tests/lowering/numerics/ulp.h"

namespace halyard::lowering::testing {
namespace {

using hlo::ElementType;
using hlo::Opcode;
using Wide = long double;

struct Function {
  const char* name;
  Opcode opcode;
  double (*twice)(double);  // the oracle of f32
  double bound32, bound64;
};

double Logistic(double x) { return 1 / (1 + std::exp(-x)); }
double RsqrtOf(double x) { return 1 / std::sqrt(x); }

const Function kFunctions[] = {
    {"exponential", Opcode::kExp, std::exp, 2, 4},
    {"exponential-minus-one", Opcode::kExpm1, std::expm1, 2, 4},
    {"log", Opcode::kLog, std::log, 2, 4},
    {"log-plus-one", Opcode::kLog1p, std::log1p, 2, 4},
    {"logistic", Opcode::kLogistic, Logistic, 2, 4},
    {"tanh", Opcode::kTanh, std::tanh, 2, 4},
    {"sine", Opcode::kSin, std::sin, 2, 4},
    {"cosine", Opcode::kCos, std::cos, 2, 4},
    {"tan", Opcode::kTan, std::tan, 2, 4},
    {"sqrt", Opcode::kSqrt, std::sqrt, 0.501, 0.501},
    {"rsqrt", Opcode::kRsqrt, RsqrtOf, 2, 4},
    {"cbrt", Opcode::kCbrt, std::cbrt, 2, 4},
    {"erf", Opcode::kErf, std::erf, 2, 4},
};

struct Worst {
  double ulp = 0;
  uint64_t at = 0, at2 = 0;
  double got = 0;
  Wide want = 0;
  void Add(double error, uint64_t a, uint64_t b, double result, Wide oracle) {
    if (error <= ulp) return;
    *this = {error, a, b, result, oracle};
  }
};

void Report(const char* name, const char* type, const Device& device, const Worst& worst,
            double bound, double ms) {
  std::printf("| %-12s | %s | %-7s | %6.3f | %8.0f ms | %a %a: got %a want %La\n", name, type,
              device.name.c_str(), worst.ulp, ms,
              type[1] == '3' ? std::bit_cast<float>(static_cast<uint32_t>(worst.at))
                             : std::bit_cast<double>(worst.at),
              type[1] == '3' ? std::bit_cast<float>(static_cast<uint32_t>(worst.at2))
                             : std::bit_cast<double>(worst.at2),
              worst.got, worst.want);
  EXPECT_LE(worst.ulp, bound) << name << " " << type << " on " << device.name;
}

const double kSpecials[] = {0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            0.5,
                            -0.5,
                            2.0,
                            -2.0,
                            3.0,
                            -3.0,
                            4.0,
                            0.1,
                            -0.1,
                            10.0,
                            100.0,
                            -100.0,
                            88.72283,
                            88.722839,
                            88.8,
                            89.5,
                            -87.33655,
                            -103.9,
                            -104.5,
                            709.7827,
                            709.79,
                            -745.1,
                            -745.2,
                            1e-8,
                            -1e-8,
                            1.5707963267948966,
                            3.141592653589793,
                            0.7853981633974483,
                            22.0,
                            1e22,
                            6.02e23,
                            8.9e307,
                            3.4e38,
                            -3.4e38,
                            1.2e-38,
                            1e-40,
                            -1e-40,
                            1e-310,
                            -1e-310,
                            5e-324,
                            1.4e-45,
                            HUGE_VAL,
                            -HUGE_VAL,
                            NAN,
                            1.7e308};

// Returns special values, values near multiples of pi/2, bit patterns at a stride (all finite
// magnitudes), and moderate values.
std::vector<uint64_t> Samples32(uint64_t stride) {
  std::vector<uint64_t> samples;
  for (double s : kSpecials) samples.push_back(Bits32(static_cast<float>(s)));
  for (double s : NearQuarterTurns(24, 127)) samples.push_back(Bits32(static_cast<float>(s)));
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += stride) samples.push_back(bits);
  for (int i = 0; i < 200000; ++i) {
    const double unit = static_cast<double>(Hash(i) >> 11) * 0x1p-53;
    samples.push_back(Bits32(static_cast<float>((unit - 0.5) * (i % 3 == 0   ? 4
                                                                : i % 3 == 1 ? 40
                                                                             : 220))));
  }
  return samples;
}

std::vector<uint64_t> Samples64(int count) {
  std::vector<uint64_t> samples;
  for (double s : kSpecials) samples.push_back(Bits64(s));
  for (double s : NearQuarterTurns(53, 1023)) samples.push_back(Bits64(s));
  for (int i = 0; i < count; ++i) {
    const double unit = static_cast<double>(Hash(i) >> 11) * 0x1p-53;
    const double scales[] = {4, 40, 1500};
    samples.push_back(i % 4 == 0 ? Hash(i) : Bits64((unit - 0.5) * scales[i % 4 - 1]));
  }
  return samples;
}

bool Denormal(uint64_t bits, ElementType type) {
  if (type == ElementType::kF32) return (bits & 0x7f800000) == 0 && (bits & 0x7fffff) != 0;
  return (bits & 0x7ff0000000000000) == 0 && (bits & 0xfffffffffffff) != 0;
}

using Clock = std::chrono::steady_clock;

// If a device flushes denormals, arguments and results of that size do not count.
Worst Measure(const Device& device, ElementType type, const Planes& in, const Planes& out,
              const std::function<Wide(size_t)>& oracle) {
  Worst worst;
  for (size_t i = 0; i < out[0].size(); ++i) {
    const uint64_t a = in[0][i], b = in.size() > 1 ? in[1][i] : 0;
    const Wide want = oracle(i);
    const bool single = type == ElementType::kF32;
    const double got = single ? std::bit_cast<float>(static_cast<uint32_t>(out[0][i]))
                              : std::bit_cast<double>(out[0][i]);
    if (!device.keeps_denormals) {
      const Wide least = single ? 0x1p-126L : 0x1p-1022L;
      if (Denormal(a, type) || Denormal(b, type) ||
          (want != 0 && std::fabs(want) < least * 1.000001L))
        continue;
    }
    worst.Add(single ? UlpError32(static_cast<float>(got), want) : UlpError64(got, want), a, b, got,
              want);
  }
  return worst;
}

uint64_t Stride() {
  const char* stride = std::getenv("HALYARD_NUMERICS_STRIDE");  // 1: all 2^32 arguments
  return stride ? std::strtoull(stride, nullptr, 10) : 4099;
}

TEST(NumericsFloat, UnaryF32) {
  // Runs in pieces, so that all arguments (stride 1) do not need 64 GiB.
  for (const Device& device : Devices()) {
    const uint64_t stride = device.name == BestX86().name ? Stride() : Stride() * 16;
    const std::vector<uint64_t> samples = Samples32(stride);
    for (const Function& f : kFunctions) {
      const auto start = Clock::now();
      Planes in{samples};
      Planes out = RunOp(UnaryOp(f.opcode, ElementType::kF32), device, in);
      const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
      Worst worst = Measure(device, ElementType::kF32, in, out, [&](size_t i) {
        return static_cast<Wide>(f.twice(std::bit_cast<float>(static_cast<uint32_t>(samples[i]))));
      });
      Report(f.name, "f32", device, worst, f.bound32, ms);
    }
  }
}

TEST(NumericsFloat, UnaryF64) {
  const std::vector<uint64_t> samples = Samples64(std::getenv("HALYARD_NIGHTLY") ? 1000000 : 60000);
  for (const Function& f : kFunctions) {
    std::vector<Wide> wants;
    for (uint64_t bits : samples) wants.push_back(Exactly(f.opcode, std::bit_cast<double>(bits)));
    for (const Device& device : Devices()) {
      const auto start = Clock::now();
      Planes in{samples};
      Planes out = RunOp(UnaryOp(f.opcode, ElementType::kF64), device, in);
      const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
      Worst worst = Measure(device, ElementType::kF64, in, out, [&](size_t i) { return wants[i]; });
      Report(f.name, "f64", device, worst, f.bound64, ms);
    }
  }
}

struct BinaryFunction {
  const char* name;
  Opcode opcode;
  double bound32, bound64;
};
const BinaryFunction kBinaries[] = {
    {"power", Opcode::kPower, 2, 4},
    {"atan2", Opcode::kAtan2, 2, 4},
    {"remainder", Opcode::kRemainder, 0, 0},
    // The oracle has 64 bits, so a correctly rounded f64 result may be off by slightly more than
    // half an ulp.
    {"add", Opcode::kAdd, 0.5, 0.501},
    {"subtract", Opcode::kSubtract, 0.5, 0.501},
    {"multiply", Opcode::kMultiply, 0.5, 0.501},
    {"divide", Opcode::kDivide, 0.5001, 0.501},
};

// Returns all pairs of special values, then pairs of any bits, then pairs of moderate values.
Planes Pairs(ElementType type, int count) {
  Planes in(2);
  auto add = [&](double a, double b) {
    const bool single = type == ElementType::kF32;
    in[0].push_back(single ? Bits32(static_cast<float>(a)) : Bits64(a));
    in[1].push_back(single ? Bits32(static_cast<float>(b)) : Bits64(b));
  };
  for (double a : kSpecials) {
    for (double b : kSpecials) add(a, b);
  }
  const uint64_t mask = type == ElementType::kF32 ? 0xffffffffu : ~uint64_t{0};
  for (int i = 0; i < count; ++i) {
    const uint64_t h = Hash(3 * i), g = Hash(3 * i + 1);
    const double u = static_cast<double>(h >> 11) * 0x1p-53,
                 v = static_cast<double>(g >> 11) * 0x1p-53;
    switch (i % 4) {
      case 0:
        in[0].push_back(h & mask), in[1].push_back(g & mask);
        break;
      case 1:
        add(u * 4, (v - 0.5) * 60);
        break;
      case 2:
        add(1 + (u - 0.5) * 0.01, (v - 0.5) * 20000);
        break;
      default:
        add((u - 0.5) * 200, (v - 0.5) * 8);
        break;
    }
  }
  return in;
}

TEST(NumericsFloat, Binary) {
  for (ElementType type : {ElementType::kF32, ElementType::kF64}) {
    const Planes in = Pairs(type, std::getenv("HALYARD_NIGHTLY") ? 1000000 : 60000);
    auto value = [&](int plane, size_t i) -> double {
      if (type == ElementType::kF32)
        return std::bit_cast<float>(static_cast<uint32_t>(in[plane][i]));
      return std::bit_cast<double>(in[plane][i]);
    };
    for (const BinaryFunction& f : kBinaries) {
      std::vector<Wide> wants;
      for (size_t i = 0; i < in[0].size(); ++i)
        wants.push_back(Exactly(f.opcode, value(0, i), value(1, i)));
      for (const Device& device : Devices()) {
        const auto start = Clock::now();
        Planes out = RunOp(BinaryOp(f.opcode, type), device, in);
        const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        Worst worst = Measure(device, type, in, out, [&](size_t i) { return wants[i]; });
        Report(f.name, type == ElementType::kF32 ? "f32" : "f64", device, worst,
               type == ElementType::kF32 ? f.bound32 : f.bound64, ms);
      }
    }
  }
}

}  // namespace
}  // namespace halyard::lowering::testing
