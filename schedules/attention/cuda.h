// The templates attention_mma and attention_wgmma, shared by their files: cuda.cc says what they do
// and holds the former's knobs, cuda_tiles.cc the factors and the scores, cuda_steps.cc what is
// kept from block to block, cuda_output.cc the result, cuda_loops.cc the loops, and cuda_wgmma.cc
// what is different where warpgroups multiply.
#ifndef HALYARD_SCHEDULES_ATTENTION_CUDA_H_
#define HALYARD_SCHEDULES_ATTENTION_CUDA_H_

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lowering/kernels/attention/mask.h"
#include "lowering/kernels/attention/warpgroups.h"
#include "lowering/kernels/attention/warps.h"
#include "lowering/kernels/emitter.h"
#include "lowering/kernels/fragments.h"
#include "lowering/numerics/integer_ops.h"
#include "schedules/attention/template.h"

namespace halyard::schedules {

// Where a lane is: on the device all of it are Vars, on the CPU the steps of `state` have loops of
// their own over lanes.
struct Lane {
  Halide::Expr q, g, warp, block;
  lowering::Indices After(lowering::Indices first) const {
    first.insert(first.end(), {q, g, warp, block});
    return first;
  }
  Lane At(const Halide::Expr& other_q, const Halide::Expr& other_g) const {
    return {other_q, other_g, warp, block};
  }
};

class AttentionMma {
 public:
  using IndexOf = std::function<Halide::Expr(int64_t place)>;

  AttentionMma(lowering::LoweredKernel& kernel, const AttentionParts& parts,
               const lowering::AttentionWords& words, const lowering::AttentionWarps& warps);

  void Build() {
    if (warps_.warpgroups) {
      DefineBlock();
    } else {
      DefineTiles();
      for (ScoreProduct& product : products_) DefineScores(product);
    }
    if (HasRows()) DefineMaxima();
    DefineState();
    DefineOutput();
    Arrange();
  }

 private:
  using Kind = lowering::AttentionForm::Kind;
  // Four elements, one for each value that a lane holds in an accumulator.
  using Four = std::array<Halide::Expr, 4>;
  // A product of the scores' shape: the scores, and the second one of a gradient.
  struct ScoreProduct {
    lowering::Hero* hero = nullptr;
    const lowering::MmaIntrinsic* mma = nullptr;
    int64_t query_operand = 0;
    int64_t head = 0, head_size = 1;  // words of a query or key, and elements
    std::string name;
    Halide::Func keys;                    // (v, o, row, block, block_k): in shared memory
    Halide::Func key_words, query_words;  // a lane's
    Halide::Func scores;                  // (tile, m, lane, block_k), four values each
    Halide::RVar head_inner, head_outer;
  };

  // Whether maxima and sums of rows are kept from block to block; and whether there is a last
  // product.
  bool HasRows() const { return form_.kind != Kind::kChain; }
  bool HasProduct() const { return form_.kind != Kind::kStatistics; }

