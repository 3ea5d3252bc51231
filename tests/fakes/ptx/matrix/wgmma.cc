#include "tests/fakes/ptx/matrix/wgmma.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "tests/fakes/ptx/matrix/fragments.h"
#include "tests/fakes/ptx/matrix/operand.h"
#include "tests/fakes/ptx/parser.h"

namespace halyard::testing::ptx {
namespace {

constexpr int kGroupWarps = 4, kWarpRows = 16;
constexpr int kMostColumns = 256, kMostK = 32;

struct WgmmaPlan {
  Type d, a, b;
  int k;
};
constexpr Type kF32 = {'f', 32}, kF16 = {'f', 16}, kBf16 = {'B', 16}, kTf32 = {'T', 32},
               kS32 = {'s', 32}, kS8 = {'s', 8}, kU8 = {'u', 8}, kE4m3 = {'4', 8}, kE5m2 = {'5', 8};
constexpr WgmmaPlan kWgmmaPlans[] = {
    {kF32, kF16, kF16, 16},   {kF32, kBf16, kBf16, 16}, {kF32, kTf32, kTf32, 8},
    {kS32, kS8, kS8, 32},     {kS32, kS8, kU8, 32},     {kS32, kU8, kS8, 32},
    {kS32, kU8, kU8, 32},     {kF32, kE4m3, kE4m3, 32}, {kF32, kE4m3, kE5m2, 32},
    {kF32, kE5m2, kE4m3, 32}, {kF32, kE5m2, kE5m2, 32},
};

// An instruction's fields: `list` holds the registers of D, and those of A or none; a and b are the
// descriptors; c and `negated` scale-d; `count` N / 8; `mode` the plan; `dst2` a number of the
// shape; `offset` these flags.
enum Flag : uint8_t { kNegate = 1, kTransposeA = 2, kTransposeB = 4, kSaturate = 8 };

int WarpOfGroup(const Warp& warp) {
  return static_cast<int>(warp.first_thread / kLanes) % kGroupWarps;
}

uint64_t Descriptor(Warp& warp, uint32_t offset) {
  const uint64_t* lanes = warp.Lanes<uint64_t>(offset);
  for (int lane = 1; lane < kLanes; ++lane) {
    if (lanes[lane] != lanes[0])
      throw Fault{Fault::Kind::kOther, lane, "wgmma: lanes have different descriptors"};
  }
  return lanes[0];
}

bool Accumulates(Warp& warp, const Instruction& i) {
  const uint32_t given = warp.Predicate(i.c) ^ (i.negated ? kAllLanes : 0);
  if (given != 0 && given != kAllLanes)
    throw Fault{Fault::Kind::kOther, __builtin_ctz(~given), "wgmma: lanes differ in scale-d"};
  return given != 0;
}

// Checks that all warps of the warpgroup run the same wgmma instructions.
void Arrive(Warp& warp, const Arrival& arrival) {
  Block& block = *warp.block;
  const uint32_t group = warp.first_thread / (kLanes * kGroupWarps);
  if (block.size[0] * block.size[1] * block.size[2] < (group + 1) * kLanes * kGroupWarps)
    throw Fault{Fault::Kind::kOther, 0, "wgmma in a warpgroup with fewer than four warps"};
  std::vector<Arrival>& all = block.arrivals[group];
  const size_t index = warp.products.arrivals++;
  if (index == all.size()) all.push_back(arrival);
  const Arrival& first = all[index];
  if (first == arrival) return;
  throw Fault{Fault::Kind::kOther, 0,
              first.instruction != arrival.instruction
                  ? "wgmma: another warp of the warpgroup runs line " +
                        std::to_string(first.instruction->line) + " instead"
                  : "wgmma: another warp of the warpgroup has other descriptors or scale-d"};
}

Operand OperandA(const Warp& warp, const Arrival& what) {
  const bool transposed = (what.instruction->offset & kTransposeA) != 0;
  return {what.a, transposed, kGroupWarps * kWarpRows, kWarpRows * WarpOfGroup(warp), kWarpRows};
}
Operand OperandB(const Arrival& what) {
  const int columns = what.instruction->count * 8;
  return {what.b, (what.instruction->offset & kTransposeB) != 0, columns, 0, columns};
}
bool AInRegisters(const Instruction& i) {
  const ProductRegisters registers = RegistersOf(i);
  return registers.fragments != registers.end;
}

// Values of 8 bits, by their bits.
const std::array<double, 256>& ByteValues(Type type) {
  const auto fill = [](Type t) {
    std::array<double, 256> values = {};
    for (uint32_t bits = 0; bits < 256; ++bits) values[bits] = ValueOf(t, bits);
    return values;
  };
  static const std::array<std::array<double, 256>, 4> kValues = {fill(kS8), fill(kU8), fill(kE4m3),
                                                                 fill(kE5m2)};
  return kValues[type.kind == 's' ? 0 : type.kind == 'u' ? 1 : type.kind == '4' ? 2 : 3];
}

// Converts an operand that ReadOperand has copied. Element (row, k) goes to out[k * rows + row].
void ConvertOperand(const uint8_t* bytes, const Operand& operand, Type type, int elements_k,
                    double* out) {
  const int size = type.bits / 8, rows = operand.rows;
  const int row_step = operand.transposed ? size : Operand::kRowBytes;
  const int k_step = operand.transposed ? size * rows : size;
  for (int k = 0; k < elements_k; ++k) {
    for (int row = 0; row < rows; ++row, ++out) {
      const uint8_t* at = bytes + row * row_step + k * k_step;
      if (size == 1) {
        *out = ByteValues(type)[*at];
      } else {
        uint32_t bits = 0;
        std::memcpy(&bits, at, static_cast<size_t>(size));
        *out = ValueOf(type, bits);
      }
    }
  }
}

// The same for A in registers.
void ConvertRegisters(Warp& warp, const uint32_t* registers, const WgmmaPlan& plan, double* out) {
  const Shape shape = {kWarpRows, 8, plan.k, 32 / plan.a.bits};
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int e = 0; e < kWarpRows * plan.k / kLanes; ++e) {
      const Place2 at = PlaceA(shape, lane, e);
      out[at.column * kWarpRows + at.row] = Element(warp, registers, plan.a, shape.pack, lane, e);
    }
  }
}

