// attention_mma: the result, of one group or joined from several.

#include "lowering/numerics/arithmetic.h"
#include "schedules/attention/cuda.h"
#include "schedules/mma_product.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::Var;
using hlo::ElementType;
using lowering::AttentionForm;
using lowering::Hero;
using lowering::Indices;
using lowering::Value;
using lowering::numerics::Fp;

void AttentionMma::DefineResult(const Found& found, const Expr& block, const Expr& row,
                                const Expr& column) {
  const PlacedFunc& placed = parts_.output;
  const IndexOf index_of = Index(block, 0, row, column);
  Indices index;
  for (int64_t place : placed.places) {
    index.push_back(place == AttentionForm::kNone ? Expr(0) : index_of(place));
  }
  if (form_.kind == Kind::kChain) {
    parts_.product->read = [=](const Indices&) { return std::vector<Expr>{found.total}; };
    kernel_.emitter->Forget();
    DefineOutputAt(kernel_, index);
    return;
  }
  const IndexOf clamped = Index(block, 0, ClampedRow(row), 0);
  // What the program makes of rows whose scores are all -inf.
  const Expr nothing = IsMinusInfinity(found.max);
  kernel_.emitter->BindReader(form_.shift, nullptr);
  kernel_.emitter->BindReader(form_.weights, nullptr);
  BindMax(found.max);
  BindLogit(found.max, form_.logits->shape.element_type());
  const Expr no_weight = kernel_.emitter->At(form_.weights, IndexIn(form_.weights, clamped)).re;
  parts_.sum->read = [=](const Indices&) {
    return std::vector<Expr>{Halide::select(nothing, no_weight, found.sum)};
  };
  if (HasProduct()) {
    Hero& product = *parts_.product;
    product.read = [=, this, &product](const Indices& axes) {
      const Value total{product.types[0], Halide::select(nothing, no_weight, found.total), {}};
      return std::vector<Expr>{Normalized(kernel_, total, axes).re};
    };
  }
  if (!HasProduct()) {  // results, not only what other values are computed from
    parts_.max->read = [=, this](const Indices&) {
      return kernel_.ToStorageExprs({{parts_.max->types[0], found.max, {}}});
    };
  }
  if (parts_.extra != nullptr) {
    parts_.extra->read = [=](const Indices&) {
      return std::vector<Expr>{Halide::select(nothing, no_weight, found.extra)};
    };
  }
  kernel_.emitter->Forget();
  DefineOutputAt(kernel_, index);
}

void AttentionMma::DefineOutput() {
  if (warps_.warpgroups) {
    DefineWarpgroupOutput();
  } else if (!HasProduct()) {
    DefineStatistics();
  } else if (warps_.splits == 1) {
    DefineOwnOutput();
  } else {
    DefinePartials();
    DefineJoined();
  }
}

// The loops over a lane's values of C, lanes, warps and groups.
Halide::RDom AttentionMma::OutputLoops(int64_t value_groups) {
  const int64_t each = HasProduct() ? 1 : 0;
  Halide::RDom d({{0, Int(each * (kVector - 1) + 1)},
                  {0, Int(value_groups)},
                  {0, Int(each + 1)},
                  {0, 2},
                  {0, Int(warps_.tiles_q)},
                  {0, 4},
                  {0, 8},
                  {0, Int(warps_.warps)},
                  {0, Int(groups_ * warps_.splits)}},
                 "out");
  out_v_ = d[0], out_o_ = d[1], out_e_ = d[2], out_h_ = d[3], out_m_ = d[4];
  out_q_ = d[5], out_g_ = d[6], out_warp_ = d[7], out_block_ = d[8];
  return d;
}

// Returns what a lane has of an element of the output.
AttentionMma::Found AttentionMma::FoundByLane() const {
  const Lane lane{out_q_, out_g_, out_warp_, out_block_};
  const Four rows = StateAt(kRows, out_m_, lane);
  if (!HasProduct()) {
    const Four extra = StateAt(kExtra, out_m_, lane);
    return {Halide::mux(out_h_, {rows[0], rows[1]}), Halide::mux(out_h_, {rows[2], rows[3]}),
            Expr(0.f), Halide::mux(out_h_, {extra[0], extra[1]})};
  }
  const Expr group = Halide::min(out_o_, Int(value_groups_ - 1));
  const Four four = StateAt(Int(first_sum()) + group * Int(kVector) + out_v_, out_m_, lane);
  return {Halide::mux(out_h_, {rows[0], rows[1]}), Halide::mux(out_h_, {rows[2], rows[3]}),
          Halide::mux(Expr(out_h_) * 2 + out_e_, {four[0], four[1], four[2], four[3]}), Expr(0.f)};
}

