// Matrix instructions (PTX ISA 9.7.14.5): mma.sync and ldmatrix.
//
// How the hardware sums products internally is not specified. Here sums are exact, in double or
// 64-bit integers, and rounded once. f16 accumulators are rounded to f16. Of sums of 8-bit floats
// the lower bits are cut off, which is how sm_90 is known to behave.
#include <set>

#include "tests/fakes/ptx/access.h"
#include "tests/fakes/ptx/matrix/fragments.h"
#include "tests/fakes/ptx/ops.h"

namespace halyard::testing::ptx {
namespace {

// `list` of the instruction holds d, a, b, c. `offset` holds the types and the shape: see Pack.
struct Plan {
  Shape shape;
  Type d, a, b, c;
  bool saturate = false;
  int Count(int elements, Type type) const {
    return elements / kLanes * type.bits / (type.bits == 64 ? 64 : 32);
  }
};

const Plan kPlans[] = {
#define HY_T(K, B) \
  Type { K, B }
    {{16, 8, 16, 2}, HY_T('f', 32), HY_T('f', 16), HY_T('f', 16), HY_T('f', 32)},
    {{16, 8, 16, 2}, HY_T('f', 16), HY_T('f', 16), HY_T('f', 16), HY_T('f', 16)},
    {{16, 8, 8, 2}, HY_T('f', 32), HY_T('f', 16), HY_T('f', 16), HY_T('f', 32)},
    {{16, 8, 8, 2}, HY_T('f', 16), HY_T('f', 16), HY_T('f', 16), HY_T('f', 16)},
    {{16, 8, 16, 2}, HY_T('f', 32), HY_T('B', 16), HY_T('B', 16), HY_T('f', 32)},
    {{16, 8, 8, 2}, HY_T('f', 32), HY_T('B', 16), HY_T('B', 16), HY_T('f', 32)},
    {{16, 8, 8, 1}, HY_T('f', 32), HY_T('T', 32), HY_T('T', 32), HY_T('f', 32)},
    {{16, 8, 4, 1}, HY_T('f', 32), HY_T('T', 32), HY_T('T', 32), HY_T('f', 32)},
    {{16, 8, 32, 4}, HY_T('s', 32), HY_T('s', 8), HY_T('s', 8), HY_T('s', 32)},
    {{16, 8, 32, 4}, HY_T('s', 32), HY_T('u', 8), HY_T('u', 8), HY_T('s', 32)},
    {{16, 8, 32, 4}, HY_T('s', 32), HY_T('u', 8), HY_T('s', 8), HY_T('s', 32)},
    {{16, 8, 32, 4}, HY_T('s', 32), HY_T('s', 8), HY_T('u', 8), HY_T('s', 32)},
    {{16, 8, 32, 4}, HY_T('f', 32), HY_T('4', 8), HY_T('4', 8), HY_T('f', 32)},
    {{16, 8, 32, 4}, HY_T('f', 32), HY_T('4', 8), HY_T('5', 8), HY_T('f', 32)},
    {{16, 8, 32, 4}, HY_T('f', 32), HY_T('5', 8), HY_T('4', 8), HY_T('f', 32)},
    {{16, 8, 32, 4}, HY_T('f', 32), HY_T('5', 8), HY_T('5', 8), HY_T('f', 32)},
    {{16, 8, 16, 4}, HY_T('s', 32), HY_T('s', 8), HY_T('s', 8), HY_T('s', 32)},
    {{16, 8, 16, 4}, HY_T('s', 32), HY_T('u', 8), HY_T('u', 8), HY_T('s', 32)},
    {{8, 8, 16, 4}, HY_T('s', 32), HY_T('s', 8), HY_T('s', 8), HY_T('s', 32)},
    {{8, 8, 4, 1}, HY_T('f', 64), HY_T('f', 64), HY_T('f', 64), HY_T('f', 64)},
};

double LoadC(Warp& warp, const uint32_t* registers, Type type, int lane, int i) {
  if (type.bits == 64) return warp.Lanes<double>(registers[i])[lane];
  if (type.bits == 16) {
    return HalfToFloat(
        static_cast<uint16_t>(warp.Lanes<uint32_t>(registers[i / 2])[lane] >> 16 * (i % 2)));
  }
  return warp.Lanes<float>(registers[i])[lane];
}

void StoreD(Warp& warp, const uint32_t* registers, Type type, int lane, int i, double value) {
  if (type.bits == 64) {
    warp.Lanes<double>(registers[i])[lane] = value;
  } else if (type.bits == 16) {
    uint32_t& word = warp.Lanes<uint32_t>(registers[i / 2])[lane];
    const int shift = 16 * (i % 2);
    word = (word & ~(0xffffu << shift)) | uint32_t{DoubleToHalf(value)} << shift;
  } else {
    StoreFloat(warp, registers[i], lane, value);
  }
}

void Mma(Warp& warp, const Instruction& i, uint32_t mask) {
  CheckWhole(warp, mask, "mma.sync");
  const Plan& plan = kPlans[i.mode];
  const Shape& s = plan.shape;
  const uint32_t* d = i.list.data();
  const uint32_t* a = d + plan.Count(s.m * s.n, plan.d);
  const uint32_t* b = a + plan.Count(s.m * s.k, plan.a);
  const uint32_t* c = b + plan.Count(s.k * s.n, plan.b);
  double matrix_a[16][32], matrix_b[32][8];
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int e = 0; e < s.m * s.k / kLanes; ++e) {
      const Place2 at = PlaceA(s, lane, e);
      matrix_a[at.row][at.column] = Element(warp, a, plan.a, s.pack, lane, e);
    }
    for (int e = 0; e < s.k * s.n / kLanes; ++e) {
      const Place2 at = PlaceB(s, lane, e);
      matrix_b[at.row][at.column] = Element(warp, b, plan.b, s.pack, lane, e);
    }
  }
  const int outputs = s.m * s.n / kLanes;
  const bool integer = plan.d.kind == 's';
  // Result registers may also be operands, so all results are computed before any is stored.
  double results[kLanes][4];
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int e = 0; e < outputs; ++e) {
      const Place2 at = PlaceC(lane, e);
      double sum = 0;
      for (int k = 0; k < s.k; ++k) sum += matrix_a[at.row][k] * matrix_b[k][at.column];
      if (!integer) {
        const double total = sum + LoadC(warp, c, plan.c, lane, e);
        results[lane][e] = plan.a.bits == 8 ? CutSum(total) : total;
        continue;
      }
      // Sums of 32 products of bytes are exact. Without .satfinite the total wraps.
      const int64_t total = static_cast<int64_t>(sum) + warp.Lanes<int32_t>(c[e])[lane];
      results[lane][e] = IntegerSum(total, i.negated);
    }
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int e = 0; e < outputs; ++e) {
      if (integer) {
        warp.Lanes<int32_t>(d[e])[lane] = static_cast<int32_t>(results[lane][e]);
      } else {
        StoreD(warp, d, plan.d, lane, e, results[lane][e]);
      }
    }
  }
}