// Sums are exact, and rounded once, as those of mma.sync are here.
void AddSum(Warp& warp, const Instruction& i, bool accumulates, uint32_t offset, int lane,
            double sum) {
  const WgmmaPlan& plan = kWgmmaPlans[i.mode];
  if ((i.offset & kNegate) != 0) sum = -sum;
  if (plan.d.kind == 's') {
    int32_t& d = warp.Lanes<int32_t>(offset)[lane];
    d = IntegerSum(static_cast<int64_t>(sum) + (accumulates ? d : 0), (i.offset & kSaturate) != 0);
    return;
  }
  if (accumulates) sum += warp.Lanes<float>(offset)[lane];
  StoreFloat(warp, offset, lane, plan.a.bits == 8 ? CutSum(sum) : sum);
}

// Columns 8j to 8j+7 are those of an accumulator of mma.sync: registers 4j to 4j+3.
void MultiplyValues(Warp& warp, const Instruction& i, bool accumulates, const double* a,
                    const double* b) {
  const int k = kWgmmaPlans[i.mode].k, columns = i.count * 8;
  for (int j = 0; j < i.count; ++j) {
    for (int row = 0; row < kWarpRows; ++row) {
      double sums[8] = {};
      for (int at = 0; at < k; ++at) {
        const double x = a[at * kWarpRows + row];
        const double* y = b + at * columns + 8 * j;
        for (int c = 0; c < 8; ++c) sums[c] += x * y[c];
      }
      for (int c = 0; c < 8; ++c) {
        const int lane = row % 8 * 4 + c / 2, element = row / 8 * 2 + c % 2;
        AddSum(warp, i, accumulates, i.list[static_cast<size_t>(4 * j + element)], lane, sums[c]);
      }
    }
  }
}

