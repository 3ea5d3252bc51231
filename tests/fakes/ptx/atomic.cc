// atom and red (PTX ISA 9.7.13.5, 9.7.13.6), one operation at a time. Only fences give them an
// order with other accesses here, whatever their own semantics.
#include <algorithm>

#include "tests/fakes/ptx/access.h"
#include "tests/fakes/ptx/half.h"
#include "tests/fakes/ptx/ops.h"

namespace halyard::testing::ptx {
namespace {

enum Operation : uint8_t { kAdd, kMin, kMax, kAnd, kOr, kXor, kExch, kCas, kInc, kDec };

template <typename T>
T Combine(int operation, T old, T b, T c) {
  if constexpr (std::is_floating_point_v<T>) {
    return operation == kAdd ? old + b : operation == kExch ? b : old;
  } else {
    switch (operation) {
      case kAdd:
        return static_cast<T>(static_cast<uint64_t>(old) + static_cast<uint64_t>(b));
      case kMin:
        return std::min(old, b);
      case kMax:
        return std::max(old, b);
      case kAnd:
        return old & b;
      case kOr:
        return old | b;
      case kXor:
        return old ^ b;
      case kExch:
        return b;
      case kCas:
        return old == b ? c : old;
      case kInc:
        return old >= b ? T{0} : static_cast<T>(old + 1);
      default:
        return old == 0 || old > b ? b : static_cast<T>(old - 1);
    }
  }
}

template <typename T>
void Atomic(Warp& warp, const Instruction& i, uint32_t mask) {
  T out[kLanes] = {};
  std::lock_guard<std::mutex> lock(warp.block->global->atomics);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    Access access;
    access.kind = Access::Kind::kAtomic;
    access.bytes = sizeof(T);
    access.address = AddressOf(warp, i, lane);
    uint8_t* place = Place(warp, i, access, lane);
    T old;
    std::memcpy(&old, place, sizeof(T));
    const T fresh = Combine<T>(i.mode, old, warp.Lanes<T>(i.b)[lane],
                               i.c == 0 ? T{0} : warp.Lanes<T>(i.c)[lane]);
    std::memcpy(place, &fresh, sizeof(T));
    out[lane] = old;
    if (i.space == Space::kGlobal) {
      warp.block->order.Atomic(access.address, warp.first_thread + static_cast<uint32_t>(lane),
                               warp.block->released);
    }
  }
  if (i.dst != 0) Store(warp, i.dst, mask, out);
}

}  // namespace

bool DecodeAtomic(Decoder& d, Instruction* out) {
  const std::string& name = d.name();
  if (name != "atom" && name != "red") return false;
  d.TakeOneOf({"relaxed", "acquire", "release", "acq_rel"});
  d.TakeOneOf({"cta", "cluster", "gpu", "sys"});
  TakeSpace(d, out);
  if (out->space == Space::kLocal || out->space == Space::kParam || out->space == Space::kConst) {
    d.Fail("no atomics there");
  }
  const int operation =
      d.TakeOneOf({"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"});
  if (operation < 0) d.Fail("unknown atomic");
  const Type type = d.TakeType();
  if (type.bits < 32 || (!type.IsInteger() && type.kind != 'f')) d.Fail("unknown type");
  if (type.kind == 'f' && operation != kAdd) d.Fail("unknown type");
  if ((operation >= kInc && !type.Is("u32")) || (operation <= kMax && type.kind == 'b')) {
    d.Fail("unknown type");
  }
  out->mode = static_cast<uint8_t>(operation);
  if (name == "atom") {
    const std::string to = d.TakeText();
    if (to != "_") out->dst = d.RegisterAt(to, type.bits);
  } else if (operation == kExch || operation == kCas) {
    d.Fail("unknown reduction");
  }
  d.Address(out);
  out->b = d.Source(type);
  if (operation == kCas) out->c = d.Source(type);
  const bool wide = type.bits == 64;
  if (type.kind == 'f') {
    out->run = wide ? Atomic<double> : Atomic<float>;
  } else if (type.kind == 's') {
    out->run = wide ? Atomic<int64_t> : Atomic<int32_t>;
  } else {
    out->run = wide ? Atomic<uint64_t> : Atomic<uint32_t>;
  }
  return true;
}

}  // namespace halyard::testing::ptx
