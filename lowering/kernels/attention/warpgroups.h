// Attention by Hopper's warpgroups (schedules/attention/cuda_wgmma.cc): what lies in shared memory,
// and the device intrinsics of the loop over blocks of keys.
//
// Four warps multiply 64 queries together by wgmma (PTX ISA, "Asynchronous warpgroup level matrix
// instructions"). Shared memory holds the group's queries, two blocks of keys and two of values, of
// which one is copied while the other is used. While a warp makes weights of a block's scores, the
// tensor cores multiply the weights and values of the block before. All of them lie in lines of
// 128 bytes, 64 elements along the fastest dimension of a row of Q, K or V: first those of all
// rows' first 64 elements, then those of the next. Pieces of 16 bytes change places with the line,
// as wgmma wants them (StagedShape::Swizzle, of a line along k).
//
// A warp's registers hold the scores of its 16 queries and a block of keys, then their weights, and
// its sums of weighted values, in the order of mma.sync's accumulators (MmaIntrinsic): tile j of
// eight columns has values 4j to 4j + 3. Weights are words of A in that order, too.
//
// Knows no Halide.
#ifndef HALYARD_LOWERING_KERNELS_ATTENTION_WARPGROUPS_H_
#define HALYARD_LOWERING_KERNELS_ATTENTION_WARPGROUPS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "lowering/kernels/device_intrinsics.h"

namespace halyard::lowering {

struct WarpgroupAttention {
  static constexpr int64_t kLine = 128;         // bytes
  static constexpr int64_t kLineElements = 64;  // of 16 bits
  static constexpr int64_t kPieces = 8;         // of 16 bytes, in a line
  static constexpr int64_t kProductTerms = 16;  // of one wgmma
  static constexpr int64_t kSlots = 2;          // of keys, and of values
  enum Tile { kQueries, kKeys, kValues };

  const MmaIntrinsic *scores = nullptr, *product = nullptr;  // of bf16 or f16
  int64_t warps = 8;                                         // a multiple of four
  int64_t keys = 128;                                        // of a block
  int64_t head = 128, values = 128;  // elements of a row of Q and K, and of V: multiples of 64

  int64_t rows(Tile tile) const { return tile == kQueries ? 16 * warps : keys; }
  int64_t columns(Tile tile) const { return tile == kValues ? values : head; }
  int64_t bytes(Tile tile) const { return rows(tile) * columns(tile) * 2; }
  int64_t lines(Tile tile) const { return rows(tile) * columns(tile) / kLineElements; }
  int64_t threads() const { return 32 * warps; }
  // Of each thread. Copy i of a thread goes to line i · lines_at_once() + thread / kPieces.
  int64_t copies(Tile tile) const { return lines(tile) * kPieces / threads(); }
  int64_t lines_at_once() const { return threads() / kPieces; }
  // Where a tile begins in shared memory: of keys and values, its first slot.
  int64_t first_byte(Tile tile) const {
    return tile == kQueries ? 0 : bytes(kQueries) + (tile == kKeys ? 0 : kSlots * bytes(kKeys));
  }
  int64_t shared_bytes() const { return first_byte(kValues) + kSlots * bytes(kValues); }
  int64_t score_registers() const { return keys / 2; }
  int64_t sum_registers() const { return values / 2; }
  int64_t weight_words() const { return keys / 4; }

  // As constants of a call, and back. False: there is no such kernel.
  std::vector<int64_t> Numbers() const;
  static bool FromNumbers(absl::Span<const int64_t> numbers, WarpgroupAttention* attention);
  static constexpr size_t kNumbers = 6;
};

// Calls; what they become is in codegen/gpu/ptx/ptx_attention.h. `numbers`: Numbers(). All have
// effects that no compiler knows of, and stay in order (codegen/passes/gpu/staged/attention_loops.h
// sees to that). Copies are those of products in stages (kStagedCopy, kStagedCommit, kStagedWait).
//
// (numbers…): sums become zeros.
inline constexpr char kAttentionBegin[] = "halyard_intrinsic_attention_begin";
// (where the warpgroup's queries begin, the slot, numbers…): begins to compute the scores of a
// block.
inline constexpr char kAttentionBeginScores[] = "halyard_intrinsic_attention_begin_scores";
// (numbers…): waits for the scores; sums that were begun after them go on. Gives what
// kAttentionScore takes.
inline constexpr char kAttentionWait[] = "halyard_intrinsic_attention_wait";
// (constant i, what kAttentionWait gave): value i of the scores.
inline constexpr char kAttentionScore[] = "halyard_intrinsic_attention_score";
// (factors of rows g and g + 8, numbers…, words of weights…): sums become sums · factor + weights ·
// values. AttentionLoops makes the following three of it.
inline constexpr char kAttentionValues[] = "halyard_intrinsic_attention_values";
// (factors of rows g and g + 8, numbers…): waits for the sums, which become sums · factor.
inline constexpr char kAttentionScale[] = "halyard_intrinsic_attention_scale";
// (numbers…, words of weights…): puts weights where products take them.
inline constexpr char kAttentionWeights[] = "halyard_intrinsic_attention_weights";
// (the slot, numbers…): begins to add those weights · values to the sums.
inline constexpr char kAttentionBeginSums[] = "halyard_intrinsic_attention_begin_sums";
// (numbers…): waits for the sums. Gives what kAttentionSum takes.
inline constexpr char kAttentionEnd[] = "halyard_intrinsic_attention_end";
// (constant i, what kAttentionEnd gave): value i of the sums.
inline constexpr char kAttentionSum[] = "halyard_intrinsic_attention_sum";
// Stands for kAttentionWait and all copies, until AttentionLoops writes the loop out: (block,
// where a thread's copies go in a tile, where the warpgroup's queries begin, numbers…, then an
// element of each copy: of queries, keys and values).
inline constexpr char kAttentionBlock[] = "halyard_intrinsic_attention_block";

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_ATTENTION_WARPGROUPS_H_