void MultiplyAsync(Warp& warp, const Instruction& i, uint32_t mask) {
  CheckWhole(warp, mask, "wgmma");
  Product product;
  const bool registers = AInRegisters(i);
  product.what = {&i, registers ? 0 : Descriptor(warp, i.a), Descriptor(warp, i.b),
                  Accumulates(warp, i)};
  Arrive(warp, product.what);
  TakeRegisters(warp, i);
  const Operand a = OperandA(warp, product.what), b = OperandB(product.what);
  product.group = warp.products.groups;
  product.epoch = warp.block->shared.epoch;
  product.operands.resize((registers ? 0 : a.bytes()) + b.bytes());
  const WgmmaPlan& plan = kWgmmaPlans[i.mode];
  double values_a[kMostK * kWarpRows], values_b[kMostK * kMostColumns];
  uint8_t* bytes = product.operands.data();
  if (registers) {
    ConvertRegisters(warp, RegistersOf(i).fragments, plan, values_a);
  } else {
    ReadOperand(warp, a, bytes);
    ConvertOperand(bytes, a, plan.a, plan.k, values_a);
    bytes += a.bytes();
  }
  ReadOperand(warp, b, bytes);
  ConvertOperand(bytes, b, plan.b, plan.k, values_b);
  MultiplyValues(warp, i, product.what.accumulates, values_a, values_b);
  warp.products.running.push_back(std::move(product));
}

void ArriveWhole(Warp& warp, const Instruction& i, uint32_t mask) {
  CheckWhole(warp, mask, "wgmma");
  Arrive(warp, {&i, 0, 0, false});
}

void FenceWgmma(Warp& warp, const Instruction& i, uint32_t mask) {
  ArriveWhole(warp, i, mask);
  FenceRegisters(warp);
}

void CommitWgmma(Warp& warp, const Instruction& i, uint32_t mask) {
  ArriveWhole(warp, i, mask);
  ++warp.products.groups;
}

// Waits for all committed groups but the last `offset`.
void WaitWgmma(Warp& warp, const Instruction& i, uint32_t mask) {
  ArriveWhole(warp, i, mask);
  const int64_t done = int64_t{warp.products.groups} - i.offset;
  for (const Product& product : warp.products.running) {
    if (product.group >= done) continue;
    const uint8_t* read = product.operands.data();
    if (!AInRegisters(*product.what.instruction)) {
      const Operand a = OperandA(warp, product.what);
      CheckOperandKept(warp, a, product, read);
      read += a.bytes();
    }
    CheckOperandKept(warp, OperandB(product.what), product, read);
    ReleaseRegisters(warp, *product.what.instruction);
  }
  std::erase_if(warp.products.running,
                [done](const Product& product) { return product.group < done; });
}

void TakeShapeAndTypes(Decoder& d, Instruction* out) {
  const std::string shape = d.TakeWord();
  const bool saturates = d.Take("satfinite");
  const Type types[] = {d.TakeType(), d.TakeType(), d.TakeType()};
  const auto same = [](Type x, Type y) { return x.kind == y.kind && x.bits == y.bits; };
  for (size_t p = 0; p < std::size(kWgmmaPlans); ++p) {
    const WgmmaPlan& plan = kWgmmaPlans[p];
    if (!same(plan.d, types[0]) || !same(plan.a, types[1]) || !same(plan.b, types[2])) continue;
    for (int n = 8; n <= kMostColumns; n += plan.d.kind == 's' && n >= 32 ? 16 : 8) {
      if (shape != "m64n" + std::to_string(n) + "k" + std::to_string(plan.k)) continue;
      out->mode = static_cast<uint8_t>(p);
      out->count = static_cast<uint8_t>(n / 8);
      out->dst2 = static_cast<uint32_t>(n / 8 + 33 * (plan.k / 16));
    }
  }
  if (out->dst2 == 0) d.Fail("unknown shape and types");
  if (saturates && kWgmmaPlans[out->mode].d.kind != 's') d.Fail("unknown .satfinite");
  // ptxas takes it behind the types, too.
  if (saturates || (kWgmmaPlans[out->mode].d.kind == 's' && d.Take("satfinite")))
    out->offset |= kSaturate;
}

