// ld and st (PTX ISA 9.7.9.8 to 9.7.9.11), and the checks of every memory access.
#include "tests/fakes/ptx/access.h"

#include <algorithm>

#include "tests/fakes/ptx/ops.h"
#include "tests/fakes/ptx/proxy.h"

namespace halyard::testing::ptx {
namespace {

uint8_t* SharedPlace(Warp& warp, const Access& access, int lane) {
  SharedMemory& shared = warp.block->shared;
  const uint64_t at = access.address - kSharedBase;
  if (access.address < kSharedBase || at > shared.bytes.size() ||
      access.bytes > shared.bytes.size() - at) {
    throw Fault{Fault::Kind::kAddress, lane,
                "shared memory at " + std::to_string(static_cast<int64_t>(at)) + ", " +
                    std::to_string(access.bytes) + " bytes, of " +
                    std::to_string(shared.bytes.size())};
  }
  if (std::any_of(shared.pending.begin() + static_cast<ptrdiff_t>(at),
                  shared.pending.begin() + static_cast<ptrdiff_t>(at + access.bytes),
                  [](uint8_t pending) { return pending != 0; })) {
    throw Fault{Fault::Kind::kOther, lane,
                "shared memory at " + std::to_string(at) +
                    ": an asynchronous copy to it has not been waited for"};
  }
  if (access.kind != Access::Kind::kRead && shared.tracks_proxies)
    NoteGenericWrite(warp, lane, static_cast<uint32_t>(at), access.bytes);
  uint8_t* place = shared.bytes.data() + at;
  if (shared.shadow == nullptr) return place;
  Shadow* shadow = shared.shadow.get() + at;
  std::string wrong;
  if (access.kind == Access::Kind::kWrite) {
    wrong = CheckWrite(shadow, access.bytes, TagOf(warp, lane), place, access.fresh);
  } else {
    for (uint32_t k = 0; shared.check_uninitialised && k < access.bytes; ++k) {
      if (shadow[k].writer.load(std::memory_order_relaxed) == 0) wrong = "was never written";
    }
    if (wrong.empty() && access.kind == Access::Kind::kRead) {
      wrong = CheckRead(shadow, access.bytes, TagOf(warp, lane));
    }
  }
  if (wrong.empty()) return place;
  throw Fault{Fault::Kind::kOther, lane, "shared memory at " + std::to_string(at) + ": " + wrong};
}

uint8_t* LocalPlace(Warp& warp, const Access& access, int lane) {
  const uint32_t size = warp.block->function->local_bytes;
  const uint64_t at = access.address - kLocalBase;
  if (access.address < kLocalBase || at > size || access.bytes > size - at) {
    throw Fault{Fault::Kind::kAddress, lane,
                "local memory at " + std::to_string(static_cast<int64_t>(at)) + " of " +
                    std::to_string(size)};
  }
  return warp.local.data() + static_cast<size_t>(lane) * size + at;
}

uint8_t* GlobalPlace(Warp& warp, const Access& access, int lane) {
  GlobalMemory& memory = *warp.block->global;
  const GlobalMemory::Range* range = warp.range;
  if (range == nullptr || access.address - range->begin >= range->bytes ||
      access.bytes > range->bytes - (access.address - range->begin)) {
    range = memory.Find(access.address, access.bytes);
    if (range == nullptr) {
      throw Fault{Fault::Kind::kAddress, lane,
                  "global memory at " + memory.Describe(access.address) + ", " +
                      std::to_string(access.bytes) + " bytes"};
    }
    warp.range = range;
  }
  const bool writes = access.kind == Access::Kind::kWrite || access.kind == Access::Kind::kAtomic;
  if (writes && !range->writable) {
    throw Fault{Fault::Kind::kAddress, lane, "writes a constant"};
  }
  auto* place = reinterpret_cast<uint8_t*>(access.address);
  if (!memory.checks() || access.kind == Access::Kind::kAtomic) return place;
  const Tag tag = TagOf(warp, lane);
  const std::string wrong =
      memory.ForShadow(*range, access.address, access.bytes,
                       [&](Shadow* shadow, uint32_t bytes, uint32_t done) -> std::string {
                         if (writes)
                           return CheckWrite(shadow, bytes, tag, place + done, access.fresh + done,
                                             &warp.block->order);
                         // 9.7.9.9: .nc is for memory that the kernel does not write. Reading it
                         // before a write is harmless.
                         for (uint32_t k = 0; access.non_coherent && k < bytes; ++k) {
                           const Tag writer(shadow[k].writer.load(std::memory_order_relaxed));
                           if (!writer.none())
                             return "ld.global.nc reads what " + writer.Describe() + " wrote";
                         }
                         return CheckRead(shadow, bytes, tag, &warp.block->order);
                       });
  if (wrong.empty()) return place;
  throw Fault{Fault::Kind::kOther, lane,
              "global memory at " + memory.Describe(access.address) + ": " + wrong};
}

}  // namespace

Tag TagOf(const Warp& warp, int lane) {
  return Tag(warp.block->linear, warp.first_thread + static_cast<uint32_t>(lane),
             warp.block->shared.epoch, warp.warp_epoch);
}

uint64_t AddressOf(Warp& warp, const Instruction& i, int lane) {
  // 32-bit addresses wrap within their space.
  if (i.narrow_base) {
    return static_cast<uint32_t>(warp.Lanes<uint32_t>(i.a)[lane] + static_cast<uint64_t>(i.offset));
  }
  return warp.Lanes<uint64_t>(i.a)[lane] + static_cast<uint64_t>(i.offset);
}

uint8_t* Place(Warp& warp, const Instruction& i, Access access, int lane) {
  if ((access.address & (access.bytes - 1)) != 0) {
    throw Fault{Fault::Kind::kMisaligned, lane,
                "an access of " + std::to_string(access.bytes) + " bytes at " +
                    std::to_string(access.address % 4096) + " (mod 4096)"};
  }
  Space space = i.space;
  if (space == Space::kGeneric) {
    space = Space::kGlobal;
    if (access.address >> 56 == kSharedWindow >> 56) {
      space = Space::kShared;
      access.address -= kSharedWindow;
    } else if (access.address >> 56 == kLocalWindow >> 56) {
      space = Space::kLocal;
      access.address -= kLocalWindow;
    }
  }
  switch (space) {
    case Space::kShared:
      return SharedPlace(warp, access, lane);
    case Space::kLocal:
      return LocalPlace(warp, access, lane);
    case Space::kParam:
      if (access.address > warp.block->function->parameter_bytes ||
          access.bytes > warp.block->function->parameter_bytes - access.address) {
        throw Fault{Fault::Kind::kAddress, lane, "outside the parameters"};
      }
      return const_cast<uint8_t*>(warp.block->parameters) + access.address;
    default:
      return GlobalPlace(warp, access, lane);
  }
}

namespace {

// Loads from memory of type M into registers of type R. If R is wider, the value is sign-extended
// if M is signed, else zero-extended.
template <typename M, typename R>
void LoadLanes(Warp& warp, const Instruction& i, uint32_t mask) {
  Access access;
  access.bytes = static_cast<uint32_t>(sizeof(M)) * i.count;
  access.kind = Access::Kind::kRead;
  access.non_coherent = i.non_coherent;
  // The address register may also be a result. Each lane reads its own address first.
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    access.address = AddressOf(warp, i, lane);
    const uint8_t* from = Place(warp, i, access, lane);
    for (int k = 0; k < i.count; ++k) {
      if (i.list[k] == 0) continue;  // "_"
      M value;
      std::memcpy(&value, from + sizeof(M) * k, sizeof(M));
      warp.Lanes<R>(i.list[k])[lane] = static_cast<R>(value);
    }
  }
}

template <typename M, typename R>
void StoreLanes(Warp& warp, const Instruction& i, uint32_t mask) {
  Access access;
  access.bytes = static_cast<uint32_t>(sizeof(M)) * i.count;
  access.kind = Access::Kind::kWrite;
  M values[8];
  access.fresh = reinterpret_cast<const uint8_t*>(values);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    for (int k = 0; k < i.count; ++k) {
      values[k] = static_cast<M>(warp.Lanes<R>(i.list[k])[lane]);
    }
    access.address = AddressOf(warp, i, lane);
    std::memcpy(Place(warp, i, access, lane), values, access.bytes);
  }
}

