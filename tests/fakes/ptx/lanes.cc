// Exchange between the lanes of a warp (PTX ISA 9.7.9.6, 9.7.13.9 to 9.7.13.13).
#include "tests/fakes/ptx/ops.h"

namespace halyard::testing::ptx {
namespace {

// Checks that the executing lanes are those in the member mask.
void CheckMembers(Warp& warp, uint32_t offset, uint32_t mask, const char* what) {
  const uint32_t* members = warp.Lanes<uint32_t>(offset);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    if ((members[lane] >> lane & 1) == 0) {
      throw Fault{Fault::Kind::kOther, lane, std::string(what) + ": the lane is not in its mask"};
    }
    if ((members[lane] & warp.live) != mask) {
      throw Fault{Fault::Kind::kOther, lane,
                  std::string(what) + ": lanes of the mask are elsewhere"};
    }
  }
}

// shfl.sync (9.7.9.6): mode up, down, bfly, idx. If the source lane does not exist, a lane gets its
// own value.
void Shuffle(Warp& warp, const Instruction& i, uint32_t mask) {
  CheckMembers(warp, i.d, mask, "shfl.sync");
  uint32_t from[kLanes], out[kLanes], valid = 0;
  std::memcpy(from, warp.Lanes<uint32_t>(i.a), sizeof(from));
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t b = warp.Lanes<uint32_t>(i.b)[lane] & 31;
    const uint32_t c = warp.Lanes<uint32_t>(i.c)[lane];
    const uint32_t clamp = c & 31, segment = c >> 8 & 31;
    const uint32_t highest = (lane & segment) | (clamp & ~segment), lowest = lane & segment;
    int source = static_cast<int>(lane);
    bool in_range = false;
    switch (i.mode) {
      case 0:
        source -= static_cast<int>(b);
        in_range = source >= static_cast<int>(highest);
        break;
      case 1:
        source += static_cast<int>(b);
        in_range = source <= static_cast<int>(highest);
        break;
      case 2:
        source ^= static_cast<int>(b);
        in_range = source <= static_cast<int>(highest);
        break;
      default:
        source = static_cast<int>(lowest | (b & ~segment));
        in_range = source <= static_cast<int>(highest);
        break;
    }
    if (!in_range) source = static_cast<int>(lane);
    if ((mask >> lane & 1) != 0 && (mask >> source & 1) == 0) {
      throw Fault{Fault::Kind::kOther, static_cast<int>(lane),
                  "shfl.sync reads lane " + std::to_string(source) + ", which takes no part"};
    }
    out[lane] = from[source];
    valid |= uint32_t{in_range} << lane;
  }
  Store(warp, i.dst, mask, out);
  if (i.dst2 != 0) {
    uint32_t& predicate = warp.Predicate(i.dst2);
    predicate = (predicate & ~mask) | (valid & mask);
  }
}

// vote.sync (9.7.13.10): mode all, any, uni; ballot writes the mask.
void Vote(Warp& warp, const Instruction& i, uint32_t mask) {
  CheckMembers(warp, i.b, mask, "vote.sync");
  const uint32_t given = (warp.Predicate(i.a) ^ (i.negated ? kAllLanes : 0)) & mask;
  const bool results[] = {given == mask, given != 0, given == 0 || given == mask};
  uint32_t& out = warp.Predicate(i.dst);
  out = (out & ~mask) | (results[i.mode] ? mask : 0);
}
void Ballot(Warp& warp, const Instruction& i, uint32_t mask) {
  CheckMembers(warp, i.b, mask, "vote.sync");
  const uint32_t given = (warp.Predicate(i.a) ^ (i.negated ? kAllLanes : 0)) & mask;
  uint32_t out[kLanes];
  for (uint32_t& lane : out) lane = given;
  Store(warp, i.dst, mask, out);
}

// redux.sync (9.7.13.12): add, min, max, and, or, xor.
template <typename T>
void Reduce(Warp& warp, const Instruction& i, uint32_t mask) {
  CheckMembers(warp, i.b, mask, "redux.sync");
  const T* a = warp.Lanes<T>(i.a);
  bool first = true;
  T result = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const T x = a[lane];
    const T sum = static_cast<T>(static_cast<uint32_t>(result) + static_cast<uint32_t>(x));
    const T results[] = {
        sum, x < result ? x : result, x < result ? result : x, result & x, result | x, result ^ x};
    result = first ? x : results[i.mode];
    first = false;
  }
  T out[kLanes];
  for (T& lane : out) lane = result;
  Store(warp, i.dst, mask, out);
}

void ActiveMask(Warp& warp, const Instruction& i, uint32_t mask) {
  uint32_t out[kLanes];
  for (uint32_t& lane : out) lane = mask;
  Store(warp, i.dst, mask, out);
}

}  // namespace

bool DecodeWarp(Decoder& d, Instruction* out) {
  const std::string& name = d.name();
  const Type word{'b', 32};
  if (name == "shfl") {
    if (!d.Take("sync")) d.Fail("without .sync it is no longer part of PTX");
    const int mode = d.TakeOneOf({"up", "down", "bfly", "idx"});
    if (mode < 0 || !d.TakeType().Is("b32")) d.Fail("unknown shuffle");
    out->mode = static_cast<uint8_t>(mode);
    const std::string to = d.TakeText();
    const size_t bar = to.find('|');
    out->dst = d.RegisterAt(Strip(to.substr(0, bar)), 32);
    if (bar != std::string::npos) out->dst2 = d.RegisterAt(Strip(to.substr(bar + 1)), 1);
    out->a = d.Source(word);
    out->b = d.Source(word);
    out->c = d.Source(word);
    out->d = d.Source(word);
    out->run = Shuffle;
    return true;
  }
  if (name == "vote") {
    if (!d.Take("sync")) d.Fail("without .sync it is no longer part of PTX");
    const int mode = d.TakeOneOf({"all", "any", "uni", "ballot"});
    const Type type = d.TakeType();
    if (mode < 0 || type.bits != (mode == 3 ? 32 : 1)) d.Fail("unknown vote");
    out->mode = static_cast<uint8_t>(mode);
    out->dst = mode == 3 ? d.Destination(32) : d.PredicateDestination();
    out->a = d.Predicate(&out->negated);
    out->b = d.Source(word);
    out->run = mode == 3 ? Ballot : Vote;
    return true;
  }
  if (name == "redux") {
    if (!d.Take("sync")) d.Fail("unknown reduction");
    const int mode = d.TakeOneOf({"add", "min", "max", "and", "or", "xor"});
    const Type type = d.TakeType();
    if (mode < 0 || type.bits != 32) d.Fail("unknown reduction");
    out->mode = static_cast<uint8_t>(mode);
    Operands(d, type, 1, out);
    out->b = d.Source(word);
    out->run = type.kind == 's' ? Reduce<int32_t> : Reduce<uint32_t>;
    return true;
  }
  if (name == "activemask") {
    d.TakeType();
    out->dst = d.Destination(32);
    out->run = ActiveMask;
    return true;
  }
  return false;
}

}  // namespace halyard::testing::ptx
