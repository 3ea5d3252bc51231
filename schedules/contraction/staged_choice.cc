#include "schedules/contraction/staged_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "lowering/kernels/contraction/epilogue_ops.h"
#include "lowering/kernels/contraction/operand_precision.h"
#include "lowering/kernels/fragments.h"
#include "schedules/loops.h"

namespace halyard::schedules {

using hlo::ElementType;
using lowering::Hero;
using lowering::Indices;
using lowering::LoweredKernel;
using lowering::StagedConversion;
using lowering::StagedShape;
using lowering::Value;

namespace {

// Beside accumulators and fragments: addresses of copies, places in shared memory, counters.
constexpr int64_t kOtherRegisters = 34;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Returns whether memory holds the factor as tensor cores take it, in whole pieces.
bool CanCopy(const Value& value, ElementType type, const MmaProduct& product,
             const MmaFactor& factor, int64_t bytes, bool* across_k) {
  const bool as_is = bytes == 4
                         ? value.type == ElementType::kF32
                         : value.stored.defined() && lowering::NarrowestType(value) == type &&
                               value.stored.type().bytes() == bytes;
  const int64_t piece = StagedShape::kPieceBytes / bytes;
  if (!as_is) return false;
  *across_k = !factor.contiguous_k;
  if (factor.contiguous_k) return factor.copied_k && product.k_extents[0] % piece == 0;
  return factor.copied_rows && factor.extents[0] % piece == 0;
}

bool Is8BitFloat(ElementType type) {
  return type == ElementType::kF8E4M3FN || type == ElementType::kF8E5M2;
}

// sm_90 to sm_110 have no products of 8-bit floats by mma.sync: ptxas makes products of f16.
StagedConversion ConversionOf(const Hero& hero, int capability) {
  if (capability < 89) return StagedConversion::kBits;
  const bool has_products = capability == 89 || capability >= 120;
  return has_products && !lowering::AsksForPrecision(*hero.instruction) ? StagedConversion::kNone
                                                                        : StagedConversion::kCvt;
}

// The row of what the factors hold, in the roles of shared memory.
const lowering::MmaIntrinsic* MmaOf(const Hero& hero, const std::vector<Value>& values,
                                    int capability, Staging* staging) {
  const MmaProduct& p = staging->product;
  const int a = staging->factors[0]->operand, b = staging->factors[1]->operand;
  const ElementType types[] = {p.mma->lhs, p.mma->rhs};
  const ElementType stored[] = {lowering::NarrowestType(values[0]),
                                lowering::NarrowestType(values[1])};
  if (!Is8BitFloat(stored[0]) || !Is8BitFloat(stored[1]))
    return lowering::FindMma(types[a], types[b], capability);
  staging->conversion = ConversionOf(hero, capability);
  return lowering::FindMma(stored[a], stored[b], std::max(capability, 89));
}

}  // namespace

bool FindStaging(const LoweredKernel& kernel, Staging* staging) {
  const int capability = kernel.device.cuda_capability;
  if (capability < 80 || kernel.heroes.size() != 1 || !kernel.direct_epilogue || kernel.in_place ||
      kernel.complex_outputs)
    return false;
  const Hero& hero = *kernel.heroes[0];
  if (!hero.IsContraction() || hero.types.size() != 1 || hlo::IsComplex(hero.types[0]) ||
      Product(hero.axes) == 0 || Product(hero.reduce_extents) == 0 ||
      !FindMmaProduct(kernel, hero, capability, &staging->product))
    return false;
  const MmaProduct& p = staging->product;
  const bool left_is_fast = p.lhs.axes[0] == 0;
  staging->factors[0] = left_is_fast ? &p.rhs : &p.lhs;
  staging->factors[1] = left_is_fast ? &p.lhs : &p.rhs;
  staging->fast_columns = staging->factors[1]->axes[0] == 0;
  const std::vector<Value> values = FactorsOf(hero);
  staging->mma = MmaOf(hero, values, capability, staging);
  if (staging->mma == nullptr || staging->mma->words != 2) return false;
  for (int f : {0, 1}) {
    const MmaFactor& factor = *staging->factors[f];
    const ElementType type = f == 0 ? staging->mma->lhs : staging->mma->rhs;
    if (!CanCopy(values[factor.operand], type, p, factor, 4 / staging->mma->elements,
                 &staging->across_k[f]))
      return false;
  }
  return p.k * (4 / staging->mma->elements) > kLeastStepBytes;
}

int64_t StagedSteps(const Staging& staging, const StagedShape& shape) {
  return CeilDiv(staging.product.k, shape.step_k());
}

StagedShape ShapeOfStaging(const Staging& staging, const std::array<int64_t, 6>& knobs) {
  StagedShape shape;
  shape.mma = staging.mma;
  shape.mt = knobs[0];
  shape.nt = knobs[1];
  shape.warps_m = knobs[2];
  shape.warps_n = knobs[3];
  shape.stages = knobs[4];
  shape.row_bytes = knobs[5];
  shape.conversion = staging.conversion;
  for (int f : {0, 1}) shape.across_k[f] = staging.across_k[f];
  return shape;
}

StagedShape ShapeOfWgmma(const Staging& staging, const std::array<int64_t, 3>& knobs) {
  StagedShape shape =
      ShapeOfStaging(staging, {1, knobs[0], knobs[1], 1, knobs[2], StagedShape::kWgmmaLine});
  shape.wgmma = true;
  return shape;
}

namespace {

int64_t Copies(const StagedShape& s) { return (s.pieces(0) + s.pieces(1)) / s.threads(); }

// Returns whether both factors are matrices. Those of convolutions are not: their index arithmetic
// of several dimensions keeps something for each row that is copied.
bool IsPlain(const Staging& staging) {
  return staging.factors[0]->extents.size() == 1 && staging.factors[1]->extents.size() == 1 &&
         staging.product.k_extents.size() == 1;
}

// Words of fragments in f16, or sums before they are added: ptxas begins many products before it
// adds the first (128 sums of a lane spill on sm_89).
int64_t ConversionRegisters(const StagedShape& s) {
  constexpr int64_t kPartialSums = 52;
  if (!s.Is8BitFloat()) return 0;
  return s.conversion == StagedConversion::kNone ? kPartialSums : 4 * s.mt + 2 * s.nt;
}

// Addresses of fragments that differ in bits which places of pieces are made of
// (codegen/gpu/ptx/ptx_staged.cc).
int64_t AddressRegisters(const StagedShape& s) {
  int64_t count = 0;
  if (s.wgmma) return 4;  // two descriptors
  for (int f : {0, 1}) {
    const int64_t row = f == 0 ? 16 * s.mt : 8 * s.nt;  // of a warp's tiles
    const int64_t read = s.across_k[f] && s.element_bytes() == 1 ? 16 : 32;
    const int64_t bytes = s.across_k[f] ? row * s.element_bytes() : s.row_bytes;
    count += std::max<int64_t>(1, std::min(bytes, s.SwizzledBytes(f)) / read);
  }
  return count;
}

int64_t Registers(const Staging& staging, const StagedShape& s) {
  const int64_t fragments = s.wgmma ? 0 : 4 * s.mt + 2 * s.nt;
  const int64_t of_copy = IsPlain(staging) ? 1 : s.wgmma ? 5 : 8;
  return s.accumulators() + fragments + ConversionRegisters(s) + AddressRegisters(s) +
         of_copy * Copies(s) + kOtherRegisters;
}

int64_t Blocks(const Staging& staging, const StagedShape& s) {
  return CeilDiv(staging.factors[0]->rows, s.rows(0)) *
         CeilDiv(staging.factors[1]->rows, s.rows(1)) * staging.product.batches;
}

}  // namespace

const char* RefusalOfStaging(const LoweredKernel& kernel, const Staging& staging,
                             const StagedChoice& choice) {
  const runtime::DeviceInfo& device = kernel.device;
  const StagedShape& s = choice.shape;
  if (s.wgmma) {
    if (device.cuda_capability != 90 || TypesOfWgmma(*s.mma) == nullptr)
      return "no products of these types by wgmma";
    constexpr int64_t kBlock = StagedShape::kWgmmaLine / 2;  // elements of 16 bits
    for (int f : {0, 1}) {
      // Bytes are not turned on their way.
      if (s.across_k[f] && (s.element_bytes() != 2 || s.rows(f) % kBlock != 0))
        return "rows of a factor across k that wgmma does not take";
    }
  }
  // Each thread copies as many pieces as the others, whole rows of pieces at a time.
  for (int f : {0, 1}) {
    if (s.pieces(f) % s.threads() != 0 || s.threads() % s.PiecesOfLine(f) != 0)
      return "its threads cannot share out the pieces of a step";
  }
  const int64_t limit = device.max_thread_registers == 0 ? 255 : device.max_thread_registers;
  const int64_t registers = Registers(staging, s);
  if (registers > limit) return "more registers than a thread has";
  if (device.max_group_registers != 0 && registers * s.threads() > device.max_group_registers)
    return "more registers than a group has";
  if (device.max_threads_per_group != 0 && s.threads() > device.max_threads_per_group)
    return "more threads than a group has";
  if (device.max_shared_bytes != 0 && s.shared_bytes() > device.max_shared_bytes)
    return "more shared memory than a group has";
  const int64_t grid = device.max_grid[0] == 0 ? INT32_MAX : device.max_grid[0];
  if (StagedSteps(staging, s) < 2) return "fewer than two steps";
  if (choice.parts > 1 && choice.parts * 2 > StagedSteps(staging, s))
    return "fewer than two steps of a part";
  return Blocks(staging, s) * choice.parts <= grid ? nullptr : "more groups than a grid has";
}

namespace {

// Cycles of a unit's quarter for a 16 × 8 × 16 product of 16 bits, as mma.sync reaches them, on
// sm_90 as measured, of matrices and of convolutions (docs/gpu_kernels.md).
double ProductCycles(int capability, bool plain) {
  if (capability == 80) return 8;
  return capability < 90 ? 32 : 4 / (plain ? 0.42 : 0.3);
}

// Instructions of a step that change 8-bit elements: turned, converted, or added to the sums.
double Changes(const StagedShape& s) {
  const int64_t words[] = {4 * s.mt * s.products(), 2 * s.nt * s.products()};  // of A and B
  double count = 0;
  for (int f : {0, 1}) {
    if (s.paired(f)) count += static_cast<double>(words[f]);
    if (!s.Is8BitFloat() || s.conversion == StagedConversion::kNone) continue;
    const ElementType type = f == 0 ? s.mma->lhs : s.mma->rhs;
    const bool long_way = s.conversion == StagedConversion::kBits && type == ElementType::kF8E4M3FN;
    count += static_cast<double>(words[f]) * (long_way ? 12 : 2);
  }
  if (s.Is8BitFloat() && s.conversion == StagedConversion::kNone)
    count += static_cast<double>(4 * s.mt * s.nt * s.products());
  return count;
}

constexpr int64_t kMostParts = 64;  // which a thread of the second kernel adds
constexpr int64_t kLeastSteps = 8;  // of a default's part
constexpr double kClock = 1.7e9;    // of any of the devices, for what is known in seconds only

double Bandwidth(const runtime::DeviceInfo& device) {
  return device.memory_bandwidth == 0 ? 1e12 : static_cast<double>(device.memory_bandwidth);
}

// Cycles of the kernel that adds the parts: its launch, and the parts' way to memory and back.
double JoinCost(const LoweredKernel& kernel, int64_t parts) {
  constexpr double kLaunchSeconds = 2.5e-6;
  if (parts == 1) return 0;
  const double bandwidth = Bandwidth(kernel.device);
  const double bytes = 8.0 * static_cast<double>(parts * Product(kernel.heroes[0]->axes));
  return (kLaunchSeconds + bytes / bandwidth) * kClock;
}

// Of a product whose result is small, copies' way from memory is what counts: a step waits for it,
// less the stages that are under way, and all bytes take their time. 0: it is not small.
double MemoryCost(const LoweredKernel& kernel, const Staging& staging, const StagedChoice& choice,
                  double rounds) {
  constexpr double kLatencySeconds = 600e-9;
  constexpr int64_t kTile = 64;
  const int64_t units = runtime::UnitsOf(kernel.device);
  const StagedShape& s = choice.shape;
  const int64_t rows = staging.factors[0]->rows, columns = staging.factors[1]->rows;
  if (CeilDiv(rows, kTile) * CeilDiv(columns, kTile) * staging.product.batches >= 2 * units)
    return 0;
  const double steps = static_cast<double>(CeilDiv(StagedSteps(staging, s), choice.parts));
  const double waits =
      rounds * (steps / static_cast<double>(s.steps_ahead()) + 1) * kLatencySeconds * kClock;
  const double bytes = static_cast<double>((rows + columns) * staging.product.batches *
                                           staging.product.k * s.element_bytes());
  return std::max(waits, bytes / Bandwidth(kernel.device) * kClock);
}

// How groups share a unit: `resident` at a time, in rounds, the last of which has `last` of them.
struct Sharing {
  int64_t resident = 1;
  double groups = 0;  // of a unit
  double rounds = 1, last = 1;
};

Sharing SharingOf(const LoweredKernel& kernel, const Staging& staging, const StagedChoice& choice) {
  const runtime::DeviceInfo& device = kernel.device;
  const StagedShape& s = choice.shape;
  const int64_t unit_registers = device.unit_registers == 0 ? 65536 : device.unit_registers;
  const int64_t unit_shared = device.unit_shared_bytes == 0 ? 100 << 10 : device.unit_shared_bytes;
  Sharing sharing;
  sharing.resident =
      std::max<int64_t>(1, std::min(unit_registers / (Registers(staging, s) * s.threads()),
                                    unit_shared / (s.shared_bytes() + 1024)));
  const double units = static_cast<double>(runtime::UnitsOf(device));
  const double resident = static_cast<double>(sharing.resident);
  sharing.groups = static_cast<double>(Blocks(staging, s) * choice.parts) / units;
  sharing.rounds = std::ceil(sharing.groups / resident);
  sharing.last = std::max(sharing.groups - (sharing.rounds - 1) * resident, 1e-9);
  return sharing;
}

// Some steps' time passes before the first products, and after the last.
double StepsOfGroup(const Staging& staging, const StagedChoice& choice) {
  return static_cast<double>(CeilDiv(StagedSteps(staging, choice.shape), choice.parts) + 4);
}

double L2Cycles(const LoweredKernel& kernel, const StagedShape& s) {
  const int capability = kernel.device.cuda_capability;
  const double units = static_cast<double>(runtime::UnitsOf(kernel.device));
  return static_cast<double>((s.rows(0) + s.rows(1)) * s.row_bytes) /
         ((capability < 90 && capability > 80 ? 2048.0 : 5120.0) / units);
}

// Cycles of a unit for the epilogue of a group's elements: issue slots, of which eight warps of
// wgmma leave half unused (a product with SiLU of 8192 × 4096² took 0.52 ms on an H100 with 8
// warps, and 0.46 with 16).
double EpilogueCycles(const LoweredKernel& kernel, const StagedShape& s, int64_t parts) {
  constexpr double kLanes = 128;
  const double elements = static_cast<double>(s.rows(0) * s.rows(1));
  const double operations =
      parts > 1 ? 1 : static_cast<double>(lowering::EpilogueOps(*kernel.module->entry()));
  return elements / kLanes * operations * (s.wgmma && s.threads() < 512 ? 2 : 1);
}

// Cycles of a unit, by products, issue slots, or the L2's bytes of a step.
double WorkOfWarps(const LoweredKernel& kernel, const Staging& staging,
                   const StagedChoice& choice) {
  const StagedShape& s = choice.shape;
  const Sharing sharing = SharingOf(kernel, staging, choice);
  const double warps = static_cast<double>(s.warps_m * s.warps_n);
  const int64_t of_tile = (s.conversion == StagedConversion::kNone ? 1 : 2) * s.products();
  const double products = static_cast<double>(of_tile * s.mt * s.nt) * warps / 4;
  const double issue =
      (static_cast<double>(s.products() * (s.mt + s.nt / 2) + 3 * Copies(s)) + Changes(s) + 24) *
      warps / 4;
  // Four warps of a unit hide little of each other's waits. Copies go on meanwhile.
  const double at_once =
      warps * std::min(static_cast<double>(sharing.resident), std::ceil(sharing.groups));
  const double waits = at_once >= 8 ? 1.0 : at_once >= 4 ? 1.15 : 1.5;
  const double step =
      std::max(std::max(products * ProductCycles(kernel.device.cuda_capability, IsPlain(staging)),
                        products + issue) *
                   waits,
               L2Cycles(kernel, s));
  // The last wave's units have fewer groups each.
  const double turns =
      (sharing.rounds - 1) * static_cast<double>(sharing.resident) + std::ceil(sharing.last);
  return (step * StepsOfGroup(staging, choice) + EpilogueCycles(kernel, s, choice.parts)) * turns;
}

// The same of wgmma, fitted to 40 times of an H100 and an H200. Products of a step end near the
// bandwidth of shared memory: copies write their bytes, and each product reads 64 rows of A and all
// columns of B. A step takes at least as long as its copies do, less what was under way before, and
// the groups of a unit wait for theirs side by side.
double WorkOfWarpgroups(const LoweredKernel& kernel, const Staging& staging,
                        const StagedChoice& choice) {
  constexpr double kSharedBytes = 128;  // of a unit, in a cycle
  const StagedShape& s = choice.shape;
  const Sharing sharing = SharingOf(kernel, staging, choice);
  const double warpgroups = static_cast<double>(s.warps_m / StagedShape::kWarpgroup);
  const double tensor = static_cast<double>(s.products() * s.nt) * warpgroups * 4;
  const double read = warpgroups * static_cast<double>((64 + s.rows(1)) * s.row_bytes);
  const double shared = (read + static_cast<double>(s.slot_bytes())) / kSharedBytes;
  const double reached = s.threads() >= 512 ? 0.85 : 0.8;
  const double step = std::max({tensor, shared, L2Cycles(kernel, s) * 0.7}) / reached;
  const double latency = s.stages > 4 ? 700 : s.stages == 4 ? 870 : 1000;
  const auto round = [&](double groups) { return std::max(latency, step * std::ceil(groups)); };
  const double epilogue = EpilogueCycles(kernel, s, choice.parts);
  return StepsOfGroup(staging, choice) *
             ((sharing.rounds - 1) * round(static_cast<double>(sharing.resident)) +
              round(sharing.last)) +
         epilogue * std::ceil(sharing.groups);
}

double Cost(const LoweredKernel& kernel, const Staging& staging, const StagedChoice& choice) {
  const double work = choice.shape.wgmma ? WorkOfWarpgroups(kernel, staging, choice)
                                         : WorkOfWarps(kernel, staging, choice);
  const double memory =
      MemoryCost(kernel, staging, choice, SharingOf(kernel, staging, choice).rounds);
  // Of those that wait for memory alike, the one with the least work.
  return std::max(work, memory + work / 4) + JoinCost(kernel, choice.parts);
}

// More parts than one, if groups without them leave units idle.
std::vector<int64_t> PartsToTry(const LoweredKernel& kernel, const Staging& staging,
                                const StagedShape& s) {
  const int64_t units = runtime::UnitsOf(kernel.device);
  std::vector<int64_t> parts = {1};
  while (parts.back() < kMostParts && Blocks(staging, s) * parts.back() < 2 * units &&
         StagedSteps(staging, s) >= parts.back() * 2 * kLeastSteps)
    parts.push_back(parts.back() * 2);
  return parts;
}

// Steps of whole lines of memory share the index arithmetic of a convolution's copies: 30 µs, not
// 33, for 28 × 28 × 128 to 128 on an H100. Matrices lose a little there, by longer waits at the
// start.
void LengthenSteps(const LoweredKernel& kernel, const Staging& staging, StagedChoice* best) {
  constexpr int64_t kLine = 128;
  const int64_t bytes = 4 / staging.mma->elements;
  if (IsPlain(staging) || kernel.device.cuda_capability < 90 ||
      staging.product.k_extents[0] * bytes % kLine != 0)
    return;
  StagedChoice longer = *best;
  longer.shape.row_bytes = kLine;
  longer.shape.stages = 3;
  if (RefusalOfStaging(kernel, staging, longer) == nullptr) *best = longer;
}

// All shapes that a default may have, best guesses first.
std::vector<StagedShape> ShapesToTry(const Staging& staging, StagedBy by) {
  std::vector<StagedShape> shapes;
  if (by == StagedBy::kWarpgroups) {
    for (auto [nt, wm] :
         {std::pair<int64_t, int64_t>{32, 8}, {16, 16}, {16, 8}, {16, 4}, {8, 8}, {8, 4}}) {
      for (int64_t stages : {4, 3}) shapes.push_back(ShapeOfWgmma(staging, {nt, wm, stages}));
    }
    return shapes;
  }
  for (int64_t mt : {4, 3, 2, 1}) {
    for (int64_t nt : {8, 4, 2}) {
      for (auto [wm, wn] : {std::pair<int64_t, int64_t>{2, 2},
                            {2, 4},
                            {4, 2},
                            {8, 1},
                            {4, 1},
                            {1, 4},
                            {2, 1},
                            {1, 2}}) {
        for (int64_t stages : {4, 3})
          shapes.push_back(ShapeOfStaging(staging, {mt, nt, wm, wn, stages, kLeastStepBytes}));
      }
    }
  }
  return shapes;
}

// Returns the cost of the best choice, or infinity if there is none.
double BestStaging(const LoweredKernel& kernel, const Staging& staging, StagedBy by,
                   StagedChoice* best) {
  double best_cost = std::numeric_limits<double>::infinity();
  for (const StagedShape& s : ShapesToTry(staging, by)) {
    // 128 accumulators leave index arithmetic too few registers: ptxas spills on sm_80.
    if (!IsPlain(staging) && s.accumulators() >= 128) continue;
    for (int64_t parts : PartsToTry(kernel, staging, s)) {
      const StagedChoice choice = {s, parts};
      if (RefusalOfStaging(kernel, staging, choice) != nullptr) break;
      const double cost = Cost(kernel, staging, choice) * (s.wgmma || s.stages == 4 ? 1 : 1.02);
      if (cost >= best_cost * 0.999) continue;
      best_cost = cost;
      *best = choice;
    }
  }
  return best_cost;
}

}  // namespace

bool FindBestStaging(const LoweredKernel& kernel, const Staging& staging, StagedBy by,
                     StagedChoice* best) {
  if (std::isinf(BestStaging(kernel, staging, by, best))) return false;
  if (by == StagedBy::kWarps) LengthenSteps(kernel, staging, best);
  return true;
}

bool IsWorthStaging(const LoweredKernel& kernel, const Staging& staging) {
  constexpr int64_t kOfGroup = 128 * 128;
  const int64_t rows = staging.factors[0]->rows, columns = staging.factors[1]->rows;
  const int64_t units = runtime::UnitsOf(kernel.device);
  return std::min(rows, columns) >= kLeastStagedRows && std::max(rows, columns) >= 16 &&
         (staging.product.k * (4 / staging.mma->elements) >= 4 * kLeastStepBytes ||
          rows * columns * staging.product.batches >= units * kOfGroup);
}

bool PrefersWarpgroups(const LoweredKernel& kernel, const Staging& staging) {
  StagedChoice unused;
  return BestStaging(kernel, staging, StagedBy::kWarpgroups, &unused) <
         BestStaging(kernel, staging, StagedBy::kWarps, &unused);
}

namespace {

// An epilogue of this many operations is written out for all sums of a lane. ptxas takes long for
// much more, and the code would not fit into the first cache of instructions (128 KiB, 16 bytes
// each).
constexpr int64_t kMostEpilogueOps = 2500;

}  // namespace

int64_t MostSumsWrittenOut(const LoweredKernel& kernel) {
  return kMostEpilogueOps / lowering::EpilogueOps(*kernel.module->entry());
}

}  // namespace halyard::schedules
