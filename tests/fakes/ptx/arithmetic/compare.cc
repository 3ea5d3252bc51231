// Comparison and selection (PTX ISA 9.7.6).
#include <cmath>

#include "tests/fakes/ptx/half.h"
#include "tests/fakes/ptx/ops.h"

namespace halyard::testing::ptx {
namespace {

enum Comparison : uint8_t {
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kLo,
  kLs,
  kHi,
  kHs,
  kEqu,
  kNeu,
  kLtu,
  kLeu,
  kGtu,
  kGeu,
  kNum,
  kNan
};

template <typename T>
bool Compare(int comparison, T a, T b) {
  bool unordered = false;
  if constexpr (std::is_floating_point_v<T>) unordered = std::isnan(a) || std::isnan(b);
  switch (comparison) {
    case kEq:
      return a == b;
    case kNe:
      return !unordered && a != b;
    case kLt:
    case kLo:
      return a < b;
    case kLe:
    case kLs:
      return a <= b;
    case kGt:
    case kHi:
      return a > b;
    case kGe:
    case kHs:
      return a >= b;
    case kEqu:
      return unordered || a == b;
    case kNeu:
      return unordered || a != b;
    case kLtu:
      return unordered || a < b;
    case kLeu:
      return unordered || a <= b;
    case kGtu:
      return unordered || a > b;
    case kGeu:
      return unordered || a >= b;
    case kNum:
      return !unordered;
    default:
      return unordered;
  }
}

template <typename T>
T LoadValue(T value) {
  return value;
}
struct F16 {
  uint16_t bits;
};
struct B16 {
  uint16_t bits;
};
inline float LoadValue(F16 value) { return HalfToFloat(value.bits); }
inline float LoadValue(B16 value) { return Bf16ToFloat(value.bits); }

template <typename T, int kComparison>
uint32_t CompareLanes(Warp& warp, const Instruction& i) {
  const T* a = warp.Lanes<T>(i.a);
  const T* b = warp.Lanes<T>(i.b);
  uint32_t result = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    result |= uint32_t{Compare(kComparison, LoadValue(a[lane]), LoadValue(b[lane]))} << lane;
  }
  return result;
}
template <typename T>
uint32_t CompareLanes(Warp& warp, const Instruction& i, int comparison) {
  switch (comparison) {
    case kEq:
      return CompareLanes<T, kEq>(warp, i);
    case kNe:
      return CompareLanes<T, kNe>(warp, i);
    case kLt:
      return CompareLanes<T, kLt>(warp, i);
    case kLe:
      return CompareLanes<T, kLe>(warp, i);
    case kGt:
      return CompareLanes<T, kGt>(warp, i);
    case kGe:
      return CompareLanes<T, kGe>(warp, i);
    case kLo:
      return CompareLanes<T, kLo>(warp, i);
    case kLs:
      return CompareLanes<T, kLs>(warp, i);
    case kHi:
      return CompareLanes<T, kHi>(warp, i);
    case kHs:
      return CompareLanes<T, kHs>(warp, i);
    case kEqu:
      return CompareLanes<T, kEqu>(warp, i);
    case kNeu:
      return CompareLanes<T, kNeu>(warp, i);
    case kLtu:
      return CompareLanes<T, kLtu>(warp, i);
    case kLeu:
      return CompareLanes<T, kLeu>(warp, i);
    case kGtu:
      return CompareLanes<T, kGtu>(warp, i);
    case kGeu:
      return CompareLanes<T, kGeu>(warp, i);
    case kNum:
      return CompareLanes<T, kNum>(warp, i);
    default:
      return CompareLanes<T, kNan>(warp, i);
  }
}

// Combines a comparison with predicate c. mode: the comparison, and from bit 5 on how to combine
// (0: no combination, and, or, xor).
uint32_t Combine(Warp& warp, const Instruction& i, uint32_t result) {
  if (i.mode >> 5 == 0) return result;
  uint32_t c = warp.Predicate(i.c);
  if (i.negated) c = ~c;
  return i.mode >> 5 == 1 ? result & c : i.mode >> 5 == 2 ? result | c : result ^ c;
}

template <typename T>
void SetPredicate(Warp& warp, const Instruction& i, uint32_t mask) {
  const uint32_t plain = CompareLanes<T>(warp, i, i.mode & 31);
  const uint32_t first = Combine(warp, i, plain), second = Combine(warp, i, ~plain);
  if (i.dst != 0) {
    uint32_t& out = warp.Predicate(i.dst);
    out = (out & ~mask) | (first & mask);
  }
  if (i.dst2 != 0) {
    uint32_t& out = warp.Predicate(i.dst2);
    out = (out & ~mask) | (second & mask);
  }
}

// set: the value of true, all ones or 1.0, is in `offset`.
template <typename T>
void SetValue(Warp& warp, const Instruction& i, uint32_t mask) {
  const uint32_t result = Combine(warp, i, CompareLanes<T>(warp, i, i.mode & 31));
  uint32_t out[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    out[lane] = (result >> lane & 1) != 0 ? static_cast<uint32_t>(i.offset) : 0;
  }
  Store(warp, i.dst, mask, out);
}

template <typename T>
void Select(Warp& warp, const Instruction& i, uint32_t mask) {
  const T* a = warp.Lanes<T>(i.a);
  const T* b = warp.Lanes<T>(i.b);
  const uint32_t chosen = warp.Predicate(i.c);
  T out[kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
    out[lane] = (chosen >> lane & 1) != 0 ? a[lane] : b[lane];
  Store(warp, i.dst, mask, out);
}

// testp: finite, infinite, number, notanumber, normal, subnormal.
template <typename T>
void TestProperty(Warp& warp, const Instruction& i, uint32_t mask) {
  const T* a = warp.Lanes<T>(i.a);
  uint32_t result = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const T x = a[lane];
    const bool tests[] = {std::isfinite(x), std::isinf(x),    !std::isnan(x),
                          std::isnan(x),    std::isnormal(x), std::fpclassify(x) == FP_SUBNORMAL};
    result |= uint32_t{tests[i.mode]} << lane;
  }
  uint32_t& out = warp.Predicate(i.dst);
  out = (out & ~mask) | (result & mask);
}

// slct: selects a where c >= 0, else b.
template <typename T, typename C>
void SelectBySign(Warp& warp, const Instruction& i, uint32_t mask) {
  Map3<T, T, T, C>(warp, i, mask, [](T a, T b, C c) { return c >= 0 ? a : b; });
}

Handler ForType(Decoder& d, Type type, bool predicate) {
#define HY_SET(T) (predicate ? Handler{SetPredicate<T>} : Handler{SetValue<T>})
  switch (type.kind) {
    case 's':
      return ByBits(type.bits, HY_SET(int16_t), HY_SET(int32_t), HY_SET(int64_t));
    case 'u':
    case 'b':
      return ByBits(type.bits, HY_SET(uint16_t), HY_SET(uint32_t), HY_SET(uint64_t));
    case 'f':
      return ByBits(type.bits, HY_SET(F16), HY_SET(float), HY_SET(double));
    case 'B':
      return HY_SET(B16);
    default:
      d.Fail("unknown type");
  }
}

void DecodeSet(Decoder& d, Instruction* out) {
  const bool predicate = d.name() == "setp";
  const int comparison = d.TakeOneOf({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
                                      "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  if (comparison < 0) d.Fail("unknown comparison");
  const int combination = d.TakeOneOf({"and", "or", "xor"}) + 1;
  if (d.Take("ftz")) d.Fail(".ftz is not known here");
  Type result{'p', 1};
  if (!predicate) result = d.TakeType();
  const Type type = d.TakeType();
  const bool is_float = type.kind == 'f' || type.kind == 'B';
  if (comparison >= kEqu && !is_float) d.Fail("a comparison of floats");
  if (comparison >= kLo && comparison <= kHs && type.kind == 's') d.Fail("an unsigned comparison");
  if (comparison >= kLt && type.kind == 'b') d.Fail("bits have no order");
  out->mode = static_cast<uint8_t>(comparison | combination << 5);
  out->run = ForType(d, type, predicate);
  if (out->run == nullptr) d.Fail("unknown type");
  if (predicate) {
    const std::string text = d.TakeText();
    const size_t bar = text.find('|');
    const std::string first = Strip(text.substr(0, bar));
    if (first != "_") out->dst = d.RegisterAt(first, 1);
    if (bar != std::string::npos) {
      const std::string second = Strip(text.substr(bar + 1));
      if (second != "_") out->dst2 = d.RegisterAt(second, 1);
    }
  } else {
    if (result.bits != 32 || (result.kind != 'u' && result.kind != 's' && result.kind != 'f')) {
      d.Fail("unknown type");
    }
    out->offset = result.kind == 'f' ? 0x3f800000 : 0xffffffff;
    out->dst = d.Destination(32);
  }
  out->a = d.Source(type);
  out->b = d.Source(type);
  if (combination != 0) out->c = d.Predicate(&out->negated);
}

}  // namespace

bool DecodeCompare(Decoder& d, Instruction* out) {
  const std::string& name = d.name();
  if (name == "setp" || name == "set") {
    DecodeSet(d, out);
    return true;
  }
  if (name == "selp") {
    const Type type = d.TakeType();
    if (type.bits < 16) d.Fail("unknown type");
    Operands(d, type, 2, out);
    bool negated = false;
    out->c = d.Predicate(&negated);
    if (negated) std::swap(out->a, out->b);
    out->run = ByBits(type.bits, Select<uint16_t>, Select<uint32_t>, Select<uint64_t>);
    return true;
  }
  if (name == "slct") {
    const Type type = d.TakeType(), by = d.TakeType();
    Operands(d, type, 2, out);
    out->c = d.Source(by);
    if (by.Is("s32")) {
      out->run = ByBits(type.bits, SelectBySign<uint16_t, int32_t>, SelectBySign<uint32_t, int32_t>,
                        SelectBySign<uint64_t, int32_t>);
    } else if (by.Is("f32")) {
      out->run = ByBits(type.bits, SelectBySign<uint16_t, float>, SelectBySign<uint32_t, float>,
                        SelectBySign<uint64_t, float>);
    }
    if (out->run == nullptr) d.Fail("unknown type");
    return true;
  }
  if (name == "testp") {
    const int test =
        d.TakeOneOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
    if (test < 0) d.Fail("unknown test");
    const Type type = d.TakeType();
    if (type.kind != 'f' || type.bits == 16) d.Fail("unknown type");
    out->mode = static_cast<uint8_t>(test);
    out->dst = d.PredicateDestination();
    out->a = d.Source(type);
    out->run = type.bits == 32 ? TestProperty<float> : TestProperty<double>;
    return true;
  }
  return false;
}

}  // namespace halyard::testing::ptx
