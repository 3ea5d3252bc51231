#include "tests/fakes/ptx/proxy.h"

#include <algorithm>

namespace halyard::testing::ptx {
namespace {

// A byte's state is 0 if nobody has written it, kWritten and the thread that has written it last,
// or, once this thread has fenced, FencedIn(epoch).
constexpr uint16_t kWritten = 0x8000;

uint16_t FencedIn(uint32_t epoch) { return static_cast<uint16_t>(1 + epoch % 0x7fff); }
uint16_t WrittenBy(const Warp& warp, int lane) {
  return static_cast<uint16_t>(kWritten | (warp.first_thread + static_cast<uint32_t>(lane)));
}

}  // namespace

void NoteGenericWrite(Warp& warp, int lane, uint32_t at, uint32_t bytes) {
  std::fill_n(warp.block->shared.proxies.begin() + at, bytes, WrittenBy(warp, lane));
  warp.products.unfenced[lane].push_back({at, bytes});
}

void FenceProxy(Warp& warp, const Instruction&, uint32_t mask) {
  SharedMemory& shared = warp.block->shared;
  const uint16_t fenced = FencedIn(shared.epoch);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    for (const SharedPart& part : warp.products.unfenced[lane]) {
      const auto begin = shared.proxies.begin() + part.at;
      std::replace(begin, begin + part.bytes, WrittenBy(warp, lane), fenced);
    }
    warp.products.unfenced[lane].clear();
  }
}

std::string CheckProxies(const SharedMemory& shared, uint32_t at, uint32_t bytes) {
  const uint16_t fenced_now = FencedIn(shared.epoch);
  for (uint32_t k = at; k < at + bytes; ++k) {
    const uint16_t state = shared.proxies[k];
    if ((state & kWritten) != 0) {
      return "what thread " + std::to_string(state & ~kWritten) +
             " has written without fence.proxy.async";
    }
    if (state == fenced_now) return "what was written with no barrier after fence.proxy.async";
  }
  return "";
}

}  // namespace halyard::testing::ptx
