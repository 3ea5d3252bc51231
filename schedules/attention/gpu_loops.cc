// Attention on GPUs: the loops of its Funcs.
#include <algorithm>

#include "schedules/attention/gpu_attention.h"
#include "schedules/loops.h"

namespace halyard::schedules {

using Halide::Func;
using Halide::MemoryType;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using lowering::AttentionForm;

// Schedules a tile in shared memory, with `fast` along the threads of a row and `slow` over the
// rows of threads.
void GpuAttention::ScheduleTile(Func& func, const Var& fast, int64_t extent,
                                const std::vector<Var>& slow) {
  Var x(UniqueName("x")), xo(UniqueName("xo")), y(UniqueName("y")), yo(UniqueName("yo"));
  Var rows = FuseVars(func, slow);
  func.store_in(MemoryType::GPUShared)
      .split(fast, xo, x, static_cast<int>(group_.threads_k),
             extent % group_.threads_k == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf)
      .split(rows, yo, y, static_cast<int>(group_.threads_q), TailStrategy::GuardWithIf)
      .reorder(xo, yo, x, y)
      .gpu_threads(x, y);
}

// Schedules a block of scores. `consumer` is what each thread computes from its scores.
void GpuAttention::ScheduleScores(Scores& scores, Func& consumer) {
  scores.keys.bound_extent(d_, static_cast<int>(parts_.head_size))
      .bound(k_, 0, static_cast<int>(group_.keys))
      .bound(tx_, 0, static_cast<int>(group_.threads_k))
      .align_storage(d_, static_cast<int>(parts_.head_size | 1));
  ScheduleTile(scores.keys, d_, parts_.head_size, {tx_, k_});
  scores.acc.compute_at(consumer, tx_).store_in(MemoryType::Register);
  scores.acc.bound(k_, 0, static_cast<int>(group_.keys))
      .bound_extent(q_, static_cast<int>(group_.rows))
      .unroll(k_)
      .unroll(q_);
  const int steps = parts_.head_size % 4 == 0 && parts_.head_size > 4 ? 4 : 1;
  RVar outer(UniqueName("r_outer")), inner(UniqueName("r_inner"));
  scores.acc.update()
      .split(scores.r, outer, inner, steps)
      .reorder(k_, q_, inner, outer)
      .unroll(k_)
      .unroll(q_)
      .unroll(inner);
}

// Schedules the output. Returns the loop over workgroups.
Var GpuAttention::ArrangeOutput() {
  Func& out = kernel_.output;
  const PlacedFunc& placed = parts_.output;
  const Var c = placed.At(AttentionForm::kValueDim), q = placed.At(parts_.rows_dim);
  const int threads_k = static_cast<int>(group_.threads_k), rows = static_cast<int>(group_.rows);
  const int64_t block_q = group_.block_q(), columns = group_.value_columns(form_);
  Var ci("ci"), cx("cx"), qb("qb"), qi("qi"), qy("qy"), qr("qr");
  out.split(c, ci, cx, threads_k,
            parts_.value_size % threads_k == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf)
      .split(q, qb, qi, static_cast<int>(block_q), Tail(kernel_, parts_.queries, block_q))
      .split(qi, qy, qr, rows);
  std::vector<Var> blocks = {qb};
  int64_t count = (parts_.queries + block_q - 1) / block_q;
  for (size_t a = 0; a < placed.axes.size(); ++a) {
    const int64_t place = placed.places[a];
    if (place == AttentionForm::kValueDim || place == parts_.rows_dim) continue;
    blocks.push_back(placed.axes[a].var);
    count *= placed.axes[a].extent;
  }
  std::vector<VarOrRVar> order = {ci, qr, cx, qy};
  order.insert(order.end(), blocks.begin(), blocks.end());
  out.reorder(order);
  if (columns > 1) out.unroll(ci);
  out.unroll(qr).gpu_threads(cx, qy);
  const Var block = FuseVars(out, blocks);
  GpuBlocks(kernel_, out, block, count);
  return block;
}

// Cuts q into rows of threads, as the output has them. Returns the loops over rows and within one.
std::pair<Var, Var> GpuAttention::SplitRows(Func& func) {
  Var y(UniqueName("y")), r(UniqueName("row"));
  func.bound_extent(q_, static_cast<int>(group_.block_q()));
  func.split(q_, y, r, static_cast<int>(group_.rows));
  return {y, r};
}

// Running sums, and the tile of values that they read.
void GpuAttention::ArrangeSums(const Var& block) {
  const int threads_k = static_cast<int>(group_.threads_k), rows = static_cast<int>(group_.rows);
  const int64_t columns = group_.value_columns(form_);
  sums_.compute_at(kernel_.output, block).store_in(MemoryType::GPUShared).bound(tx_, 0, threads_k);
  auto [sy, sr] = SplitRows(sums_);
  sums_.reorder(sr, tx_, sy).unroll(sr).gpu_threads(tx_, sy);
  Var uy("uy"), ur("ur");
  sums_.update()
      .split(q_, uy, ur, rows)
      .reorder(VarOrRVar(ur), VarOrRVar(tx_), VarOrRVar(uy), VarOrRVar(sums_block_))
      .unroll(ur)
      .gpu_threads(tx_, uy);
  partial_.compute_at(sums_, tx_).store_in(MemoryType::Register);
  partial_.bound_extent(q_, rows).unroll(q_);
  partial_.update().reorder(VarOrRVar(q_), VarOrRVar(partial_x_), VarOrRVar(partial_k_));
  partial_.update().unroll(q_).unroll(partial_x_, 2);

  values_.compute_at(sums_, sums_block_)
      .bound_extent(c_, static_cast<int>(columns * group_.threads_k))
      .bound(k_, 0, static_cast<int>(group_.keys))
      .bound(tx_, 0, threads_k);
  ScheduleTile(values_, c_, columns * group_.threads_k, {tx_, k_});
}

void GpuAttention::ArrangeWeights() {
  const int threads_k = static_cast<int>(group_.threads_k);
  std::vector<Func*> weights = {&weights_};
  if (rounded_.name() != weights_.name()) weights.push_back(&rounded_);
  for (Func* func : weights) {
    func->compute_at(sums_, sums_block_)
        .store_in(MemoryType::GPUShared)
        .bound(tx_, 0, threads_k)
        .bound(k_, 0, static_cast<int>(group_.keys));
    auto [wy, wr] = SplitRows(*func);
    func->reorder(k_, wr, tx_, wy).unroll(k_).unroll(wr).gpu_threads(tx_, wy);
  }
  ScheduleScores(second_, weights_);
  second_.keys.compute_at(sums_, sums_block_);
}

void GpuAttention::ArrangeMax(const Var& block) {
  const int threads_k = static_cast<int>(group_.threads_k), rows = static_cast<int>(group_.rows);
  Func& out = kernel_.output;
  max_.compute_at(out, block).store_in(MemoryType::GPUShared);
  max_.bound_extent(q_, static_cast<int>(group_.block_q()));
  Var mo("mo"), mx("mx");
  max_.split(q_, mo, mx, threads_k, TailStrategy::GuardWithIf).gpu_threads(mx);
  part_max_.compute_at(out, block).store_in(MemoryType::GPUShared).bound(tx_, 0, threads_k);
  auto [py, pr] = SplitRows(part_max_);
  part_max_.reorder(pr, tx_, py).unroll(pr).gpu_threads(tx_, py);
  Var vy("vy"), vr("vr");
  part_max_.update()
      .split(q_, vy, vr, rows)
      .reorder(VarOrRVar(max_k_), VarOrRVar(vr), VarOrRVar(tx_), VarOrRVar(vy),
               VarOrRVar(max_block_))
      .unroll(max_k_)
      .unroll(vr)
      .gpu_threads(tx_, vy);
  ScheduleScores(first_, part_max_);
  first_.keys.compute_at(part_max_, max_block_);
}

void GpuAttention::Arrange() {
  const Var block = ArrangeOutput();
  ArrangeSums(block);
  ArrangeWeights();
  ArrangeMax(block);
  if (!queries_.defined()) return;
  queries_.compute_at(kernel_.output, block)
      .bound_extent(d_, static_cast<int>(parts_.head_size))
      .bound_extent(q_, static_cast<int>(group_.block_q()))
      .align_storage(d_, static_cast<int>(parts_.head_size | 1));
  ScheduleTile(queries_, d_, parts_.head_size, {q_});
}

}  // namespace halyard::schedules