template <typename M>
Handler ForWidth(int width, bool store) {
  if (width == 16) return store ? StoreLanes<M, uint16_t> : LoadLanes<M, uint16_t>;
  if (width == 32) return store ? StoreLanes<M, uint32_t> : LoadLanes<M, uint32_t>;
  return store ? StoreLanes<M, uint64_t> : LoadLanes<M, uint64_t>;
}
Handler AccessHandler(Type type, int width, bool store) {
  const bool is_signed = type.kind == 's' && !store;
  switch (type.bits) {
    case 8:
      return is_signed ? ForWidth<int8_t>(width, store) : ForWidth<uint8_t>(width, store);
    case 16:
      return is_signed ? ForWidth<int16_t>(width, store) : ForWidth<uint16_t>(width, store);
    case 32:
      return is_signed ? ForWidth<int32_t>(width, store) : ForWidth<uint32_t>(width, store);
    default:
      return ForWidth<uint64_t>(width, store);
  }
}

}  // namespace

void TakeSpace(Decoder& d, Instruction* out) {
  static constexpr Space kSpaces[] = {Space::kGlobal, Space::kShared, Space::kShared,
                                      Space::kLocal,  Space::kParam,  Space::kConst};
  const int space = d.TakeOneOf({"global", "shared", "shared::cta", "local", "param", "const"});
  out->space = space < 0 ? Space::kGeneric : kSpaces[space];
}

