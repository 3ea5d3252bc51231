// Compares the results of arithmetic instructions with C++.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "tests/fakes/ptx/half.h"
#include "tests/fakes/ptx_tests/ptx_harness.h"

namespace halyard::testing::ptx {
namespace {

template <typename T>
const char* Bits() {
  return sizeof(T) == 2 ? "16" : sizeof(T) == 4 ? "32" : "64";
}
template <typename T>
std::string Register(int index) {
  return (sizeof(T) == 2   ? "%h"
          : sizeof(T) == 4 ? "%r"
                           : "%d") +
         std::to_string((sizeof(T) == 8 ? 10 : 0) + index);
}

// Returns 32 values: edge cases, and random ones.
template <typename T>
std::vector<T> Values(int seed) {
  std::mt19937_64 random(static_cast<uint64_t>(seed));
  std::vector<T> values;
  if constexpr (std::is_floating_point_v<T>) {
    const T inf = std::numeric_limits<T>::infinity();
    values = {0,
              -T(0),
              1,
              -1,
              T(0.5),
              T(1.5),
              T(-2.5),
              inf,
              -inf,
              std::nan(""),
              T(3.7),
              T(-3.7),
              std::numeric_limits<T>::min(),
              std::numeric_limits<T>::denorm_min(),
              std::numeric_limits<T>::max(),
              T(1e10),
              T(-1e20)};
    std::uniform_real_distribution<T> some(-100, 100);
    while (values.size() < 32) values.push_back(some(random));
  } else {
    values = {0, 1,    T(-1), 2, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
              7, T(-7)};
    while (values.size() < 32) values.push_back(static_cast<T>(random() >> (random() % 60)));
  }
  std::shuffle(values.begin(), values.end(), random);
  return values;
}

// Returns c with c[i] = instruction(a[i], b[i]). The instruction's text has $d, $a and $b for its
// operands.
template <typename R, typename A, typename B>
std::vector<R> Apply(std::string instruction, std::vector<A> a, std::vector<B> b) {
  const auto replace = [&](const std::string& what, const std::string& with) {
    for (size_t at; (at = instruction.find(what)) != std::string::npos;) {
      instruction.replace(at, what.size(), with);
    }
  };
  replace("$d", Register<R>(0));
  replace("$a", Register<A>(1));
  replace("$b", Register<B>(2));
  std::string body = "mov.u32 %r20, %tid.x;\n";
  const auto address = [&](const char* to, const char* base, size_t bytes) {
    body += std::string("mul.wide.u32 ") + to + ", %r20, " + std::to_string(bytes) + ";\nadd.s64 " +
            to + ", " + to + ", " + base + ";\n";
  };
  address("%d30", "%d0", sizeof(A));
  address("%d31", "%d1", sizeof(B));
  address("%d32", "%d2", sizeof(R));
  body += std::string("ld.global.b") + Bits<A>() + " " + Register<A>(1) + ", [%d30];\n";
  body += std::string("ld.global.b") + Bits<B>() + " " + Register<B>(2) + ", [%d31];\n";
  body += instruction + "\n";
  body += std::string("st.global.b") + Bits<R>() + " [%d32], " + Register<R>(0) + ";\n";
  std::vector<R> c(32);
  const TestRun run = RunBody(body, &a, &b, &c, OneWarp());
  EXPECT_TRUE(run.parsed && run.outcome == Outcome::kDone) << instruction << ": " << run.message;
  return c;
}

template <typename T>
bool Same(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(x) && std::isnan(y)) return true;
  }
  return std::memcmp(&x, &y, sizeof(T)) == 0;
}

template <typename R, typename A, typename B>
void Check(const std::string& instruction, const std::function<R(A, B)>& expected) {
  for (int seed = 0; seed < 8; ++seed) {
    const std::vector<A> a = Values<A>(seed);
    const std::vector<B> b = Values<B>(seed + 100);
    const std::vector<R> c = Apply<R>(instruction, a, b);
    for (size_t i = 0; i < 32; ++i) {
      const R want = expected(a[i], b[i]);
      EXPECT_TRUE(Same(c[i], want))
          << instruction << " of " << +a[i] << ", " << +b[i] << ": " << +c[i] << ", not " << +want;
    }
  }
}

