#include "tests/codegen/passes/tile_emulator.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace halyard::testing {

using Halide::Expr;
using namespace Halide::Internal;  // NOLINT: the classes of Halide's IR

namespace {

constexpr int kMost = 16;  // rows, and words of a row

template <typename T>
T At(const void* base, int64_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(base) + offset, sizeof(T));
  return value;
}

// Kinds of products: bit 0 for a signed left factor, bit 1 for a signed right one.
constexpr int kBf16 = 4;

int32_t Byte(const void* base, int64_t offset, bool is_signed) {
  return is_signed ? At<int8_t>(base, offset) : At<uint8_t>(base, offset);
}

float Flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

float Bf16(const void* base, int64_t offset) {
  return Flushed(std::bit_cast<float>(uint32_t{At<uint16_t>(base, offset)} << 16));
}

// A sum of words, as Intel's manual describes TDPB…D: it wraps.
uint32_t SumOfBytes(uint32_t sum, const void* left, const void* right, int64_t right_stride,
                    int words, int kind) {
  for (int k = 0; k < words; ++k) {
    for (int i = 0; i < 4; ++i) {
      sum += static_cast<uint32_t>(Byte(left, 4 * k + i, kind & 1) *
                                   Byte(right, k * right_stride + i, kind & 2));
    }
  }
  return sum;
}

// As it describes TDPBF16PS: even and odd terms are summed apart, then together, and last added to
// what was there. Denormals are zeros everywhere.
float SumOfBf16(float sum, const void* left, const void* right, int64_t right_stride, int words) {
  float sums[2] = {0, 0};
  for (int k = 0; k < words; ++k) {
    for (int i = 0; i < 2; ++i) {
      const float a = Bf16(left, 4 * k + 2 * i), b = Bf16(right, k * right_stride + 2 * i);
      sums[i] = Flushed(std::fma(a, b, sums[i]));
    }
  }
  return Flushed(Flushed(sum) + Flushed(sums[0] + sums[1]));
}

int32_t TileZero(void* tile, int rows, int row_bytes) {
  // What lies beyond the rows must not matter.
  std::memset(tile, 0xff, kMost * kMost * 4);
  for (int row = 0; row < rows; ++row)
    std::memset(static_cast<char*>(tile) + row * kMost * 4, 0, static_cast<size_t>(row_bytes));
  return 0;
}

int32_t TileMultiply(void* tile, int rows, int row_bytes, int word_bytes, int kind,
                     const void* left, int64_t left_offset, int64_t left_stride, const void* right,
                     int64_t right_offset, int64_t right_stride) {
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < row_bytes / 4; ++column) {
      char* place = static_cast<char*>(tile) + (row * kMost + column) * 4;
      const char* l = static_cast<const char*>(left) + left_offset + row * left_stride;
      const char* r = static_cast<const char*>(right) + right_offset + column * 4;
      const int words = word_bytes / 4;
      if (kind == kBf16) {
        const float sum = SumOfBf16(At<float>(place, 0), l, r, right_stride, words);
        std::memcpy(place, &sum, 4);
      } else {
        const uint32_t sum = SumOfBytes(At<uint32_t>(place, 0), l, r, right_stride, words, kind);
        std::memcpy(place, &sum, 4);
      }
    }
  }
  return 0;
}

int32_t TileStore(const void* tile, int rows, int row_bytes, void* to, int64_t offset,
                  int64_t stride) {
  for (int row = 0; row < rows; ++row) {
    std::memcpy(static_cast<char*>(to) + offset + row * stride,
                static_cast<const char*>(tile) + row * kMost * 4, static_cast<size_t>(row_bytes));
  }
  return 0;
}

Expr Handle(const std::string& name) { return Variable::make(Halide::Handle(), name); }
Expr Int(const Expr& e) { return Halide::cast(Halide::Int(32), e); }

Stmt CallOf(const char* name, const std::vector<Expr>& args) {
  return Evaluate::make(Call::make(Halide::Int(32), name, args, Call::Extern));
}

void Check(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

const Call* Intrinsic(const Expr& e, const char* name) {
  const auto* call = e.as<Call>();
  Check(call != nullptr && call->name == name && call->call_type == Call::Intrinsic, name);
  return call;
}

}  // namespace

Stmt EmulateTiles::visit(const Allocate* op) {
  if (op->memory_type != Halide::MemoryType::AMXTile) return IRMutator::visit(op);
  Check(op->type.bits() == 32 && op->constant_allocation_size() == kMost * kMost, "a tile's size");
  tiles_.insert(op->name);
  return Allocate::make(op->name, op->type, Halide::MemoryType::Stack, op->extents, op->condition,
                        mutate(op->body));
}

Stmt EmulateTiles::visit(const Store* op) {
  if (tiles_.count(op->name) == 0) return IRMutator::visit(op);
  const auto* call = op->value.as<Call>();
  Check(call != nullptr, "a tile gets a call");
  if (call->name == "tile_zero")
    return CallOf("emulated_tile_zero", {Handle(op->name), Int(call->args[0]), Int(call->args[1])});
  Intrinsic(op->value, "tile_matmul");
  const auto* sum = call->args[3].as<Load>();
  Check(sum != nullptr && sum->name == op->name, "a tile is added to");
  const Call* left = Intrinsic(call->args[4], "tile_load");
  const Call* right = Intrinsic(call->args[5], "tile_load");
  // The tiles' shapes go together.
  Check(equal(left->args[0], call->args[0]) && equal(left->args[1], call->args[2]) &&
            equal(right->args[1], call->args[1]) &&
            is_const_zero(simplify(Int(right->args[0]) * 4 - Int(call->args[2]))),
        "shapes of tiles");
  const int kind = left->type.is_bfloat()
                       ? kBf16
                       : (left->type.is_int() ? 1 : 0) | (right->type.is_int() ? 2 : 0);
  ++products_;
  return CallOf("emulated_tile_multiply",
                {Handle(op->name), Int(call->args[0]), Int(call->args[1]), Int(call->args[2]), kind,
                 left->args[2], left->args[3], left->args[4], right->args[2], right->args[3],
                 right->args[4]});
}

Stmt EmulateTiles::visit(const Evaluate* op) {
  const auto* call = op->value.as<Call>();
  if (call == nullptr || call->name != "tile_store") return IRMutator::visit(op);
  const auto* tile = call->args[5].as<Load>();
  Check(tile != nullptr && tiles_.count(tile->name) != 0, "a tile is stored");
  return CallOf("emulated_tile_store", {Handle(tile->name), Int(call->args[0]), Int(call->args[1]),
                                        call->args[2], call->args[3], call->args[4]});
}

std::map<std::string, Halide::JITExtern> EmulatedTiles() {
  return {{"emulated_tile_zero", Halide::JITExtern(TileZero)},
          {"emulated_tile_multiply", Halide::JITExtern(TileMultiply)},
          {"emulated_tile_store", Halide::JITExtern(TileStore)}};
}

}  // namespace halyard::testing
