#include "schedules/contraction/thin_choice.h"

#include <algorithm>
#include <string>
#include <vector>

#include "schedules/contraction/template.h"
#include "schedules/loops.h"
#include "schedules/mma_product.h"

namespace halyard::schedules {

namespace {

// Sums and pieces of a thread; what is left of 255 registers is for rows and addresses.
constexpr int64_t kMostSums = 128, kMostPieceWords = 64;

int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

int LargestAxis(const Hero& hero, const std::vector<int>& axes) {
  int largest = -1;
  for (int a : axes) {
    if (largest < 0 || hero.axes[a].extent > hero.axes[largest].extent) largest = a;
  }
  return largest;
}

// How the pieces lie; false if 16 bytes of the matrix are no neighbours.
bool FindPieces(const Hero& hero, int operand, const std::vector<int>& own, Thin* thin) {
  Indices axes = lowering::VarsOf(hero.axes), r;
  std::vector<Var> r_vars;
  for (size_t i = 0; i < hero.reduce_extents.size(); ++i)
    r.push_back(r_vars.emplace_back("k" + std::to_string(i)));
  const Value value = hero.term(axes, r)[operand];
  const Expr element = value.stored.defined() ? value.stored : value.re;
  const int64_t bytes = LoadedBytes(element);
  if (bytes == 0 || Thin::kPieceBytes / bytes < 2) return false;
  // Of bytes, 16 would be 16 sums for each row.
  thin->piece = bytes == 1 && thin->rows > 4 ? 8 : Thin::kPieceBytes / bytes;
  for (int a : own) {
    if (IsContiguous(element, hero.axes[a].var) && hero.axes[a].extent % thin->piece == 0) {
      thin->n = a;
      return true;
    }
  }
  thin->along_k = true;
  thin->n = LargestAxis(hero, own);
  return IsContiguous(element, r_vars[0]) && hero.reduce_extents[0] % thin->piece == 0;
}

}  // namespace

bool FindThin(const LoweredKernel& kernel, Thin* thin) {
  if (!AcceptsContraction(kernel) || kernel.complex_outputs) return false;
  const Hero& hero = *kernel.heroes[0];
  if (hero.kind != Hero::Kind::kContraction || hero.reduce_extents.empty()) return false;
  thin->k = Product(hero.reduce_extents);
  std::vector<int> own[2];
  int64_t size[2] = {1, 1};
  for (size_t a = 0; a < hero.axes.size(); ++a) {
    if (hero.axes[a].extent == 1 || (hero.lhs_axes[a] && hero.rhs_axes[a])) continue;
    const int side = hero.lhs_axes[a] ? 0 : 1;
    own[side].push_back(static_cast<int>(a));
    size[side] *= hero.axes[a].extent;
  }
  const int matrix = size[0] > size[1] ? 0 : 1;
  thin->rows = size[1 - matrix];
  if (thin->rows > Thin::kMostRows || own[matrix].empty() || thin->k > INT32_MAX / 2) return false;
  thin->m = LargestAxis(hero, own[1 - matrix]);
  if (!FindPieces(hero, matrix, own[matrix], thin)) return false;
  thin->extent_n = hero.axes[thin->n].extent;
  thin->extent_m = thin->m < 0 ? 1 : hero.axes[thin->m].extent;
  thin->others = Product(hero.axes) / (thin->extent_n * thin->extent_m);
  return true;
}

int64_t ThinShape::fans() const {
  int64_t fans = 1;
  while (fans * fans < lanes && fans * 2 * tile_n <= lanes) fans *= 2;
  return fans;
}

int64_t ThinSpan(const Thin& thin, const ThinShape& s) {
  return s.lanes * (thin.along_k ? thin.piece : 1);
}

int64_t ThinSteps(const Thin& thin, const ThinShape& s) {
  return DivideUp(thin.k, ThinSpan(thin, s) * s.parts);
}

namespace {

int64_t Sums(const Thin& thin, const ThinShape& s) {
  return s.tile_m * s.tile_n * (thin.along_k ? thin.piece : 1);
}
int64_t Groups(const Thin& thin, const ThinShape& s) {
  return DivideUp(thin.extent_n, s.block_n()) * DivideUp(thin.extent_m, s.tile_m) * thin.others;
}
int64_t SharedBytes(const Hero& hero, const ThinShape& s) {
  const int64_t bytes = std::max<int64_t>(4, hlo::StorageBytes(hero.types[0]));
  return (s.lanes + 8 + s.fans()) * s.block_n() * s.tile_m * bytes;
}

}  // namespace

const char* RefusalOfThin(const LoweredKernel& kernel, const Thin& thin, const ThinShape& s) {
  if (s.block_n() > thin.extent_n) return "a block is larger than the result";
  if (!thin.along_k && s.tile_n != thin.piece) return "a thread's outputs are no piece";
  if (s.tile_n > s.lanes) return "more outputs of a thread than threads of an output";
  if (s.tile_m > thin.extent_m) return "more rows than the result has";
  if (Sums(thin, s) > kMostSums) return "more sums than a thread's registers hold";
  const int64_t threads = s.group_n * s.lanes;
  if (threads > GpuThreads(kernel, 1024)) return "more threads than a group has";
  if (SharedBytes(*kernel.heroes[0], s) > kernel.device.max_shared_bytes)
    return "more shared memory than a group has";
  if (ThinSteps(thin, s) % s.unroll_k != 0) return "steps do not divide into unroll_k";
  return nullptr;
}

namespace {

int64_t DefaultUnroll(const Thin& thin, const ThinShape& s) {
  const int64_t pieces = thin.along_k ? s.tile_n + s.tile_m : 1;
  for (int64_t unroll : {8, 4, 2}) {
    if (ThinSteps(thin, s) % unroll == 0 &&
        unroll * pieces * Thin::kPieceBytes / 4 <= kMostPieceWords)
      return unroll;
  }
  return 1;
}

}  // namespace

ThinShape DefaultThinShape(const LoweredKernel& kernel, const Thin& thin) {
  const int64_t units = runtime::UnitsOf(kernel.device);
  const int64_t threads = GpuThreads(kernel, Thin::kGroupThreads);
  ThinShape s;
  // Larger tiles of rows read the matrix less often.
  s.tile_m = thin.extent_m;
  while (s.tile_m > 1 && s.tile_m * thin.piece > kMostSums / 2) s.tile_m = DivideUp(s.tile_m, 2);
  auto few = [&](int64_t of_unit) {
    return Groups(thin, s) * s.parts * s.group_n * s.lanes < units * of_unit;
  };
  if (thin.along_k) {
    s.lanes = std::min<int64_t>(32, PowerOfTwoAtMost(std::max<int64_t>(1, thin.k / thin.piece)));
    s.group_n = std::min(threads / s.lanes, PowerOfTwoAtMost(thin.extent_n));
    while (few(512) && s.lanes < threads && thin.k >= 8 * s.lanes * thin.piece) {
      s.lanes *= 2;
      if (s.group_n * s.lanes > threads) s.group_n /= 2;
    }
    while (s.tile_n < 4 && s.tile_n * 2 * s.tile_m * thin.piece <= kMostSums / 2 &&
           s.block_n() * 2 <= thin.extent_n && !few(1024)) {
      s.tile_n *= 2;
    }
  } else {
    s.tile_n = thin.piece;
    s.group_n = std::min<int64_t>(8, PowerOfTwoAtMost(thin.extent_n / thin.piece));
    s.lanes = threads / s.group_n;
    // Half a line is read at full speed, too.
    while (few(256) && s.group_n > 4) {
      s.group_n /= 2;
      s.lanes *= 2;
    }
    while (s.lanes > 1 && s.lanes > thin.k) s.lanes /= 2;
  }
  while (few(128) && s.parts < 64 && ThinSteps(thin, s) >= 16) s.parts *= 2;
  while (SharedBytes(*kernel.heroes[0], s) > kernel.device.max_shared_bytes && s.tile_m > 1)
    s.tile_m = DivideUp(s.tile_m, 2);
  s.unroll_k = DefaultUnroll(thin, s);
  return s;
}

}  // namespace halyard::schedules