template <typename T>
void CheckIntegers(const std::string& type) {
  using U = std::make_unsigned_t<T>;
  using W = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  Check<T, T, T>("add." + type + " $d, $a, $b;", [](T a, T b) { return T(U(a) + U(b)); });
  Check<T, T, T>("sub." + type + " $d, $a, $b;", [](T a, T b) { return T(U(a) - U(b)); });
  Check<T, T, T>("mul.lo." + type + " $d, $a, $b;", [](T a, T b) { return T(W(a) * W(b)); });
  Check<T, T, T>("mul.hi." + type + " $d, $a, $b;",
                 [](T a, T b) { return T((W(a) * W(b)) >> (8 * sizeof(T))); });
  Check<T, T, T>("mad.lo." + type + " $d, $a, $b, $a;",
                 [](T a, T b) { return T(W(a) * W(b) + W(a)); });
  Check<T, T, T>("min." + type + " $d, $a, $b;", [](T a, T b) { return std::min(a, b); });
  Check<T, T, T>("max." + type + " $d, $a, $b;", [](T a, T b) { return std::max(a, b); });
  Check<T, T, T>("div." + type + " $d, $a, $b;",
                 [](T a, T b) { return b == 0 ? T(-1) : T(W(a) / W(b)); });
  Check<T, T, T>("rem." + type + " $d, $a, $b;",
                 [](T a, T b) { return b == 0 ? T(-1) : T(W(a) % W(b)); });
  Check<T, T, uint32_t>("shr." + type + " $d, $a, $b;", [](T a, uint32_t n) {
    constexpr uint32_t kBits = 8 * sizeof(T);
    return n < kBits ? T(a >> n) : a < 0 ? T(-1) : T(0);
  });
  for (const auto& [name, test] : std::vector<std::pair<std::string, bool (*)(T, T)>>{
           {"eq", [](T a, T b) { return a == b; }},
           {"ne", [](T a, T b) { return a != b; }},
           {"lt", [](T a, T b) { return a < b; }},
           {"le", [](T a, T b) { return a <= b; }},
           {"gt", [](T a, T b) { return a > b; }},
           {"ge", [](T a, T b) { return a >= b; }}}) {
    Check<uint32_t, T, T>("setp." + name + "." + type + " %p1, $a, $b;\nselp.b32 $d, 1, 0, %p1;",
                          [test = test](T a, T b) { return uint32_t{test(a, b)}; });
  }
}

TEST(PtxArithmetic, Integers) {
  CheckIntegers<int16_t>("s16");
  CheckIntegers<uint16_t>("u16");
  CheckIntegers<int32_t>("s32");
  CheckIntegers<uint32_t>("u32");
  CheckIntegers<int64_t>("s64");
  CheckIntegers<uint64_t>("u64");
  Check<int64_t, int32_t, int32_t>("mul.wide.s32 $d, $a, $b;",
                                   [](int32_t a, int32_t b) { return int64_t{a} * b; });
  Check<uint32_t, uint16_t, uint16_t>("mul.wide.u16 $d, $a, $b;",
                                      [](uint16_t a, uint16_t b) { return uint32_t{a} * b; });
  Check<int32_t, int32_t, int32_t>("add.sat.s32 $d, $a, $b;", [](int32_t a, int32_t b) {
    const int64_t sum = int64_t{a} + b;
    return static_cast<int32_t>(std::min<int64_t>(std::max<int64_t>(sum, INT32_MIN), INT32_MAX));
  });
  Check<int32_t, int32_t, int32_t>("abs.s32 $d, $a;", [](int32_t a, int32_t) {
    return a < 0 ? static_cast<int32_t>(0u - static_cast<uint32_t>(a)) : a;
  });
  Check<int32_t, int32_t, int32_t>("mov.b32 %r9, 5;\ndp4a.s32.s32 $d, $a, $b, %r9;",
                                   [](int32_t a, int32_t b) {
                                     int32_t sum = 5;
                                     for (int k = 0; k < 32; k += 8) {
                                       sum += int8_t(a >> k) * int8_t(b >> k);
                                     }
                                     return sum;
                                   });
}