  static Halide::Expr Int(int64_t value) { return Halide::Expr(static_cast<int32_t>(value)); }
  int64_t blocks_k() const { return (parts_.keys + warps_.keys - 1) / warps_.keys; }
  int64_t blocks_of_split() const { return (blocks_k() + warps_.splits - 1) / warps_.splits; }
  bool CutsKeys() const { return blocks_of_split() * warps_.splits * warps_.keys != parts_.keys; }
  // Groups that share the keys of the same queries come one after the other.
  Halide::Expr WithoutSplit(const Halide::Expr& block) const {
    return warps_.splits == 1 ? block : block / Int(warps_.splits);
  }
  Halide::Expr KeyBlock(const Halide::Expr& block, const Halide::Expr& block_k) const {
    if (warps_.splits == 1) return block_k;
    return block % Int(warps_.splits) * Int(blocks_of_split()) + block_k;
  }
  // A group's block of queries. Under a mask that cuts the keys, those with most keys come first.
  bool LastBlocksFirst() const {
    return visible_.has_value() && visible_->last < static_cast<int64_t>(INT32_MAX);
  }
  Halide::Expr QueryBlock(const Halide::Expr& block) const {
    const Halide::Expr index = WithoutSplit(block) % Int(blocks_q_);
    return LastBlocksFirst() ? Int(blocks_q_ - 1) - index : index;
  }
  Halide::Expr Row(const Lane& lane, const Halide::Expr& m, const Halide::Expr& h) const {
    const Halide::Expr warp = QueryBlock(lane.block) * Int(warps_.warps) + lane.warp;
    return (warp * Int(warps_.tiles_q) + m) * 16 + h * 8 + lane.g;
  }
  Halide::Expr ClampedRow(const Halide::Expr& row) const {
    if (parts_.queries % warps_.block_q() == 0) return row;
    return Halide::min(row, Int(parts_.queries - 1));
  }
  // Of the values that a lane holds in an accumulator of scores.
  Halide::Expr Key(const Lane& lane, const Halide::Expr& block_k, const Halide::Expr& tile,
                   int e) const {
    return KeyBlock(lane.block, block_k) * Int(warps_.keys) + tile * 8 + lane.q * 2 + e;
  }
  // Opaque: else Halide leaves out the products of lanes whose keys are past the last, but products
  // need whole warps.
  Halide::Expr IsKey(const Halide::Expr& key) const {
    return lowering::numerics::Opaque(key) < Int(parts_.keys);
  }
  Halide::Expr ClampedKey(const Halide::Expr& key) const {
    return CutsKeys() ? Halide::min(key, Int(parts_.keys - 1)) : key;
  }
  IndexOf Index(const Halide::Expr& block, const Halide::Expr& key, const Halide::Expr& row,
                const Halide::Expr& value) const;
  lowering::LogicalIndex IndexIn(const hlo::Instruction* instruction,
                                 const IndexOf& index_of) const;
  Halide::Expr Word(const lowering::Value& value, hlo::ElementType type) const;

  Halide::Expr HeadWord(const ScoreProduct& product, int64_t operand, const lowering::Indices& axes,
                        const Halide::Expr& o, const Halide::Expr& v);

  // Where warpgroups multiply: the scores, and copies of queries, keys and values; the step that
  // adds weighted values; the result; the loops.
  void DefineBlock();
  std::vector<Halide::Expr> CopiesOf(lowering::WarpgroupAttention::Tile tile);
  Four WarpgroupSums(const Lane& lane) const;
  void DefineWarpgroupOutput();
  void ArrangeWarpgroups();
  std::vector<Halide::Expr> With(std::vector<Halide::Expr> arguments) const;

  void DefineTiles();
  void DefineKeys(ScoreProduct& product);
  void DefineValues();
  void DefineQueries(ScoreProduct& product);
  void DefineScores(ScoreProduct& product);
  void DefineLogits();
  // Where the program reads an element of a product of the scores' shape, it gets element `i` of
  // the four at `at`.
  void BindScores(const lowering::Indices& at, int i);
  void DefineMaxima();
  void DefineState();
  void DefineSteps(int64_t groups);
  void DefineOutput();
  void DefineOwnOutput();
  void DefineStatistics();
  void DefinePartials();
  void DefineJoined();
  // The kernel's output from a row's maximum and sum of weights, and its sum of weighted values.
  struct Found {
    Halide::Expr max, sum, total, extra;
  };
  void DefineResult(const Found& found, const Halide::Expr& block, const Halide::Expr& row,
                    const Halide::Expr& column);
  Halide::RDom OutputLoops(int64_t value_groups);
  Found FoundByLane() const;
  void Arrange();
  void ArrangeJoined();
  void CutKeys(const char* loop);
  void ArrangeState();
  void ArrangeLane();
  void ArrangeScores(ScoreProduct& product);
  void ArrangeQueries(ScoreProduct& product, const Halide::Func& stored);
  void ArrangeTile(Halide::Func& tile, const Halide::Var& row, int64_t columns, int64_t rows,
                   int64_t stride, bool vectors);

