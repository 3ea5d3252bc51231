// Logic, shifts, bit fields and moves (PTX ISA 9.7.1, 9.7.7, 9.7.9.1 to 9.7.9.8).
#include <algorithm>

#include "tests/fakes/ptx/ops.h"

namespace halyard::testing::ptx {
namespace {

template <typename T>
T And(T a, T b) {
  return a & b;
}
template <typename T>
T Or(T a, T b) {
  return a | b;
}
template <typename T>
T Xor(T a, T b) {
  return a ^ b;
}
template <typename T>
T Not(T a) {
  return static_cast<T>(~a);
}
template <typename T>
T CNot(T a) {
  return a == 0;
}
template <typename T>
T Copy(T a) {
  return a;
}

// Shift amounts have 32 bits and are clamped to the width.
template <typename T>
void ShiftLeft(Warp& warp, const Instruction& i, uint32_t mask) {
  Map2<T, T, uint32_t>(warp, i, mask, [](T a, uint32_t n) {
    return n >= 8 * sizeof(T) ? T{0} : static_cast<T>(a << n);
  });
}
template <typename T>
void ShiftRight(Warp& warp, const Instruction& i, uint32_t mask) {
  Map2<T, T, uint32_t>(warp, i, mask, [](T a, uint32_t n) {
    constexpr uint32_t kBits = 8 * sizeof(T);
    if (n >= kBits) n = std::is_signed_v<T> ? kBits - 1 : kBits;
    return n >= kBits ? T{0} : static_cast<T>(a >> n);
  });
}

// shf (9.7.7.6): shifts the 64 bits {b, a}. Bit 0 of mode: to the right. Bit 1: clamp.
void Funnel(Warp& warp, const Instruction& i, uint32_t mask) {
  Map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      warp, i, mask, [mode = i.mode](uint32_t a, uint32_t b, uint32_t c) {
        const uint32_t n = (mode & 2) != 0 ? std::min(c, 32u) : c & 31;
        const uint64_t both = uint64_t{b} << 32 | a;
        return static_cast<uint32_t>((mode & 1) != 0 ? both >> n : both << n >> 32);
      });
}

template <typename T>
uint32_t CountOnes(T a) {
  return static_cast<uint32_t>(__builtin_popcountll(a));
}
template <typename T>
uint32_t LeadingZeros(T a) {
  constexpr int kBits = 8 * sizeof(T);
  return a == 0 ? kBits : static_cast<uint32_t>(__builtin_clzll(a) - (64 - kBits));
}
template <typename T, uint32_t (*F)(T)>
void Count(Warp& warp, const Instruction& i, uint32_t mask) {
  Map1<uint32_t, T>(warp, i, mask, F);
}
// bfind (9.7.1.17): finds the highest bit that is not a sign bit, or 0xffffffff if there is none.
// Mode 1: .shiftamt.
template <typename T>
void FindHighest(Warp& warp, const Instruction& i, uint32_t mask) {
  Map1<uint32_t, T>(warp, i, mask, [mode = i.mode](T a) {
    using U = std::make_unsigned_t<T>;
    const U bits = std::is_signed_v<T> && a < 0 ? static_cast<U>(~a) : static_cast<U>(a);
    if (bits == 0) return ~uint32_t{0};
    const uint32_t zeros = LeadingZeros<U>(bits);
    return mode == 1 ? zeros : static_cast<uint32_t>(8 * sizeof(T)) - 1 - zeros;
  });
}
template <typename T>
T Reverse(T a) {
  T out = 0;
  for (size_t bit = 0; bit < 8 * sizeof(T); ++bit) out = static_cast<T>(out << 1 | (a >> bit & 1));
  return out;
}

// bfe (9.7.1.19), bfi (9.7.1.20): position and length are the low bytes of their operands.
template <typename T>
void Extract(Warp& warp, const Instruction& i, uint32_t mask) {
  Map3<T, T, uint32_t, uint32_t>(warp, i, mask, [](T a, uint32_t b, uint32_t c) {
    constexpr uint32_t kTop = 8 * sizeof(T) - 1;
    const uint32_t position = b & 0xff, length = c & 0xff;
    bool sign = false;
    if (std::is_signed_v<T> && length != 0) {
      const uint32_t at = position + length - 1;
      sign = (static_cast<std::make_unsigned_t<T>>(a) >> (at < kTop ? at : kTop) & 1) != 0;
    }
    std::make_unsigned_t<T> out = 0;
    for (uint32_t bit = 0; bit <= kTop; ++bit) {
      const uint32_t from = position + bit;
      const bool set = bit < length && from <= kTop
                           ? (static_cast<std::make_unsigned_t<T>>(a) >> from & 1) != 0
                           : sign;
      out |= std::make_unsigned_t<T>{set} << bit;
    }
    return static_cast<T>(out);
  });
}
template <typename T>
void Insert(Warp& warp, const Instruction& i, uint32_t mask) {
  const T* b = warp.Lanes<T>(i.b);
  const uint32_t* c = warp.Lanes<uint32_t>(i.c);
  const uint32_t* d = warp.Lanes<uint32_t>(i.d);
  const T* a = warp.Lanes<T>(i.a);
  T out[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    out[lane] = b[lane];
    const uint32_t position = c[lane] & 0xff, length = d[lane] & 0xff;
    for (uint32_t bit = 0; bit < length && position + bit < 8 * sizeof(T); ++bit) {
      const T one = T{1} << (position + bit);
      out[lane] = (a[lane] >> bit & 1) != 0 ? out[lane] | one : out[lane] & ~one;
    }
  }
  Store(warp, i.dst, mask, out);
}

// prmt (9.7.9.7), in its general form.
uint32_t Permute(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t bytes = uint64_t{b} << 32 | a;
  uint32_t out = 0;
  for (int k = 0; k < 4; ++k) {
    const uint32_t select = selector >> 4 * k & 0xf;
    uint32_t byte = bytes >> 8 * (select & 7) & 0xff;
    if ((select & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    out |= byte << 8 * k;
  }
  return out;
}

// lop3 (9.7.7.5): bit k of the table is the result where the bits (a, b, c) form the number k.
void Lop3(Warp& warp, const Instruction& i, uint32_t mask) {
  Map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      warp, i, mask, [table = static_cast<uint32_t>(i.offset)](uint32_t a, uint32_t b, uint32_t c) {
        uint32_t out = 0;
        for (uint32_t k = 0; k < 8; ++k) {
          if ((table >> k & 1) == 0) continue;
          out |= ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c);
        }
        return out;
      });
}

// Predicates are masks of lanes. mode: and, or, xor, not, mov.
void Logic(Warp& warp, const Instruction& i, uint32_t mask) {
  const uint32_t a = warp.Predicate(i.a), b = i.b == 0 ? 0 : warp.Predicate(i.b);
  const uint32_t results[] = {a & b, a | b, a ^ b, ~a, a};
  uint32_t& out = warp.Predicate(i.dst);
  out = (out & ~mask) | (results[i.mode] & mask);
}

// mov between a register and a vector of narrower registers. The first element has the lowest bits.
template <typename T, typename E>
void Pack(Warp& warp, const Instruction& i, uint32_t mask) {
  T out[kLanes] = {};
  for (size_t k = 0; k < i.list.size(); ++k) {
    const E* from = warp.Lanes<E>(i.list[k]);
    for (int lane = 0; lane < kLanes; ++lane) {
      out[lane] |= static_cast<T>(static_cast<T>(from[lane]) << (8 * sizeof(E) * k));
    }
  }
  Store(warp, i.dst, mask, out);
}
template <typename T, typename E>
void Unpack(Warp& warp, const Instruction& i, uint32_t mask) {
  T from[kLanes];
  std::memcpy(from, warp.Lanes<T>(i.a), sizeof(from));
  for (size_t k = 0; k < i.list.size(); ++k) {
    if (i.list[k] == 0) continue;  // "_"
    E out[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
      out[lane] = static_cast<E>(from[lane] >> (8 * sizeof(E) * k));
    }
    Store(warp, i.list[k], mask, out);
  }
}

void DecodeMove(Decoder& d, Instruction* out) {
  const Type type = d.TakeType();
  if (type.kind == 'p') {
    bool negated = false;
    out->dst = d.PredicateDestination();
    out->a = d.Predicate(&negated);
    if (negated) d.Fail("unknown operand");
    out->mode = 4;
    out->run = Logic;
    return;
  }
  const std::vector<std::string> to = d.Vector();
  const std::vector<std::string> from = d.Vector();
  const int parts = static_cast<int>(std::max(to.size(), from.size()));
  if (parts == 1) {
    out->dst = d.RegisterAt(to[0], type.bits);
    out->a = d.SourceAt(from[0], type);
    out->run = ByBits(type.bits, Unary<uint16_t, Copy<uint16_t>>, Unary<uint32_t, Copy<uint32_t>>,
                      Unary<uint64_t, Copy<uint64_t>>);
    return;
  }
  if ((to.size() > 1 && from.size() > 1) || type.bits % parts != 0) d.Fail("unknown vector");
  const int part_bits = type.bits / parts;
  const bool pack = from.size() > 1;
  if (pack) {
    out->dst = d.RegisterAt(to[0], type.bits);
    for (const std::string& name : from) {
      out->list.push_back(d.SourceAt(name, Type{'b', part_bits}));
    }
  } else {
    out->a = d.SourceAt(from[0], type);
    for (const std::string& name : to) {
      out->list.push_back(name == "_" ? 0 : d.RegisterAt(name, part_bits));
    }
  }
  if (type.bits == 64 && parts == 2) {
    out->run = pack ? Pack<uint64_t, uint32_t> : Unpack<uint64_t, uint32_t>;
  } else if (type.bits == 64 && parts == 4) {
    out->run = pack ? Pack<uint64_t, uint16_t> : Unpack<uint64_t, uint16_t>;
  } else if (type.bits == 32 && parts == 2) {
    out->run = pack ? Pack<uint32_t, uint16_t> : Unpack<uint32_t, uint16_t>;
  } else {
    d.Fail("unknown vector");
  }
}

bool DecodeShift(Decoder& d, Instruction* out) {
  const std::string& name = d.name();
  const Type amount{'u', 32};
  if (name == "shf") {
    const int direction = d.TakeOneOf({"l", "r"}), kind = d.TakeOneOf({"wrap", "clamp"});
    if (direction < 0 || kind < 0) d.Fail("unknown shf");
    if (d.TakeType().bits != 32) d.Fail("unknown type");
    out->mode = static_cast<uint8_t>(direction | kind << 1);
    Operands(d, amount, 3, out);
    out->run = Funnel;
    return true;
  }
  if (name != "shl" && name != "shr") return false;
  const Type type = d.TakeType();
  if (!type.IsInteger() || type.bits < 16) d.Fail("unknown type");
  out->dst = d.Destination(type.bits);
  out->a = d.Source(type);
  out->b = d.Source(amount);
  if (name == "shl") {
    out->run = ByBits(type.bits, ShiftLeft<uint16_t>, ShiftLeft<uint32_t>, ShiftLeft<uint64_t>);
  } else if (type.kind == 's') {
    out->run = ByBits(type.bits, ShiftRight<int16_t>, ShiftRight<int32_t>, ShiftRight<int64_t>);
  } else {
    out->run = ByBits(type.bits, ShiftRight<uint16_t>, ShiftRight<uint32_t>, ShiftRight<uint64_t>);
  }
  return true;
}

bool DecodeField(Decoder& d, Instruction* out) {
  const std::string& name = d.name();
  const Type word{'b', 32};
  if (name == "popc" || name == "clz" || name == "brev" || name == "bfind") {
    const bool amount = name == "bfind" && d.Take("shiftamt");
    const Type type = d.TakeType();
    if (!type.IsInteger() || type.bits < 32) d.Fail("unknown type");
    out->mode = amount;
    out->dst = d.Destination(name == "brev" ? type.bits : 32);
    out->a = d.Source(type);
    const bool wide = type.bits == 64, is_signed = type.kind == 's';
    if (name == "popc") {
      out->run = wide ? Count<uint64_t, CountOnes<uint64_t>> : Count<uint32_t, CountOnes<uint32_t>>;
    } else if (name == "clz") {
      out->run =
          wide ? Count<uint64_t, LeadingZeros<uint64_t>> : Count<uint32_t, LeadingZeros<uint32_t>>;
    } else if (name == "brev") {
      out->run = wide ? Unary<uint64_t, Reverse<uint64_t>> : Unary<uint32_t, Reverse<uint32_t>>;
    } else if (wide) {
      out->run = is_signed ? FindHighest<int64_t> : FindHighest<uint64_t>;
    } else {
      out->run = is_signed ? FindHighest<int32_t> : FindHighest<uint32_t>;
    }
    return true;
  }
  if (name == "bfe" || name == "bfi") {
    const Type type = d.TakeType();
    if (!type.IsInteger() || type.bits < 32) d.Fail("unknown type");
    out->dst = d.Destination(type.bits);
    out->a = d.Source(type);
    out->b = name == "bfi" ? d.Source(type) : d.Source(word);
    out->c = d.Source(word);
    if (name == "bfi") out->d = d.Source(word);
    const bool wide = type.bits == 64, is_signed = type.kind == 's';
    if (name == "bfi") {
      out->run = wide ? Insert<uint64_t> : Insert<uint32_t>;
    } else if (is_signed) {
      out->run = wide ? Extract<int64_t> : Extract<int32_t>;
    } else {
      out->run = wide ? Extract<uint64_t> : Extract<uint32_t>;
    }
    return true;
  }
  if (name == "prmt" || name == "lop3") {
    if (d.TakeType().bits != 32) d.Fail("unknown type");
    Operands(d, word, 3, out);
    out->run = name == "prmt" ? Ternary<uint32_t, Permute> : Lop3;
    if (name == "lop3") out->offset = d.Immediate();
    return true;
  }
  return false;
}

}  // namespace