TEST(PtxArithmetic, Bits) {
  using U = uint32_t;
  Check<U, U, U>("and.b32 $d, $a, $b;", [](U a, U b) { return a & b; });
  Check<U, U, U>("or.b32 $d, $a, $b;", [](U a, U b) { return a | b; });
  Check<U, U, U>("xor.b32 $d, $a, $b;", [](U a, U b) { return a ^ b; });
  Check<U, U, U>("not.b32 $d, $a;", [](U a, U) { return ~a; });
  Check<U, U, U>("shl.b32 $d, $a, $b;", [](U a, U n) { return n > 31 ? 0 : a << n; });
  Check<U, U, U>("popc.b32 $d, $a;", [](U a, U) { return U(std::popcount(a)); });
  Check<U, U, U>("clz.b32 $d, $a;", [](U a, U) { return U(std::countl_zero(a)); });
  Check<U, uint64_t, U>("clz.b64 $d, $a;", [](uint64_t a, U) { return U(std::countl_zero(a)); });
  Check<U, U, U>("bfind.u32 $d, $a;",
                 [](U a, U) { return a == 0 ? ~0u : 31 - std::countl_zero(a); });
  Check<U, U, U>("brev.b32 $d, $a;", [](U a, U) {
    U out = 0;
    for (int k = 0; k < 32; ++k) out |= (a >> k & 1) << (31 - k);
    return out;
  });
  Check<U, U, U>("bfe.u32 $d, $a, 5, 9;", [](U a, U) { return a >> 5 & 0x1ff; });
  Check<int32_t, int32_t, U>("bfe.s32 $d, $a, 24, 8;", [](int32_t a, U) { return a >> 24; });
  Check<int32_t, int32_t, U>("bfe.s32 $d, $a, 28, 8;", [](int32_t a, U) { return a >> 28; });
  Check<U, U, U>("bfi.b32 $d, $a, $b, 8, 12;",
                 [](U a, U b) { return (b & ~0xfff00u) | (a & 0xfff) << 8; });
  Check<U, U, U>("prmt.b32 $d, $a, $b, 0x5410;", [](U a, U b) { return (a & 0xffff) | b << 16; });
  Check<U, U, U>("prmt.b32 $d, $a, $b, 0x8888;", [](U a, U) { return (a & 0x80) != 0 ? ~0u : 0u; });
  Check<U, U, U>("shf.l.wrap.b32 $d, $a, $a, $b;", [](U a, U b) { return std::rotl(a, b & 31); });
  Check<U, U, U>("shf.r.clamp.b32 $d, $a, $b, 40;", [](U, U b) { return b; });
  Check<U, U, U>("lop3.b32 $d, $a, $b, $a, 0x3c;", [](U a, U b) { return a ^ b; });
  Check<uint64_t, U, U>("mov.b64 $d, {$a, $b};", [](U a, U b) { return uint64_t{b} << 32 | a; });
  Check<U, uint64_t, U>("mov.b64 {_, $d}, $a;", [](uint64_t a, U) { return U(a >> 32); });
}

template <typename T>
void CheckFloats(const std::string& type) {
  Check<T, T, T>("add.rn." + type + " $d, $a, $b;", [](T a, T b) { return a + b; });
  Check<T, T, T>("sub.rn." + type + " $d, $a, $b;", [](T a, T b) { return a - b; });
  Check<T, T, T>("mul.rn." + type + " $d, $a, $b;", [](T a, T b) { return a * b; });
  Check<T, T, T>("div.rn." + type + " $d, $a, $b;", [](T a, T b) { return a / b; });
  Check<T, T, T>("fma.rn." + type + " $d, $a, $b, $a;", [](T a, T b) { return std::fma(a, b, a); });
  Check<T, T, T>("sqrt.rn." + type + " $d, $a;", [](T a, T) { return std::sqrt(a); });
  Check<T, T, T>("rcp.rn." + type + " $d, $a;", [](T a, T) { return 1 / a; });
  Check<T, T, T>("neg." + type + " $d, $a;", [](T a, T) { return -a; });
  Check<T, T, T>("abs." + type + " $d, $a;", [](T a, T) { return std::fabs(a); });
  Check<T, T, T>("copysign." + type + " $d, $a, $b;", [](T a, T b) { return std::copysign(b, a); });
  Check<T, T, T>("max." + type + " $d, $a, $b;", [](T a, T b) {
    if (a == 0 && b == 0) return std::signbit(a) ? b : a;
    return std::fmax(a, b);
  });
  Check<uint32_t, T, T>("setp.ltu." + type + " %p1, $a, $b;\nselp.b32 $d, 1, 0, %p1;",
                        [](T a, T b) { return uint32_t{!(a >= b)}; });
  Check<uint32_t, T, T>("setp.ne." + type + " %p1, $a, $b;\nselp.b32 $d, 1, 0, %p1;",
                        [](T a, T b) { return uint32_t{a < b || a > b}; });
  Check<uint32_t, T, T>("setp.nan." + type + " %p1, $a, $b;\nselp.b32 $d, 1, 0, %p1;",
                        [](T a, T b) { return uint32_t{std::isnan(a) || std::isnan(b)}; });
  Check<int32_t, T, T>("cvt.rzi.s32." + type + " $d, $a;", [](T a, T) {
    if (std::isnan(a)) return sizeof(T) == 8 ? INT32_MIN : 0;
    return a >= T(2147483648.0) ? INT32_MAX : a <= T(-2147483648.0) ? INT32_MIN : int32_t(a);
  });
  Check<int64_t, T, T>("cvt.rni.s64." + type + " $d, $a;", [](T a, T) {
    if (std::isnan(a)) return INT64_MIN;
    const double x = std::nearbyint(a);
    return x >= 0x1p63 ? INT64_MAX : x < -0x1p63 ? INT64_MIN : int64_t(x);
  });
  Check<T, T, T>("cvt.rmi." + type + "." + type + " $d, $a;", [](T a, T) { return std::floor(a); });
  Check<T, int64_t, T>("cvt.rn." + type + ".s64 $d, $a;", [](int64_t a, T) { return T(a); });
  Check<T, uint64_t, T>("cvt.rn." + type + ".u64 $d, $a;", [](uint64_t a, T) { return T(a); });
}