bool DecodeMemory(Decoder& d, Instruction* out) {
  const std::string& name = d.name();
  if (name != "ld" && name != "st" && name != "ldu") return false;
  const bool store = name == "st";
  if (name == "ldu") out->non_coherent = true;
  // Memory orders need no further handling: lanes of other threads are only seen across barriers
  // here.
  const int order = d.TakeOneOf({"weak", "volatile", "relaxed", "acquire", "release"});
  if (order > 1) d.TakeOneOf({"cta", "cluster", "gpu", "sys"});
  TakeSpace(d, out);
  if (d.Take("nc")) {
    if (store || out->space != Space::kGlobal) d.Fail("unknown .nc");
    out->non_coherent = true;
  }
  // These are cache hints.
  d.TakeOneOf({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  d.TakeOneOf({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
               "L1::no_allocate"});
  d.TakeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  const int vector = d.TakeOneOf({"v2", "v4", "v8"});
  const Type type = d.TakeType();
  if (type.kind == 'p' || type.kind == 'T' || type.kind == 'h') d.Fail("unknown type");
  if (store && (out->space == Space::kParam || out->space == Space::kConst)) {
    d.Fail("cannot store there");
  }
  out->count = static_cast<uint8_t>(vector < 0 ? 1 : 2 << vector);
  if (out->count * type.bits > 128) d.Fail("a vector of more than 128 bits");
  if (store) d.Address(out);
  const std::vector<std::string> values = d.Vector();
  if (values.size() != out->count) d.Fail("another number of elements");
  int width = 0;
  for (const std::string& value : values) {
    int its = 0;
    if (value == "_" && !store) {
      out->list.push_back(0);
      continue;
    }
    if (store && d.FindRegister(value) == nullptr) {
      its = std::max(type.bits, 16);
      out->list.push_back(d.SourceAt(value, Type{type.kind, its}));
    } else {
      out->list.push_back(d.Wide(value, type.bits, &its));
    }
    its = std::max(its, 16);
    if ((width != 0 && its != width) || its == 1) d.Fail("unknown registers");
    width = its;
  }
  if (type.kind == 'f' && width != type.bits) d.Fail("a register is too wide");
  if (!store) d.Address(out);
  out->run = AccessHandler(type, width == 0 ? 32 : width, store);
  return true;
}

}  // namespace halyard::testing::ptx