// Takes registers, none of them twice.
void TakeRegistersOf(Decoder& d, size_t count, Instruction* out) {
  const std::vector<std::string> names = d.Vector();
  if (names.size() != count) d.Fail("another number of registers");
  for (const std::string& name : names) {
    const uint32_t offset = d.RegisterAt(name, 32);
    if (std::find(out->list.begin(), out->list.end(), offset) != out->list.end())
      d.Fail("a second " + name);
    out->list.push_back(offset);
  }
}

int64_t OneOf(Decoder& d, int64_t first, int64_t second) {
  const int64_t value = d.Immediate();
  if (value != first && value != second) d.Fail("unknown scale or transposition");
  return value;
}

// d, a, b, scale-d; for floats also the scales of A and B; for those of 16 bits also whether A
// (only in memory) and B are transposed.
void DecodeProductAsync(Decoder& d, Instruction* out) {
  TakeShapeAndTypes(d, out);
  const WgmmaPlan& plan = kWgmmaPlans[out->mode];
  TakeRegistersOf(d, size_t{4} * out->count, out);
  const bool registers = d.HasOperand() && d.PeekOperand()[0] == '{';
  if (registers) {
    TakeRegistersOf(d, 4, out);
  } else {
    out->a = d.Source(Type{'b', 64});
  }
  out->b = d.Source(Type{'b', 64});
  if (d.HasOperand() && d.PeekOperand() == "-1") d.Fail("unknown scale-d");
  out->c = d.Predicate(&out->negated);
  if (plan.d.kind == 'f') {
    const int64_t scale = OneOf(d, 1, -1) * OneOf(d, 1, -1);
    if (scale < 0) out->offset |= kNegate;
  }
  if (plan.a.bits == 16) {
    if (!registers && OneOf(d, 0, 1) != 0) out->offset |= kTransposeA;
    if (OneOf(d, 0, 1) != 0) out->offset |= kTransposeB;
  }
  out->run = MultiplyAsync;
}

}  // namespace

bool IsProduct(const Instruction& i) { return i.run == MultiplyAsync; }

ProductRegisters RegistersOf(const Instruction& i) {
  const uint32_t* list = i.list.data();
  return {list, list + size_t{4} * i.count, list + i.list.size()};
}

void CheckProductsDone(const Warp& warp) {
  if (warp.block->function->wgmma_line == 0) return;
  if (!warp.products.running.empty()) {
    throw Fault{Fault::Kind::kOther, 0,
                "ends before the wgmma in line " +
                    std::to_string(warp.products.running[0].what.instruction->line) +
                    " has been waited for"};
  }
  const uint32_t group = warp.first_thread / (kLanes * kGroupWarps);
  const std::vector<Arrival>& all = warp.block->arrivals[group];
  if (warp.products.arrivals == all.size()) return;
  throw Fault{Fault::Kind::kOther, 0,
              "ends without the wgmma instruction in line " +
                  std::to_string(all[warp.products.arrivals].instruction->line) +
                  ", which another warp of its warpgroup has run"};
}

bool DecodeWgmma(Decoder& d, Instruction* out) {
  if (d.name() != "wgmma") return false;
  const int kind = d.TakeOneOf({"mma_async", "fence", "commit_group", "wait_group"});
  if (kind < 0 || !d.Take("sync") || !d.Take("aligned")) d.Fail("unknown wgmma");
  int32_t& line = d.scope().function().wgmma_line;
  if (line == 0) line = d.statement().line;
  if (kind == 0) {
    DecodeProductAsync(d, out);
    return true;
  }
  constexpr Handler kHandlers[] = {nullptr, FenceWgmma, CommitWgmma, WaitWgmma};
  out->run = kHandlers[kind];
  if (kind == 3) out->offset = d.Immediate();
  if (out->offset < 0) d.Fail("unknown number of groups");
  return true;
}

}  // namespace halyard::testing::ptx