// Fails if more than two rows of a matrix lie in the same banks. The hardware reads the eight rows
// at once, each from four banks, so this would be far too slow.
void CheckBanks(Warp& warp, const Instruction& i) {
  for (int q = 0; q < i.count; ++q) {
    uint64_t rows[8] = {};
    for (int r = 0; r < 8; ++r) rows[r] = AddressOf(warp, i, 8 * q + r) / 16;
    for (int r = 0; r < 8; ++r) {
      std::set<uint64_t> together;
      for (uint64_t row : rows) {
        if (row % 8 == rows[r] % 8) together.insert(row);
      }
      if (together.size() > 2) {
        throw Fault{Fault::Kind::kOther, 8 * q + r,
                    std::to_string(together.size()) +
                        " rows of a matrix of ldmatrix lie in the same banks"};
      }
    }
  }
}

// ldmatrix (9.7.14.5.15): lanes 8q to 8q+7 give the addresses of the rows of matrix q, which has 8
// by 8 elements of 16 bits. Each lane gets elements 2t and 2t+1 of row g, or with .trans rows 2t
// and 2t+1 of column g.
void LoadMatrix(Warp& warp, const Instruction& i, uint32_t mask) {
  CheckWhole(warp, mask, "ldmatrix");
  uint16_t rows[32][8];
  Access access;
  access.bytes = 16;
  for (int lane = 0; lane < 8 * i.count; ++lane) {
    access.address = AddressOf(warp, i, lane);
    std::memcpy(rows[lane], Place(warp, i, access, lane), 16);
  }
  CheckBanks(warp, i);
  for (int q = 0; q < i.count; ++q) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const int g = lane / 4, t = lane % 4;
      const uint32_t low = i.mode == 0 ? rows[8 * q + g][2 * t] : rows[8 * q + 2 * t][g];
      const uint32_t high = i.mode == 0 ? rows[8 * q + g][2 * t + 1] : rows[8 * q + 2 * t + 1][g];
      warp.Lanes<uint32_t>(i.list[static_cast<size_t>(q)])[lane] = low | high << 16;
    }
  }
}