void AttentionMma::DefineOwnOutput() {
  Halide::RDom d = OutputLoops(value_groups_);
  const Lane lane{out_q_, out_g_, out_warp_, out_block_};
  const Expr row = Row(lane, out_m_, out_h_);
  const Expr first_column = ((Expr(out_o_) * 8 + lane.q * 2 + out_e_)) * Int(kVector);
  const Expr column = first_column + out_v_;
  vector_output_ =
      parts_.value_size % kVector == 0 && parts_.output.places[0] == AttentionForm::kValueDim;
  // Opaque, because Halide would leave out the lanes that store nothing, but products need whole
  // warps.
  if (parts_.queries % warps_.block_q() != 0) {
    d.where(lowering::numerics::Opaque(row) < Int(parts_.queries));
  }
  if (parts_.value_size % kVector != 0) {
    d.where(lowering::numerics::Opaque(column) < Int(parts_.value_size));
  } else if (parts_.value_size != words_.values) {
    d.where(lowering::numerics::Opaque(first_column) < Int(parts_.value_size));
  }
  DefineResult(FoundByLane(), lane.block, row, column);
}

// Of the four lanes that share a row, the first one stores what all of them have.
void AttentionMma::DefineStatistics() {
  Halide::RDom d = OutputLoops(1);
  const Lane lane{out_q_, out_g_, out_warp_, out_block_};
  const Expr row = Row(lane, out_m_, out_h_);
  d.where(lowering::numerics::Opaque(lane.q) == 0);
  if (parts_.queries % warps_.block_q() != 0) {
    d.where(lowering::numerics::Opaque(row) < Int(parts_.queries));
  }
  DefineResult(FoundByLane(), lane.block, row, 0);
}

// Stores the result of each split. The maximum and the sum of weights of a row are in the first two
// of 32 more columns, which the loops of a lane reach as one more group of tiles.
void AttentionMma::DefinePartials() {
  OutputLoops(value_groups_ + 1);
  const Lane lane{out_q_, out_g_, out_warp_, out_block_};
  const Expr column = ((Expr(out_o_) * 8 + lane.q * 2 + out_e_)) * Int(kVector) + out_v_;
  const Found found = FoundByLane();
  const Expr of_row = Halide::select(out_v_ == 0, found.max, found.sum);
  const Var c("c"), row("row"), other("other"), split("split");
  partial_ = Func("partial");
  partial_(c, row, other, split) = Halide::undef<float>();
  partial_(column, Row(lane, out_m_, out_h_), WithoutSplit(lane.block) / Int(blocks_q_),
           lane.block % Int(warps_.splits)) =
      Halide::select(out_o_ == Int(value_groups_), of_row, found.total);
  partial_.bound(c, 0, Int(words_.values + 32))
      .bound(row, 0, Int(blocks_q_ * warps_.block_q()))
      .bound(other, 0, Int(groups_ / blocks_q_))
      .bound(split, 0, Int(warps_.splits));
  vector_output_ = true;
}

void AttentionMma::DefineJoined() {
  const Halide::RDom d(
      {{0, Int(parts_.value_size)}, {0, Int(parts_.queries)}, {0, Int(groups_ / blocks_q_)}},
      "joined");
  joined_column_ = d[0], joined_row_ = d[1], joined_other_ = d[2];
  const Expr row = joined_row_, block = Expr(joined_other_) * Int(blocks_q_ * warps_.splits);
  const IndexOf index = Index(block, 0, row, 0);
  const auto part = [&](const Expr& column, int64_t split) {
    return Expr(partial_(column, row, joined_other_, Int(split)));
  };
  kernel_.emitter->BindReader(form_.shift, nullptr);
  kernel_.emitter->Forget();
  const ElementType type = parts_.max->types[0];
  Value max{type, part(Int(words_.values), 0), {}};
  for (int64_t s = 1; s < warps_.splits; ++s)
    max = Larger(max, {type, part(Int(words_.values), s), {}});
  const Fp shift{ShiftOf(max.re, index)};
  Found found{max.re, Expr(0.f), Expr(0.f), Expr(0.f)};
  for (int64_t s = 0; s < warps_.splits; ++s) {
    const Expr own = part(Int(words_.values), s);
    const Fp before{ShiftOf(own, index)};
    // The sums of a part without a score are 0, and its factor could be infinite.
    const Fp factor{Halide::select(IsMinusInfinity(own), 0.f,
                                   lowering::FastExp((before - shift).e, capability_))};
    found.sum = (Fp{found.sum} + Fp{part(Int(words_.values + 1), s)} * factor).e;
    found.total = (Fp{found.total} + Fp{part(joined_column_, s)} * factor).e;
  }
  DefineResult(found, block, row, joined_column_);
}

}  // namespace halyard::schedules
