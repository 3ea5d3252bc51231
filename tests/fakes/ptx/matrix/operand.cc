#include "tests/fakes/ptx/matrix/operand.h"

#include <algorithm>

#include "tests/fakes/ptx/proxy.h"

namespace halyard::testing::ptx {
namespace {

constexpr uint32_t kPiece = 16;  // bytes that stay together in all layouts

[[noreturn]] void ThrowWgmma(const std::string& text) {
  throw Fault{Fault::Kind::kOther, 0, "wgmma: " + text};
}

// A descriptor's fields, in bytes.
struct Layout {
  uint32_t start, leading, stride;
  uint32_t line;  // width of the swizzle
};

Layout LayoutOf(const Operand& operand) {
  const uint64_t d = operand.descriptor;
  const auto field = [d](int at) { return static_cast<uint32_t>(d >> at & 0x3fff) << 4; };
  Layout layout = {field(0), field(16), field(32), 0};
  constexpr uint32_t kLines[] = {0, 128, 64, 32};
  layout.line = kLines[d >> 62];
  constexpr uint64_t kUnused =
      uint64_t{0x3ff} << 52 | uint64_t{7} << 46 | uint64_t{3} << 30 | uint64_t{3} << 14;
  if ((d & kUnused) != 0) ThrowWgmma("a descriptor with bits that have no meaning");
  if ((d >> 49 & 7) != 0)
    ThrowWgmma("a descriptor with a base offset, which is not supported here");
  if (layout.line == 0) ThrowWgmma("a descriptor without swizzle, which is not supported here");
  return layout;
}

// Eight lines are the unit in which the swizzle repeats. Whatever the descriptor advances by must
// be a multiple of it, or else rows would be swizzled differently from how they were written.
void CheckLayout(const Operand& operand, const Layout& layout) {
  const uint32_t line = layout.line, unit = 8 * line;
  const std::string swizzle = "the " + std::to_string(line) + "-byte swizzle";
  if (layout.start % unit >= line) {
    ThrowWgmma("an operand with " + swizzle + " starts " + std::to_string(layout.start % unit) +
               " bytes behind a multiple of " + std::to_string(unit));
  }
  const auto rows = static_cast<uint32_t>(operand.all);
  const uint32_t used = operand.transposed ? std::min(rows * 2, line) : Operand::kRowBytes;
  if (layout.start % line + used > line)
    ThrowWgmma("an operand goes on behind its line of " + swizzle);
  const bool strides = operand.transposed || rows > 8;
  const bool leads = operand.transposed && rows * 2 > line;
  if ((strides && layout.stride % unit != 0) || (leads && layout.leading % unit != 0)) {
    ThrowWgmma("an offset of the descriptor is not a multiple of " + std::to_string(unit) +
               ", as " + swizzle + " needs");
  }
}

// 128: bits 4-6 of the address are xored with bits 7-9; 64: 4-5 with 7-8; 32: 4 with 7.
uint32_t Swizzle(uint32_t address, uint32_t line) {
  return address ^ (address >> 3 & (line / 16 - 1) << 4);
}

// Calls `visit(address)` for the pieces of an operand.
template <typename Visit>
void ForPieces(const Operand& operand, const Visit& visit) {
  const Layout layout = LayoutOf(operand);
  CheckLayout(operand, layout);
  const auto first = static_cast<uint32_t>(operand.first);
  const uint32_t end = first + static_cast<uint32_t>(operand.rows), line = layout.line;
  if (!operand.transposed) {
    for (uint32_t row = first; row < end; ++row) {
      const uint32_t at = layout.start + row / 8 * layout.stride + row % 8 * line;
      visit(Swizzle(at, line));
      visit(Swizzle(at + kPiece, line));
    }
    return;
  }
  for (uint32_t k = 0; k < 16; ++k) {
    for (uint32_t row = first; row < end; row += 8) {
      const uint32_t at = layout.start + row * 2 / line * layout.leading + row * 2 % line +
                          k / 8 * layout.stride + k % 8 * line;
      visit(Swizzle(at, line));
    }
  }
}

// Returns the tag of a read by all warps of the group: whoever writes needs a barrier.
Tag ReaderOf(const Warp& warp, uint32_t epoch) {
  return Tag(warp.block->linear, Tag::kMany, epoch, 0);
}

// Checks and notes a read of a piece.
std::string CheckPiece(Shadow* shadow, Tag tag) {
  // B is read by four warps. All but the first find that nothing is to be done.
  bool noted = true;
  for (uint32_t k = 0; k < kPiece; ++k) {
    const Tag writer(shadow[k].writer.load(std::memory_order_relaxed));
    noted &= writer.epoch() != tag.epoch() &&
             shadow[k].reader.load(std::memory_order_relaxed) == tag.bits();
  }
  return noted ? "" : CheckRead(shadow, kPiece, tag);
}

bool IsPending(const SharedMemory& shared, uint32_t at) {
  return std::any_of(shared.pending.begin() + at, shared.pending.begin() + at + kPiece,
                     [](uint8_t pending) { return pending != 0; });
}

std::string Unwritten(const Shadow* shadow) {
  for (uint32_t k = 0; k < kPiece; ++k) {
    if (shadow[k].writer.load(std::memory_order_relaxed) == 0) return "was never written";
  }
  return "";
}

// Returns whether somebody wrote the piece after a barrier that followed the epoch.
bool WrittenAfter(const Shadow* shadow, uint32_t epoch) {
  for (uint32_t k = 0; k < kPiece; ++k) {
    const Tag writer(shadow[k].writer.load(std::memory_order_relaxed));
    const uint32_t later = (writer.epoch() - epoch) & 0x7fff;  // as many bits as a tag has
    if (!writer.none() && later != 0 && later < 0x4000) return true;
  }
  return false;
}

}  // namespace

void ReadOperand(Warp& warp, const Operand& operand, uint8_t* out) {
  SharedMemory& shared = warp.block->shared;
  const Tag tag = ReaderOf(warp, shared.epoch);
  ForPieces(operand, [&](uint32_t address) {
    const uint32_t at = address - kSharedBase;
    if (address < kSharedBase || at + kPiece > shared.bytes.size()) {
      throw Fault{Fault::Kind::kAddress, 0,
                  "wgmma: shared memory at " + std::to_string(static_cast<int32_t>(at)) + " of " +
                      std::to_string(shared.bytes.size())};
    }
    std::string wrong;
    if (IsPending(shared, at)) wrong = "an asynchronous copy to it has not been waited for";
    if (wrong.empty()) {
      wrong = CheckProxies(shared, at, kPiece);
      if (!wrong.empty()) wrong = "reads " + wrong;
    }
    if (Shadow* shadow = shared.shadow == nullptr ? nullptr : shared.shadow.get() + at) {
      if (wrong.empty() && shared.check_uninitialised) wrong = Unwritten(shadow);
      if (wrong.empty()) wrong = CheckPiece(shadow, tag);
    }
    if (!wrong.empty()) ThrowWgmma("shared memory at " + std::to_string(at) + ": " + wrong);
    std::memcpy(out, shared.bytes.data() + at, kPiece);
    out += kPiece;
  });
}

void CheckOperandKept(Warp& warp, const Operand& operand, const Product& product,
                      const uint8_t* read) {
  SharedMemory& shared = warp.block->shared;
  const Tag tag = ReaderOf(warp, shared.epoch);
  ForPieces(operand, [&](uint32_t address) {
    const uint32_t at = address - kSharedBase;
    Shadow* shadow = shared.shadow == nullptr ? nullptr : shared.shadow.get() + at;
    std::string wrong;
    if (IsPending(shared, at)) wrong = "an asynchronous copy writes it";
    if (std::memcmp(read, shared.bytes.data() + at, kPiece) != 0) wrong = "its bytes changed";
    if (wrong.empty() && shadow != nullptr && WrittenAfter(shadow, product.epoch)) {
      wrong = "it was written";
    }
    if (wrong.empty() && shadow != nullptr) wrong = CheckPiece(shadow, tag);
    if (!wrong.empty()) {
      ThrowWgmma("shared memory at " + std::to_string(at) + ", which line " +
                 std::to_string(product.what.instruction->line) +
                 " reads until this wait: " + wrong);
    }
    read += kPiece;
  });
}

}  // namespace halyard::testing::ptx