bool DecodeBits(Decoder& d, Instruction* out) {
  const std::string& name = d.name();
  if (name == "mov") {
    DecodeMove(d, out);
    return true;
  }
  const bool binary = name == "and" || name == "or" || name == "xor";
  if (!binary && name != "not" && name != "cnot") return DecodeShift(d, out) || DecodeField(d, out);
  const Type type = d.TakeType();
  if (type.kind == 'p') {
    bool negated[2] = {false, false};
    out->dst = d.PredicateDestination();
    out->a = d.Predicate(&negated[0]);
    if (binary) out->b = d.Predicate(&negated[1]);
    if (negated[0] || negated[1] || name == "cnot") d.Fail("unknown operand");
    out->mode = name == "and" ? 0 : name == "or" ? 1 : name == "xor" ? 2 : 3;
    out->run = Logic;
    return true;
  }
  if (type.kind != 'b' || type.bits < 16) d.Fail("unknown type");
  Operands(d, type, binary ? 2 : 1, out);
#define HY_BITS(H, F) \
  ByBits(type.bits, H<uint16_t, F<uint16_t>>, H<uint32_t, F<uint32_t>>, H<uint64_t, F<uint64_t>>)
  out->run = name == "and"   ? HY_BITS(Binary, And)
             : name == "or"  ? HY_BITS(Binary, Or)
             : name == "xor" ? HY_BITS(Binary, Xor)
             : name == "not" ? HY_BITS(Unary, Not)
                             : HY_BITS(Unary, CNot);
  return true;
}

}  // namespace halyard::testing::ptx
