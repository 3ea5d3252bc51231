// attention_mma: the loops of its Funcs.

#include "schedules/attention/cuda.h"
#include "schedules/loops.h"
#include "schedules/pipelined_loop.h"

namespace halyard::schedules {

using Halide::Func;
using Halide::MemoryType;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using lowering::AttentionWords;

// Arranges a block of keys or values in shared memory, which all threads copy.
void AttentionMma::ArrangeTile(Func& tile, const Var& row, int64_t columns, int64_t rows,
                               int64_t stride, bool vectors) {
  tile.bound(v_, 0, static_cast<int>(kVector))
      .bound(o_, 0, static_cast<int>(columns))
      .bound_extent(row, static_cast<int>(rows));
  if (vectors) {
    tile.vectorize(v_);
  } else {
    tile.unroll(v_);
  }
  if (!on_device_) return;
  tile.store_in(MemoryType::GPUShared).align_storage(o_, static_cast<int>(stride));
  Var fused(UniqueName("fused")), rest(UniqueName("rest")), group(UniqueName("group"));
  Var x(UniqueName("x")), y(UniqueName("y")), z(UniqueName("z")), again(UniqueName("again"));
  const bool whole = columns * rows % (32 * warps_.warps) == 0;
  const TailStrategy tail = whole ? TailStrategy::RoundUp : TailStrategy::GuardWithIf;
  tile.fuse(o_, row, fused)
      .split(fused, again, rest, static_cast<int>(32 * warps_.warps), tail)
      .split(rest, group, x, 4)
      .split(group, z, y, 8)
      .reorder(v_, again, x, y, z)
      .unroll(again)
      .gpu_threads(x, y, z);
}

// The blocks of keys that some query of the group may see.
void AttentionMma::CutKeys(const char* loop) {
  // Cutting the loop removes this.
  const bool last_first = LastBlocksFirst();
  const lowering::VisibleKeys visible = *visible_;
  const int64_t rows = warps_.block_q(), keys = warps_.keys, all = blocks_k();
  const int64_t blocks_q = blocks_q_, last_row = parts_.queries - 1, last_key = parts_.keys - 1;
  kernel_.cut_loop = lowering::CutLoop{
      loop, [=](const Halide::Expr& group) {
        const Halide::Expr first_row =
            (last_first ? Int(blocks_q - 1) - group % Int(blocks_q) : group % Int(blocks_q)) *
            Int(rows);
        Halide::Expr first = 0, end = Int(all);
        if (visible.first > -last_row) {
          const Halide::Expr key = Halide::clamp(first_row + Int(visible.first), 0, Int(last_key));
          first = key / Int(keys);
        }
        if (visible.last < last_key) {
          const Halide::Expr row = Halide::min(first_row + Int(rows - 1), Int(last_row));
          const Halide::Expr key = Halide::clamp(row + Int(visible.last), 0, Int(last_key));
          end = key / Int(keys) + 1;
        }
        return std::make_pair(first, end);
      }};
}

void AttentionMma::ArrangeState() {
  const int elements = static_cast<int>(this->elements());
  const MemoryType where = on_device_ ? MemoryType::Register : MemoryType::Stack;
  state_.compute_at(warps_.splits == 1 ? kernel_.output : partial_, out_block_)
      .store_in(where)
      .bound(element_, 0, elements)
      .bound(m_, 0, static_cast<int>(warps_.tiles_q))
      .bound(q_, 0, 4)
      .bound(g_, 0, 8)
      .bound(warp_, 0, static_cast<int>(warps_.warps))
      .unroll(element_)
      .unroll(m_);
  Halide::Stage update = state_.update();
  const char* loop = warps_.ahead ? kPipelinedLoop : "block_k";
  RVar blocks(loop);
  if (visible_.has_value()) CutKeys(loop);
  update.rename(step_block_, blocks);
  if (on_device_) {
    state_.reorder(element_, m_, q_, g_, warp_).gpu_threads(q_, g_, warp_);
    update
        .reorder(VarOrRVar(step_v_), VarOrRVar(step_m_), VarOrRVar(step_u_), VarOrRVar(q_),
                 VarOrRVar(g_), VarOrRVar(warp_), VarOrRVar(blocks))
        .gpu_threads(q_, g_, warp_);
  } else {
    update.reorder(VarOrRVar(step_q_), VarOrRVar(step_g_), VarOrRVar(step_v_), VarOrRVar(step_m_),
                   VarOrRVar(step_u_), VarOrRVar(warp_), VarOrRVar(blocks));
  }
  update.unroll(step_u_);
  if (on_device_) update.unroll(step_v_).unroll(step_m_);
  ArrangeLane();
  for (ScoreProduct& product : products_) {
    ArrangeScores(product);
    product.keys.compute_at(state_, blocks);
  }
  if (!HasProduct()) return;
  value_words_.compute_at(state_, step_u_).store_in(where).bound(v_, 0, 4).unroll(v_);
  value_words_.bound(w_, 0, words_.product->words).unroll(w_);
  values_.compute_at(state_, blocks);
}

// Arranges what a lane computes anew for each block of keys: scores, logits and maxima.
void AttentionMma::ArrangeLane() {
  auto at_lane = [&](Func& func) {
    if (on_device_) {
      func.compute_at(state_, q_);
    } else {
      func.compute_at(state_, warp_);
    }
    func.store_in(on_device_ ? MemoryType::Register : MemoryType::Stack);
  };
  std::vector<Func*> scores;
  for (ScoreProduct& product : products_) scores.push_back(&product.scores);
  if (HasRows()) scores.push_back(&logits_);
  for (Func* func : scores) {
    at_lane(*func);
    func->bound(tile_, 0, static_cast<int>(key_tiles_))
        .bound(m_, 0, static_cast<int>(warps_.tiles_q));
    if (on_device_) func->unroll(tile_).unroll(m_);
  }
  if (HasRows()) {
    for (Func* func : {&part_max_, &max_}) {
      at_lane(*func);
      func->bound(m_, 0, static_cast<int>(warps_.tiles_q)).unroll(m_);
    }
  }
}

void AttentionMma::ArrangeScores(ScoreProduct& product) {
  const VarOrRVar inner(product.head_inner), outer(product.head_outer);
  Halide::Stage update = product.scores.update();
  if (on_device_) {
    update.reorder(VarOrRVar(m_), inner, VarOrRVar(tile_), outer);
  } else {
    update.reorder(VarOrRVar(q_), VarOrRVar(g_), VarOrRVar(m_), inner, VarOrRVar(tile_), outer);
  }
  update.unroll(inner);
  if (on_device_) update.unroll(m_).unroll(tile_).unroll(outer);
  // Loads are scalars: LLVM finds the vectors, and takes those apart that it is given.
  product.key_words.compute_at(product.scores, tile_)
      .store_in(on_device_ ? MemoryType::Register : MemoryType::Stack)
      .bound(v_, 0, 4)
      .unroll(v_);
}

// The second launch: a thread for each element.
void AttentionMma::ArrangeJoined() {
  partial_.compute_root();
  kernel_.output.update()
      .allow_race_conditions()
      .reorder(joined_column_, joined_row_, joined_other_)
      .gpu_threads(joined_column_)
      .gpu_blocks(joined_row_, joined_other_);
}

void AttentionMma::Arrange() {
  if (warps_.warpgroups) return ArrangeWarpgroups();
  Func& stored = warps_.splits == 1 ? kernel_.output : partial_;
  if (warps_.splits > 1) ArrangeJoined();
  Halide::Stage out = stored.update();
  out.allow_race_conditions()
      .reorder(out_v_, out_o_, out_e_, out_h_, out_m_, out_q_, out_g_, out_warp_, out_block_)
      .unroll(out_o_)
      .unroll(out_e_)
      .unroll(out_h_)
      .unroll(out_m_);
  if (vector_output_) {
    out.vectorize(out_v_);
  } else {
    out.unroll(out_v_);
  }
  if (on_device_) {
    out.gpu_threads(out_q_, out_g_, out_warp_).gpu_blocks(out_block_);
  } else {
    out.parallel(out_block_);
  }
  ArrangeState();
  for (ScoreProduct& product : products_) ArrangeQueries(product, stored);
  if (on_device_) {
    // Buffers begin at multiples of 64 bytes (DeviceInfo::buffer_alignment).
    for (Halide::ImageParam& input : kernel_.inputs) input.set_host_alignment(16);
    for (Halide::OutputImageParam& output : kernel_.output.output_buffers()) {
      output.set_host_alignment(16);
    }
  }
  for (ScoreProduct& product : products_) {
    ArrangeTile(product.keys, row_, product.head / kVector, warps_.keys,
                AttentionWords::KeyStride(product.head) / kVector,
                product.head_size % (kVector * product.mma->elements) == 0);
  }
  if (!HasProduct()) return;
  ArrangeTile(values_, row_, words_.values / kVector, warps_.keys / words_.product->elements,
              words_.value_stride() / kVector, parts_.value_size % kVector == 0);
}

void AttentionMma::ArrangeQueries(ScoreProduct& product, const Func& stored) {
  Func& words = product.query_words;
  words.compute_at(stored, out_block_)
      .store_in(on_device_ ? MemoryType::Register : MemoryType::Stack)
      .bound(v_, 0, 4)
      .bound(o_, 0, static_cast<int>(product.head / 16))
      .bound(i_, 0, static_cast<int>(2 * warps_.tiles_q))
      .bound(q_, 0, 4)
      .bound(g_, 0, 8)
      .bound(warp_, 0, static_cast<int>(warps_.warps))
      .unroll(o_)
      .unroll(i_);
  if (product.head_size % (kVector * product.mma->elements) == 0) {
    words.vectorize(v_);
  } else {
    words.unroll(v_);
  }
  if (on_device_) words.reorder(v_, o_, i_, q_, g_, warp_).gpu_threads(q_, g_, warp_);
}

}  // namespace halyard::schedules