void DecodeProduct(Decoder& d, Instruction* out) {
  if (!d.Take("sync") || !d.Take("aligned")) d.Fail("unknown mma");
  const std::string shape = d.TakeWord();
  if (!d.Take("row") || !d.Take("col")) d.Fail("unknown layout");
  out->negated = d.Take("satfinite");
  const Type types[] = {d.TakeType(), d.TakeType(), d.TakeType(), d.TakeType()};
  const auto same = [](Type x, Type y) { return x.kind == y.kind && x.bits == y.bits; };
  int found = -1;
  for (size_t p = 0; p < std::size(kPlans); ++p) {
    const Plan& plan = kPlans[p];
    const std::string name = "m" + std::to_string(plan.shape.m) + "n" +
                             std::to_string(plan.shape.n) + "k" + std::to_string(plan.shape.k);
    if (name == shape && same(plan.d, types[0]) && same(plan.a, types[1]) &&
        same(plan.b, types[2]) && same(plan.c, types[3])) {
      found = static_cast<int>(p);
    }
  }
  if (found < 0) d.Fail("unknown shape and types");
  const Plan& plan = kPlans[found];
  if (out->negated && plan.d.kind != 's') d.Fail("unknown .satfinite");
  out->mode = static_cast<uint8_t>(found);
  const Shape& s = plan.shape;
  const int elements[] = {s.m * s.n, s.m * s.k, s.k * s.n, s.m * s.n};
  for (int operand = 0; operand < 4; ++operand) {
    const Type type = types[operand];
    const std::vector<std::string> names = d.Vector();
    if (static_cast<int>(names.size()) != plan.Count(elements[operand], type)) {
      d.Fail("another number of registers");
    }
    const Type held = type.bits == 64 || type.Is("f32") ? type : Type{'b', 32};
    for (const std::string& name : names) {
      out->list.push_back(operand == 0 ? d.RegisterAt(name, held.bits) : d.SourceAt(name, held));
    }
  }
  out->run = Mma;
}

}  // namespace

bool DecodeMma(Decoder& d, Instruction* out) {
  if (d.name() == "mma") {
    DecodeProduct(d, out);
    return true;
  }
  if (d.name() != "ldmatrix") return false;
  if (!d.Take("sync") || !d.Take("aligned") || !d.Take("m8n8")) d.Fail("unknown ldmatrix");
  const int count = d.TakeOneOf({"x1", "x2", "x4"});
  out->mode = d.Take("trans");
  TakeSpace(d, out);
  if (count < 0 || out->space != Space::kShared || !d.TakeType().Is("b16")) {
    d.Fail("unknown ldmatrix");
  }
  out->count = static_cast<uint8_t>(1 << count);
  const std::vector<std::string> names = d.Vector();
  if (names.size() != out->count) d.Fail("another number of registers");
  for (const std::string& name : names) out->list.push_back(d.RegisterAt(name, 32));
  d.Address(out);
  out->run = LoadMatrix;
  return true;
}

}  // namespace halyard::testing::ptx