TEST(PtxArithmetic, Floats) {
  CheckFloats<float>("f32");
  CheckFloats<double>("f64");
  Check<float, double, float>("cvt.rn.f32.f64 $d, $a;", [](double a, float) { return float(a); });
  Check<double, float, float>("cvt.f64.f32 $d, $a;", [](float a, float) { return double(a); });
  // Rounds an inexact quotient down and up.
  Check<uint32_t, float, float>(
      "div.rm.f32 %r7, $a, $b;\ndiv.rp.f32 %r8, $a, $b;\ndiv.rn.f32 %r9, $a, $b;\n"
      "setp.eq.b32 %p1, %r7, %r9;\nsetp.eq.b32 %p2, %r8, %r9;\nor.pred %p3, %p1, %p2;\n"
      "selp.b32 $d, 1, 0, %p3;",
      [](float, float) { return 1u; });
  Check<float, float, float>("add.rn.sat.f32 $d, $a, $b;", [](float a, float b) {
    return a + b > 0 ? std::fmin(a + b, 1.0f) : 0.0f;
  });
  Check<float, float, float>("mul.rn.ftz.f32 $d, $a, 0f3F800000;", [](float a, float) {
    return std::isfinite(a) && std::fabs(a) < 0x1p-126f ? std::copysign(0.0f, a) : a;
  });
}

TEST(PtxArithmetic, NansOfF32AreCanonical) {
  const std::vector<uint32_t> nan(32, 0xffc12345);
  for (uint32_t x : Apply<uint32_t>("add.rn.f32 $d, $a, $b;", nan, nan)) EXPECT_EQ(x, 0x7fffffffu);
}

TEST(PtxArithmetic, Halves) {
  for (uint32_t half = 0; half < 0x10000; ++half) {  // all of them, in both directions
    const float value = HalfToFloat(static_cast<uint16_t>(half));
    if (std::isnan(value)) continue;
    ASSERT_EQ(DoubleToHalf(value), half);
    ASSERT_EQ(value, static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(half))));
  }
  for (const float x :
       {1e-8f, 5.9604645e-8f, 2.98e-8f, 6.1e-5f, 65519.f, 65520.f, 1.00049f, 0.1f}) {
    ASSERT_EQ(DoubleToHalf(x), std::bit_cast<uint16_t>(static_cast<_Float16>(x))) << x;
  }
  Check<uint16_t, uint16_t, uint16_t>("add.rn.f16 $d, $a, $b;", [](uint16_t a, uint16_t b) {
    const float sum = HalfToFloat(a) + HalfToFloat(b);
    return std::isnan(sum) ? uint16_t{0x7fff} : std::bit_cast<uint16_t>(static_cast<_Float16>(sum));
  });
  Check<uint16_t, float, float>("cvt.rn.f16.f32 $d, $a;", [](float a, float) {
    return std::isnan(a) ? uint16_t{0x7fff} : std::bit_cast<uint16_t>(static_cast<_Float16>(a));
  });
  Check<uint32_t, float, float>("cvt.rn.bf16x2.f32 $d, $a, $b;", [](float a, float b) {
    return uint32_t{FloatToBf16(a)} << 16 | FloatToBf16(b);
  });
}

TEST(PtxArithmetic, IntegerConversions) {
  Check<uint64_t, uint32_t, uint32_t>("cvt.u64.u32 $d, $a;",
                                      [](uint32_t a, uint32_t) { return uint64_t{a}; });
  Check<int64_t, int32_t, int32_t>("cvt.s64.s32 $d, $a;",
                                   [](int32_t a, int32_t) { return int64_t{a}; });
  Check<int32_t, int32_t, int32_t>("cvt.s32.s8 $d, $a;",
                                   [](int32_t a, int32_t) { return int32_t{int8_t(a)}; });
  Check<uint32_t, uint64_t, uint32_t>("cvt.u32.u64 $d, $a;",
                                      [](uint64_t a, uint32_t) { return uint32_t(a); });
  Check<int32_t, int32_t, int32_t>("cvt.sat.s8.s32 $d, $a;", [](int32_t a, int32_t) {
    return std::min(127, std::max(-128, a));
  });
  Check<uint32_t, int32_t, int32_t>("cvt.sat.u8.s32 $d, $a;", [](int32_t a, int32_t) {
    return uint32_t(std::min(255, std::max(0, a)));
  });
}

}  // namespace
}  // namespace halyard::testing::ptx