  // Two maxima, of values in compute form: f32.
  lowering::Value Larger(const lowering::Value& a, const lowering::Value& b) const {
    return {a.type, lowering::MaximumOf(a.re, b.re, capability_), {}};
  }
  void BindLogit(const Halide::Expr& logit, hlo::ElementType type);
  void BindMax(const Halide::Expr& max);
  // The weights' exponential, good enough for what is rounded to 11 bits or less.
  void BindExponential();
  void BindFastExp(const hlo::Instruction* exponential);
  static Halide::Expr IsMinusInfinity(const Halide::Expr& value);
  // The shift that belongs to a maximum; of -inf (no score yet) as if it were 0, so that weights
  // are 0 and not NaN. DefineOutput puts that right.
  Halide::Expr ShiftOf(const Halide::Expr& max, const IndexOf& index);
  Four StateAt(const Halide::Expr& element, const Halide::Expr& m, const Lane& lane) const;
  Four Maxima(const Halide::Expr& m, const Lane& lane);
  Four Factors(const Halide::Expr& m, const Lane& lane);
  Four Weights(const Halide::Expr& tile, const Halide::Expr& m, const Lane& lane);
  Four ChainWeights(const Halide::Expr& tile, const Halide::Expr& m, const Lane& lane);
  const hlo::Instruction* RoundedByWord() const;
  Four Packed(const Four& plain) const;
  Four Sums(const Halide::Expr& m, const Lane& lane);
  Four Extras(const Halide::Expr& m, const Lane& lane);
  // A block's sum of what is at `first` of the elements of weights (2 + h: the sums of row h), over
  // the four lanes that share the row.
  lowering::Value BlockSum(lowering::Hero& hero, int first, const Halide::Expr& m,
                           const Lane& lane) const;
  Four Product(const Halide::Expr& round, const Halide::Expr& tile, const Halide::Expr& m,
               const Lane& lane);

  // Elements of `state`: (maximum, sum) of rows; (factor, shift) of rows; of statistics, the extra
  // sums; weights; sums of values. Chains have the last two only.
  static constexpr int64_t kVector = 4;  // words of 16 bytes
  static constexpr int kRows = 0, kScale = 1, kExtra = 2;
  int64_t first_weight() const { return !HasRows() ? 0 : HasProduct() ? 2 : 3; }
  int64_t first_sum() const { return first_weight() + key_tiles_; }
  // Of warpgroups, whose sums are in registers of their own, what the step gives that adds to them.
  int64_t elements() const {
    return first_sum() + (warps_.warpgroups ? 1 : value_groups_ * kVector);
  }

  lowering::LoweredKernel& kernel_;
  const AttentionParts& parts_;
  const lowering::AttentionForm& form_;
  const lowering::AttentionWords words_;
  const lowering::AttentionWarps warps_;
  const bool on_device_;
  const int capability_;       // 0: the CPU equivalents
  bool masks_places_ = false;  // logits depend on the places of queries and keys themselves
  std::optional<lowering::VisibleKeys> visible_;  // of a mask that cuts the loop over keys
  int64_t key_tiles_ = 1;                         // of 8 keys, in a block
  int64_t value_groups_ = 0;                      // of 4 tiles of 8 values
  int64_t chunks_ = 0;                            // of keys, each one step of the last product
  int64_t blocks_q_ = 1, groups_ = 1;
  std::vector<std::pair<int64_t, int64_t>> others_;  // places and extents

  Halide::Var v_{"v"}, o_{"o"}, row_{"row"}, i_{"i"}, w_{"w"}, round_{"round"}, tile_{"tile"},
      m_{"m"};
  Halide::Var element_{"element"}, q_{"q"}, g_{"g"}, warp_{"warp"}, block_{"block"},
      block_k_{"block_k"};
  std::vector<ScoreProduct> products_;
  Halide::Func values_;          // (v, o, row, block, block_k): in shared memory
  Halide::Func value_words_;     // a lane's
  Halide::Func logits_;          // (tile, m, lane, block_k), four values each
  Halide::Func part_max_, max_;  // (m, lane, block_k), of the rows h = 0, 1
  Halide::Func state_;
  Halide::RVar step_v_, step_m_, step_u_, step_block_, step_q_, step_g_;
  Halide::RVar out_v_, out_o_, out_e_, out_h_, out_m_, out_q_, out_g_, out_warp_, out_block_;
  bool vector_output_ = false;
  // With splits: (column, row, other dimensions, split) of sums; then the rows' maxima and sums of
  // weights in two more columns.
  Halide::Func partial_;
  Halide::RVar joined_column_, joined_row_, joined_other_;
  lowering::WarpgroupAttention warpgroup_;
  Halide::Func block_of_keys_, complete_;  // what kAttentionScore and kAttentionSum take
};

// Returns the shape that `warps` asks for: as many warps, and keys of a block.
lowering::WarpgroupAttention WarpgroupsOf(const AttentionParts& parts,
                                          const lowering::AttentionWords& words,
                                          const lowering::AttentionWarps& warps);

// Returns nothing if tensor cores do not compute the kernel.
std::optional<lowering::AttentionWords> AttentionWordsOf(const lowering::LoweredKernel& kernel);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_ATTENTION_CUDA_H_
